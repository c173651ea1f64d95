package knobscape.compile.analysis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import knobscape.compile.ir.IrBlock;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrLoopMark;
import org.jspecify.annotations.Nullable;

/// The natural loops of a function: for every back edge to a block that dominates its start, the blocks that reach the
/// start without passing the header. Back edges to one header make one loop.
public final class IrLoops {
    private final FlowGraph flow;
    private final List<IrLoop> all;
    private final @Nullable IrLoop[] innermost;

    private IrLoops(FlowGraph flow, List<IrLoop> all, int blocks) {
        this.flow = flow;
        this.all = all;
        innermost = new IrLoop[blocks];
        for (IrLoop l : all) {
            l.blocks().stream().forEach(b -> innermost[b] = innermost[b] == null ? l : innermost[b]);
        }
    }

    /// The loops of a function with a body.
    public static IrLoops of(IrFunction function) {
        FlowGraph flow = FlowGraph.of(function);
        var byHeader = new TreeMap<Integer, IrLoop>();
        for (int b : flow.order()) {
            for (int s : flow.next(b)) {
                if (flow.dominates(s, b)) {
                    byHeader.computeIfAbsent(s, IrLoop::new).latch(b);
                }
            }
        }
        List<IrLoop> all = new ArrayList<>(byHeader.values());
        for (IrLoop l : all) {
            var waiting = new ArrayDeque<>(l.latches());
            while (!waiting.isEmpty()) {
                int b = waiting.pop();
                if (!l.contains(b)) {
                    l.blocks().set(b);
                    for (int p : flow.before(b)) {
                        waiting.push(p);
                    }
                }
            }
        }
        all.sort(Comparator.comparingInt((IrLoop l) -> l.blocks().cardinality())
                .thenComparingInt(l -> flow.position(l.header())));
        for (int i = 0; i < all.size(); i++) {
            IrLoop l = all.get(i);
            for (int k = i + 1; k < all.size() && l.parent().isEmpty(); k++) {
                if (all.get(k).contains(l.header())) {
                    l.inside(all.get(k));
                }
            }
        }
        all.forEach(l -> l.sortChildren(flow));
        var loops = new IrLoops(flow, List.copyOf(all), function.blocks().size());
        all.forEach(l -> loops.mark(function, l).ifPresent(l::marked));
        return loops;
    }

    /// The mark of a latch; where partial unrolling left none there, that of another block which is in no inner loop.
    private Optional<IrLoopMark> mark(IrFunction function, IrLoop loop) {
        for (int b : loop.latches()) {
            Optional<IrLoopMark> m = function.blocks().get(b).loop();
            if (m.isPresent()) {
                return m;
            }
        }
        return loop.blocks().stream()
                .filter(b -> innermost[b] == loop)
                .mapToObj(b -> function.blocks().get(b))
                .map(IrBlock::loop)
                .flatMap(Optional::stream)
                .findFirst();
    }

    /// The control flow in which they lie.
    public FlowGraph flow() {
        return flow;
    }

    /// All loops, inner ones before those around them.
    public List<IrLoop> all() {
        return all;
    }

    /// Loops that lie in no other, in the order of the code.
    public List<IrLoop> outermost() {
        return all.stream()
                .filter(l -> l.parent().isEmpty())
                .sorted(Comparator.comparingInt(l -> flow.position(l.header())))
                .toList();
    }

    /// The innermost loop around a block.
    public Optional<IrLoop> around(int block) {
        return Optional.ofNullable(innermost[block]);
    }

    /// The loop whose header a block is.
    public Optional<IrLoop> headedBy(int block) {
        return around(block).filter(l -> l.header() == block);
    }
}
