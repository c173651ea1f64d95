package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.ToDoubleBiFunction;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.FlowGraph;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.Widths;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.hls.evaluate.estimator.IrPlaces.Place;

/// Makes the [Graph] of a hyperblock: the blocks of a loop, or of a part of a function, with branches turned into
/// selections.
final class IrGraphBuilder implements Graph.Relations {
    /// A value carried from one iteration to the next.
    ///
    /// @param entry node of the value at the start
    /// @param end node of the value for the next iteration
    /// @param name as shown
    record Carried(int entry, int end, String name) {}

    final Graph graph;
    final Steering steering = new Steering();
    final IrAccesses accesses;
    /// Conditions of ways out that depend on data.
    final List<Integer> exits = new ArrayList<>();
    final HyperBlock block;
    private final IrNodes nodes;
    private final FunctionFacts f;
    private final AffineForms forms;
    private final FlowGraph flow;
    private final IrObjects objects;
    private final IrOperators operators;
    private final OperatorLibrary library;
    private final BitSet within;
    private int[] blockOfNode = new int[64];

    IrGraphBuilder(HyperBlock block, IrObjects objects, IrOperators operators, OperatorLibrary library) {
        this.block = block;
        this.f = block.facts();
        this.forms = f.forms();
        this.flow = f.flow();
        this.objects = objects;
        this.operators = operators;
        this.library = library;
        this.graph = new Graph(this);
        this.nodes = new IrNodes(graph, block, library);
        this.accesses = new IrAccesses(block, nodes, graph, steering, objects, library);
        within = block.within();
    }

    /// Builds it; the values that are read outside stay alive.
    void build() {
        for (int b : block.blocks()) {
            for (IrInstruction i : f.block(b)) {
                if (block.instructions().get(i.id())) {
                    nodes.put(i, make(i));
                    mark(b);
                }
            }
        }
        for (int b : block.blocks()) {
            for (IrInstruction i : f.block(b)) {
                if (block.instructions().get(i.id())) {
                    keep(i, b);
                }
            }
        }
    }

    private void mark(int b) {
        if (blockOfNode.length < graph.size) {
            blockOfNode = Arrays.copyOf(blockOfNode, graph.size * 2);
        }
        for (int n = marked; n < graph.size; n++) {
            blockOfNode[n] = b;
        }
        marked = graph.size;
    }

    private int marked;

    /// Keeps values that outlive the block.
    private void keep(IrInstruction i, int from) {
        int n = nodes.of(i);
        if (i.opcode() == IrOpcode.BR || i.opcode() == IrOpcode.SWITCH) {
            keepExit(i, from);
            return;
        }
        if (i.opcode() == IrOpcode.RET && !i.operands().isEmpty()) {
            root(nodes.value(i.operands().getFirst()));
        }
        if (n < 0 || i.opcode() == IrOpcode.GET_ELEMENT_PTR || i.opcode() == IrOpcode.ALLOCA) {
            return;
        }
        for (IrInstruction u : f.users().get(i.id())) {
            boolean outside = !block.instructions().get(u.id());
            boolean carried = u.opcode() == IrOpcode.PHI && block.isHeader(u) && !block.isCounter(u);
            if ((outside && !block.isCounter(u) && u.opcode() != IrOpcode.GET_ELEMENT_PTR) || carried) {
                root(n);
            }
        }
    }

    private void root(int n) {
        if (graph.kind[n] == Graph.OPERATION || graph.kind[n] == Graph.LOAD) {
            graph.root[n] = true;
        }
    }

    /// A way out that depends on data is decided in every iteration.
    private void keepExit(IrInstruction branch, int from) {
        boolean exit = false;
        for (int s : flow.next(from)) {
            exit |= !within.get(s);
        }
        if (exit
                && !branch.operands().isEmpty()
                && branch.operands().getFirst() instanceof IrValue.Result condition
                && !block.comparesCounters(condition)) {
            exits.add(nodes.value(condition));
            root(exits.getLast());
        }
    }

    /// Values that the innermost loop carries from one iteration to the next, counters left out.
    List<Carried> carried() {
        var all = new ArrayList<Carried>();
        if (block.over().isEmpty()) {
            return all;
        }
        IrLoop loop = block.over().getLast();
        for (IrInstruction i : f.block(loop.header())) {
            OptionalInt entry = nodes.entering(i);
            if (i.opcode() == IrOpcode.PHI && !block.isCounter(i) && entry.isPresent()) {
                forms.only(i, loop, true)
                        .ifPresent(end -> all.add(new Carried(entry.getAsInt(), nodes.value(end), shown(i))));
            }
        }
        return all;
    }

