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

    VariableOrder(List<Block> blocks) {
        this.blocks = List.copyOf(blocks);
        blocks.forEach(b -> neighbours.add(new BitSet()));
    }

    /// The two blocks constrain each other.
    void connect(int a, int b) {
        if (a != b) {
            neighbours.get(a).set(b);
            neighbours.get(b).set(a);
        }
    }

    /// @param sequence block numbers
    /// @param nodes estimate of the diagram's size
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
        Order best = new Order(given, starts.isEmpty() ? nodes(given) : Double.POSITIVE_INFINITY);
        for (int first : starts) {
            Order order = from(first);
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
            double nodes = nodes(moved);
            best = nodes < best.nodes() * (1 - 1e-9) ? new Order(List.copyOf(moved), nodes) : best;
        }
        return best;
    }

    private double nodes(List<Integer> sequence) {
        var placed = new BitSet();
        int[] open = open();
        double frontier = 0;
        double sum = 0;
        for (int block : sequence) {
            sum += Math.exp(Math.min(frontier + blocks.get(block).weight(), 300));
            frontier += change(block, placed, open);
            placed.set(block);
            neighbours.get(block).stream().forEach(n -> open[n]--);
        }
        return sum;
    }

    private int[] open() {
        return neighbours.stream().mapToInt(BitSet::cardinality).toArray();
    }

    /// Blocks to begin with: all of them, or those with the fewest neighbours where there are many.
    private List<Integer> starts() {
        return IntStream.range(0, blocks.size())
                .boxed()
                .sorted(Comparator.comparingInt(b -> neighbours.get(b).cardinality()))
                .limit(Math.min(MOST_WORK / (pairs() * blocks.size()), MOST_STARTS))
                .toList();
    }

    private Order from(int first) {
        var placed = new BitSet();
        int[] open = open();
        var sequence = new ArrayList<Integer>();
        for (int next = first; next >= 0; next = cheapest(placed, open)) {
            placed.set(next);
            sequence.add(next);
            neighbours.get(next).stream().forEach(n -> open[n]--);
        }
        return new Order(List.copyOf(sequence), nodes(sequence));
    }

    private int cheapest(BitSet placed, int[] open) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int b = placed.nextClearBit(0); b < blocks.size(); b = placed.nextClearBit(b + 1)) {
            double cost = change(b, placed, open);
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
    private double change(int block, BitSet placed, int[] open) {
        double change = open[block] > 0 ? blocks.get(block).weight() : 0;
        BitSet near = neighbours.get(block);
        for (int n = near.nextSetBit(0); n >= 0; n = near.nextSetBit(n + 1)) {
            change -= placed.get(n) && open[n] == 1 ? blocks.get(n).weight() : 0;
        }
        return change;
    }
}
