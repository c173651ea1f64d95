package knobscape.space;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;

/// A constrained space held as a decision diagram, made by [Diagrams].
/// Counting, the member of a rank, membership and uniform draws take time proportional to the number of knobs,
/// whatever the size. Ranks are lexicographic. Immutable and safe for use by several threads.
public final class DiagramSpace implements DesignSpace {
    /// Cost of changing one more knob, far above any sum of distances between levels.
    private static final long CHANGE = 1L << 32;
    private static final long NEVER = Long.MAX_VALUE / 4;

    private final KnobSet knobs;
    /// Nodes, children before parents; node 0 is the end of every path; -1 marks a missing child.
    private final int[][] children;
    private final BigInteger[] counts;
    /// The same where all of them fit, else empty: draws by the ten thousand walk along these.
    private final long[] shortCounts;
    private final int root;
    /// Nodes of each knob.
    private final List<int[]> byKnob;
    private final List<BitSet> possible;
    private final List<BitSet> groups;

    /// @param groups knobs that may change together in a neighbour move, as positions
    DiagramSpace(KnobSet knobs, int[][] children, int root, List<int[]> groups) {
        this.knobs = knobs;
        this.children = children;
        this.root = root;
        this.groups = groups.stream()
                .map(g -> {
                    var set = new BitSet();
                    Arrays.stream(g).forEach(set::set);
                    return set;
                })
                .toList();
        counts = new BigInteger[children.length];
        counts[0] = BigInteger.ONE;
        for (int n = 1; n < children.length; n++) {
            BigInteger sum = BigInteger.ZERO;
            for (int child : children[n]) {
                sum = child < 0 ? sum : sum.add(counts[child]);
            }
            counts[n] = sum;
        }
        shortCounts = counts[root].bitLength() < Long.SIZE
                ? Arrays.stream(counts).mapToLong(BigInteger::longValue).toArray()
                : new long[0];
        byKnob = nodesByKnob();
        possible = new ArrayList<>();
        for (int[] nodes : byKnob) {
            var set = new BitSet();
            for (int n : nodes) {
                for (int level = 0; level < children[n].length; level++) {
                    if (children[n][level] >= 0) {
                        set.set(level);
                    }
                }
            }
            possible.add(set);
        }
    }

    private List<int[]> nodesByKnob() {
        var all = new ArrayList<int[]>();
        int[] current = {root};
        for (int i = 0; i < knobs.size(); i++) {
            all.add(current);
            var next = new BitSet();
            for (int n : current) {
                for (int child : children[n]) {
                    if (child >= 0) {
                        next.set(child);
                    }
                }
            }
            current = next.stream().toArray();
        }
        return List.copyOf(all);
    }

    @Override
    public KnobSet knobs() {
        return knobs;
    }

    @Override
    public BigInteger size() {
        return counts[root];
    }

    @Override
    public Configuration at(BigInteger rank) {
        if (rank.signum() < 0 || rank.compareTo(size()) >= 0) {
            throw new IndexOutOfBoundsException("rank " + rank + " is outside 0 .. " + size() + " - 1");
        }
        int[] levels = new int[knobs.size()];
        if (shortCounts.length > 0) {
            fill(levels, rank.longValue());
            return Configuration.of(knobs, levels);
        }
        BigInteger rest = rank;
        int node = root;
        for (int i = 0; i < levels.length; i++) {
            int level = 0;
            while (true) {
                int child = children[node][level];
                if (child >= 0) {
                    if (rest.compareTo(counts[child]) < 0) {
                        break;
                    }
                    rest = rest.subtract(counts[child]);
                }
                level++;
            }
            levels[i] = level;
            node = children[node][level];
        }
        return Configuration.of(knobs, levels);
    }

    private void fill(int[] levels, long rank) {
        long rest = rank;
        int node = root;
        for (int i = 0; i < levels.length; i++) {
            int[] next = children[node];
            int level = 0;
            while (next[level] < 0 || rest >= shortCounts[next[level]]) {
                rest -= next[level] < 0 ? 0 : shortCounts[next[level]];
                level++;
            }
            levels[i] = level;
            node = next[level];
        }
    }

