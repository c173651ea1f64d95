package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.ToDoubleBiFunction;
import knobscape.compile.analysis.Affine;
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
final class IrGraphBuilder implements Graph.Relations, IrPlaces.Numbers {
    /// A value carried from one iteration to the next.
    ///
    /// @param entry node of the value at the start
    /// @param end node of the value for the next iteration
    /// @param name as shown
    record Carried(int entry, int end, String name) {}

    /// Where the block stands.
    ///
    /// @param facts of the function
    /// @param blocks that are part of it, in order
    /// @param instructions of them that are part of it
    /// @param over loops whose iterations are one after the other in this block, innermost last
    /// @param pipelined whether iterations overlap
    record Region(
            FunctionFacts facts, List<Integer> blocks, BitSet instructions, List<IrLoop> over, boolean pipelined) {}

    final Graph graph;
    final Steering steering = new Steering();
    final IrAccesses accesses;
    /// Conditions of ways out that depend on data.
    final List<Integer> exits = new ArrayList<>();
    private final Region region;
    private final FunctionFacts f;
    private final AffineForms forms;
    private final FlowGraph flow;
    private final IrObjects objects;
    private final IrOperators operators;
    private final OperatorLibrary library;
    private final BitSet within;
    private final int entry;
    private final int[] node;
    private final Map<Integer, Integer> liveIns = new HashMap<>();
    private final Map<Integer, Integer> guards = new HashMap<>();
    private final BitSet written = new BitSet();
    private int[] blockOfNode = new int[64];

    IrGraphBuilder(Region region, IrObjects objects, IrOperators operators, OperatorLibrary library) {
        this.region = region;
        this.f = region.facts();
        this.forms = f.forms();
        this.flow = f.flow();
        this.objects = objects;
        this.operators = operators;
        this.library = library;
        this.graph = new Graph(this);
        this.accesses = new IrAccesses(this, objects, library);
        node = new int[forms.code().size()];
        Arrays.fill(node, -1);
        within = new BitSet();
        if (region.over().isEmpty()) {
            within.set(0, f.function().blocks().size());
            entry = 0;
        } else {
            within.or(region.over().getLast().blocks());
            entry = region.over().getLast().header();
        }
    }

    /// Builds it; the values that are read outside stay alive.
    void build() {
        for (IrLoop l : region.over()) {
            l.blocks().stream().forEach(b -> f.block(b).forEach(this::noteWritten));
        }
        for (int b : region.blocks()) {
            for (IrInstruction i : f.block(b)) {
                if (region.instructions().get(i.id())) {
                    node[i.id()] = make(i);
                    mark(b);
                }
            }
        }
        for (int b : region.blocks()) {
            for (IrInstruction i : f.block(b)) {
                if (region.instructions().get(i.id())) {
                    keep(i, b);
                }
            }
        }
    }

    private void noteWritten(IrInstruction i) {
        if (i.opcode() == IrOpcode.STORE || objects.isWord(i)) {
            written.set(place(i.operands().get(i.opcode() == IrOpcode.STORE ? 1 : 0))
                    .memory());
        }
    }

    private void mark(int block) {
        if (blockOfNode.length < graph.size) {
            blockOfNode = Arrays.copyOf(blockOfNode, graph.size * 2);
        }
        for (int n = marked; n < graph.size; n++) {
            blockOfNode[n] = block;
        }
        marked = graph.size;
    }

    private int marked;

