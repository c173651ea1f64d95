package knobscape.hls.source.cdt;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import knobscape.hls.source.exact.ExactExpression;
import knobscape.hls.source.exact.ExactExpression.Operator;
import knobscape.hls.source.exact.ExactExpression.Sign;
import knobscape.hls.source.exact.ExactPlace;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactType.Int;
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
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTTypeIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IEnumerator;
import org.eclipse.cdt.core.dom.ast.IField;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTInitializerList;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTSimpleTypeConstructorExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateNonTypeParameter;
import org.eclipse.cdt.internal.core.dom.parser.cpp.semantics.CPPVisitor;

/// Reads expressions exactly. Throws [NotExact] for what cannot be held.
final class ExactExpressions {
    private static final Pattern MANIPULATORS = Pattern.compile("(std::)?set(w|precision|fill|base)\\b");
    private final ExactScope scope;
    private final ExactArithmetic arithmetic;
    private final ExactCalls calls;

    ExactExpressions(ExactScope scope) {
        this.scope = scope;
        this.arithmetic = scope.arithmetic;
        this.calls = new ExactCalls(scope, this);
    }

    /// The value; an array's is its address.
    ExactExpression value(IASTInitializerClause clause) {
        if (!(clause instanceof IASTExpression written)) {
            throw new NotExact("'" + Nodes.text(clause) + "' here", clause);
        }
        IASTExpression e = unwrapped(written);
        Optional<ExactPlace> place = placeOf(e);
        return place.isPresent() ? loaded(place.get(), e) : computed(e);
    }

    /// The value converted to a type.
    ExactExpression value(IASTInitializerClause clause, ExactType type) {
        return arithmetic.convert(value(clause), type, clause);
    }

    ExactExpression truth(IASTExpression e) {
        return arithmetic.truth(value(e), e);
    }

    ExactExpression loaded(ExactPlace place, IASTNode node) {
        if (place.type() instanceof ExactType.Array a) {
            return scope.address(place, new ExactType.Pointer(a.element()), node);
        }
        return new ExactExpression.Load(place);
    }

    private static IASTExpression unwrapped(IASTExpression e) {
        IASTExpression x = e;
        while (x instanceof IASTUnaryExpression u && u.getOperator() == IASTUnaryExpression.op_bracketedPrimary) {
            x = u.getOperand();
        }
        return x;
    }

    /// Where the expression's value stands; throws where it stands nowhere.
    ExactPlace place(IASTExpression e) {
        return placeOf(unwrapped(e)).orElseThrow(() -> new NotExact("'" + Nodes.text(e) + "' as a place", e));
    }

    /// Where the value of an expression without parentheses stands; empty for a value that is only computed.
    Optional<ExactPlace> placeOf(IASTExpression written) {
        IASTExpression e = unwrapped(written);
        return switch (e) {
            case IASTIdExpression id -> named(id);
            case IASTArraySubscriptExpression s -> Optional.of(subscript(s));
            case IASTFieldReference f -> Optional.of(member(f));
            case IASTUnaryExpression u
            when u.getOperator() == IASTUnaryExpression.op_star -> Optional.of(pointee(value(u.getOperand()), u));
            case IASTFunctionCallExpression c -> calls.place(c);
            case IASTLiteralExpression l
            when l.getKind() == IASTLiteralExpression.lk_string_literal -> Optional.of(scope.program.text(l));
            case IASTUnaryExpression u
            when scope.cpp()
                    && (u.getOperator() == IASTUnaryExpression.op_prefixIncr
                            || u.getOperator() == IASTUnaryExpression.op_prefixDecr) -> Optional.empty();
            default -> Optional.empty();
        };
    }

    /// What an address leads to.
    ExactPlace pointee(ExactExpression address, IASTNode node) {
        if (!(address.type() instanceof ExactType.Pointer p)) {
            throw new NotExact("'" + Nodes.text(node) + "', which goes through no address", node);
        }
        return new ExactPlace.Pointee(address, scope.program.types().complete(p.target(), node));
    }

