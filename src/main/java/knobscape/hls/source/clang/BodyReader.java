package knobscape.hls.source.clang;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IrLoops;
import knobscape.compile.ir.IrBlock;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrLocation;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.hls.source.Access;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Function;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.Location;
import knobscape.hls.source.Multiplication;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.TripCount;
import org.jspecify.annotations.Nullable;

/// The actions of one function's code: accesses to arrays, calls, multiplications, by the loop they stand in.
final class BodyReader {
    private static final Pattern BLOCK_FUNCTION = Pattern.compile("llvm\\.(memcpy|memmove|memset)\\..*");

    private final IrModule module;
    private final IrFunction function;
    /// Variables by the value that they take.
    private final Map<IrValue, String> called = new HashMap<>();
    /// Conversions by what they convert.
    private final Map<IrValue, List<IrInstruction>> converted = new HashMap<>();
    private final AffineForms forms;
    private final IrLoops loops;
    private final Inductions inductions;
    private final ArrayPlaces places;
    private final UnaryOperator<@Nullable String> names;
    private final java.util.function.Function<IrLocation, Location> located;
    private final java.util.function.Function<IrLocation, Location> statements;
    private final java.util.function.Predicate<Location> written;
    private final Map<String, Found> found = new LinkedHashMap<>();
    private final List<Function.Binding> bindings = new ArrayList<>();
    private final List<CarriedDependences.Touch> touches = new ArrayList<>();
    private final Map<String, Map<String, CarriedDependences.Touch>> effects;
    private final CarriedDependences carried;
    /// True if the block that is read tests the condition of a loop.
    private boolean condition;

    /// The findings in a loop (or, under the name "", in none).
    private static final class Found {
        private final Map<Object, Access> accesses = new LinkedHashMap<>();
        /// Accesses of the loop's condition, with the loop around it.
        private final Map<Object, String> limits = new LinkedHashMap<>();
        private final List<BodyFacts.Call> calls = new ArrayList<>();
        private final List<Multiplication> multiplications = new ArrayList<>();
    }

    /// A function whose headers' code is in place and whose variables are values.
    ///
    /// @param module that it is of
    /// @param name as people know it
    /// @param ids of the loops that people know, by the compiler's number
    /// @param names of functions as people know them, by the linker's; null for others
    /// @param statements where the statement around a place begins
    /// @param written whether a block function stands in the text there, not only in what a declaration means
    /// @param known arrays of the function and global ones
    /// @param effects on arrays of the functions read before, by their name; this one's are added
    /// @param trips iterations of loops, as far as they are facts
    BodyReader(
            IrModule module,
            IrFunction function,
            String name,
            Map<Long, String> ids,
            UnaryOperator<@Nullable String> names,
            java.util.function.Function<IrLocation, Location> located,
            java.util.function.Function<IrLocation, Location> statements,
            java.util.function.Predicate<Location> written,
            List<ArrayVariable> known,
            Map<String, Map<String, CarriedDependences.Touch>> effects,
            java.util.function.Function<IrLoop, TripCount> trips) {
        this.module = module;
        this.function = function;
        this.names = names;
        this.located = located;
        this.statements = statements;
        this.written = written;
        this.effects = effects;
        loops = IrLoops.of(function);
        forms = new AffineForms(function, loops);
        inductions = new Inductions(function, forms, loops);
        places = new ArrayPlaces(module, function, name, forms, known);
        function.variables().stream()
                .filter(v -> !v.address() && !v.name().isEmpty())
                .forEach(v -> called.putIfAbsent(v.value(), v.name()));
        forms.code().stream()
                .filter(i -> i.opcode().isConversion())
                .forEach(i -> i.operands().stream()
                        .distinct()
                        .forEach(o -> converted
                                .computeIfAbsent(o, _ -> new ArrayList<>())
                                .add(i)));
        Set<Integer> addresses = addresses();
        for (IrBlock b : function.blocks()) {
            condition = Inductions.isCondition(b);
            var around = new LinkedHashMap<IrLoop, String>();
            for (IrLoop l : inductions.around(b)) {
                around.put(l, l.id().isPresent() ? ids.getOrDefault(l.id().getAsLong(), "") : "");
            }
            for (IrInstruction i : b.instructions()) {
                read(i, around, addresses);
            }
        }
        List.copyOf(found.values()).forEach(f -> f.limits.forEach((key, outer) -> limit(f, key, outer)));
        carried = new CarriedDependences(function, forms, loops, touches, trips);
        effects.put(name, carried.effects());
    }

