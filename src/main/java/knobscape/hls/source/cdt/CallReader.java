package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.hls.source.Access;
import knobscape.hls.source.BlockFunction;
import knobscape.hls.source.Expression;
import knobscape.hls.source.LinearForm;
import knobscape.hls.source.LinearForm.Operator;
import knobscape.hls.source.Location;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.ScalarType.Kind;
import knobscape.hls.source.Statement;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IFunction;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.ITypedef;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTLambdaExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateId;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPClassType;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPConstructor;
import org.jspecify.annotations.Nullable;

/// Reads calls: functions of the kernel, library functions that are operators, methods of streams and
/// arbitrary-precision types.
final class CallReader {
    private final FunctionContext context;
    private final Reading expressions;
    private final Locator locator;
    private final Memory memory;
    private final Arithmetic arithmetic;
    private final LambdaReader lambdas;
    private final StreamCalls streams;
    private final BodyCalls bodies;

    CallReader(FunctionContext context, Reading expressions, Locator locator, Memory memory, Arithmetic arithmetic) {
        this.context = context;
        this.expressions = expressions;
        this.locator = locator;
        this.memory = memory;
        this.arithmetic = arithmetic;
        this.lambdas = new LambdaReader(context, expressions, locator, memory);
        this.streams = new StreamCalls(context, expressions, locator, memory);
        this.bodies = new BodyCalls(context, expressions, locator, memory);
    }

    StreamCalls streams() {
        return streams;
    }

    /// A call whose value nobody uses.
    void forEffect(IASTFunctionCallExpression c) {
        String name = calleeName(c);
        if (KnownFunctions.ignored(name)
                && context.program.callee(c, context.instance).isEmpty()) {
            if (name.equals("assert")) {
                new Asserted(context, expressions).take(c);
            }
            return;
        }
        emit(read(c));
    }

    private static String calleeName(IASTFunctionCallExpression c) {
        IASTExpression e = Nodes.strip(c.getFunctionNameExpression());
        return e instanceof IASTIdExpression id
                ? id.getName().toString()
                : e instanceof IASTFieldReference f ? f.getFieldName().toString() : e == null ? "" : Nodes.text(e);
    }

    Value read(IASTFunctionCallExpression c) {
        IASTExpression name = Nodes.strip(c.getFunctionNameExpression());
        Optional<AccessorReader.Accessed> accessed = locator.accessed(c);
        if (accessed.isPresent()) {
            Located place = accessed.get().place();
            return accessed.get()
                    .stored()
                    .map(v -> memory.store(place, v, Access.Kind.WRITE, c))
                    .orElseGet(() -> memory.load(place, c, Access.Kind.READ));
        }
        Optional<Instance> callee = context.program.callee(c, context.instance);
        if (callee.isPresent()) {
            return internal(c, callee.get());
        }
        Optional<ICPPASTLambdaExpression> lambda = Nodes.lambda(name);
        if (lambda.isPresent()) {
            return lambdas.call(c, lambda.get());
        }
        IBinding binding = Nodes.binding(name);
        if (name instanceof IASTFieldReference f && !(binding instanceof IVariable)) {
            Optional<Value> v = method(c, f);
            if (v.isPresent()) {
                return v.get();
            }
        } else if (binding instanceof IVariable || !(name instanceof IASTIdExpression)) {
            return memory.load(locator.locate(c), c, Access.Kind.READ);
        } else if (binding instanceof ICPPConstructor k) {
            return construction(c, k.getClassOwner());
        } else if (binding instanceof ICPPClassType || binding instanceof ITypedef) {
            return construction(c, (IType) binding);
        }
        return external(c, calleeName(c), binding);
    }

    /// `ap_int<8>(x)`
    private Value construction(IASTFunctionCallExpression c, IType type) {
        ScalarType to = context.types.element(type);
        if (c.getArguments().length == 0) {
            return arithmetic.converted(Value.of(0), to);
        }
        if (to.kind() == Kind.STRUCT && c.getArguments().length > 1) {
            return expressions.joined(List.of(c.getArguments()), to);
        }
        Value v = expressions.read(c.getArguments()[0]);
        for (int i = 1; i < c.getArguments().length; i++) {
            expressions.read(c.getArguments()[i]);
        }
        return arithmetic.converted(v, to);
    }

