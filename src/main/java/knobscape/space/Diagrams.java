package knobscape.space;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// A manager of sets of value combinations, kept as ordered multi-valued decision diagrams with shared nodes.
///
/// Variables are numbered `0 .. n-1` and take the levels `0 .. size-1`; a diagram reads them in that order.
/// Equal sub-diagrams are one node (hash-consing), so a set has exactly one representation: the union of two
/// sets holds every combination once, however often it was put in, and equality of sets is equality of nodes.
/// Every path passes all variables (no long edges), which costs little on the spaces met here and keeps
/// counting and ranking plain.
///
/// Size depends on the order of the variables: those that constrain each other should be neighbours. The
/// operations take time proportional to the product of the operands' node counts at worst. Not safe for use by
/// several threads; the [DiagramSpace] made from it is.
///
/// Srinivasan, Ham, Malik, Brayton, "Algorithms for discrete function manipulation", ICCAD 1990.
public final class Diagrams {
    private static final int NOTHING = 0;
    private static final int END = 1;

    private final int[] sizes;
    private final int mostNodes;
    /// Variable of every node, and where its children begin in the pool; the first `nodes` are in use.
    private int[] levels = new int[256];
    private int[] begins = new int[256];
    private int nodes;
    /// Children of all nodes, one after the other: millions of small arrays would cost more than the work itself.
    private int[] pool = new int[1024];
    private int pooled;
    /// Hash table of all nodes, by variable and children; 0 marks a free place.
    private int[] table = new int[1024];
    private final LongIntMap unions = new LongIntMap(32);
    private final LongIntMap intersections = new LongIntMap(32);
    private final LongIntMap complements = new LongIntMap(32);
    private final Map<Integer, BigInteger> counts = new HashMap<>();
    private final int[] full;
    /// Conditions on one variable, which are asked for again and again; each is a node per variable before it.
    private final Map<Condition, Integer> conditions = new HashMap<>();

    private record Condition(int variable, BitSet allowed) {}

    /// A manager for variables with the given numbers of levels, each at least one.
    public Diagrams(int... sizes) {
        this(Integer.MAX_VALUE, sizes);
    }

    /// A manager that gives up with a [TooLargeException] rather than make more than `mostNodes` nodes in its
    /// life.
    public Diagrams(int mostNodes, int[] sizes) {
        this.mostNodes = mostNodes;
        this.sizes = sizes.clone();
        for (int size : sizes) {
            if (size < 1) {
                throw new IllegalArgumentException(
                        "a variable needs at least one level, was " + Arrays.toString(sizes));
            }
        }
        append(sizes.length, new int[0]);
        append(sizes.length, new int[0]);
        full = new int[sizes.length + 1];
        full[sizes.length] = END;
        for (int i = sizes.length - 1; i >= 0; i--) {
            int[] all = new int[sizes[i]];
            Arrays.fill(all, full[i + 1]);
            full[i] = node(i, all);
        }
    }

    /// The empty set.
    public Diagram nothing() {
        return new Diagram(NOTHING);
    }

    /// All combinations.
    public Diagram everything() {
        return new Diagram(full[0]);
    }

    /// The combinations in which `variable` takes one of `allowed`; the other variables are free.
    public Diagram only(int variable, BitSet allowed) {
        return new Diagram(conditions.computeIfAbsent(
                new Condition(variable, (BitSet) allowed.clone()), c -> product(Map.of(c.variable, c.allowed)).node));
    }

    /// The combinations in which every named variable takes one of its allowed levels; the others are free.
    public Diagram product(Map<Integer, BitSet> allowed) {
        int last = allowed.keySet().stream().mapToInt(v -> v).max().orElse(-1);
        int below = full[last + 1];
        for (int i = last; i >= 0 && below != NOTHING; i--) {
            BitSet set = allowed.get(i);
            int[] next = new int[sizes[i]];
            for (int level = 0; level < next.length; level++) {
                next[level] = set == null || set.get(level) ? below : NOTHING;
            }
            below = node(i, next);
        }
        return new Diagram(below);
    }