    /// The values that iterations of its loops take over from earlier ones.
    CarriedDependences carried() {
        return carried;
    }

    /// A limit that its loop does not change is read once, before the loop.
    private void limit(Found inner, Object key, String outer) {
        Access a = inner.accesses.get(key);
        if (a != null
                && a.kind() == Access.Kind.READ
                && a.index().stream().allMatch(i -> i instanceof IndexForm.Affine x && x.coefficient(a.loop()) == 0)
                && inner.accesses.values().stream()
                        .noneMatch(o -> o.array().equals(a.array()) && o.kind() != Access.Kind.READ)) {
            inner.accesses.remove(key);
            found.computeIfAbsent(outer, _ -> new Found())
                    .accesses
                    .putIfAbsent(key, new Access(a.array(), a.kind(), a.index(), outer, a.location()));
        }
    }

    /// The loop of the compiler's number.
    Optional<IrLoop> loop(long id) {
        return loops.all().stream()
                .filter(l -> l.id().isPresent() && l.id().getAsLong() == id)
                .findFirst();
    }

    Inductions inductions() {
        return inductions;
    }

    /// Which arrays stand behind the formal ones at each call.
    List<Function.Binding> bindings() {
        return bindings;
    }

    /// The facts of a loop's body or, with an empty id, of the function's.
    ///
    /// @param shape what the statements are, from the text
    BodyFacts facts(String loop, List<knobscape.hls.source.Loop> inside, LoopText.Shape shape) {
        Found f = found.getOrDefault(loop, new Found());
        return new BodyFacts(
                inside,
                f.accesses.values().stream()
                        .sorted(Comparator.comparingInt(a -> a.location().offset()))
                        .toList(),
                f.calls,
                f.multiplications,
                shape.tasks(f.calls),
                shape.others(f.calls));
    }

    private Found in(Map<IrLoop, String> around) {
        return found.computeIfAbsent(loop(around), _ -> new Found());
    }

    private static String loop(Map<IrLoop, String> around) {
        return around.values().stream().filter(x -> !x.isEmpty()).findFirst().orElse("");
    }

    private void read(IrInstruction i, Map<IrLoop, String> around, Set<Integer> addresses) {
        switch (i.opcode()) {
            case LOAD -> access(i, i.operands().getFirst(), i.type().bytes(), Access.Kind.READ, around);
            case STORE ->
                access(i, i.operands().get(1), i.operands().getFirst().type().bytes(), Access.Kind.WRITE, around);
            case MUL, FMUL -> {
                Optional<String> variable =
                        i.location().filter(l -> l.inlinedAt().isPresent()).isPresent()
                                ? Optional.empty()
                                : assigned(i.result(), 0);
                if (!addresses.contains(i.id())) {
                    place(i, statements)
                            .ifPresent(at ->
                                    in(around).multiplications.add(new Multiplication(type(i.type()), variable, at)));
                }
            }
            case CALL -> call(i, around);
            default -> {}
        }
    }

    private Optional<Location> place(IrInstruction i) {
        return place(i, located);
    }

    private static Optional<Location> place(IrInstruction i, java.util.function.Function<IrLocation, Location> where) {
        return i.location().map(IrLocation::outermost).filter(l -> l.line() > 0).map(where);
    }

    private static ScalarType type(IrType type) {
        return switch (type) {
            case IrType.Real(int bits) ->
                new ScalarType(
                        bits <= Short.SIZE
                                ? ScalarType.Kind.HALF
                                : bits <= Float.SIZE ? ScalarType.Kind.FLOAT : ScalarType.Kind.DOUBLE,
                        bits,
                        0,
                        true,
                        bits <= Short.SIZE ? "half" : bits <= Float.SIZE ? "float" : "double");
            case IrType.Int(int bits) -> new ScalarType(ScalarType.Kind.INTEGER, bits, 0, true, "int" + bits);
            default -> new ScalarType(ScalarType.Kind.UNKNOWN, 1, 0, true, "");
        };
    }

    /// The variable that a value is assigned to, also converted.
    private Optional<String> assigned(IrValue value, int depth) {
        Optional<String> name = Optional.ofNullable(called.get(value));
        if (name.isPresent() || depth > 2) {
            return name;
        }
        return converted.getOrDefault(value, List.of()).stream()
                .flatMap(u -> assigned(u.result(), depth + 1).stream())
                .findFirst();
    }

