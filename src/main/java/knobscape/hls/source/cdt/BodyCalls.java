package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.hls.source.Access;
import knobscape.hls.source.Expression;
import knobscape.hls.source.LinearForm;
import knobscape.hls.source.Location;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.ScalarType.Kind;
import knobscape.hls.source.Statement;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.IVariable;

/// Calls of functions whose bodies are there: what they get by value, by reference and by address, and what they leave
/// in it.
final class BodyCalls {
    private final FunctionContext context;
    private final Reading expressions;
    private final Locator locator;
    private final Memory memory;

    BodyCalls(FunctionContext context, Reading expressions, Locator locator, Memory memory) {
        this.context = context;
        this.expressions = expressions;
        this.locator = locator;
        this.memory = memory;
    }

    /// What a call changes.
    ///
    /// @param at the argument that names it
    record Change(Located target, ScalarType type, Access.Kind kind, IASTNode at) {}

    /// What the callee gets, as it is collected argument by argument.
    private static final class Passed {
        final List<Expression> values = new ArrayList<>();
        final List<String> arrays = new ArrayList<>();
        final List<CallSite.Actual> actuals = new ArrayList<>();
        final List<Change> changes = new ArrayList<>();

        void value(Value v) {
            values.add(v.expression());
            actuals.add(new CallSite.Number(v.formula()));
        }
    }

