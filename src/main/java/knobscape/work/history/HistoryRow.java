package knobscape.work.history;

import knobscape.evaluate.Outcome;

/// One measurement.
///
/// @param configuration text form of the configuration
/// @param outcome what came of it; GPU times are `time` in milliseconds
/// @param costSeconds what measuring took
/// @param seen when, in seconds since 1970; 0 where it is not known
/// @param origin the run or file it is from
public record HistoryRow(String configuration, Outcome outcome, double costSeconds, double seen, String origin) {
    /// The last second of the year 9999.
    private static final double LAST = 253_402_300_799.0;

    /// A time that no calendar has is not known.
    public HistoryRow {
        seen = time(seen);
    }

    static double time(double seen) {
        return seen >= 0 && seen <= LAST ? seen : 0;
    }

    boolean isMeasured() {
        return outcome instanceof Outcome.Measured;
    }
}
