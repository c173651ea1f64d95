package knobscape.surrogate;

/// Gaussian beliefs about a batch of inputs, held in flat arrays.
///
/// @param size number of inputs
/// @param outputs number of outputs M
/// @param means size x M in row order
/// @param covariances size x M x M in row order
/// @param inherited the part of it that comes from the lower fidelity, size x M x M in row order
public record GaussianPosterior(int size, int outputs, double[] means, double[] covariances, double[] inherited)
        implements Posterior {
    public GaussianPosterior {
        if (means.length != size * outputs
                || covariances.length != size * outputs * outputs
                || inherited.length != covariances.length) {
            throw new IllegalArgumentException(
                    "means and covariances must hold " + size + " inputs of " + outputs + " outputs");
        }
    }

    /// Zero beliefs to be filled in.
    public static GaussianPosterior blank(int size, int outputs) {
        return new GaussianPosterior(
                size,
                outputs,
                new double[size * outputs],
                new double[size * outputs * outputs],
                new double[size * outputs * outputs]);
    }

    /// Values known exactly: zero covariance.
    ///
    /// @param values size x M
    public static GaussianPosterior known(double[][] values, int outputs) {
        GaussianPosterior p = blank(values.length, outputs);
        for (int i = 0; i < values.length; i++) {
            System.arraycopy(values[i], 0, p.means, i * outputs, outputs);
        }
        return p;
    }

    /// Some inputs of a posterior, what is inherited included.
    ///
    /// @param rows positions there
    public static GaussianPosterior some(Posterior all, int[] rows) {
        int m = all.outputs();
        GaussianPosterior p = blank(rows.length, m);
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < m; j++) {
                p.means[i * m + j] = all.mean(rows[i], j);
                for (int k = 0; k < m; k++) {
                    p.covariances[(i * m + j) * m + k] = all.covariance(rows[i], j, k);
                    p.inherited[(i * m + j) * m + k] = all.inherited(rows[i], j, k);
                }
            }
        }
        return p;
    }

    /// As for any posterior, without the products where outputs are independent.
    @Override
    public void draw(int i, double[][] normals, double[][] draws) {
        if (!isDiagonal(i)) {
            Posterior.super.draw(i, normals, draws);
            return;
        }
        for (int j = 0; j < outputs; j++) {
            double mean = mean(i, j);
            double variance = covariance(i, j, j);
            double deviation = variance > 0 ? Math.sqrt(variance) : 0;
            for (int s = 0; s < normals.length; s++) {
                draws[s][j] = mean + deviation * normals[s][j];
            }
        }
    }

    private boolean isDiagonal(int i) {
        for (int j = 0; j < outputs; j++) {
            for (int k = 0; k < j; k++) {
                if (covariance(i, j, k) != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public double mean(int i, int j) {
        return means[i * outputs + j];
    }

    @Override
    public double inherited(int i, int j, int k) {
        return inherited[(i * outputs + j) * outputs + k];
    }

    @Override
    public double covariance(int i, int j, int k) {
        return covariances[(i * outputs + j) * outputs + k];
    }
}
