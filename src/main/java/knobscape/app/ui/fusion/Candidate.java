package knobscape.app.ui.fusion;

import java.util.Optional;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.space.Strategy;

/// A strategy of the table.
///
/// @param origin where it comes from: a search with its seed, or the person
/// @param target target buffer in bytes
/// @param evaluations strategies evaluated to find it; 0 for one made by hand
/// @param seconds wall-clock time of finding it
/// @param strategy the strategy
/// @param kept whether it stays when another strategy is looked at
record Candidate(String origin, long target, int evaluations, double seconds, Strategy strategy, boolean kept) {

    /// Its cost under a model; empty where the batch is smaller than one of its micro-batches.
    Optional<Cost> cost(FusionCostModel model) {
        return strategy.layers() == model.layers() && strategy.largest() <= model.batch()
                ? Optional.of(model.evaluate(strategy))
                : Optional.empty();
    }

    Candidate of(Strategy other) {
        return new Candidate(origin, target, evaluations, seconds, other, kept);
    }

    Candidate kept(boolean now) {
        return new Candidate(origin, target, evaluations, seconds, strategy, now);
    }
}
