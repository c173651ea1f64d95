package knobscape.explore.bayes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.History;
import knobscape.numeric.StandardNormal;
import knobscape.space.Configuration;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;

/// What a run in full of a design is expected to take: a line through the logarithms of the cost of the lowest
/// stage and of the whole run, steep beforehand (what takes the lowest stage long takes the others longer still) and
/// learned from the designs that were run in full. With a single stage the two are the same.
final class ToolTime {
    /// Slope before anything was run in full. With the built-in estimate it is 1.5 to 3.8 (seven kernels,
    /// correlation .63 to .99).
    private static final double SLOPE = 2;
    /// Variances of slope, level and residual beforehand, of natural logarithms.
    private static final double SLOPE_VARIANCE = 1;
    private static final double LEVEL_VARIANCE = 1;
    private static final double RESIDUAL_VARIANCE = 0.1;
    /// For how many designs that of the residual counts: a few alike tell little of one that is far larger.
    private static final double RESIDUAL_DESIGNS = 10;

    private final Map<Configuration, Double> lowest = new LinkedHashMap<>();
    private final boolean isStaged;
    private final double spent;
    private final double usual;
    private final double middle;
    private final double level;
    private final double slope;
    private final double residual;
    private final double count;
    private final double sumX;
    private final double sumXx;

    ToolTime(History history, EvaluatorInfo info) {
        // A design that was taken further enters again with the stages that it had.
        List<Evaluation> told = history.evaluations().stream().distinct().toList();
        var full = new LinkedHashMap<Configuration, Double>();
        told.forEach(e -> {
            full.merge(e.configuration(), e.costSeconds(), Double::sum);
            if (e.fidelity().rank() == 0 && e.costSeconds() > 0) {
                lowest.put(e.configuration(), Math.log(e.costSeconds()));
            }
        });
        isStaged = info.fidelities().size() > 1;
        spent = told.stream().mapToDouble(Evaluation::costSeconds).sum();
        double typicalSeconds = info.typicalSeconds().values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
        middle = lowest.values().stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(0);
        double typical = Math.log(Math.max(1e-9, typicalSeconds));
        usual = history.at(info.top()).stream()
                .mapToDouble(e -> full.getOrDefault(e.configuration(), 0.0))
                .filter(cost -> cost > 0)
                .average()
                .orElse(typicalSeconds);
        double n = 0;
        double sx = 0;
        double sxx = 0;
        double sy = 0;
        double sxy = 0;
        double syy = 0;
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
                syy += y * y;
            }
        }
        // Mean of the two coefficients given what was run, both normal beforehand.
        count = n + RESIDUAL_VARIANCE / LEVEL_VARIANCE;
        sumX = sx;
        sumXx = sxx + RESIDUAL_VARIANCE / SLOPE_VARIANCE;
        double determinant = count * sumXx - sx * sx;
        double raise = (sumXx * sy - sx * sxy) / determinant;
        double steeper = (count * sxy - sx * sy) / determinant;
        level = typical + raise;
        slope = SLOPE + steeper;
        residual = (RESIDUAL_DESIGNS * RESIDUAL_VARIANCE + Math.max(0, syy - raise * sy - steeper * sxy))
                / (RESIDUAL_DESIGNS + n);
    }

    /// How much slower than usual the lowest stage was, as a logarithm.
    private double off(Configuration c) {
        return lowest.getOrDefault(c, middle) - middle;
    }

    /// Expected tool time of a run in full, the lowest stage included.
    double seconds(Configuration c) {
        return Math.exp(isStaged ? level + slope * off(c) : middle + off(c));
    }

    /// Mean tool time of the designs that were run in full, what the evaluator calls typical before that.
    double usual() {
        return usual;
    }

    /// Tool time spent so far, each stage of a design once.
    double spent() {
        return spent;
    }

    /// A process over the features that tells what the lowest stage takes; empty where it took equally long for all
    /// designs so far.
    ///
    /// @param features of a design that was run
    /// @param trainer of one output
    Optional<Model> lowestStage(
            Function<Configuration, double[]> features,
            Model.Trainer trainer,
            Optional<double[]> warmStart,
            long seed) {
        if (lowest.values().stream().distinct().count() < 2) {
            return Optional.empty();
        }
        return Optional.of(trainer.fit(
                TrainingData.single(
                        lowest.keySet().stream().map(features).toArray(double[][]::new),
                        lowest.values().stream()
                                .mapToDouble(Double::doubleValue)
                                .toArray()),
                warmStart,
                seed));
    }

    /// Chance of each of some designs to be run in full within `seconds` from now. What the lowest stage takes is known
    /// of those that were run there.
    ///
    /// @param x features of the designs
    /// @param lowestStage tells it of the others
    double[] endsWithin(double seconds, List<Configuration> designs, double[][] x, Optional<Model> lowestStage) {
        Optional<Posterior> told = lowestStage.map(m -> m.posterior(x));
        double[] chance = new double[x.length];
        for (int i = 0; i < chance.length; i++) {
            Double known = lowest.get(designs.get(i));
            int row = i;
            double mean = known != null ? known : told.map(p -> p.mean(row, 0)).orElse(middle);
            double variance =
                    known != null ? 0 : told.map(p -> p.covariance(row, 0, 0)).orElse(0.0);
            double room = Math.log(Math.max(1e-9, seconds + (known != null ? Math.exp(known) : 0)));
            if (isStaged) {
                double off = mean - middle;
                variance = slope * slope * variance
                        + residual * (1 + (sumXx - 2 * off * sumX + off * off * count) / (count * sumXx - sumX * sumX));
                mean = level + slope * off;
            }
            chance[i] = StandardNormal.cumulative((room - mean) / Math.sqrt(Math.max(1e-9, variance)));
        }
        return chance;
    }
}
