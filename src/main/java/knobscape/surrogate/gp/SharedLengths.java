package knobscape.surrogate.gp;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.numeric.Shuffle;

/// Hyper-parameters of a process of one output whose length scales are shared by groups of columns: all columns of a
/// knob, a split of which has several, have one. Signal variance and mean follow from the data in closed form.
///
/// @param group by column the position of its length scale
/// @param logLengths logarithms of the length scales
/// @param noise variance of the noise, as a share of the signal's variance
public record SharedLengths(int[] group, double[] logLengths, double noise) {

    /// Every length scale at its prior median.
    public static SharedLengths centre(int[] group, KnobGpSettings settings) {
        int groups = Arrays.stream(group).max().orElse(-1) + 1;
        double[] lengths = new double[groups];
        Arrays.fill(lengths, settings.logCentre(groups));
        return new SharedLengths(group, lengths, settings.noise().centre());
    }

    /// By length scale, the columns that share it.
    int[][] columns() {
        return IntStream.range(0, logLengths.length)
                .mapToObj(g -> IntStream.range(0, group.length)
                        .filter(c -> group[c] == g)
                        .toArray())
                .toArray(int[][]::new);
    }

    /// Factors by which columns are multiplied before distances are taken.
    double[] weights() {
        return Arrays.stream(group).mapToDouble(g -> Math.exp(-logLengths[g])).toArray();
    }

    /// Length scales and the logarithm of the noise, as one array.
    public double[] flat() {
        double[] all = Arrays.copyOf(logLengths, logLengths.length + 1);
        all[logLengths.length] = Math.log(noise);
        return all;
    }

    /// The lengths from what [#flat()] gave.
    public static SharedLengths of(int[] group, double[] flat) {
        return new SharedLengths(group, Arrays.copyOf(flat, flat.length - 1), Math.exp(flat[flat.length - 1]));
    }

    /// Those of the largest [ProfileLikelihood], found coordinate by coordinate on a part of the rows.
    ///
    /// @param x rows
    /// @param y outputs, smaller being better: those matter most
    public static SharedLengths fit(
            double[][] x, double[] y, int[] group, Optional<SharedLengths> start, KnobGpSettings settings, long seed) {
        int[] rows = part(y, settings.points(), seed);
        var likelihood = new ProfileLikelihood(
                Arrays.stream(rows).mapToObj(i -> x[i]).toArray(double[][]::new),
                Arrays.stream(rows).mapToDouble(i -> y[i]).toArray(),
                group,
                settings);
        double[] best = start.orElse(centre(group, settings)).flat();
        int sweeps = start.isPresent() ? settings.warmSweeps() : settings.sweeps();
        double value = likelihood.begin(best);
        double step = start.isPresent() ? 0.4 : 1.0;
        for (int s = 0; s < sweeps; s++, step *= 0.6) {
            for (int p = 0; p < best.length; p++) {
                for (double direction : new double[] {step, -step}) {
                    double before = best[p];
                    double there = likelihood.with(best, p, before + direction);
                    if (there > value) {
                        value = there;
                        likelihood.keep(best, p, before + direction);
                        break;
                    }
                }
            }
        }
        return of(group, best);
    }

    private static int[] part(double[] y, int most, long seed) {
        int[] order = IntStream.range(0, y.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> y[i]).thenComparingInt(i -> i))
                .mapToInt(Integer::intValue)
                .toArray();
        if (y.length <= most) {
            return IntStream.range(0, y.length).toArray();
        }
        int[] rest = Arrays.copyOfRange(order, most / 2, order.length);
        Shuffle.shuffle(rest, new SplittableRandom(seed));
        return IntStream.concat(Arrays.stream(order, 0, most / 2), Arrays.stream(rest, 0, most - most / 2))
                .sorted()
                .toArray();
    }
}
