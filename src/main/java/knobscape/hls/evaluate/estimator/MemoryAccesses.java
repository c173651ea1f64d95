package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.BitSet;
import knobscape.hls.evaluate.estimator.Program.Reference;
import knobscape.hls.evaluate.estimator.Program.Value;
import knobscape.space.LongIntMap;
import org.jspecify.annotations.Nullable;

/// Loads and stores of one block. Equal loads are merged, stores forward to later loads of the same element,
/// stores that are overwritten unread vanish, loads that do not change in a loop are done before it, and what
/// may touch the same element keeps its order.
final class MemoryAccesses {
    private final Program program;
    private final Plan plan;
    private final Graph graph;
    private final GraphBuilder builder;
    private final AccessLocator at;
    private final LongIntMap latest = new LongIntMap(16);
    private final Memory[] memories;
    private int @Nullable [] hoistLoops;
    private boolean[] written = {};
    private int @Nullable [] hoisted;
    /// Accesses that do not happen in every iteration.
    private final BitSet guarded = new BitSet();

    private int epoch;
    /// What leads accesses to their banks.
    final Steering steering = new Steering();

    /// Order of stores to one array.
    private static final class Memory {
        int lastUnknown = -1;
        /// Runs that were stored to and the last store of each.
        int[] storeRuns = new int[2];
        int[] storeNodes = new int[2];
        int count;
        int lastStream = -1;
        /// Runs that were loaded from and when, in stores counted.
        int[] readRuns = new int[2];
        int[] readTimes = new int[2];
        int reads;

        void read(int run, int time) {
            for (int k = 0; k < reads; k++) {
                if (readRuns[k] == run) {
                    readTimes[k] = time;
                    return;
                }
            }
            if (reads == readRuns.length) {
                readRuns = Arrays.copyOf(readRuns, reads * 2);
                readTimes = Arrays.copyOf(readTimes, reads * 2);
            }
            readRuns[reads] = run;
            readTimes[reads++] = time;
        }

        /// Whether a load of another run may have seen what was stored at `time`.
        boolean readElsewhere(int run, int time) {
            for (int k = 0; k < reads; k++) {
                if (readRuns[k] != run && readTimes[k] >= time) {
                    return true;
                }
            }
            return false;
        }
    }

    MemoryAccesses(Program program, Plan plan, GraphBuilder builder, AccessLocator at) {
        this.program = program;
        this.plan = plan;
        this.graph = builder.graph;
        this.builder = builder;
        this.at = at;
        memories = new Memory[program.arrays().size()];
    }

    /// Lets loads that do not depend on these loops, from arrays not written in them, be done once on entry.
    void hoistOutOf(int[] loops, boolean[] writtenRoots) {
        hoistLoops = loops;
        at.running = loops;
        written = writtenRoots;
        hoisted = new int[program.arrays().size()];
    }

    /// Cycles that the loads done on entry need, 0 where there are none.
    int hoistCycles() {
        int most = 0;
        for (int a = 0; hoisted != null && a < hoisted.length; a++) {
            if (hoisted[a] > 0) {
                Layout l = plan.layouts[a];
                int each = l.registers ? 0 : (int) Layout.ceilDiv(hoisted[a], l.channels ? 1 : l.ports);
                most = Math.max(most, each + (l.array.onBus() ? port(l).requestStates() : 0));
            }
        }
        return most;
    }

    /// Loads done on entry.
    int hoistedLoads() {
        return hoisted == null ? 0 : Arrays.stream(hoisted).sum();
    }

    private boolean hoistable(Reference r, int array) {
        if (hoistLoops == null || written[array] || builder.predicate() >= 0 || plan.layouts[array].registers) {
            return false;
        }
        for (int l = 0; l < r.loops().length; l++) {
            for (int h : hoistLoops) {
                if (r.loops()[l] == h) {
                    return false;
                }
            }
        }
        return true;
    }

    private Memory memory(int array) {
        Memory m = memories[array];
        if (m == null) {
            m = new Memory();
            memories[array] = m;
        }
        return m;
    }

