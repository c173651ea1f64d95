package knobscape.hls.evaluate.estimator;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import knobscape.compile.analysis.FlowGraph;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;

/// Nodes of the values of a hyperblock, and of the conditions under which its blocks run.
final class IrNodes {
    private final Graph graph;
    private final HyperBlock block;
    private final FlowGraph flow;
    private final OperatorLibrary library;
    private final BitSet within;
    private final int[] node;
    private final Map<Integer, Integer> liveIns = new HashMap<>();
    private final Map<Integer, Integer> guards = new HashMap<>();

    IrNodes(Graph graph, HyperBlock block, OperatorLibrary library) {
        this.graph = graph;
        this.block = block;
        this.flow = block.facts().flow();
        this.library = library;
        within = block.within();
        node = new int[block.facts().forms().code().size()];
        Arrays.fill(node, -1);
    }

    /// Node of an instruction's result, -1 where it has none.
    int of(IrInstruction i) {
        return node[i.id()];
    }

    void put(IrInstruction i, int n) {
        node[i.id()] = n;
    }

    /// Node of a value.
    int value(IrValue v) {
        return switch (v) {
            case IrConstant.Whole w -> graph.constant(w.value().doubleValue(), block.bits(w));
            case IrConstant.Floating c -> graph.constant(c.value(), block.bits(c));
            case IrConstant.Zero z -> graph.constant(0, Math.max(1, block.bits(z)));
            case IrConstant _ -> graph.constant(Double.NaN, 1);
            case IrValue.Result(int id, IrType _) -> node[id] >= 0 ? node[id] : liveIn(id, block.bits(v));
            case IrValue.Argument a -> liveIn(block.facts().forms().symbol(a), block.bits(a));
            case IrValue.Other _ -> graph.constant(Double.NaN, 1);
        };
    }

    private int liveIn(int symbol, int bits) {
        return liveIns.computeIfAbsent(symbol, _ -> graph.add(Graph.LIVE_IN, null, bits));
    }

    /// Node of a value that comes from outside, where it is read.
    OptionalInt entering(IrInstruction i) {
        Integer n = liveIns.get(i.id());
        return n == null ? OptionalInt.empty() : OptionalInt.of(n);
    }

    /// Condition under which control comes over one of several ways, -1 where that is not known.
    int anyOf(List<Integer> from, int to) {
        int any = edge(from.getFirst(), to);
        for (int b : from.subList(1, from.size())) {
            any = either(any, edge(b, to));
        }
        return any;
    }

    /// One of two conditions, -1 where one is not known.
    int either(int a, int b) {
        return a < 0 || b < 0 ? -1 : a == b ? a : graph.operation(library.and(), 1, a, b, -1);
    }

    /// Condition under which control goes from one block to another, -1 where it always does.
    private int edge(int from, int to) {
        int c = guardOfBlock(from, flow.dominator(to));
        if (flow.next(from).length > 1) {
            int own = decision(from);
            c = c < 0 ? own : own < 0 ? c : graph.operation(library.and(), 1, c, own, -1);
        }
        return c;
    }

    /// Node of what a block's branch decides upon, -1 where it does not.
    private int decision(int b) {
        IrInstruction t = block.facts().function().blocks().get(b).terminator();
        return t.operands().isEmpty() ? -1 : value(t.operands().getFirst());
    }

    int guard(IrInstruction i) {
        return guardOfBlock(block.blockOf(i));
    }

    /// Node that says whether a block runs, -1 where it always does.
    int guardOfBlock(int b) {
        Integer known = guards.get(b);
        if (known == null) {
            known = guardOfBlock(b, block.entry());
            guards.put(b, known);
        }
        return known;
    }

    private int guardOfBlock(int b, int from) {
        if (!within.get(b) || !flow.dominates(from, b)) {
            return -1;
        }
        int all = -1;
        for (int d : flow.deciders(b, from, within)) {
            int c = decision(d);
            all = all < 0 ? c : c < 0 ? all : graph.operation(library.and(), 1, all, c, -1);
        }
        return all;
    }
}
