package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import knobscape.hls.evaluate.estimator.Program.Invoke;
import knobscape.hls.evaluate.estimator.Program.Iteration;
import knobscape.hls.evaluate.estimator.Program.Procedure;
import knobscape.hls.evaluate.estimator.Program.Reference;
import knobscape.hls.evaluate.estimator.Program.Step;
import knobscape.hls.evaluate.estimator.Program.Store;
import knobscape.hls.evaluate.estimator.Program.Value;
import knobscape.hls.source.Access;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Expression;
import knobscape.hls.source.Function;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.Statement;
import knobscape.hls.space.Directive;
import org.jspecify.annotations.Nullable;

/// Makes a [Program] from a kernel.
final class ProgramBuilder {
    private final Kernel kernel;
    private final EstimatorSettings settings;
    private final OperatorLibrary library;
    private final List<Procedure> procedures = new ArrayList<>();
    private final Map<String, Procedure> procedureByName = new HashMap<>();
    private final List<Iteration> loops = new ArrayList<>();
    private final Map<String, Iteration> loopById = new HashMap<>();
    private final Map<String, Integer> arrayById = new HashMap<>();
    private final List<ArrayVariable> variables;
    private final TopArguments top;
    private final Buses buses;
    private final Map<String, Integer> slotByName = new LinkedHashMap<>();
    private final Map<Integer, Integer> loopOfSlot = new HashMap<>();
    private final Set<String> assumptions = new LinkedHashSet<>();
    /// Which functions call which, without the calls that would close a circle.
    private final Map<String, Set<String>> calls = new HashMap<>();
    private final Map<String, List<Integer>> assignments = new HashMap<>();
    private int references;
    private int assigned;
    /// Loop, or function, whose statements are read.
    private String scope = "";

    /// Steps that run before the expression that is being built.
    private List<Step> before = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // set for each function before its steps are read
    private Function current;

    ProgramBuilder(Kernel kernel, EstimatorSettings settings, OperatorLibrary library) {
        this.kernel = Copies.asLoops(kernel);
        this.settings = settings;
        this.library = library;
        this.variables = kernel.arrays();
        this.top = new TopArguments(kernel);
        this.buses = new Buses(kernel, settings, top::isArgument);
        assumptions.addAll(buses.notes());
    }

    Program build() {
        for (ArrayVariable v : variables) {
            arrayById.put(v.id(), arrayById.size());
        }
        for (Function f : kernel.functions()) {
            var p = new Procedure(procedures.size(), f.name(), f.explicitInline());
            procedures.add(p);
            procedureByName.put(f.name(), p);
            for (Loop l : f.allLoops()) {
                var it = new Iteration(
                        loops.size(),
                        l,
                        p.id,
                        l.parent()
                                .map(id -> requireNonNull(loopById.get(id)).id)
                                .orElse(-1));
                loops.add(it);
                loopById.put(l.id(), it);
                trip(it);
            }
        }
        for (Function f : kernel.functions()) {
            current = f;
            Procedure p = requireNonNull(procedureByName.get(f.name()));
            p.returnSlot = slot(f.name() + "()");
            for (Loop l : f.allLoops()) {
                Iteration it = requireNonNull(loopById.get(l.id()));
                if (!l.variable().isEmpty()) {
                    it.slot = slot(f.name() + "." + l.variable());
                    loopOfSlot.put(it.slot, it.id);
                }
            }
            scope = f.name();
            p.body = steps(f.body().statements());
            finish(p, f);
        }
        boolean[] exposed = new boolean[slotByName.size()];
        for (Procedure p : procedures) {
            Bodies.expose(p.body, new HashSet<>(), exposed);
        }
        int[] ofSlot = new int[slotByName.size()];
        java.util.Arrays.fill(ofSlot, -1);
        loopOfSlot.forEach((s, l) -> ofSlot[s] = l);
        procedures.forEach(p -> ofSlot[p.returnSlot] = -2);
        List<Store> arrays = stores();
        var adders = new Operator[arrays.size()];
        var dividers = new Operator[arrays.size()][];
        ScalarType index = ScalarType.INT;
        for (Store s : arrays) {
            long elements = Math.max(2, s.source().elements());
            int bits = 64 - Long.numberOfLeadingZeros(elements - 1);
            long widest = java.util.Arrays.stream(s.dims()).max().orElse(0);
            int indexBits = 64 - Long.numberOfLeadingZeros(Math.max(1, widest - 1));
            dividers[s.id()] =
                    new Operator[] {library.bankDivider(indexBits, false), library.bankDivider(indexBits, true)};
            adders[s.id()] = library.of(
                    OperationKind.ADD,
                    new ScalarType(ScalarType.Kind.INTEGER, bits, 0, false, "address"),
                    index,
                    bits,
                    bits,
                    Directive.Core.AUTO,
                    false);
        }
        return new Program(
                List.copyOf(procedures),
                List.copyOf(loops),
                arrays,
                settings.profile().aggregatesStructs() ? top.structs(arrays, assumptions) : List.of(),
                List.copyOf(slotByName.keySet()),
                ofSlot,
                exposed,
                Map.copyOf(assignments),
                adders,
                dividers,
                buses,
                library,
                List.copyOf(assumptions));
    }

