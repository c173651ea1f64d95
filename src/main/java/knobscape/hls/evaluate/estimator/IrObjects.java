package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.analysis.Widths;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrGlobal;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrInstruction.Detail;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.hls.evaluate.estimator.IrOrders.MemoryName;
import knobscape.hls.evaluate.estimator.IrOrders.MemoryOrder;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Location;
import knobscape.hls.source.ScalarType;
import knobscape.hls.space.Directive;

/// The memories of a compiled source: local arrays, globals and what the top's arguments point to. A pointer that a
/// function gets stands for what its callers pass.
final class IrObjects {
    /// A memory.
    ///
    /// @param store size and shape
    /// @param layout how it lies
    /// @param order what is said about it
    /// @param elementBytes between neighbours of the innermost dimension
    /// @param fieldBytes bytes before each member where the members of its structs are memories of their own
    /// @param wholeWords whether an access takes all members of an element
    /// @param calls whether it is a queue that calls read and write
    record Memory(
            Program.Store store,
            Layout layout,
            MemoryOrder order,
            long elementBytes,
            List<Long> fieldBytes,
            boolean wholeWords,
            boolean calls) {}

    private static final int WIDEST_PORT = 1024;
    private static final int UNKNOWN_PIECES = 1 << 20;

    private record Key(String function, IrValue root) {}

    private final IrModule module;
    private final Buses buses;
    private final IrOrders orders;
    private final Map<String, FunctionFacts> facts;
    private final Map<Key, Key> bound = new HashMap<>();
    private final Map<Key, Integer> numbers = new HashMap<>();
    private final List<Memory> memories = new ArrayList<>();
    private final Set<Key> queues = new HashSet<>();

    /// @param facts of the functions that are reached, by name
    IrObjects(IrModule module, IrOrders orders, Map<String, FunctionFacts> facts, EstimatorSettings settings) {
        this.module = module;
        buses = buses(module, orders, settings);
        this.orders = orders;
        this.facts = facts;
        facts.values().forEach(this::bind);
        facts.forEach((name, f) -> f.forms().code().forEach(i -> find(name, f, i)));
    }

    private static Buses buses(IrModule module, IrOrders orders, EstimatorSettings settings) {
        var masters = new ArrayList<Buses.Master>();
        int scalars = 0;
        Optional<IrFunction> top = module.function(orders.top());
        for (IrFunction.IrArgument a : top.map(IrFunction::arguments).orElse(List.of())) {
            MemoryOrder o = orders.memory(new MemoryName(orders.top(), a.name()));
            boolean pointer = a.type() instanceof IrType.Pointer;
            boolean flow = settings.profile().isKernelFlow();
            if (pointer && (!o.master().isEmpty() || (flow && o.depth() == 0))) {
                masters.add(new Buses.Master(a.name(), wordBits(o), o.master()));
            } else if (!pointer && flow) {
                scalars += Math.ceilDiv(Math.max(1, Widths.bits(a.type())), 32) * 32;
            }
        }
        return new Buses(masters, scalars, settings);
    }

    /// Bits of a master's word; a struct wider than the widest port goes member by member.
    private static int wordBits(MemoryOrder o) {
        return o.elementBits() > 0 && o.elementBits() <= WIDEST_PORT ? o.elementBits() : 32;
    }

    /// AXI ports of the top.
    Buses buses() {
        return buses;
    }

    private void bind(FunctionFacts f) {
        for (IrInstruction call : f.forms().code()) {
            Optional<FunctionFacts> callee = call.callee().map(facts::get);
            for (int k = 0; callee.isPresent() && k < call.operands().size(); k++) {
                if (call.operands().get(k).type() instanceof IrType.Pointer) {
                    var formal = new IrValue.Argument(k, call.operands().get(k).type());
                    bound.putIfAbsent(
                            new Key(call.callee().orElse(""), formal),
                            new Key(
                                    f.function().name(),
                                    f.forms().pointer(call.operands().get(k)).root()));
                }
            }
        }
    }

