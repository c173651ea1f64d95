package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.hls.source.Access;
import knobscape.hls.source.Expression;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.LinearForm;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.ScalarType.Kind;
import knobscape.hls.source.Statement;
import knobscape.hls.source.cdt.Located.Part;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IType;

/// Loads and stores: what reading and writing a variable, an element or a stream makes, and what is known of
/// the value afterwards.
final class Memory {
    /// Elements of an array taken or set as a whole that are told apart.
    private static final int MOST_ELEMENTS = 64;

    private final FunctionContext context;
    private final Arithmetic arithmetic;

    Memory(FunctionContext context, Arithmetic arithmetic) {
        this.context = context;
        this.arithmetic = arithmetic;
    }

    /// The value of what `located` refers to.
    Value load(Located located, IASTNode node, Access.Kind kind) {
        return switch (located) {
            case Located.Scalar s -> scalar(s);
            case Located.Element e -> element(e, node, kind);
            case Located.Row r
            when context.types.isArrayObject(r.type()) ->
                new Value(
                        new Expression.Operation(
                                OperationKind.BIT_SELECT,
                                elements(r).stream()
                                        .map(e -> element(e, node, kind).expression())
                                        .toList(),
                                whole(r)),
                        context.unknown("an array"));
            case Located.Row r ->
                new Value(
                        new Expression.Opaque(Nodes.text(node), new ScalarType(Kind.UNKNOWN, 64, 0, false, "pointer")),
                        context.unknown("the address of " + r.array().name()));
            case Located.Stream s ->
                new Value(new Expression.Opaque(Nodes.text(node), s.array().element()), context.unknown("a stream"));
            case Located.Nowhere n -> arithmetic.opaque(node, n.reason());
        };
    }

    private Value scalar(Located.Scalar s) {
        LinearForm f = s.part() == Part.BITS
                ? context.unknown("bits of " + s.place().name(), FunctionContext.narrow(s.element()))
                : valueOf(s.place(), s.type(), s.element());
        if (f.number().isPresent()
                && s.element().kind() != Kind.FIXED
                && !s.element().isFloating()) {
            return new Value(new Expression.Constant(f.constant(), s.element()), f);
        }
        Expression read = new Expression.ScalarRead(s.place().name(), s.element());
        return new Value(
                s.part() == Part.BITS
                        ? new Expression.Operation(OperationKind.BIT_SELECT, List.of(read), s.element())
                        : read,
                f);
    }

    /// The integer a scalar is at this point.
    LinearForm valueOf(Place place, IType type, ScalarType element) {
        Optional<LinearForm> known = context.environment.value(place);
        if (known.isPresent()) {
            return known.get();
        }
        LinearForm f = context.program
                .constants()
                .of(place, type, context.types, context)
                .map(LinearForm::of)
                .orElseGet(() -> context.fresh(place, element));
        if (!context.escaped.contains(place)) {
            context.environment.set(place, f);
        }
        return f;
    }

    private Value element(Located.Element e, IASTNode node, Access.Kind kind) {
        Access access = access(e, kind, node);
        e.array().markRead();
        Optional<Long> rom = context.program.constants().element(e, context);
        Expression read = new Expression.ArrayRead(
                access,
                e.indices().stream().map(Value::expression).toList(),
                e.part() == Part.BITS ? e.array().element() : e.element());
        if (e.part() == Part.BITS) {
            read = new Expression.Operation(OperationKind.BIT_SELECT, List.of(read), e.element());
        }
        return new Value(
                read,
                rom.map(LinearForm::of)
                        .orElseGet(() -> context.unknown(
                                "indirect through " + e.array().name(), FunctionContext.narrow(e.element()))));
    }

