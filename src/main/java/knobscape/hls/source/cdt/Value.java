package knobscape.hls.source.cdt;

import knobscape.hls.source.ElementType;
import knobscape.hls.source.Expression;
import knobscape.hls.source.Formula;

/// An expression that was read: how it is computed, and what integer it is as far as known.
record Value(Expression expression, Formula formula) {
    /// A number that is written.
    static Value of(long n) {
        return new Value(new Expression.Constant(n, ElementType.INT), Formula.of(n));
    }

    ElementType type() {
        return expression.type();
    }
}
