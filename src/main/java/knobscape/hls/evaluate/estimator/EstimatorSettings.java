package knobscape.hls.evaluate.estimator;

import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.Part;
import knobscape.hls.space.Directive;

/// How the built-in estimator works.
///
/// @param part target device
/// @param clockNs target clock period in ns
/// @param uncertainty share of the period the scheduler leaves unused, 0 .. 0.9
/// @param profile whose habits are imitated
/// @param unasked what the tool does where no directive says anything
/// @param trips iterations of loops whose number depends on data
/// @param floatAdder core of floating-point additions: [Directive.Core#DSP] is the tool's choice too
/// @param seed seed of the placement noise
/// @param calibration to one's own tool
public record EstimatorSettings(
        Part part,
        double clockNs,
        double uncertainty,
        ToolProfile profile,
        ToolDefaults unasked,
        Trips trips,
        Directive.Core floatAdder,
        long seed,
        Calibration calibration) {
    public EstimatorSettings {
        require(clockNs >= 1 && clockNs <= 1000, "the clock period must be between 1 and 1000 ns, was " + clockNs);
        require(
                uncertainty >= 0 && uncertainty <= 0.9,
                "the clock uncertainty must be between 0 and 0.9, was " + uncertainty);
    }

    /// How often loops run whose number of iterations depends on data.
    ///
    /// @param assumed where nothing is known, at least 1
    /// @param basis which number of several counts
    public record Trips(int assumed, TripBasis basis) {
        /// 16 where nothing is known.
        public static final Trips USUAL = new Trips(16, TripBasis.USUAL);

        public Trips {
            require(assumed >= 1, "the assumed trip count must be at least 1, was " + assumed);
        }
    }

    /// Virtex-7 of the VC707 board, 10 ns, Vitis 2022.1 timing, nothing but what directives say, seed 1.
    public static EstimatorSettings defaults() {
        return new EstimatorSettings(
                Part.byDefault(),
                10,
                ToolProfile.VITIS_HLS_2022.uncertainty(),
                ToolProfile.VITIS_HLS_2022,
                ToolDefaults.NOTHING,
                Trips.USUAL,
                Directive.Core.AUTO,
                1,
                Calibration.NONE);
    }

    /// Time available for logic in one state, ns.
    public double budgetNs() {
        return clockNs * (1 - uncertainty);
    }

    /// Another target.
    public EstimatorSettings withPart(Part other) {
        return new EstimatorSettings(
                other, clockNs, uncertainty, profile, unasked, trips, floatAdder, seed, calibration);
    }

    /// Another clock period, ns.
    public EstimatorSettings withClockNs(double period) {
        return new EstimatorSettings(part, period, uncertainty, profile, unasked, trips, floatAdder, seed, calibration);
    }

    /// Another tool's habits, its clock uncertainty included; what it does unasked stays as it is.
    public EstimatorSettings withProfile(ToolProfile other) {
        return new EstimatorSettings(
                part, clockNs, other.uncertainty(), other, unasked, trips, floatAdder, seed, calibration);
    }

    /// Another share of the period that the scheduler leaves unused.
    public EstimatorSettings withUncertainty(double share) {
        return new EstimatorSettings(part, clockNs, share, profile, unasked, trips, floatAdder, seed, calibration);
    }

    /// Another habit where no directive says anything.
    public EstimatorSettings withUnasked(ToolDefaults defaults) {
        return new EstimatorSettings(
                part, clockNs, uncertainty, profile, defaults, trips, floatAdder, seed, calibration);
    }

    /// Another guess for unknown trip counts.
    public EstimatorSettings withAssumedTrip(int trip) {
        return with(new Trips(trip, trips.basis()));
    }

    /// Another case for loops whose number of iterations depends on data.
    public EstimatorSettings withTripBasis(TripBasis basis) {
        return with(new Trips(trips.assumed(), basis));
    }

    private EstimatorSettings with(Trips other) {
        return new EstimatorSettings(
                part, clockNs, uncertainty, profile, unasked, other, floatAdder, seed, calibration);
    }

    /// Another core for floating-point additions.
    public EstimatorSettings withFloatAdder(Directive.Core core) {
        return new EstimatorSettings(part, clockNs, uncertainty, profile, unasked, trips, core, seed, calibration);
    }

    /// Another seed.
    public EstimatorSettings withSeed(long other) {
        return new EstimatorSettings(
                part, clockNs, uncertainty, profile, unasked, trips, floatAdder, other, calibration);
    }

    /// Another calibration.
    public EstimatorSettings withCalibration(Calibration other) {
        return new EstimatorSettings(part, clockNs, uncertainty, profile, unasked, trips, floatAdder, seed, other);
    }

    /// True if estimates are corrected by measured designs of one's own.
    public boolean isCalibrated() {
        return !calibration.isNone();
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new UserError(message);
        }
    }
}