    /// Writes `value` to `target`; gives what the target is then.
    Value store(Located target, Value value, Access.Kind kind, IASTNode node) {
        switch (target) {
            case Located.Scalar s -> {
                Value v = s.part() == Part.WHOLE ? arithmetic.converted(value, s.element()) : value;
                LinearForm f = v.formula();
                context.environment.forget(s.place());
                if (s.part() == Part.WHOLE
                        && (s.element().kind() == Kind.INTEGER || s.element().kind() == Kind.BOOL)
                        && !context.escaped.contains(s.place())) {
                    f = context.stored(f, s.element());
                    context.environment.set(s.place(), f);
                }
                Expression e = v.expression();
                if (s.part() == Part.BITS) {
                    e = new Expression.Operation(
                            OperationKind.BIT_SELECT,
                            List.of(new Expression.ScalarRead(s.place().name(), s.element()), e),
                            s.element());
                }
                context.emit(new Statement.AssignScalar(
                        s.place().name(), s.element(), e, context.positions().of(node)));
                return new Value(new Expression.ScalarRead(s.place().name(), s.element()), f);
            }
            case Located.Element e -> {
                e.array().markWritten();
                boolean bits = e.part() == Part.BITS;
                Access access = access(
                        e,
                        bits ? Access.Kind.READ_WRITE : kind,
                        node instanceof IASTBinaryExpression b ? b.getOperand1() : node);
                List<Expression> indices =
                        e.indices().stream().map(Value::expression).toList();
                Expression stored = value.expression();
                if (bits) {
                    // Some bits of a word: the word is read, changed and written.
                    e.array().markRead();
                    stored = new Expression.Operation(
                            OperationKind.BIT_SELECT,
                            List.of(
                                    new Expression.ArrayRead(
                                            access, indices, e.array().element()),
                                    stored),
                            e.array().element());
                } else {
                    stored = arithmetic.converted(value, e.element()).expression();
                }
                context.emit(new Statement.AssignArray(
                        access, indices, stored, context.positions().of(node)));
                return new Value(value.expression(), value.formula());
            }
            case Located.Stream s -> {
                s.array().markWritten();
                context.emit(new Statement.AssignArray(
                        streamAccess(s, Access.Kind.WRITE, node),
                        s.indices().stream().map(Value::expression).toList(),
                        value.expression(),
                        context.positions().of(node)));
                return value;
            }
            case Located.Row r
            when context.types.isArrayObject(r.type()) -> {
                String kept = "array at " + context.positions().of(node).offset();
                context.emit(new Statement.AssignScalar(
                        kept, whole(r), value.expression(), context.positions().of(node)));
                for (Located.Element e : elements(r)) {
                    Expression part = new Expression.Operation(
                            OperationKind.BIT_SELECT, List.of(new Expression.ScalarRead(kept, whole(r))), e.element());
                    store(e, new Value(part, context.unknown("part of an array")), Access.Kind.WRITE, node);
                }
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

    /// The elements of an array that is taken or set as a whole; one at an unknown place for all where they are many
    /// or not known.
    private List<Located.Element> elements(Located.Row r) {
        List<Long> rest = r.array()
                .dims()
                .subList(
                        Math.min(r.indices().size(), r.array().dims().size()),
                        r.array().dims().size());
        long all = 1;
        for (long d : rest) {
            all = d <= 0 || all > MOST_ELEMENTS ? Long.MAX_VALUE : all * d;
        }
        boolean each = all <= MOST_ELEMENTS && r.offset().is(0);
        var found = new ArrayList<Located.Element>();
        for (long n = 0; n < (each ? all : 1); n++) {
            var indices = new ArrayList<>(r.indices());
            long left = n;
            for (int i = rest.size() - 1; i >= 0; i--) {
                Value index = each
                        ? Value.of(left % rest.get(i))
                        : new Value(new Expression.Constant(0, ScalarType.INT), context.unknown("every element of it"));
                indices.add(r.indices().size(), index);
                left = each ? left / rest.get(i) : 0;
            }
            found.add(new Located.Element(
                    r.array(), indices, r.array().elementType(), r.array().element(), Part.WHOLE));
        }
        return found;
    }

    /// All bits of an array together.
    private static ScalarType whole(Located.Row r) {
        return new ScalarType(
                Kind.STRUCT,
                (int) Math.min(
                        Integer.MAX_VALUE,
                        (long) r.array().element().bits()
                                * Math.max(1, r.array().dims().getLast())),
                0,
                false,
                "array");
    }

    private Value notUnderstood(IASTNode node, String what) {
        context.notes()
                .warn(context.positions().of(node), "'" + Nodes.text(node) + "' is " + what + " and is not understood");
        context.emit(new Statement.Opaque(Nodes.text(node), context.positions().of(node)));
        return new Value(new Expression.Opaque(Nodes.text(node), Widths.LONG), context.unknown(what));
    }

    /// The access to an element in the loop that is being read.
    Access access(Located.Element e, Access.Kind kind, IASTNode node) {
        List<IndexForm> forms = new ArrayList<>();
        int dims = e.array().dims().size();
        for (int i = 0; i < dims; i++) {
            forms.add(
                    e.indices().size() == dims
                            ? context.index(e.indices().get(i).formula())
                            : new IndexForm.NonAffine("reached through a pointer of another shape"));
        }
        var access = new Access(
                e.array().id(), kind, forms, context.loop(), context.positions().of(node));
        context.remember(access, e.indices().stream().map(Value::formula).toList());
        return access;
    }

    Access streamAccess(Located.Stream s, Access.Kind kind, IASTNode node) {
        List<IndexForm> forms =
                s.indices().stream().map(v -> context.index(v.formula())).toList();
        return new Access(
                s.array().id(), kind, forms, context.loop(), context.positions().of(node));
    }
}
