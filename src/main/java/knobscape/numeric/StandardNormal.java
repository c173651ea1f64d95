package knobscape.numeric;

/// The standard normal distribution to double precision. Own code because it is asked for millions of times per
/// step of a search: the library's error function takes fifteen times as long.
public final class StandardNormal {
    private static final double SQRT_TWO_PI = Math.sqrt(2 * Math.PI);

    /// The rational approximation is good to 1e-15 of the whole; beyond this its share of the tail is less good
    /// than the fraction.
    private static final double RATIONAL_UP_TO = 4.5;
    /// Terms of the continued fraction used beyond, enough for double precision there.
    private static final int FRACTION_TERMS = 24;
    /// Terms that suffice from [#TAIL] on.
    private static final int EXCESS_TERMS = 48;
    /// Where the closed form of [#excess] has lost no more than three digits to cancellation.
    private static final double TAIL = 3;

    private StandardNormal() {}

    /// Density at `x`.
    public static double density(double x) {
        return Math.exp(-0.5 * x * x) / SQRT_TWO_PI;
    }

    /// Probability of a value below `x`: Hart's rational approximation (1968) as set out by West (2005),
    /// Laplace's continued fraction in the tails.
    public static double cumulative(double x) {
        double z = Math.abs(x);
        double tail;
        if (z > 37) {
            tail = Double.isNaN(z) ? Double.NaN : 0;
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
                tail = e / ((z + fraction(z, FRACTION_TERMS)) * SQRT_TWO_PI);
            }
        }
        return x > 0 ? 1 - tail : tail;
    }

    /// Mean of `max(0, x - N)` for a standard normal `N`; in the lower tail by the continued fraction, as the two terms
    /// of its closed form cancel there.
    public static double meanBelow(double x) {
        return x < -TAIL ? density(x) * excess(-x) : x * cumulative(x) + density(x);
    }

    /// Natural logarithm of [#meanBelow], which has all its digits where that underflows.
    public static double logMeanBelow(double x) {
        return x < -TAIL ? Math.log(excess(-x)) - 0.5 * x * x - Math.log(SQRT_TWO_PI) : Math.log(meanBelow(x));
    }

    /// `1 - x` times Mills' ratio, without cancellation.
    private static double excess(double x) {
        double f = fraction(x, EXCESS_TERMS);
        return f / (x + f);
    }

    /// Laplace's continued fraction `1/(x + 2/(x + 3/(x + ...)))`: the probability above `x` is the density there over
    /// `x` plus it.
    private static double fraction(double x, int terms) {
        double f = x;
        for (int k = terms; k > 1; k--) {
            f = x + k / f;
        }
        return 1 / f;
    }
}
