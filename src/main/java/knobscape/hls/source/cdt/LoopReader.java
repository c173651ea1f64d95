package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import knobscape.hls.source.Access;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Expression;
import knobscape.hls.source.LinearForm;
import knobscape.hls.source.LinearForm.LoopValue;
import knobscape.hls.source.Location;
import knobscape.hls.source.Loop;
import knobscape.hls.source.LoopShape;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.Range;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.Statement;
import knobscape.hls.source.Statements;
import knobscape.hls.source.TripCount;
import knobscape.hls.source.TripCounts;
import knobscape.hls.source.cdt.FunctionContext.OpenLoop;
import knobscape.hls.source.cdt.HeaderReader.Header;
import knobscape.hls.source.cdt.HeaderReader.Parts;
import org.eclipse.cdt.core.dom.ast.IASTDoStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTInitializerList;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTWhileStatement;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTForStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTRangeBasedForStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTWhileStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPReferenceType;

/// Reads loops: header, trip count, body, and what is known behind them.
final class LoopReader {
    private final FunctionContext context;
    private final ExpressionReader expressions;
    private final StatementReader statements;
    private final HeaderReader headers;
    private final LoopNames names;

    LoopReader(FunctionContext context, ExpressionReader expressions, StatementReader statements) {
        this.context = context;
        this.expressions = expressions;
        this.statements = statements;
        this.headers = new HeaderReader(context, expressions);
        this.names = new LoopNames(context);
    }

    void readFor(IASTForStatement f) {
        List<Statement> init = context.collect(() -> statements.read(f.getInitializerStatement()));
        if (f instanceof ICPPASTForStatement c && c.getConditionDeclaration() != null) {
            context.notes().warn(context.positions().of(f), "a declaration in the loop's condition is not understood");
        }
        read(
                f,
                f.getBody(),
                new Parts(f.getConditionExpression(), f.getIterationExpression(), f.getBody(), true),
                init);
    }

    void readWhile(IASTWhileStatement w) {
        if (w instanceof ICPPASTWhileStatement c && c.getConditionDeclaration() != null) {
            context.notes().warn(context.positions().of(w), "a declaration in the loop's condition is not understood");
        }
        read(w, w.getBody(), new Parts(w.getCondition(), null, w.getBody(), true), List.of());
    }

    void readDo(IASTDoStatement d) {
        read(d, d.getBody(), new Parts(d.getCondition(), null, d.getBody(), false), List.of());
    }

    /// `for (auto x : a)`
    void readRange(ICPPASTRangeBasedForStatement r) {
        String id = names.id(r);
        Optional<IVariable> variable = variable(r);
        Set<Place> assigned = new LinkedHashSet<>(context.assignments.places(r));
        boolean changes = variable.isPresent()
                && context.assignments.places(r.getBody()).stream()
                        .anyMatch(p -> p.root().equals(variable.get()));
        Located.Row row = null;
        Optional<LoopShape> shape = Optional.empty();
        List<LinearForm> listed = List.of();
        if (r.getInitializerClause() instanceof IASTInitializerList l) {
            List<Value> read = Stream.of(l.getClauses()).map(expressions::read).toList();
            listed = read.stream().map(Value::formula).toList();
            gathered(read, l);
            shape = counted(id, listed).or(() -> counted(id, l.getClauses().length));
        } else if (r.getInitializerClause() instanceof IASTExpression e
                && expressions.locator().locate(e) instanceof Located.Row found) {
            row = found;
            shape = counted(id, size(found));
        }
        Exits exits = Exits.of(r.getBody());
        TripCount trip = shape.map(s -> TripCounts.count(s, context.setting(), exits.leavesLoop(), false))
                .orElseGet(TripCount::unknown);
        Optional<Located.Row> walked = Optional.ofNullable(row);
        List<LinearForm> values = listed;
        Optional<LoopShape> known = shape;
        context.environment.forget(assigned);
        List<Statement> body = inside(id, assigned, shape, trip, exits, () -> {
            walked.ifPresent(x -> variable.ifPresent(v -> element(r, v, x, id, changes)));
            variable.filter(_ -> !values.isEmpty())
                    .ifPresent(
                            v -> context.environment.set(Place.of(v), listed(id, values, known.orElseThrow(), trip)));
            statements.read(r.getBody());
        });
        add(r, r.getBody(), id, Optional.empty(), shape, trip, exits, assigned, body);
        context.environment.forget(assigned);
    }