    /// The combinations for which `test` holds; it sees only the named variables' levels, in the order named.
    /// Every combination of those is tried, so their number should be small.
    ///
    /// @param variables distinct variables in increasing order
    /// @param test holds for the levels of those variables
    public Diagram relation(int[] variables, Predicate<int[]> test) {
        for (int i = 1; i < variables.length; i++) {
            if (variables[i] <= variables[i - 1]) {
                throw new IllegalArgumentException("variables must increase, was " + Arrays.toString(variables));
            }
        }
        return new Diagram(relation(0, 0, variables, new int[variables.length], test));
    }

    private int relation(int variable, int position, int[] variables, int[] chosen, Predicate<int[]> test) {
        if (position == variables.length) {
            return test.test(chosen.clone()) ? full[variable] : NOTHING;
        }
        int[] next = new int[sizes[variable]];
        if (variables[position] == variable) {
            for (int level = 0; level < next.length; level++) {
                chosen[position] = level;
                next[level] = relation(variable + 1, position + 1, variables, chosen, test);
            }
        } else {
            Arrays.fill(next, relation(variable + 1, position, variables, chosen, test));
        }
        return node(variable, next);
    }

    /// A set of another manager over some of the variables here; the others are free.
    ///
    /// @param other made by another manager
    /// @param variables the variable here of each of the other's variables, in increasing order, with as many
    /// levels; -1 leaves one out that
    ///        the set does not depend on
    public Diagram adopt(Diagram other, int[] variables) {
        Diagrams from = other.owner();
        if (variables.length != from.sizes.length) {
            throw new IllegalArgumentException("expected " + from.sizes.length + " variables, was " + variables.length);
        }
        boolean[] filled = new boolean[sizes.length];
        int last = -1;
        for (int i = 0; i < variables.length; i++) {
            if (variables[i] >= 0) {
                if (variables[i] <= last || sizes[variables[i]] != from.sizes[i]) {
                    throw new IllegalArgumentException(
                            "variables must increase and have as many levels as the other's, was "
                                    + Arrays.toString(variables));
                }
                last = variables[i];
                filled[last] = true;
            }
        }
        return new Diagram(adopt(0, other.node, from, variables, filled, new LongIntMap(32)));
    }

    private int adopt(int variable, int node, Diagrams from, int[] variables, boolean[] filled, LongIntMap done) {
        int theirs = node;
        while (theirs > END && variables[from.levels[theirs]] < 0) {
            int[] next = from.children(theirs);
            if (Arrays.stream(next).anyMatch(child -> child != next[0])) {
                throw new IllegalArgumentException("the set depends on a variable that is left out");
            }
            theirs = next[0];
        }
        if (theirs == NOTHING || variable == sizes.length) {
            return theirs;
        }
        long key = key(theirs, variable);
        int known = done.get(key, -1);
        if (known >= 0) {
            return known;
        }
        int[] next = new int[sizes[variable]];
        if (filled[variable]) {
            for (int level = 0; level < next.length; level++) {
                next[level] = adopt(variable + 1, from.child(theirs, level), from, variables, filled, done);
            }
        } else {
            Arrays.fill(next, adopt(variable + 1, theirs, from, variables, filled, done));
        }
        int made = node(variable, next);
        done.put(key, made);
        return made;
    }

    /// The space of `set` over `knobs`, which stand for the variables `kept` in increasing order; the other
    /// variables are projected away. `groups` are passed to [DiagramSpace]. Throws `IllegalArgumentException`
    /// where the set is empty.
    public DiagramSpace space(KnobSet knobs, Diagram set, int[] kept, List<int[]> groups) {
        var keep = new BitSet();
        Arrays.stream(kept).forEach(keep::set);
        if (kept.length != knobs.size()) {
            throw new IllegalArgumentException("expected " + kept.length + " knobs, was " + knobs.size());
        }
        for (int i = 0; i < kept.length; i++) {
            if (knobs.get(i).domain().size() != sizes[kept[i]]) {
                throw new IllegalArgumentException(
                        "knob " + knobs.get(i).name() + " has another number of levels than its variable");
            }
        }
        Diagram projected = set;
        for (int v = 0; v < sizes.length; v++) {
            if (!keep.get(v)) {
                projected = projected.exists(v);
            }
        }
        if (projected.isEmpty()) {
            throw new IllegalArgumentException("a space needs at least one configuration");
        }
        var order = new ArrayList<int[]>();
        var number = new HashMap<Integer, Integer>();
        order.add(new int[0]);
        number.put(END, 0);
        int root = copy(projected.node, keep, number, order);
        return new DiagramSpace(knobs, order.toArray(int[][]::new), root, groups);
    }

