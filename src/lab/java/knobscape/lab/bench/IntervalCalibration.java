package knobscape.lab.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Metric;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.explore.bayes.BayesSettings;
import knobscape.explore.bayes.FeatureRanks;
import knobscape.explore.bayes.KnownSlopes;
import knobscape.numeric.Shuffle;
import knobscape.space.Configuration;
import knobscape.space.FeatureEncoder;
import knobscape.surrogate.FidelityLadder;
import knobscape.surrogate.LadderData;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.PriorSlopes;

/// Fits ladders of surrogates to some measured designs and holds their intervals for the others against what
/// was measured. Objectives are fitted as logarithms, as the explorers do; features that never vary are left
/// out.
final class IntervalCalibration {
    /// Nothing is seen of the stages below: only the highest is learned from.
    static final BayesSettings.Report UNSEEN = _ -> false;

    /// Half width of a central 90 % interval of the normal distribution.
    private static final double NINETY_PERCENT = 1.6448536269514722;
    /// Designs measured at the lowest stage alone, for each one measured up to the top.
    private static final int MORE_BELOW = 2;

    private final String subject;
    private final double[][] x;
    /// By fidelity n x M, only columns that are complete there.
    private final List<double[][]> values;
    /// By fidelity the positions of these columns among the objectives.
    private final List<int[]> quantities;

    /// By fidelity what is known of its columns by those below from other kernels.
    private final List<PriorSlopes> slopes;

    private IntervalCalibration(
            String subject, double[][] x, List<double[][]> values, List<int[]> quantities, List<PriorSlopes> slopes) {
        this.subject = subject;
        this.x = x;
        this.values = values;
        this.quantities = quantities;
        this.slopes = slopes;
    }

    /// The scores over the held-out designs and objectives.
    ///
    /// @param coverage share of values inside the central 90 % interval
    /// @param lowestCoverage the same for the objective with the lowest
    /// @param error root mean squared error of the mean, in deviations of the objective
    /// @param reported the same of designs of which the lowest stage is known
    /// @param density mean negative log predictive density, of values in deviations of the objective
    record Score(double coverage, double lowestCoverage, double error, double reported, double density, int heldOut) {
        static Score mean(List<Score> all) {
            return new Score(
                    mean(all, Score::coverage),
                    mean(all, Score::lowestCoverage),
                    mean(all, Score::error),
                    mean(all, Score::reported),
                    mean(all, Score::density),
                    (int) Math.round(mean(all, Score::heldOut)));
        }

        private static double mean(List<Score> all, ToDoubleFunction<Score> figure) {
            return all.stream().mapToDouble(figure).average().orElse(Double.NaN);
        }
    }

    /// The designs of a set that were measured at every stage with every objective.
    ///
    /// @param settings what the surrogate of a stage sees of the one below, and its features
    static IntervalCalibration of(ReplaySet set, BayesSettings settings) {
        BayesSettings.Report report = settings.learning().report();
        List<String> objectives = set.info().objectives();
        int stages = set.info().fidelities().size();
        List<Configuration> pool = set.space()
                .enumerate()
                .filter(c -> {
                    List<Evaluation> e = set.stages(c);
                    return e.size() == stages
                            && e.getLast().isMeasured()
                            && objectives.stream()
                                    .allMatch(o -> e.getLast().value(o).isPresent());
                })
                .toList();
        double[][] all = new FeatureEncoder(set.space().knobs()).encodeAll(pool);
        int[] varying = IntStream.range(0, all[0].length)
                .filter(c -> Arrays.stream(all).anyMatch(r -> r[c] != all[0][c]))
                .toArray();
        var values = new ArrayList<double[][]>();
        var quantities = new ArrayList<int[]>();
        var slopes = new ArrayList<PriorSlopes>();
        List<String> below = List.of();
        boolean hasCycles = set.info().reports(set.info().fidelities().getFirst(), KnownSlopes.CYCLES);
        List<String> metrics = Stream.concat(
                        objectives.stream(),
                        set.info().metrics().stream()
                                .map(Metric::name)
                                .filter(m -> report.shows(false) && !objectives.contains(m)))
                .toList();
        for (int f = 0; f < stages; f++) {
            int stage = f;
            boolean isTop = f == stages - 1;
            // Whole reports: no design ends in between, so that the search passes that stage over.
            if (!isTop && (!report.shows(true) || (report.shows(false) && f > 0))) {
                continue;
            }
            List<String> there = metrics.stream()
                    .filter(o ->
                            isTop ? objectives.contains(o) : isReported(pool, set, stage, o, objectives.contains(o)))
                    .toList();
            if (!there.isEmpty()) {
                quantities.add(there.stream().mapToInt(metrics::indexOf).toArray());
                slopes.add(slopes(there, below, report.shows(false), hasCycles));
                below = there;
                values.add(pool.stream()
                        .map(c -> there.stream()
                                .mapToDouble(o -> Math.log10((objectives.contains(o) ? 0 : 1)
                                        + set.stages(c).get(stage).value(o).orElseThrow()))
                                .toArray())
                        .toArray(double[][]::new));
            }
        }
        double[][] x = Arrays.stream(all)
                .map(r -> Arrays.stream(varying).mapToDouble(c -> r[c]).toArray())
                .toArray(double[][]::new);
        return new IntervalCalibration(
                MeasuredFiles.subject(set.name()),
                settings.learning().features() == BayesSettings.Features.RANKED ? ranks(x) : x,
                values,
                quantities,
                slopes);
    }