    private static String shown(IrInstruction i) {
        String name = i.name();
        int dot = name.indexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }

    /// The line of the source that every node was made for, where known.
    OptionalInt[] lines() {
        var lines = new OptionalInt[graph.size];
        Arrays.fill(lines, OptionalInt.empty());
        for (int b : block.blocks()) {
            for (IrInstruction i : f.block(b)) {
                int n = block.instructions().get(i.id()) ? nodes.of(i) : -1;
                if (n >= 0 && lines[n].isEmpty() && i.location().isPresent()) {
                    lines[n] = OptionalInt.of(i.location().get().line());
                }
            }
        }
        return lines;
    }

    private int make(IrInstruction i) {
        return switch (i.opcode()) {
            case BR, SWITCH, RET, UNREACHABLE, ALLOCA, GET_ELEMENT_PTR, FENCE, INDIRECT_BR -> -1;
            case PHI -> block.isHeader(i) ? -1 : selection(i);
            case LOAD, STORE -> {
                IrObjects.Located at = block.place(objects, IrCalls.address(i).orElseThrow());
                yield accesses.access(i, at.memory(), at.bytes());
            }
            case CALL -> call(i);
            case TRUNC, ZEXT, SEXT, FREEZE, BITCAST, PTR_TO_INT, INT_TO_PTR, ADDR_SPACE_CAST, EXTRACT_VALUE ->
                nodes.value(i.operands().getFirst());
            case MUL -> product(i);
            default -> operation(i);
        };
    }

    private int call(IrInstruction i) {
        if (IrCalls.isNothing(i)) {
            return -1;
        }
        if (objects.isWord(i)) {
            accesses.copy(
                    i,
                    block.place(objects, i.operands().get(0)),
                    block.place(objects, i.operands().get(1)));
            return -1;
        }
        if (IrCalls.isQueue(i)) {
            return accesses.queue(
                    i,
                    objects.of(f.function().name(), forms.pointer(i.operands().getFirst())));
        }
        return operation(i);
    }

    private int operation(IrInstruction i) {
        FunctionalUnit op = operators.of(i, f, operators.core(i, f), block.pipelined());
        int[] a = {-1, -1, -1};
        for (int k = 0; k < Math.min(3, i.operands().size()); k++) {
            a[k] = i.operands().get(k).type() instanceof IrType.Pointer && i.opcode() != IrOpcode.SELECT
                    ? -1
                    : nodes.value(i.operands().get(k));
        }
        if (i.type() instanceof IrType.Void) {
            return -1;
        }
        if (op == library.wire() && a[1] >= 0 && graph.kind[a[1]] == Graph.CONSTANT && a[2] < 0 && a[0] >= 0) {
            return a[0];
        }
        if (a[1] >= 0 && a[2] < 0) {
            // A sum and a difference of the same values run on the same core and are two operations.
            a[2] = graph.constant(-1.0 - i.opcode().ordinal() - i.detail().hashCode() % (1L << 20), 1);
        }
        return graph.operation(op, block.bits(i.result()), a[0], a[1], a[2]);
    }

    /// A product; one with a constant of few digits is sums of shifted operands.
    private int product(IrInstruction i) {
        OptionalInt squares = squares(i);
        if (squares.isPresent()) {
            return squares.getAsInt();
        }
        long k = i.operands().get(1) instanceof IrConstant.Whole w
                ? AffineForms.whole(Widths.low(w, block.bits(i.result()))).orElse(0)
                : 0;
        int digits = digits(Math.abs(k));
        if (k == 0 || digits > 3) {
            return operation(i);
        }
        int x = nodes.value(i.operands().getFirst());
        int width = block.bits(i.result());
        int sum = x;
        for (int d = 1; d < digits; d++) {
            sum = graph.operation(library.adder(width), width, sum, x, graph.constant(k + d, 1));
        }
        return sum;
    }

