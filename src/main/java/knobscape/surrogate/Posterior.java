package knobscape.surrogate;

/// The belief of a surrogate about a batch of inputs: for each of them a joint distribution over the M outputs,
/// inputs taken apart from one another. Mean and covariance always exist; [#draw] may be anything with these
/// moments (the Gaussian, unless a model says otherwise).
public interface Posterior {

    /// Number of inputs in the batch.
    int size();

    /// Number of outputs M.
    int outputs();

    /// Mean of output `j` at input `i`.
    double mean(int i, int j);

    /// Covariance of outputs `j` and `k` at input `i`; the variance for `j == k`, never negative.
    double covariance(int i, int j, int k);

    /// The part of the covariance that comes from not knowing the lower fidelity's outputs at input `i`, and
    /// would go if they were observed; 0 where there is no lower fidelity or its outputs are known.
    default double inherited(int i, int j, int k) {
        return 0;
    }

    /// Standard deviation of output `j` at input `i`.
    default double deviation(int i, int j) {
        return Math.sqrt(covariance(i, j, j));
    }

    /// Draws at input `i`, one row per row of `normals`: independent standard normals (S x M) turned into
    /// correlated outputs.
    ///
    /// @param normals S x M
    /// @param draws receives S x M
    default void draw(int i, double[][] normals, double[][] draws) {
        int m = outputs();
        double[] factor = new double[m * m];
        factor(i, factor);
        for (int s = 0; s < normals.length; s++) {
            for (int j = 0; j < m; j++) {
                double v = mean(i, j);
                for (int k = 0; k <= j; k++) {
                    v += factor[j * m + k] * normals[s][k];
                }
                draws[s][j] = v;
            }
        }
    }

    /// Fills `factor` (M x M, row order) with a lower triangular L whose product `L L'` is the covariance at
    /// input `i`; directions without variance get zero columns.
    default void factor(int i, double[] factor) {
        int m = outputs();
        for (int j = 0; j < m; j++) {
            for (int k = 0; k < m; k++) {
                factor[j * m + k] = 0;
            }
        }
        for (int k = 0; k < m; k++) {
            double pivot = covariance(i, k, k);
            double size = pivot;
            for (int q = 0; q < k; q++) {
                pivot -= factor[k * m + q] * factor[k * m + q];
            }
            if (pivot <= 1e-14 * size) {
                continue;
            }
            double root = Math.sqrt(pivot);
            factor[k * m + k] = root;
            for (int j = k + 1; j < m; j++) {
                double v = covariance(i, j, k);
                for (int q = 0; q < k; q++) {
                    v -= factor[j * m + q] * factor[k * m + q];
                }
                factor[j * m + k] = v / root;
            }
        }
    }
}
