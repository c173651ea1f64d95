package knobscape.hls.source.cdt;

import knobscape.hls.source.Expression;
import knobscape.hls.source.LinearForm;
import knobscape.hls.source.ScalarType;

/// An expression that was read: how it is computed, and what integer it is as far as known.
record Value(Expression expression, LinearForm formula) {
    /// A number that is written.
    static Value of(long n) {
        return new Value(new Expression.Constant(n, ScalarType.INT), LinearForm.of(n));
    }

    ScalarType type() {
        return expression.type();
    }
}