    /// Node of a loaded element.
    int read(Reference r, int width) {
        int array = builder.root(r.array());
        Layout layout = plan.layouts[array];
        Memory memory = memory(array);
        if (layout.array.fifo()) {
            return stream(Graph.LOAD, array, layout, memory, -1, width);
        }
        boolean affine = at.locate(r, layout);
        int index = -1;
        if (!affine) {
            index = address(r);
            at.unlocated(layout, array, index);
        }
        int word = loadWord(r, layout, array, memory, index, affine);
        if (graph.kind[word] != Graph.LOAD || layout.lanesInWord == 1) {
            return word;
        }
        if (at.lanesKnown) {
            // the element is a fixed part of the word, a wire
            return word;
        }
        // one shifter per access
        steering.extract(layout, width);
        return word;
    }

    private int address(Reference r) {
        int node = -1;
        if (r.affine()) {
            return graph.constant(Double.NaN, 32);
        }
        for (Value v : r.indices()) {
            int n = builder.value(v);
            node = node < 0 ? n : graph.operation(program.addressAdders()[r.array()], graph.bits[n], node, n, -1);
        }
        return node < 0 ? graph.constant(Double.NaN, 32) : node;
    }

    private int loadWord(Reference r, Layout layout, int array, Memory memory, int index, boolean affine) {
        // The table holds the node with this word's value, valid while no store that may alias came after it.
        int alias = lastAlias(memory, affine ? at.run : -1);
        int found = held(at.element, alias) >= 0 ? held(at.element, alias) : held(at.key, alias);
        if (found >= 0) {
            return found;
        }
        if (affine && hoistable(r, array)) {
            requireNonNull(hoisted)[array]++;
            int held = graph.add(Graph.LIVE_IN, null, layout.array.bits());
            remember(at.key, held);
            return held;
        }
        boolean register = layout.registers;
        boolean elsewhere = !at.bankKnown && layout.banks > 1;
        Operator op = layout.array.onBus()
                ? port(layout).read()
                : register
                        ? program.library().registerRead()
                        : program.library().load();
        int before = index;
        if (affine && !register && needsAdder(r)) {
            before = graph.operation(
                    program.addressAdders()[array], 16, graph.constant(at.key, 16), graph.constant(at.run, 16), -1);
        }
        before = divided(layout, array, before);
        int n = graph.add(Graph.LOAD, op, layout.array.bits());
        if (before >= 0) {
            graph.argument(before);
        }
        place(n, array);
        if (elsewhere) {
            steering.steer(graph, n, layout, program.library());
        }
        orderAfterStores(memory, affine ? at.run : -1);
        if (builder.exitCheck() >= 0) {
            graph.argument(~builder.exitCheck());
        }
        memory.read(affine ? at.run : -1, epoch);
        remember(at.key, n);
        return n;
    }

    /// Node with the value under a key, negative where there is none or a store after it may have changed it.
    private int held(long key, int alias) {
        int found = latest.get(key, -1);
        return found >= 0 && validSince[found] >= alias ? valueOf[found] : -1;
    }

    /// Whether a running base has to be added to a constant.
    private static boolean needsAdder(Reference r) {
        return r.loops().length > 1;
    }

    /// The address behind the division that tells bank or lane; the address itself where there is none.
    private int divided(Layout layout, int array, int address) {
        if (!at.oddFactor || layout.registers) {
            return address;
        }
        int from = address >= 0 ? address : graph.constant(at.run, 16);
        Operator divider = program.bankDividers()[array][builder.pipelined() ? 1 : 0];
        return graph.operation(divider, divider.bits(), from, graph.constant(at.key, 16), -1);
    }

    private Buses.Port port(Layout layout) {
        return program.buses().ports().get(layout.array.bus());
    }

    /// Whether an access does not happen in every iteration.
    boolean isGuarded(int node) {
        return guarded.get(node);
    }

    private void place(int n, int array) {
        guarded.set(n, builder.predicate() >= 0 || builder.exitCheck() >= 0);
        graph.array[n] = array;
        graph.banks[n] = at.banks;
        graph.run[n] = at.run;
        graph.linear[n] = at.linear;
    }

    private int[] validSince = new int[16];
    private int[] valueOf = new int[16];
    private int entries;

    private void remember(long key, int value) {
        if (entries == valueOf.length) {
            validSince = Arrays.copyOf(validSince, entries * 2);
            valueOf = Arrays.copyOf(valueOf, entries * 2);
        }
        validSince[entries] = epoch;
        valueOf[entries] = value;
        latest.put(key, entries++);
    }