    private int slot(String name) {
        return slotByName.computeIfAbsent(name, n -> slotByName.size());
    }

    private void trip(Iteration it) {
        var t = it.source.trip();
        it.exactTrip = t.isExact();
        it.maxTrip = t.max().orElse(-1);
        if (t.average().isPresent()) {
            it.averageTrip = t.average().getAsDouble();
        } else if (t.min().isPresent() && t.max().isPresent()) {
            it.averageTrip = (t.min().getAsLong() + t.max().getAsLong()) / 2.0;
            assumptions.add("loop " + it.source.id() + " runs between "
                    + t.min().getAsLong() + " and " + t.max().getAsLong() + " times; latency assumes the mean");
        } else if (t.max().isPresent()) {
            it.averageTrip = t.max().getAsLong();
            assumptions.add("loop " + it.source.id() + " runs at most "
                    + t.max().getAsLong() + " times; latency assumes that many");
        } else {
            it.averageTrip = settings.assumedTrip();
            assumptions.add("the trip count of loop " + it.source.id() + " is unknown; latency assumes "
                    + settings.assumedTrip());
        }
        switch (t.certainty()) {
            case STATED ->
                assumptions.add("the trip count of loop " + it.source.id() + " is the one stated in the source: "
                        + it.averageTrip + " on average");
            case MEASURED ->
                assumptions.add("the trip count of loop " + it.source.id() + " was measured in a run: " + it.averageTrip
                        + " on average");
            case EXACT, BOUNDED, UNKNOWN -> {}
        }
    }

    private void finish(Procedure p, Function f) {
        p.loops = f.allLoops().stream()
                .mapToInt(l -> requireNonNull(loopById.get(l.id())).id)
                .toArray();
        p.outermost = f.loops().stream()
                .mapToInt(l -> requireNonNull(loopById.get(l.id())).id)
                .toArray();
        p.arrays = f.arrays().stream().mapToInt(a -> arrayById.get(a.id())).toArray();
        var reached = new TreeSet<Integer>();
        calls(p.body, reached);
        p.reaches = reached.stream().mapToInt(Integer::intValue).toArray();
        p.hasLoops = p.loops.length > 0 || reached.stream().anyMatch(c -> procedures.get(c).loops.length > 0);
        p.operations = Bodies.operations(p.body);
        for (int id : p.loops) {
            Iteration it = loops.get(id);
            it.nest = it.source.nest().stream()
                    .mapToInt(l -> requireNonNull(loopById.get(l.id())).id)
                    .toArray();
            it.children = it.source.children().stream()
                    .mapToInt(l -> requireNonNull(loopById.get(l.id())).id)
                    .toArray();
            it.around = around(it);
            var below = new TreeSet<Integer>();
            calls(it.body, below);
            it.reaches = below.stream().mapToInt(Integer::intValue).toArray();
            var touched = new TreeSet<Integer>();
            touch(it.body, touched);
            it.arrays = touched.stream().mapToInt(Integer::intValue).toArray();
            it.operations = Bodies.operations(it.body);
            var written = new TreeSet<Integer>();
            Bodies.writes(it.body, written);
            for (int c : it.reaches) {
                for (int a : procedures.get(c).arrays) {
                    written.add(a);
                }
            }
            Bodies.forEachValue(it.body, v -> {
                if (v instanceof Invoke i) {
                    for (int a : i.actuals()) {
                        written.add(a);
                    }
                }
            });
            it.writes = written.stream().mapToInt(Integer::intValue).toArray();
            it.perfect = perfect(it);
            var carried = new HashMap<Integer, Long>();
            for (Loop.Dependence d : it.source.dependences()) {
                Integer array = arrayById.get(d.variable());
                if (d.array() && array != null) {
                    carried.merge(array, Math.max(1, d.distance().orElse(1L)), Math::min);
                }
            }
            it.carried = Map.copyOf(carried);
        }
    }

