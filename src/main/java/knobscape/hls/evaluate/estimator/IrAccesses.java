package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.compile.analysis.Affine;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.FlowGraph;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrLocation;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.hls.evaluate.estimator.IrObjects.Memory;
import knobscape.hls.evaluate.estimator.IrPlaces.Place;
import org.jspecify.annotations.Nullable;

/// Loads and stores of one block. A value stored and loaded in the same iteration stays in a register, whatever
/// branch stored it; several writes of one element become one; loads of what the loop neither moves over nor writes are
/// done before it; what may touch the same element keeps its order.
final class IrAccesses {
    /// Accesses that are looked back at in one place of a memory.
    private static final int LOOK_BACK = 64;
    /// Bits of a queue's word as long as nobody looks at it.
    private static final int QUEUE_BITS = 32;
    private static final int ADDRESS = 16;

    /// One access.
    ///
    /// @param node of the graph
    /// @param block in which it stands
    /// @param value node of the value that is there afterwards
    record Access(int node, boolean store, int memory, Affine bytes, int block, int value, int time) {}

    private final HyperBlock block;
    private final IrNodes nodes;
    private final FlowGraph flow;
    private final Graph graph;
    private final IrObjects objects;
    private final IrPlaces places;
    private final OperatorLibrary library;
    private final Steering steering;
    /// Memories that the loops write.
    private final BitSet changed;
    private final Map<Integer, History> histories = new HashMap<>();
    private final Map<Integer, Place> placeOf = new HashMap<>();
    private final Map<Integer, Affine> bytesOf = new HashMap<>();
    private final Map<Integer, Integer> hoisted = new HashMap<>();
    /// Calls that write a queue whose write was made.
    private final Set<Integer> written = new HashSet<>();
    private int time;
    private final BitSet guarded = new BitSet();
    /// Moving parts of accesses over AXI ports, by run.
    private final List<Affine> runs = new ArrayList<>();
    private final List<Long> elementOfRun = new ArrayList<>();
    private final Map<List<Object>, Integer> runOf = new HashMap<>();

    /// The history of one memory so far.
    private static final class History {
        final Map<Affine, List<Access>> byPlace = new HashMap<>();
        final Map<IrPlaces.Word, Access> words = new HashMap<>();
        /// Stores by moving part, in order.
        final Map<Affine, List<Access>> stores = new LinkedHashMap<>();
        final List<Access> loads = new ArrayList<>();
        /// The call or access that took the last turn, by bank.
        final Map<Integer, Turn> turns = new HashMap<>();
    }

    /// A call or access of a queue.
    private record Turn(int by, int node) {}

    IrAccesses(
            HyperBlock block,
            IrNodes nodes,
            Graph graph,
            Steering steering,
            IrObjects objects,
            OperatorLibrary library) {
        this.block = block;
        this.nodes = nodes;
        this.flow = block.facts().flow();
        this.graph = graph;
        this.steering = steering;
        this.objects = objects;
        this.library = library;
        places = new IrPlaces(block);
        changed = block.written(objects);
    }

    private History history(int memory) {
        return histories.computeIfAbsent(memory, _ -> new History());
    }

    @Nullable
    Place place(int node) {
        return placeOf.get(node);
    }

    @Nullable
    Affine bytes(int node) {
        return bytesOf.get(node);
    }

    /// Loads done before the loop, by memory.
    Map<Integer, Integer> hoisted() {
        return hoisted;
    }

    /// A read, write or poll of a queue. A write happens where its word is stored.
    int queue(IrInstruction i, int memory) {
        boolean write = IrCalls.isQueueWrite(i);
        if (write && block.isStoredThrough(objects, i)) {
            return -1;
        }
        return turn(i, memory, write, IrCalls.takesTurn(i), List.of(), Affine.of(0));
    }

    /// @param words that it writes, by node
    /// @param bytes the place of a queue that is an array, whose banks are queues of their own
    private int turn(IrInstruction i, int memory, boolean write, boolean takes, List<Integer> words, Affine bytes) {
        int n = graph.add(
                write ? Graph.STORE : Graph.LOAD,
                library.registerRead(),
                write && !words.isEmpty() ? graph.bits[words.getFirst()] : QUEUE_BITS);
        words.forEach(graph::argument);
        History h = history(memory);
        int guard = nodes.guard(i);
        if (guard >= 0) {
            graph.argument(guard);
        }
        Place at = places.of(memory, objects.get(memory), bytes);
        int bank = at.bankKnown() ? at.bank() : 0;
        Turn last = h.turns.get(bank);
        if (last != null && !flow.exclusive(block.facts().forms().blockOf(last.by()), block.blockOf(i))) {
            graph.argument(~last.node());
        }
        graph.array[n] = memory;
        graph.banks[n] = takes ? new int[] {0} : null;
        graph.root[n] = true;
        placeOf.put(n, at);
        h.turns.put(bank, new Turn(i.id(), n));
        return n;
    }

