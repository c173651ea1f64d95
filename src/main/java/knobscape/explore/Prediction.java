package knobscape.explore;

import java.util.Map;

/// The prediction for a configuration before it was evaluated, in raw units.
///
/// @param fidelity name of the fidelity predicted
/// @param metrics metric name to interval
public record Prediction(String fidelity, Map<String, Interval> metrics) {
    public Prediction {
        metrics = Map.copyOf(metrics);
    }

    /// A predicted value with its central 90 % interval, in the metric's unit.
    ///
    /// @param median the predicted median
    /// @param low 5 % quantile
    /// @param high 95 % quantile
    public record Interval(double median, double low, double high) {}
}