    /// Elements of a list that come from an array are read before the loop.
    private void gathered(List<Value> values, IASTInitializerList list) {
        if (values.isEmpty()) {
            return;
        }
        Location at = context.positions().of(list);
        reading(
                        "list at " + at.offset(),
                        values.stream().map(Value::expression).toList(),
                        values.getFirst().type(),
                        at)
                .ifPresent(context::emit);
        context.finish();
    }

    /// A statement that reads the arrays in some expressions and computes nothing; empty where there are none.
    private static Optional<Statement> reading(String name, List<Expression> of, ScalarType type, Location at) {
        Statement read = new Statement.AssignScalar(
                name, type, new Expression.Operation(OperationKind.BIT_SELECT, of, type), at);
        return Statements.accesses(List.of(read), false).isEmpty() ? Optional.empty() : Optional.of(read);
    }

    private static Optional<IVariable> variable(ICPPASTRangeBasedForStatement r) {
        return r.getDeclaration() instanceof IASTSimpleDeclaration d
                        && d.getDeclarators().length == 1
                        && Nodes.binding(d.getDeclarators()[0].getName()) instanceof IVariable v
                ? Optional.of(v)
                : Optional.empty();
    }

    /// Elements of an array that is walked whole; 0 where that is not known.
    private long size(Located.Row row) {
        List<Long> dims = row.array().dims();
        int next = row.indices().size();
        return context.types
                .size(row.type())
                .orElseGet(() -> row.offset().is(0) && next < dims.size() ? dims.get(next) : 0L);
    }

    /// A loop that counts from 0 to `size`.
    private static Optional<LoopShape> counted(String id, long size) {
        return size <= 0 ? Optional.empty() : Optional.of(shape(id, 0, 1, size));
    }

    /// A loop whose variable takes the listed numbers, where they lie at equal distances.
    private static Optional<LoopShape> counted(String id, List<LinearForm> values) {
        if (values.size() < 2 || values.stream().anyMatch(f -> f.number().isEmpty())) {
            return Optional.empty();
        }
        long first = values.getFirst().constant();
        long step = values.get(1).constant() - first;
        for (int i = 0; i < values.size(); i++) {
            if (step == 0 || values.get(i).constant() != first + i * step) {
                return Optional.empty();
            }
        }
        return Optional.of(shape(id, first, step, first + values.size() * step));
    }

    private static LoopShape shape(String id, long first, long step, long end) {
        return new LoopShape(
                id,
                LinearForm.of(first),
                List.of(new LoopShape.Test(
                        step > 0 ? LoopShape.Relation.LESS : LoopShape.Relation.GREATER, LinearForm.of(end))),
                LoopShape.Step.ADD,
                LinearForm.of(step),
                true,
                Range.ALL,
                false);
    }

    /// What the variable of a loop over a list is in its body.
    private LinearForm listed(String id, List<LinearForm> values, LoopShape shape, TripCount trip) {
        if (counted(id, values).isPresent()) {
            context.loopRanges.put(id, range(shape, trip));
            return LinearForm.of(new LoopValue(id));
        }
        Range all =
                values.stream().map(f -> f.range(context)).reduce(Range::hull).orElse(Range.ALL);
        return context.unknown("one of a list", all);
    }

    /// The declared variable of a range loop is the element at the loop's position, or a copy of it that the body
    /// changes.
    private void element(ICPPASTRangeBasedForStatement r, IVariable v, Located.Row row, String id, boolean changes) {
        var indices = new ArrayList<>(row.indices());
        Value position =
                new Value(new Expression.ScalarRead(v.getName(), Widths.LONG), LinearForm.of(new LoopValue(id)));
        indices.add(position);
        IType type = context.types.target(row.type()).orElse(row.type());
        Located element = context.types.isArray(type)
                ? new Located.Row(row.array(), indices, LinearForm.ZERO, type)
                : new Located.Element(row.array(), indices, type, row.array().element(), Located.Part.WHOLE);
        boolean copy = changes && !(context.types.resolved(v.getType()) instanceof ICPPReferenceType);
        if (copy) {
            ScalarType own = context.instance.declaredType(Place.of(v), v.getType());
            expressions
                    .memory()
                    .store(
                            new Located.Scalar(Place.of(v), v.getType(), own, Located.Part.WHOLE),
                            expressions.memory().load(element, r.getDeclaration(), Access.Kind.READ),
                            Access.Kind.WRITE,
                            r.getDeclaration());
        } else {
            context.aliases.put(v, element);
        }
    }

