package knobscape.explore.bayes;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.space.Configuration;
import knobscape.surrogate.Model;

/// The rest of a limited tool time, and of the tools' patience with one design, as far as that decides which
/// design is run.
///
/// @param chances by design that of a run in full to end in time; empty where time is not limited
/// @param patience by design the chance that it is not stopped for taking too long; empty where none was
/// @param runs for how many usual runs there is time, at least 1
/// @param parameters to start the next fit from; empty where nothing was fitted
record Deadline(
        Map<Configuration, Double> chances,
        Map<Configuration, Double> patience,
        double runs,
        Optional<double[]> parameters) {
    /// Time without end.
    static final Deadline NONE = new Deadline(Map.of(), Map.of(), 1, Optional.empty());

    /// Chance to end in time below which a design is not begun.
    private static final double HOPELESS = 0.05;

    Deadline {
        chances = Map.copyOf(chances);
        patience = Map.copyOf(patience);
    }

    /// @param toolSeconds of the whole run, positive infinity for no limit
    /// @param features of a design that was run
    /// @param trainer of one output
    static Deadline of(
            History history,
            EvaluatorInfo info,
            double toolSeconds,
            CandidatePool.Batch batch,
            Function<Configuration, double[]> features,
            Model.Trainer trainer,
            Optional<double[]> warmStart,
            long seed) {
        var time = new ToolTime(history, info);
        if (Double.isInfinite(toolSeconds) && time.limit().isEmpty()) {
            return NONE;
        }
        Optional<Model> lowestStage = time.lowestStage(features, trainer, warmStart, seed);
        double left = toolSeconds
                - time.spent()
                - history.pending().stream()
                        .map(Proposal::configuration)
                        .mapToDouble(time::seconds)
                        .sum();
        ToolTime.Foretold foretold = time.foretell(batch.configurations(), batch.x(), lowestStage);
        return new Deadline(
                Double.isInfinite(toolSeconds) ? Map.of() : chances(foretold, left, batch),
                time.limit().isEmpty()
                        ? Map.of()
                        : chances(foretold, time.limit().getAsDouble(), batch),
                Math.max(1, left / time.usual()),
                lowestStage.map(Model::parameters));
    }

    private static Map<Configuration, Double> chances(
            ToolTime.Foretold foretold, double seconds, CandidatePool.Batch batch) {
        var chances = new HashMap<Configuration, Double>();
        for (int i = 0; i < batch.configurations().size(); i++) {
            chances.put(batch.configurations().get(i), foretold.endsWithin(seconds, i));
        }
        return chances;
    }

    boolean isNone() {
        return chances.isEmpty() && patience.isEmpty();
    }

    /// True if no design is likely to end in time.
    boolean isOver() {
        return !chances.isEmpty() && chances.values().stream().allMatch(chance -> chance < HOPELESS);
    }

    /// The worth of a gain of a design: a run that does not end in time takes all others that there was time for with
    /// it, so each of them has to be in time for it. One that is stopped for taking too long takes but its own.
    double worth(Configuration c) {
        return chances.isEmpty()
                ? patience.getOrDefault(c, 1.0)
                : Math.pow(chances.getOrDefault(c, 1.0), runs) * patience.getOrDefault(c, 1.0);
    }
}
