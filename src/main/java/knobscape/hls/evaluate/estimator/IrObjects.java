package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.compile.analysis.Affine;
import knobscape.compile.analysis.AffineForms;
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
import knobscape.hls.evaluate.estimator.IrOrders.MemberShape;
import knobscape.hls.evaluate.estimator.IrOrders.MemoryName;
import knobscape.hls.evaluate.estimator.IrOrders.MemoryOrder;
import knobscape.hls.evaluate.estimator.IrPointers.Key;
import knobscape.hls.evaluate.estimator.IrPointers.Target;
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
            Layout.Store store,
            Layout layout,
            MemoryOrder order,
            long elementBytes,
            List<Long> fieldBytes,
            boolean wholeWords,
            boolean calls) {}

    /// Bits of a word that is said to be wide.
    private static final int WIDE_STRUCT = 512;
    /// Words of a queue of which nothing is said (UG1399).
    private static final int SHORT_QUEUE = 2;
    private static final int FEW_ELEMENTS = 4;
    private static final int UNKNOWN_PIECES = 1 << 20;

    /// A member of a struct that is a memory of its own.
    ///
    /// @param from byte of the struct at which it starts
    private record Member(Key key, long from) {}

    /// An access.
    ///
    /// @param memory its number
    /// @param bytes from the start of the memory
    record Located(int memory, Affine bytes) {}

    private final IrModule module;
    private final IrPointers pointers;
    private final Buses buses;
    private final IrOrders orders;
    private final Map<String, FunctionFacts> facts;
    private final boolean aggregates;
    private final Map<Integer, OwnMemory> divisions;
    private final Map<Member, Integer> numbers = new HashMap<>();
    /// Objects that are rows of structs: an access moves from one to the next.
    private final Set<Key> rows = new HashSet<>();
    private final List<Memory> memories = new ArrayList<>();
    private final Set<Key> queues = new HashSet<>();
    /// Copies of one word.
    private final Set<IrInstruction> words = Collections.newSetFromMap(new IdentityHashMap<>());
    /// Local structs that are copied as a word and whose parts are otherwise named one by one.
    private final Set<Key> registered = new HashSet<>();

    /// @param facts of the functions that are reached, by name
    /// @param divisions decisions of the tool about memories, by number
    IrObjects(
            IrModule module,
            IrOrders orders,
            Map<String, FunctionFacts> facts,
            EstimatorSettings settings,
            Map<Integer, OwnMemory> divisions) {
        this.module = module;
        this.divisions = divisions;
        this.orders = orders;
        this.facts = facts;
        aggregates = settings.profile().aggregatesStructs();
        pointers = new IrPointers(module, orders.top(), facts);
        facts.forEach((name, f) -> f.forms().code().stream()
                .filter(IrCalls::isQueue)
                .forEach(i -> queues.add(pointers.resolve(
                                name, f.forms().pointer(i.operands().getFirst()).root())
                        .key())));
        buses = buses(settings);
        findWords();
        facts.forEach((name, f) -> f.forms().code().forEach(i -> findRows(name, f, i)));
        facts.forEach((name, f) -> f.forms().code().forEach(i -> find(name, f, i)));
    }

    private Buses buses(EstimatorSettings settings) {
        var masters = new ArrayList<Buses.Master>();
        int scalars = 0;
        Optional<IrFunction> top = module.function(orders.top());
        for (IrFunction.IrArgument a : top.map(IrFunction::arguments).orElse(List.of())) {
            MemoryOrder o = orders.memory(new MemoryName(orders.top(), a.name()));
            boolean pointer = a.type() instanceof IrType.Pointer;
            boolean flow = settings.profile().isKernelFlow();
            boolean queue = queues.stream()
                    .anyMatch(k -> k.function().equals(orders.top())
                            && k.root() instanceof IrValue.Argument q
                            && named(q).name().equals(a.name()));
            if (pointer && (!o.master().isEmpty() || (flow && o.depth() == 0 && !queue))) {
                masters.add(new Buses.Master(a.name(), wordBits(o), o.master()));
            } else if (!pointer && (flow || orders.slaves().contains(a.name()))) {
                scalars += Math.ceilDiv(Math.max(1, Widths.bits(a.type())), 32) * 32;
            }
        }
        return new Buses(masters, scalars, settings);
    }

    /// Bits of a master's word; a struct wider than the widest port goes member by member.
    private static int wordBits(MemoryOrder o) {
        return o.elementBits() > 0 && o.elementBits() <= Buses.WIDEST ? o.elementBits() : 32;
    }

    IrOrders orders() {
        return orders;
    }

    /// AXI ports of the top.
    Buses buses() {
        return buses;
    }

    private void find(String name, FunctionFacts f, IrInstruction i) {
        if (IrCalls.isQueue(i)) {
            of(name, f.forms().pointer(i.operands().getFirst()));
        }
        IrCalls.touched(i).forEach(a -> of(name, f.forms().pointer(a)));
        if (i.callee().filter(facts::containsKey).isPresent()) {
            // A function's accesses are told of what its first call passes only.
            i.operands().stream()
                    .filter(o -> o.type() instanceof IrType.Pointer)
                    .forEach(o -> of(name, f.forms().pointer(o)));
        }
    }

    /// A copy of known length.
    private record Copy(IrInstruction call, long length, Key to, Key from) {}

    private void findWords() {
        var moving = new HashSet<Key>();
        var copies = new ArrayList<Copy>();
        facts.forEach((name, f) -> f.forms().code().forEach(i -> {
            boolean transfer = IrCalls.isTransfer(i);
            var keys = new ArrayList<Key>();
            for (IrValue v : IrCalls.touched(i)) {
                AffineForms.Pointer p = f.forms().pointer(v);
                keys.add(pointers.resolve(name, p.root()).key());
                if (!p.bytes().isConstant()) {
                    moving.add(keys.getLast());
                }
            }
            if (transfer && keys.size() == 2) {
                AffineForms.whole(i.operands().get(2))
                        .ifPresent(n -> copies.add(new Copy(i, n, keys.getFirst(), keys.getLast())));
            }
        }));
        for (boolean more = true; more; ) {
            more = false;
            for (Copy c : copies) {
                boolean to = holds(c.to(), c.length());
                boolean from = holds(c.from(), c.length());
                boolean word = (to && (from || isStruct(c.from(), c.length(), moving)))
                        || (from && isStruct(c.to(), c.length(), moving));
                if (word && words.add(c.call())) {
                    more = true;
                    if (!to) {
                        registered.add(c.to());
                    }
                    if (!from) {
                        registered.add(c.from());
                    }
                }
            }
        }
    }

    /// True if an element, a queue's word or a struct in registers has this size.
    private boolean holds(Key key, long bytes) {
        return queues.contains(key) || registered.contains(key) || elementBytes(key) >= bytes;
    }

    /// True if a local of this size is only accessed at fixed places.
    private boolean isStruct(Key key, long bytes, Set<Key> moving) {
        return !moving.contains(key)
                && pointers.allocated(key).filter(t -> t.bytes() == bytes).isPresent();
    }

    /// Bytes of an element, a whole struct where it is one; 0 where unknown.
    private long elementBytes(Key key) {
        return switch (key.root()) {
            case IrValue.Argument a ->
                key.function().equals(orders.top()) ? argument(a).elementBits() / Byte.SIZE : 0;
            case IrValue.Symbol s ->
                pointers.global(s.name())
                        .map(t -> IrPointers.element(t, new ArrayList<>()).bytes())
                        .orElse(0L);
            default ->
                pointers.allocated(key)
                        .map(t -> IrPointers.element(t, new ArrayList<>()).bytes())
                        .orElse(0L);
        };
    }

    /// True if a call copies or fills a part of a memory, element after element.
    boolean isTransfer(IrInstruction i) {
        return IrCalls.isTransfer(i) && !words.contains(i);
    }

    /// True if a call copies one word.
    boolean isWord(IrInstruction i) {
        return words.contains(i);
    }

    private void findRows(String name, FunctionFacts f, IrInstruction i) {
        IrCalls.touched(i).forEach(a -> {
            AffineForms.Pointer p = f.forms().pointer(a);
            Target t = pointers.resolve(name, p.root());
            List<MemberShape> members = members(t.key());
            long size = members.isEmpty() ? Long.MAX_VALUE : end(members);
            long at = first(t, p.bytes());
            boolean row = at < 0 || at >= size;
            for (int k = 0; k < p.bytes().size(); k++) {
                row |= Math.abs(p.bytes().factorAt(k)) >= size;
            }
            // A variable is one struct; what an argument points to may be many.
            if (row && !members.isEmpty() && t.key().root() instanceof IrValue.Argument) {
                rows.add(t.key());
            }
        });
    }

    /// Number of the memory that a pointer of a function leads to.
    int of(String function, AffineForms.Pointer p) {
        return locate(function, p).memory();
    }

    /// The memory that a pointer of a function leads to, and the place in it.
    Located locate(String function, AffineForms.Pointer p) {
        Target t = pointers.resolve(function, p.root());
        long from = 0;
        List<MemberShape> members = apart(t.key());
        for (MemberShape m : members) {
            from = m.from() <= first(t, p.bytes()) ? m.from() : from;
        }
        var member = new Member(t.key(), from);
        Integer known = numbers.get(member);
        if (known == null) {
            known = memories.size();
            numbers.put(member, known);
            memories.add(made(member, known));
        }
        return new Located(known, p.bytes().plus(t.offset() - from));
    }

    /// The lowest byte of an object that an access may touch. A counter that runs down to 1 and is not understood
    /// leaves an index one below what it reaches.
    private static long first(Target t, Affine bytes) {
        return t.offset() + bytes.constant() + (bytes.isConstant() ? 0 : 1);
    }

    /// Members of the struct that an argument of the top points to, or that a variable is.
    private List<MemberShape> members(Key key) {
        if (key.root() instanceof IrValue.Argument a) {
            return key.function().equals(orders.top()) ? argument(a).members() : List.of();
        }
        var all = new ArrayList<MemberShape>();
        pointers.struct(key).ifPresent(s -> {
            for (int k = 0; k < s.members().size(); k++) {
                var dims = new ArrayList<Long>();
                IrType e = IrPointers.element(s.members().get(k), dims);
                all.add(new MemberShape("" + k, s.offsets().get(k), dims.isEmpty() ? List.of(1L) : dims, (int)
                        Math.min(Integer.MAX_VALUE, Byte.SIZE * e.bytes())));
            }
        });
        return all;
    }

    private MemoryOrder argument(IrValue.Argument a) {
        return orders.memory(named(a));
    }

    /// An argument of the top.
    private MemoryName named(IrValue.Argument a) {
        FunctionFacts f = requireNonNull(facts.get(orders.top()));
        return new MemoryName(
                orders.top(), f.function().arguments().get(a.index()).name());
    }

    private static long end(List<MemberShape> members) {
        MemberShape last = members.getLast();
        return last.from() + last.dims().stream().reduce(1L, (x, y) -> x * y) * Math.ceilDiv(last.bits(), Byte.SIZE);
    }

    /// Members that are memories of their own: those of one struct that holds arrays, behind no AXI port.
    private List<MemberShape> apart(Key key) {
        List<MemberShape> all = members(key);
        boolean split = all.stream().anyMatch(MemberShape::isArray)
                && !rows.contains(key)
                && !registered.contains(key)
                && (!(key.root() instanceof IrValue.Argument a) || buses.of(named(a).name()) < 0);
        return split ? all : List.of();
    }

    /// Bits of the one wide register that the tool makes of a struct that the top takes by address, 0 where its
    /// members are memories: a module that takes part of a member by its address needs a memory, one that takes
    /// two members at once needs the word again.
    private int register(Key key) {
        MemoryName name = key.root() instanceof IrValue.Argument a ? named(a) : new MemoryName("", "");
        int most = orders.taken().getOrDefault(name, Map.of()).entrySet().stream()
                .filter(c -> orders.function(c.getKey()).inline() != 1)
                .mapToInt(Map.Entry::getValue)
                .max()
                .orElse(0);
        return aggregates && most != 1 ? orders.memory(name).elementBits() : 0;
    }

    /// The assumptions about ports and structs of the top, a sentence each.
    List<String> notes() {
        var all = new ArrayList<>(buses.notes());
        memories.stream()
                .filter(m -> m.layout().request.aggregate() > WIDE_STRUCT)
                .map(m -> "struct " + m.store().source().variable() + " at the top is taken for one word of "
                        + m.layout().request.aggregate()
                        + " bits with multiplexers as wide, as Vitis HLS aggregates structs there;"
                        + " '#pragma HLS DISAGGREGATE variable="
                        + m.store().source().variable()
                        + "' makes its members memories again")
                .distinct()
                .forEach(all::add);
        return all;
    }

    Memory get(int number) {
        return memories.get(number);
    }

    /// Layouts by number.
    Layout[] layouts() {
        return memories.stream().map(Memory::layout).toArray(Layout[]::new);
    }

    private Memory made(Member member, int number) {
        Key key = member.key();
        Optional<MemberShape> own =
                apart(key).stream().filter(m -> m.from() == member.from()).findFirst();
        if (own.isPresent() && key.root() instanceof IrValue.Argument a) {
            var order = new MemoryOrder(
                    List.of(),
                    Directive.Storage.AUTO,
                    argument(a).apart(),
                    0,
                    Map.of(),
                    own.get().dims(),
                    own.get().bits(),
                    List.of(),
                    "");
            return shaped(
                    key,
                    number,
                    named(a).name() + "." + own.get().name(),
                    Optional.empty(),
                    true,
                    false,
                    order,
                    register(key));
        }
        String name = "";
        Optional<IrType> type = Optional.empty();
        boolean external = false;
        boolean rom = false;
        switch (key.root()) {
            case IrValue.Symbol s -> {
                Optional<IrGlobal> g = module.global(s.name());
                name = s.name();
                type = pointers.global(name);
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
        Optional<IrType.Struct> struct = own.flatMap(_ -> pointers.struct(key));
        if (struct.isPresent()) {
            int k = struct.get().offsets().indexOf(member.from());
            return shaped(
                    key,
                    number,
                    written(key, name) + "." + k,
                    Optional.of(struct.get().members().get(k)),
                    false,
                    false,
                    MemoryOrder.NOTHING,
                    0);
        }
        MemoryOrder order = orders.memory(declared(key, name));
        for (IrOrders.Cut c : divisions.getOrDefault(number, OwnMemory.NONE).cuts()) {
            order = order.cut(c);
        }
        int register = registered.contains(key)
                ? (int) type.map(IrType::bytes).orElse(0L).longValue() * Byte.SIZE
                : 0;
        return shaped(key, number, name, type, external, rom, order, register);
    }

    /// The source's name of a global; the form's of others.
    private String written(Key key, String name) {
        return key.root() instanceof IrValue.Symbol s
                ? module.global(s.name())
                        .map(IrGlobal::sourceName)
                        .filter(n -> !n.isEmpty())
                        .orElse(name)
                : name;
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
            Key key,
            int number,
            String name,
            Optional<IrType> type,
            boolean external,
            boolean rom,
            MemoryOrder order,
            int register) {
        List<Long> dims = new ArrayList<>();
        IrType element = IrPointers.element(type.orElse(new IrType.Int(Math.max(8, order.elementBits()))), dims);
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
        int value = valueBits(key, order);
        bits = value > 0 ? Math.min(bits, value) : bits;
        long bytes = order.elementBits() > 0 ? (order.elementBits() + 7) / 8 : Math.max(1, element.bytes());
        List<Long> fields = List.of();
        boolean struct = element instanceof IrType.Struct s && !IrPointers.isVector(s);
        if (struct
                && !external
                && !queue
                && element instanceof IrType.Struct s
                && s.members().size() <= IrPointers.MOST_MEMBERS) {
            fields = s.offsets();
            bits = Math.max(1, bits / fields.size());
        }
        int n = dims.size() + (fields.isEmpty() ? 0 : 1);
        if (queue && !external) {
            dims.set(dims.size() - 1, (long) Math.max(SHORT_QUEUE, order.depth()));
        }
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
                order.id().isEmpty() ? key.function() + "/" + name : order.id(),
                name,
                key.function(),
                queue
                        ? ArrayVariable.Scope.STREAM
                        : external
                                ? ArrayVariable.Scope.PARAMETER
                                : key.function().isEmpty() ? ArrayVariable.Scope.GLOBAL : ArrayVariable.Scope.LOCAL,
                new ScalarType(ScalarType.Kind.INTEGER, bits, 0, true, ""),
                all,
                new Location("", 0, 0, 0, 0));
        var store = new Layout.Store(
                number,
                variable,
                bits,
                sizes,
                strides,
                external,
                queue,
                rom,
                external && key.function().equals(orders.top()) ? buses.of(name) : -1);
        boolean few = aggregates && !external && !queue && !rom && variable.elements() < FEW_ELEMENTS;
        Layout layout = new Layout(number, request(number, sizes, dims.size(), few, order, register), store);
        return new Memory(
                store, layout, order, bytes, fields, external || IrPointers.isVector(element), queues.contains(key));
    }

    /// Bits of the numbers that an array holds, 0 where they fill its elements.
    private int valueBits(Key key, MemoryOrder order) {
        return switch (key.root()) {
            case IrValue.Symbol s ->
                module.global(s.name())
                        .flatMap(IrGlobal::debug)
                        .map(IrDeclarations::valueBits)
                        .orElse(0);
            case IrValue.Result r ->
                requireNonNull(facts.get(key.function())).function().variables().stream()
                        .filter(v -> v.address() && v.value().equals(r))
                        .findFirst()
                        .map(v -> IrDeclarations.valueBits(v.type()))
                        .orElse(0);
            default ->
                order.members().size() == 1 && !order.members().getFirst().isArray()
                        ? order.members().getFirst().bits()
                        : 0;
        };
    }

    /// @param few whether it is so small that Vitis HLS makes registers of it (`config_array_partition
    /// -complete_threshold`)
    private Layout.Request request(int number, long[] sizes, int dims, boolean few, MemoryOrder order, int register) {
        // The tools divide no memory behind an AXI master port (UG1399).
        List<IrOrders.Cut> cuts = !order.master().isEmpty()
                ? List.of()
                : few && order.cuts().isEmpty() && order.storage() == Directive.Storage.AUTO
                        ? List.of(new IrOrders.Cut(0, Directive.PartitionType.COMPLETE, 0, false))
                        : order.cuts();
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
        int readers = divisions.getOrDefault(number, OwnMemory.NONE).readers();
        return new Layout.Request(number, List.of(partition), List.of(reshape), order.storage(), readers, register);
    }
}
