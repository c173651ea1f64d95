package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTCastExpression;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionStatement;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.ICompositeType;
import org.eclipse.cdt.core.dom.ast.IField;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPMember;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateNonTypeParameter;
import org.eclipse.cdt.internal.core.dom.parser.ValueFactory;
import org.jspecify.annotations.Nullable;

/// Methods that only say where something lies (`T &operator()(int i, int j) { return data[i][j]; }`), or put a value
/// there (`void set(int i, T v) { data[i] = v; }`): a call stands for the member of its object. Indices may be computed
/// from the parameters and constants of the class.
final class AccessorReader {
    private static final int MAX_DEPTH = 8;
    private final FunctionContext context;
    private final Locator locator;
    private final Arithmetic arithmetic;

    AccessorReader(FunctionContext context, Locator locator) {
        this.context = context;
        this.locator = locator;
        this.arithmetic = new Arithmetic(context);
    }

    /// What a call stands for.
    ///
    /// @param stored what it puts there
    record Accessed(Located place, Optional<Value> stored) {}

    /// Whether a method is one.
    static boolean isAccessor(Instance method, Program program) {
        return method.isMethod()
                && (returned(method).filter(e -> isPlace(e, method, program, 0)).isPresent()
                        || assigned(method)
                                .filter(b -> isPlace(b.getOperand1(), method, program, 0)
                                        && isComputed(b.getOperand2(), method))
                                .isPresent());
    }

    private static Optional<IASTStatement> only(Instance method) {
        return method.definition().getBody() instanceof IASTCompoundStatement b && b.getStatements().length == 1
                ? Optional.of(b.getStatements()[0])
                : Optional.empty();
    }

    private static Optional<IASTExpression> returned(Instance method) {
        return only(method)
                .flatMap(s -> s instanceof IASTReturnStatement r && r.getReturnValue() != null
                        ? Optional.of(Nodes.strip(r.getReturnValue()))
                        : Optional.empty());
    }

    private static Optional<IASTBinaryExpression> assigned(Instance method) {
        return only(method)
                .flatMap(s -> s instanceof IASTExpressionStatement x
                                && Nodes.strip(x.getExpression()) instanceof IASTBinaryExpression b
                                && b.getOperator() == IASTBinaryExpression.op_assign
                                && b.getOperand2() != null
                        ? Optional.of(b)
                        : Optional.empty());
    }

    private static boolean isPlace(IASTExpression expression, Instance method, Program program, int depth) {
        IASTExpression e = Nodes.strip(expression);
        return switch (e) {
            case IASTArraySubscriptExpression s ->
                s.getArgument() instanceof IASTExpression index
                        && isPlace(s.getArrayExpression(), method, program, depth)
                        && isComputed(index, method);
            case IASTUnaryExpression u
            when u.getOperator() == IASTUnaryExpression.op_amper -> isPlace(u.getOperand(), method, program, depth);
            case IASTFunctionCallExpression c ->
                depth < MAX_DEPTH
                        && ownCall(c, method, program)
                                .flatMap(AccessorReader::returned)
                                .filter(r ->
                                        isPlace(r, ownCall(c, method, program).orElseThrow(), program, depth + 1))
                                .isPresent()
                        && List.of(c.getArguments()).stream()
                                .allMatch(a -> a instanceof IASTExpression x && isComputed(x, method));
            case null -> false;
            default -> member(e).isPresent();
        };
    }

    /// The method that a method calls of its own object.
    private static Optional<Instance> ownCall(IASTFunctionCallExpression c, Instance method, Program program) {
        IASTExpression name = Nodes.strip(c.getFunctionNameExpression());
        boolean own = name instanceof IASTIdExpression
                || (name instanceof IASTFieldReference f && Nodes.isThis(f.getFieldOwner()));
        return own ? program.callee(c, method).filter(Instance::isMethod) : Optional.empty();
    }

    /// The member of the object that an expression names.
    private static Optional<IBinding> member(IASTExpression e) {
        boolean named =
                e instanceof IASTIdExpression || (e instanceof IASTFieldReference f && Nodes.isThis(f.getFieldOwner()));
        return named && Nodes.binding(e) instanceof IField f && !f.isStatic() && f instanceof ICPPMember
                ? Optional.of(f)
                : Optional.empty();
    }

