package knobscape.hls.source.clang;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import knobscape.compile.Transformation;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.ir.IrDebugType;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrFunction.IrVariable;
import knobscape.compile.ir.IrGlobal;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrLocation;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrValue;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.ArrayVariable.Scope;
import knobscape.hls.source.CompiledSource;
import knobscape.hls.source.Location;
import knobscape.hls.source.ScalarType;

/// The arrays of a compiled source: parameters, locals, statics and globals, their members, streams.
final class ArrayFacts {
    /// Objects in objects.
    private static final int DEEPEST = 6;

    private final IrModule module;
    private final Map<String, List<Call>> calls = new HashMap<>();
    private final UnaryOperator<String> names;
    private final java.util.function.Function<IrLocation, Location> places;

    /// A call, with the code and the sizes of parameters around it.
    private record Call(
            IrFunction caller, List<IrInstruction> code, IrInstruction instruction, Map<IrValue, Long> sizes) {}

    /// @param module unoptimised
    /// @param names of functions as people know them, by the linker's
    /// @param places in files
    ArrayFacts(IrModule module, UnaryOperator<String> names, java.util.function.Function<IrLocation, Location> places) {
        this.module = module;
        for (IrFunction f : module.functions()) {
            List<IrInstruction> code = f.instructions();
            Map<IrValue, Long> sizes = sizes(f);
            for (IrInstruction i : code) {
                i.callee()
                        .ifPresent(c ->
                                calls.computeIfAbsent(c, _ -> new ArrayList<>()).add(new Call(f, code, i, sizes)));
            }
        }
        this.names = names;
        this.places = places;
    }

    /// Arrays of a function, parameters first.
    List<ArrayVariable> of(IrFunction f) {
        String function = Objects.requireNonNull(names.apply(f.name()));
        var sizes = new HashMap<>(sizes(f));
        passed(f).forEach(sizes::putIfAbsent);
        Set<IrValue> indexed = indexed(f, true);
        Set<IrValue> stepped = indexed(f, false);
        var arrays = new ArrayList<ArrayVariable>();
        for (IrVariable v : f.variables()) {
            boolean one = v.name().equals("this")
                    || (DebugTypes.plain(v.type()) instanceof IrDebugType.Address a && a.reference());
            boolean scalar = isPointer(v.type()) && (v.argument() == 0 || !indexed.contains(v.value()) || one);
            boolean object = one || (!stepped.contains(v.value()) && !sizes.containsKey(v.value()));
            if (v.argument() > 0 && members(v.type()) && object) {
                arrays.addAll(arrays(function, v.name(), target(v.type()), Scope.PARAMETER, v.location(), 0));
            } else if (v.address() && !v.name().isEmpty() && !scalar) {
                Scope scope = v.argument() > 0 ? Scope.PARAMETER : Scope.LOCAL;
                arrays.addAll(
                        arrays(function, v.name(), v.type(), scope, v.location(), sizes.getOrDefault(v.value(), 0L)));
            }
        }
        for (IrGlobal g : module.globals()) {
            if (g.location().filter(l -> l.function().equals(f.sourceName())).isPresent()
                    && g.debug().isPresent()) {
                arrays.addAll(arrays(
                        function,
                        g.sourceName(),
                        g.debug().get(),
                        Scope.LOCAL,
                        g.location().get(),
                        0));
            }
        }
        return arrays;
    }

    /// Scalar parameters by name.
    Map<String, ScalarType> scalars(IrFunction f) {
        var scalars = new LinkedHashMap<String, ScalarType>();
        for (IrVariable v : f.variables()) {
            if (v.argument() > 0
                    && DebugTypes.shape(v.type()).isEmpty()
                    && DebugTypes.streamed(v.type()).isEmpty()) {
                scalars.put(v.name(), DebugTypes.element(v.type()));
            }
        }
        return scalars;
    }

    /// Global arrays that functions use.
    List<ArrayVariable> globals(Iterable<IrFunction> functions) {
        var used = new HashSet<String>();
        for (IrFunction f : functions) {
            f.instructions().forEach(i -> i.operands().forEach(o -> symbols(o, used)));
        }
        var arrays = new ArrayList<ArrayVariable>();
        for (IrGlobal g : module.globals()) {
            if (used.contains(g.name())
                    && !g.sourceName().isEmpty()
                    && g.debug().isPresent()
                    && g.location().filter(l -> l.function().isEmpty()).isPresent()) {
                arrays.addAll(arrays(
                        "",
                        g.sourceName(),
                        g.debug().get(),
                        Scope.GLOBAL,
                        g.location().get(),
                        0));
            }
        }
        return arrays;
    }