    private void read(IASTStatement loop, IASTStatement bodyNode, Parts parts, List<Statement> init) {
        String id = names.id(loop);
        Exits exits = Exits.of(bodyNode);
        Environment before = context.environment.copy();
        Set<Place> assigned = new LinkedHashSet<>(context.assignments.places(bodyNode));
        for (IASTExpression part : new IASTExpression[] {parts.condition(), parts.iteration()}) {
            if (part != null) {
                assigned.addAll(context.assignments.places(part));
            }
        }
        context.environment.forget(assigned);
        if (context.program.callsInternal(loop, context.instance)) {
            context.environment.forgetGlobals(context.program.declarations());
        }
        Optional<Header> header = headers.read(id, parts, before);
        Optional<LoopShape> shape = header.map(Header::shape);
        boolean shortened =
                exits.leavesLoop() || (header.isPresent() && !header.get().complete());
        TripCount trip = header.filter(h -> !h.counted().tests().isEmpty())
                .map(h -> TripCounts.count(
                        h.counted(), context.setting(), shortened, parts.testedFirst() && !h.complete()))
                .orElseGet(() -> ended(parts));
        emitInit(init, header);
        Environment outside = context.environment.copy();
        Map<Place, Environment.Pointer> stepped = headers.stepped(parts, before);
        somewhereInTheirArrays(stepped, context.environment);
        Map<Place, LinearForm> followers =
                header.map(h -> headers.followers(h, parts, before)).orElse(Map.of());
        header.ifPresent(h -> enter(h, followers, stepped, id, trip));
        boolean understood = header.isPresent() && header.get().complete();
        Optional<Statement> invariant = understood ? limit(parts, id) : Optional.empty();
        var each = new ArrayList<Statement>();
        List<Statement> body = inside(id, assigned, shape, trip, exits, () -> {
            if (invariant.isPresent()) {
                limit(parts, id).ifPresent(each::add);
            }
            if (parts.testedFirst() && !understood) {
                Optional<LinearForm> value = header.flatMap(h -> context.environment.value(h.place()));
                condition(parts);
                // The variable's value in the body already counts a step in the condition.
                value.ifPresent(
                        v -> context.environment.set(header.orElseThrow().place(), v));
            }
            statements.read(bodyNode);
            iteration(parts, header);
            if (!parts.testedFirst() && !understood) {
                condition(parts);
            }
        });
        invariant.filter(l -> !changes(id, body, l)).ifPresent(context::emit);
        each.stream().filter(l -> changes(id, body, l)).forEach(l -> body.add(0, l));
        add(
                loop,
                bodyNode,
                id,
                header.map(Header::place),
                shape,
                trip,
                exits,
                assigned,
                header.map(h -> withoutStep(body, h, parts)).orElse(body));
        context.environment.become(outside);
        context.environment.forget(assigned);
        header.ifPresent(h -> leave(h, followers, stepped, trip, exits));
        somewhereInTheirArrays(stepped, context.environment);
    }

    /// What the limit of a counted loop reads: `j < row[i + 1]`. A tool reads it once where the loop cannot change it.
    private Optional<Statement> limit(Parts parts, String id) {
        IASTExpression condition = parts.condition();
        if (condition == null) {
            return Optional.empty();
        }
        Environment saved = context.environment.copy();
        var read = new ArrayList<Value>();
        context.collect(() -> {
            read.add(expressions.read(condition));
            context.finish();
        });
        context.environment.become(saved);
        // Only what it reads counts: comparing is the loop's own.
        return reading(
                "limit of " + id,
                loads(read.getFirst().expression()),
                Widths.BOOL,
                context.positions().of(condition));
    }

    private static List<Expression> loads(Expression e) {
        return switch (e) {
            case Expression.ArrayRead r -> List.of(r);
            case Expression.Operation o ->
                o.operands().stream().flatMap(x -> loads(x).stream()).toList();
            case Expression.Invocation i ->
                i.arguments().stream().flatMap(x -> loads(x).stream()).toList();
            case Expression.Constant _, Expression.ScalarRead _, Expression.Opaque _ -> List.of();
        };
    }

    /// Whether what the limit reads may differ from one iteration of the loop to the next.
    private boolean changes(String id, List<Statement> body, Statement limit) {
        List<Access> reads = Statements.accesses(List.of(limit), false);
        Set<String> arrays = new HashSet<>();
        reads.forEach(a -> arrays.add(a.array()));
        boolean moves = reads.stream()
                .flatMap(a -> context.formulas.getOrDefault(a, List.of()).stream())
                .flatMap(f -> f.leaves().stream())
                .anyMatch(x -> x instanceof LoopValue v
                        ? v.loop().equals(id)
                        : x instanceof LinearForm.Unknown u && u.within().contains(id));
        return moves
                || Statements.accesses(body, true).stream()
                        .anyMatch(a -> a.kind() != Access.Kind.READ && arrays.contains(a.array()))
                || Statements.calls(body, true).stream()
                        .anyMatch(c -> c.arrayArguments().stream().anyMatch(arrays::contains));
    }