    /// Copies what is reachable, children before parents, and leaves out the levels that are not kept (their
    /// children are all equal).
    private int copy(int node, BitSet keep, Map<Integer, Integer> number, List<int[]> order) {
        Integer known = number.get(node);
        if (known != null) {
            return known;
        }
        int[] next = children(node);
        int made;
        if (keep.get(levels[node])) {
            int[] copied = new int[next.length];
            for (int i = 0; i < next.length; i++) {
                copied[i] = next[i] == NOTHING ? -1 : copy(next[i], keep, number, order);
            }
            made = order.size();
            order.add(copied);
        } else {
            made = copy(next[0], keep, number, order);
        }
        number.put(node, made);
        return made;
    }

    private int child(int node, int level) {
        return pool[begins[node] + level];
    }

    private int[] children(int node) {
        return Arrays.copyOfRange(pool, begins[node], begins[node] + sizes[levels[node]]);
    }

    /// The node with these children.
    private int node(int level, int[] next) {
        boolean empty = true;
        for (int child : next) {
            empty &= child == NOTHING;
        }
        if (empty) {
            return NOTHING;
        }
        int mask = table.length - 1;
        int place = hash(level, next, 0, next.length) & mask;
        while (table[place] != 0) {
            int known = table[place];
            if (levels[known] == level && has(known, next)) {
                return known;
            }
            place = place + 1 & mask;
        }
        table[place] = append(level, next);
        if (nodes * 2 > table.length) {
            rehash();
        }
        return nodes - 1;
    }

    private boolean has(int node, int[] next) {
        int begin = begins[node];
        for (int i = 0; i < next.length; i++) {
            if (pool[begin + i] != next[i]) {
                return false;
            }
        }
        return true;
    }

    private int append(int level, int[] next) {
        if (nodes >= mostNodes) {
            throw new TooLargeException(mostNodes);
        }
        if (nodes == levels.length) {
            levels = Arrays.copyOf(levels, nodes * 2);
            begins = Arrays.copyOf(begins, nodes * 2);
        }
        if (pooled + next.length > pool.length) {
            pool = Arrays.copyOf(pool, Math.max(pool.length * 2, pooled + next.length));
        }
        levels[nodes] = level;
        begins[nodes] = pooled;
        System.arraycopy(next, 0, pool, pooled, next.length);
        pooled += next.length;
        return nodes++;
    }

    private void rehash() {
        table = new int[table.length * 2];
        int mask = table.length - 1;
        for (int n = END + 1; n < nodes; n++) {
            int place = hash(levels[n], pool, begins[n], sizes[levels[n]]) & mask;
            while (table[place] != 0) {
                place = place + 1 & mask;
            }
            table[place] = n;
        }
    }

    private static int hash(int level, int[] next, int begin, int length) {
        int h = level;
        for (int i = begin; i < begin + length; i++) {
            h = (h ^ next[i]) * 0x9E3779B1;
            h ^= h >>> 15;
        }
        return h;
    }

    private int union(int a, int b) {
        if (a == b || b == NOTHING) {
            return a;
        }
        int level = levels[a == NOTHING ? b : a];
        if (a == NOTHING || b == full[level]) {
            return b;
        }
        if (a == full[level]) {
            return a;
        }
        long key = key(Math.min(a, b), Math.max(a, b));
        int known = unions.get(key, -1);
        if (known >= 0) {
            return known;
        }
        int[] next = new int[sizes[level]];
        for (int i = 0; i < next.length; i++) {
            next[i] = union(child(a, i), child(b, i));
        }
        int made = node(level, next);
        unions.put(key, made);
        return made;
    }

