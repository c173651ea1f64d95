package knobscape.fusion.evaluate.strip;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import knobscape.fusion.source.rows.RowEdge;
import knobscape.fusion.source.rows.RowGraph;

/// One sample going through a group, with explicit sets of rows: which are loaded and made in each strip, which are
/// live while each layer works. It knows nothing of the formulas of [Strips].
final class RowSimulation {
    private final RowGraph g;
    private final int first;
    private final int last;
    private final boolean twice;
    private final TreeSet<Integer> outside = new TreeSet<>();
    /// Rows that exist on chip or existed, by tensor.
    private final Map<Integer, BitSet> made = new HashMap<>();
    private final Map<Integer, Integer> launches = new HashMap<>();
    private long room;

    /// Runs the group `first` to `last` in strips of `t` rows.
    RowSimulation(RowGraph g, int first, int last, int t, boolean twice, boolean following) {
        this.g = g;
        this.first = first;
        this.last = last;
        this.twice = twice;
        for (int i = first; i <= last; i++) {
            for (RowEdge e : g.node(i).edges()) {
                if (e.from() < first) {
                    outside.add(e.from());
                }
            }
        }
        run(t, following);
    }

    long room() {
        return room;
    }

    int launches(int layer) {
        return launches.getOrDefault(layer, 0);
    }

    int loaded(int tensor) {
        return made.get(tensor).cardinality();
    }

    /// Rows that one row of a reader needs.
    static BitSet needs(RowEdge e, int row, int height) {
        var rows = new BitSet();
        switch (e.kind()) {
            case WINDOW -> {
                for (int r = 0; r < e.kernel(); r++) {
                    put(rows, row * e.stride() - e.pad() + r, height);
                }
            }
            case TRANSPOSED -> {
                for (int i = 0; i < height; i++) {
                    int tap = row + e.pad() - i * e.up();
                    if (tap >= 0 && tap < e.kernel()) {
                        rows.set(i);
                    }
                }
            }
            case FULL, ACCUMULATING -> rows.set(0, height);
        }
        return rows;
    }

    private static void put(BitSet rows, int row, int height) {
        if (row >= 0 && row < height) {
            rows.set(row);
        }
    }

    private BitSet needs(RowEdge e, BitSet rows) {
        var all = new BitSet();
        int h = g.node(e.from()).rows();
        rows.stream().forEach(r -> all.or(needs(e, r, h)));
        return all;
    }

    private boolean streams(int tensor) {
        return readers(tensor).stream()
                .allMatch(r -> edges(r, tensor).stream().allMatch(e -> e.kind() == RowEdge.Kind.FULL));
    }

    private List<RowEdge> edges(int reader, int tensor) {
        return g.node(reader).edges().stream().filter(e -> e.from() == tensor).toList();
    }

    private List<Integer> readers(int tensor) {
        var list = new ArrayList<Integer>();
        for (int i = first; i <= last; i++) {
            if (!edges(i, tensor).isEmpty()) {
                list.add(i);
            }
        }
        return list;
    }

    private boolean stored(int i) {
        if (g.node(i).result()) {
            return true;
        }
        boolean read = false;
        for (int r = 0; r < g.nodes().size(); r++) {
            if (!edges(r, i).isEmpty()) {
                read = true;
                if (r > last) {
                    return true;
                }
            }
        }
        return !read;
    }

    private long bytes(int tensor) {
        return tensor >= first && !stored(tensor)
                ? g.node(tensor).block()
                : g.node(tensor).elements();
    }

