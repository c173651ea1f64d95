package knobscape.numeric;

/// The standard normal distribution to double precision.
public final class StandardNormal {
    private static final double SQRT_TWO_PI = Math.sqrt(2 * Math.PI);

    /// The rational approximation is good to 1e-15 of the whole; beyond this its share of the tail is less good than the fraction.
    private static final double RATIONAL_UP_TO = 4.5;
    /// Terms of the continued fraction used beyond, enough for double precision there.
    private static final int FRACTION_TERMS = 24;

    private StandardNormal() {
    }

    /// Density at `x`.
    public static double density(double x) {
        return Math.exp(-0.5 * x * x) / SQRT_TWO_PI;
    }

    /// Probability of a value below `x`: Hart's rational approximation (1968) as set out by West (2005), Laplace's continued fraction in the tails.
    public static double cumulative(double x) {
        double z = Math.abs(x);
        double tail;
        if (z > 37) {
            tail = z == z ? 0 : Double.NaN;
        } else {
            double e = Math.exp(-0.5 * z * z);
            if (z < RATIONAL_UP_TO) {
                double above = 3.52624965998911e-2 * z + 0.700383064443688;
                above = above * z + 6.37396220353165;
                above = above * z + 33.912866078383;
                above = above * z + 112.079291497871;
                above = above * z + 221.213596169931;
                above = above * z + 220.206867912376;
                double below = 8.83883476483184e-2 * z + 1.75566716318264;
                below = below * z + 16.064177579207;
                below = below * z + 86.7807322029461;
                below = below * z + 296.564248779674;
                below = below * z + 637.333633378831;
                below = below * z + 793.826512519948;
                below = below * z + 440.413735824752;
                tail = e * above / below;
            } else {
                double f = z;
                for (int k = FRACTION_TERMS; k > 0; k--) {
                    f = z + k / f;
                }
                tail = e / (f * SQRT_TWO_PI);
            }
        }
        return x > 0 ? 1 - tail : tail;
    }

    /// The value below which lies probability `p`: Acklam's rational approximation and one step of Halley's method. Minus infinity at 0, infinity at 1, NaN outside.
    public static double quantile(double p) {
        if (!(p > 0 && p < 1)) {
            return p == 0 ? Double.NEGATIVE_INFINITY : p == 1 ? Double.POSITIVE_INFINITY : Double.NaN;
        }
        if (p > 0.5) {
            return -quantile(1 - p);
        }
        double x;
        if (p < 0.02425) {
            double q = Math.sqrt(-2 * Math.log(p));
            x = (((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q - 2.549732539343734) * q
                    + 4.374664141464968) * q + 2.938163982698783)
                    / ((((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1);
        } else {
            double q = p - 0.5;
            double r = q * q;
            x = (((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r + 1.383577518672690e2) * r
                    - 3.066479806614716e1) * r + 2.506628277459239) * q
                    / (((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r + 6.680131188771972e1) * r
                            - 1.328068155288572e1) * r + 1);
        }
        double error = cumulative(x) - p;
        double u = error * SQRT_TWO_PI * Math.exp(0.5 * x * x);
        return x - u / (1 + x * u / 2);
    }
}
