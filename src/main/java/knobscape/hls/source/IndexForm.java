package knobscape.hls.source;

import java.util.Map;
import java.util.TreeMap;

/// The index of one array dimension as a function of the enclosing loops' variables.
public sealed interface IndexForm {

    /// `(sum(coefficient * loop variable) + constant) / divisor`. Loops with coefficient 0 are absent.
    ///
    /// @param coefficients loop id to coefficient of that loop's variable (the variable's own value, not the
    /// iteration number)
    /// @param constant the rest
    /// @param divisor 1 nearly always; larger for `a[i/2]` in a loop whose variable moves by 2, where the
    /// division is proven to leave no rest
    record Affine(Map<String, Long> coefficients, long constant, long divisor) implements IndexForm {
        public Affine {
            if (divisor < 1) {
                throw new IllegalArgumentException("divisor must be at least 1, was " + divisor);
            }
            coefficients = java.util.Collections.unmodifiableMap(new TreeMap<>(coefficients));
        }

        /// Without a division.
        public Affine(Map<String, Long> coefficients, long constant) {
            this(coefficients, constant, 1);
        }

        /// How far the index moves from one iteration of a loop to the next, whose variable moves by `step`.
        public long stride(String loopId, long step) {
            return coefficient(loopId) * step / divisor;
        }

        /// Coefficient of the loop's variable, 0 where it does not occur.
        public long coefficient(String loopId) {
            return coefficients.getOrDefault(loopId, 0L);
        }
    }

    /// Not affine, with the reason in words (`depends on a[...]`, `indirect through cols`).
    record NonAffine(String reason) implements IndexForm {}
}