    /// Instructions whose result is used for nothing but addresses, and stands in no variable.
    private Set<Integer> addresses() {
        List<IrInstruction> code = forms.code();
        var values = new HashSet<Integer>();
        var users = new HashMap<Integer, List<IrInstruction>>();
        for (IrInstruction i : code) {
            for (int k = 0; k < i.operands().size(); k++) {
                if (i.operands().get(k) instanceof IrValue.Result r) {
                    users.computeIfAbsent(r.instruction(), _ -> new ArrayList<>())
                            .add(i);
                }
            }
        }
        for (IrInstruction i : code.reversed()) {
            List<IrInstruction> of = users.getOrDefault(i.id(), List.of());
            boolean only = !of.isEmpty()
                    && (i.opcode() == IrOpcode.PHI || assigned(i.result(), 0).isEmpty())
                    && of.stream()
                            .allMatch(u -> u.opcode() == IrOpcode.GET_ELEMENT_PTR
                                    || (isAddressArithmetic(u.opcode()) && values.contains(u.id())));
            if (only) {
                values.add(i.id());
            }
        }
        return values;
    }

    private static boolean isAddressArithmetic(IrOpcode o) {
        return o.isConversion()
                || switch (o) {
                    case ADD, SUB, MUL, SDIV, UDIV, SREM, UREM, SHL, LSHR, ASHR, AND, OR, XOR -> true;
                    default -> false;
                };
    }

    private void access(IrInstruction i, IrValue address, long bytes, Access.Kind kind, Map<IrLoop, String> around) {
        places.all(address, bytes).forEach(p -> access(i, p, kind, around));
    }

    private void access(IrInstruction i, ArrayPlaces.Place p, Access.Kind kind, Map<IrLoop, String> around) {
        IrInstruction placed = p.key().isPresent() ? forms.code().get(p.key().getAsInt()) : i;
        Optional<Location> at = place(placed).or(() -> place(i));
        if (at.isEmpty()) {
            return;
        }
        ArrayVariable array = p.array();
        boolean queue = array.scope() == ArrayVariable.Scope.STREAM;
        if (!queue) {
            touches.add(new CarriedDependences.Touch(
                    array.id(), p.index(), kind == Access.Kind.READ, kind == Access.Kind.WRITE, i.id()));
        }
        List<IndexForm> index = p.index()
                .map(all -> all.stream()
                        .map(a -> inductions.form(a, around, this::why))
                        .toList())
                .orElseGet(() -> java.util.Collections.nCopies(
                        array.dims().size(), new IndexForm.NonAffine("is reached through a moving pointer")));
        String loop = loop(around);
        Object key = p.key().isPresent() && !queue
                ? List.of(array.id(), p.key().getAsInt())
                : List.of(array.id(), at.get(), queue ? kind : "");
        var made = new Access(array.id(), kind, index, loop, at.get());
        if (condition && !loop.isEmpty()) {
            in(around)
                    .limits
                    .put(
                            key,
                            around.values().stream()
                                    .filter(x -> !x.isEmpty())
                                    .skip(1)
                                    .findFirst()
                                    .orElse(""));
        }
        in(around)
                .accesses
                .merge(
                        key,
                        made,
                        (a, b) -> a.kind() == b.kind()
                                ? a
                                : new Access(a.array(), Access.Kind.READ_WRITE, a.index(), a.loop(), a.location()));
    }

    /// Why a value is no form of loop variables.
    private String why(int symbol) {
        if (symbol >= 0 && symbol < forms.code().size()) {
            IrInstruction i = forms.code().get(symbol);
            if (i.opcode() == IrOpcode.LOAD) {
                Optional<ArrayPlaces.Place> from =
                        places.of(i.operands().getFirst(), i.type().bytes());
                if (from.isPresent()) {
                    return "indirect through " + from.get().array().name();
                }
            }
            Optional<String> variable = assigned(i.result(), 0);
            return "depends on " + variable.orElse("a computed value");
        }
        int argument = symbol - forms.code().size();
        return argument >= 0 && argument < function.arguments().size()
                ? "depends on " + function.arguments().get(argument).name()
                : "depends on how often another loop ran";
    }