    private Value external(IASTFunctionCallExpression c, String name, @Nullable IBinding binding) {
        String bare = name.substring(name.lastIndexOf(':') + 1);
        if ((bare.equals("real") || bare.equals("imag"))
                && c.getArguments().length == 1
                && c.getArguments()[0] instanceof IASTExpression e) {
            Optional<ScalarType> part = ComplexNumbers.part(context.types.element(e.getExpressionType()));
            if (part.isPresent()) {
                return part(e, part.get(), bare);
            }
        }
        if (bare.equals("size") && c.getArguments().length == 1 && c.getArguments()[0] instanceof IASTExpression e) {
            IType type = e.getExpressionType();
            Optional<Long> n = context.types
                    .size(type)
                    .or(() -> context.types.dims(type).stream().findFirst().filter(d -> d > 0));
            if (n.isPresent()) {
                return Value.of(n.get());
            }
        }
        var arguments = new ArrayList<Value>();
        var arrays = new ArrayList<String>();
        var changes = new ArrayList<BodyCalls.Change>();
        boolean constantArguments = true;
        for (IASTInitializerClause a : c.getArguments()) {
            if (a instanceof IASTExpression e && locator.isPointerLike(e)) {
                constantArguments = false;
                Located l = locator.locate(e);
                if (l instanceof Located.Row r) {
                    Access.Kind use = BlockFunction.use(name, arrays.size());
                    if (use != Access.Kind.READ) {
                        r.array().markWritten();
                    }
                    if (use != Access.Kind.WRITE) {
                        r.array().markRead();
                    }
                    arrays.add(r.array().id());
                    continue;
                }
                if (l instanceof Located.Scalar s) {
                    context.environment.forget(s.place());
                }
                continue;
            }
            Optional<Located.Element> set = a instanceof IASTExpression e
                    ? set(e, List.of(c.getArguments()).indexOf(a), bare, binding)
                    : Optional.empty();
            Value v = set.isPresent()
                    ? memory.load(set.get(), (IASTNode) a, Access.Kind.READ_WRITE)
                    : expressions.read(a);
            set.ifPresent(x -> changes.add(new BodyCalls.Change(x, x.element(), Access.Kind.READ_WRITE, (IASTNode) a)));
            constantArguments &= v.formula().number().isPresent();
            arguments.add(v);
        }
        context.assignments.places(c).forEach(context.environment::forget);
        Optional<OperationKind> kind = KnownFunctions.kind(name);
        if (kind.isPresent() && !arguments.isEmpty() && arrays.isEmpty()) {
            return operator(name, kind.get(), arguments);
        }
        Optional<Long> known = constantArguments || arguments.isEmpty() ? arithmetic.evaluated(c) : Optional.empty();
        if (known.isPresent()) {
            return Value.of(known.get());
        }
        ScalarType type = binding instanceof IFunction f && f.getType() != null
                ? context.types.element(f.getType().getReturnType())
                : new ScalarType(Kind.UNKNOWN, 32, 0, true, "unknown");
        if (binding == null) {
            context.notes()
                    .warn(
                            context.positions().of(c),
                            "function '" + name
                                    + "' is not declared; it is taken as an external one of unknown cost that leaves loop counters alone");
            undeclaredArguments(c);
        } else if (context.program.parsed().withoutBody().contains(binding)) {
            context.notes()
                    .warn(
                            context.positions().of(c),
                            "the body of function '" + name
                                    + "' is in none of the files read; it is taken as an external one of unknown cost");
        }
        Location at = context.positions().of(c);
        var call = new Value(
                new Expression.Invocation(
                        name, arguments.stream().map(Value::expression).toList(), arrays, true, type, at),
                context.unknown("computed by " + name, FunctionContext.narrow(type)));
        return changes.isEmpty() ? call : bodies.changed(name, call, changes, false, at);
    }