    /// LLVM makes `(a + b) * (a - b)` of `a * a - b * b`; the vendor's tool does not.
    private OptionalInt squares(IrInstruction i) {
        Optional<IrInstruction> x = once(i.operands().get(0));
        Optional<IrInstruction> y = once(i.operands().get(1));
        if (x.isEmpty() || y.isEmpty()) {
            return OptionalInt.empty();
        }
        IrInstruction sum = x.get().opcode() == IrOpcode.ADD ? x.get() : y.get();
        IrInstruction difference = sum == x.get() ? y.get() : x.get();
        List<IrValue> d = difference.operands();
        if (sum.opcode() != IrOpcode.ADD
                || difference.opcode() != IrOpcode.SUB
                || !Set.copyOf(sum.operands()).equals(Set.copyOf(d))) {
            return OptionalInt.empty();
        }
        int width = block.bits(i.result());
        int[] product = new int[2];
        for (int k = 0; k < 2; k++) {
            int bits = block.bits(d.get(k));
            int factor = nodes.value(d.get(k));
            product[k] = graph.operation(operators.product(width, bits, block.pipelined()), width, factor, factor, -1);
        }
        return OptionalInt.of(graph.operation(library.adder(width), width, product[0], product[1], -1));
    }

    private Optional<IrInstruction> once(IrValue v) {
        return v instanceof IrValue.Result(int id, IrType _)
                        && f.users().get(id).size() == 1
                ? Optional.of(forms.code().get(id))
                : Optional.empty();
    }

    /// Non-zero digits of the canonical signed-digit form.
    private static int digits(long k) {
        int digits = 0;
        for (long rest = k; rest != 0; rest >>= 1) {
            if ((rest & 1) != 0) {
                digits++;
                rest += (rest & 2) != 0 ? 1 : -1;
            }
        }
        return digits;
    }

    /// The value that a phi takes: the one that most ways bring, unless one of the others is chosen. Ways that bring
    /// the
    /// same value are one; several others are chosen between side by side.
    private int selection(IrInstruction phi) {
        int at = block.blockOf(phi);
        int width = block.bits(phi.result());
        var ways = new LinkedHashMap<Integer, List<Integer>>();
        for (int k = 0; k < phi.operands().size(); k++) {
            ways.computeIfAbsent(nodes.value(phi.operands().get(k)), _ -> new ArrayList<>())
                    .add(phi.blocks().get(k));
        }
        int otherwise = nodes.value(phi.operands().getFirst());
        for (var w : ways.entrySet()) {
            otherwise =
                    w.getValue().size() > requireNonNull(ways.get(otherwise)).size() ? w.getKey() : otherwise;
        }
        List<Integer> rest = requireNonNull(ways.remove(otherwise));
        var chosen = new ArrayList<Choice>();
        ways.forEach((value, from) -> chosen.add(new Choice(value, nodes.anyOf(from, at))));
        if (chosen.isEmpty()) {
            return otherwise;
        }
        while (chosen.size() > 1) {
            for (int k = 0; k + 1 < chosen.size(); k++) {
                Choice b = chosen.remove(k + 1);
                Choice a = chosen.get(k);
                chosen.set(k, new Choice(choose(a, b.value(), width), nodes.either(a.condition(), b.condition())));
            }
        }
        Choice last = chosen.getFirst();
        return choose(last.condition() < 0 ? new Choice(last.value(), nodes.anyOf(rest, at)) : last, otherwise, width);
    }

    /// A value and the condition under which it is taken, -1 where that is not known.
    private record Choice(int value, int condition) {}

    private int choose(Choice c, int otherwise, int width) {
        return c.condition() < 0
                ? graph.operation(library.wire(), width, otherwise, c.value(), -1)
                : graph.operation(library.select(width), width, c.condition(), c.value(), otherwise);
    }

    @Override
    public boolean exclusive(int a, int b) {
        return a < marked && b < marked && flow.exclusive(blockOfNode[a], blockOfNode[b]);
    }

    @Override
    public int group(int n) {
        Place p = accesses.place(n);
        return p == null ? 0 : p.group();
    }

    @Override
    public int bank(int n) {
        Place p = accesses.place(n);
        return p == null ? 0 : p.port();
    }

    /// The loops as [Bursts] asks.
    Bursts.Facts bursts(ToDoubleBiFunction<FunctionFacts, IrLoop> iterations) {
        return new Bursts.Facts() {
            @Override
            public int loops() {
                return block.over().size();
            }

            @Override
            public double iterations(int loop) {
                return iterations.applyAsDouble(f, block.over().get(loop));
            }

            @Override
            public boolean isCounted() {
                return block.isCounted();
            }

            @Override
            public boolean isGuarded(int node) {
                return accesses.isGuarded(node);
            }

            @Override
            public long stride(int run, int loop) {
                return accesses.stride(run, block.over().get(loop));
            }
        };
    }
}
