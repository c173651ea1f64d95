package knobscape.pareto;

/// Average distance to the reference set (thesis Eq. 3.20): the mean over the points of the true front of the
/// distance to the nearest point found. Zero means that the whole front was found. Objectives are minimised.
public final class Adrs {
    private Adrs() {}

    /// How far a found point is from a reference point.
    public enum Distance {
        /// `max_j max(0, (w_j - g_j) / g_j)`: by which share the found point w is worse than the reference
        /// point g in its worst objective. One-sided and independent of the front's range; the default choice
        /// in HLS work. Needs positive objectives.
        RELATIVE_WORST,
        /// Euclidean distance after every objective is divided by the range it has on the reference front.
        /// Where that range is zero (a front of one point, an objective that never varies) the objective is
        /// divided by its size there instead, or left as it is if that is zero too.
        EUCLIDEAN_SCALED
    }

    /// ADRS of the points found.
    ///
    /// @param reference points of the true front, n x M, at least one; equal rows count once each, so hand in
    /// distinct ones
    /// @param found points found, k x M; none gives positive infinity
    /// @param distance the distance f of the equation
    public static double of(double[][] reference, double[][] found, Distance distance) {
        if (reference.length == 0) {
            throw new IllegalArgumentException("ADRS needs a reference front with at least one point");
        }
        double[] scale = scale(reference, distance);
        double sum = 0;
        for (double[] g : reference) {
            double nearest = Double.POSITIVE_INFINITY;
            for (double[] w : found) {
                nearest = Math.min(nearest, distance(g, w, distance, scale));
            }
            sum += nearest;
        }
        return sum / reference.length;
    }

    private static double[] scale(double[][] reference, Distance distance) {
        int m = reference[0].length;
        double[] scale = new double[m];
        for (int j = 0; j < m; j++) {
            double low = Double.POSITIVE_INFINITY;
            double high = Double.NEGATIVE_INFINITY;
            for (double[] g : reference) {
                low = Math.min(low, g[j]);
                high = Math.max(high, g[j]);
            }
            if (distance == Distance.RELATIVE_WORST && !(low > 0)) {
                throw new IllegalArgumentException(
                        "the relative distance needs positive objectives; objective " + j + " reaches " + low);
            }
            double size = Math.max(Math.abs(low), Math.abs(high));
            scale[j] = high > low ? high - low : size > 0 ? size : 1;
        }
        return scale;
    }

    private static double distance(double[] g, double[] w, Distance distance, double[] scale) {
        double sum = 0;
        for (int j = 0; j < g.length; j++) {
            switch (distance) {
                case RELATIVE_WORST -> sum = Math.max(sum, (w[j] - g[j]) / g[j]);
                case EUCLIDEAN_SCALED -> sum += (w[j] - g[j]) / scale[j] * ((w[j] - g[j]) / scale[j]);
            }
        }
        return distance == Distance.EUCLIDEAN_SCALED ? Math.sqrt(sum) : sum;
    }
}
