package knobscape.hls.source.cdt;

import java.util.List;
import java.util.Optional;
import knobscape.hls.source.Expression;
import knobscape.hls.source.LinearForm;
import knobscape.hls.source.LinearForm.Operator;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.Range;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.ScalarType.Kind;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.internal.core.dom.parser.ValueFactory;

/// What operators and conversions make of values: the operation, and the number it comes to as far as known.
final class Arithmetic {
    private final FunctionContext context;

    Arithmetic(FunctionContext context) {
        this.context = context;
    }

    static ScalarType unknownType() {
        return new ScalarType(Kind.UNKNOWN, 32, 0, true, "unknown");
    }

    Value opaque(IASTNode node, String why) {
        context.notes()
                .warn(
                        context.positions().of(node),
                        "'" + Nodes.text(node) + "' is " + why + "; it is left out of the operations");
        return new Value(new Expression.Opaque(Nodes.text(node), unknownType()), context.unknown(why));
    }

    /// What the parser's own evaluator makes of it (constexpr calls, `Traits<5>::size`).
    Optional<Long> evaluated(IASTExpression e) {
        return context.types.evaluated(ValueFactory.create(e));
    }

    /// An operation, or the number it comes to.
    Value folded(OperationKind kind, List<Value> operands, ScalarType type, LinearForm formula) {
        LinearForm f = formula;
        if (formula.number().isPresent() && (type.kind() == Kind.INTEGER || type.kind() == Kind.BOOL)) {
            f = type.bits() == 32 && !type.signed() ? context.stored(formula, type) : formula;
            return new Value(new Expression.Constant(f.constant(), type), f);
        }
        boolean integer = type.kind() == Kind.INTEGER || type.kind() == Kind.BOOL || type.kind() == Kind.UNKNOWN;
        return new Value(
                new Expression.Operation(
                        kind, operands.stream().map(Value::expression).toList(), type),
                integer ? f : context.unknown("computed in " + type.spelling()));
    }

    /// The result of a binary operator.
    Value operation(int operator, Value a, Value b, IASTNode node) {
        OperationKind kind = Operators.kind(operator, b);
        Optional<Expression> complex = ComplexNumbers.operation(kind, a.expression(), b.expression());
        if (complex.isPresent()) {
            return new Value(complex.get(), context.unknown("a complex number"));
        }
        ScalarType type = context.program.widths().binary(kind, a.type(), b.type());
        if (a.type().isFloating()
                || b.type().isFloating()
                || a.type().kind() == Kind.FIXED
                || b.type().kind() == Kind.FIXED) {
            return new Value(
                    new Expression.Operation(kind, List.of(a.expression(), b.expression()), type),
                    context.unknown("computed in " + type.spelling()));
        }
        return folded(kind, List.of(a, b), type, formula(operator, a.formula(), b.formula(), node));
    }

    LinearForm formula(int operator, LinearForm a, LinearForm b, IASTNode node) {
        return switch (operator) {
            case IASTBinaryExpression.op_plus -> context.add(a, b);
            case IASTBinaryExpression.op_minus -> context.subtract(a, b);
            case IASTBinaryExpression.op_greaterThan -> context.apply(Operator.LESS, b, a);
            case IASTBinaryExpression.op_lessEqual -> not(context.apply(Operator.LESS, b, a));
            case IASTBinaryExpression.op_greaterEqual -> not(context.apply(Operator.LESS, a, b));
            case IASTBinaryExpression.op_notequals -> not(context.apply(Operator.EQUAL, a, b));
            case IASTBinaryExpression.op_logicalAnd ->
                a.is(0) ? LinearForm.ZERO : context.apply(Operator.SELECT, a, truth(b), LinearForm.ZERO);
            case IASTBinaryExpression.op_logicalOr -> context.apply(Operator.SELECT, a, LinearForm.of(1), truth(b));
            default ->
                Operators.operator(operator)
                        .map(o -> context.apply(o, a, b))
                        .orElseGet(() -> context.unknown("an operator that is not understood"));
        };
    }

    private LinearForm truth(LinearForm f) {
        return new Range(0, 1).contains(f.range(context)) ? f : not(context.apply(Operator.EQUAL, f, LinearForm.ZERO));
    }

    private LinearForm not(LinearForm f) {
        return context.subtract(LinearForm.of(1), f);
    }

    /// The value in another type.
    Value converted(Value v, ScalarType to) {
        ScalarType from = v.type();
        if (to.kind() == Kind.UNKNOWN || (to.kind() == Kind.STRUCT && from.kind() == Kind.STRUCT)) {
            return new Value(v.expression(), v.formula());
        }
        boolean integers = (from.kind() == Kind.INTEGER || from.kind() == Kind.BOOL)
                && (to.kind() == Kind.INTEGER || to.kind() == Kind.BOOL);
        if (integers || (from.kind() == Kind.UNKNOWN && to.kind() == Kind.INTEGER)) {
            LinearForm f = context.stored(v.formula(), to);
            if (f.number().isPresent()) {
                return new Value(new Expression.Constant(f.constant(), to), f);
            }
            return from.bits() == to.bits()
                    ? new Value(v.expression(), f)
                    : new Value(new Expression.Operation(OperationKind.CONVERT, List.of(v.expression()), to), f);
        }
        if (v.expression() instanceof Expression.Constant k) {
            boolean whole = to.kind() == Kind.INTEGER && !Double.isNaN(k.value()) && Math.abs(k.value()) < 1e15;
            LinearForm f = whole
                    ? context.stored(LinearForm.of((long) k.value()), to)
                    : context.unknown("computed in " + to.spelling());
            return new Value(new Expression.Constant(whole ? f.constant() : k.value(), to), f);
        }
        boolean same = from.kind() == to.kind() && from.bits() == to.bits() && from.fraction() == to.fraction();
        return same
                ? v
                : new Value(
                        new Expression.Operation(OperationKind.CONVERT, List.of(v.expression()), to),
                        context.unknown("computed in " + from.spelling()));
    }
}
