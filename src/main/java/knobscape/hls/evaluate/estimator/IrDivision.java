package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import knobscape.compile.analysis.Affine;
import knobscape.hls.evaluate.estimator.IrObjects.Memory;
import knobscape.hls.evaluate.estimator.IrOrders.Cut;
import knobscape.hls.evaluate.estimator.IrPlaces.Place;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.space.Directive.PartitionType;
import knobscape.hls.space.Directive.Storage;
import org.jspecify.annotations.Nullable;

/// Decisions of Vitis HLS about local memories, so that their ports do not slow pipelines down.
///
/// - For an interval that was asked for (its log says *Inferring pragma 'array_partition'*): the fewest cyclic banks of
///   one dimension that suffice, else whole dimensions.
/// - A dimension of a local array whose index is a constant in every access is divided completely (*Partitioning array
///   automatically*).
/// - A local array with one store in an iteration and many loads gets copies with a read port each (*inferring RAM_1WNR
///   storage type*), at most 16.
final class IrDivision {
    private static final int MOST_ACCESSES = 4096;
    private static final int TRIED = 8;
    /// Elements of a memory that is divided in any pipeline.
    private static final int SMALLEST = 4;
    private static final int MOST_READERS = 16;

    private final IrObjects objects;
    private final Map<Integer, List<Cut>> found = new TreeMap<>();
    /// Dimensions of a memory whose index is no constant in some access.
    private final Map<Integer, BitSet> moving = new TreeMap<>();
    /// The most stores that one iteration of a pipeline makes.
    private final Map<Integer, Integer> stores = new HashMap<>();
    /// Read ports that a pipeline has use for.
    private final Map<Integer, Integer> readers = new HashMap<>();

    IrDivision(IrObjects objects) {
        this.objects = objects;
    }

    /// The decisions by number of the memory.
    Map<Integer, OwnMemory> found() {
        var all = new TreeMap<Integer, OwnMemory>();
        found.forEach((number, cuts) -> all.put(number, new OwnMemory(cuts, 0)));
        moving.forEach((number, dims) -> {
            Memory m = objects.get(number);
            var cuts = new ArrayList<>(found.getOrDefault(number, List.of()));
            for (int d = dims.nextClearBit(0); d < m.layout().dims; d = dims.nextClearBit(d + 1)) {
                int dimension = d + 1;
                if (isFree(m, d) && cuts.stream().noneMatch(c -> c.dimension() == dimension)) {
                    cuts.add(whole(d));
                }
            }
            long banks = m.layout().banks;
            for (Cut c : cuts) {
                banks *= factor(m, c);
            }
            if (!cuts.isEmpty() && banks <= Layout.MOST_BANKS) {
                all.put(number, new OwnMemory(cuts, 0));
            } else if (readers.containsKey(number) && stores.getOrDefault(number, 0) <= 1) {
                all.put(number, new OwnMemory(List.of(), readers.getOrDefault(number, 1)));
            }
        });
        return all;
    }

    /// Takes note of memories that a library call copies or fills: every index moves.
    void moved(Collection<Integer> memories) {
        memories.forEach(m -> moving.computeIfAbsent(m, _ -> new BitSet())
                .set(0, objects.get(m).layout().dims));
    }

    private void note(IrGraphBuilder b, Memory m, List<Integer> nodes) {
        BitSet dims = moving.computeIfAbsent(m.store().id(), _ -> new BitSet());
        for (int n : nodes) {
            Affine bytes = b.accesses.bytes(n);
            Affine @Nullable [] index = bytes == null ? null : IrPlaces.indices(m, bytes);
            for (int d = 0; d < m.layout().dims; d++) {
                if (index == null || !index[d].isConstant()) {
                    dims.set(d);
                }
            }
        }
    }

