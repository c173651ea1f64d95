package knobscape.explore.bayes;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.space.Configuration;
import knobscape.surrogate.Model;

/// What is left of a limited tool time, as far as it decides which design is run.
///
/// @param chances by design that of a run in full to end in time; empty where time is not limited
/// @param runs for how many usual runs there is time, at least 1
/// @param parameters to start the next fit from; empty where nothing was fitted
record Deadline(Map<Configuration, Double> chances, double runs, Optional<double[]> parameters) {
    /// Time without end.
    static final Deadline NONE = new Deadline(Map.of(), 1, Optional.empty());

    /// Chance to end in time below which a design is not begun.
    private static final double HOPELESS = 0.05;

    Deadline {
        chances = Map.copyOf(chances);
    }

    /// @param toolSeconds of the whole run, positive infinity for no limit
    /// @param features of a design that was run
    /// @param trainer of one output
    static Deadline of(
            History history,
            EvaluatorInfo info,
            double toolSeconds,
            Candidates.Batch batch,
            Function<Configuration, double[]> features,
            Model.Trainer trainer,
            Optional<double[]> warmStart,
            long seed) {
        var time = new ToolTime(history, info);
        double left = toolSeconds
                - time.spent()
                - history.pending().stream()
                        .map(Proposal::configuration)
                        .mapToDouble(time::seconds)
                        .sum();
        List<Configuration> designs = batch.configurations();
        Optional<Model> lowestStage = time.lowestStage(features, trainer, warmStart, seed);
        double[] chance = time.endsWithin(left, designs, batch.x(), lowestStage);
        var chances = new HashMap<Configuration, Double>();
        for (int i = 0; i < chance.length; i++) {
            chances.put(designs.get(i), chance[i]);
        }
        return new Deadline(chances, Math.max(1, left / time.usual()), lowestStage.map(Model::parameters));
    }

    boolean isNone() {
        return chances.isEmpty();
    }

    /// Whether no design is likely to end in time.
    boolean isOver() {
        return !chances.isEmpty() && chances.values().stream().allMatch(chance -> chance < HOPELESS);
    }

    /// What a gain of a design is worth: a run that does not end in time takes all others that there was time for with
    /// it, so each of them has to be in time for it.
    double worth(Configuration c) {
        return Math.pow(chances.getOrDefault(c, 1.0), runs);
    }
}
