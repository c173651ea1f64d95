package knobscape.evaluate;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/// What came of judging a configuration at one fidelity. All four are ordinary results.
public sealed interface Outcome {

    /// Values by metric name. A metric the fidelity does not report is absent, never zero.
    record Measured(Map<String, Double> values) implements Outcome {
        public Measured {
            var copy = new LinkedHashMap<String, Double>();
            values.forEach((k, v) -> {
                if (!Double.isFinite(v)) {
                    throw new IllegalArgumentException(k + " must be finite, was " + v);
                }
                copy.put(k, v);
            });
            values = Collections.unmodifiableMap(copy);
        }

        /// The value of one metric, if this fidelity reported it.
        public OptionalDouble value(String metric) {
            Double v = values.get(metric);
            return v == null ? OptionalDouble.empty() : OptionalDouble.of(v);
        }
    }

    /// The configuration cannot be built on the target (does not fit, conflicting choices).
    record Invalid(String reason) implements Outcome { }

    /// The tool failed; another attempt might succeed.
    record Failed(String reason) implements Outcome { }

    /// The tool was stopped after `seconds`.
    record TimedOut(double seconds) implements Outcome { }
}
