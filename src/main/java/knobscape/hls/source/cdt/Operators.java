package knobscape.hls.source.cdt;

import java.util.Optional;
import knobscape.hls.source.LinearForm.Operator;
import knobscape.hls.source.OperationKind;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;

/// What the parser's operator numbers mean.
final class Operators {
    private Operators() {}

    /// Kind of hardware for a binary operator; `right` tells constant shifts from variable ones.
    static OperationKind kind(int operator, Value right) {
        return switch (operator) {
            case IASTBinaryExpression.op_plus -> OperationKind.ADD;
            case IASTBinaryExpression.op_minus -> OperationKind.SUBTRACT;
            case IASTBinaryExpression.op_multiply -> OperationKind.MULTIPLY;
            case IASTBinaryExpression.op_divide -> OperationKind.DIVIDE;
            case IASTBinaryExpression.op_modulo -> OperationKind.REMAINDER;
            case IASTBinaryExpression.op_shiftLeft, IASTBinaryExpression.op_shiftRight ->
                right.formula().number().isPresent() ? OperationKind.SHIFT_CONSTANT : OperationKind.SHIFT_VARIABLE;
            case IASTBinaryExpression.op_lessThan,
                    IASTBinaryExpression.op_greaterThan,
                    IASTBinaryExpression.op_lessEqual,
                    IASTBinaryExpression.op_greaterEqual,
                    IASTBinaryExpression.op_equals,
                    IASTBinaryExpression.op_notequals,
                    IASTBinaryExpression.op_threewaycomparison -> OperationKind.COMPARE;
            case IASTBinaryExpression.op_binaryAnd,
                    IASTBinaryExpression.op_binaryOr,
                    IASTBinaryExpression.op_binaryXor,
                    IASTBinaryExpression.op_logicalAnd,
                    IASTBinaryExpression.op_logicalOr -> OperationKind.LOGIC;
            case IASTBinaryExpression.op_min, IASTBinaryExpression.op_max -> OperationKind.MINMAX;
            default -> OperationKind.OTHER;
        };
    }

    /// The integer operator of the same meaning, where there is one.
    static Optional<Operator> operator(int operator) {
        return Optional.ofNullable(
                switch (operator) {
                    case IASTBinaryExpression.op_multiply -> Operator.MULTIPLY;
                    case IASTBinaryExpression.op_divide -> Operator.DIVIDE;
                    case IASTBinaryExpression.op_modulo -> Operator.REMAINDER;
                    case IASTBinaryExpression.op_shiftLeft -> Operator.SHIFT_LEFT;
                    case IASTBinaryExpression.op_shiftRight -> Operator.SHIFT_RIGHT;
                    case IASTBinaryExpression.op_binaryAnd -> Operator.AND;
                    case IASTBinaryExpression.op_binaryOr -> Operator.OR;
                    case IASTBinaryExpression.op_binaryXor -> Operator.XOR;
                    case IASTBinaryExpression.op_lessThan -> Operator.LESS;
                    case IASTBinaryExpression.op_equals -> Operator.EQUAL;
                    case IASTBinaryExpression.op_min -> Operator.MIN;
                    case IASTBinaryExpression.op_max -> Operator.MAX;
                    default -> null;
                });
    }

    /// The operator in a compound assignment: `+` for `+=`.
    static int ofCompound(int operator) {
        return switch (operator) {
            case IASTBinaryExpression.op_multiplyAssign -> IASTBinaryExpression.op_multiply;
            case IASTBinaryExpression.op_divideAssign -> IASTBinaryExpression.op_divide;
            case IASTBinaryExpression.op_moduloAssign -> IASTBinaryExpression.op_modulo;
            case IASTBinaryExpression.op_plusAssign -> IASTBinaryExpression.op_plus;
            case IASTBinaryExpression.op_minusAssign -> IASTBinaryExpression.op_minus;
            case IASTBinaryExpression.op_shiftLeftAssign -> IASTBinaryExpression.op_shiftLeft;
            case IASTBinaryExpression.op_shiftRightAssign -> IASTBinaryExpression.op_shiftRight;
            case IASTBinaryExpression.op_binaryAndAssign -> IASTBinaryExpression.op_binaryAnd;
            case IASTBinaryExpression.op_binaryXorAssign -> IASTBinaryExpression.op_binaryXor;
            default -> IASTBinaryExpression.op_binaryOr;
        };
    }
}
