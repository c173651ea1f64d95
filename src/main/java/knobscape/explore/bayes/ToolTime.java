package knobscape.explore.bayes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.explore.History;
import knobscape.numeric.Cholesky;
import knobscape.numeric.StandardNormal;
import knobscape.space.Configuration;
import knobscape.surrogate.IndependentOutputs;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;

/// The expected time of a run in full of a design: linear, in logarithms, in what its lowest stage took and in the
/// LUT that this stage reported (a large design takes synthesis and routing long, however soon it was compiled), with
/// coefficients that are normal beforehand and learned from the designs that were run in full. One that was stopped
/// for taking too long counts as taking at least what it took. With a single stage there is nothing but that stage.
final class ToolTime {
    /// Which figure of the lowest stage's report tells how large a design is.
    private static final String SIZE = "lut";
    /// Slopes by the lowest stage's time and by its LUT before anything was run in full, and their deviations: most
    /// of fourteen kernels by the built-in estimate and a measured one (`syrk` of hlsdataset_polybench) have .3 to
    /// 2.4 and .1 to .6.
    private static final double[] SLOPES = {1.2, 0.25};
    private static final double[] DEVIATIONS = {0.7, 0.25};
    /// Variances of level and residual beforehand, of natural logarithms.
    private static final double LEVEL_VARIANCE = 1;
    private static final double RESIDUAL_VARIANCE = 0.1;
    /// For how many designs that of the residual counts: a few alike tell little of one that is far larger.
    private static final double RESIDUAL_DESIGNS = 10;
    /// Rounds in which what was stopped is foretold by the line and the line drawn anew.
    private static final int ROUNDS = 20;

    private final Map<Configuration, double[]> lowest = new LinkedHashMap<>();
    private final boolean isStaged;
    private final double spent;
    private final double usual;
    private final OptionalDouble limit;
    /// Means of the columns of [#lowest].
    private final double[] middle;
    /// Level and slopes, the residual's variance, and the precision of the coefficients over it.
    private double[] line;
    private double residual = RESIDUAL_VARIANCE;
    private final Cholesky precision;

    /// A run in full: its report off the middle, behind a 1, and the logarithm of its seconds.
    private record Run(double[] off, double seconds, boolean isStopped) {}