    /// @param owner the object that a method is called of
    /// @param made the object that a constructor makes
    /// @param known the value, where it is a constant
    Value call(
            IASTNode c,
            Instance callee,
            IASTInitializerClause[] arguments,
            Optional<IASTExpression> owner,
            Optional<Place> made,
            Optional<Long> known) {
        var passed = new Passed();
        List<IVariable> formals = FunctionReader.parameters(callee);
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] instanceof IASTExpression e) {
                pass(e, callee, i < formals.size() ? Optional.of(formals.get(i)) : Optional.empty(), passed);
            } else {
                passed.value(expressions.read(arguments[i]));
            }
        }
        Optional<Located> object = owner.map(locator::locate);
        object.ifPresent(o -> object(o, owner.orElseThrow(), callee, passed));
        Optional<CallSite.Actual> self =
                made.<CallSite.Actual>map(CallSite.Struct::new).or(() -> object.flatMap(this::self));
        context.assignments.places(c).forEach(context.environment::forget);
        context.environment.forgetGlobals(context.program.declarations());
        Location at = context.positions().of(c);
        context.program.called(new CallSite(context.instance, callee, passed.actuals, self, at));
        boolean stored = known.isEmpty()
                && passed.changes.size() == 1
                && callee.returnType().spelling().equals("void");
        ScalarType type = stored ? passed.changes.getFirst().type() : callee.returnType();
        LinearForm formula = known.map(LinearForm::of)
                .orElseGet(() -> context.unknown("computed by " + callee.name(), FunctionContext.narrow(type)));
        var call = new Value(
                new Expression.Invocation(callee.name(), passed.values, passed.arrays, false, type, at), formula);
        if (passed.changes.isEmpty()) {
            return call;
        }
        return changed(callee.name(), call, passed.changes, stored, at);
    }

    /// The object of a method, or the array of which it is an element.
    private Optional<CallSite.Actual> self(Located object) {
        return switch (object) {
            case Located.Scalar s -> Optional.of(new CallSite.Struct(s.place()));
            case Located.Element e -> Optional.of(new CallSite.Element(e.array()));
            case Located.Row r when context.types.isPointer(r.type()) -> Optional.of(new CallSite.Element(r.array()));
            default -> Optional.empty();
        };
    }

    /// Stores what a call leaves in the variables and elements that it got by reference or address. What it gives
    /// besides, and what several share, is kept in between.
    Value changed(String callee, Value call, List<Change> changes, boolean stored, Location at) {
        Expression result = call.expression();
        if (!stored) {
            String kept = "result of " + callee + " at " + at.offset();
            context.emit(new Statement.AssignScalar(kept, call.type(), call.expression(), at));
            result = new Expression.ScalarRead(kept, call.type());
        }
        for (Change change : changes) {
            Expression value = result instanceof Expression.ScalarRead kept
                    ? new Expression.ScalarRead(kept.variable(), change.type())
                    : result;
            memory.store(
                    change.target(),
                    new Value(value, context.unknown("set by " + callee, FunctionContext.narrow(change.type()))),
                    change.kind(),
                    change.at());
        }
        return stored
                ? new Value(new Expression.Constant(0, call.type()), call.formula())
                : new Value(result, call.formula());
    }

    private void pass(IASTExpression e, Instance callee, Optional<IVariable> formal, Passed passed) {
        Optional<Located> pointedAt = isAddressOf(e)
                ? Optional.of(locator.locate(((IASTUnaryExpression) Nodes.strip(e)).getOperand()))
                : Optional.empty();
        Optional<Located> object = pointedAt
                .map(locator::address)
                .or(() -> isObject(e) ? Optional.of(locator.locate(e)) : Optional.empty());
        object.filter(o -> o instanceof Located.Element x && context.types.holdsStream(x.type()))
                .ifPresent(_ -> context.notes()
                        .warn(
                                context.positions().of(e),
                                "'" + Nodes.text(e) + "' has a stream of its own; what '" + callee.name()
                                        + "' does with it is not followed"));
        Optional<Located> single = formal.flatMap(f -> single(e, pointedAt.or(() -> object), f, callee));
        if (single.isPresent() && single.get() instanceof Located.Element x) {
            element(e, x, callee.use(formal.orElseThrow(), context.program), passed);
            return;
        }
        switch (object.orElse(new Located.Nowhere(""))) {
            case Located.Row r -> {
                passed.arrays.add(r.array().id());
                passed.actuals.add(new CallSite.Array(
                        r.array(), r.indices().size(), r.offset().is(0) && !pointsInside(e)));
            }
            case Located.Stream s -> {
                passed.arrays.add(s.array().id());
                passed.actuals.add(new CallSite.Array(s.array(), s.indices().size(), true));
            }
            case Located.Scalar s
            when isAddressOf(e) || context.types.composite(pointee(s.type())).isPresent() -> {
                passed.values.add(new Expression.ScalarRead(s.place().name(), s.element()));
                passed.actuals.add(new CallSite.Struct(s.place()));
            }
            default -> passed.value(expressions.read(e));
        }
        single.filter(s -> s instanceof Located.Scalar x
                        && x.part() == Located.Part.WHOLE
                        && context.types.composite(pointee(x.type())).isEmpty())
                .map(Located.Scalar.class::cast)
                .ifPresent(s -> callee.use(formal.orElseThrow(), context.program)
                        .filter(k -> k != Access.Kind.READ)
                        .ifPresent(k -> passed.changes.add(new Change(s, s.element(), k, e))));
    }

    /// The one variable or element that the callee gets by reference or by address.
    ///
    /// @param object what the argument names or points at
    private Optional<Located> single(IASTExpression e, Optional<Located> object, IVariable formal, Instance callee) {
        IType type = formal.getType();
        if (callee.types().isWritableReference(type)) {
            return object.or(() -> isVariable(e) ? Optional.of(locator.locate(e)) : Optional.empty());
        }
        return callee.types().isPointer(type) && !callee.isArrayPointer(Place.of(formal), context.program)
                ? object.map(o -> o instanceof Located.Row r ? locator.indexed(r, Value.of(0)) : o)
                : Optional.empty();
    }

    private IType pointee(IType type) {
        return context.types.isPointer(type) ? context.types.target(type).orElse(type) : type;
    }

    /// A method of an element of an array, which may read and change it.
    private void object(Located owner, IASTExpression e, Instance method, Passed passed) {
        Located whole = owner instanceof Located.Row r && context.types.isPointer(r.type())
                ? locator.indexed(r, Value.of(0))
                : owner;
        if (!(whole instanceof Located.Element x) || x.element().kind() != Kind.STRUCT) {
            return;
        }
        Optional<Access.Kind> use = method.useOfObject(context.program);
        // No argument of its own, so that what is read of it stands before the call.
        use.filter(k -> k != Access.Kind.WRITE)
                .map(k -> memory.load(x, e, k))
                .ifPresent(v -> passed.values.add(v.expression()));
        use.filter(k -> k != Access.Kind.READ).ifPresent(k -> passed.changes.add(new Change(x, x.element(), k, e)));
    }

    /// Passes an element of an array that the callee uses as a variable.
    private void element(IASTExpression e, Located.Element x, Optional<Access.Kind> use, Passed passed) {
        Optional<Value> old = use.filter(k -> k != Access.Kind.WRITE).map(k -> memory.load(x, e, k));
        passed.values.add(old.map(Value::expression).orElseGet(() -> new Expression.Constant(Double.NaN, x.element())));
        passed.actuals.add(
                context.types.composite(x.type()).isPresent() && x.element().kind() == Kind.STRUCT
                        ? new CallSite.Element(x.array())
                        : new CallSite.Number(
                                old.map(Value::formula).orElseGet(() -> context.unknown("set by the callee"))));
        use.filter(k -> k != Access.Kind.READ).ifPresent(k -> passed.changes.add(new Change(x, x.element(), k, e)));
    }

    /// Whether the argument may be an array, a stream, a struct or an address.
    private boolean isObject(IASTExpression e) {
        if (locator.isPointerLike(e)) {
            return true;
        }
        IType t = e.getExpressionType();
        return isVariable(e)
                && t != null
                && (context.types.streamElement(context.types.innermost(t)).isPresent()
                        || context.types.isArray(t)
                        || context.types
                                .composite(t)
                                .filter(s -> context.types.element(s).kind() == Kind.STRUCT)
                                .isPresent());
    }

    static boolean isVariable(IASTExpression e) {
        IASTExpression x = Nodes.strip(e);
        return x instanceof IASTIdExpression
                || x instanceof IASTFieldReference
                || x instanceof IASTArraySubscriptExpression
                || (x instanceof IASTUnaryExpression u && u.getOperator() == IASTUnaryExpression.op_star);
    }

    private static boolean isAddressOf(IASTExpression e) {
        return Nodes.strip(e) instanceof IASTUnaryExpression u && u.getOperator() == IASTUnaryExpression.op_amper;
    }

    /// `a + 4` and `&a[4]` give only a part of a.
    private static boolean pointsInside(IASTExpression e) {
        IASTExpression x = Nodes.strip(e);
        return x instanceof IASTBinaryExpression
                || (isAddressOf(x)
                        && !(Nodes.strip(((IASTUnaryExpression) x).getOperand()) instanceof IASTIdExpression));
    }
}
