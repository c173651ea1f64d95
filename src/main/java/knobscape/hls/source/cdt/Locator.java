package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import knobscape.hls.source.ArrayVariable.Scope;
import knobscape.hls.source.LinearForm;
import knobscape.hls.source.Range;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.ScalarType.Kind;
import knobscape.hls.source.cdt.Located.Part;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTCastExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IParameter;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.internal.core.dom.parser.cpp.CPPPointerType;
import org.jspecify.annotations.Nullable;

/// Finds out which scalar, array element, row or stream an expression refers to.
final class Locator {
    private static final List<String> BITS = List.of("range", "bit", "get_bit", "test", "set_bit");
    private final FunctionContext context;
    private final Reading expressions;
    private final ArrayTable arrays;
    private final AccessorReader accessors;
    private final IdentityHashMap<IASTExpression, Boolean> pointerLike = new IdentityHashMap<>();

    Locator(FunctionContext context, Reading expressions, ArrayTable arrays) {
        this.context = context;
        this.expressions = expressions;
        this.arrays = arrays;
        this.accessors = new AccessorReader(context, this);
    }

    /// What `expression` refers to; indices in it are read (and their side effects happen) once.
    Located locate(IASTExpression expression) {
        IASTExpression e = Nodes.strip(expression);
        return switch (e) {
            case IASTIdExpression id -> variable(context.types.resolved(Nodes.binding(id)));
            case IASTFieldReference f -> field(f);
            case IASTArraySubscriptExpression s -> subscript(s);
            case IASTUnaryExpression u when u.getOperator() == IASTUnaryExpression.op_star -> dereferenced(u);
            case IASTUnaryExpression u when u.getOperator() == IASTUnaryExpression.op_amper -> address(u);
            case IASTUnaryExpression u
            when u.getOperator() == IASTUnaryExpression.op_postFixIncr
                    || u.getOperator() == IASTUnaryExpression.op_postFixDecr
                    || u.getOperator() == IASTUnaryExpression.op_prefixIncr
                    || u.getOperator() == IASTUnaryExpression.op_prefixDecr -> stepped(u);
            case IASTBinaryExpression b
            when b.getOperator() == IASTBinaryExpression.op_plus || b.getOperator() == IASTBinaryExpression.op_minus ->
                moved(b);
            case IASTCastExpression c -> locate(c.getOperand());
            case IASTFunctionCallExpression c -> call(c);
            case null, default -> new Located.Nowhere("an expression that is no variable");
        };
    }

    Located variable(@Nullable IBinding binding) {
        if (!(binding instanceof IVariable v)) {
            return new Located.Nowhere("a name that is not declared");
        }
        Located alias = context.aliases.get(v);
        if (alias != null) {
            return alias;
        }
        return of(Place.of(v), v.getType());
    }

    /// What a variable or member of this type is.
    private Located of(Place place, IType type) {
        Types types = context.types;
        if (types.streamElement(types.innermost(pointee(type))).isPresent()) {
            ArrayInfo stream = arrays.stream(place, type);
            return types.isArray(type)
                    ? new Located.Row(stream, List.of(), LinearForm.ZERO, type)
                    : new Located.Stream(stream, List.of());
        }
        if (types.isArray(type)) {
            return new Located.Row(arrays.array(place, type), List.of(), LinearForm.ZERO, type);
        }
        if (types.isPointer(type)) {
            Optional<Environment.Pointer> known = context.environment.pointer(place);
            if (known.isPresent()) {
                return row(known.get(), type);
            }
            if (context.instance.isArrayPointer(place, context.program)) {
                boolean unsure = place.root() instanceof IParameter
                        ? context.instance.isReplaced(place)
                        : !arrays.has(place) && !context.program.isPointed(place.root());
                if (unsure && place.path().isEmpty()) {
                    context.notes()
                            .warn(
                                    context.positions().of(context.instance.innermostName()),
                                    "where pointer '" + place.name() + "' of '" + context.instance.name()
                                            + "' points is not always known; what it reaches there is shown as an array of its own");
                }
                return new Located.Row(
                        arrays.pointer(place, type),
                        List.of(),
                        context.instance.isChanged(place)
                                ? context.unknown("reached through the moving pointer " + place.name())
                                : LinearForm.ZERO,
                        type);
            }
        }
        return new Located.Scalar(place, type, scalarType(place, type), Part.WHOLE);
    }

