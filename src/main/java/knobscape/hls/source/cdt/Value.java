package knobscape.hls.source.cdt;

import knobscape.hls.source.ElementType;
import knobscape.hls.source.Expression;
import knobscape.hls.source.Formula;

/// An expression that was read: how it is computed, and what integer it is as far as known.
record Value(Expression expression, Formula formula) {
    ElementType type() {
        return expression.type();
    }
}