    private static boolean isComputed(IASTExpression expression, Instance method) {
        IASTExpression e = Nodes.strip(expression);
        return switch (e) {
            case IASTLiteralExpression l -> true;
            case IASTCastExpression c -> isComputed(c.getOperand(), method);
            case IASTBinaryExpression b ->
                b.getOperator() <= IASTBinaryExpression.op_shiftRight
                        && b.getOperand2() != null
                        && isComputed(b.getOperand1(), method)
                        && isComputed(b.getOperand2(), method);
            case IASTIdExpression id -> {
                IBinding b = Nodes.binding(id);
                yield b instanceof ICPPTemplateNonTypeParameter
                        || (b instanceof IVariable v
                                && (FunctionReader.parameters(method).contains(v)
                                        || (v.isStatic() && method.types().isConst(v.getType()))));
            }
            case null, default -> false;
        };
    }

    /// What a call of an accessor stands for; its arguments are read.
    ///
    /// @param owner its object; empty within a method of the same object
    /// @param type of the object
    Accessed locate(
            Instance method,
            Optional<Located> owner,
            @Nullable IType type,
            IASTInitializerClause[] arguments,
            Reading expressions) {
        var given = new ArrayList<Value>();
        for (IASTInitializerClause a : arguments) {
            given.add(expressions.read(a));
        }
        Optional<IASTBinaryExpression> assigned = assigned(method);
        return new Accessed(
                place(
                        assigned.map(IASTBinaryExpression::getOperand1)
                                .or(() -> returned(method))
                                .orElseThrow(),
                        method,
                        owner,
                        type,
                        given),
                assigned.map(b -> computed(b.getOperand2(), method, given)));
    }

    private Located place(
            IASTExpression expression,
            Instance method,
            Optional<Located> owner,
            @Nullable IType type,
            List<Value> given) {
        IASTExpression e = Nodes.strip(expression);
        if (e instanceof IASTArraySubscriptExpression s && s.getArgument() instanceof IASTExpression index) {
            Located base = place(s.getArrayExpression(), method, owner, type, given);
            return base instanceof Located.Row r
                    ? locator.indexed(r, computed(index, method, given))
                    : new Located.Nowhere("a call of an object");
        }
        if (e instanceof IASTUnaryExpression u) {
            return locator.address(place(u.getOperand(), method, owner, type, given));
        }
        if (e instanceof IASTFunctionCallExpression c) {
            Instance inner = ownCall(c, method, context.program).orElseThrow();
            var passed = new ArrayList<Value>();
            for (IASTInitializerClause a : c.getArguments()) {
                passed.add(computed((IASTExpression) a, method, given));
            }
            return place(returned(inner).orElseThrow(), inner, owner, type, passed);
        }
        IBinding field = member(e).orElseThrow();
        if (owner.isEmpty()) {
            return locator.variable(field);
        }
        Optional<IField> known = context.types.composite(type).map((ICompositeType t) -> t.findField(field.getName()));
        return known.isEmpty()
                ? new Located.Nowhere("a call of an object")
                : locator.member(owner.get(), field.getName(), known.get().getType());
    }

    private Value computed(IASTExpression expression, Instance method, List<Value> given) {
        IASTExpression e = Nodes.strip(expression);
        if (e instanceof IASTCastExpression c) {
            return computed(c.getOperand(), method, given);
        }
        if (e instanceof IASTBinaryExpression b) {
            return arithmetic.operation(
                    b.getOperator(),
                    computed(b.getOperand1(), method, given),
                    computed(b.getOperand2(), method, given),
                    e);
        }
        IBinding binding = Nodes.binding(e);
        List<IVariable> parameters = FunctionReader.parameters(method);
        int at = binding instanceof IVariable v ? parameters.indexOf(v) : -1;
        if (at >= 0 && at < given.size()) {
            return arithmetic.converted(
                    given.get(at), method.types().element(parameters.get(at).getType()));
        }
        return number(e, binding, method)
                .map(Value::of)
                .orElseGet(() -> arithmetic.opaque(e, "a constant that is not known here"));
    }

    private Optional<Long> number(IASTExpression e, @Nullable IBinding binding, Instance method) {
        if (binding instanceof ICPPTemplateNonTypeParameter) {
            return method.types().argumentOf(binding);
        }
        return binding instanceof IVariable v
                ? context.program
                        .constants()
                        .of(Place.of(v), v.getType(), method.types(), x -> number(x, Nodes.binding(x), method))
                : method.types().evaluated(ValueFactory.create(e));
    }
}