    ToolTime(History history, EvaluatorInfo info) {
        // A design that was taken further enters again with the stages that it had.
        List<Evaluation> told = history.evaluations().stream().distinct().toList();
        var full = new LinkedHashMap<Configuration, Double>();
        told.forEach(e -> {
            full.merge(e.configuration(), e.costSeconds(), Double::sum);
            if (e.fidelity().rank() == 0 && e.costSeconds() > 0) {
                lowest.put(e.configuration(), new double[] {
                    Math.log(e.costSeconds()),
                    Math.log(Math.max(1, e.value(SIZE).orElse(Double.NaN)))
                });
            }
        });
        isStaged = info.fidelities().size() > 1;
        spent = told.stream().mapToDouble(Evaluation::costSeconds).sum();
        middle = IntStream.range(0, SLOPES.length)
                .mapToDouble(j -> lowest.values().stream()
                        .mapToDouble(r -> r[j])
                        .filter(v -> !Double.isNaN(v))
                        .average()
                        .orElse(0))
                .toArray();
        // What a design does not report is taken for the others' mean.
        lowest.values().forEach(r -> Arrays.setAll(r, j -> Double.isNaN(r[j]) ? middle[j] : r[j]));
        double typicalSeconds = info.typicalSeconds().values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
        List<Evaluation> ended = history.at(info.top());
        usual = ended.stream()
                .mapToDouble(e -> full.getOrDefault(e.configuration(), 0.0))
                .filter(cost -> cost > 0)
                .average()
                .orElse(typicalSeconds);
        var runs = new ArrayList<Run>();
        double longest = 0;
        double shortestStopped = Double.POSITIVE_INFINITY;
        for (Evaluation e : told) {
            double cost = full.getOrDefault(e.configuration(), 0.0);
            boolean isStopped = isStopped(e)
                    && history.find(e.configuration(), e.fidelity()).equals(Optional.of(e));
            boolean isEnd = e.isMeasured() && e.fidelity().rank() == info.top().rank();
            if (cost > 0 && (isStopped || isEnd)) {
                runs.add(new Run(off(e.configuration()), Math.log(cost), isStopped));
                longest = isEnd ? Math.max(longest, cost) : longest;
                shortestStopped = isStopped ? Math.min(shortestStopped, cost) : shortestStopped;
            }
        }
        limit = Double.isInfinite(shortestStopped)
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.max(longest, shortestStopped));
        line = new double[1 + SLOPES.length];
        line[0] = Math.log(Math.max(1e-9, typicalSeconds));
        System.arraycopy(SLOPES, 0, line, 1, SLOPES.length);
        precision = precision(runs, line.length);
        learn(runs);
    }

    private static Cholesky precision(List<Run> runs, int d) {
        double[] precision = new double[d * d];
        for (int a = 0; a < d; a++) {
            for (int b = 0; b < d; b++) {
                int p = a;
                int q = b;
                precision[a * d + b] =
                        runs.stream().mapToDouble(r -> r.off[p] * r.off[q]).sum();
            }
            double deviation = a == 0 ? Math.sqrt(LEVEL_VARIANCE) : DEVIATIONS[a - 1];
            precision[a * d + a] += RESIDUAL_VARIANCE / (deviation * deviation);
        }
        return Cholesky.of(precision, d).orElseThrow();
    }

    private static boolean isStopped(Evaluation e) {
        return e.outcome() instanceof Outcome.Failure f && f.kind() == FailureKind.TIMED_OUT;
    }

    /// Draws the line through the runs, those that were stopped at what they are expected to take given that it is
    /// more.
    private void learn(List<Run> runs) {
        int d = line.length;
        double[] before = line.clone();
        int rounds = runs.stream().anyMatch(Run::isStopped) ? ROUNDS : 1;
        for (int round = 0; round < rounds; round++) {
            double[] sum = new double[d];
            double[] seconds = new double[runs.size()];
            double[] unknown = new double[runs.size()];
            for (int i = 0; i < seconds.length; i++) {
                Run r = runs.get(i);
                seconds[i] = r.seconds;
                if (r.isStopped) {
                    double deviation = Math.sqrt(residual);
                    double z = (r.seconds - dot(line, r.off)) / deviation;
                    double hazard = z > 30 ? z : StandardNormal.density(z) / StandardNormal.cumulative(-z);
                    seconds[i] = dot(line, r.off) + deviation * hazard;
                    unknown[i] = residual * Math.max(0, 1 + z * hazard - hazard * hazard);
                }
                double over = seconds[i] - dot(before, r.off);
                Arrays.setAll(sum, a -> sum[a] + over * r.off[a]);
            }
            double[] raise = precision.solve(sum);
            double[] next = before.clone();
            Arrays.setAll(next, a -> before[a] + raise[a]);
            line = next;
            double left = IntStream.range(0, seconds.length)
                    .mapToDouble(i -> unknown[i] + Math.pow(seconds[i] - dot(line, runs.get(i).off), 2))
                    .sum();
            residual = (RESIDUAL_DESIGNS * RESIDUAL_VARIANCE + left) / (RESIDUAL_DESIGNS + seconds.length);
        }
    }

    private static double dot(double[] a, double[] b) {
        return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).sum();
    }

    /// The report of a design off the middle, behind a 1; that of one that was not screened is the middle.
    private double[] off(Configuration c) {
        return off(lowest.getOrDefault(c, middle));
    }

    private double[] off(double[] report) {
        double[] off = new double[1 + report.length];
        off[0] = 1;
        for (int j = 0; j < report.length; j++) {
            off[1 + j] = report[j] - middle[j];
        }
        return off;
    }

    /// Expected tool time of a run in full, the lowest stage included.
    double seconds(Configuration c) {
        return Math.exp(isStaged ? dot(line, off(c)) : lowest.getOrDefault(c, middle)[0]);
    }

    /// Mean tool time of the designs that were run in full, what the evaluator calls typical before that.
    double usual() {
        return usual;
    }

    /// Tool time spent so far, each stage of a design once.
    double spent() {
        return spent;
    }

    /// Tool time at which designs are stopped for taking too long, as far as it shows; empty where none was.
    OptionalDouble limit() {
        return limit;
    }

    /// Processes over the features that tell what the lowest stage takes and how large it says a design is; empty where
    /// that was the same for all designs so far.
    ///
    /// @param features of a design that was run
    /// @param trainer of one output
    Optional<Model> lowestStage(
            Function<Configuration, double[]> features,
            Model.Trainer trainer,
            Optional<double[]> warmStart,
            long seed) {
        if (lowest.values().stream().map(Arrays::toString).distinct().count() < 2) {
            return Optional.empty();
        }
        return Optional.of(IndependentOutputs.trainer(trainer)
                .fit(
                        TrainingData.single(
                                lowest.keySet().stream().map(features).toArray(double[][]::new),
                                lowest.values().toArray(double[][]::new)),
                        warmStart,
                        seed));
    }

    /// The expected times of some designs. The lowest stage's figures are known of those that were run there.
    ///
    /// @param x features of the designs
    /// @param lowestStage tells it of the others
    Foretold foretell(List<Configuration> designs, double[][] x, Optional<Model> lowestStage) {
        Optional<Posterior> told = lowestStage.map(m -> m.posterior(x));
        var foretold = new Foretold(new double[x.length], new double[x.length], new double[x.length]);
        for (int i = 0; i < x.length; i++) {
            double[] known = lowest.get(designs.get(i));
            int row = i;
            double[] report = middle.clone();
            double[] variances = new double[report.length];
            if (known != null) {
                report = known;
            } else if (told.isPresent()) {
                Arrays.setAll(report, j -> told.get().mean(row, j));
                Arrays.setAll(variances, j -> told.get().covariance(row, j, j));
            }
            double mean = report[0];
            double variance = variances[0];
            if (isStaged) {
                double[] off = off(report);
                mean = dot(line, off);
                variance = residual * (1 + dot(off, precision.solve(off)));
                for (int j = 0; j < variances.length; j++) {
                    variance += line[1 + j] * line[1 + j] * variances[j];
                }
            }
            foretold.mean[i] = mean;
            foretold.deviation[i] = Math.sqrt(Math.max(1e-9, variance));
            foretold.spent[i] = known != null ? Math.exp(known[0]) : 0;
        }
        return foretold;
    }

    /// The expected times of designs, by design.
    ///
    /// @param mean of the logarithm of the seconds of a run in full
    /// @param deviation of it
    /// @param spent seconds that were spent on it already
    record Foretold(double[] mean, double[] deviation, double[] spent) {
        /// Chance of a design to have been run in full within `seconds` from now.
        double endsWithin(double seconds, int design) {
            double room = Math.log(Math.max(1e-9, seconds + spent[design]));
            return StandardNormal.cumulative((room - mean[design]) / deviation[design]);
        }
    }
}