    /// Pointers of which nothing else is known by now still point into their arrays.
    private void somewhereInTheirArrays(Map<Place, Environment.Pointer> stepped, Environment environment) {
        stepped.forEach((place, p) -> {
            if (environment.pointer(place).isEmpty()) {
                environment.set(
                        place,
                        new Environment.Pointer(
                                p.array(),
                                p.before(),
                                context.unknown("reached through the moving pointer " + place.name())));
            }
        });
    }

    /// A loop whose condition is a number: `while (0)`, `do ... while (0)`.
    private TripCount ended(Parts parts) {
        IASTExpression condition = parts.condition();
        if (condition == null) {
            return TripCount.unknown();
        }
        Value[] v = new Value[1];
        context.collect(() -> {
            v[0] = expressions.read(condition);
            context.finish();
        });
        return v[0].formula().is(0) ? TripCount.exact(parts.testedFirst() ? 0 : 1) : TripCount.unknown();
    }

    /// Statements of a header's first part, less the start of the induction variable where it costs nothing.
    private void emitInit(List<Statement> init, Optional<Header> header) {
        for (Statement s : init) {
            boolean start = header.isPresent()
                    && s instanceof Statement.AssignScalar a
                    && a.variable().equals(header.get().place().name())
                    && Statements.accesses(List.of(s), true).isEmpty()
                    && !(a.value() instanceof Expression.Invocation);
            if (!start) {
                context.emit(s);
            }
        }
    }

    /// Values in the body.
    private void enter(
            Header h,
            Map<Place, LinearForm> followers,
            Map<Place, Environment.Pointer> stepped,
            String id,
            TripCount trip) {
        LoopShape s = h.shape();
        LinearForm value = LinearForm.of(new LoopValue(id));
        context.loopRanges.put(id, range(s, trip));
        followers.forEach((place, f) -> set(place, Optional.ofNullable(stepped.get(place)), f));
        set(h.place(), h.pointer(), value);
    }

    /// Gives a variable its value, a pointer its place in the array that it walks.
    private void set(Place place, Optional<Environment.Pointer> walks, LinearForm value) {
        walks.ifPresentOrElse(
                p -> context.environment.set(place, new Environment.Pointer(p.array(), p.before(), value)),
                () -> context.environment.set(place, value));
    }

    private Range range(LoopShape s, TripCount trip) {
        Range first = s.first().range(context);
        if (s.step() == LoopShape.Step.ADD && trip.max().isPresent() && first.bounded()) {
            long n = Math.max(0, trip.max().getAsLong() - 1);
            OptionalLong a = s.after(first.min(), n);
            OptionalLong b = s.after(first.max(), n);
            if (a.isPresent() && b.isPresent()) {
                Range all = first.hull(Range.of(a.getAsLong())).hull(Range.of(b.getAsLong()));
                return byLimits(s, all);
            }
        }
        if (s.constantStep() != 0) {
            return byLimits(
                    s,
                    s.constantStep() >= 0
                            ? new Range(first.min(), Long.MAX_VALUE)
                            : new Range(Long.MIN_VALUE, first.max()));
        }
        boolean grows =
                s.step() != LoopShape.Step.ADD || s.amount().range(context).min() >= 0;
        return byLimits(s, grows && first.min() >= 0 ? new Range(0, s.values().max()) : Range.ALL);
    }

    /// What a test before the body says about the variable in it.
    private Range byLimits(LoopShape s, Range all) {
        Range r = all;
        if (!s.testedFirst()) {
            return r;
        }
        for (LoopShape.Test t : s.tests()) {
            Range limit = t.limit().range(context);
            long max = switch (t.relation()) {
                case LESS -> limit.max() == Long.MAX_VALUE ? Long.MAX_VALUE : limit.max() - 1;
                case LESS_EQUAL -> limit.max();
                default -> Long.MAX_VALUE;
            };
            long min = switch (t.relation()) {
                case GREATER -> limit.min() == Long.MIN_VALUE ? Long.MIN_VALUE : limit.min() + 1;
                case GREATER_EQUAL -> limit.min();
                default -> Long.MIN_VALUE;
            };
            if (Math.max(r.min(), min) <= Math.min(r.max(), max)) {
                r = new Range(/* min= */ Math.max(r.min(), min), /* max= */ Math.min(r.max(), max));
            }
        }
        return r;
    }

