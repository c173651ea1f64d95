package knobscape.surrogate.gp;

/// How a process over knobs is fitted: coordinates in [0, 1], outputs standardised inside.
///
/// @param lengthCentre prior median of a length scale, as a share of the square root of their number
/// @param lengthDeviation standard deviation of its logarithm
/// @param noise as a share of the signal's variance
/// @param points most rows that hyper-parameters are fitted to: half of them the lowest, half drawn from the others
/// @param sweeps sweeps over all hyper-parameters of a fit without a warm start
/// @param warmSweeps likewise from a warm start
public record KnobGpSettings(
        double lengthCentre, double lengthDeviation, NoisePrior noise, int points, int sweeps, int warmSweeps) {
    /// Chosen on the shared measured sets.
    public static final KnobGpSettings DEFAULT =
            new KnobGpSettings(0.35, 1.0, new NoisePrior(3e-3, 1.5, 1e-5), 160, 3, 1);

    double logCentre(int groups) {
        return Math.log(lengthCentre * Math.sqrt(Math.max(1, groups)));
    }
}