    private Optional<ExactPlace> named(IASTIdExpression id) {
        IBinding b = scope.instance.types().resolved(id.getName().resolveBinding());
        if (!(b instanceof IVariable v)) {
            return Optional.empty();
        }
        Optional<ExactPlace> known = scope.place(v);
        if (known.isPresent()) {
            return known;
        }
        if (v instanceof IField f && !f.isStatic()) {
            return Optional.of(
                    field(new ExactPlace.Pointee(scope.thisAddress(id), scope.self.orElseThrow()), f.getName(), id));
        }
        Optional<Long> number = v instanceof IField ? Types.number(v.getInitialValue()) : Optional.empty();
        if (number.isPresent()) {
            return Optional.empty();
        }
        return Optional.of(scope.program.global(v, scope, id));
    }

    static ExactPlace field(ExactPlace owner, String name, IASTNode node) {
        if (owner.type() instanceof ExactType.Struct s) {
            for (ExactType.Field f : s.fields().reversed()) {
                if (f.name().equals(name)) {
                    return new ExactPlace.Member(owner, f);
                }
            }
        }
        throw new NotExact("the member '" + name + "'", node);
    }

    private ExactPlace member(IASTFieldReference f) {
        String name = String.valueOf(f.getFieldName().getLastName().getSimpleID());
        return field(owner(f), name, f);
    }

    /// The object left of `.` or `->`.
    ExactPlace owner(IASTFieldReference f) {
        if (f.isPointerDereference()) {
            return pointee(value(f.getFieldOwner()), f);
        }
        Optional<ExactPlace> there = placeOf(f.getFieldOwner());
        if (there.isPresent()) {
            return there.get();
        }
        // A structure that a call returned: it stands in the caller's room.
        ExactExpression made = value(f.getFieldOwner());
        if (made.type() instanceof ExactType.Struct s) {
            return new ExactPlace.Pointee(new ExactExpression.Convert(made, new ExactType.Pointer(s)), s);
        }
        throw new NotExact("'" + Nodes.text(f) + "'", f);
    }

    private ExactPlace subscript(IASTArraySubscriptExpression s) {
        IASTExpression array = s.getArrayExpression();
        Optional<ExactPlace> whole = placeOf(array);
        if (whole.isPresent() && whole.get().type() instanceof ExactType.Arbitrary) {
            ExactExpression bit = value(s.getArgument(), ExactType.INT);
            return new ExactPlace.Bits(whole.get(), bit, bit, ExactType.BOOL);
        }
        ExactExpression index = value(s.getArgument());
        if (whole.isPresent() && whole.get().type() instanceof ExactType.Array a) {
            return new ExactPlace.Element(whole.get(), index(index, s), a.element());
        }
        ExactExpression base = value(array);
        if (index.type() instanceof ExactType.Pointer) {
            ExactExpression swapped = base;
            base = index;
            index = swapped;
        }
        if (!(base.type() instanceof ExactType.Pointer p)) {
            throw new NotExact("'" + Nodes.text(s) + "', whose base is no array", s);
        }
        ExactType target = scope.program.types().complete(p.target(), s);
        ExactExpression from =
                target.equals(p.target()) ? base : new ExactExpression.Convert(base, new ExactType.Pointer(target));
        return new ExactPlace.Pointee(
                new ExactExpression.Moved(from, index(index, s), new ExactType.Pointer(target)), target);
    }

    private ExactExpression index(ExactExpression index, IASTNode node) {
        return index.type() instanceof Int ? index : arithmetic.convert(index, new Int(64, true), node);
    }

    private ExactExpression computed(IASTExpression e) {
        return switch (e) {
            case IASTLiteralExpression l -> literal(l);
            case IASTIdExpression id -> constantNamed(id);
            case IASTUnaryExpression u -> unary(u);
            case IASTBinaryExpression b -> binary(b);
            case IASTConditionalExpression c -> choice(c);
            case IASTExpressionList l -> {
                ExactExpression all = value(l.getExpressions()[0]);
                for (int i = 1; i < l.getExpressions().length; i++) {
                    ExactExpression next = value(l.getExpressions()[i]);
                    if (all.type() instanceof ExactType.Arbitrary && next.type() instanceof ExactType.Arbitrary) {
                        throw new NotExact("joining bits with a comma", l);
                    }
                    all = new ExactExpression.Sequence(all, next);
                }
                yield all;
            }
            case IASTCastExpression c ->
                arithmetic.convert(value(c.getOperand()), scope.type(scope.instance.typeOf(c.getTypeId()), c), c);
            case IASTTypeIdExpression t
            when t.getOperator() == IASTTypeIdExpression.op_sizeof ->
                ExactExpression.Whole.of(
                        scope.type(scope.instance.typeOf(t.getTypeId()), t).size(), ExactType.SIZE);
            case ICPPASTSimpleTypeConstructorExpression s ->
                made(
                        scope.type(CPPVisitor.createType(s.getDeclSpecifier()), s),
                        Declarations.clause(s.getInitializer()),
                        s);
            case IASTFunctionCallExpression c -> calls.call(c);
            default -> throw new NotExact("'" + Nodes.text(e) + "'", e);
        };
    }

