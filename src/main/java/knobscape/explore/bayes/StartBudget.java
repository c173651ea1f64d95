package knobscape.explore.bayes;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.History;
import knobscape.space.Configuration;

/// What a start with screening may still cost where a run is limited, and what a run in full of a
/// design is expected to cost: a line through the logarithms of the cost of the lowest stage and of the whole run,
/// steep beforehand (what takes the lowest stage long takes the others longer still) and learned from the designs
/// that were run in full.
final class StartBudget {
    /// Share of a run's tool time, and of its steps, that goes into its start.
    private static final double SHARE = 1.0 / 3;
    /// Share of the start that goes into screening.
    private static final double SCREENING = 0.25;
    /// Fewest runs in full, whatever they cost: without them there is nothing to learn from.
    static final int FEWEST_RUNS = 3;
    /// Slope before anything was run in full. With the built-in estimate it is 1.5 to 3.8 (seven kernels,
    /// correlation .63 to .99).
    private static final double SLOPE = 2;
    /// Variances of slope, level and residual beforehand, of natural logarithms.
    private static final double SLOPE_VARIANCE = 1;
    private static final double LEVEL_VARIANCE = 1;
    private static final double RESIDUAL_VARIANCE = 0.1;

    private final Map<Configuration, Double> lowest = new HashMap<>();
    private final double middle;
    private final double level;
    private final double slope;
    private final double left;

    /// @param toolSeconds of the whole run, positive infinity for no limit
    /// @param pending designs in flight to the highest fidelity
    StartBudget(History history, EvaluatorInfo info, double toolSeconds, Set<Configuration> pending) {
        // A design that was taken further enters again with the stages that it had.
        List<Evaluation> told = history.evaluations().stream().distinct().toList();
        var full = new HashMap<Configuration, Double>();
        told.forEach(e -> {
            full.merge(e.configuration(), e.costSeconds(), Double::sum);
            if (e.fidelity().rank() == 0 && e.costSeconds() > 0) {
                lowest.put(e.configuration(), Math.log(e.costSeconds()));
            }
        });
        middle = lowest.values().stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(0);
        double typical = Math.log(Math.max(
                1e-9,
                info.typicalSeconds().values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum()));
        double n = 0;
        double sx = 0;
        double sxx = 0;
        double sy = 0;
        double sxy = 0;
        for (Evaluation e : history.at(info.top())) {
            double cost = full.getOrDefault(e.configuration(), 0.0);
            if (e.isMeasured() && cost > 0) {
                double x = off(e.configuration());
                double y = Math.log(cost) - typical - SLOPE * x;
                n++;
                sx += x;
                sxx += x * x;
                sy += y;
                sxy += x * y;
            }
        }
        // Mean of the two coefficients given what was run, both normal beforehand.
        double a = n + RESIDUAL_VARIANCE / LEVEL_VARIANCE;
        double b = sxx + RESIDUAL_VARIANCE / SLOPE_VARIANCE;
        double determinant = a * b - sx * sx;
        level = typical + (b * sy - sx * sxy) / determinant;
        slope = SLOPE + (a * sxy - sx * sy) / determinant;
        left = SHARE * toolSeconds
                - told.stream().mapToDouble(Evaluation::costSeconds).sum()
                - pending.stream().mapToDouble(this::seconds).sum();
    }

    /// How much slower than usual the lowest stage was, as a logarithm.
    private double off(Configuration c) {
        return lowest.getOrDefault(c, middle) - middle;
    }

    /// Expected tool time of a run in full, the lowest stage included.
    double seconds(Configuration c) {
        return Math.exp(level + slope * off(c));
    }

    /// Tool time left to the start.
    double left() {
        return left;
    }

    /// Runs in full, each of which is a step: `most`, fewer where that would be more than its share of the steps, never
    /// under [#FEWEST_RUNS].
    static int runs(int steps, int most) {
        return Math.max(FEWEST_RUNS, Math.min(most, (int) (SHARE * steps)));
    }

    /// Designs to screen after the first ones: `most`, fewer where at what those took on average they would
    /// take more than screening's share of the start. A lowest stage has taken two hundred times its typical
    /// time (`heat-3d`), and designs drawn blindly all the hours of a run.
    ///
    /// @param seconds that the first ones took
    static int furtherScreened(double[] seconds, double toolSeconds, int most) {
        double spent = Arrays.stream(seconds).sum();
        double room = (SCREENING * SHARE * toolSeconds - spent) * seconds.length / spent;
        return room >= most || spent == 0 ? most : (int) Math.max(0, room);
    }
}
