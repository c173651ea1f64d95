package knobscape.hls.directive;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Orders variables so that a decision diagram over them stays small. While a diagram is read from the top, it has to remember the values of those
/// variables that still constrain later ones: the frontier. Greedy choice of the next block of variables with the least frontier, from every possible first block;
/// the order whose widest frontier is narrowest wins. Blocks are few, so that this takes milliseconds.
final class VariableOrder {

    /// Variables that stay together.
    ///
    /// @param names in order
    /// @param weight logarithm of the number of combinations they can take
    record Block(List<String> names, double weight) { }

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

    private record Order(List<Integer> sequence, double widest, double sum) {
        boolean betterThan(Order other) {
            return widest < other.widest - 1e-9 || widest < other.widest + 1e-9 && sum < other.sum - 1e-9;
        }
    }

    /// Names of all blocks, in the order found.
    List<String> names() {
        Order best = null;
        for (int first = 0; first < blocks.size(); first++) {
            Order order = from(first);
            best = best == null || order.betterThan(best) ? order : best;
        }
        return best == null ? List.of() : best.sequence().stream().flatMap(b -> blocks.get(b).names().stream()).toList();
    }

    private Order from(int first) {
        var placed = new BitSet();
        var sequence = new ArrayList<Integer>();
        double widest = 0;
        double sum = 0;
        int next = first;
        while (next >= 0) {
            placed.set(next);
            sequence.add(next);
            double frontier = frontier(placed);
            // The block itself is read while the frontier before it is still remembered.
            widest = Math.max(widest, frontier);
            sum += Math.exp(Math.min(frontier, 300));
            next = cheapest(placed);
        }
        return new Order(sequence, widest, sum);
    }

    private int cheapest(BitSet placed) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int b = placed.nextClearBit(0); b < blocks.size(); b = placed.nextClearBit(b + 1)) {
            placed.set(b);
            double cost = frontier(placed);
            placed.clear(b);
            if (cost < least - 1e-9) {
                least = cost;
                best = b;
            }
        }
        return best;
    }

    private double frontier(BitSet placed) {
        double sum = 0;
        for (int b = placed.nextSetBit(0); b >= 0; b = placed.nextSetBit(b + 1)) {
            BitSet open = (BitSet) neighbours.get(b).clone();
            open.andNot(placed);
            sum += open.isEmpty() ? 0 : blocks.get(b).weight();
        }
        return sum;
    }
}
