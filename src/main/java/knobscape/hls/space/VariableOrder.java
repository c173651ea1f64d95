package knobscape.hls.space;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Orders variables so that a decision diagram over them stays small. While a diagram is read from the top, it
/// has to remember the values of those variables that still constrain later ones: the frontier. The product of
/// the frontier's values, summed over the order, estimates the diagram's size. Blocks of variables are placed
/// greedily by least frontier, from every possible first block, and the best order is then improved by moving
/// single blocks; with many blocks fewer of both are tried, and with very many the given order is
/// where improvement begins.
final class VariableOrder {

    /// Variables that stay together.
    ///
    /// @param names in order
    /// @param weight logarithm of the number of combinations they can take
    record Block(List<String> names, double weight) {}

    private static final int MOST_STARTS = 64;
    private static final int MOST_MOVES = 4000;
    private static final long FEW_MOVES = 300;
    /// Pairs of neighbours compared, in the search for an order and in the improvement of it.
    private static final long MOST_WORK = 10_000_000;

    private final List<Block> blocks;
    private final List<BitSet> neighbours = new ArrayList<>();
    private int[][] near = {};

    VariableOrder(List<Block> blocks) {
        this.blocks = List.copyOf(blocks);
        blocks.forEach(b -> neighbours.add(new BitSet()));
    }

    /// The two blocks constrain each other.
    void connect(int a, int b) {
        near = new int[0][];
        if (a != b) {
            neighbours.get(a).set(b);
            neighbours.get(b).set(a);
        }
    }

    /// @param sequence block numbers
    /// @param nodes estimate of the diagram's size; only so much that it is too large where another order beat it
    private record Order(List<Integer> sequence, double nodes) {}

    /// Constrained pairs, each counted from both sides, and the blocks.
    private long pairs() {
        return blocks.size()
                + neighbours.stream().mapToLong(BitSet::cardinality).sum();
    }

    /// Names of all blocks, in the order found.
    List<String> names() {
        List<Integer> given = IntStream.range(0, blocks.size()).boxed().toList();
        List<Integer> starts = starts();
        Order best =
                new Order(given, starts.isEmpty() ? nodes(given, Double.POSITIVE_INFINITY) : Double.POSITIVE_INFINITY);
        for (int first : starts) {
            Order order = from(first, best.nodes());
            best = order.nodes() < best.nodes() * (1 - 1e-9) ? order : best;
        }
        return improve(best).sequence().stream()
                .flatMap(b -> blocks.get(b).names().stream())
                .toList();
    }

    /// Moves single blocks elsewhere while that helps. The generator is fixed, so that the same knobs always
    /// get the same order.
    private Order improve(Order start) {
        var random = new SplittableRandom(1);
        Order best = start;
        // A few blocks have few orders.
        long moves = Math.min(blocks.size() <= 4 ? FEW_MOVES : MOST_MOVES, MOST_WORK / pairs());
        for (int i = 0; i < moves && blocks.size() > 2; i++) {
            var moved = new ArrayList<>(best.sequence());
            Integer block = moved.remove(/* index */ random.nextInt(moved.size()));
            moved.add(random.nextInt(moved.size() + 1), block);
            double nodes = nodes(moved, best.nodes());
            best = nodes < best.nodes() * (1 - 1e-9) ? new Order(List.copyOf(moved), nodes) : best;
        }
        return best;
    }

    /// @param most where the sum comes to this, the order is no better and the rest is not added
    private double nodes(List<Integer> sequence, double most) {
        var placed = new boolean[blocks.size()];
        int[] open = open();
        double frontier = 0;
        double sum = 0;
        for (int block : sequence) {
            sum += Math.exp(Math.min(frontier + blocks.get(block).weight(), 300));
            if (sum >= most) {
                return sum;
            }
            frontier += change(block, placed, open);
            place(block, placed, open);
        }
        return sum;
    }

    private void place(int block, boolean[] placed, int[] open) {
        placed[block] = true;
        for (int n : near()[block]) {
            open[n]--;
        }
    }

    private int[] open() {
        int[][] all = near();
        int[] open = new int[all.length];
        for (int b = 0; b < open.length; b++) {
            open[b] = all[b].length;
        }
        return open;
    }

    /// The neighbours as lists, which are read much more often than they are made.
    private int[][] near() {
        if (near.length == 0) {
            near = neighbours.stream().map(n -> n.stream().toArray()).toArray(int[][]::new);
        }
        return near;
    }

    /// Blocks to begin with: all of them, or those with the fewest neighbours where there are many.
    private List<Integer> starts() {
        return IntStream.range(0, blocks.size())
                .boxed()
                .sorted(Comparator.comparingInt(b -> neighbours.get(b).cardinality()))
                .limit(Math.min(MOST_WORK / (pairs() * blocks.size()), MOST_STARTS))
                .toList();
    }

    private Order from(int first, double most) {
        var placed = new boolean[blocks.size()];
        int[] open = open();
        var sequence = new ArrayList<Integer>();
        for (int next = first; next >= 0; next = cheapest(placed, open)) {
            sequence.add(next);
            place(next, placed, open);
        }
        return new Order(List.copyOf(sequence), nodes(sequence, most));
    }

    private int cheapest(boolean[] placed, int[] open) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int b = 0; b < placed.length; b++) {
            double cost = placed[b] ? Double.POSITIVE_INFINITY : change(b, placed, open);
            if (cost < least - 1e-9) {
                least = cost;
                best = b;
            }
        }
        return best;
    }

    /// How the frontier changes when a block is placed: it joins if it has open neighbours, and lets those go
    /// whose last open neighbour it was.
    ///
    /// @param open number of neighbours not placed yet, per block
    private double change(int block, boolean[] placed, int[] open) {
        double change = open[block] > 0 ? blocks.get(block).weight() : 0;
        for (int n : near()[block]) {
            change -= placed[n] && open[n] == 1 ? blocks.get(n).weight() : 0;
        }
        return change;
    }
}
