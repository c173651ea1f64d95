package knobscape.surrogate.gp;

import java.util.Arrays;
import java.util.stream.IntStream;

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
        return new SharedLengths(group, lengths, settings.noiseCentre());
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

    /// What [#flat()] gave.
    public static SharedLengths of(int[] group, double[] flat) {
        return new SharedLengths(group, Arrays.copyOf(flat, flat.length - 1), Math.exp(flat[flat.length - 1]));
    }
}
