package knobscape.explore.acquisition;

import knobscape.numeric.StandardNormal;

/// Expected improvement of a quantity that is minimised (Mockus 1975; Jones, Schonlau and Welch 1998): the mean of
/// `max(0, target - Y)`. Candidates are ranked by its logarithm (Ament et al. 2023), which tells them apart where the
/// improvement itself underflows.
public final class ExpectedImprovement {
    private ExpectedImprovement() {}

    /// The mean of `max(0, target - Y)` for a normal `Y`; a deviation of 0 is a value that is known.
    public static double normal(double target, double mean, double deviation) {
        if (!(deviation > 0)) {
            return Math.max(0, target - mean);
        }
        return deviation * StandardNormal.meanBelow((target - mean) / deviation);
    }

    /// Natural logarithm of [#normal]; minus infinity where a known value does not improve.
    public static double logNormal(double target, double mean, double deviation) {
        return deviation > 0
                ? Math.log(deviation) + StandardNormal.logMeanBelow((target - mean) / deviation)
                : Math.log(Math.max(0, target - mean));
    }

    /// The mean of `max(0, target - exp(Y))` for a normal `Y` (as in Black and Scholes 1973).
    public static double exponential(double target, double mean, double deviation) {
        if (!(target > 0)) {
            return 0;
        }
        if (!(deviation > 0)) {
            return Math.max(0, target - Math.exp(mean));
        }
        double z = (Math.log(target) - mean) / deviation;
        return target * StandardNormal.cumulative(z)
                - Math.exp(mean + 0.5 * deviation * deviation) * StandardNormal.cumulative(z - deviation);
    }
}