    @Override
    public Configuration drawWithin(List<BitSet> allowed, double[] uniform) {
        double[] shares = new double[children.length];
        Arrays.fill(shares, Double.NaN);
        shares[0] = 1;
        if (share(root, 0, allowed, shares) <= 0) {
            throw new IllegalArgumentException("no member has only the allowed levels");
        }
        int[] levels = new int[knobs.size()];
        int node = root;
        for (int knob = 0; knob < levels.length; knob++) {
            int[] next = children[node];
            double rest = uniform[knob] * shares[node] * next.length;
            int chosen = -1;
            for (int l = allowed.get(knob).nextSetBit(0);
                    l >= 0;
                    l = allowed.get(knob).nextSetBit(l + 1)) {
                if (next[l] >= 0 && shares[next[l]] > 0 && (chosen < 0 || rest >= 0)) {
                    chosen = l;
                    rest -= shares[next[l]];
                }
            }
            levels[knob] = chosen;
            node = next[chosen];
        }
        return Configuration.of(knobs, levels);
    }

    /// The share of all combinations of the knobs from `knob` on that are members below a node and allowed: counts
    /// themselves may be larger than any `double`.
    private double share(int node, int knob, List<BitSet> allowed, double[] shares) {
        if (Double.isNaN(shares[node])) {
            double sum = 0;
            BitSet levels = allowed.get(knob);
            for (int l = levels.nextSetBit(0); l >= 0; l = levels.nextSetBit(l + 1)) {
                int child = children[node][l];
                sum += child < 0 ? 0 : share(child, knob + 1, allowed, shares);
            }
            shares[node] = sum / children[node].length;
        }
        return shares[node];
    }

    @Override
    public boolean contains(Configuration configuration) {
        if (!configuration.knobs().equals(knobs)) {
            return false;
        }
        int node = root;
        for (int i = 0; i < knobs.size() && node >= 0; i++) {
            node = children[node][configuration.level(i)];
        }
        return node >= 0;
    }

    @Override
    public BitSet possibleLevels(int knob) {
        return (BitSet) possible.get(knob).clone();
    }

    @Override
    public Stream<Configuration> enumerate() {
        int[] first = new int[knobs.size()];
        fillFirst(first, 0, root);
        return Enumerations.of(knobs, first, this::advance);
    }

    /// Completes `levels` from `knob` on with the least member below `node`.
    private void fillFirst(int[] levels, int knob, int node) {
        int at = node;
        for (int i = knob; i < levels.length; i++) {
            int level = 0;
            while (children[at][level] < 0) {
                level++;
            }
            levels[i] = level;
            at = children[at][level];
        }
    }

    private boolean advance(int[] levels) {
        int[] path = new int[levels.length];
        int node = root;
        for (int i = 0; i < levels.length; i++) {
            path[i] = node;
            node = children[node][levels[i]];
        }
        for (int i = levels.length - 1; i >= 0; i--) {
            int[] next = children[path[i]];
            for (int level = levels[i] + 1; level < next.length; level++) {
                if (next[level] >= 0) {
                    levels[i] = level;
                    fillFirst(levels, i + 1, next[level]);
                    return true;
                }
            }
        }
        return false;
    }

    /// The member closest to `wanted`, which need not be a member: fewest knobs changed, then least sum of
    /// distances between levels, then the least rank.
    public Configuration nearest(Configuration wanted) {
        int[] target = wanted.levels();
        long[] ahead = costAhead(target, everyKnob());
        int[] levels = new int[target.length];
        follow(levels, 0, root, target, everyKnob(), ahead);
        return Configuration.of(knobs, levels);
    }

    private BitSet everyKnob() {
        var all = new BitSet();
        all.set(0, knobs.size());
        return all;
    }