    private void call(IrInstruction i, Map<IrLoop, String> around) {
        String callee = i.callee().orElse("");
        Optional<Location> at = place(i);
        if (at.isEmpty()) {
            return;
        }
        if (BLOCK_FUNCTION.matcher(callee).matches()) {
            block(callee.split("\\.")[1], i, around, at.get());
            return;
        }
        String known = names.apply(callee);
        if (known == null) {
            started(i, around, at.get());
            return;
        }
        var given = new ArrayList<String>();
        var actuals = new HashMap<Integer, ArrayPlaces.Place>();
        for (int k = 0; k < i.operands().size(); k++) {
            if (i.operands().get(k).type() instanceof IrType.Pointer) {
                int index = k;
                places.of(i.operands().get(k), 0).ifPresent(p -> {
                    given.add(p.array().id());
                    actuals.put(index, p);
                });
            }
        }
        in(around).calls.add(new BodyFacts.Call(known, false, given, at.get()));
        bind(known, callee, i, actuals, at.get());
    }

    /// A function that is given to one without a body, with its arguments behind it: a task that is started.
    private void started(IrInstruction i, Map<IrLoop, String> around, Location at) {
        for (int k = 0; k < i.operands().size(); k++) {
            String known = i.operands().get(k) instanceof IrValue.Symbol(String symbol) ? names.apply(symbol) : null;
            if (known != null) {
                String task = ((IrValue.Symbol) i.operands().get(k)).name();
                var given = new ArrayList<String>();
                var actuals = new HashMap<Integer, ArrayPlaces.Place>();
                for (int n = k + 1; n < i.operands().size(); n++) {
                    int index = n - k - 1;
                    if (i.operands().get(n).type() instanceof IrType.Pointer) {
                        places.of(i.operands().get(n), 0).ifPresent(p -> {
                            given.add(p.array().id());
                            actuals.put(index, p);
                        });
                    }
                }
                in(around).calls.add(new BodyFacts.Call(known, false, given, at));
                bind(known, task, i, actuals, at);
                return;
            }
        }
    }

    private void bind(
            String known, String callee, IrInstruction call, Map<Integer, ArrayPlaces.Place> actuals, Location at) {
        Optional<IrFunction> f = module.function(callee).filter(x -> !x.isDeclaration());
        var bound = new LinkedHashMap<String, String>();
        f.ifPresent(x -> {
            for (KernelInputs.Parameter p : KernelInputs.parameters(x)) {
                ArrayPlaces.Place actual = actuals.get(p.index());
                if (actual != null) {
                    bound.put(p.name(), actual.array().id());
                }
                if (p.address() && p.index() < call.operands().size()) {
                    places.members(call.operands().get(p.index()))
                            .forEach((member, id) -> bound.put(p.name() + "." + member, id));
                }
            }
        });
        bindings.add(new Function.Binding(known, bound, at));
        effects.getOrDefault(known, Map.of()).forEach((array, e) -> {
            String there = array.startsWith("/") ? array : bound.get(array.substring(array.indexOf('/') + 1));
            if (there != null) {
                touches.add(new CarriedDependences.Touch(there, Optional.empty(), e.reads(), e.writes(), call.id()));
            }
        });
    }

    /// A copy of one element is a read and a write; a block is handed to the function of the library.
    private void block(String name, IrInstruction i, Map<IrLoop, String> around, Location at) {
        boolean set = name.equals("memset");
        Optional<ArrayPlaces.Place> to = places.of(i.operands().getFirst(), 1);
        Optional<ArrayPlaces.Place> from =
                set ? Optional.empty() : places.of(i.operands().get(1), 1);
        long bytes = AffineForms.whole(i.operands().get(2)).orElse(Long.MAX_VALUE);
        if (isElement(to, bytes) || isElement(from, bytes)) {
            from.ifPresent(p -> access(i, p, Access.Kind.READ, around));
            to.ifPresent(p -> access(i, p, Access.Kind.WRITE, around));
        } else if (written.test(at) && (set ? to.isPresent() : to.isPresent() && from.isPresent())) {
            var given = new ArrayList<String>();
            to.ifPresent(p -> given.add(p.array().id()));
            from.ifPresent(p -> given.add(p.array().id()));
            in(around).calls.add(new BodyFacts.Call(name, true, given, at));
        }
    }

    private static boolean isElement(Optional<ArrayPlaces.Place> p, long bytes) {
        return p.isPresent()
                && p.get().key().isPresent()
                && bytes * Byte.SIZE
                        <= Math.max(Byte.SIZE, p.get().array().element().bits() + Long.SIZE);
    }
}