    private int[] around(Iteration it) {
        var list = new ArrayList<Integer>();
        for (int up = it.parent; up >= 0; up = loops.get(up).parent) {
            list.add(up);
        }
        return list.stream().mapToInt(Integer::intValue).toArray();
    }

    /// One nested loop and beside it only scalars computed from constants and induction variables.
    private boolean perfect(Iteration it) {
        int inner = 0;
        for (Step s : it.body) {
            switch (s) {
                case Step.Nested n -> inner++;
                case Step.Assign a -> {
                    if (!derived(a.value())) {
                        return false;
                    }
                }
                default -> {
                    return false;
                }
            }
        }
        return inner == 1;
    }

    private boolean derived(Value v) {
        return switch (v) {
            case Value.Constant c -> false;
            case Value.Scalar s -> loopOfSlot.containsKey(s.slot());
            case Value.Compute c ->
                c.operands().length > 0
                        && java.util.Arrays.stream(c.operands())
                                .allMatch(o -> o instanceof Value.Constant || derived(o));
            default -> false;
        };
    }

    private void calls(List<Step> body, Set<Integer> found) {
        Bodies.forEachValue(body, v -> {
            if (v instanceof Invoke i) {
                found.add(i.callee().id);
                for (int c : i.callee().reaches) {
                    found.add(c);
                }
            }
        });
    }

    private void touch(List<Step> body, Set<Integer> found) {
        Bodies.forEachValue(body, v -> {
            if (v instanceof Value.Read r) {
                found.add(r.source().array());
            } else if (v instanceof Invoke i) {
                for (int a : i.actuals()) {
                    found.add(a);
                }
                // Globals and statics that the callee touches by name.
                for (int l : i.callee().arrays) {
                    found.add(l);
                }
            }
        });
        Bodies.writes(body, found);
    }

    private List<Store> stores() {
        var roots = new HashMap<Integer, Set<Integer>>();
        for (int i = 0; i < variables.size(); i++) {
            roots.put(i, new TreeSet<>());
        }
        var bound = new HashSet<Integer>();
        // Callers after callees, so walk from the top down: a formal takes over the roots of its actuals.
        for (int p = kernel.functions().size() - 1; p >= 0; p--) {
            Function f = kernel.functions().get(p);
            for (Function.Binding b : f.bindings()) {
                b.arrays().forEach((formal, actual) -> {
                    Integer to = arrayById.get(b.callee() + "/" + formal);
                    Integer from = arrayById.get(actual);
                    if (to != null && from != null) {
                        bound.add(to);
                        Set<Integer> behind = requireNonNull(roots.get(from));
                        if (behind.isEmpty()) {
                            requireNonNull(roots.get(to)).add(from);
                        } else {
                            requireNonNull(roots.get(to)).addAll(behind);
                        }
                    }
                });
            }
        }
        var list = new ArrayList<Store>();
        for (int i = 0; i < variables.size(); i++) {
            ArrayVariable v = variables.get(i);
            long[] dims = v.dims().stream().mapToLong(Long::longValue).toArray();
            if (dims.length == 0) {
                dims = new long[] {1};
            }
            long[] strides = new long[dims.length];
            long stride = 1;
            for (int d = dims.length - 1; d >= 0; d--) {
                strides[d] = stride;
                stride = stride > 0 && dims[d] > 0 && stride < (1L << 40) ? stride * dims[d] : 0;
            }
            int[] behind = bound.contains(i)
                    ? requireNonNull(roots.get(i)).stream()
                            .mapToInt(Integer::intValue)
                            .toArray()
                    : new int[] {i};
            boolean external = top.isArgument(v);
            if (v.elements() == 0 && !bound.contains(i) && buses.of(v) < 0) {
                assumptions.add(
                        "the size of array " + v.id() + " is unknown; it is taken for a memory outside the design");
                external = true;
            }
            list.add(new Store(
                    i,
                    v,
                    OperatorLibrary.width(v.element()),
                    dims,
                    strides,
                    external,
                    v.scope() == ArrayVariable.Scope.STREAM,
                    v.readOnly(),
                    buses.of(v),
                    behind));
        }
        return List.copyOf(list);
    }

