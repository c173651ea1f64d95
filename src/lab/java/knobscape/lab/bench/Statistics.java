package knobscape.lab.bench;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

/// Figures over the seeds or subjects of a table; NaN of none.
final class Statistics {
    private Statistics() {}

    static double mean(double... values) {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }

    static <T> double mean(Collection<T> all, ToDoubleFunction<T> figure) {
        return all.stream().mapToDouble(figure).average().orElse(Double.NaN);
    }

    static double median(double... values) {
        double[] sorted = Arrays.stream(values).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length == 0
                ? Double.NaN
                : sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /// Of a sample; NaN of fewer than two.
    static double variance(double... values) {
        double mean = mean(values);
        return values.length < 2
                ? Double.NaN
                : Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1);
    }

    /// The smallest value that a share of all does not exceed.
    ///
    /// @param sorted ascending, at least one
    static double quantile(double[] sorted, double share) {
        return sorted[Math.clamp((int) Math.ceil(share * sorted.length) - 1, 0, sorted.length - 1)];
    }
}
