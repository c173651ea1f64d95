package knobscape.hls.evaluate.estimator;

/// Figures of one design at one fidelity.
///
/// @param powerWatts static and dynamic power, W
/// @param latencyCycles cycles from start to end of the top function, on average
/// @param clockNs clock period reached, ns
/// @param resources of the part in use
/// @param seconds tool time of this stage alone
/// @param misfit why the design cannot be built on the part; empty where it can
public record StageFigures(
        double powerWatts, double latencyCycles, double clockNs, Resources resources, double seconds, String misfit) {
    /// Resources of a part.
    ///
    /// @param lut look-up tables
    /// @param ff flip-flops
    /// @param dsp DSP blocks
    /// @param bram block RAMs in units of 18 Kbit
    /// @param uram UltraRAMs
    public record Resources(double lut, double ff, double dsp, double bram, double uram) {
        /// Nothing.
        public static final Resources NONE = new Resources(0, 0, 0, 0, 0);
    }

    /// No figures.
    ///
    /// @param seconds it took to find out
    public static StageFigures none(double seconds, String misfit) {
        return new StageFigures(0, 0, 0, Resources.NONE, seconds, misfit);
    }

    /// Look-up tables.
    public double lut() {
        return resources.lut;
    }

    /// Flip-flops.
    public double ff() {
        return resources.ff;
    }

    /// DSP blocks.
    public double dsp() {
        return resources.dsp;
    }

    /// Block RAMs of 18 Kbit.
    public double bram() {
        return resources.bram;
    }

    /// UltraRAMs.
    public double uram() {
        return resources.uram;
    }

    /// Time of one run of the top function, ns.
    public double delayNs() {
        return latencyCycles * clockNs;
    }
}