    /// `T(x)` and `T()`.
    ExactExpression made(ExactType type, Optional<IASTInitializerClause> from, IASTNode node) {
        if (from.isEmpty() && ExactArithmetic.isNumber(type)) {
            return arithmetic.convert(ExactExpression.Whole.of(0, ExactType.INT), type, node);
        }
        if (from.isEmpty()) {
            throw new NotExact("'" + Nodes.text(node) + "'", node);
        }
        return value(from.get(), type);
    }

    private ExactExpression literal(IASTLiteralExpression l) {
        String s = String.valueOf(l.getValue());
        String low = s.toLowerCase(Locale.ROOT);
        return switch (l.getKind()) {
            case IASTLiteralExpression.lk_true -> ExactExpression.Whole.of(1, ExactType.BOOL);
            case IASTLiteralExpression.lk_false -> ExactExpression.Whole.of(0, ExactType.BOOL);
            case IASTLiteralExpression.lk_nullptr ->
                new ExactExpression.Convert(
                        ExactExpression.Whole.of(0, ExactType.INT), new ExactType.Pointer(ExactType.NOTHING));
            case IASTLiteralExpression.lk_this -> scope.thisAddress(l);
            case IASTLiteralExpression.lk_char_constant ->
                ExactExpression.Whole.of(
                        (byte) Literals.character(s).orElseThrow(() -> new NotExact("the character " + s, l)),
                        scope.cpp() ? new Int(8, true) : ExactType.INT);
            case IASTLiteralExpression.lk_float_constant -> floating(s, low, l);
            case IASTLiteralExpression.lk_integer_constant -> integer(s, low, l);
            default -> throw new NotExact("'" + Nodes.text(l) + "'", l);
        };
    }

    private static ExactExpression floating(String s, String low, IASTNode node) {
        boolean hex = low.startsWith("0x");
        if (low.endsWith("l") && !hex) {
            throw new NotExact("long double", node);
        }
        boolean single = low.endsWith("f") && (!hex || low.contains("p"));
        String digits = (single ? s.substring(0, s.length() - 1) : s).replace("'", "");
        try {
            // Not by way of double: that would round twice.
            return single
                    ? new ExactExpression.Floating(Float.parseFloat(digits), new ExactType.Real(32))
                    : new ExactExpression.Floating(Double.parseDouble(digits), new ExactType.Real(64));
        } catch (NumberFormatException e) {
            throw new NotExact("the number " + s, node);
        }
    }

    private static ExactExpression integer(String s, String low, IASTNode node) {
        long v = Literals.integer(s).orElseThrow(() -> new NotExact("the number " + s, node));
        boolean decimal = !low.startsWith("0") || low.length() == 1;
        String suffix = low.replaceAll(low.startsWith("0x") ? "^0x[0-9a-f']*" : "^[0-9b']*", "");
        boolean unsigned = suffix.contains("u");
        boolean wide = suffix.contains("l");
        BigInteger value = v < 0 ? BigInteger.valueOf(v).add(BigInteger.ONE.shiftLeft(64)) : BigInteger.valueOf(v);
        int bits = value.bitLength();
        Int type = !wide && !unsigned && bits <= 31
                ? ExactType.INT
                : !wide && (unsigned || !decimal) && bits <= 32
                        ? new Int(32, false)
                        : !unsigned && bits <= 63 ? new Int(64, true) : new Int(64, false);
        return new ExactExpression.Whole(value, type);
    }

