package knobscape.hls.source;

import java.util.List;

/// A value computed in the kernel. Address arithmetic of array indices is kept in
/// [ArrayRead#indexExpressions()] and is not part of the value tree.
public sealed interface Expression {

    /// Type of the value.
    ElementType type();

    /// A compile-time constant.
    ///
    /// @param value numeric value, NaN where it is not a plain number
    record Constant(double value, ElementType type) implements Expression {}

    /// A scalar variable (parameter, local, loop variable).
    record ScalarRead(String variable, ElementType type) implements Expression {}

    /// A load from an array.
    record ArrayRead(Access access, List<Expression> indexExpressions, ElementType type) implements Expression {}

    /// An operation on operands.
    record Operation(OperationKind kind, List<Expression> operands, ElementType type) implements Expression {}

    /// A call whose callee is [Function#name()] in the kernel, or an external name (`sqrtf`, `expf`).
    record Invocation(
            String callee,
            List<Expression> arguments,
            List<String> arrayArguments,
            boolean external,
            ElementType type,
            Location location)
            implements Expression {}

    /// Something not understood; listed in the kernel's notes too.
    record Opaque(String text, ElementType type) implements Expression {}
}
