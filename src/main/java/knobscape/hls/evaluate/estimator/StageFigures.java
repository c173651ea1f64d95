package knobscape.hls.evaluate.estimator;

/// Figures of one design at one fidelity.
///
/// @param powerWatts static and dynamic power, W
/// @param latencyCycles cycles from start to end of the top function, on average
/// @param clockNs clock period reached, ns
/// @param lut look-up tables
/// @param ff flip-flops
/// @param dsp DSP blocks
/// @param bram block RAMs in units of 18 Kbit
/// @param uram UltraRAMs
/// @param seconds tool time of this stage alone
/// @param misfit why the design cannot be built on the part; empty where it can
public record StageFigures(
        double powerWatts,
        double latencyCycles,
        double clockNs,
        double lut,
        double ff,
        double dsp,
        double bram,
        double uram,
        double seconds,
        String misfit) {

    /// Time of one run of the top function, ns.
    public double delayNs() {
        return latencyCycles * clockNs;
    }
}
