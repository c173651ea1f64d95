package knobscape.surrogate.gp;

import java.util.Arrays;

/// Each observation as all others predict it, from the inverse covariance matrix of all of them (Rasmussen and Williams
/// 2006, Eq. 5.10-5.12); a mean or trend is left as it is.
///
/// @param precisions diagonal of the inverse of the covariance matrix
/// @param weights the inverse times the observations, mean or trend taken off
record LeaveOneOut(double[] precisions, double[] weights) {

    /// By how much each observation is above what is expected of it.
    double[] residuals() {
        double[] residuals = new double[weights.length];
        Arrays.setAll(residuals, i -> weights[i] / precisions[i]);
        return residuals;
    }

    /// Sum of the logarithms of the densities, without the constant `-log(2 pi) / 2` of each.
    ///
    /// @param variance what the covariance matrix has to be multiplied by
    double logDensity(double variance) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += 0.5 * (Math.log(precisions[i] / variance) - weights[i] * weights[i] / (precisions[i] * variance));
        }
        return sum;
    }
}
