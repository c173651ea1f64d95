package knobscape.hls.source.cdt;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import knobscape.hls.source.Access;
import knobscape.hls.source.Expression;
import knobscape.hls.source.LinearForm;
import knobscape.hls.source.LinearForm.Operator;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.ScalarType.Kind;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTCastExpression;
import org.eclipse.cdt.core.dom.ast.IASTConditionalExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionList;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTInitializerList;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTTypeIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTTypeIdInitializerExpression;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.IBasicType;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IEnumerator;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTSimpleTypeConstructorExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateNonTypeParameter;

/// Reads expressions: how a value is computed, what integer it is as far as known, and what it changes on the
/// way.
final class ExpressionReader implements Reading {
    private final FunctionContext context;
    private final Arithmetic arithmetic;
    private final Memory memory;
    private final Locator locator;
    private final CallReader calls;
    private final AssignmentReader assignments;

    ExpressionReader(FunctionContext context, ArrayTable arrays) {
        this.context = context;
        this.arithmetic = new Arithmetic(context);
        this.memory = new Memory(context, arithmetic);
        this.locator = new Locator(context, this, arrays);
        this.assignments = new AssignmentReader(context, this, locator, memory, arithmetic);
        this.calls = new CallReader(context, this, locator, memory, arithmetic);
    }

    Locator locator() {
        return locator;
    }

    AssignmentReader assignments() {
        return assignments;
    }

    CallReader calls() {
        return calls;
    }

    Memory memory() {
        return memory;
    }

    @Override
    public Value read(IASTExpression expression) {
        IASTExpression e = Nodes.strip(expression);
        return switch (e) {
            case null -> Value.of(0);
            case IASTLiteralExpression l -> literal(l);
            case IASTIdExpression id -> identifier(id);
            case IASTUnaryExpression u -> unary(u);
            case IASTBinaryExpression b -> binary(b);
            case IASTConditionalExpression c -> conditional(c);
            case IASTFieldReference f -> member(f);
            case IASTArraySubscriptExpression s -> memory.load(locator.locate(s), s, Access.Kind.READ);
            case IASTFunctionCallExpression c -> calls.read(c);
            case IASTCastExpression c -> cast(c);
            case IASTTypeIdExpression t -> typeQuestion(t);
            case IASTExpressionList l -> list(l);
            case ICPPASTSimpleTypeConstructorExpression t -> constructed(t);
            case IASTTypeIdInitializerExpression t ->
                t.getInitializer() instanceof IASTInitializerList l && l.getClauses().length > 1
                        ? joined(List.of(l.getClauses()), context.types.element(t.getExpressionType()))
                        : Declarations.clause(t.getInitializer())
                                .map(this::read)
                                .orElseGet(() -> Value.of(0));
            default -> arithmetic.opaque(e, "an expression that is not understood");
        };
    }

    @Override
    public Value read(IASTInitializerClause clause) {
        return switch (clause) {
            case IASTExpression e -> read(e);
            case IASTInitializerList l when l.getClauses().length == 0 -> Value.of(0);
            case IASTInitializerList l when l.getClauses().length == 1 -> read(l.getClauses()[0]);
            case IASTInitializerList l -> joined(List.of(l.getClauses()), Arithmetic.unknownType());
            case null, default ->
                new Value(
                        new Expression.Opaque(clause == null ? "" : Nodes.text(clause), Arithmetic.unknownType()),
                        context.unknown("set by a list"));
        };
    }

    @Override
    public Value joined(List<? extends IASTInitializerClause> members, ScalarType type) {
        return new Value(
                new Expression.Operation(
                        OperationKind.BIT_SELECT,
                        members.stream().map(m -> read(m).expression()).toList(),
                        type),
                context.unknown("set by a list"));
    }

    /// Reads an expression whose value nobody uses.
    void forEffect(IASTExpression expression) {
        IASTExpression e = Nodes.strip(expression);
        switch (e) {
            case null -> {}
            case IASTExpressionList l -> {
                for (IASTExpression part : l.getExpressions()) {
                    forEffect(part);
                }
            }
            case IASTFunctionCallExpression c -> calls.forEffect(c);
            case IASTBinaryExpression b
            when calls.streams().isOperator(b) -> calls.streams().operator(b);
            default -> read(e);
        }
        context.finish();
    }