    private int intersection(int a, int b) {
        if (a == b || a == NOTHING) {
            return a;
        }
        if (b == NOTHING) {
            return b;
        }
        int level = levels[a];
        if (a == full[level]) {
            return b;
        }
        if (b == full[level]) {
            return a;
        }
        long key = key(Math.min(a, b), Math.max(a, b));
        int known = intersections.get(key, -1);
        if (known >= 0) {
            return known;
        }
        int[] next = new int[sizes[level]];
        for (int i = 0; i < next.length; i++) {
            next[i] = intersection(child(a, i), child(b, i));
        }
        int made = node(level, next);
        intersections.put(key, made);
        return made;
    }

    private int complement(int a, int level) {
        if (a == NOTHING) {
            return full[level];
        }
        if (a == full[level]) {
            return NOTHING;
        }
        long key = key(a, level);
        int known = complements.get(key, -1);
        if (known >= 0) {
            return known;
        }
        int[] next = new int[sizes[level]];
        for (int i = 0; i < next.length; i++) {
            next[i] = complement(child(a, i), level + 1);
        }
        int made = node(level, next);
        complements.put(key, made);
        return made;
    }

    private int exists(int a, int variable, LongIntMap done) {
        if (a == NOTHING) {
            return a;
        }
        int known = done.get(a, -1);
        if (known >= 0) {
            return known;
        }
        int level = levels[a];
        int[] next = new int[sizes[level]];
        if (level == variable) {
            int any = NOTHING;
            for (int i = 0; i < next.length; i++) {
                any = union(any, child(a, i));
            }
            Arrays.fill(next, any);
        } else {
            for (int i = 0; i < next.length; i++) {
                next[i] = exists(child(a, i), variable, done);
            }
        }
        int made = node(level, next);
        done.put(a, made);
        return made;
    }

    private BigInteger count(int a) {
        if (a <= END) {
            return BigInteger.valueOf(a);
        }
        BigInteger known = counts.get(a);
        if (known != null) {
            return known;
        }
        BigInteger sum = BigInteger.ZERO;
        for (int child : children(a)) {
            sum = sum.add(count(child));
        }
        counts.put(a, sum);
        return sum;
    }

    private static long key(int a, int b) {
        return (long) a << 32 | b;
    }

    /// The variables constrain each other so much that their diagram needs more nodes than allowed.
    public static final class TooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /// @param mostNodes nodes allowed
        public TooLargeException(int mostNodes) {
            super("the decision diagram needs more than " + mostNodes + " nodes");
        }
    }

    /// One set of combinations; immutable. Two of the same manager are equal exactly when their sets are
    /// equal.
    public final class Diagram {
        private final int node;

        private Diagram(int node) {
            this.node = node;
        }

        private int of(Diagram other) {
            if (other.owner() != Diagrams.this) {
                throw new IllegalArgumentException("the two diagrams belong to different diagram managers");
            }
            return other.node;
        }

        private Diagrams owner() {
            return Diagrams.this;
        }

        /// Combinations in this or in `other`.
        public Diagram or(Diagram other) {
            return new Diagram(union(node, of(other)));
        }

        /// Combinations in this and in `other`.
        public Diagram and(Diagram other) {
            return new Diagram(intersection(node, of(other)));
        }

        /// Combinations not in this.
        public Diagram not() {
            return new Diagram(complement(node, 0));
        }

        /// Combinations that are in this for at least one level of `variable`, which becomes free.
        public Diagram exists(int variable) {
            return new Diagram(Diagrams.this.exists(node, variable, new LongIntMap(32)));
        }

        /// Exact number of combinations.
        public BigInteger count() {
            return Diagrams.this.count(node);
        }

        /// Exact number of combinations of the variables in `kept` that occur in this set.
        public BigInteger countOver(BitSet kept) {
            Diagram projected = this;
            BigInteger free = BigInteger.ONE;
            for (int v = 0; v < sizes.length; v++) {
                if (!kept.get(v)) {
                    projected = projected.exists(v);
                    free = free.multiply(BigInteger.valueOf(sizes[v]));
                }
            }
            return projected.count().divide(free);
        }

        /// True if there is no combination.
        public boolean isEmpty() {
            return node == NOTHING;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Diagram o && o.owner() == Diagrams.this && o.node == node;
        }

        @Override
        public int hashCode() {
            return node;
        }

        @Override
        public String toString() {
            return "diagram of " + count() + " combinations";
        }
    }
}