    private List<Step> steps(List<Statement> body) {
        var out = new ArrayList<Step>();
        List<Step> outer = before;
        before = out;
        for (Statement s : body) {
            switch (s) {
                case Statement.AssignScalar a -> {
                    int id = assigned++;
                    assignments
                            .computeIfAbsent(scope + "/" + a.variable(), _ -> new ArrayList<>())
                            .add(id);
                    int slot = slot(current.name() + "." + a.variable());
                    if (current.scalars().containsKey(a.variable().split("\\.", 2)[0])) {
                        requireNonNull(procedureByName.get(current.name()))
                                .assigned
                                .add(slot);
                    }
                    out.add(new Step.Assign(id, slot, whole(a.value())));
                }
                case Statement.AssignArray a -> {
                    Reference target = reference(a.access(), a.indexExpressions());
                    if (target != null) {
                        out.add(new Step.Write(target, value(a.value())));
                    }
                }
                case Statement.Nested n -> {
                    Iteration it = requireNonNull(loopById.get(n.loop().id()));
                    String around = scope;
                    scope = n.loop().id();
                    it.body = steps(n.loop().body().statements());
                    scope = around;
                    out.add(new Step.Nested(it));
                }
                case Statement.Call c -> {
                    if (whole(c.invocation()) instanceof Invoke i) {
                        out.add(new Step.Call(i));
                    }
                }
                case Statement.Branch b -> {
                    List<Step> then = steps(b.then());
                    List<Step> otherwise = steps(b.otherwise());
                    out.add(new Step.Branch(
                            value(b.condition()), then, otherwise, structured(then) || structured(otherwise)));
                }
                case Statement.Jump j ->
                    j.value()
                            .ifPresent(v -> out.add(new Step.Return(
                                    requireNonNull(procedureByName.get(current.name())).returnSlot, whole(v))));
                case Statement.Opaque o ->
                    assumptions.add(
                            "'" + o.text().strip() + "' (" + o.location() + ") was not understood and costs nothing");
            }
        }
        before = outer;
        return List.copyOf(out);
    }

    private static boolean structured(List<Step> body) {
        boolean[] found = {false};
        for (Step s : body) {
            found[0] |= s instanceof Step.Nested || (s instanceof Step.Branch b && b.structured());
        }
        Bodies.forEachValue(body, v -> found[0] |= v instanceof Invoke i && i.callee().hasLoops);
        return found[0];
    }

    private Value value(Expression e) {
        int bits = OperatorLibrary.width(e.type());
        return switch (e) {
            case Expression.Constant c -> Value.Constant.of(c.value(), bits);
            case Expression.ScalarRead r -> new Value.Scalar(slot(current.name() + "." + r.variable()), bits);
            case Expression.ArrayRead r -> {
                Reference source = reference(r.access(), r.indexExpressions());
                yield source == null ? new Value.Opaque(bits) : new Value.Read(source, bits);
            }
            case Expression.Operation o ->
                compute(
                        o.kind(),
                        o.operands().stream().map(this::value).toArray(Value[]::new),
                        o.type(),
                        o.operands().isEmpty()
                                ? o.type()
                                : o.operands().getFirst().type());
            case Expression.Invocation i -> called(invocation(i));
            case Expression.Opaque o -> new Value.Opaque(bits);
        };
    }

    /// A value that is a statement's own.
    private Value whole(Expression e) {
        return e instanceof Expression.Invocation i ? invocation(i) : value(e);
    }

    /// The result of a call inside an expression. A function with loops runs before the expression, as a region of its
    /// own.
    private Value called(Value v) {
        if (!(v instanceof Invoke i && i.callee().hasLoops)) {
            return v;
        }
        int slot = slot(current.name() + "." + i.callee().name + "() " + slotByName.size());
        before.add(new Step.Assign(-1, slot, i));
        return new Value.Scalar(slot, i.bits());
    }

    private Value compute(OperationKind kind, Value[] operands, ScalarType type, ScalarType operandType) {
        int bits = OperatorLibrary.width(type);
        int left = operands.length > 0 ? operands[0].usefulBits() : bits;
        int right = operands.length > 1 ? operands[1].usefulBits() : left;
        var operators = new Operator[2 * Directive.Core.values().length];
        for (Directive.Core core : Directive.Core.values()) {
            operators[2 * core.ordinal()] = library.of(kind, type, operandType, left, right, core, false);
            operators[2 * core.ordinal() + 1] = library.of(kind, type, operandType, left, right, core, true);
        }
        return new Value.Compute(kind, operators, operands, type.kind(), kind == OperationKind.COMPARE ? 1 : bits);
    }