    /// An element that a function without a body here may set: it takes a reference that is not const, or is
    /// `std::swap`.
    private Optional<Located.Element> set(IASTExpression e, int index, String name, @Nullable IBinding function) {
        IType[] types = function instanceof IFunction f && f.getType() != null
                ? f.getType().getParameterTypes()
                : null;
        boolean sets = types == null
                ? name.equals("swap")
                : index < types.length && context.types.isWritableReference(types[index]);
        return sets && BodyCalls.isVariable(e) && locator.locate(e) instanceof Located.Element x
                ? Optional.of(x)
                : Optional.empty();
    }

    /// A template may not be found only because a name among its arguments is not: often a macro that is given from
    /// outside.
    private void undeclaredArguments(IASTFunctionCallExpression c) {
        c.getFunctionNameExpression().accept(new ASTVisitor() {
            {
                shouldVisitNames = true;
            }

            @Override
            public int visit(IASTName n) {
                if (n instanceof ICPPASTTemplateId t) {
                    for (IASTNode argument : t.getTemplateArguments()) {
                        argument.accept(new ASTVisitor() {
                            {
                                shouldVisitNames = true;
                            }

                            @Override
                            public int visit(IASTName inner) {
                                if (Nodes.binding(inner) == null) {
                                    context.notes()
                                            .warn(
                                                    context.positions().of(inner),
                                                    "'" + inner
                                                            + "' is not declared; is a header missing or a macro to be defined?");
                                }
                                return PROCESS_SKIP;
                            }
                        });
                    }
                    return PROCESS_SKIP;
                }
                return PROCESS_CONTINUE;
            }
        });
    }

    private Value operator(String name, OperationKind kind, List<Value> arguments) {
        ScalarType type = arguments.getFirst().type();
        for (Value v : arguments) {
            type = kind == OperationKind.MINMAX || kind == OperationKind.POW || kind == OperationKind.TRIG
                    ? context.program.widths().binary(OperationKind.SELECT, type, v.type())
                    : type;
        }
        if (KnownFunctions.single(name)) {
            type = new ScalarType(Kind.FLOAT, 32, 0, true, "float");
        } else if ((type.kind() == Kind.INTEGER || type.kind() == Kind.BOOL)
                && kind != OperationKind.MINMAX
                && kind != OperationKind.ABSOLUTE) {
            type = new ScalarType(Kind.DOUBLE, 64, 0, true, "double");
        }
        LinearForm f = context.unknown("computed by " + name);
        if (type.kind() == Kind.INTEGER && kind == OperationKind.MINMAX && arguments.size() == 2) {
            f = context.apply(
                    name.contains("min") ? Operator.MIN : Operator.MAX,
                    arguments.get(0).formula(),
                    arguments.get(1).formula());
        } else if (type.kind() == Kind.INTEGER && kind == OperationKind.ABSOLUTE) {
            LinearForm x = arguments.getFirst().formula();
            f = context.apply(
                    Operator.MAX, x, x.times(-1).orElseGet(() -> context.unknown("arithmetic that leaves 64 bits")));
        }
        return arithmetic.folded(kind, arguments, type, f);
    }

    /// A call of a function of this source.
    private Value internal(IASTFunctionCallExpression c, Instance callee) {
        boolean invoked = context.program.tasks().isInvoke(c);
        IASTExpression name = Nodes.strip(c.getFunctionNameExpression());
        if (invoked
                && name instanceof IASTFieldReference chain
                && Nodes.strip(chain.getFieldOwner()) instanceof IASTFunctionCallExpression before
                && context.program.tasks().isInvoke(before)) {
            forEffect(before);
        }
        Optional<IASTExpression> owner = invoked
                ? Optional.empty()
                : TaskCalls.isObject(c)
                        ? Optional.of(name)
                        : name instanceof IASTFieldReference f && !Nodes.isThis(f.getFieldOwner())
                                ? Optional.of(f.getFieldOwner())
                                : Optional.empty();
        return bodies.call(
                c,
                callee,
                invoked ? TaskCalls.behind(c.getArguments()) : c.getArguments(),
                owner,
                Optional.empty(),
                context.program.constants().call(c, context.types));
    }

