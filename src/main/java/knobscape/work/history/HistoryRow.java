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
    boolean isMeasured() {
        return outcome instanceof Outcome.Measured;
    }
}