    private ExactExpression constantNamed(IASTIdExpression id) {
        IBinding b = scope.instance.types().resolved(id.getName().resolveBinding());
        if (b instanceof IEnumerator n && Types.number(n.getValue()).isPresent()) {
            return ExactExpression.Whole.of(Types.number(n.getValue()).get(), ExactType.INT);
        }
        if (b instanceof ICPPTemplateNonTypeParameter p) {
            long v = scope.instance
                    .types()
                    .argumentOf(p)
                    .orElseThrow(() -> new NotExact("the template parameter " + p.getName(), id));
            return arithmetic.convert(ExactExpression.Whole.of(v, new Int(64, true)), scope.type(p.getType(), id), id);
        }
        if (b instanceof IVariable v && Types.number(v.getInitialValue()).isPresent()) {
            return arithmetic.convert(
                    ExactExpression.Whole.of(Types.number(v.getInitialValue()).get(), new Int(64, true)),
                    scope.type(v.getType(), id),
                    id);
        }
        throw new NotExact("the name '" + Nodes.text(id) + "'", id);
    }

    private ExactExpression unary(IASTUnaryExpression u) {
        IASTExpression x = u.getOperand();
        return switch (u.getOperator()) {
            case IASTUnaryExpression.op_minus -> arithmetic.unary(Sign.NEGATE, value(x), u);
            case IASTUnaryExpression.op_plus -> {
                ExactExpression v = value(x);
                yield v.type() instanceof ExactType.Arbitrary || v.type() instanceof ExactType.Pointer
                        ? v
                        : arithmetic.convert(v, ExactArithmetic.promoted(v.type()), u);
            }
            case IASTUnaryExpression.op_tilde -> arithmetic.unary(Sign.INVERT, value(x), u);
            case IASTUnaryExpression.op_not ->
                arithmetic.fromTruth(new ExactExpression.Unary(Sign.NOT, truth(x), ExactType.BOOL));
            case IASTUnaryExpression.op_prefixIncr -> step(x, Operator.ADD, false, u);
            case IASTUnaryExpression.op_prefixDecr -> step(x, Operator.SUBTRACT, false, u);
            case IASTUnaryExpression.op_postFixIncr -> step(x, Operator.ADD, true, u);
            case IASTUnaryExpression.op_postFixDecr -> step(x, Operator.SUBTRACT, true, u);
            case IASTUnaryExpression.op_amper -> scope.address(place(x), u);
            case IASTUnaryExpression.op_sizeof -> {
                ExactType t = placeOf(x).map(ExactPlace::type).orElseGet(() -> value(x).type());
                yield ExactExpression.Whole.of(t.size(), ExactType.SIZE);
            }
            default -> throw new NotExact("'" + Nodes.text(u) + "'", u);
        };
    }

    private ExactExpression step(IASTExpression x, Operator operator, boolean old, IASTNode node) {
        ExactPlace p = place(x);
        ExactExpression one = p.type() instanceof ExactType.Real
                ? new ExactExpression.Floating(1, p.type())
                : ExactExpression.Whole.of(
                        1,
                        p.type() instanceof ExactType.Arbitrary
                                ? ExactType.Arbitrary.integer(1, false)
                                : ExactType.INT);
        return arithmetic.update(p, operator, one, old, node);
    }

    private ExactExpression binary(IASTBinaryExpression b) {
        int op = b.getOperator();
        if (op == IASTBinaryExpression.op_assign) {
            return assigned(b);
        }
        if (op >= IASTBinaryExpression.op_multiplyAssign && op <= IASTBinaryExpression.op_binaryOrAssign) {
            return arithmetic.update(
                    place(b.getOperand1()),
                    ExactArithmetic.operator(Operators.ofCompound(op), b),
                    value(b.getOperand2()),
                    false,
                    b);
        }
        if (op == IASTBinaryExpression.op_logicalAnd || op == IASTBinaryExpression.op_logicalOr) {
            return arithmetic.fromTruth(new ExactExpression.Both(
                    op == IASTBinaryExpression.op_logicalAnd, truth(b.getOperand1()), truth(b.getOperand2())));
        }
        if (op == IASTBinaryExpression.op_shiftLeft && isPrinted(b)) {
            return printed(b);
        }
        if (scope.cpp()
                && (op == IASTBinaryExpression.op_shiftLeft || op == IASTBinaryExpression.op_shiftRight)
                && placeOf(b.getOperand1()).orElse(null) instanceof ExactPlace p
                && p.type() instanceof ExactType.Stream) {
            return op == IASTBinaryExpression.op_shiftLeft
                    ? calls.write(p, b.getOperand2(), b)
                    : new ExactExpression.Store(place(b.getOperand2()), calls.read(p, b));
        }
        return arithmetic.binary(ExactArithmetic.operator(op, b), value(b.getOperand1()), value(b.getOperand2()), b);
    }

