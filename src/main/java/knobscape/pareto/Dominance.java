package knobscape.pareto;

/// Pareto dominance between vectors of minimised objectives (thesis Eq. 3.1).
public final class Dominance {
    private Dominance() {}

    /// True if `a` is no worse than `b` in every objective and better in at least one.
    public static boolean dominates(double[] a, double[] b) {
        boolean better = false;
        for (int j = 0; j < a.length; j++) {
            if (a[j] > b[j]) {
                return false;
            }
            better |= a[j] < b[j];
        }
        return better;
    }

    /// True if `a` is no worse than `b` in every objective; true for equal vectors.
    public static boolean weaklyDominates(double[] a, double[] b) {
        for (int j = 0; j < a.length; j++) {
            if (a[j] > b[j]) {
                return false;
            }
        }
        return true;
    }

    /// True if `a` is strictly better than `b` in every objective.
    public static boolean strictlyDominates(double[] a, double[] b) {
        for (int j = 0; j < a.length; j++) {
            if (a[j] >= b[j]) {
                return false;
            }
        }
        return true;
    }
}