    /// True if it is an address of something that is no array.
    private static boolean isPointer(IrDebugType type) {
        return DebugTypes.plain(type) instanceof IrDebugType.Address(IrDebugType to, boolean _)
                && !(DebugTypes.plain(to) instanceof IrDebugType.Elements)
                && DebugTypes.streamed(to).isEmpty();
    }

    /// True if it is the address of a struct with arrays in it, as one is passed to a function.
    private static boolean members(IrDebugType type) {
        return isPointer(type)
                && DebugTypes.plain(target(type)) instanceof IrDebugType.Composite c
                && isObject(c)
                && hasArrays(c, 0);
    }

    private static boolean hasArrays(IrDebugType.Composite c, int depth) {
        return c.members().stream()
                .anyMatch(m -> DebugTypes.plain(m.type()) instanceof IrDebugType.Elements
                        || DebugTypes.streamed(m.type()).isPresent()
                        || (depth < DEEPEST
                                && DebugTypes.plain(m.type()) instanceof IrDebugType.Composite inner
                                && isObject(inner)
                                && hasArrays(inner, depth + 1)));
    }

    private static IrDebugType target(IrDebugType type) {
        return DebugTypes.plain(type) instanceof IrDebugType.Address(IrDebugType to, boolean _) ? to : type;
    }

    private static void symbols(IrValue value, Set<String> found) {
        switch (value) {
            case IrValue.Symbol s -> found.add(s.name());
            case knobscape.compile.ir.IrConstant.Computed c -> c.operands().forEach(o -> symbols(o, found));
            default -> {}
        }
    }

    private List<ArrayVariable> arrays(
            String function, String name, IrDebugType type, Scope scope, IrLocation at, long first) {
        var found = new ArrayList<ArrayVariable>();
        String id = function + "/" + name;
        Location place = places.apply(at);
        IrDebugType direct =
                DebugTypes.plain(type) instanceof IrDebugType.Address(IrDebugType to, boolean _) ? to : type;
        Optional<IrDebugType> streamed = DebugTypes.streamed(direct);
        if (streamed.isPresent()) {
            boolean several = first > 0 && DebugTypes.plain(type) instanceof IrDebugType.Address a && !a.reference();
            return List.of(new ArrayVariable(
                    id,
                    name,
                    function,
                    Scope.STREAM,
                    DebugTypes.element(streamed.get()),
                    several ? List.of(first) : List.of(),
                    place));
        }
        Optional<DebugTypes.Shape> shape = DebugTypes.shape(type);
        if (shape.isPresent()) {
            var dims = new ArrayList<>(shape.get().dims());
            if (first > 0 && dims.getFirst() == 0) {
                dims.set(0, first);
            }
            Optional<IrDebugType> carried = DebugTypes.streamed(shape.get().element());
            ScalarType element = DebugTypes.element(carried.orElse(shape.get().element()));
            List<ArrayVariable> inside = members(function, name, shape.get().element(), dims, place, 0);
            found.add(new ArrayVariable(
                    id,
                    name,
                    function,
                    carried.isPresent() ? Scope.STREAM : scope,
                    without(element, inside, dims.size()),
                    dims,
                    place));
            found.addAll(inside);
        } else {
            found.addAll(members(function, name, type, List.of(), place, 0));
        }
        return found;
    }

    /// Arrays and queues in an object, and in the objects in it.
    ///
    /// @param dims of the array that the object is an element of
    private static List<ArrayVariable> members(
            String function, String name, IrDebugType type, List<Long> dims, Location place, int depth) {
        var found = new ArrayList<ArrayVariable>();
        if (DebugTypes.plain(type) instanceof IrDebugType.Composite c && isObject(c) && depth < DEEPEST) {
            for (IrDebugType.Member m : c.members()) {
                String inside = DebugTypes.within(name, m);
                Optional<DebugTypes.Shape> shape = DebugTypes.plain(m.type()) instanceof IrDebugType.Elements
                        ? DebugTypes.shape(m.type()).filter(s -> !s.dims().contains(0L))
                        : Optional.empty();
                var all = new ArrayList<>(dims);
                shape.ifPresent(s -> all.addAll(s.dims()));
                IrDebugType element = shape.map(DebugTypes.Shape::element).orElse(m.type());
                Optional<IrDebugType> carried = DebugTypes.streamed(element);
                List<ArrayVariable> below =
                        carried.isPresent() ? List.of() : members(function, inside, element, all, place, depth + 1);
                if (shape.isPresent() || carried.isPresent()) {
                    found.add(new ArrayVariable(
                            function + "/" + inside,
                            inside,
                            function,
                            carried.isPresent() ? Scope.STREAM : Scope.MEMBER,
                            without(DebugTypes.element(carried.orElse(element)), below, all.size()),
                            all,
                            place));
                }
                found.addAll(below);
            }
        }
        return found;
    }