    private List<Statement> inside(
            String id, Set<Place> assigned, Optional<LoopShape> shape, TripCount trip, Exits exits, Runnable reading) {
        context.loops.add(new OpenLoop(id, assigned, shape, trip, context.branches, exits.leavesIteration()));
        List<Statement> body = context.collect(reading);
        context.loops.removeLast();
        return body;
    }

    /// A condition that is more than a comparison of the induction variable costs something in every iteration.
    private void condition(Parts parts) {
        if (parts.condition() == null) {
            return;
        }
        Value v = expressions.read(parts.condition());
        context.finish();
        if (!(v.expression() instanceof Expression.Constant)) {
            Location at = context.positions().of(parts.condition());
            context.emit(new Statement.Branch(
                    v.expression(),
                    List.of(),
                    List.of(new Statement.Jump(Statement.Jump.Kind.BREAK, Optional.empty(), at)),
                    at));
        }
    }

    private void iteration(Parts parts, Optional<Header> header) {
        IASTExpression iteration = parts.iteration();
        if (iteration != null) {
            List<Statement> done = context.collect(() -> expressions.forEffect(iteration));
            done.stream().filter(s -> !isStepOf(s, header)).forEach(context::emit);
        }
    }

    /// In `while` loops the step stands in the body; it belongs to the header.
    private List<Statement> withoutStep(List<Statement> body, Header h, Parts parts) {
        if (parts.iteration() != null || parts.condition() == null) {
            return body;
        }
        boolean inCondition = context.assignments.in(parts.condition()).stream()
                .anyMatch(a -> a.place().equals(h.place()));
        if (!inCondition) {
            return body;
        }
        Location at = context.positions().of(parts.condition());
        return body.stream()
                .filter(s -> !(s instanceof Statement.AssignScalar a
                        && a.variable().equals(h.place().name())
                        && a.location().offset() >= at.offset()
                        && a.location().offset() < at.offset() + at.length()))
                .toList();
    }

    private static boolean isStepOf(Statement s, Optional<Header> header) {
        return header.isPresent()
                && s instanceof Statement.AssignScalar a
                && a.variable().equals(header.get().place().name());
    }

    /// What the induction variable is behind the loop.
    private void leave(
            Header h,
            Map<Place, LinearForm> followers,
            Map<Place, Environment.Pointer> stepped,
            TripCount trip,
            Exits exits) {
        if (!trip.isExact() || exits.leavesLoop() || !h.complete()) {
            return;
        }
        long n = trip.max().orElseThrow();
        LoopShape s = h.shape();
        if (s.step() == LoopShape.Step.ADD) {
            Optional<LinearForm> last = s.amount().times(n).flatMap(s.first()::plus);
            last.filter(_ -> h.pointer().isEmpty()).ifPresent(f -> context.environment.set(h.place(), f));
            // What moves with it, in as far as the loop does not change what it moves from.
            last.ifPresent(end -> followers.forEach((place, f) -> f.substitute(
                            a -> a instanceof LoopValue l && l.loop().equals(s.loop())
                                    ? Optional.of(end)
                                    : Optional.empty(),
                            context)
                    .ifPresent(after -> set(place, Optional.ofNullable(stepped.get(place)), after))));
        } else if (h.pointer().isEmpty() && s.first().number().isPresent()) {
            s.after(s.first().constant(), n).ifPresent(v -> context.environment.set(h.place(), LinearForm.of(v)));
        }
    }

    private void add(
            IASTStatement node,
            IASTStatement bodyNode,
            String id,
            Optional<Place> variable,
            Optional<LoopShape> shape,
            TripCount trip,
            Exits exits,
            Set<Place> assigned,
            List<Statement> body) {
        LoopNames.Where where = names.where(node, bodyNode);
        Optional<Long> first = shape.flatMap(
                s -> s.first().number().isPresent() ? Optional.of(s.first().constant()) : Optional.empty());
        long step = shape.map(LoopShape::constantStep).orElse(0L);
        Optional<String> parent = context.loops.isEmpty()
                ? Optional.empty()
                : Optional.of(context.loops.getLast().id());
        String name = variable.map(Place::name).orElse("");
        var loop = new Loop(
                id,
                names.label(id),
                names.isLabelled(node),
                context.instance.name(),
                parent,
                context.loops.size(),
                name,
                first,
                step,
                trip,
                BodyFacts.of(body),
                where.keyword(),
                where.bodyStart(),
                where.bodyEnd(),
                where.statementStart(),
                where.braced(),
                exits.leavesLoop(),
                List.of());
        context.program.met(node);
        var changed = new HashSet<String>();
        assigned.forEach(p -> changed.add(p.name()));
        context.assignedNames.put(id, changed);
        context.emit(new Statement.Nested(loop));
    }
}