    /// Looks at the accesses of a block. Where no interval was asked for, the smallest memories are divided for their
    /// ports, and those to which loops that were written out store.
    void look(IrGraphBuilder b, Pipelining pipelining) {
        int target = pipelining.target();
        var accesses = new TreeMap<Integer, List<Integer>>();
        for (int n = 0; n < b.graph.size; n++) {
            boolean memory = b.graph.kind[n] == Graph.LOAD || b.graph.kind[n] == Graph.STORE;
            if (memory && b.graph.live[n] && b.graph.banks[n] != null) {
                accesses.computeIfAbsent(b.graph.array[n], _ -> new ArrayList<>())
                        .add(n);
            }
        }
        accesses.forEach((number, nodes) -> {
            if (isLocal(objects.get(number))) {
                note(b, objects.get(number), nodes);
            }
        });
        if (!pipelining.overlaps()) {
            return;
        }
        int possible = Math.max(1, target);
        for (var e : accesses.entrySet()) {
            if (!divides(objects.get(e.getKey()).layout())) {
                possible = Math.max(possible, interval(objects.get(e.getKey()).layout(), b, b, e.getValue()));
            }
        }
        for (var e : accesses.entrySet()) {
            Memory m = objects.get(e.getKey());
            long elements = m.layout().array.source().elements();
            if (divides(m.layout())
                    && e.getValue().stream().allMatch(n -> b.accesses.bytes(n) != null)
                    && (target > 0 || elements <= SMALLEST || (pipelining.late() && stores(b, e.getValue()) > 1))
                    && e.getValue().size() > possible
                    && e.getValue().size() <= MOST_ACCESSES) {
                cuts(b, m, e.getValue(), possible).forEach(c -> keep(e.getKey(), c));
            }
            if (isLocal(m)) {
                read(b, m, e.getValue(), possible);
            }
        }
    }

    private static int stores(IrGraphBuilder b, List<Integer> nodes) {
        return (int) nodes.stream().filter(n -> b.graph.kind[n] == Graph.STORE).count();
    }

    private void read(IrGraphBuilder b, Memory m, List<Integer> nodes, int possible) {
        int number = m.store().id();
        List<Integer> loads =
                nodes.stream().filter(n -> b.graph.kind[n] == Graph.LOAD).toList();
        stores.merge(number, stores(b, nodes), Math::max);
        if (!loads.isEmpty()
                && m.layout().request.storage() == Storage.AUTO
                && nodes.stream().allMatch(n -> b.accesses.bytes(n) != null)
                && interval(b, m, nodes) > possible) {
            int needed = interval(b, with(m, m.layout().request.readers(1)), loads);
            readers.merge(number, Math.min(MOST_READERS, Math.ceilDiv(needed, possible)), Math::max);
        }
    }

    private static boolean isLocal(Memory m) {
        return divides(m.layout()) && m.store().source().scope() == ArrayVariable.Scope.LOCAL;
    }

    private static boolean divides(Layout l) {
        return !l.array.external()
                && !l.channels
                && !l.array.rom()
                && !l.registers
                && l.request.aggregate() == 0
                && l.array.source().elements() > 0;
    }

    /// Notes on decisions that were made, a sentence each.
    List<String> notes(Map<Integer, OwnMemory> made) {
        return made.entrySet().stream()
                .map(e -> note(objects.get(e.getKey()), e.getValue()))
                .toList();
    }

    private static String note(Memory m, OwnMemory own) {
        if (own.readers() > 0) {
            return "array " + m.store().source().variable() + " has no pragma; Vitis HLS is taken to make "
                    + own.readers() + " copies of it, which are read at once";
        }
        var how = new ArrayList<String>();
        own.cuts()
                .forEach(c ->
                        how.add((c.type() == PartitionType.COMPLETE ? "completely" : "into " + c.factor() + " banks")
                                + " in dimension " + c.dimension()));
        return "array " + m.store().source().variable() + " has no pragma; Vitis HLS is taken to divide it "
                + String.join(" and ", how) + " for the interval of a pipeline";
    }

    private void keep(int memory, Cut cut) {
        List<Cut> all = found.computeIfAbsent(memory, _ -> new ArrayList<>());
        for (int k = 0; k < all.size(); k++) {
            Cut known = all.get(k);
            if (known.dimension() == cut.dimension()) {
                boolean more = known.type() != PartitionType.COMPLETE
                        && (cut.type() == PartitionType.COMPLETE || cut.factor() > known.factor());
                all.set(k, more ? cut : known);
                return;
            }
        }
        all.add(cut);
    }

    private List<Cut> cuts(IrGraphBuilder b, Memory m, List<Integer> nodes, int target) {
        var taken = new ArrayList<Cut>();
        Memory now = m;
        int need = interval(b, now, nodes);
        while (need > target) {
            Cut best = null;
            int bestNeed = need;
            for (int d = now.layout().dims - 1; d >= 0; d--) {
                Cut cut = enough(b, now, nodes, d, need, target);
                if (cut != null && (bestNeed > target || best == null || factor(now, cut) < factor(now, best))) {
                    best = cut;
                    bestNeed = target;
                }
            }
            for (int d = now.layout().dims - 1; d >= 0 && best == null; d--) {
                Memory whole = cut(now, d, whole(d));
                int left = isFree(now, d) ? interval(b, whole, nodes) : need;
                if (left < bestNeed) {
                    bestNeed = left;
                    best = whole(d);
                }
            }
            if (best == null) {
                return List.of();
            }
            taken.add(best);
            now = cut(now, best.dimension() - 1, best);
            need = bestNeed;
        }
        return now.layout().banks <= Layout.MOST_BANKS ? taken : List.of();
    }