    /// For every knob and every other level it may take: the closest member with that level, where only knobs
    /// of a group that holds the knob move along. Where nothing has to move along this is the plain change of
    /// one knob.
    @Override
    public List<Configuration> neighbours(Configuration configuration) {
        int[] own = configuration.levels();
        var near = new LinkedHashSet<Configuration>();
        for (int knob = 0; knob < own.length; knob++) {
            for (int level = 0; level < knobs.get(knob).domain().size(); level++) {
                if (level != own[knob]) {
                    var changed = configuration.with(knob, level);
                    if (contains(changed)) {
                        near.add(changed);
                    }
                }
            }
        }
        for (BitSet group : groups) {
            addGroupMoves(own, group, near);
        }
        near.remove(configuration);
        return List.copyOf(near);
    }

    private void addGroupMoves(int[] own, BitSet group, LinkedHashSet<Configuration> near) {
        long[] ahead = costAhead(own, group);
        long[] behind = new long[children.length];
        int[] parent = new int[children.length];
        int[] parentLevel = new int[children.length];
        Arrays.fill(behind, NEVER);
        behind[root] = 0;
        for (int knob = 0; knob < own.length; knob++) {
            for (int node : byKnob.get(knob)) {
                if (behind[node] >= NEVER) {
                    continue;
                }
                for (int level = 0; level < children[node].length; level++) {
                    int child = children[node][level];
                    long cost = child < 0 ? NEVER : behind[node] + cost(own[knob], level, group.get(knob));
                    if (cost < NEVER && cost < behind[child]) {
                        behind[child] = cost;
                        parent[child] = node;
                        parentLevel[child] = level;
                    }
                }
            }
        }
        for (int knob = group.nextSetBit(0); knob >= 0; knob = group.nextSetBit(knob + 1)) {
            for (int level = 0; level < knobs.get(knob).domain().size(); level++) {
                int best = level == own[knob] ? -1 : cheapestThrough(knob, level, behind, ahead);
                if (best < 0) {
                    continue;
                }
                int[] levels = new int[own.length];
                levels[knob] = level;
                int node = best;
                for (int i = knob - 1; i >= 0; i--) {
                    levels[i] = parentLevel[node];
                    node = parent[node];
                }
                follow(levels, knob + 1, children[best][level], own, group, ahead);
                near.add(Configuration.of(knobs, levels));
            }
        }
    }

    /// The node of `knob` over which the cheapest member with that level passes, or -1.
    private int cheapestThrough(int knob, int level, long[] behind, long[] ahead) {
        int best = -1;
        long least = NEVER;
        for (int node : byKnob.get(knob)) {
            int child = children[node][level];
            if (child >= 0 && behind[node] < NEVER && ahead[child] < NEVER && behind[node] + ahead[child] < least) {
                least = behind[node] + ahead[child];
                best = node;
            }
        }
        return best;
    }

    /// Least cost from every node to the end.
    private long[] costAhead(int[] target, BitSet movable) {
        long[] ahead = new long[children.length];
        for (int knob = knobs.size() - 1; knob >= 0; knob--) {
            for (int node : byKnob.get(knob)) {
                long least = NEVER;
                for (int level = 0; level < children[node].length; level++) {
                    int child = children[node][level];
                    if (child >= 0) {
                        least = Math.min(least, cost(target[knob], level, movable.get(knob)) + ahead[child]);
                    }
                }
                ahead[node] = Math.min(least, NEVER);
            }
        }
        return ahead;
    }

    /// Completes `levels` from `knob` on along the cheapest path below `node`.
    private void follow(int[] levels, int knob, int node, int[] target, BitSet movable, long[] ahead) {
        int at = node;
        for (int i = knob; i < levels.length; i++) {
            int chosen = -1;
            long least = Long.MAX_VALUE;
            for (int level = 0; level < children[at].length; level++) {
                int child = children[at][level];
                long cost = child < 0 ? Long.MAX_VALUE : cost(target[i], level, movable.get(i)) + ahead[child];
                if (cost < least) {
                    least = cost;
                    chosen = level;
                }
            }
            levels[i] = chosen;
            at = children[at][chosen];
        }
    }

    private static long cost(int from, int to, boolean movable) {
        if (from == to) {
            return 0;
        }
        return movable ? CHANGE + Math.abs(from - to) : NEVER;
    }
}