    private static boolean isObject(IrDebugType.Composite c) {
        return !c.name().startsWith("ap_") && DebugTypes.streamed(c).isEmpty();
    }

    /// An element without its member arrays, which are memories of their own.
    private static ScalarType without(ScalarType element, List<ArrayVariable> members, int dims) {
        long bits = element.bits();
        for (ArrayVariable m : members) {
            long each = m.element().bits();
            for (long d : m.dims().subList(dims, m.dims().size())) {
                each *= d;
            }
            bits -= each;
        }
        return members.isEmpty()
                ? element
                : new ScalarType(
                        element.kind(),
                        (int) Math.max(1, bits),
                        element.fraction(),
                        element.signed(),
                        element.spelling());
    }

    /// First sizes of array parameters, by the place where the parameter is kept.
    private static Map<IrValue, Long> sizes(IrFunction f) {
        var sizes = new HashMap<IrValue, Long>();
        for (IrInstruction i : f.instructions()) {
            if (i.callee().filter(CompiledSource.MARKER::equals).isPresent()
                    && AffineForms.whole(i.operands().getFirst()).orElse(0) < 0) {
                AffineForms.whole(i.operands().get(2)).stream()
                        .filter(n -> n > 0)
                        .forEach(n -> sizes.put(i.operands().get(1), n));
            }
        }
        return sizes;
    }

    /// Sizes of what callers pass for pointers, where all pass the same.
    private Map<IrValue, Long> passed(IrFunction f) {
        var all = new HashMap<IrValue, Set<Long>>();
        List<IrVariable> pointers = f.variables().stream()
                .filter(v -> v.argument() > 0 && DebugTypes.plain(v.type()) instanceof IrDebugType.Address)
                .toList();
        for (Call call : pointers.isEmpty() ? List.<Call>of() : calls.getOrDefault(f.name(), List.of())) {
            for (IrVariable v : pointers) {
                long size = size(call, call.instruction().operands().get(v.argument() - 1));
                all.computeIfAbsent(v.value(), _ -> new HashSet<>()).add(size);
            }
        }
        return all.entrySet().stream()
                .filter(e -> e.getValue().size() == 1 && !e.getValue().contains(0L))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, e -> e.getValue().iterator().next()));
    }

    /// First size of the array whose start a value is, 0 where not known.
    private long size(Call call, IrValue value) {
        List<IrInstruction> code = call.code();
        IrValue place = value;
        while (place instanceof IrValue.Result r
                && (code.get(r.instruction()).opcode() == IrOpcode.GET_ELEMENT_PTR
                        || code.get(r.instruction()).opcode() == IrOpcode.LOAD)) {
            IrInstruction i = code.get(r.instruction());
            boolean start = i.operands().stream()
                    .skip(1)
                    .allMatch(o -> AffineForms.whole(o).orElse(-1) == 0);
            if (!start) {
                return 0;
            }
            place = i.operands().getFirst();
        }
        if (place instanceof IrValue.Symbol g) {
            return module.global(g.name())
                    .flatMap(IrGlobal::debug)
                    .flatMap(DebugTypes::shape)
                    .map(s -> s.dims().getFirst())
                    .orElse(0L);
        }
        long told = call.sizes().getOrDefault(place, 0L);
        IrValue at = place;
        return told > 0
                ? told
                : call.caller().variables().stream()
                        .filter(v -> v.value().equals(at))
                        .flatMap(v -> DebugTypes.shape(v.type()).stream())
                        .map(s -> s.dims().getFirst())
                        .findFirst()
                        .orElse(0L);
    }

    /// Pointers that are more than the address of one value: something is added to them, they are kept or handed on.
    ///
    /// @param handed whether those that are kept or handed on count
    private static Set<IrValue> indexed(IrFunction f, boolean handed) {
        var held = new HashMap<Integer, IrValue>();
        var indexed = new HashSet<IrValue>();
        for (IrInstruction i : f.instructions()) {
            if (i.opcode() == IrOpcode.LOAD) {
                held.put(i.id(), i.operands().getFirst());
            }
            boolean marker =
                    i.callee().filter(c -> c.startsWith(Transformation.MARKER)).isPresent();
            boolean steps = i.opcode() == IrOpcode.GET_ELEMENT_PTR
                    && AffineForms.whole(i.operands().get(1)).orElse(1) != 0;
            boolean uses = steps || (handed && i.opcode() == IrOpcode.CALL && !marker);
            boolean kept = handed && i.opcode() == IrOpcode.STORE;
            for (IrValue o : uses ? i.operands() : kept ? i.operands().subList(0, 1) : List.<IrValue>of()) {
                if (o instanceof IrValue.Result r && held.containsKey(r.instruction())) {
                    indexed.add(held.get(r.instruction()));
                } else {
                    indexed.add(o);
                }
            }
        }
        return indexed;
    }
}
