package knobscape.hls.source.cdt;

import java.util.List;
import java.util.Optional;
import knobscape.hls.source.Access;
import knobscape.hls.source.Expression;
import knobscape.hls.source.LinearForm;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.Statement;
import knobscape.hls.source.Statements;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionList;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;

/// Reads assignments and increments: makes the statements and keeps the values of integers up to date.
final class AssignmentReader {
    private final FunctionContext context;
    private final Reading expressions;
    private final Locator locator;
    private final Memory memory;
    private final Arithmetic arithmetic;

    AssignmentReader(
            FunctionContext context, Reading expressions, Locator locator, Memory memory, Arithmetic arithmetic) {
        this.context = context;
        this.expressions = expressions;
        this.locator = locator;
        this.memory = memory;
        this.arithmetic = arithmetic;
    }

    Value assign(IASTBinaryExpression b) {
        IASTExpression left = Nodes.strip(b.getOperand1());
        if (b.getOperator() == IASTBinaryExpression.op_assign && isPointerVariable(left)) {
            return assignPointer(left, b);
        }
        if (isPointerVariable(left)) {
            return advancePointer(left, b);
        }
        if (b.getOperator() == IASTBinaryExpression.op_assign) {
            Value v =
                    b.getOperand2() == null ? expressions.read(b.getInitOperand2()) : expressions.read(b.getOperand2());
            if (Nodes.strip(left) instanceof IASTExpressionList joined) {
                return assignParts(joined, v, b);
            }
            Located target = locator.locate(left);
            return memory.store(target, v, Access.Kind.WRITE, b);
        }
        Located target = locator.locate(left);
        Value old = memory.load(target, left, Access.Kind.READ_WRITE);
        Value by = expressions.read(b.getOperand2());
        return memory.store(
                target,
                arithmetic.operation(Operators.ofCompound(b.getOperator()), old, by, b),
                Access.Kind.READ_WRITE,
                left);
    }

    /// `(x, y) = v` of numbers of any width: each takes its bits.
    private Value assignParts(IASTExpressionList joined, Value v, IASTBinaryExpression b) {
        ScalarType type = v.type();
        String kept = "bits at " + context.positions().of(b).offset();
        context.emit(new Statement.AssignScalar(
                kept, type, v.expression(), context.positions().of(b)));
        for (IASTExpression e : joined.getExpressions()) {
            Expression bits = new Expression.Operation(
                    OperationKind.BIT_SELECT, List.of(new Expression.ScalarRead(kept, type)), type);
            memory.store(locator.locate(e), new Value(bits, context.unknown("some bits")), Access.Kind.WRITE, e);
        }
        return new Value(new Expression.ScalarRead(kept, type), v.formula());
    }

    Value increment(IASTUnaryExpression u) {
        IASTExpression operand = Nodes.strip(u.getOperand());
        boolean up = u.getOperator() == IASTUnaryExpression.op_prefixIncr
                || u.getOperator() == IASTUnaryExpression.op_postFixIncr;
        boolean postfix = u.getOperator() == IASTUnaryExpression.op_postFixIncr
                || u.getOperator() == IASTUnaryExpression.op_postFixDecr;
        if (isPointerVariable(operand)) {
            return memory.load(locator.locate(u), u, Access.Kind.READ);
        }
        Located target = locator.locate(operand);
        Value old = memory.load(target, operand, Access.Kind.READ_WRITE);
        Value now = arithmetic.operation(
                up ? IASTBinaryExpression.op_plus : IASTBinaryExpression.op_minus, old, Value.of(1), u);
        if (postfix) {
            context.later(() -> memory.store(target, now, Access.Kind.READ_WRITE, operand));
            return old;
        }
        return memory.store(target, now, Access.Kind.READ_WRITE, operand);
    }

    private boolean isPointerVariable(IASTExpression e) {
        return (e instanceof org.eclipse.cdt.core.dom.ast.IASTIdExpression
                        || e instanceof org.eclipse.cdt.core.dom.ast.IASTFieldReference)
                && Nodes.binding(e) instanceof org.eclipse.cdt.core.dom.ast.IVariable v
                && context.types.isPointer(v.getType());
    }

    private Value assignPointer(IASTExpression left, IASTBinaryExpression b) {
        Optional<Place> place = context.assignments.place(left);
        pointTo(place, b.getOperand2());
        return new Value(new Expression.Opaque(Nodes.text(b), Widths.LONG), context.unknown("an address"));
    }

    /// The pointer variable at `place` now points where `target` says.
    void pointTo(Optional<Place> place, IASTExpression target) {
        Located l = locator.isPointerLike(target) ? locator.locate(target) : new Located.Nowhere("");
        if (l instanceof Located.Nowhere) {
            // Calls and conditions inside are read for what they do.
            expressions.read(target);
        }
        place.ifPresent(p -> {
            context.environment.forget(p);
            if (l instanceof Located.Row r) {
                computed(r, target);
                if (!context.escaped.contains(p)) {
                    context.environment.set(
                            p,
                            new Environment.Pointer(
                                    r.array(),
                                    r.indices().stream().map(Value::formula).toList(),
                                    r.offset()));
                }
            }
        });
    }

    /// `row = a[index[i]]` reads `index`, whatever comes of `row`.
    private void computed(Located.Row row, IASTExpression target) {
        for (Value index : row.indices()) {
            var address = new Statement.AssignScalar(
                    "address of " + row.array().id(),
                    index.type(),
                    // An address is no operation that a directive could be bound to.
                    new Expression.Operation(OperationKind.BIT_SELECT, List.of(index.expression()), index.type()),
                    context.positions().of(target));
            if (!Statements.accesses(List.of(address), false).isEmpty()) {
                context.emit(address);
            }
        }
    }

    private Value advancePointer(IASTExpression left, IASTBinaryExpression b) {
        Located l = locator.locate(left);
        Value by = expressions.read(b.getOperand2());
        context.assignments.place(left).ifPresent(p -> {
            context.environment.forget(p);
            boolean plus = b.getOperator() == IASTBinaryExpression.op_plusAssign;
            if (l instanceof Located.Row r
                    && (plus || b.getOperator() == IASTBinaryExpression.op_minusAssign)
                    && !context.escaped.contains(p)) {
                LinearForm offset =
                        plus ? context.add(r.offset(), by.formula()) : context.subtract(r.offset(), by.formula());
                context.environment.set(
                        p,
                        new Environment.Pointer(
                                r.array(),
                                r.indices().stream().map(Value::formula).toList(),
                                offset));
            }
        });
        return new Value(new Expression.Opaque(Nodes.text(b), Widths.LONG), context.unknown("an address"));
    }

    /// For a declared reference: remembers what it stands for.
    void alias(org.eclipse.cdt.core.dom.ast.IBinding reference, IASTExpression target) {
        Located l = locator.locate(target);
        if (!(l instanceof Located.Nowhere)) {
            context.aliases.put(reference, l);
        }
    }
}
