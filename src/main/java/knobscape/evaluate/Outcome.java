package knobscape.evaluate;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/// The outcome of evaluating a configuration at one fidelity. Both are ordinary results.
public sealed interface Outcome {

    /// Values by metric name. A metric the fidelity does not report is absent, never zero.
    record Measured(Map<String, Double> values) implements Outcome {
        public Measured {
            values.forEach((k, v) -> {
                if (!Double.isFinite(v)) {
                    throw new IllegalArgumentException(k + " must be finite, was " + v);
                }
            });
            values = MetricValues.of(values);
        }

        /// The value of one metric, if this fidelity reported it.
        public OptionalDouble value(String metric) {
            double v = valueOrNaN(metric);
            return Double.isNaN(v) ? OptionalDouble.empty() : OptionalDouble.of(v);
        }

        /// As [#value], NaN where this fidelity did not report it. Makes no object, for who looks at very many.
        public double valueOrNaN(String metric) {
            return ((MetricValues) values).valueOrNaN(metric);
        }
    }

    /// There is no result.
    ///
    /// @param kind whether the design or the tool is at fault, and how
    /// @param reason in words
    /// @param values what is known nevertheless, by metric name (the LUTs of a design that does not fit); never
    /// objectives of a front
    record Failure(FailureKind kind, String reason, Map<String, Double> values) implements Outcome {
        public Failure {
            values = Map.copyOf(values);
        }

        /// A failure of which no value is known.
        public Failure(FailureKind kind, String reason) {
            this(kind, reason, Map.of());
        }

        /// The tool was stopped after so many seconds.
        public static Failure timedOut(double seconds) {
            return new Failure(FailureKind.TIMED_OUT, String.format(Locale.ROOT, "stopped after %.1f s", seconds));
        }
    }
}
