package knobscape.work.device;

import java.util.List;

/// Mean of repeated runs with its confidence, the fastest and the slowest left out.
///
/// @param mean the mean in seconds
/// @param halfWidth half the width of its 95 % confidence interval, in seconds
public record RunStatistics(double mean, double halfWidth) {
    /// Of at least one run, in seconds.
    public static RunStatistics of(List<Double> runs) {
        List<Double> kept = runs.size() > 4
                ? runs.stream().sorted().skip(1).limit(runs.size() - 2L).toList()
                : runs;
        int n = kept.size();
        double mean = kept.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        if (n < 2) {
            return new RunStatistics(mean, Double.POSITIVE_INFINITY);
        }
        double squares = kept.stream().mapToDouble(t -> (t - mean) * (t - mean)).sum();
        return new RunStatistics(mean, studentT975(n - 1) * Math.sqrt(squares / (n - 1) / n));
    }

    /// The 0.975 quantile of Student's t: exact for 1 and 2 degrees of freedom, else the Cornish-Fisher
    /// expansion, within 1 % from 3 degrees on.
    static double studentT975(int degrees) {
        if (degrees == 1) {
            return 12.706204736;
        }
        if (degrees == 2) {
            return 4.3026527297;
        }
        double z = 1.959963985;
        double z2 = z * z;
        double v = degrees;
        return z
                + z * (z2 + 1) / (4 * v)
                + z * (5 * z2 * z2 + 16 * z2 + 3) / (96 * v * v)
                + z * (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / (384 * v * v * v);
    }
}