    private Value literal(IASTLiteralExpression l) {
        String written = String.valueOf(l.getValue());
        ScalarType type = Literals.type(l, written);
        OptionalLong n = switch (l.getKind()) {
            case IASTLiteralExpression.lk_integer_constant -> Literals.integer(written);
            case IASTLiteralExpression.lk_char_constant -> Literals.character(written);
            case IASTLiteralExpression.lk_true -> OptionalLong.of(1);
            case IASTLiteralExpression.lk_false, IASTLiteralExpression.lk_nullptr -> OptionalLong.of(0);
            default -> OptionalLong.empty();
        };
        if (n.isPresent()) {
            return new Value(new Expression.Constant(n.getAsLong(), type), LinearForm.of(n.getAsLong()));
        }
        double v = l.getKind() == IASTLiteralExpression.lk_float_constant
                ? Literals.floating(written).orElse(Double.NaN)
                : Double.NaN;
        return new Value(new Expression.Constant(v, type), context.unknown("not an integer"));
    }

    private Value identifier(IASTIdExpression id) {
        IBinding b = context.types.resolved(Nodes.binding(id));
        Optional<Long> n = switch (b) {
            case IEnumerator e -> context.program.constants().of(e, context);
            case ICPPTemplateNonTypeParameter p -> context.types.argumentOf(p);
            case null, default -> Optional.empty();
        };
        if (n.isPresent()) {
            return Value.of(n.get());
        }
        if (!(b instanceof IVariable)) {
            Optional<Long> value = arithmetic.evaluated(id);
            if (value.isPresent()) {
                return Value.of(value.get());
            }
            if (b == null) {
                context.notes()
                        .warn(
                                context.positions().of(id),
                                "'" + Nodes.text(id)
                                        + "' is not declared; is a header missing or a macro to be defined?");
                return new Value(
                        new Expression.ScalarRead(Nodes.text(id), Arithmetic.unknownType()),
                        context.unknown(Nodes.text(id) + " is not declared"));
            }
            return new Value(
                    new Expression.ScalarRead(Nodes.text(id), Arithmetic.unknownType()),
                    context.unknown("the value of " + Nodes.text(id) + " is not known"));
        }
        return memory.load(locator.locate(id), id, Access.Kind.READ);
    }

    private Value member(IASTFieldReference f) {
        if (Nodes.binding(f) instanceof IEnumerator e) {
            Optional<Long> n = context.program.constants().of(e, context);
            if (n.isPresent()) {
                return Value.of(n.get());
            }
        }
        return memory.load(locator.locate(f), f, Access.Kind.READ);
    }

    private Value unary(IASTUnaryExpression u) {
        switch (u.getOperator()) {
            case IASTUnaryExpression.op_prefixIncr,
                    IASTUnaryExpression.op_prefixDecr,
                    IASTUnaryExpression.op_postFixIncr,
                    IASTUnaryExpression.op_postFixDecr -> {
                return assignments.increment(u);
            }
            case IASTUnaryExpression.op_star -> {
                return memory.load(locator.locate(u), u, Access.Kind.READ);
            }
            case IASTUnaryExpression.op_amper -> {
                Located l = locator.locate(u.getOperand());
                return new Value(
                        new Expression.Opaque(Nodes.text(u), new ScalarType(Kind.UNKNOWN, 64, 0, false, "pointer")),
                        context.unknown("the address of "
                                + (l instanceof Located.Element e ? e.array().name() : Nodes.text(u.getOperand()))));
            }
            case IASTUnaryExpression.op_sizeof, IASTUnaryExpression.op_alignOf -> {
                IType t = u.getOperand().getExpressionType();
                Optional<Long> size = u.getOperator() == IASTUnaryExpression.op_sizeof
                        ? context.instance.sizeOf(Nodes.strip(u.getOperand()), t, context)
                        : arithmetic.evaluated(u);
                return size.map(n -> new Value(new Expression.Constant(n, Widths.LONG), LinearForm.of(n)))
                        .orElseGet(() -> new Value(
                                new Expression.Opaque(Nodes.text(u), Widths.LONG),
                                context.unknown(Nodes.text(u) + " is not known")));
            }
            default -> {}
        }
        Value v = read(u.getOperand());
        return switch (u.getOperator()) {
            case IASTUnaryExpression.op_minus ->
                arithmetic.folded(
                        OperationKind.NEGATE,
                        List.of(v),
                        context.program.widths().promoted(v.type()),
                        v.formula().times(-1).orElseGet(() -> context.unknown("arithmetic that leaves 64 bits")));
            case IASTUnaryExpression.op_tilde ->
                arithmetic.folded(
                        OperationKind.LOGIC,
                        List.of(v),
                        context.program.widths().promoted(v.type()),
                        v.formula()
                                .times(-1)
                                .flatMap(f -> f.plus(LinearForm.of(-1)))
                                .orElseGet(() -> context.unknown("arithmetic that leaves 64 bits")));
            case IASTUnaryExpression.op_not ->
                arithmetic.folded(
                        OperationKind.LOGIC,
                        List.of(v),
                        Widths.BOOL,
                        context.apply(Operator.EQUAL, v.formula(), LinearForm.ZERO));
            case IASTUnaryExpression.op_throw,
                    IASTUnaryExpression.op_typeid,
                    IASTUnaryExpression.op_noexcept,
                    IASTUnaryExpression.op_labelReference -> arithmetic.opaque(u, "an operator that is not understood");
            default -> v;
        };
    }

