package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

/// Which accesses of a pipelined loop over an AXI master port go in bursts: one request before the loop, then a word
/// per cycle. The rules are those of UG1399 (*Preconditions and Limitations of Burst Transfer*): one argument per
/// port and direction, element after element upwards, not under a condition, how many known on entry, nothing read
/// that the burst has yet to write. Every other access waits for its own request; requests of different iterations
/// overlap.
final class Bursts {
    private final Facts facts;
    private final Graph graph;
    private final Layout[] layouts;
    private final Buses buses;
    /// Cycles before the first word and after the last, each time bursts start.
    double cycles;
    /// Cycles of them in which words wait for requests that may not be made yet.
    private double stalled;
    /// How often they start.
    double starts = 1;
    /// Why an access is no burst; empty where all are, or there are none.
    String obstacle = "";
    /// Bits of the word to which accesses are joined, by root array.
    final double[] joinedBits;

    /// Accesses over one port in one direction.
    private static final class Group {
        final Map<Integer, List<Integer>> nodesOfArray = new TreeMap<>();
        String obstacle = "";
    }

    /// The known facts of the loop and its accesses. Loops are numbered from the outermost of those that were merged,
    /// the
    /// last is the one whose body the block is.
    interface Facts {
        /// Number of loops.
        int loops();

        /// Iterations of a loop that are left after unrolling.
        double iterations(int loop);

        /// True if the number of iterations is known on entry.
        boolean isCounted();

        /// True if an access does not happen in every iteration.
        boolean isGuarded(int node);

        /// Elements by which accesses of a run move from one iteration of a loop to the next.
        long stride(int run, int loop);
    }

    private Bursts(Facts facts, Graph graph, Layout[] layouts, Buses buses) {
        this.facts = facts;
        this.graph = graph;
        this.layouts = layouts;
        this.buses = buses;
        this.joinedBits = new double[layouts.length];
    }

    /// Finds them in a loop's block and tells the block's nodes.
    static Bursts of(Facts facts, Graph graph, Layout[] layouts, Buses buses, boolean pipelined) {
        var b = new Bursts(facts, graph, layouts, buses);
        if (!buses.ports().isEmpty()) {
            b.find(pipelined);
        }
        return b;
    }

    private void find(boolean pipelined) {
        Map<Integer, Group> reads = groups(Graph.LOAD);
        Map<Integer, Group> writes = groups(Graph.STORE);
        boolean counted = pipelined && facts.isCounted();
        for (Map<Integer, Group> all : List.of(reads, writes)) {
            all.values().forEach(g -> g.obstacle = counted ? obstacle(g) : pipelined ? "its end is not known" : "-");
        }
        writes.forEach((port, w) -> {
            Group r = reads.get(port);
            if (r != null && meet(r, w)) {
                r.obstacle = r.obstacle.isEmpty() ? "it is written in the same loop" : r.obstacle;
                w.obstacle = w.obstacle.isEmpty() ? "it is read in the same loop" : w.obstacle;
            }
        });
        double before = begin(reads, true);
        double after = begin(writes, false);
        cycles = Math.max(before, after > 0 ? 1 : 0) + after + stalled;
    }

    private Map<Integer, Group> groups(byte kind) {
        var all = new TreeMap<Integer, Group>();
        for (int n = 0; n < graph.size; n++) {
            if (graph.live[n] && graph.kind[n] == kind && layouts[graph.array[n]].array.onBus()) {
                all.computeIfAbsent(layouts[graph.array[n]].array.bus(), _ -> new Group())
                        .nodesOfArray
                        .computeIfAbsent(graph.array[n], _ -> new ArrayList<>())
                        .add(n);
            }
        }
        return all;
    }

    /// Why a group is no burst, empty where it is one.
    private String obstacle(Group g) {
        long arguments = g.nodesOfArray.keySet().stream()
                .map(a -> layouts[a].array.source().variable())
                .distinct()
                .count();
        if (arguments > 1) {
            return "it shares its port with another argument";
        }
        for (List<Integer> nodes : g.nodesOfArray.values()) {
            if (nodes.stream().anyMatch(facts::isGuarded)) {
                return "it is accessed under a condition";
            }
            int run = graph.run[nodes.getFirst()];
            long[] at = places(nodes).toArray();
            if (run < 0
                    || nodes.stream().anyMatch(n -> graph.run[n] != run)
                    || at[at.length - 1] - at[0] != at.length - 1
                    || facts.stride(run, facts.loops() - 1) != at.length) {
                return "its elements are not accessed one after the other";
            }
        }
        return "";
    }

