package knobscape.gpu.search;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.explore.acquisition.ExpectedImprovement;
import knobscape.gpu.space.feature.StatementFeatures;
import knobscape.numeric.ShrunkSlope;
import knobscape.surrogate.gp.GrowingProcess;
import knobscape.surrogate.gp.KnobGpSettings;
import knobscape.surrogate.gp.SharedLengths;

/// A Gaussian process of the logarithm of a kernel's milliseconds, on the statistics of its statements: a length scale
/// for each group of the statistics of each statement. A failure counts as twice the longest time. Where a model was
/// trained before, it is a process of what that misses by, with what it expects as one more input. Not thread-safe.
final class StatementProcess {
    /// Variance of the logarithm of time expected beforehand.
    private static final double EXPECTED_VARIANCE = 0.25;
    /// Rows far outside of what was measured are taken as so far outside.
    private static final double OUTSIDE = 1;
    /// Least spread of what was expected beforehand.
    private static final double LEAST_SPREAD = 1e-9;

    /// The expected times of schedules of the kernel before any is measured: logarithms of milliseconds.
    @FunctionalInterface
    interface Prior {
        double[] of(List<ScheduleFeatures> schedules);
    }

    private final Optional<Prior> prior;
    /// How much of the prior's differences was seen.
    private final double slope;
    /// Of the prior at the rows measured.
    private final double lowPrior;

    private final double scalePrior;
    /// The statistics that differ between rows.
    private final int[] columns;
    private final double[] low;
    private final double[] scale;
    private final double[] y;
    private final GrowingProcess process;

    /// @param rows measured, at least one of which ran
    StatementProcess(List<RunRecords.Row> rows, Optional<Prior> prior, long seed) {
        this.prior = prior;
        float[] least = rows.getFirst().features().joined().clone();
        float[] most = least.clone();
        for (RunRecords.Row r : rows) {
            for (int i = 0; i < least.length; i++) {
                least[i] = Math.min(least[i], r.features().joined()[i]);
                most[i] = Math.max(most[i], r.features().joined()[i]);
            }
        }
        columns =
                IntStream.range(0, least.length).filter(i -> most[i] > least[i]).toArray();
        int[] parts = Arrays.stream(columns).map(StatementProcess::part).toArray();
        int[] present = Arrays.stream(parts).distinct().sorted().toArray();
        int[] group =
                Arrays.stream(parts).map(p -> Arrays.binarySearch(present, p)).toArray();
        int[] sizes = new int[present.length];
        Arrays.stream(group).forEach(g -> sizes[g]++);
        low = new double[columns.length];
        scale = new double[columns.length];
        for (int i = 0; i < columns.length; i++) {
            low[i] = least[columns[i]];
            // A group counts by its length scale, not by how many statistics it has.
            scale[i] = 1 / ((most[columns[i]] - low[i]) * Math.sqrt(sizes[group[i]]));
        }
        y = RunRecords.logMilliseconds(rows);
        List<ScheduleFeatures> measured =
                rows.stream().map(RunRecords.Row::features).toList();
        double[] before = before(measured);
        slope = prior.isEmpty() ? 0 : ShrunkSlope.of(before, y);
        lowPrior = Arrays.stream(before).min().orElseThrow();
        scalePrior = 1 / Math.max(LEAST_SPREAD, Arrays.stream(before).max().orElseThrow() - lowPrior);
        double[][] x = rows(measured, before);
        double[] missed = IntStream.range(0, y.length)
                .mapToDouble(i -> y[i] - slope * before[i])
                .toArray();
        int[] groups = prior.isEmpty()
                ? group
                : IntStream.concat(Arrays.stream(group), IntStream.of(present.length))
                        .toArray();
        SharedLengths lengths = SharedLengths.fit(x, missed, groups, Optional.empty(), KnobGpSettings.DEFAULT, seed);
        process = new GrowingProcess(lengths, EXPECTED_VARIANCE);
        for (double[] r : x) {
            process.add(r, 1);
        }
        process.outputs(missed);
    }

    /// Statement and group of a statistic, as one number.
    private static int part(int column) {
        int at = column % StatementFeatures.LENGTH;
        int g = 0;
        for (StatementFeatures.Group group : StatementFeatures.Group.values()) {
            if (at >= group.size()) {
                at -= group.size();
                g++;
            } else {
                break;
            }
        }
        return column / StatementFeatures.LENGTH * StatementFeatures.Group.values().length + g;
    }

    /// The prior's expectations; 0 without one.
    private double[] before(List<ScheduleFeatures> schedules) {
        return prior.map(p -> p.of(schedules)).orElseGet(() -> new double[schedules.size()]);
    }

    /// @param before what the prior expects of it
    private double[] row(ScheduleFeatures f, double before) {
        double[] x = new double[columns.length + (prior.isPresent() ? 1 : 0)];
        for (int i = 0; i < columns.length; i++) {
            x[i] = inside((f.joined()[columns[i]] - low[i]) * scale[i]);
        }
        if (prior.isPresent()) {
            x[columns.length] = inside((before - lowPrior) * scalePrior);
        }
        return x;
    }

    private static double inside(double share) {
        return Math.clamp(share, -OUTSIDE, 1 + OUTSIDE);
    }

    private double[][] rows(List<ScheduleFeatures> schedules, double[] before) {
        return IntStream.range(0, before.length)
                .mapToObj(i -> row(schedules.get(i), before[i]))
                .toArray(double[][]::new);
    }

    /// Expected logarithms of milliseconds.
    double[] means(List<ScheduleFeatures> schedules) {
        double[] before = before(schedules);
        GrowingProcess.Block block = process.watch(rows(schedules, before));
        double[] means = means(block, before);
        process.drop(block);
        return means;
    }

    private double[] means(GrowingProcess.Block block, double[] before) {
        double[] means = block.means();
        for (int i = 0; i < means.length; i++) {
            means[i] += slope * before[i];
        }
        return means;
    }

    /// The lowest logarithm of milliseconds that was measured.
    double best() {
        return Arrays.stream(y).min().orElseThrow();
    }

    /// Positions of at most `count` schedules, one after the other that of the largest expected improvement, where
    /// each before is believed to take what is expected of it.
    int[] pick(List<ScheduleFeatures> schedules, int count) {
        double[] before = before(schedules);
        double[][] rows = rows(schedules, before);
        GrowingProcess.Block block = process.watch(rows);
        int[] picked = new int[Math.min(count, rows.length)];
        boolean[] taken = new boolean[rows.length];
        double incumbent = best();
        for (int k = 0; k < picked.length; k++) {
            double[] means = means(block, before);
            double[] variances = block.variances();
            double most = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < rows.length; i++) {
                double deviation = Math.sqrt(variances[i]);
                double improvement = ExpectedImprovement.logNormal(incumbent, means[i], deviation);
                if (!taken[i] && improvement > most) {
                    most = improvement;
                    picked[k] = i;
                }
            }
            taken[picked[k]] = true;
            incumbent = Math.min(incumbent, means[picked[k]]);
            process.believe(rows[picked[k]]);
        }
        process.drop(block);
        process.truncate(y.length);
        return picked;
    }
}