    private boolean isPrinted(IASTExpression e) {
        IASTExpression x = unwrapped(e);
        while (x instanceof IASTBinaryExpression b && b.getOperator() == IASTBinaryExpression.op_shiftLeft) {
            x = unwrapped(b.getOperand1());
        }
        return x instanceof IASTIdExpression id && ExactTypes.isPrinter(id.getExpressionType(), scope.instance.types());
    }

    /// `std::cout << a << b`: what is printed is not part of the result; what its calls and assignments do is.
    private ExactExpression printed(IASTBinaryExpression b) {
        var before = new ArrayList<ExactExpression>();
        for (IASTExpression x = b; unwrapped(x) instanceof IASTBinaryExpression p; x = p.getOperand1()) {
            IASTExpression shown = unwrapped(p.getOperand2());
            boolean mayAct = !(shown instanceof IASTLiteralExpression || shown instanceof IASTIdExpression)
                    && !(shown instanceof IASTFunctionCallExpression c
                            && MANIPULATORS.matcher(Nodes.text(c)).lookingAt());
            if (mayAct) {
                before.add(value(shown));
            }
        }
        return after(before.reversed(), ExactExpression.Whole.of(0, ExactType.INT));
    }

    private ExactExpression assigned(IASTBinaryExpression b) {
        ExactPlace to = place(b.getOperand1());
        if (b.getInitOperand2() instanceof ICPPASTInitializerList) {
            throw new NotExact("'" + Nodes.text(b) + "'", b);
        }
        ExactExpression v = value(b.getOperand2());
        return new ExactExpression.Store(
                to, to instanceof ExactPlace.Bits ? bits(v, to.type(), b) : arithmetic.convert(v, to.type(), b));
    }

    private ExactExpression bits(ExactExpression v, ExactType type, IASTNode node) {
        return v.type() instanceof ExactType.Arbitrary a && !a.fixed() && !(type instanceof ExactType.Bool)
                ? v
                : arithmetic.convert(v, type, node);
    }

    private ExactExpression choice(IASTConditionalExpression c) {
        ExactExpression condition = truth(c.getLogicalConditionExpression());
        ExactExpression then = value(
                c.getPositiveResultExpression() == null
                        ? c.getLogicalConditionExpression()
                        : c.getPositiveResultExpression());
        ExactExpression otherwise = value(c.getNegativeResultExpression());
        ExactType a = then.type();
        ExactType b = otherwise.type();
        ExactType t;
        if (a.equals(b)) {
            t = a;
        } else if (a instanceof ExactType.Arbitrary && b instanceof ExactType.Arbitrary) {
            throw new NotExact("a choice between numbers of different ap types", c);
        } else if (a instanceof ExactType.Arbitrary || b instanceof ExactType.Arbitrary) {
            // A number of C becomes the other, whose constructor takes it.
            t = a instanceof ExactType.Arbitrary ? a : b;
        } else if (ExactArithmetic.isNumber(a) && ExactArithmetic.isNumber(b)) {
            t = ExactArithmetic.common(a, b);
        } else {
            t = a instanceof ExactType.Pointer ? a : b;
        }
        return new ExactExpression.Choice(
                condition, arithmetic.convert(then, t, c), arithmetic.convert(otherwise, t, c), t);
    }

    /// Does `before` in order, then gives `value`.
    static ExactExpression after(List<ExactExpression> before, ExactExpression value) {
        ExactExpression all = value;
        for (ExactExpression e : new ArrayList<>(before).reversed()) {
            all = new ExactExpression.Sequence(e, all);
        }
        return all;
    }
}