    /// The smallest division of one dimension that suffices, null for none: neighbours share banks, other indices get
    /// banks of their own.
    private static @Nullable Cut enough(IrGraphBuilder b, Memory m, List<Integer> nodes, int d, int need, int target) {
        if (!isFree(m, d)) {
            return null;
        }
        long size = m.store().dims()[d];
        var indices = new TreeSet<Long>();
        var moving = new HashSet<Affine>();
        for (int n : nodes) {
            Affine index = IrPlaces.indices(m, requireNonNull(b.accesses.bytes(n)))[d];
            indices.add(index.constant());
            moving.add(index.moving());
        }
        boolean neighbours = moving.size() == 1 && indices.last() - indices.first() == indices.size() - 1;
        int least = neighbours ? Math.max(2, Math.ceilDiv(need, target)) : Math.ceilDiv(indices.size(), target);
        for (int k = Math.max(2, least); k <= Math.min(size - 1, neighbours ? least : least + TRIED); k++) {
            var cut = new Cut(d + 1, PartitionType.CYCLIC, k, false);
            if (interval(b, cut(m, d, cut), nodes) <= target && (neighbours || apart(indices, k, target))) {
                // Banks of two words are not worth a memory.
                return Math.ceilDiv(size, k) > 2 ? cut : whole(d);
            }
        }
        return interval(b, cut(m, d, whole(d)), nodes) <= target ? whole(d) : null;
    }

    private static boolean apart(Set<Long> indices, int banks, int target) {
        var inBank = new HashMap<Long, Integer>();
        indices.forEach(i -> inBank.merge(Math.floorMod(i, (long) banks), 1, Integer::sum));
        return inBank.values().stream().allMatch(n -> n <= target);
    }

    private static Cut whole(int d) {
        return new Cut(d + 1, PartitionType.COMPLETE, 0, false);
    }

    private static long factor(Memory m, Cut cut) {
        return cut.type() == PartitionType.COMPLETE ? m.store().dims()[cut.dimension() - 1] : cut.factor();
    }

    /// True if a dimension of the source is in one piece.
    private static boolean isFree(Memory m, int d) {
        boolean member = d == m.layout().dims - 1 && !m.fieldBytes().isEmpty();
        return !member && m.store().dims()[d] > 1 && m.layout().factor[d] == 1 && m.layout().lanes[d] == 1;
    }

    private static Memory cut(Memory m, int d, Cut cut) {
        Layout l = m.layout();
        Layout.Cut[] partition = l.request.partition().toArray(Layout.Cut[]::new);
        partition[d] = new Layout.Cut(cut.type(), Math.max(1, cut.factor()));
        return with(m, l.request.partition(Arrays.asList(partition)));
    }

    private static Memory with(Memory m, Layout.Request request) {
        return new Memory(
                m.store(),
                new Layout(m.layout().id, request, m.store()),
                m.order(),
                m.elementBytes(),
                m.fieldBytes(),
                m.wholeWords(),
                m.calls());
    }

    /// Interval that the ports allow.
    private static int interval(IrGraphBuilder b, Memory m, List<Integer> nodes) {
        var places = new IrPlaces(b.block);
        var at = new HashMap<Integer, Place>();
        boolean known = true;
        for (int n : nodes) {
            Place p = places.of(m.store().id(), m, requireNonNull(b.accesses.bytes(n)));
            known &= p.bankKnown();
            at.put(n, p);
        }
        if (m.layout().registers && known) {
            return 1;
        }
        return interval(
                m.layout(),
                b,
                new Graph.Relations() {
                    @Override
                    public int group(int n) {
                        return requireNonNull(at.get(n)).group();
                    }

                    @Override
                    public int bank(int n) {
                        return requireNonNull(at.get(n)).port();
                    }

                    @Override
                    public boolean exclusive(int x, int y) {
                        return b.exclusive(x, y);
                    }
                },
                nodes);
    }

    private static int interval(Layout l, IrGraphBuilder b, Graph.Relations relations, List<Integer> nodes) {
        var ports = new RelatedPorts(l, relations);
        nodes.forEach(n -> ports.count(n, b.graph.kind[n] == Graph.STORE));
        return ports.interval();
    }
}