    private void find(String name, FunctionFacts f, IrInstruction i) {
        if (i.opcode() == IrOpcode.CALL && IrCalls.isQueue(i)) {
            Key k = resolve(name, f.forms().pointer(i.operands().getFirst()).root());
            if (queues.add(k) && numbers.containsKey(k)) {
                memories.set(numbers.get(k), made(k, numbers.get(k)));
            }
            of(name, f.forms().pointer(i.operands().getFirst()).root());
        }
        IrCalls.address(i).ifPresent(a -> of(name, f.forms().pointer(a).root()));
    }

    private Key resolve(String function, IrValue root) {
        var key = root instanceof IrValue.Symbol ? new Key("", root) : new Key(function, root);
        for (int depth = 0; depth < 16; depth++) {
            Key to = key.function().equals(orders.top()) ? null : bound.get(key);
            if (to == null) {
                break;
            }
            key = to.root() instanceof IrValue.Symbol ? new Key("", to.root()) : to;
        }
        return key;
    }

    /// Number of the memory that an object of a function is.
    int of(String function, IrValue root) {
        Key key = resolve(function, root);
        Integer known = numbers.get(key);
        if (known == null) {
            known = memories.size();
            numbers.put(key, known);
            memories.add(made(key, known));
        }
        return known;
    }

    /// All of them by number.
    List<Memory> all() {
        return Collections.unmodifiableList(memories);
    }

    Memory get(int number) {
        return memories.get(number);
    }

    /// Layouts by number.
    Layout[] layouts() {
        return memories.stream().map(Memory::layout).toArray(Layout[]::new);
    }

    private Memory made(Key key, int number) {
        String name = "";
        Optional<IrType> type = Optional.empty();
        boolean external = false;
        boolean rom = false;
        switch (key.root()) {
            case IrValue.Symbol s -> {
                Optional<IrGlobal> g = module.global(s.name());
                name = s.name();
                type = g.map(IrGlobal::type);
                rom = g.map(IrGlobal::constant).orElse(false);
            }
            case IrValue.Argument a -> {
                IrFunction f = requireNonNull(facts.get(key.function())).function();
                name = f.arguments().get(a.index()).name();
                type = f.arguments().get(a.index()).pointee();
                external = true;
            }
            case IrValue.Result r -> {
                IrInstruction i =
                        requireNonNull(facts.get(key.function())).forms().code().get(r.instruction());
                name = i.name();
                if (i.opcode() == IrOpcode.ALLOCA && i.detail() instanceof Detail.Element(IrType t)) {
                    type = Optional.of(t);
                } else {
                    external = true;
                }
            }
            default -> external = true;
        }
        MemoryOrder order = orders.memory(declared(key, name));
        return shaped(key, number, name, type, external, rom, order);
    }

    private MemoryName declared(Key key, String name) {
        return key.root() instanceof IrValue.Result r
                ? requireNonNull(facts.get(key.function())).function().variables().stream()
                        .filter(v -> v.address() && v.value().equals(r))
                        .findFirst()
                        .map(IrDeclarations::local)
                        .orElse(new MemoryName(key.function(), name))
                : new MemoryName(key.function(), name);
    }