    /// A load or store.
    int access(IrInstruction i, int memory, Affine bytes) {
        Memory m = objects.get(memory);
        boolean loads = i.opcode() == IrOpcode.LOAD;
        if (m.store().fifo() && m.calls()) {
            return loads
                    ? taken(bytes, block.bits(i.result()))
                    : passed(memory, bytes, nodes.value(i.operands().getFirst()));
        }
        if (m.store().fifo()) {
            return turn(
                    i,
                    memory,
                    !loads,
                    true,
                    loads ? List.of() : List.of(nodes.value(i.operands().getFirst())),
                    bytes);
        }
        IrValue address = IrCalls.address(i).orElseThrow();
        if (loads) {
            return load(new Moved(i, address, block.bits(i.result())), memory, m, bytes);
        }
        IrValue value = i.operands().getFirst();
        return store(new Moved(i, address, block.bits(value)), memory, m, bytes, nodes.value(value));
    }

    /// A word that is copied: an element of an array of structs, the word of a queue, a struct in registers.
    void copy(IrInstruction call, IrObjects.Located to, IrObjects.Located from) {
        long length = AffineForms.whole(call.operands().get(2)).orElseThrow();
        List<Long> pieces = pieces(objects.get(to.memory()));
        pieces = pieces.size() > 1 ? pieces : pieces(objects.get(from.memory()));
        for (int k = 0; k < pieces.size() && pieces.get(k) < length; k++) {
            long start = pieces.get(k);
            long end = k + 1 < pieces.size() ? Math.min(pieces.get(k + 1), length) : length;
            int bits = (int) (end - start) * Byte.SIZE;
            int value = read(
                    new Moved(call, call.operands().get(1), bits),
                    from.memory(),
                    from.bytes().plus(start));
            write(
                    new Moved(call, call.operands().get(0), bits),
                    to.memory(),
                    to.bytes().plus(start),
                    value);
        }
    }

    /// Where members of structs start that are memories of their own.
    private static List<Long> pieces(Memory m) {
        return m.fieldBytes().isEmpty() ? List.of(0L) : m.fieldBytes();
    }

    private int read(Moved word, int memory, Affine bytes) {
        Memory m = objects.get(memory);
        return m.store().fifo() && m.calls() ? taken(bytes, word.bits()) : load(word, memory, m, bytes);
    }

    private void write(Moved word, int memory, Affine bytes, int value) {
        Memory m = objects.get(memory);
        if (m.store().fifo() && m.calls()) {
            passed(memory, bytes, value);
        } else {
            store(word, memory, m, bytes, value);
        }
    }

    /// The data that an access moves.
    ///
    /// @param by the load, store or copy
    private record Moved(IrInstruction by, IrValue address, int bits) {}

    /// A part of the word that a read took.
    private int taken(Affine bytes, int bits) {
        Optional<IrInstruction> call = IrCalls.turn(block.facts(), bytes);
        int word = call.map(c -> nodes.of(c)).orElse(-1);
        if (word < 0) {
            return graph.add(Graph.LIVE_IN, null, bits);
        }
        if (bytes.constant() == 0) {
            graph.bits[word] = Math.max(graph.bits[word], bits);
            return word;
        }
        return graph.operation(library.wire(), bits, word, graph.constant(bytes.constant(), ADDRESS), -1);
    }

    /// A part of the word that a write passes on: the first of them makes the write.
    private int passed(int memory, Affine bytes, int value) {
        Optional<IrInstruction> call = IrCalls.turn(block.facts(), bytes);
        if (call.isPresent() && written.add(call.get().id()) && block.isStoredThrough(objects, call.get())) {
            return turn(call.get(), memory, true, true, List.of(value), Affine.of(0));
        }
        if (graph.kind[value] != Graph.CONSTANT && graph.kind[value] != Graph.LIVE_IN) {
            graph.root[value] = true;
        }
        return value;
    }

