package knobscape.hls.source.cdt;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import knobscape.hls.source.Access;
import knobscape.hls.source.ElementType;
import knobscape.hls.source.ElementType.Kind;
import knobscape.hls.source.Expression;
import knobscape.hls.source.Formula;
import knobscape.hls.source.Formula.Operator;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.Range;
import knobscape.hls.source.cdt.Located.Part;
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
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTTypeIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IEnumerator;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTSimpleTypeConstructorExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateNonTypeParameter;
import org.eclipse.cdt.internal.core.dom.parser.ValueFactory;

/// Reads expressions: how a value is computed, what integer it is as far as known, and what it changes on the way.
final class ExpressionReader {
    private final FunctionContext context;
    private final Locator locator;
    private final CallReader calls;
    private final AssignmentReader assignments;

    ExpressionReader(FunctionContext context, ArrayTable arrays) {
        this.context = context;
        this.locator = new Locator(context, this, arrays);
        this.assignments = new AssignmentReader(context, this, locator);
        this.calls = new CallReader(context, this, locator, assignments);
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

    /// Reads one expression. Increments behind a variable happen when [AssignmentReader#finish()] is called.
    Value read(IASTExpression expression) {
        IASTExpression e = Nodes.strip(expression);
        return switch (e) {
            case null -> constant(0);
            case IASTLiteralExpression l -> literal(l);
            case IASTIdExpression id -> identifier(id);
            case IASTUnaryExpression u -> unary(u);
            case IASTBinaryExpression b -> binary(b);
            case IASTConditionalExpression c -> conditional(c);
            case IASTFieldReference f -> member(f);
            case IASTArraySubscriptExpression s -> load(locator.locate(s), s, Access.Kind.READ);
            case IASTFunctionCallExpression c -> calls.read(c);
            case IASTCastExpression c -> cast(c);
            case IASTTypeIdExpression t -> typeQuestion(t);
            case IASTExpressionList l -> list(l);
            case ICPPASTSimpleTypeConstructorExpression t -> constructed(t);
            default -> opaque(e, "an expression that is not understood");
        };
    }

    /// Reads an initialiser clause that is an expression; the first of a braced list with one.
    Value read(IASTInitializerClause clause) {
        return switch (clause) {
            case IASTExpression e -> read(e);
            case IASTInitializerList l when l.getClauses().length == 0 -> constant(0);
            case IASTInitializerList l when l.getClauses().length == 1 -> read(l.getClauses()[0]);
            case null, default -> new Value(new Expression.Opaque(clause == null ? "" : text(clause), unknownType()), context.unknown("set by a list"));
        };
    }

    static Value constant(long n) {
        return new Value(new Expression.Constant(n, ElementType.INT), Formula.of(n));
    }

    private static ElementType unknownType() {
        return new ElementType(Kind.UNKNOWN, 32, 0, true, "unknown");
    }

    Value opaque(IASTNode node, String why) {
        context.notes().warn(context.positions().of(node), "'" + text(node) + "' is " + why + "; it is left out of the operations");
        return new Value(new Expression.Opaque(text(node), unknownType()), context.unknown(why));
    }

    /// Source text of a node, short enough for a message.
    static String text(IASTNode node) {
        String s = node.getRawSignature().replaceAll("\\s+", " ").strip();
        return s.length() <= 60 ? s : s.substring(0, 57) + "...";
    }

    private Value literal(IASTLiteralExpression l) {
        String written = String.valueOf(l.getValue());
        ElementType type = Literals.type(l, written);
        OptionalLong n = switch (l.getKind()) {
            case IASTLiteralExpression.lk_integer_constant -> Literals.integer(written);
            case IASTLiteralExpression.lk_char_constant -> Literals.character(written);
            case IASTLiteralExpression.lk_true -> OptionalLong.of(1);
            case IASTLiteralExpression.lk_false, IASTLiteralExpression.lk_nullptr -> OptionalLong.of(0);
            default -> OptionalLong.empty();
        };
        if (n.isPresent()) {
            return new Value(new Expression.Constant(n.getAsLong(), type), Formula.of(n.getAsLong()));
        }
        double v = l.getKind() == IASTLiteralExpression.lk_float_constant ? Literals.floating(written).orElse(Double.NaN) : Double.NaN;
        return new Value(new Expression.Constant(v, type), context.unknown("not an integer"));
    }

    private Value identifier(IASTIdExpression id) {
        IBinding b = Nodes.binding(id);
        Optional<Long> n = switch (b) {
            case IEnumerator e -> Types.number(e.getValue());
            case ICPPTemplateNonTypeParameter p -> context.types.argumentOf(p);
            case null, default -> Optional.empty();
        };
        if (n.isPresent()) {
            return constant(n.get());
        }
        if (!(b instanceof IVariable)) {
            Optional<Long> value = evaluated(id);
            if (value.isPresent()) {
                return constant(value.get());
            }
            if (b == null) {
                context.notes().warn(context.positions().of(id), "'" + text(id) + "' is not declared; is a header missing or a macro to be defined?");
                return new Value(new Expression.ScalarRead(text(id), unknownType()), context.unknown(text(id) + " is not declared"));
            }
            return new Value(new Expression.ScalarRead(text(id), unknownType()), context.unknown("the value of " + text(id) + " is not known"));
        }
        return load(locator.locate(id), id, Access.Kind.READ);
    }

    private Value member(IASTFieldReference f) {
        if (Nodes.binding(f) instanceof IEnumerator e && Types.number(e.getValue()).isPresent()) {
            return constant(Types.number(e.getValue()).get());
        }
        return load(locator.locate(f), f, Access.Kind.READ);
    }

    /// What the parser's own evaluator makes of it (constexpr calls, `Traits<5>::size`).
    Optional<Long> evaluated(IASTExpression e) {
        return context.types.evaluated(ValueFactory.create(e));
    }

    /// The value of what `located` refers to.
    Value load(Located located, IASTNode node, Access.Kind kind) {
        return switch (located) {
            case Located.Scalar s -> scalar(s, node);
            case Located.Element e -> element(e, node, kind);
            case Located.Row r -> new Value(new Expression.Opaque(text(node), new ElementType(Kind.UNKNOWN, 64, 0, false, "pointer")),
                    context.unknown("the address of " + r.array().name()));
            case Located.Stream s -> new Value(new Expression.Opaque(text(node), s.array().element()), context.unknown("a stream"));
            case Located.Nowhere n -> opaque(node, n.reason());
        };
    }

    private Value scalar(Located.Scalar s, IASTNode node) {
        Formula f = s.part() == Part.BITS ? context.unknown("bits of " + s.place().name(), FunctionContext.narrow(s.element())) : valueOf(s.place(), s.type(), s.element());
        if (f.number().isPresent() && s.element().kind() != Kind.FIXED && !s.element().isFloating()) {
            return new Value(new Expression.Constant(f.constant(), s.element()), f);
        }
        Expression read = new Expression.ScalarRead(s.place().name(), s.element());
        return new Value(s.part() == Part.BITS ? new Expression.Operation(OperationKind.BIT_SELECT, List.of(read), s.element()) : read, f);
    }

    /// The integer a scalar is at this point.
    Formula valueOf(Place place, IType type, ElementType element) {
        Optional<Formula> known = context.environment.value(place);
        if (known.isPresent()) {
            return known.get();
        }
        Formula f = context.program.constants().of(place, type, context).map(Formula::of).orElseGet(() -> context.fresh(place, element));
        if (!context.escaped.contains(place)) {
            context.environment.set(place, f);
        }
        return f;
    }

    private Value element(Located.Element e, IASTNode node, Access.Kind kind) {
        Access access = assignments.access(e, kind, node);
        e.array().markRead();
        Optional<Long> rom = context.program.constants().element(e, context);
        Expression read = new Expression.ArrayRead(access, e.indices().stream().map(Value::expression).toList(), e.part() == Part.BITS ? e.array().element() : e.element());
        if (e.part() == Part.BITS) {
            read = new Expression.Operation(OperationKind.BIT_SELECT, List.of(read), e.element());
        }
        return new Value(read, rom.map(Formula::of).orElseGet(() -> context.unknown("indirect through " + e.array().name(), FunctionContext.narrow(e.element()))));
    }

    private Value unary(IASTUnaryExpression u) {
        switch (u.getOperator()) {
            case IASTUnaryExpression.op_prefixIncr, IASTUnaryExpression.op_prefixDecr, IASTUnaryExpression.op_postFixIncr, IASTUnaryExpression.op_postFixDecr -> {
                return assignments.increment(u);
            }
            case IASTUnaryExpression.op_star -> {
                return load(locator.locate(u), u, Access.Kind.READ);
            }
            case IASTUnaryExpression.op_amper -> {
                Located l = locator.locate(u.getOperand());
                return new Value(new Expression.Opaque(text(u), new ElementType(Kind.UNKNOWN, 64, 0, false, "pointer")),
                        context.unknown("the address of " + (l instanceof Located.Element e ? e.array().name() : text(u.getOperand()))));
            }
            case IASTUnaryExpression.op_sizeof, IASTUnaryExpression.op_alignOf -> {
                IType t = u.getOperand().getExpressionType();
                Optional<Long> size = u.getOperator() == IASTUnaryExpression.op_sizeof ? context.instance.sizeOf(Nodes.strip(u.getOperand()), t, context) : evaluated(u);
                return size.map(n -> new Value(new Expression.Constant(n, Widths.LONG), Formula.of(n)))
                        .orElseGet(() -> new Value(new Expression.Opaque(text(u), Widths.LONG), context.unknown(text(u) + " is not known")));
            }
            default -> { }
        }
        Value v = read(u.getOperand());
        return switch (u.getOperator()) {
            case IASTUnaryExpression.op_minus -> folded(OperationKind.NEGATE, List.of(v), context.program.widths().promoted(v.type()),
                    v.formula().times(-1).orElseGet(() -> context.unknown("arithmetic that leaves 64 bits")));
            case IASTUnaryExpression.op_tilde -> folded(OperationKind.LOGIC, List.of(v), context.program.widths().promoted(v.type()),
                    v.formula().times(-1).flatMap(f -> f.plus(Formula.of(-1))).orElseGet(() -> context.unknown("arithmetic that leaves 64 bits")));
            case IASTUnaryExpression.op_not -> folded(OperationKind.LOGIC, List.of(v), Widths.BOOL, context.apply(Operator.EQUAL, v.formula(), Formula.ZERO));
            case IASTUnaryExpression.op_throw, IASTUnaryExpression.op_typeid, IASTUnaryExpression.op_noexcept, IASTUnaryExpression.op_labelReference ->
                opaque(u, "an operator that is not understood");
            default -> v;
        };
    }

    /// An operation, or the number it comes to.
    Value folded(OperationKind kind, List<Value> operands, ElementType type, Formula formula) {
        Formula f = formula;
        if (formula.number().isPresent() && (type.kind() == Kind.INTEGER || type.kind() == Kind.BOOL)) {
            f = type.bits() == 32 && !type.signed() ? context.stored(formula, type) : formula;
            return new Value(new Expression.Constant(f.constant(), type), f);
        }
        boolean integer = type.kind() == Kind.INTEGER || type.kind() == Kind.BOOL || type.kind() == Kind.UNKNOWN;
        return new Value(new Expression.Operation(kind, operands.stream().map(Value::expression).toList(), type),
                integer ? f : context.unknown("computed in " + type.spelling()));
    }

    private Value binary(IASTBinaryExpression b) {
        if (Assignments.isAssignment(b.getOperator())) {
            return assignments.assign(b);
        }
        if (calls.isStreamOperator(b)) {
            return calls.streamOperator(b);
        }
        if (locator.isPointerLike(b)) {
            return load(locator.locate(b), b, Access.Kind.READ);
        }
        // What stands behind && and || may not be reached, but reading it changes nothing in nearly all kernels.
        return operation(b.getOperator(), read(b.getOperand1()), read(b.getOperand2()), b);
    }

    /// The result of a binary operator.
    Value operation(int operator, Value a, Value b, IASTNode node) {
        OperationKind kind = Operators.kind(operator, b);
        ElementType type = context.program.widths().binary(kind, a.type(), b.type());
        if (a.type().isFloating() || b.type().isFloating() || a.type().kind() == Kind.FIXED || b.type().kind() == Kind.FIXED) {
            return new Value(new Expression.Operation(kind, List.of(a.expression(), b.expression()), type), context.unknown("computed in " + type.spelling()));
        }
        return folded(kind, List.of(a, b), type, formula(operator, a.formula(), b.formula(), node));
    }

    Formula formula(int operator, Formula a, Formula b, IASTNode node) {
        return switch (operator) {
            case IASTBinaryExpression.op_plus -> context.add(a, b);
            case IASTBinaryExpression.op_minus -> context.subtract(a, b);
            case IASTBinaryExpression.op_greaterThan -> context.apply(Operator.LESS, b, a);
            case IASTBinaryExpression.op_lessEqual -> not(context.apply(Operator.LESS, b, a));
            case IASTBinaryExpression.op_greaterEqual -> not(context.apply(Operator.LESS, a, b));
            case IASTBinaryExpression.op_notequals -> not(context.apply(Operator.EQUAL, a, b));
            case IASTBinaryExpression.op_logicalAnd -> a.is(0) ? Formula.ZERO : context.apply(Operator.SELECT, a, truth(b), Formula.ZERO);
            case IASTBinaryExpression.op_logicalOr -> context.apply(Operator.SELECT, a, Formula.of(1), truth(b));
            default -> Operators.operator(operator).map(o -> context.apply(o, a, b)).orElseGet(() -> context.unknown("an operator that is not understood"));
        };
    }

    private Formula truth(Formula f) {
        return new Range(0, 1).contains(f.range(context)) ? f : not(context.apply(Operator.EQUAL, f, Formula.ZERO));
    }

    private Formula not(Formula f) {
        return context.subtract(Formula.of(1), f);
    }

    private Value conditional(IASTConditionalExpression c) {
        Value condition = read(c.getLogicalConditionExpression());
        if (condition.formula().number().isPresent()) {
            IASTExpression chosen = !condition.formula().is(0) ? c.getPositiveResultExpression() : c.getNegativeResultExpression();
            return chosen == null ? condition : read(chosen);
        }
        Value yes = c.getPositiveResultExpression() == null ? condition : read(c.getPositiveResultExpression());
        Value no = read(c.getNegativeResultExpression());
        ElementType type = context.program.widths().binary(OperationKind.SELECT, yes.type(), no.type());
        return folded(OperationKind.SELECT, List.of(condition, yes, no), type, context.apply(Operator.SELECT, condition.formula(), yes.formula(), no.formula()));
    }

    private Value cast(IASTCastExpression c) {
        IType t = context.instance.typeOf(c.getTypeId());
        return context.types.isPointer(t) ? read(c.getOperand()) : converted(read(c.getOperand()), context.types.element(t, c.getTypeId().getDeclSpecifier()));
    }

    private Value constructed(ICPPASTSimpleTypeConstructorExpression t) {
        Optional<IASTInitializerClause> argument = Declarations.clause(t.getInitializer());
        Value v = argument.map(this::read).orElseGet(() -> constant(0));
        return converted(v, context.types.element(t.getExpressionType(), t.getDeclSpecifier()));
    }

    /// The value in another type.
    Value converted(Value v, ElementType to) {
        ElementType from = v.type();
        if (to.kind() == Kind.UNKNOWN || to.kind() == Kind.STRUCT && from.kind() == Kind.STRUCT) {
            return new Value(v.expression(), v.formula());
        }
        boolean integers = (from.kind() == Kind.INTEGER || from.kind() == Kind.BOOL) && (to.kind() == Kind.INTEGER || to.kind() == Kind.BOOL);
        if (integers || from.kind() == Kind.UNKNOWN && to.kind() == Kind.INTEGER) {
            Formula f = context.stored(v.formula(), to);
            if (f.number().isPresent()) {
                return new Value(new Expression.Constant(f.constant(), to), f);
            }
            return from.bits() == to.bits() ? new Value(v.expression(), f) : new Value(new Expression.Operation(OperationKind.CONVERT, List.of(v.expression()), to), f);
        }
        if (v.expression() instanceof Expression.Constant k) {
            boolean whole = to.kind() == Kind.INTEGER && !Double.isNaN(k.value()) && Math.abs(k.value()) < 1e15;
            Formula f = whole ? context.stored(Formula.of((long) k.value()), to) : context.unknown("computed in " + to.spelling());
            return new Value(new Expression.Constant(whole ? f.constant() : k.value(), to), f);
        }
        boolean same = from.kind() == to.kind() && from.bits() == to.bits() && from.fraction() == to.fraction();
        return same ? v : new Value(new Expression.Operation(OperationKind.CONVERT, List.of(v.expression()), to), context.unknown("computed in " + from.spelling()));
    }

    private Value typeQuestion(IASTTypeIdExpression t) {
        Optional<Long> n = t.getOperator() == IASTTypeIdExpression.op_sizeof ? context.types.sizeOf(context.instance.typeOf(t.getTypeId())) : evaluated(t);
        return n.map(x -> new Value(new Expression.Constant(x, Widths.LONG), Formula.of(x)))
                .orElseGet(() -> new Value(new Expression.Opaque(text(t), Widths.LONG), context.unknown(text(t) + " is not known")));
    }

    private Value list(IASTExpressionList l) {
        IASTExpression[] parts = l.getExpressions();
        for (int i = 0; i < parts.length - 1; i++) {
            assignments.forEffect(parts[i]);
        }
        return parts.length == 0 ? constant(0) : read(parts[parts.length - 1]);
    }

    /// `p++` on a pointer.
    void movePointer(IASTExpression pointer, Located.Row row, long by) {
        context.assignments.place(pointer).ifPresent(p -> assignments.later(() -> context.environment.set(p, new Environment.Pointer(row.array(),
                row.indices().stream().map(Value::formula).toList(), context.add(row.offset(), Formula.of(by))))));
    }
}