    private Memory shaped(
            Key key, int number, String name, Optional<IrType> type, boolean external, boolean rom, MemoryOrder order) {
        List<Long> dims = new ArrayList<>();
        IrType element = type.orElse(new IrType.Int(Math.max(8, order.elementBits())));
        boolean walking = true;
        while (walking) {
            if (element instanceof IrType.Array a) {
                dims.add(a.length());
                element = a.element();
            } else if (element instanceof IrType.Struct s && s.members().size() == 1 && !isVector(s)) {
                element = s.members().getFirst();
            } else {
                walking = false;
            }
        }
        if (!order.dims().isEmpty() && external) {
            dims = new ArrayList<>(order.dims());
            if (dims.getFirst() == 0
                    && order.cuts().stream()
                            .anyMatch(c -> c.dimension() <= 1 && c.type() == Directive.PartitionType.COMPLETE)) {
                // As many pieces as there are elements, however many that is.
                dims.set(0, (long) UNKNOWN_PIECES);
            }
        } else if (type.isEmpty()) {
            dims.add(0L);
        } else if (dims.isEmpty()) {
            dims.add(1L);
        }
        boolean queue = queues.contains(key) || order.depth() > 0;
        int bits = order.elementBits() > 0 ? order.elementBits() : Math.max(1, Widths.bits(element));
        long bytes = order.elementBits() > 0 ? (order.elementBits() + 7) / 8 : Math.max(1, element.bytes());
        List<Long> fields = List.of();
        boolean struct = element instanceof IrType.Struct s && !isVector(s);
        if (struct
                && !external
                && !queue
                && element instanceof IrType.Struct s
                && s.members().size() <= 64) {
            fields = s.offsets();
            bits = Math.max(1, bits / fields.size());
        }
        int n = dims.size() + (fields.isEmpty() ? 0 : 1);
        long[] sizes = new long[n];
        long[] strides = new long[n];
        long stride = 1;
        for (int d = n - 1; d >= 0; d--) {
            sizes[d] = d < dims.size() ? dims.get(d) : fields.size();
            strides[d] = stride;
            stride *= Math.max(1, sizes[d]);
        }
        List<Long> all = new ArrayList<>();
        for (long s : sizes) {
            all.add(s);
        }
        var variable = new ArrayVariable(
                key.function() + "/" + name,
                name,
                key.function(),
                queue
                        ? ArrayVariable.Scope.STREAM
                        : external
                                ? ArrayVariable.Scope.PARAMETER
                                : key.function().isEmpty() ? ArrayVariable.Scope.GLOBAL : ArrayVariable.Scope.LOCAL,
                new ScalarType(ScalarType.Kind.INTEGER, bits, 0, true, ""),
                all,
                rom,
                new Location("", 0, 0, 0, 0));
        var store = new Program.Store(
                number,
                variable,
                bits,
                sizes,
                strides,
                external,
                queue,
                rom,
                external && key.function().equals(orders.top()) ? buses.of(name) : -1,
                new int[] {number});
        Layout layout = new Layout(number, request(number, sizes, dims.size(), order), store);
        return new Memory(store, layout, order, bytes, fields, external || isVector(element), queues.contains(key));
    }

    private static boolean isVector(IrType type) {
        return type instanceof IrType.Struct s && s.name().contains("vector");
    }

    private static Layout.Request request(int number, long[] sizes, int dims, MemoryOrder order) {
        // The tools divide no memory behind an AXI master port (UG1399).
        List<IrOrders.Cut> cuts = order.master().isEmpty() ? order.cuts() : List.of();
        Layout.Cut[] partition = new Layout.Cut[sizes.length];
        Layout.Cut[] reshape = new Layout.Cut[sizes.length];
        java.util.Arrays.fill(partition, Layout.NONE);
        java.util.Arrays.fill(reshape, Layout.NONE);
        for (IrOrders.Cut c : cuts) {
            for (int d = c.dimension() == 0 ? 0 : c.dimension() - 1;
                    d < (c.dimension() == 0 ? dims : Math.min(dims, c.dimension()));
                    d++) {
                (c.reshape() ? reshape : partition)[d] = new Layout.Cut(c.type(), Math.max(1, c.factor()));
            }
        }
        for (int d = dims; d < sizes.length; d++) {
            partition[d] = new Layout.Cut(Directive.PartitionType.COMPLETE, 0);
        }
        return new Layout.Request(number, List.of(partition), List.of(reshape), order.storage(), 0);
    }
}