    private IType pointee(IType type) {
        return context.types.isPointer(type) ? context.types.target(type).orElse(type) : type;
    }

    private ScalarType scalarType(Place place, IType type) {
        return context.instance.declaredType(place, type);
    }

    private Located row(Environment.Pointer p, IType type) {
        List<Value> before = p.before().stream()
                .map(f -> new Value(new knobscape.hls.source.Expression.Constant(Double.NaN, ScalarType.INT), f))
                .toList();
        return new Located.Row(p.array(), before, p.offset(), type);
    }

    /// A member of an object that lies at `owner`.
    Located member(Located owner, String name, IType type) {
        return switch (owner) {
            case Located.Scalar s -> of(s.place().member(name), type);
            case Located.Element e ->
                context.types.isArray(type)
                        ? new Located.Row(arrays.member(e.array(), name, type), e.indices(), LinearForm.ZERO, type)
                        : new Located.Element(e.array(), e.indices(), type, context.types.element(type), Part.FIELD);
            // p->f is p[0].f
            case Located.Row r
            when context.types.isPointer(r.type()) && indexed(r, Value.of(0)) instanceof Located.Element e ->
                member(e, name, type);
            default -> new Located.Nowhere("a member of something not understood");
        };
    }

    /// What a call or subscript stands for that only says where in its object something lies, or puts it there.
    Optional<AccessorReader.Accessed> accessed(IASTExpression e) {
        return context.program.overloads().accessor(e, context.instance).map(method -> {
            IASTExpression called = e instanceof IASTArraySubscriptExpression s
                    ? s.getArrayExpression()
                    : Nodes.strip(((IASTFunctionCallExpression) e).getFunctionNameExpression());
            IASTInitializerClause[] arguments = e instanceof IASTArraySubscriptExpression s
                    ? new IASTInitializerClause[] {s.getArgument()}
                    : ((IASTFunctionCallExpression) e).getArguments();
            Optional<IASTExpression> object = e instanceof IASTFunctionCallExpression c && !TaskCalls.isObject(c)
                    ? called instanceof IASTFieldReference f && !Nodes.isThis(f.getFieldOwner())
                            ? Optional.of(f.getFieldOwner())
                            : Optional.empty()
                    : Optional.of(called);
            return accessors.locate(
                    method,
                    object.map(this::locate),
                    object.map(IASTExpression::getExpressionType)
                            .map(this::pointee)
                            .orElse(null),
                    arguments,
                    expressions);
        });
    }

    private Located subscript(IASTArraySubscriptExpression s) {
        Optional<AccessorReader.Accessed> accessed = accessed(s);
        if (accessed.isPresent()) {
            return accessed.get().place();
        }
        Located base = locate(s.getArrayExpression());
        if (!(s.getArgument() instanceof IASTExpression argument)) {
            return new Located.Nowhere("a subscript that is a list");
        }
        return switch (base) {
            case Located.Row r -> indexed(r, expressions.read(argument));
            case Located.Element e -> {
                expressions.read(argument);
                yield new Located.Element(e.array(), e.indices(), e.type(), bitsOf(e.type(), e.element()), Part.BITS);
            }
            case Located.Scalar c
            when context.program.overloads().hasSubscript(s, context.instance) -> {
                expressions.read(argument);
                yield new Located.Nowhere("a subscript of an object");
            }
            case Located.Scalar c -> {
                expressions.read(argument);
                // A pointer to one scalar with a subscript is that scalar; anything else is a bit or lane.
                yield new Located.Scalar(c.place(), c.type(), bitsOf(c.type(), c.element()), Part.BITS);
            }
            case Located.Stream st -> {
                // A parameter that is an array of streams is a pointer to one.
                var indices = new ArrayList<>(st.indices());
                Value index = expressions.read(argument);
                if (indices.size() < st.array().dims().size()) {
                    indices.add(index);
                }
                yield new Located.Stream(st.array(), indices);
            }
            case Located.Nowhere n -> {
                expressions.read(argument);
                yield n;
            }
        };
    }

