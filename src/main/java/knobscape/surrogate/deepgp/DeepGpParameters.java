package knobscape.surrogate.deepgp;

import java.util.List;

/// All that training finds, as plain arrays in row order.
///
/// @param layers inputs first
/// @param logNoise logarithm of the variance of the noise
record DeepGpParameters(List<Layer> layers, double logNoise) {
    DeepGpParameters {
        layers = List.copyOf(layers);
    }

    /// A layer of sparse processes with common inducing inputs, whitened: `u = L v`, `L L'` the kernel's matrix at the
    /// inducing inputs, `q(v) = N(m, S S')` by output.
    ///
    /// @param inputs D
    /// @param outputs P
    /// @param inducing M
    /// @param z inducing inputs, M x D
    /// @param logLengths logarithms of length scales, K x D; K is P, or 1 where the outputs share a kernel
    /// @param logVariance logarithms of kernel variances, K
    /// @param m variational means, P x M
    /// @param s lower triangular variational factors, P x M x M; what stands above their diagonals does not count
    /// @param mean linear mean, D x P; none for a mean of 0
    record Layer(
            int inputs,
            int outputs,
            int inducing,
            double[] z,
            double[] logLengths,
            double[] logVariance,
            double[] m,
            double[] s,
            double[] mean) {
        int kernels() {
            return logVariance.length;
        }
    }
}
