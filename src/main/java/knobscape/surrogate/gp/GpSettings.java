package knobscape.surrogate.gp;

/// How a Gaussian process is fitted. Outputs are standardised inside, features lie in [0,1], so the priors need no units. All
/// priors are log-normal and weak: they decide only where a handful of points do not.
///
/// @param lengthCentre prior median of a feature's length-scale, as a share of the square root of the number of features (distances grow with it)
/// @param lengthDeviation standard deviation of its logarithm
/// @param lowerLengthCentre prior median of the length-scale of a lower fidelity's standardised output
/// @param scaleDeviation standard deviation of the logarithm of the diagonal, and of the off-diagonal elements, of a coregionalisation factor
/// @param errorScale prior median of the standard deviation of the error term of a higher fidelity, as a share of the outputs'
/// @param noiseCentre prior median of the noise variance, as a share of the outputs' variance
/// @param noiseDeviation standard deviation of its logarithm
/// @param noiseFloor least noise variance, likewise
/// @param starts starts of a fit without a warm start: the priors' centre and `starts - 1` draws from the priors
/// @param iterations most L-BFGS iterations of each of those
/// @param warmIterations most L-BFGS iterations from a warm start
/// @param fitnessDrop a warm fit is started afresh where its fitness per observed value is lower than the earlier one's by more than this
/// @param propagationSamples quasi-random draws that carry a lower fidelity's uncertainty upwards
public record GpSettings(double lengthCentre, double lengthDeviation, double lowerLengthCentre, double scaleDeviation, double errorScale,
        double noiseCentre, double noiseDeviation, double noiseFloor, int starts, int iterations, int warmIterations, double fitnessDrop,
        int propagationSamples) {

    /// The values used where nothing else is asked for.
    public static final GpSettings DEFAULT = new GpSettings(0.5, 0.8, 2.0, 0.5, 0.3, 1e-3, 1.5, 1e-6, 3, 60, 12, 0.5, 12);

    public GpSettings {
        if (starts < 1 || iterations < 1 || warmIterations < 0 || propagationSamples < 1) {
            throw new IllegalArgumentException("starts, iterations and propagation samples must be positive");
        }
        if (!(lengthCentre > 0 && lengthDeviation > 0 && lowerLengthCentre > 0 && scaleDeviation > 0 && errorScale > 0 && noiseCentre > 0
                && noiseDeviation > 0 && noiseFloor >= 0)) {
            throw new IllegalArgumentException("priors must be positive");
        }
    }
}
