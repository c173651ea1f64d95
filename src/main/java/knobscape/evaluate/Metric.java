package knobscape.evaluate;

/// A quantity an evaluator reports.
///
/// @param name key used everywhere (`power`, `delay`, `lut`, ...)
/// @param label words for a person, sentence case (`Power`, `Delay`, `LUT`)
/// @param unit `W`, `ns`, `cycles`, or empty for a count
/// @param direction which way is better
/// @param limit the largest value that makes sense on the target (the part's LUTs, its maximum power): used to
///     normalise an objective; NaN where there is none
public record Metric(String name, String label, String unit, Direction direction, double limit) {

    /// Which way is better.
    public enum Direction {
        /// Smaller is better.
        MINIMISE,
        /// Larger is better.
        MAXIMISE,
        /// Reported for information only.
        NEUTRAL
    }
    /// The label with the unit, for the head of a column: `Delay (ns)`.
    public String heading() {
        return unit.isEmpty() ? label : label + " (" + unit + ")";
    }
}
