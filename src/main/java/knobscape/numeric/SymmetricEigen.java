package knobscape.numeric;

/// Eigenvalues and eigenvectors of a small symmetric matrix by cyclic Jacobi rotations (Golub and Van Loan,
/// section 8.5). Meant for the order of the number of objectives; cubic per sweep. Own code because each
/// evaluation of a likelihood needs one: the library's takes four times as long at order three.
///
/// @param values eigenvalues, in no particular order
/// @param vectors column `j` of the row-order matrix belongs to value `j`; orthonormal
public record SymmetricEigen(double[] values, double[] vectors) {
    private static final int SWEEPS = 60;

    /// Decomposes `a` (n x n, row order, symmetric; left as it is).
    public static SymmetricEigen of(double[] a, int n) {
        double[] m = a.clone();
        double[] v = new double[n * n];
        for (int i = 0; i < n; i++) {
            v[i * n + i] = 1;
        }
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            double off = 0;
            double size = 0;
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    size += m[i * n + j] * m[i * n + j];
                    off += i == j ? 0 : m[i * n + j] * m[i * n + j];
                }
            }
            if (off <= 1e-32 * size) {
                break;
            }
            for (int p = 0; p < n; p++) {
                for (int q = p + 1; q < n; q++) {
                    rotate(m, v, n, p, q);
                }
            }
        }
        double[] values = new double[n];
        for (int i = 0; i < n; i++) {
            values[i] = m[i * n + i];
        }
        return new SymmetricEigen(values, v);
    }

    private static void rotate(double[] m, double[] v, int n, int p, int q) {
        double apq = m[p * n + q];
        if (apq == 0) {
            return;
        }
        double theta = (m[q * n + q] - m[p * n + p]) / (2 * apq);
        double t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        double c = 1 / Math.sqrt(t * t + 1);
        double s = t * c;
        for (int k = 0; k < n; k++) {
            double kp = m[k * n + p];
            double kq = m[k * n + q];
            m[k * n + p] = c * kp - s * kq;
            m[k * n + q] = s * kp + c * kq;
        }
        for (int k = 0; k < n; k++) {
            double pk = m[p * n + k];
            double qk = m[q * n + k];
            m[p * n + k] = c * pk - s * qk;
            m[q * n + k] = s * pk + c * qk;
            double vp = v[k * n + p];
            double vq = v[k * n + q];
            v[k * n + p] = c * vp - s * vq;
            v[k * n + q] = s * vp + c * vq;
        }
    }
}
