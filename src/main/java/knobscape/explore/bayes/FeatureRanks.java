package knobscape.explore.bayes;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/// The values of a feature by their ranks.
public final class FeatureRanks {
    private final double[] values;

    private FeatureRanks(double[] values) {
        this.values = values;
    }

    /// Of values of which at least two differ.
    public static FeatureRanks of(DoubleStream values) {
        return new FeatureRanks(values.sorted().distinct().toArray());
    }

    /// Where a value lies among them, from 0 to 1; between two of them in proportion.
    public double of(double value) {
        int at = Arrays.binarySearch(values, value);
        int above = Math.clamp(at >= 0 ? at : -at - 1, 1, values.length - 1);
        double share = (value - values[above - 1]) / (values[above] - values[above - 1]);
        return (above - 1 + Math.clamp(share, 0, 1)) / (values.length - 1);
    }
}
