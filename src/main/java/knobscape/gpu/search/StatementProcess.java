package knobscape.gpu.search;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.gpu.space.feature.StatementFeatures;
import knobscape.numeric.StandardNormal;
import knobscape.surrogate.gp.GrowingGp;
import knobscape.surrogate.gp.KnobGp;
import knobscape.surrogate.gp.KnobGpSettings;
import knobscape.surrogate.gp.SharedLengths;

/// A Gaussian process of the logarithm of a kernel's milliseconds, on the statistics of its statements: a length scale
/// for each group of the statistics of each statement. A failure counts as twice the longest time. Not thread-safe.
final class StatementProcess {
    /// Variance of the logarithm of time expected beforehand.
    private static final double EXPECTED_VARIANCE = 0.25;
    /// Rows far outside of what was measured are taken as so far outside.
    private static final double OUTSIDE = 1;
    /// Beyond it improvement has no digits; the mean decides.
    private static final double FAR = -30;

    private static final double TINY = 1e-290;

    /// The statistics that differ between rows.
    private final int[] columns;
    private final double[] low;
    private final double[] scale;
    private final double[] y;
    private final GrowingGp process;

    /// @param rows measured, at least one of which ran
    StatementProcess(List<RunRecords.Row> rows, long seed) {
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
        double[][] x = rows.stream().map(r -> row(r.features())).toArray(double[][]::new);
        SharedLengths lengths = KnobGp.fit(x, y, group, Optional.empty(), KnobGpSettings.DEFAULT, seed);
        process = new GrowingGp(lengths, EXPECTED_VARIANCE);
        for (double[] r : x) {
            process.add(r, 1);
        }
        process.outputs(y);
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

    private double[] row(ScheduleFeatures f) {
        return IntStream.range(0, columns.length)
                .mapToDouble(i -> Math.clamp((f.joined()[columns[i]] - low[i]) * scale[i], -OUTSIDE, 1 + OUTSIDE))
                .toArray();
    }

    private double[][] rows(List<ScheduleFeatures> schedules) {
        return schedules.stream().map(this::row).toArray(double[][]::new);
    }

    /// Expected logarithms of milliseconds.
    double[] means(List<ScheduleFeatures> schedules) {
        GrowingGp.Block block = process.watch(rows(schedules));
        double[] means = block.means();
        process.drop(block);
        return means;
    }

    /// The lowest logarithm of milliseconds that was measured.
    double best() {
        return Arrays.stream(y).min().orElseThrow();
    }

    /// Positions of at most `count` schedules, one after the other that of the largest expected improvement, where
    /// each before is believed to take what is expected of it.
    int[] pick(List<ScheduleFeatures> schedules, int count) {
        double[][] rows = rows(schedules);
        GrowingGp.Block block = process.watch(rows);
        int[] picked = new int[Math.min(count, rows.length)];
        boolean[] taken = new boolean[rows.length];
        double incumbent = best();
        for (int k = 0; k < picked.length; k++) {
            double[] means = block.means();
            double[] variances = block.variances();
            double most = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < rows.length; i++) {
                double deviation = Math.sqrt(variances[i]);
                double z = (incumbent - means[i]) / deviation;
                double improvement = z < FAR ? z * TINY : deviation * StandardNormal.meanBelow(z);
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