    private List<Map<Integer, BitSet>> plan(int t) {
        int pace = last;
        for (int i = last; i >= first; i--) {
            if (g.node(i).rows() > 1) {
                pace = i;
                break;
            }
        }
        int strips = Math.ceilDiv(g.node(pace).rows(), t);
        var reaching = new TreeSet<Integer>();
        reaching.add(pace);
        for (int i = pace; i >= first; i--) {
            if (reaching.contains(i)) {
                g.node(i).edges().forEach(e -> reaching.add(e.from()));
            }
        }
        var goals = new ArrayList<Map<Integer, BitSet>>();
        for (int k = 0; k < strips; k++) {
            var goal = new HashMap<Integer, BitSet>();
            for (int o : outside) {
                goal.put(o, new BitSet());
            }
            for (int i = first; i <= last; i++) {
                goal.put(i, new BitSet());
            }
            if (k == strips - 1) {
                for (int i = first; i <= last; i++) {
                    goal.get(i).set(0, g.node(i).rows());
                    for (RowEdge e : g.node(i).edges()) {
                        if (e.from() < first) {
                            goal.get(e.from()).or(needs(e, goal.get(i)));
                            goal.get(e.from()).set(0, goal.get(e.from()).length());
                        }
                    }
                }
                goals.add(goal);
                break;
            }
            goal.get(pace).set(0, Math.min(g.node(pace).rows(), (k + 1) * t));
            for (int i = pace; i >= first; i--) {
                if (reaching.contains(i)) {
                    for (RowEdge e : g.node(i).edges()) {
                        goal.get(e.from()).or(needs(e, goal.get(i)));
                    }
                }
                // Rows are made from the first on.
                if (reaching.contains(i)) {
                    goal.get(i).set(0, goal.get(i).length());
                }
            }
            for (int o : outside) {
                // Rows are loaded from the first on, too.
                goal.get(o).set(0, goal.get(o).length());
                if (!reaching.contains(o)) {
                    var all = new BitSet();
                    for (int r : readers(o)) {
                        var whole = new BitSet();
                        whole.set(0, g.node(r).rows());
                        edges(r, o).forEach(e -> all.or(needs(e, whole)));
                    }
                    goal.get(o).set(0, (int) Math.ceilDiv((long) all.length() * (k + 1), strips));
                }
            }
            for (int i = first; i <= last; i++) {
                if (!reaching.contains(i)) {
                    for (int r = 0; r < g.node(i).rows(); r++) {
                        int row = r;
                        boolean can = g.node(i).edges().stream().allMatch(e -> {
                            BitSet missing = needs(e, row, g.node(e.from()).rows());
                            int top = goal.get(e.from()).length();
                            return missing.isEmpty() || missing.length() <= top;
                        });
                        if (!can) {
                            break;
                        }
                        goal.get(i).set(r);
                    }
                }
            }
            goals.add(goal);
        }
        return goals;
    }

    /// Rows of a tensor that rows yet to be made need.
    private BitSet wantedLater(int tensor, Map<Integer, BitSet> goal) {
        var later = new BitSet();
        for (int r : readers(tensor)) {
            var left = new BitSet();
            left.set(0, g.node(r).rows());
            left.andNot(goal.get(r));
            for (RowEdge e : edges(r, tensor)) {
                if (e.kind() != RowEdge.Kind.ACCUMULATING) {
                    later.or(needs(e, left));
                }
            }
        }
        later.and(goal.get(tensor));
        return later;
    }