    /// One bit of an integer, one lane of a vector.
    private ScalarType bitsOf(IType type, ScalarType whole) {
        if (context.types.isNamed(type, "vector")) {
            return context.types
                    .composite(type)
                    .filter(c -> c instanceof org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateInstance)
                    .map(c -> ((org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateInstance) c)
                            .getTemplateArguments()[0].getTypeValue())
                    .map(context.types::element)
                    .orElse(whole);
        }
        return whole.kind() == Kind.INTEGER || whole.kind() == Kind.FIXED ? Widths.BOOL : whole;
    }

    Located indexed(Located.Row r, Value index) {
        var indices = new ArrayList<>(r.indices());
        LinearForm f = r.offset().is(0) ? index.formula() : context.add(r.offset(), index.formula());
        if (walksOverRows(r, f)) {
            List<LinearForm> parts = f.split(r.array().dims().subList(0, indices.size() + 1), context)
                    .orElseGet(
                            () -> Collections.nCopies(indices.size() + 1, context.unknown("walks over several rows")));
            for (int i = 0; i < indices.size(); i++) {
                indices.set(i, new Value(indices.get(i).expression(), parts.get(i)));
            }
            f = parts.getLast();
        }
        indices.add(new Value(index.expression(), f));
        IType inner = context.types.target(r.type()).orElse(r.type());
        return below(r.array(), indices, inner);
    }

    /// Whether the index leaves the first row: `p = &a[0][0]` and `p[i]` for all elements of all rows.
    private boolean walksOverRows(Located.Row r, LinearForm index) {
        int at = r.indices().size();
        List<Long> dims = r.array().dims();
        if (at == 0
                || at >= dims.size()
                || dims.get(at) <= 0
                || !context.types.isPointer(r.type())
                || r.indices().stream().anyMatch(i -> !i.formula().is(0))) {
            return false;
        }
        Range range = index.range(context);
        return range.bounded()
                ? range.max() >= dims.get(at)
                : !r.offset().range(context).bounded();
    }

    private Located below(ArrayInfo array, List<Value> indices, IType type) {
        if (context.types.isArray(type) || context.types.isPointer(type)) {
            return new Located.Row(array, indices, LinearForm.ZERO, type);
        }
        if (array.scope() == Scope.STREAM) {
            return new Located.Stream(array, indices);
        }
        return new Located.Element(
                array,
                indices,
                type,
                type == array.elementType() ? array.element() : elementOf(array, type),
                Part.WHOLE);
    }

    private ScalarType elementOf(ArrayInfo array, IType type) {
        ScalarType e = context.types.element(type);
        return e.kind() == array.element().kind() && e.bits() == array.element().bits() ? array.element() : e;
    }

    private Located field(IASTFieldReference f) {
        IBinding member = Nodes.binding(f);
        IType type = member instanceof IVariable v ? v.getType() : null;
        String name = f.getFieldName().toString();
        if (Nodes.isThis(f.getFieldOwner())) {
            return variable(member);
        }
        Located owner = locate(f.getFieldOwner());
        if (type == null) {
            return switch (owner) {
                case Located.Element e ->
                    new Located.Element(e.array(), e.indices(), e.type(), unknownMember(f), Part.FIELD);
                case Located.Scalar s ->
                    new Located.Scalar(s.place().member(name), s.type(), unknownMember(f), Part.WHOLE);
                default -> new Located.Nowhere("a member of something not understood");
            };
        }
        return member(owner, name, type);
    }

