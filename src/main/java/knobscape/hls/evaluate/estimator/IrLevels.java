package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.ir.IrInstruction;

/// A body level by level: straight code, then the loops and calls that need it, and so on. What is on one level runs
/// side by side.
final class IrLevels {
    private static final BitSet NONE = new BitSet();

    private final FunctionFacts f;
    private final Optional<IrLoop> around;
    private final List<Integer> blocks;
    private final Predicate<IrInstruction> isItem;
    private final TreeMap<Integer, BitSet> straight = new TreeMap<>();
    private final TreeMap<Integer, List<Item>> items = new TreeMap<>();
    private final BitSet tail = new BitSet();
    private final BitSet inLoops = new BitSet();

    /// @param around loop whose body it is, empty for a function's
    /// @param blocks of the body
    /// @param isItem whether an instruction is a module or a loop of its own
    IrLevels(FunctionFacts f, Optional<IrLoop> around, List<Integer> blocks, Predicate<IrInstruction> isItem) {
        this.f = f;
        this.around = around;
        this.blocks = blocks;
        this.isItem = isItem;
        find();
    }

    /// The last level.
    int last() {
        return Math.max(straight.isEmpty() ? 0 : straight.lastKey(), items.isEmpty() ? 0 : items.lastKey());
    }

    /// Straight code in front of the items of a level, by instruction.
    BitSet straight(int level) {
        return straight.getOrDefault(level, NONE);
    }

    /// Loops and calls of a level.
    List<Item> items(int level) {
        return items.getOrDefault(level, List.of());
    }

    /// True if control takes one of several ways through the body; to leave it or to begin again is none.
    boolean branches() {
        var inside = new BitSet();
        blocks.forEach(inside::set);
        return blocks.stream()
                .filter(b -> !inLoops.get(b))
                .anyMatch(b -> Arrays.stream(f.flow().next(b))
                                .filter(n -> inside.get(n) && n != blocks.getFirst())
                                .count()
                        > 1);
    }

    /// Straight code from which no loop and no call is reached any more.
    BitSet tail() {
        return tail;
    }

    /// Something that is no straight code.
    record Item(Optional<IrLoop> loop, Optional<IrInstruction> call) {
        /// The loop's instructions, or the call.
        List<IrInstruction> instructions(FunctionFacts f) {
            return call.map(List::of)
                    .orElseGet(() -> loop.orElseThrow().blocks().stream()
                            .boxed()
                            .flatMap(b -> f.block(b).stream())
                            .toList());
        }
    }

    private void find() {
        var owner = new HashMap<Integer, IrLoop>();
        List<IrLoop> inside =
                around.map(IrLoop::children).orElseGet(() -> f.loops().outermost());
        inside.forEach(l -> l.blocks().stream().forEach(b -> owner.put(b, l)));
        inside.forEach(l -> inLoops.or(l.blocks()));
        var out = new HashMap<Integer, Integer>();
        var done = new BitSet();
        BitSet leading = leading(owner.keySet());
        for (int b : blocks) {
            IrLoop l = owner.get(b);
            if (l == null) {
                out.put(b, straight(b, level(b, around, out), leading));
            } else if (!done.get(l.header())) {
                done.set(l.header());
                int level = level(l.header(), Optional.of(l), out);
                items.computeIfAbsent(level, _ -> new ArrayList<>()).add(new Item(Optional.of(l), Optional.empty()));
                l.blocks().stream().forEach(x -> out.put(x, level + 1));
            }
        }
    }

    private int level(int block, Optional<IrLoop> entering, Map<Integer, Integer> out) {
        int level = 0;
        for (int p : f.flow().before(block)) {
            boolean back = entering.isPresent()
                    && entering.get().header() == block
                    && entering.get().contains(p);
            level = Math.max(level, back ? 0 : out.getOrDefault(p, 0));
        }
        return level;
    }

    /// Blocks behind which there is a loop or call.
    private BitSet leading(Set<Integer> ofLoops) {
        var leads = new BitSet();
        var holds = new BitSet();
        for (int b : blocks.reversed()) {
            for (int s : f.flow().next(b)) {
                if (holds.get(s)) {
                    leads.set(b);
                }
            }
            holds.set(
                    b,
                    leads.get(b) || ofLoops.contains(b) || f.block(b).stream().anyMatch(isItem));
        }
        return leads;
    }

    private int straight(int block, int from, BitSet leading) {
        int level = from;
        long left = f.block(block).stream().filter(isItem).count();
        for (IrInstruction i : f.block(block)) {
            if (isItem.test(i)) {
                items.computeIfAbsent(level, _ -> new ArrayList<>()).add(new Item(Optional.empty(), Optional.of(i)));
                level++;
                left--;
            } else if (left == 0 && !leading.get(block)) {
                tail.set(i.id());
            } else {
                straight.computeIfAbsent(level, _ -> new BitSet()).set(i.id());
            }
        }
        return level;
    }
}