    private Value invocation(Expression.Invocation i) {
        Value[] arguments = i.arguments().stream().map(this::value).toArray(Value[]::new);
        Procedure callee = i.external() ? null : procedureByName.get(i.callee());
        boolean circular = callee != null && reaches(i.callee(), current.name(), new HashSet<>());
        if (circular) {
            assumptions.add("function " + current.name() + " ends up calling itself through " + i.callee()
                    + ", which cannot be synthesised; that call is taken for a small operation");
        }
        if (callee == null || circular) {
            OperationKind kind = OperationKind.ofCall(i.callee());
            if (kind == OperationKind.OTHER && !circular) {
                assumptions.add(
                        "the body of " + i.callee() + " is not in the source; it is taken for a small operation");
            }
            ScalarType operand = i.arguments().isEmpty()
                    ? i.type()
                    : i.arguments().getFirst().type();
            return compute(kind, arguments, i.type(), operand);
        }
        calls.computeIfAbsent(current.name(), _ -> new HashSet<>()).add(i.callee());
        Function f = kernel.function(i.callee()).orElseThrow();
        Function.Binding binding = current.bindings().stream()
                .filter(b -> b.callee().equals(i.callee()) && b.location().equals(i.location()))
                .findFirst()
                .or(() -> current.bindings().stream()
                        .filter(b -> b.callee().equals(i.callee()))
                        .findFirst())
                .orElse(null);
        var formals = new ArrayList<Integer>();
        var actuals = new ArrayList<Integer>();
        if (binding != null) {
            binding.arrays().forEach((formal, actual) -> {
                Integer to = arrayById.get(i.callee() + "/" + formal);
                Integer from = arrayById.get(actual);
                if (to != null && from != null) {
                    formals.add(to);
                    actuals.add(from);
                }
            });
        }
        List<String> names = List.copyOf(f.scalars().keySet());
        int count = Math.min(names.size(), arguments.length);
        int[] slots = new int[count];
        for (int k = 0; k < count; k++) {
            slots[k] = slot(i.callee() + "." + names.get(k));
        }
        return new Invoke(
                callee,
                java.util.Arrays.copyOf(arguments, count),
                slots,
                formals.stream().mapToInt(Integer::intValue).toArray(),
                actuals.stream().mapToInt(Integer::intValue).toArray(),
                OperatorLibrary.width(i.type()));
    }

    private boolean reaches(String from, String to, Set<String> seen) {
        return from.equals(to)
                || (seen.add(from)
                        && calls.getOrDefault(from, Set.of()).stream().anyMatch(c -> reaches(c, to, seen)));
    }

    /// Null where the array is unknown; the front end has noted it.
    private @Nullable Reference reference(Access access, List<Expression> indexExpressions) {
        Integer array = arrayById.get(access.array());
        if (array == null) {
            assumptions.add("an access to " + access.array() + " (" + access.location()
                    + ") was left out: the array is unknown");
            return null;
        }
        int dims = access.index().size();
        boolean affine = true;
        var used = new TreeSet<Integer>();
        for (IndexForm form : access.index()) {
            if (form instanceof IndexForm.Affine a) {
                for (String id : a.coefficients().keySet()) {
                    Iteration it = loopById.get(id);
                    affine &= it != null;
                    if (it != null) {
                        used.add(it.id);
                    }
                }
            } else {
                affine = false;
            }
        }
        if (!affine) {
            Value[] indices = indexExpressions.stream().map(this::value).toArray(Value[]::new);
            return new Reference(
                    references++, array, false, new int[0], new long[0][], new long[0], new long[0], indices);
        }
        int[] over = used.stream().mapToInt(Integer::intValue).toArray();
        long[][] coefficients = new long[dims][over.length];
        long[] constants = new long[dims];
        long[] divisors = new long[dims];
        for (int d = 0; d < dims; d++) {
            var a = (IndexForm.Affine) access.index().get(d);
            constants[d] = a.constant();
            divisors[d] = a.divisor();
            for (int l = 0; l < over.length; l++) {
                coefficients[d][l] = a.coefficient(loops.get(over[l]).source.id());
            }
        }
        return new Reference(references++, array, true, over, coefficients, constants, divisors, new Value[0]);
    }
}
