package knobscape.hls.source;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/// How often a loop's body runs each time the loop is entered.
///
/// @param min fewest iterations, where known
/// @param max most iterations, where known
/// @param average mean over all entries, where known (exact for triangular loops)
/// @param certainty how the figures were obtained
public record TripCount(OptionalLong min, OptionalLong max, OptionalDouble average, Certainty certainty) {

    /// How a trip count was obtained.
    public enum Certainty {
        /// The same on every entry, proven.
        EXACT,
        /// Varies between entries or an early exit may shorten it; the bounds are proven where present.
        BOUNDED,
        /// Stated by the user (LOOP_TRIPCOUNT); not a fact.
        STATED,
        /// The mean was seen in a run of the kernel, from a testbench or on random inputs; the bounds are proven where
        /// present.
        MEASURED,
        /// Nothing is known.
        UNKNOWN
    }

    /// The same count on every entry.
    public static TripCount exact(long n) {
        return new TripCount(OptionalLong.of(n), OptionalLong.of(n), OptionalDouble.of(n), Certainty.EXACT);
    }

    /// Nothing is known.
    public static TripCount unknown() {
        return new TripCount(OptionalLong.empty(), OptionalLong.empty(), OptionalDouble.empty(), Certainty.UNKNOWN);
    }

    /// True if the count is one proven number.
    public boolean isExact() {
        return certainty == Certainty.EXACT;
    }
}