    private void run(int t, boolean following) {
        List<Map<Integer, BitSet>> goals = plan(t);
        var tensors = new TreeSet<>(outside);
        for (int i = first; i <= last; i++) {
            tensors.add(i);
        }
        tensors.forEach(x -> made.put(x, new BitSet()));
        var kept = new HashMap<Integer, BitSet>();
        var previous = new HashMap<Integer, BitSet>();
        tensors.forEach(x -> kept.put(x, new BitSet()));
        tensors.forEach(x -> previous.put(x, new BitSet()));
        for (int k = 0; k < goals.size(); k++) {
            Map<Integer, BitSet> goal = goals.get(k);
            var fresh = new HashMap<Integer, BitSet>();
            var next = new HashMap<Integer, BitSet>();
            for (int x : tensors) {
                var f = (BitSet) goal.get(x).clone();
                f.andNot(made.get(x));
                fresh.put(x, f);
                var n = new BitSet();
                if (k + 1 < goals.size()) {
                    n = (BitSet) goals.get(k + 1).get(x).clone();
                    n.andNot(goal.get(x));
                } else if (following) {
                    n = (BitSet) goals.getFirst().get(x).clone();
                }
                next.put(x, n);
            }
            room = Math.max(room, most(tensors, goal, kept, fresh, next, previous));
            for (int i = first; i <= last; i++) {
                if (!fresh.get(i).isEmpty()) {
                    launches.merge(i, 1, Integer::sum);
                }
            }
            for (int x : tensors) {
                kept.put(x, wantedLater(x, goal));
                made.get(x).or(fresh.get(x));
                previous.put(x, fresh.get(x));
            }
        }
        if (twice && following) {
            // The next sample begins while the last strip is still written.
            Map<Integer, BitSet> goal = goals.getFirst();
            var next = new HashMap<Integer, BitSet>();
            tensors.forEach(x -> kept.put(x, new BitSet()));
            for (int x : tensors) {
                // Rows of another sample are other rows.
                var written = new BitSet();
                previous.get(x).stream().forEach(r -> written.set(r + g.node(x).rows()));
                previous.put(x, written);
                var n = (BitSet) goals.get(Math.min(1, goals.size() - 1)).get(x).clone();
                if (goals.size() > 1) {
                    n.andNot(goal.get(x));
                }
                next.put(x, n);
            }
            room = Math.max(room, most(tensors, goal, kept, goal, next, previous));
        }
    }

    /// The most that is live while one of the layers works.
    private long most(
            TreeSet<Integer> tensors,
            Map<Integer, BitSet> goal,
            Map<Integer, BitSet> kept,
            Map<Integer, BitSet> fresh,
            Map<Integer, BitSet> next,
            Map<Integer, BitSet> previous) {
        long most = 0;
        for (int i = first; i <= last; i++) {
            long live = 0;
            for (int x : tensors) {
                live += bytes(x) * rows(x, i, goal, kept, fresh, next, previous);
            }
            most = Math.max(most, live);
        }
        return most;
    }

    private int rows(
            int x,
            int at,
            Map<Integer, BitSet> goal,
            Map<Integer, BitSet> kept,
            Map<Integer, BitSet> fresh,
            Map<Integer, BitSet> next,
            Map<Integer, BitSet> previous) {
        int begin = begin(x);
        int end = end(x);
        if (x < first) {
            if (streams(x)) {
                return 0;
            }
            if (twice) {
                return union(kept.get(x), fresh.get(x)).cardinality()
                        + next.get(x).cardinality();
            }
            if (at < begin) {
                return kept.get(x).cardinality();
            }
            return at <= end
                    ? union(kept.get(x), fresh.get(x)).cardinality()
                    : wantedLater(x, goal).cardinality();
        }
        if (g.node(x).edges().stream().anyMatch(e -> e.kind() == RowEdge.Kind.ACCUMULATING)) {
            return g.node(x).rows();
        }
        boolean writing = twice && stored(x);
        if (at < begin) {
            return (writing ? union(kept.get(x), previous.get(x)) : kept.get(x)).cardinality();
        }
        // What the strip before made is written while this one runs.
        BitSet written = writing ? union(previous.get(x), fresh.get(x)) : new BitSet();
        return union(written, at <= end ? union(kept.get(x), fresh.get(x)) : wantedLater(x, goal))
                .cardinality();
    }

    /// Scores that are worked through in blocks, together with the layers that read them.
    private boolean blocked(int x) {
        return x >= first && bytes(x) < g.node(x).elements();
    }

    /// The layer at whose turn rows of a tensor come.
    private int begin(int x) {
        if (x < first) {
            return readers(x).getFirst();
        }
        return g.node(x).edges().stream()
                .map(RowEdge::from)
                .filter(this::blocked)
                .mapToInt(this::begin)
                .min()
                .orElse(x);
    }

    /// The last layer at whose turn rows of a tensor are needed.
    private int end(int x) {
        return readers(x).stream().mapToInt(r -> blocked(r) ? end(r) : r).reduce(x < first ? first : x, Math::max);
    }

    private static BitSet union(BitSet a, BitSet b) {
        var all = (BitSet) a.clone();
        all.or(b);
        return all;
    }
}
