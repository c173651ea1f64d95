package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.Optional;
import knobscape.hls.source.LinearForm;
import knobscape.hls.source.Range;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;

/// What `assert(n <= 64)` says of `n` from there on: the tools of the vendors bound loops by it too.
final class Asserted {
    private final FunctionContext context;
    private final Reading expressions;

    Asserted(FunctionContext context, Reading expressions) {
        this.context = context;
        this.expressions = expressions;
    }

    void take(IASTFunctionCallExpression c) {
        if (c.getArguments().length == 1 && c.getArguments()[0] instanceof IASTExpression e) {
            holds(e);
        }
    }

    private void holds(IASTExpression condition) {
        if (!(Nodes.strip(condition) instanceof IASTBinaryExpression b)) {
            return;
        }
        switch (b.getOperator()) {
            case IASTBinaryExpression.op_logicalAnd -> {
                holds(b.getOperand1());
                holds(b.getOperand2());
            }
            case IASTBinaryExpression.op_lessThan -> ordered(b.getOperand1(), b.getOperand2(), 1);
            case IASTBinaryExpression.op_lessEqual -> ordered(b.getOperand1(), b.getOperand2(), 0);
            case IASTBinaryExpression.op_greaterThan -> ordered(b.getOperand2(), b.getOperand1(), 1);
            case IASTBinaryExpression.op_greaterEqual -> ordered(b.getOperand2(), b.getOperand1(), 0);
            default -> {}
        }
    }

    /// `small + gap <= large`
    private void ordered(IASTExpression small, IASTExpression large, long gap) {
        Range below = value(small).range(context);
        Range above = value(large).range(context);
        within(small, new Range(Long.MIN_VALUE, above.max()).plus(Range.of(-gap)));
        within(large, new Range(below.min(), Long.MAX_VALUE).plus(Range.of(gap)));
    }

    private void within(IASTExpression e, Range range) {
        Optional<Place> place = context.assignments.place(e).filter(p -> !context.escaped.contains(p));
        LinearForm f = value(e);
        boolean plain = f.constant() == 0
                && f.terms().size() == 1
                && f.terms().values().iterator().next() == 1;
        if (place.isEmpty()
                || !plain
                || !(f.terms().keySet().iterator().next() instanceof LinearForm.Unknown u)
                || context.calls.stream().anyMatch(known -> known.containsKey(u))) {
            return;
        }
        long min = Math.max(u.range().min(), range.min());
        long max = Math.min(u.range().max(), range.max());
        if (min <= max && !new Range(min, max).equals(u.range())) {
            context.environment.set(place.get(), context.narrowed(u, new Range(min, max)));
        }
    }

    private LinearForm value(IASTExpression e) {
        var v = new ArrayList<Value>();
        context.collect(() -> v.add(expressions.read(e)));
        return v.getFirst().formula();
    }
}