    private int load(Moved word, int memory, Memory m, Affine bytes) {
        IrInstruction i = word.by();
        int within = block.blockOf(i);
        Place at = places.of(memory, m, bytes);
        History h = history(memory);
        int alias = lastAlias(h, m, bytes, at, within);
        int held = held(h, bytes, within, alias);
        if (held >= 0) {
            remember(h, new Access(held, false, memory, bytes, within, held, time++));
            return held;
        }
        int bits = word.bits();
        // The tool moves loads out of loops before it inlines functions.
        boolean inlined = i.location().flatMap(IrLocation::inlinedAt).isPresent();
        if (!inlined && isInvariant(memory, bytes) && nodes.guard(i) < 0 && !m.layout().registers) {
            hoisted.merge(memory, 1, Integer::sum);
            int n = graph.add(Graph.LIVE_IN, null, bits);
            remember(h, new Access(n, false, memory, bytes, within, n, time++));
            return n;
        }
        Access same = m.wholeWords() || m.layout().lanesInWord > 1 ? h.words.get(at.word()) : null;
        if (same != null && !same.store() && flow.dominates(same.block(), within) && same.time() > alias) {
            // One word, another part of it.
            int part =
                    graph.operation(library.wire(), bits, same.node(), graph.constant(bytes.constant(), ADDRESS), -1);
            remember(h, new Access(part, false, memory, bytes, within, part, time++));
            return part;
        }
        int address = address(word.address(), bytes, m.layout(), at);
        int n = graph.add(
                Graph.LOAD,
                m.store().onBus()
                        ? port(m).read().single()
                        : m.layout().registers ? library.registerRead() : library.load(),
                bits);
        if (address >= 0) {
            graph.argument(address);
        }
        int condition = nodes.guard(i);
        if (condition >= 0 && m.store().onBus()) {
            // A request is not made in advance.
            graph.argument(condition);
        }
        put(n, memory, m, bytes, at, condition >= 0);
        orderAfterStores(h, m, bytes, at, within);
        var made = new Access(n, false, memory, bytes, within, n, time++);
        remember(h, made);
        h.words.put(at.word(), made);
        return value(h, bytes, within, n, alias);
    }

    /// True if a load of this address gives the same in all iterations.
    private boolean isInvariant(int memory, Affine bytes) {
        return !block.over().isEmpty() && !changed.get(memory) && !block.moves(bytes);
    }

    /// The value at a place, where an access before left it in a register; -1 where it has to be loaded.
    private int held(History h, Affine bytes, int block, int lastAlias) {
        List<Access> all = h.byPlace.getOrDefault(bytes, List.of());
        var conditional = new ArrayList<Access>();
        for (int k = all.size() - 1; k >= Math.max(0, all.size() - LOOK_BACK); k--) {
            Access a = all.get(k);
            if (flow.exclusive(a.block(), block)) {
                continue;
            }
            if (a.time() < lastAlias) {
                return -1;
            }
            if (!a.store() || flow.dominates(a.block(), block)) {
                int value = a.value();
                for (int c = conditional.size() - 1; c >= 0; c--) {
                    value = chosen(conditional.get(c), value);
                }
                return value;
            }
            conditional.add(a);
        }
        return -1;
    }

    /// The loaded value, or what a store under a condition put there since.
    private int value(History h, Affine bytes, int block, int loaded, int lastAlias) {
        int value = loaded;
        for (Access a : h.byPlace.getOrDefault(bytes, List.of())) {
            if (a.store() && a.time() > lastAlias && !flow.exclusive(a.block(), block)) {
                value = chosen(a, value);
            }
        }
        return value;
    }

    private int chosen(Access store, int otherwise) {
        int guard = nodes.guardOfBlock(store.block());
        if (guard < 0 || store.value() == otherwise) {
            return store.value();
        }
        int bits = Math.max(graph.bits[store.value()], graph.bits[otherwise]);
        return graph.operation(library.select(bits), bits, guard, store.value(), otherwise);
    }