    private ScalarType unknownMember(IASTFieldReference f) {
        return new ScalarType(Kind.UNKNOWN, 32, 0, true, f.getFieldName().toString());
    }

    private Located dereferenced(IASTUnaryExpression u) {
        Located pointer = locate(u.getOperand());
        Optional<IType> seen =
                context.types.target(u.getOperand().getExpressionType()).filter(context.types::isArrayObject);
        return switch (pointer) {
            // `*(std::array<int, 8> *) row`
            case Located.Row r
            when seen.isPresent()
                    && r.offset().is(0)
                    && context.types
                            .target(r.type())
                            .filter(context.types::isArrayObject)
                            .isEmpty() -> new Located.Row(r.array(), r.indices(), LinearForm.ZERO, seen.get());
            case Located.Row r -> indexed(r, Value.of(0));
            // The other name of a variable: `T *p = &x`.
            case Located.Scalar s when !context.types.isPointer(s.type()) -> s;
            case Located.Scalar s -> {
                IType target = context.types.target(s.type()).orElse(s.type());
                yield new Located.Scalar(
                        new Place(s.place().root(), s.place().path() + "*"),
                        target,
                        scalarType(s.place(), target),
                        Part.WHOLE);
            }
            default -> pointer;
        };
    }

    /// `&a[i]` points into a; `&x` is x.
    private Located address(IASTUnaryExpression u) {
        return address(locate(u.getOperand()));
    }

    Located address(Located target) {
        if (target instanceof Located.Element e
                && e.part() == Part.WHOLE
                && !e.indices().isEmpty()) {
            Value last = e.indices().getLast();
            return new Located.Row(
                    e.array(),
                    e.indices().subList(0, e.indices().size() - 1),
                    last.formula(),
                    new CPPPointerType(e.type()));
        }
        if (target instanceof Located.Row r
                && !r.indices().isEmpty()
                && r.offset().is(0)) {
            Value last = r.indices().getLast();
            return new Located.Row(
                    r.array(),
                    r.indices().subList(0, r.indices().size() - 1),
                    last.formula(),
                    new CPPPointerType(r.type()));
        }
        return target;
    }

    /// `*p++` and the like: the pointer moves, the value is the old or the new one.
    private Located stepped(IASTUnaryExpression u) {
        Located before = locate(u.getOperand());
        if (before instanceof Located.Row r) {
            boolean postfix = u.getOperator() == IASTUnaryExpression.op_postFixIncr
                    || u.getOperator() == IASTUnaryExpression.op_postFixDecr;
            movePointer(
                    u.getOperand(),
                    r,
                    u.getOperator() == IASTUnaryExpression.op_postFixIncr
                                    || u.getOperator() == IASTUnaryExpression.op_prefixIncr
                            ? 1
                            : -1);
            return postfix ? before : locate(u.getOperand());
        }
        return new Located.Nowhere("an increment that is no variable");
    }

    /// `p++` on a pointer.
    private void movePointer(IASTExpression pointer, Located.Row row, long by) {
        context.assignments
                .place(pointer)
                .ifPresent(p -> context.later(() -> context.environment.set(
                        p,
                        new Environment.Pointer(
                                row.array(),
                                row.indices().stream().map(Value::formula).toList(),
                                context.add(row.offset(), LinearForm.of(by))))));
    }

    private Located moved(IASTBinaryExpression b) {
        Located left = isPointerLike(b.getOperand1()) ? locate(b.getOperand1()) : new Located.Nowhere("");
        if (left instanceof Located.Row r) {
            Value by = expressions.read(b.getOperand2());
            LinearForm offset = b.getOperator() == IASTBinaryExpression.op_plus
                    ? context.add(r.offset(), by.formula())
                    : context.subtract(r.offset(), by.formula());
            return new Located.Row(r.array(), r.indices(), offset, r.type());
        }
        if (b.getOperator() == IASTBinaryExpression.op_plus
                && isPointerLike(b.getOperand2())
                && locate(b.getOperand2()) instanceof Located.Row r) {
            Value by = expressions.read(b.getOperand1());
            return new Located.Row(r.array(), r.indices(), context.add(r.offset(), by.formula()), r.type());
        }
        return new Located.Nowhere("an expression that is no variable");
    }

