package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.hls.source.Access;
import knobscape.hls.source.ElementType.Kind;
import knobscape.hls.source.Expression;
import knobscape.hls.source.Formula;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.Statement;
import knobscape.hls.source.cdt.Located.Part;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionList;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;

/// Reads assignments and increments: makes the statements and keeps the values of integers up to date.
final class AssignmentReader {
    private final FunctionContext context;
    private final ExpressionReader expressions;
    private final Locator locator;
    private final List<Runnable> later = new ArrayList<>();

    AssignmentReader(FunctionContext context, ExpressionReader expressions, Locator locator) {
        this.context = context;
        this.expressions = expressions;
        this.locator = locator;
    }

    /// Has something happen at the end of the full expression.
    void later(Runnable effect) {
        later.add(effect);
    }

    /// End of a full expression: what `x++` changes, changes now.
    void finish() {
        var effects = List.copyOf(later);
        later.clear();
        effects.forEach(Runnable::run);
    }

    /// Reads an expression whose value nobody uses.
    void forEffect(IASTExpression expression) {
        IASTExpression e = Nodes.strip(expression);
        switch (e) {
            case null -> { }
            case IASTExpressionList l -> {
                for (IASTExpression part : l.getExpressions()) {
                    forEffect(part);
                }
            }
            case IASTFunctionCallExpression c -> expressions.calls().forEffect(c);
            case IASTBinaryExpression b when expressions.calls().isStreamOperator(b) -> expressions.calls().streamOperator(b);
            default -> expressions.read(e);
        }
        finish();
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
            Value v = b.getOperand2() == null ? expressions.read(b.getInitOperand2()) : expressions.read(b.getOperand2());
            Located target = locator.locate(left);
            return store(target, v, Access.Kind.WRITE, b);
        }
        Located target = locator.locate(left);
        Value old = expressions.load(target, left, Access.Kind.READ_WRITE);
        Value by = expressions.read(b.getOperand2());
        return store(target, expressions.operation(Operators.ofCompound(b.getOperator()), old, by, b), Access.Kind.READ_WRITE, left);
    }

    Value increment(IASTUnaryExpression u) {
        IASTExpression operand = Nodes.strip(u.getOperand());
        boolean up = u.getOperator() == IASTUnaryExpression.op_prefixIncr || u.getOperator() == IASTUnaryExpression.op_postFixIncr;
        boolean postfix = u.getOperator() == IASTUnaryExpression.op_postFixIncr || u.getOperator() == IASTUnaryExpression.op_postFixDecr;
        if (isPointerVariable(operand)) {
            return expressions.load(locator.locate(u), u, Access.Kind.READ);
        }
        Located target = locator.locate(operand);
        Value old = expressions.load(target, operand, Access.Kind.READ_WRITE);
        Value now = expressions.operation(up ? IASTBinaryExpression.op_plus : IASTBinaryExpression.op_minus, old, ExpressionReader.constant(1), u);
        if (postfix) {
            later(() -> store(target, now, Access.Kind.READ_WRITE, operand));
            return old;
        }
        return store(target, now, Access.Kind.READ_WRITE, operand);
    }

    /// Writes `value` to `target`; gives what the target is then.
    Value store(Located target, Value value, Access.Kind kind, IASTNode node) {
        switch (target) {
            case Located.Scalar s -> {
                Value v = s.part() == Part.WHOLE ? expressions.converted(value, s.element()) : value;
                Formula f = v.formula();
                context.environment.forget(s.place());
                if (s.part() == Part.WHOLE && (s.element().kind() == Kind.INTEGER || s.element().kind() == Kind.BOOL) && !context.escaped.contains(s.place())) {
                    f = context.stored(f, s.element());
                    context.environment.set(s.place(), f);
                }
                Expression e = v.expression();
                if (s.part() == Part.BITS) {
                    e = new Expression.Operation(OperationKind.BIT_SELECT, List.of(new Expression.ScalarRead(s.place().name(), s.element()), e), s.element());
                }
                context.emit(new Statement.AssignScalar(s.place().name(), s.element(), e, context.positions().of(node)));
                return new Value(new Expression.ScalarRead(s.place().name(), s.element()), f);
            }
            case Located.Element e -> {
                e.array().markWritten();
                boolean bits = e.part() == Part.BITS;
                Access access = access(e, bits ? Access.Kind.READ_WRITE : kind, node instanceof IASTBinaryExpression b ? b.getOperand1() : node);
                List<Expression> indices = e.indices().stream().map(Value::expression).toList();
                Expression stored = value.expression();
                if (bits) {
                    // Some bits of a word: the word is read, changed and written.
                    e.array().markRead();
                    stored = new Expression.Operation(OperationKind.BIT_SELECT, List.of(new Expression.ArrayRead(access, indices, e.array().element()), stored),
                            e.array().element());
                } else {
                    stored = expressions.converted(value, e.element()).expression();
                }
                context.emit(new Statement.AssignArray(access, indices, stored, context.positions().of(node)));
                return new Value(value.expression(), value.formula());
            }
            case Located.Stream s -> {
                s.array().markWritten();
                context.emit(new Statement.AssignArray(streamAccess(s, Access.Kind.WRITE, node), s.indices().stream().map(Value::expression).toList(), value.expression(),
                        context.positions().of(node)));
                return value;
            }
            case Located.Row r -> {
                r.array().markWritten();
                return notUnderstood(node, "an assignment of a whole array");
            }
            case Located.Nowhere n -> {
                return notUnderstood(node, "an assignment to " + n.reason());
            }
        }
    }

    private Value notUnderstood(IASTNode node, String what) {
        context.notes().warn(context.positions().of(node), "'" + ExpressionReader.text(node) + "' is " + what + " and is not understood");
        context.emit(new Statement.Opaque(ExpressionReader.text(node), context.positions().of(node)));
        return new Value(new Expression.Opaque(ExpressionReader.text(node), Widths.LONG), context.unknown(what));
    }

    /// The access to an element in the loop that is being read.
    Access access(Located.Element e, Access.Kind kind, IASTNode node) {
        List<IndexForm> forms = new ArrayList<>();
        int dims = e.array().dims().size();
        for (int i = 0; i < dims; i++) {
            forms.add(e.indices().size() == dims ? context.index(e.indices().get(i).formula())
                    : new IndexForm.NonAffine("reached through a pointer of another shape"));
        }
        var access = new Access(e.array().id(), kind, forms, context.loop(), context.positions().of(node));
        context.remember(access, e.indices().stream().map(Value::formula).toList());
        return access;
    }

    Access streamAccess(Located.Stream s, Access.Kind kind, IASTNode node) {
        List<IndexForm> forms = s.indices().stream().map(v -> context.index(v.formula())).toList();
        return new Access(s.array().id(), kind, forms, context.loop(), context.positions().of(node));
    }

    private boolean isPointerVariable(IASTExpression e) {
        return (e instanceof org.eclipse.cdt.core.dom.ast.IASTIdExpression || e instanceof org.eclipse.cdt.core.dom.ast.IASTFieldReference)
                && Nodes.binding(e) instanceof org.eclipse.cdt.core.dom.ast.IVariable v && context.types.isPointer(v.getType());
    }

    private Value assignPointer(IASTExpression left, IASTBinaryExpression b) {
        Optional<Place> place = context.assignments.place(left);
        pointTo(place, b.getOperand2());
        return new Value(new Expression.Opaque(ExpressionReader.text(b), Widths.LONG), context.unknown("an address"));
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
            if (l instanceof Located.Row r && !context.escaped.contains(p)) {
                context.environment.set(p, new Environment.Pointer(r.array(), r.indices().stream().map(Value::formula).toList(), r.offset()));
            }
        });
    }

    private Value advancePointer(IASTExpression left, IASTBinaryExpression b) {
        Located l = locator.locate(left);
        Value by = expressions.read(b.getOperand2());
        context.assignments.place(left).ifPresent(p -> {
            context.environment.forget(p);
            boolean plus = b.getOperator() == IASTBinaryExpression.op_plusAssign;
            if (l instanceof Located.Row r && (plus || b.getOperator() == IASTBinaryExpression.op_minusAssign) && !context.escaped.contains(p)) {
                Formula offset = plus ? context.add(r.offset(), by.formula()) : context.subtract(r.offset(), by.formula());
                context.environment.set(p, new Environment.Pointer(r.array(), r.indices().stream().map(Value::formula).toList(), offset));
            }
        });
        return new Value(new Expression.Opaque(ExpressionReader.text(b), Widths.LONG), context.unknown("an address"));
    }

    /// For a declared reference: remembers what it stands for.
    void alias(org.eclipse.cdt.core.dom.ast.IBinding reference, IASTExpression target) {
        Located l = locator.locate(target);
        if (!(l instanceof Located.Nowhere)) {
            context.aliases.put(reference, l);
        }
    }
}