    private int store(Moved word, int memory, Memory m, Affine bytes, int stored) {
        IrInstruction i = word.by();
        int within = block.blockOf(i);
        Place at = places.of(memory, m, bytes);
        History h = history(memory);
        int value = stored;
        int guard = nodes.guard(i);
        int alias = Math.max(lastAlias(h, m, bytes, at, within), lastReadElsewhere(h, m, bytes, at, within));
        List<Access> before = h.byPlace.getOrDefault(bytes, List.of());
        for (int k = before.size() - 1; k >= Math.max(0, before.size() - LOOK_BACK); k--) {
            Access a = before.get(k);
            if (!a.store() || flow.exclusive(a.block(), within)) {
                continue;
            }
            if (a.time() > alias && graph.root[a.node()]) {
                // Both become one write at the end.
                graph.root[a.node()] = false;
                int earlier = nodes.guardOfBlock(a.block());
                if (guard >= 0 && a.block() != within) {
                    int bits = Math.max(graph.bits[value], graph.bits[a.value()]);
                    value = graph.operation(library.select(bits), bits, guard, value, a.value());
                    guard = earlier < 0
                            ? -1
                            : flow.dominates(a.block(), within)
                                    ? earlier
                                    : graph.operation(library.and(), 1, earlier, guard, -1);
                }
            }
            break;
        }
        Layout l = m.layout();
        boolean partial = l.lanesInWord > 1 && !at.laneKnown();
        int address = address(word.address(), bytes, l, at);
        int n = graph.add(
                Graph.STORE,
                m.store().onBus()
                        ? port(m).write().single()
                        : l.registers ? library.registerWrite() : partial ? library.wideStore() : library.store(),
                word.bits());
        graph.argument(value);
        if (address >= 0) {
            graph.argument(address);
        }
        if (guard >= 0) {
            graph.argument(guard);
        }
        graph.root[n] = true;
        put(n, memory, m, bytes, at, guard >= 0);
        orderAfterStores(h, m, bytes, at, within);
        if (partial) {
            steering.insert(l);
        }
        Access beside = h.words.get(at.word());
        if (m.wholeWords() && beside != null && beside.store() && beside.block() == within) {
            // Members of one word are written together.
            graph.banks[n] = null;
        }
        var made = new Access(n, true, memory, bytes, within, value, time++);
        remember(h, made);
        h.words.put(at.word(), made);
        h.stores.computeIfAbsent(bytes.moving(), _ -> new ArrayList<>()).add(made);
        return n;
    }

    private Buses.Port port(Memory m) {
        return objects.buses().ports().get(m.store().bus());
    }

    /// True if an access does not happen in every iteration.
    boolean isGuarded(int node) {
        return guarded.get(node);
    }

    /// Elements by which accesses of a run move from one iteration of a loop to the next.
    long stride(int run, IrLoop loop) {
        return runs.get(run).factor(Affine.iteration(loop.header())) / Math.max(1, elementOfRun.get(run));
    }

    private void put(int n, int memory, Memory m, Affine bytes, Place at, boolean conditional) {
        guarded.set(n, conditional);
        if (m.store().onBus()) {
            List<Object> key = List.of(memory, bytes.moving());
            Integer run = runOf.get(key);
            if (run == null) {
                run = runs.size();
                runOf.put(key, run);
                runs.add(bytes.moving());
                elementOfRun.add(unit(m, graph.bits[n]));
            }
            graph.run[n] = block.movesInside(bytes) ? -1 : run;
            graph.linear[n] = Math.floorDiv(bytes.constant(), elementOfRun.get(run));
        }
        graph.array[n] = memory;
        graph.banks[n] = m.layout().registers ? null : new int[] {0};
        placeOf.put(n, at);
        bytesOf.put(n, bytes);
        if (!at.bankKnown() && m.layout().banks > 1) {
            steering.steer(graph, n, m.layout(), library, at.choices());
        }
        if (!at.laneKnown() && graph.kind[n] == Graph.LOAD) {
            steering.extract(m.layout(), graph.bits[n]);
        }
    }

    /// Bytes from one access over an AXI port to the next: a struct wider than a port goes member by member.
    private static long unit(Memory m, int bits) {
        return m.elementBytes() * Byte.SIZE <= Buses.WIDEST ? m.elementBytes() : Math.max(1, bits / Byte.SIZE);
    }

    private static void remember(History h, Access a) {
        h.byPlace.computeIfAbsent(a.bytes(), _ -> new ArrayList<>(2)).add(a);
        if (!a.store()) {
            h.loads.add(a);
        }
    }

    /// Node that computes an address, -1 where a counter holds it; behind the division that tells bank or lane.
    private int address(IrValue pointer, Affine bytes, Layout l, Place at) {
        int address = address(pointer, bytes);
        if (!at.divided() || l.registers) {
            return address;
        }
        FunctionalUnit divider = library.bankDivider(l.indexBits(), block.pipelined());
        int from = address >= 0 ? address : graph.constant(bytes.moving().hashCode(), ADDRESS);
        return graph.operation(divider, divider.bits(), from, graph.constant(bytes.constant(), ADDRESS), -1);
    }