    /// Whether a value outlives the block.
    private void keep(IrInstruction i, int block) {
        int n = node[i.id()];
        if (i.opcode() == IrOpcode.BR || i.opcode() == IrOpcode.SWITCH) {
            keepExit(i, block);
            return;
        }
        if (i.opcode() == IrOpcode.RET && !i.operands().isEmpty()) {
            root(value(i.operands().getFirst()));
        }
        if (n < 0 || i.opcode() == IrOpcode.GET_ELEMENT_PTR || i.opcode() == IrOpcode.ALLOCA) {
            return;
        }
        for (IrInstruction u : f.users().get(i.id())) {
            boolean outside = !region.instructions().get(u.id());
            boolean carried = u.opcode() == IrOpcode.PHI && isHeader(u) && !isCounter(u);
            if ((outside && !isCounter(u) && u.opcode() != IrOpcode.GET_ELEMENT_PTR) || carried) {
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
    private void keepExit(IrInstruction branch, int block) {
        boolean exit = false;
        for (int s : flow.next(block)) {
            exit |= !within.get(s);
        }
        if (exit
                && !branch.operands().isEmpty()
                && branch.operands().getFirst() instanceof IrValue.Result(int id, IrType _)) {
            IrInstruction c = forms.code().get(id);
            boolean counted =
                    c.opcode() == IrOpcode.ICMP && c.operands().stream().allMatch(o -> isCounted(forms.of(o)));
            if (!counted) {
                exits.add(value(branch.operands().getFirst()));
                root(exits.getLast());
            }
        }
    }

    private boolean isCounted(Affine a) {
        for (int s : a.symbols()) {
            if (s >= 0 && s < node.length && region.instructions().get(s)) {
                return false;
            }
        }
        return true;
    }

    private boolean isHeader(IrInstruction phi) {
        return f.loops().headedBy(blockOf(phi)).isPresent();
    }

    /// True if a phi only counts iterations.
    private boolean isCounter(IrInstruction i) {
        if (i.opcode() != IrOpcode.PHI || !isHeader(i)) {
            return false;
        }
        return i.type() instanceof IrType.Pointer || !forms.of(i.result()).equals(Affine.symbol(i.id()));
    }

    /// Values that the innermost loop carries from one iteration to the next, counters left out.
    List<Carried> carried() {
        var all = new ArrayList<Carried>();
        if (region.over().isEmpty()) {
            return all;
        }
        IrLoop loop = region.over().getLast();
        for (IrInstruction i : f.block(loop.header())) {
            if (i.opcode() == IrOpcode.PHI && !isCounter(i) && liveIns.containsKey(i.id())) {
                forms.only(i, loop, true)
                        .ifPresent(end -> all.add(new Carried(liveIns.get(i.id()), value(end), shown(i))));
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
        for (int b : region.blocks()) {
            for (IrInstruction i : f.block(b)) {
                int n = region.instructions().get(i.id()) ? node[i.id()] : -1;
                if (n >= 0 && lines[n].isEmpty() && i.location().isPresent()) {
                    lines[n] = OptionalInt.of(i.location().get().line());
                }
            }
        }
        return lines;
    }

    /// Bits that a value needs.
    int bits(IrValue v) {
        return Math.max(1, f.widths().used(v));
    }

    int blockOf(IrInstruction i) {
        return forms.blockOf(i.id());
    }

    /// The call that took a queue's turn for a word at this place.
    Optional<IrInstruction> turn(Affine bytes) {
        return IrCalls.turn(f, bytes);
    }

    /// True if the word that a call writes is stored in this block, behind the call.
    boolean isStoredThrough(IrInstruction call) {
        return IrCalls.isStoredThrough(
                f,
                call,
                call,
                u -> region.instructions().get(u.id()) && (u.opcode() == IrOpcode.STORE || objects.isWord(u)));
    }

    IrInstruction instruction(int id) {
        return forms.code().get(id);
    }

    int blockOfId(int instruction) {
        return forms.blockOf(instruction);
    }

    int nodeOf(int instruction) {
        return node[instruction];
    }

    /// Node of a value.
    int value(IrValue v) {
        return switch (v) {
            case IrConstant.Whole w -> graph.constant(w.value().doubleValue(), bits(w));
            case IrConstant.Floating c -> graph.constant(c.value(), bits(c));
            case IrConstant.Zero z -> graph.constant(0, Math.max(1, bits(z)));
            case IrConstant c -> graph.constant(Double.NaN, 1 + 0 * c.hashCode());
            case IrValue.Result(int id, IrType _) -> node[id] >= 0 ? node[id] : liveIn(id, bits(v));
            case IrValue.Argument a -> liveIn(forms.symbol(a), bits(a));
            case IrValue.Other _ -> graph.constant(Double.NaN, 1);
        };
    }

    private int liveIn(int symbol, int bits) {
        return liveIns.computeIfAbsent(symbol, _ -> graph.add(Graph.LIVE_IN, null, bits));
    }

    private int make(IrInstruction i) {
        return switch (i.opcode()) {
            case BR, SWITCH, RET, UNREACHABLE, ALLOCA, GET_ELEMENT_PTR, FENCE, INDIRECT_BR -> -1;
            case PHI -> isHeader(i) ? -1 : selection(i);
            case LOAD, STORE -> {
                IrObjects.Located at = place(IrCalls.address(i).orElseThrow());
                yield accesses.access(i, at.memory(), at.bytes());
            }
            case CALL -> call(i);
            case TRUNC, ZEXT, SEXT, FREEZE, BITCAST, PTR_TO_INT, INT_TO_PTR, ADDR_SPACE_CAST, EXTRACT_VALUE ->
                value(i.operands().getFirst());
            case MUL -> product(i);
            default -> operation(i);
        };
    }

    private IrObjects.Located place(IrValue address) {
        return objects.locate(f.function().name(), forms.pointer(address));
    }

    private int call(IrInstruction i) {
        if (IrCalls.isNothing(i)) {
            return -1;
        }
        if (objects.isWord(i)) {
            accesses.copy(i, place(i.operands().get(0)), place(i.operands().get(1)));
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
        FunctionalUnit op = operators.of(i, f, operators.core(i, f), region.pipelined());
        int[] a = {-1, -1, -1};
        for (int k = 0; k < Math.min(3, i.operands().size()); k++) {
            a[k] = i.operands().get(k).type() instanceof IrType.Pointer && i.opcode() != IrOpcode.SELECT
                    ? -1
                    : value(i.operands().get(k));
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
        return graph.operation(op, bits(i.result()), a[0], a[1], a[2]);
    }

    /// A product; one with a constant of few digits is sums of shifted operands.
    private int product(IrInstruction i) {
        OptionalInt squares = squares(i);
        if (squares.isPresent()) {
            return squares.getAsInt();
        }
        long k = i.operands().get(1) instanceof IrConstant.Whole w
                ? AffineForms.whole(Widths.low(w, bits(i.result()))).orElse(0)
                : 0;
        int digits = digits(Math.abs(k));
        if (k == 0 || digits > 3) {
            return operation(i);
        }
        int x = value(i.operands().getFirst());
        int width = bits(i.result());
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
        int width = bits(i.result());
        int[] product = new int[2];
        for (int k = 0; k < 2; k++) {
            int bits = bits(d.get(k));
            int factor = value(d.get(k));
            product[k] = graph.operation(operators.product(width, bits, region.pipelined()), width, factor, factor, -1);
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
        int block = blockOf(phi);
        int width = bits(phi.result());
        var ways = new LinkedHashMap<Integer, List<Integer>>();
        for (int k = 0; k < phi.operands().size(); k++) {
            ways.computeIfAbsent(value(phi.operands().get(k)), _ -> new ArrayList<>())
                    .add(phi.blocks().get(k));
        }
        int otherwise = value(phi.operands().getFirst());
        for (var w : ways.entrySet()) {
            otherwise =
                    w.getValue().size() > requireNonNull(ways.get(otherwise)).size() ? w.getKey() : otherwise;
        }
        List<Integer> rest = requireNonNull(ways.remove(otherwise));
        var chosen = new ArrayList<Choice>();
        ways.forEach((value, from) -> chosen.add(new Choice(value, anyOf(from, block))));
        if (chosen.isEmpty()) {
            return otherwise;
        }
        while (chosen.size() > 1) {
            for (int k = 0; k + 1 < chosen.size(); k++) {
                Choice b = chosen.remove(k + 1);
                Choice a = chosen.get(k);
                chosen.set(k, new Choice(choose(a, b.value(), width), either(a.condition(), b.condition())));
            }
        }
        Choice last = chosen.getFirst();
        return choose(last.condition() < 0 ? new Choice(last.value(), anyOf(rest, block)) : last, otherwise, width);
    }

    /// A value and the condition under which it is taken, -1 where that is not known.
    private record Choice(int value, int condition) {}

    private int choose(Choice c, int otherwise, int width) {
        return c.condition() < 0
                ? graph.operation(library.wire(), width, otherwise, c.value(), -1)
                : graph.operation(library.select(width), width, c.condition(), c.value(), otherwise);
    }

    /// Condition under which control comes over one of several ways, -1 where that is not known.
    private int anyOf(List<Integer> from, int to) {
        int any = edge(from.getFirst(), to);
        for (int b : from.subList(1, from.size())) {
            any = either(any, edge(b, to));
        }
        return any;
    }

    private int either(int a, int b) {
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
    private int decision(int block) {
        IrInstruction t = f.function().blocks().get(block).terminator();
        return t.operands().isEmpty() ? -1 : value(t.operands().getFirst());
    }

    int guard(IrInstruction i) {
        return guardOfBlock(blockOf(i));
    }

    /// Node that says whether a block runs, -1 where it always does.
    int guardOfBlock(int block) {
        Integer known = guards.get(block);
        if (known == null) {
            known = guardOfBlock(block, entry);
            guards.put(block, known);
        }
        return known;
    }

    private int guardOfBlock(int block, int from) {
        if (!within.get(block) || !flow.dominates(from, block)) {
            return -1;
        }
        int all = -1;
        for (int d : flow.deciders(block, from, within)) {
            int c = decision(d);
            all = all < 0 ? c : c < 0 ? all : graph.operation(library.and(), 1, all, c, -1);
        }
        return all;
    }

    boolean dominates(int a, int b) {
        return flow.dominates(a, b);
    }

    boolean exclusiveBlocks(int a, int b) {
        return flow.exclusive(a, b);
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
        return p == null ? 0 : p.bank();
    }

    @Override
    public long most(int symbol) {
        return symbol >= 0
                ? -1
                : f.loops()
                        .headedBy(~symbol)
                        .flatMap(l -> f.counts().of(l))
                        .map(c -> Math.max(0, c.most() - 1))
                        .orElse(-1L);
    }

    @Override
    public boolean moves(Affine index) {
        for (int s : index.symbols()) {
            boolean own = region.over().isEmpty();
            for (IrLoop l : region.over()) {
                own |= s == Affine.iteration(l.header()) || forms.varies(s, l);
            }
            if (own) {
                return true;
            }
        }
        return false;
    }

    /// True if iterations overlap.
    boolean isPipelined() {
        return region.pipelined();
    }

    /// True if an address depends on values that this block computes.
    boolean movesInside(Affine bytes) {
        return !isCounted(bytes);
    }

    /// True if a load of this address gives the same in all iterations.
    boolean invariant(int memory, Affine bytes) {
        return !region.over().isEmpty() && !written.get(memory) && !moves(bytes);
    }

    /// The loop whose iterations follow each other here.
    Optional<IrLoop> loop() {
        return region.over().isEmpty()
                ? Optional.empty()
                : Optional.of(region.over().getLast());
    }

    /// The loops as [Bursts] asks.
    Bursts.Facts bursts(ToDoubleBiFunction<FunctionFacts, IrLoop> iterations) {
        return new Bursts.Facts() {
            @Override
            public int loops() {
                return region.over().size();
            }

            @Override
            public double iterations(int loop) {
                return iterations.applyAsDouble(f, region.over().get(loop));
            }

            @Override
            public boolean isCounted() {
                return loop().filter(IrGraphBuilder.this::counts).isPresent();
            }

            @Override
            public boolean isGuarded(int node) {
                return accesses.isGuarded(node);
            }

            @Override
            public long stride(int run, int loop) {
                return accesses.stride(run, region.over().get(loop));
            }
        };
    }

    /// True if a loop's only way out compares a counter with what is known on entry.
    private boolean counts(IrLoop loop) {
        int exits = 0;
        boolean counted = true;
        for (int b = loop.blocks().nextSetBit(0); b >= 0; b = loop.blocks().nextSetBit(b + 1)) {
            boolean exit = false;
            for (int s : flow.next(b)) {
                exit |= !loop.contains(s);
            }
            if (exit) {
                exits++;
                IrInstruction t = f.function().blocks().get(b).terminator();
                counted &= t.operands().size() == 1
                        && t.operands().getFirst() instanceof IrValue.Result(int id, IrType _)
                        && forms.code().get(id).opcode() == IrOpcode.ICMP
                        && forms.code().get(id).operands().stream().allMatch(o -> isCounted(forms.of(o)));
            }
        }
        return exits == 1 && counted;
    }

    /// Its function.
    FunctionFacts facts() {
        return f;
    }

    /// Loops that were merged, the innermost last.
    List<IrLoop> over() {
        return region.over();
    }
}