    /// Time of the last store that may touch what an access of this run touches, other than by the very same
    /// address.
    private int lastAlias(Memory memory, int run) {
        int last = memory.lastUnknown >= 0 ? storeEpoch(memory.lastUnknown) : -1;
        for (int k = 0; k < memory.count; k++) {
            if (run < 0 || memory.storeRuns[k] != run) {
                last = Math.max(last, storeEpoch(memory.storeNodes[k]));
            }
        }
        return last;
    }

    private int[] epochOfNode = new int[16];

    private int storeEpoch(int node) {
        return epochOfNode[node];
    }

    private void orderAfterStores(Memory memory, int run) {
        if (memory.lastUnknown >= 0) {
            graph.argument(~memory.lastUnknown);
        }
        for (int k = 0; k < memory.count; k++) {
            if (run < 0 || memory.storeRuns[k] != run) {
                graph.argument(~memory.storeNodes[k]);
            }
        }
    }

    /// Stores a node's value.
    void write(Reference r, int value) {
        int array = builder.root(r.array());
        Layout layout = plan.layouts[array];
        Memory memory = memory(array);
        if (layout.array.fifo()) {
            stream(Graph.STORE, array, layout, memory, value, layout.array.bits());
            return;
        }
        boolean affine = at.locate(r, layout);
        int index = -1;
        if (!affine) {
            index = address(r);
            at.unlocated(layout, array, index);
        }
        boolean elsewhere = !at.bankKnown && layout.banks > 1;
        boolean partial = layout.lanesInWord > 1 && !at.lanesKnown;
        long key = at.element;
        int run = at.run;
        // The store before to the same element is dead where nothing can have read it: loads of it were
        // forwarded.
        int old = latest.get(~key, -1);
        if (old >= 0
                && builder.predicate() < 0
                && affine
                && !partial
                && validSince[old] >= lastAlias(memory, run)
                && !memory.readElsewhere(run, validSince[old])) {
            graph.root[valueOf[old]] = false;
        }
        Operator op = layout.array.onBus()
                ? port(layout).write()
                : layout.registers
                        ? program.library().registerWrite()
                        : partial
                                ? program.library().wideStore()
                                : program.library().store();
        if (partial && !at.lanesKnown) {
            // data and mask are shifted into place and merged with the word
            steering.insert(layout);
        }
        int address = divided(layout, array, index);
        int n = graph.add(Graph.STORE, op, layout.array.bits());
        graph.argument(value);
        if (address >= 0) {
            graph.argument(address);
        }
        if (builder.predicate() >= 0) {
            graph.argument(builder.predicate());
        }
        graph.root[n] = true;
        place(n, array);
        if (elsewhere) {
            steering.steer(graph, n, layout, program.library());
        }
        orderAfterStores(memory, affine ? run : -1);
        if (builder.exitCheck() >= 0) {
            graph.argument(~builder.exitCheck());
        }
        epoch++;
        if (n >= epochOfNode.length) {
            epochOfNode = Arrays.copyOf(epochOfNode, Math.max(n + 1, epochOfNode.length * 2));
        }
        epochOfNode[n] = epoch;
        if (affine && builder.predicate() < 0 && !partial) {
            note(memory, run, n);
            remember(key, value);
            validSince[entries - 1] = epoch;
            remember(~key, n);
            validSince[entries - 1] = epoch;
        } else {
            memory.lastUnknown = n;
        }
    }

    private void note(Memory memory, int run, int node) {
        for (int k = 0; k < memory.count; k++) {
            if (memory.storeRuns[k] == run) {
                memory.storeNodes[k] = node;
                return;
            }
        }
        if (memory.count == memory.storeRuns.length) {
            memory.storeRuns = Arrays.copyOf(memory.storeRuns, memory.count * 2);
            memory.storeNodes = Arrays.copyOf(memory.storeNodes, memory.count * 2);
        }
        memory.storeRuns[memory.count] = run;
        memory.storeNodes[memory.count++] = node;
    }

    private int stream(byte nodeKind, int array, Layout layout, Memory memory, int value, int width) {
        int n = graph.add(
                nodeKind,
                nodeKind == Graph.LOAD
                        ? program.library().registerRead()
                        : program.library().store(),
                width);
        if (value >= 0) {
            graph.argument(value);
        }
        if (memory.lastStream >= 0) {
            graph.argument(~memory.lastStream);
        }
        graph.array[n] = array;
        graph.banks[n] = layout.banksOf(layout.codeUnknown());
        graph.root[n] = true;
        memory.lastStream = n;
        return n;
    }
}
