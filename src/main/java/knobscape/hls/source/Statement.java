package knobscape.hls.source;

import java.util.List;
import java.util.Optional;

/// A step of a body, in source order.
public sealed interface Statement {

    /// Assigns a scalar. `x += e` is `x = x + e`.
    record AssignScalar(String variable, ScalarType type, Expression value, Location location) implements Statement {}

    /// Stores to an array. `a[i] += e` has an [Expression.ArrayRead] of the same element inside `value`.
    record AssignArray(Access access, List<Expression> indexExpressions, Expression value, Location location)
            implements Statement {}

    /// A loop stands here.
    record Nested(Loop loop) implements Statement {}

    /// A call for its effect.
    record Call(Expression.Invocation invocation, Location location) implements Statement {}

    /// Two-way branch; a switch is a chain of them.
    record Branch(Expression condition, List<Statement> then, List<Statement> otherwise, Location location)
            implements Statement {}

    /// Leaves the function, or ends / continues the enclosing loop.
    record Jump(Kind kind, Optional<Expression> value, Location location) implements Statement {
        /// Which jump.
        public enum Kind {
            RETURN,
            BREAK,
            CONTINUE,
            GOTO
        }
    }

    /// Something not understood; listed in the kernel's notes too.
    record Opaque(String text, Location location) implements Statement {}
}
