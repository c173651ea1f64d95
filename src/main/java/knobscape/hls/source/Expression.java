package knobscape.hls.source;

import java.util.List;

/// A value computed in the kernel. Address arithmetic of array indices is kept in
/// [ArrayRead#indexExpressions()] and is not part of the value tree.
public sealed interface Expression {

    /// Type of the value.
    ScalarType type();

    /// A compile-time constant.
    ///
    /// @param value numeric value, NaN where it is not a plain number
    record Constant(double value, ScalarType type) implements Expression {}

    /// A scalar variable (parameter, local, loop variable).
    record ScalarRead(String variable, ScalarType type) implements Expression {}

    /// A load from an array.
    record ArrayRead(Access access, List<Expression> indexExpressions, ScalarType type) implements Expression {}

    /// An operation on operands.
    record Operation(OperationKind kind, List<Expression> operands, ScalarType type) implements Expression {}

    /// A call whose callee is [Function#name()] in the kernel, or an external name (`sqrtf`, `expf`).
    record Invocation(
            String callee,
            List<Expression> arguments,
            List<String> arrayArguments,
            boolean external,
            ScalarType type,
            Location location)
            implements Expression {}

    /// Something not understood; listed in the kernel's notes too.
    record Opaque(String text, ScalarType type) implements Expression {}
}
