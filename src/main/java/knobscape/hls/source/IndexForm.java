package knobscape.hls.source;

import java.util.Map;
import java.util.TreeMap;

/// The index of one array dimension as a function of the enclosing loops' variables.
public sealed interface IndexForm {

    /// `sum(coefficient * loop variable) + constant`. Loops with coefficient 0 are absent.
    ///
    /// @param coefficients loop id to coefficient of that loop's variable (the variable's own value, not the iteration number)
    /// @param constant the rest
    record Affine(Map<String, Long> coefficients, long constant) implements IndexForm {
        public Affine {
            coefficients = java.util.Collections.unmodifiableMap(new TreeMap<>(coefficients));
        }

        /// Coefficient of the loop's variable, 0 where it does not occur.
        public long coefficient(String loopId) {
            return coefficients.getOrDefault(loopId, 0L);
        }
    }

    /// Not affine, with the reason in words (`depends on a[...]`, `indirect through cols`).
    record NonAffine(String reason) implements IndexForm { }
}