    private Value binary(IASTBinaryExpression b) {
        if (Assignments.isAssignment(b.getOperator())) {
            return assignments.assign(b);
        }
        if (calls.streams().isOperator(b)) {
            return calls.streams().operator(b);
        }
        if (locator.isPointerLike(b)) {
            return memory.load(locator.locate(b), b, Access.Kind.READ);
        }
        // What stands behind && and || may not be reached, but reading it changes nothing in nearly all
        // kernels.
        return arithmetic.operation(b.getOperator(), read(b.getOperand1()), read(b.getOperand2()), b);
    }

    private Value conditional(IASTConditionalExpression c) {
        Value condition = read(c.getLogicalConditionExpression());
        if (condition.formula().number().isPresent()) {
            IASTExpression chosen =
                    !condition.formula().is(0) ? c.getPositiveResultExpression() : c.getNegativeResultExpression();
            return chosen == null ? condition : read(chosen);
        }
        Value yes = c.getPositiveResultExpression() == null ? condition : read(c.getPositiveResultExpression());
        Value no = read(c.getNegativeResultExpression());
        ScalarType type = context.program.widths().binary(OperationKind.SELECT, yes.type(), no.type());
        return arithmetic.folded(
                OperationKind.SELECT,
                List.of(condition, yes, no),
                type,
                context.apply(Operator.SELECT, condition.formula(), yes.formula(), no.formula()));
    }

    private Value cast(IASTCastExpression c) {
        IType t = context.instance.typeOf(c.getTypeId());
        Value v = read(c.getOperand());
        if (context.types.isPointer(t)) {
            return v;
        }
        ScalarType to = context.types.element(t, c.getTypeId().getDeclSpecifier());
        Value converted = arithmetic.converted(v, to);
        // Half of the values of an unsigned number as wide are negative ones here: that it was none says nothing.
        boolean turns = to.kind() == ScalarType.Kind.INTEGER
                && to.signed()
                && v.type().kind() == ScalarType.Kind.INTEGER
                && !v.type().signed()
                && v.type().bits() >= to.bits()
                && !v.formula().range(context).bounded();
        return turns ? new Value(converted.expression(), context.unknown("is cast to a signed type")) : converted;
    }

    private Value constructed(ICPPASTSimpleTypeConstructorExpression t) {
        Optional<IASTInitializerClause> argument = Declarations.clause(t.getInitializer());
        Value v = argument.map(this::read).orElseGet(() -> Value.of(0));
        return arithmetic.converted(v, context.types.element(t.getExpressionType(), t.getDeclSpecifier()));
    }

    private Value typeQuestion(IASTTypeIdExpression t) {
        Optional<Long> n = t.getOperator() == IASTTypeIdExpression.op_sizeof
                ? context.types.sizeOf(context.instance.typeOf(t.getTypeId()))
                : arithmetic.evaluated(t);
        return n.map(x -> new Value(new Expression.Constant(x, Widths.LONG), LinearForm.of(x)))
                .orElseGet(() -> new Value(
                        new Expression.Opaque(Nodes.text(t), Widths.LONG),
                        context.unknown(Nodes.text(t) + " is not known")));
    }

    /// The comma operator; of numbers of any width it joins their bits.
    private Value list(IASTExpressionList l) {
        IASTExpression[] parts = l.getExpressions();
        if (Arrays.stream(parts).anyMatch(this::isOfAnyWidth)) {
            int bits = Arrays.stream(parts)
                    .mapToInt(p -> context.types.element(p.getExpressionType()).bits())
                    .sum();
            return joined(List.of(parts), new ScalarType(Kind.INTEGER, bits, 0, false, "ap_uint<" + bits + ">"));
        }
        for (int i = 0; i < parts.length - 1; i++) {
            forEffect(parts[i]);
        }
        return parts.length == 0 ? Value.of(0) : read(parts[parts.length - 1]);
    }

    private boolean isOfAnyWidth(IASTExpression e) {
        IType type = e.getExpressionType();
        return type != null
                && !(context.types.resolved(type) instanceof IBasicType)
                && context.types.element(type).kind() == Kind.INTEGER;
    }
}