    private static PriorSlopes slopes(List<String> metrics, List<String> below, boolean isKnown, boolean hasCycles) {
        var exact = new boolean[metrics.size()];
        double[][] values = new double[metrics.size()][below.size()];
        for (int a = 0; a < exact.length && isKnown; a++) {
            values[a] = KnownSlopes.of(metrics.get(a), below, hasCycles);
            exact[a] = KnownSlopes.isExact(metrics.get(a), hasCycles);
        }
        return new PriorSlopes(values, exact);
    }

    private static double[][] ranks(double[][] x) {
        FeatureRanks[] columns = IntStream.range(0, x[0].length)
                .mapToObj(c -> FeatureRanks.of(Arrays.stream(x).mapToDouble(r -> r[c])))
                .toArray(FeatureRanks[]::new);
        return Arrays.stream(x)
                .map(r -> IntStream.range(0, r.length)
                        .mapToDouble(c -> columns[c].of(r[c]))
                        .toArray())
                .toArray(double[][]::new);
    }

    /// True if a stage reports a metric of every design, above 0 where it has to be, and not always the same.
    private static boolean isReported(
            List<Configuration> pool, ReplaySet set, int stage, String metric, boolean isObjective) {
        double[] values = pool.stream()
                .mapToDouble(c -> set.stages(c).get(stage).value(metric).orElse(Double.NaN))
                .toArray();
        return Arrays.stream(values).allMatch(v -> isObjective ? v > 0 : v >= 0)
                && Arrays.stream(values).distinct().count() > 1;
    }

    String subject() {
        return subject;
    }

    /// Fits to `n` designs drawn by `seed` and predicts the rest.
    Score score(Model.Trainer trainer, int n, long seed) {
        int[] order = Shuffle.order(x.length, new SplittableRandom(1000 + seed));
        int below = values.size() == 1 ? n : Math.min(x.length - 1, (1 + MORE_BELOW) * n);
        int[] train = Arrays.copyOf(order, n);
        int[] more = Arrays.copyOf(order, below);
        int[] test = Arrays.copyOfRange(order, below, order.length);
        var levels = new ArrayList<LadderData.Level>();
        for (int f = 0; f < values.size(); f++) {
            int[] rows = f == 0 ? more : train;
            levels.add(new LadderData.Level(
                    rows(x, rows),
                    rows(values.get(f), rows),
                    f == 0
                            ? IntStream.generate(() -> -1).limit(rows.length).toArray()
                            : IntStream.range(0, n).toArray(),
                    quantities.get(f),
                    slopes.get(f)));
        }
        List<Optional<double[]>> cold = Collections.nCopies(values.size(), Optional.empty());
        FidelityLadder ladder = FidelityLadder.fit(new LadderData(levels), trainer, cold, seed);
        double[][][] unknown = values.stream()
                .map(v -> FidelityLadder.unknown(test.length, v[0].length))
                .toArray(double[][][]::new);
        double[][][] reported = unknown.clone();
        if (reported.length > 1) {
            reported[0] = rows(values.getFirst(), test);
        }
        double[][] features = rows(x, test);
        return held(
                ladder.posteriors(features, unknown).getLast(),
                ladder.posteriors(features, reported).getLast(),
                ladder.models().getLast().noise(),
                test);
    }

    private Score held(Posterior p, Posterior given, double[] noise, int[] test) {
        double[][] top = values.getLast();
        int m = top[0].length;
        double density = 0;
        double squares = 0;
        double givenSquares = 0;
        double[] inside = new double[m];
        for (int j = 0; j < m; j++) {
            int objective = j;
            double mean =
                    Arrays.stream(top).mapToDouble(r -> r[objective]).average().orElse(0);
            double deviation = Math.sqrt(Arrays.stream(top)
                    .mapToDouble(r -> (r[objective] - mean) * (r[objective] - mean))
                    .average()
                    .orElse(1));
            for (int i = 0; i < test.length; i++) {
                double s = Math.sqrt(p.covariance(i, j, j) + noise[j]) / deviation;
                double e = (top[test[i]][j] - p.mean(i, j)) / deviation;
                density += 0.5 * Math.log(2 * Math.PI * s * s) + 0.5 * e * e / (s * s);
                squares += e * e;
                double known = (top[test[i]][j] - given.mean(i, j)) / deviation;
                givenSquares += known * known;
                inside[j] += Math.abs(e) <= NINETY_PERCENT * s ? 1.0 / test.length : 0;
            }
        }
        double count = (double) test.length * m;
        return new Score(
                Arrays.stream(inside).average().orElse(Double.NaN),
                Arrays.stream(inside).min().orElse(Double.NaN),
                Math.sqrt(squares / count),
                Math.sqrt(givenSquares / count),
                density / count,
                test.length);
    }

    private static double[][] rows(double[][] all, int[] rows) {
        return Arrays.stream(rows).mapToObj(i -> all[i]).toArray(double[][]::new);
    }
}