    /// A task that its declaration starts: `hls::task t(f, a, b)`.
    ///
    /// @param given the function, and what it is given
    void task(IASTInitializerClause[] given) {
        Optional<Instance> callee = context.program.started(given[0], context.instance.arguments());
        if (callee.isPresent()) {
            emit(bodies.call(
                    given[0],
                    callee.get(),
                    TaskCalls.behind(given),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()));
        }
    }

    /// A constructor that a declaration runs on what it declares, or another constructor on a member.
    void construct(IASTNode d, Place place, Instance constructor, IASTInitializerClause[] given) {
        emit(bodies.call(d, constructor, given, Optional.empty(), Optional.of(place), Optional.empty()));
    }

    /// A call whose value nobody uses.
    private void emit(Value call) {
        if (call.expression() instanceof Expression.Invocation i) {
            context.emit(new Statement.Call(i, i.location()));
        }
    }

    /// Methods of streams, arbitrary-precision numbers and unknown classes.
    private Optional<Value> method(IASTFunctionCallExpression c, IASTFieldReference f) {
        // `in.read<T>()` takes another type than the stream's own.
        String method = Nodes.simple(f.getFieldName());
        IType ownerType = f.getFieldOwner().getExpressionType();
        boolean stream = ownerType != null
                && context.types
                        .streamElement(
                                context.types.isPointer(ownerType)
                                        ? context.types.target(ownerType).orElse(ownerType)
                                        : ownerType)
                        .isPresent();
        if (stream && locator.locate(f.getFieldOwner()) instanceof Located.Stream s) {
            return Optional.of(streams.method(c, s, method));
        }
        Optional<Value> channel = streams.ofMemory(c, f, method);
        if (channel.isPresent()) {
            return channel;
        }
        Optional<ScalarType> part = ownerType == null || c.getArguments().length > 0
                ? Optional.empty()
                : ComplexNumbers.part(context.types.element(ownerType));
        if (part.isPresent() && (method.equals("real") || method.equals("imag"))) {
            return Optional.of(part(f.getFieldOwner(), part.get(), method));
        }
        if (method.equals("size") || method.equals("length")) {
            Optional<Long> n = arithmetic
                    .evaluated(c)
                    .or(() -> ownerType == null ? Optional.empty() : context.types.size(ownerType));
            if (n.isPresent()) {
                return Optional.of(Value.of(n.get()));
            }
        }
        boolean number = ownerType != null
                && switch (context.types.element(ownerType).kind()) {
                    case INTEGER, BOOL, FIXED -> true;
                    default -> false;
                };
        if (number && method.startsWith("to_") && c.getArguments().length == 0) {
            ScalarType to = switch (method) {
                case "to_float" -> new ScalarType(Kind.FLOAT, 32, 0, true, "float");
                case "to_double" -> new ScalarType(Kind.DOUBLE, 64, 0, true, "double");
                case "to_uint" -> Widths.UNSIGNED;
                case "to_int" -> ScalarType.INT;
                default -> Widths.LONG;
            };
            return Optional.of(arithmetic.converted(expressions.read(f.getFieldOwner()), to));
        }
        Located whole = locator.locate(c);
        if (whole instanceof Located.Scalar || whole instanceof Located.Element) {
            return Optional.of(memory.load(whole, c, Access.Kind.READ));
        }
        if (ownerType != null
                && context.types.element(ownerType).kind() != Kind.STRUCT
                && context.types.element(ownerType).kind() != Kind.UNKNOWN) {
            Value v = expressions.read(f.getFieldOwner());
            for (IASTInitializerClause a : c.getArguments()) {
                expressions.read(a);
            }
            return Optional.of(new Value(
                    new Expression.Operation(OperationKind.LOGIC, List.of(v.expression()), Widths.BOOL),
                    context.unknown("computed by " + method)));
        }
        return Optional.empty();
    }

    private Value part(IASTExpression number, ScalarType part, String which) {
        return new Value(
                ComplexNumbers.take(expressions.read(number).expression(), part, which.equals("real") ? 0 : 1),
                context.unknown("part of a complex number"));
    }
}