    /// Whether the expression can be an address, evaluated without reading it.
    boolean isPointerLike(IASTExpression expression) {
        IASTExpression e = Nodes.strip(expression);
        // Remembered, since long sums ask at every level.
        Boolean known = pointerLike.get(e);
        if (known == null) {
            known = readPointerLike(e);
            pointerLike.put(e, known);
        }
        return known;
    }

    private boolean readPointerLike(IASTExpression e) {
        return switch (e) {
            case IASTIdExpression id ->
                Nodes.binding(id) instanceof IVariable v
                        && (context.types.isArray(v.getType())
                                || context.types.isPointer(v.getType())
                                || context.aliases.get(v) instanceof Located.Row);
            case IASTFieldReference f ->
                Nodes.binding(f) instanceof IVariable v
                        && (context.types.isArray(v.getType()) || context.types.isPointer(v.getType()));
            case IASTUnaryExpression u ->
                u.getOperator() == IASTUnaryExpression.op_amper
                        || (u.getOperator() >= IASTUnaryExpression.op_postFixIncr && isPointerLike(u.getOperand()))
                        || (u.getOperator() <= IASTUnaryExpression.op_prefixDecr && isPointerLike(u.getOperand()))
                        || (u.getOperator() == IASTUnaryExpression.op_star
                                && context.types
                                        .target(u.getOperand().getExpressionType())
                                        .filter(this::isAddress)
                                        .isPresent());
            case IASTArraySubscriptExpression s -> isAddress(s.getExpressionType());
            case IASTBinaryExpression b ->
                (b.getOperator() == IASTBinaryExpression.op_plus || b.getOperator() == IASTBinaryExpression.op_minus)
                        && (isPointerLike(b.getOperand1()) != isPointerLike(b.getOperand2()));
            case IASTCastExpression c -> isPointerLike(c.getOperand());
            case null, default -> false;
        };
    }

    private boolean isAddress(IType type) {
        return type != null && (context.types.isArray(type) || context.types.isPointer(type));
    }

    /// Methods that give a part of their object: `x.range(7, 0)`, `a[i].bit(3)`; `x(7, 0)` too.
    private Located call(IASTFunctionCallExpression c) {
        Optional<AccessorReader.Accessed> accessed = accessed(c);
        if (accessed.isPresent()) {
            return accessed.get().place();
        }
        IASTExpression name = Nodes.strip(c.getFunctionNameExpression());
        Optional<Located> object = Optional.empty();
        if (name instanceof IASTFieldReference f
                && BITS.contains(f.getFieldName().toString())) {
            object = Optional.of(locate(f.getFieldOwner()));
        } else if (name instanceof IASTArraySubscriptExpression
                || ((name instanceof IASTIdExpression || name instanceof IASTFieldReference)
                        && Nodes.binding(name) instanceof IVariable)) {
            object = Optional.of(locate(name));
        }
        if (object.isPresent()) {
            for (var argument : c.getArguments()) {
                if (argument instanceof IASTExpression e) {
                    expressions.read(e);
                }
            }
        }
        return switch (object.orElse(new Located.Nowhere("a call"))) {
            // An object whose operator() is not known here, no number of which bits are taken.
            case Located.Scalar s
            when s.element().kind() == ScalarType.Kind.STRUCT && s.part() == Part.WHOLE ->
                new Located.Nowhere("a call of an object");
            case Located.Scalar s -> new Located.Scalar(s.place(), s.type(), s.element(), Part.BITS);
            case Located.Element e -> new Located.Element(e.array(), e.indices(), e.type(), e.element(), Part.BITS);
            default -> new Located.Nowhere("a call");
        };
    }
}
