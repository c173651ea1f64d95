package knobscape.surrogate.gp;

/// The prior of the variance of the noise, before anything was observed: a log-normal.
///
/// @param centre its median, as a share of the variance of the outputs or of the signal
/// @param deviation standard deviation of its logarithm
/// @param floor least variance, likewise
public record NoisePrior(double centre, double deviation, double floor) {
    public NoisePrior {
        if (!(centre > 0 && deviation > 0 && floor >= 0)) {
            throw new IllegalArgumentException("priors must be positive");
        }
    }
}