    /// Where accesses of an iteration go, upwards.
    private LongStream places(List<Integer> nodes) {
        return nodes.stream().mapToLong(n -> graph.linear[n]).sorted().distinct();
    }

    private int elements(List<Integer> nodes) {
        return (int) places(nodes).count();
    }

    /// True if a burst of reads may meet what a burst of writes stores; not where each iteration writes what it reads.
    private boolean meet(Group reads, Group writes) {
        for (var e : writes.nodesOfArray.entrySet()) {
            List<Integer> read = reads.nodesOfArray.get(e.getKey());
            if (read != null && !runs(read).equals(runs(e.getValue()))) {
                return true;
            }
        }
        return false;
    }

    private Set<List<Long>> runs(List<Integer> nodes) {
        var all = new HashSet<List<Long>>();
        nodes.forEach(n -> all.add(List.of((long) graph.run[n], graph.linear[n])));
        return all;
    }

    /// Makes bursts of the groups that can be; the cycles that the slowest of them waits.
    private double begin(Map<Integer, Group> groups, boolean reading) {
        double longest = 0;
        for (var e : groups.entrySet()) {
            Buses.Port port = buses.ports().get(e.getKey());
            Group g = e.getValue();
            if (!g.obstacle.isEmpty()) {
                if (obstacle.isEmpty() && !g.obstacle.equals("-")) {
                    int first = g.nodesOfArray.keySet().iterator().next();
                    obstacle = "no burst of " + layouts[first].array.source().id() + ": " + g.obstacle;
                }
                continue;
            }
            longest = Math.max(longest, (reading ? port.read() : port.write()).states());
            // The members of a struct lie in one word, so the one with most accesses stands for all.
            int most = g.nodesOfArray.values().stream()
                    .mapToInt(this::elements)
                    .max()
                    .orElse(0);
            boolean served = false;
            for (var a : g.nodesOfArray.entrySet()) {
                boolean serves = !served && elements(a.getValue()) == most;
                served |= serves;
                join(a.getKey(), a.getValue(), port, reading, serves, g.nodesOfArray.size() == 1);
                double times = starts(graph.run[a.getValue().getFirst()], elements(a.getValue()));
                starts = Math.max(starts, times);
                if (serves) {
                    stall(a.getKey(), most, times, port, reading);
                }
            }
        }
        return longest;
    }

    /// Cycles that the words of one array wait each time its bursts start.
    private void stall(int array, int perIteration, double times, Buses.Port port, boolean reading) {
        double elements = perIteration / times;
        for (int k = 0; k < facts.loops(); k++) {
            elements *= facts.iterations(k);
        }
        double bits = Math.max(1, joinedBits[array]);
        double words = elements * Math.max(1, layouts[array].array.bits()) / bits;
        Buses.Channel channel = reading ? port.read() : port.write();
        Buses.Window window = channel.window();
        double more = window.stall(words, channel.states(), bits);
        if (more > stalled) {
            stalled = more;
            obstacle = layouts[array].array.source().id() + " waits " + Math.round(more) + " cycles: "
                    + window.requests() + " outstanding requests of " + window.length() + " words";
        }
    }

    /// Joins neighbours to wide words as far as the port goes; only the first of a word takes the port.
    private void join(int array, List<Integer> nodes, Buses.Port port, boolean reading, boolean serves, boolean plain) {
        int bits = layouts[array].array.bits() <= Buses.WIDEST
                ? layouts[array].array.bits()
                : nodes.stream().mapToInt(n -> graph.bits[n]).max().orElse(1);
        long[] at = places(nodes).toArray();
        long elements = 1;
        while (plain
                && Integer.bitCount(bits) == 1
                && 2 * elements * bits <= port.widest()
                && at.length % (2 * elements) == 0
                && Math.floorMod(at[0], 2 * elements) == 0) {
            elements *= 2;
        }
        joinedBits[array] = elements * bits;
        var begun = new HashMap<Long, Integer>();
        for (int n : nodes) {
            graph.operator[n] = (reading ? port.read() : port.write()).beat();
            boolean first = begun.putIfAbsent(Math.floorDiv(graph.linear[n], elements), n) == null;
            if (!serves || !first) {
                graph.banks[n] = null;
            }
        }
    }

    /// How often a burst starts while the merged loops run: once where row follows on row.
    private double starts(int run, int perIteration) {
        double times = 1;
        int own = facts.loops() - 1;
        double expected = perIteration * facts.iterations(own);
        boolean through = true;
        for (int k = own - 1; k >= 0; k--) {
            through &= facts.stride(run, k) == Math.rint(expected);
            expected *= facts.iterations(k);
            times *= through ? 1 : facts.iterations(k);
        }
        return times;
    }
}