    private int address(IrValue pointer, Affine bytes) {
        if (block.movesInside(bytes)) {
            return index(pointer, -1, 0);
        }
        return bytes.size() > 1
                ? graph.operation(
                        library.adder(ADDRESS),
                        ADDRESS,
                        graph.constant(bytes.moving().hashCode(), ADDRESS),
                        graph.constant(bytes.constant(), ADDRESS),
                        -1)
                : -1;
    }

    /// Sum of the indices behind an address that depends on data.
    private int index(IrValue address, int sum, int depth) {
        if (!(address instanceof IrValue.Result(int id, IrType _)) || depth > LOOK_BACK) {
            return sum;
        }
        IrInstruction i = block.facts().forms().code().get(id);
        if (i.opcode() != IrOpcode.GET_ELEMENT_PTR) {
            return i.opcode() == IrOpcode.PHI || i.opcode() == IrOpcode.SELECT ? plus(sum, nodes.value(address)) : sum;
        }
        int all = sum;
        for (IrValue v : i.operands().subList(1, i.operands().size())) {
            all = v instanceof IrConstant ? all : plus(all, nodes.value(v));
        }
        return index(i.operands().getFirst(), all, depth + 1);
    }

    private int plus(int sum, int node) {
        return sum < 0 ? node : graph.operation(library.adder(ADDRESS), ADDRESS, sum, node, -1);
    }

    /// Time of the last store of another place that may be this one, -1 for none.
    private int lastAlias(History h, Memory m, Affine bytes, Place at, int block) {
        int last = -1;
        for (var e : h.stores.entrySet()) {
            if (!e.getKey().equals(bytes.moving())) {
                for (int k = e.getValue().size() - 1; k >= 0; k--) {
                    Access a = e.getValue().get(k);
                    if (a.time() <= last) {
                        break;
                    }
                    if (mayMeet(m, a, bytes, at, block)) {
                        last = a.time();
                    }
                }
            }
        }
        return last;
    }

    private int lastReadElsewhere(History h, Memory m, Affine bytes, Place at, int block) {
        for (int k = h.loads.size() - 1; k >= 0; k--) {
            Access a = h.loads.get(k);
            if (!a.bytes().moving().equals(bytes.moving()) && mayMeet(m, a, bytes, at, block)) {
                return a.time();
            }
        }
        return -1;
    }

    /// True if an access of another moving part may touch the same element.
    private boolean mayMeet(Memory m, Access a, Affine bytes, Place at, int block) {
        if (flow.exclusive(a.block(), block) || m.store().rom()) {
            return false;
        }
        Place other = placeOf.get(a.node());
        if (other != null && other.group() == at.group() && other.bank() != at.bank()) {
            return false;
        }
        Affine difference = bytes.minus(a.bytes());
        if (m.order().unordered() && !difference.isConstant()) {
            return false;
        }
        return difference.isConstant() || IrDistance.meets(difference, difference.constant(), m.elementBytes());
    }

    /// True if a store is a request over an AXI port whose answer accesses of the same argument wait for: one under a
    /// condition, which is no burst.
    private boolean isAnswered(Access store) {
        return guarded.get(store.node())
                && objects.get(store.memory()).store().onBus()
                && !objects.get(store.memory()).order().independent();
    }

    /// True if loads of the next iteration wait for a store wherever it writes.
    boolean isAnswered(int store) {
        return guarded.get(store) && objects.get(graph.array[store]).store().onBus();
    }

    private void orderAfterStores(History h, Memory m, Affine bytes, Place at, int block) {
        for (var e : h.stores.entrySet()) {
            boolean sameRun = e.getKey().equals(bytes.moving());
            for (int k = e.getValue().size() - 1; k >= Math.max(0, e.getValue().size() - LOOK_BACK); k--) {
                Access a = e.getValue().get(k);
                boolean meets = isAnswered(a)
                        ? !flow.exclusive(a.block(), block)
                        : sameRun
                                ? a.bytes().equals(bytes) && !flow.exclusive(a.block(), block)
                                : mayMeet(m, a, bytes, at, block);
                if (meets) {
                    graph.argument(~a.node());
                    if (flow.dominates(a.block(), block)) {
                        break;
                    }
                }
            }
        }
    }
}
