package knobscape.hls.rtl.build;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import knobscape.compile.Transformation;
import knobscape.compile.analysis.FlowGraph;
import knobscape.compile.ir.IrBlock;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrInstruction.Detail;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.hls.evaluate.estimator.WrittenOutDesign;
import knobscape.hls.rtl.build.DataOp.Kind;

/// Reads the one function of a design into blocks of operations. What cannot be built ends with its line.
final class CodeReader {
    private static final String POINTER_KEPT = "a pointer kept in memory (a pointer to a pointer) is not built";
    private static final int WORD = 64;
    private static final int FLOAT = 32;
    /// Bits of a stream's counters, and elements of its memory: those of the header that stands in for the vendor's.
    private static final int COUNTER = 16;

    private static final long MOST_QUEUED = 1L << COUNTER;
    private static final int MOST_LEAVES = 64;
    private static final String WRITE = "__kn_wr";
    private static final String POLL = "__kn_poll";
    private static final String READ = "_read";
    private static final String WRITTEN = "_written";

    /// A load or store before memories are known.
    ///
    /// @param op the operation
    /// @param root whose memory
    /// @param bytes from its start
    record RawAccess(DataOp op, IrValue root, SumForm<DataOp> bytes) {}

    /// The same while the code is read.
    ///
    /// @param element what a loop of ours counts, times its bytes
    private record Unresolved(DataOp op, IrValue address, SumForm<DataOp> element) {}

    private record PointerForm(IrValue root, SumForm<DataOp> bytes) {}

    final List<CodeBlock> blocks = new ArrayList<>();
    final List<RawAccess> accesses = new ArrayList<>();
    final List<DataOp> arguments = new ArrayList<>();
    final ValueFacts facts = new ValueFacts();
    private final WrittenOutDesign design;
    private final IrFunction function;
    private final List<IrInstruction> code;
    private final Map<Integer, DataOp> results = new HashMap<>();
    private final Map<Integer, DataOp> byArgument = new HashMap<>();
    private final Map<Integer, CodeBlock> first = new HashMap<>();
    private final Map<Integer, CodeBlock> last = new HashMap<>();
    private final List<Unresolved> unresolved = new ArrayList<>();
    private final Set<IrValue.Symbol> counters = new HashSet<>();
    /// Where streams are written.
    private final Map<IrValue, List<CodeBlock>> writers = new HashMap<>();
    final List<CodeLoop> loops;
    private final OpWriter to = new OpWriter();
    private int numbers;

    CodeReader(WrittenOutDesign design) {
        this.design = design;
        function = design.top();
        code = function.instructions();
        FlowGraph flow = FlowGraph.of(function);
        var reached = new HashSet<Integer>();
        for (int b : flow.order()) {
            reached.add(b);
        }
        for (int b : flow.order()) {
            CodeBlock block = block(b);
            first.put(b, block);
            for (IrInstruction i : function.blocks().get(b).instructions()) {
                if (i.opcode() == IrOpcode.PHI && !(i.type() instanceof IrType.Pointer)) {
                    to.here = i.location();
                    DataOp phi = to.make(Kind.PHI, width(i.type()), i.type() instanceof IrType.Real);
                    phi.block = block;
                    block.phis.add(phi);
                    results.put(i.id(), phi);
                }
            }
        }
        for (int b : flow.order()) {
            read(function.blocks().get(b));
        }
        for (int b : flow.order()) {
            finish(function.blocks().get(b), reached);
        }
        for (CodeBlock b : blocks) {
            b.next.forEach(n -> n.before.add(b));
        }
        loops = CodeLoop.find(blocks);
        for (Unresolved u : unresolved) {
            to.here = u.op().location;
            PointerForm p = pointer(u.address());
            accesses.add(new RawAccess(u.op(), p.root(), p.bytes().plus(u.element(), 1)));
        }
    }

    private CodeBlock block(int origin) {
        var b = new CodeBlock(numbers++);
        b.origin = origin;
        blocks.add(b);
        return b;
    }

    private int width(IrType t) {
        return switch (t) {
            case IrType.Int(int bits) when bits <= WORD -> bits;
            case IrType.Real(int bits) when bits == FLOAT -> FLOAT;
            case IrType.Int(int bits) -> throw to.no("integers of " + bits + " bits are not built yet, at most 64");
            case IrType.Real(int bits) ->
                throw to.no((bits == WORD ? "double" : bits + "-bit floating point") + " is not built, only float");
            case IrType.Void _ -> 1;
            case IrType.Pointer _ -> throw to.no(POINTER_KEPT);
            default -> throw to.no("values of type " + t + " are not built");
        };
    }

    private DataOp value(IrValue v) {
        return switch (v) {
            case IrValue.Result r ->
                Optional.ofNullable(results.get(r.instruction()))
                        .orElseThrow(() -> to.no("an address used as a number is not built"));
            case IrValue.Argument a ->
                byArgument.computeIfAbsent(a.index(), k -> {
                    DataOp op = to.make(Kind.ARGUMENT, width(a.type()), a.type() instanceof IrType.Real);
                    op.value = k;
                    arguments.add(op);
                    return op;
                });
            case IrConstant.Whole w
            when w.type() instanceof IrType.Int -> to.constant(w.value().longValue(), width(w.type()));
            case IrConstant.Floating(double d, IrType.Real(int bits))
            when bits == FLOAT -> to.constant(Float.floatToRawIntBits((float) d), FLOAT, true);
            case IrConstant.Zero z
            when !(z.type() instanceof IrType.Pointer) ->
                to.constant(0, width(z.type()), z.type() instanceof IrType.Real);
            case IrConstant.Undefined u
            when !(u.type() instanceof IrType.Pointer) ->
                to.constant(0, width(u.type()), u.type() instanceof IrType.Real);
            default -> {
                width(v.type());
                throw to.no("a constant that is computed from addresses is not built");
            }
        };
    }

    // ---- addresses

    private PointerForm pointer(IrValue v) {
        return switch (v) {
            case IrValue.Argument _, IrValue.Symbol _ -> new PointerForm(v, SumForm.of(0));
            case IrConstant.Computed c
            when c.opcode() == IrOpcode.GET_ELEMENT_PTR ->
                walked(c.operands(), c.element().orElseThrow());
            case IrConstant.Computed c
            when c.opcode().isConversion() -> pointer(c.operands().getFirst());
            case IrValue.Result r -> pointer(code.get(r.instruction()));
            default -> throw to.no("an address that is not of an array or variable of the kernel is not built");
        };
    }

    private PointerForm pointer(IrInstruction i) {
        return switch (i.opcode()) {
            case ALLOCA -> new PointerForm(i.result(), SumForm.of(0));
            case GET_ELEMENT_PTR -> walked(i.operands(), ((Detail.Element) i.detail()).type());
            case BITCAST, ADDR_SPACE_CAST, FREEZE -> pointer(i.operands().getFirst());
            case PHI -> {
                if (i.operands().size() != 1) {
                    throw to.no("a pointer that moves or is chosen at run time is not built; write an index");
                }
                yield pointer(i.operands().getFirst());
            }
            case LOAD -> throw to.no(POINTER_KEPT);
            case CALL -> throw allocated(i);
            default -> throw to.no("a pointer that is chosen at run time is not built; write an index");
        };
    }

    private PointerForm walked(List<? extends IrValue> operands, IrType element) {
        PointerForm base = pointer(operands.getFirst());
        SumForm<DataOp> bytes = base.bytes();
        IrType type = element;
        for (int k = 1; k < operands.size(); k++) {
            if (k > 1 && type instanceof IrType.Struct s) {
                int member = (int) value(operands.get(k)).value;
                bytes = bytes.plus(s.offsets().get(member));
                type = s.members().get(member);
                continue;
            }
            if (k > 1) {
                type = switch (type) {
                    case IrType.Array a -> a.element();
                    default -> throw to.no("an index into " + type + " is not built");
                };
            }
            bytes = bytes.plus(facts.sum(value(operands.get(k))), type.bytes());
        }
        return new PointerForm(base.root(), bytes);
    }

    // ---- blocks

    private void read(IrBlock block) {
        to.current = Objects.requireNonNull(first.get(block.index()));
        for (IrInstruction i : block.instructions()) {
            to.here = i.location().or(() -> to.here);
            if (i.opcode() != IrOpcode.PHI && !i.opcode().isTerminator()) {
                instruction(i);
            }
        }
        last.put(block.index(), to.current);
    }

    private void finish(IrBlock block, Set<Integer> reached) {
        CodeBlock end = Objects.requireNonNull(last.get(block.index()));
        for (IrInstruction i : block.instructions()) {
            to.here = i.location().or(() -> to.here);
            DataOp phi = results.get(i.id());
            if (i.opcode() == IrOpcode.PHI && phi != null) {
                for (int k = 0; k < i.operands().size(); k++) {
                    if (reached.contains(i.blocks().get(k))) {
                        phi.args.add(value(i.operands().get(k)));
                        phi.from.add(Objects.requireNonNull(last.get(i.blocks().get(k))));
                    }
                }
            }
        }
        IrInstruction t = block.terminator();
        to.here = t.location().or(() -> to.here);
        end.interval = design.interval(block);
        switch (t.opcode()) {
            case BR -> {
                t.blocks().forEach(b -> end.next.add(Objects.requireNonNull(first.get(b))));
                if (t.blocks().size() == 2) {
                    end.condition = value(t.operands().getFirst());
                }
            }
            case RET ->
                end.result = t.operands().isEmpty() ? null : value(t.operands().getFirst());
            // It never comes to.here.
            case UNREACHABLE -> {}
            default -> throw to.no("a jump of kind " + t.opcode() + " is not built");
        }
    }

    private void instruction(IrInstruction i) {
        switch (i.opcode()) {
            case ALLOCA, GET_ELEMENT_PTR, FENCE -> {}
            case LOAD -> load(i);
            case STORE -> store(i);
            case CALL -> call(i);
            case BITCAST, ADDR_SPACE_CAST, FREEZE -> {
                if (!(i.type() instanceof IrType.Pointer)) {
                    DataOp a = value(i.operands().getFirst());
                    DataOp c = to.put(Kind.COPY, width(i.type()), a);
                    results.put(i.id(), i.type() instanceof IrType.Real == c.real ? c : to.retyped(c));
                }
            }
            default -> {
                if (i.type() instanceof IrType.Pointer) {
                    return;
                }
                results.put(i.id(), arithmetic(i));
            }
        }
    }

    private void load(IrInstruction i) {
        if (i.type() instanceof IrType.Pointer) {
            throw to.no(POINTER_KEPT);
        }
        DataOp op = to.make(Kind.LOAD, width(i.type()), i.type() instanceof IrType.Real);
        op.block = to.current;
        to.current.ops.add(op);
        results.put(i.id(), op);
        unresolved.add(new Unresolved(op, i.operands().getFirst(), SumForm.of(0)));
    }

    private void store(IrInstruction i) {
        IrValue what = i.operands().getFirst();
        DataOp op = to.put(Kind.STORE, width(what.type()), value(what));
        unresolved.add(new Unresolved(op, i.operands().get(1), SumForm.of(0)));
    }

    private DataOp arithmetic(IrInstruction i) {
        List<DataOp> a = new ArrayList<>();
        i.operands().forEach(o -> a.add(value(o)));
        return to.arithmetic(i, width(i.type()), a);
    }

    // ---- calls

    private void call(IrInstruction i) {
        String name = i.callee().orElse("");
        if (name.startsWith("llvm.lifetime")
                || name.startsWith("llvm.dbg")
                || name.startsWith("llvm.assume")
                || name.startsWith("llvm.experimental.noalias")
                || name.startsWith("llvm.invariant")) {
            return;
        }
        if (Transformation.QUEUES.contains(name)) {
            results.put(i.id(), queue(name, i));
            return;
        }
        if (name.startsWith("llvm.memset") || name.startsWith("llvm.memcpy") || name.startsWith("llvm.memmove")) {
            block(i, name.startsWith("llvm.memset"));
            return;
        }
        if (i.type() instanceof IrType.Pointer) {
            throw allocated(i);
        }
        List<DataOp> a = new ArrayList<>();
        if (!(i.type() instanceof IrType.Void)) {
            int w = width(i.type());
            for (IrValue o : i.operands()) {
                if (!(o.type() instanceof IrType.Pointer)) {
                    a.add(value(o));
                }
            }
            Optional<DataOp> made = to.intrinsic(name, w, a);
            if (made.isPresent()) {
                results.put(i.id(), made.get());
                return;
            }
        }
        throw to.no(
                name.isEmpty()
                        ? "a call through a pointer is not built"
                        : "the function '" + name + "' is not built"
                                + (design.module()
                                                .function(name)
                                                .filter(f -> !f.isDeclaration())
                                                .isPresent()
                                        ? " (recursion)"
                                        : ""));
    }

    private NotBuildable allocated(IrInstruction i) {
        return to.no("memory from '" + i.callee().orElse("a call") + "' is not built; write an array of a fixed size");
    }

    // ---- streams

    /// The next value of a stream, by two counters in memories of their own: its tasks run one after the other.
    private DataOp queue(String name, IrInstruction i) {
        IrValue stream = i.operands().getFirst();
        if (name.equals(POLL)) {
            DataOp some = to.not(to.put(
                    Kind.EQ, 1, counted(counter(stream, READ), false), counted(counter(stream, WRITTEN), false)));
            return width(i.type()) == 1 ? some : to.put(Kind.ZEXT, width(i.type()), some);
        }
        boolean writes = name.equals(WRITE);
        DataOp now = counted(counter(stream, writes ? WRITTEN : READ), true);
        if (writes) {
            writers.computeIfAbsent(queueAt(stream).root(), _ -> new ArrayList<>())
                    .add(to.current);
        }
        return to.put(Kind.ZEXT, width(i.type()), now);
    }

    private IrValue.Symbol counter(IrValue stream, String which) {
        PointerForm p = queueAt(stream);
        if (!p.bytes().isConstant() || p.root() instanceof IrValue.Argument) {
            throw to.no(
                    p.root() instanceof IrValue.Argument
                            ? "a stream as an argument of the kernel is not built; give it an array"
                            : "a stream that is chosen at run time is not built");
        }
        String number = p.root() instanceof IrValue.Result r ? "_" + r.instruction() : "";
        var counter = new IrValue.Symbol(design.sourceName(p.root()).orElse("stream")
                + number
                + (p.bytes().constant() == 0 ? "" : "_" + p.bytes().constant())
                + which);
        if (counters.add(counter)) {
            // It starts anew with the kernel.
            DataOp first = to.make(Kind.STORE, COUNTER, false);
            first.args.add(to.constant(0, COUNTER));
            first.block = blocks.getFirst();
            first.block.ops.addFirst(first);
            accesses.add(new RawAccess(first, counter, SumForm.of(0)));
        }
        return counter;
    }

    /// Where a stream is: nothing here may depend on facts, which are not complete yet.
    private PointerForm queueAt(IrValue v) {
        if (v instanceof IrValue.Result r) {
            IrInstruction i = code.get(r.instruction());
            boolean fixed = i.opcode() != IrOpcode.GET_ELEMENT_PTR
                    || i.operands().subList(1, i.operands().size()).stream().allMatch(IrConstant.class::isInstance);
            if (!fixed) {
                throw to.no("a stream that is chosen at run time is not built");
            }
        }
        return pointer(v);
    }

    private DataOp counted(IrValue.Symbol counter, boolean moves) {
        DataOp now = to.put(Kind.LOAD, COUNTER);
        accesses.add(new RawAccess(now, counter, SumForm.of(0)));
        if (moves) {
            DataOp next = to.put(Kind.ADD, COUNTER, now, to.constant(1, COUNTER));
            accesses.add(new RawAccess(to.put(Kind.STORE, COUNTER, next), counter, SumForm.of(0)));
        }
        return now;
    }

    /// Elements that a stream may hold at most: as often as it is proven to be written, a power of two; empty for other
    /// memories.
    Optional<Long> queued(IrValue root) {
        return Optional.ofNullable(writers.get(root)).map(all -> {
            double sum = 0;
            for (CodeBlock b : all) {
                double times = 1;
                for (CodeLoop l : loops) {
                    times *= l.contains(b) ? facts.iterations(l, MOST_QUEUED + 1) : 1;
                }
                sum += times;
            }
            return sum > MOST_QUEUED ? MOST_QUEUED : Math.max(2, Long.highestOneBit(Math.max(1, (long) sum - 1)) << 1);
        });
    }

    /// A plain number inside what is copied.
    private record Leaf(long offset, int width) {}

    /// A block of memory that is filled or copied becomes a loop over elements, a single one some loads and stores.
    private void block(IrInstruction i, boolean fill) {
        DataOp length = value(i.operands().get(2));
        if (!length.isConstant()) {
            throw to.no("filling or copying memory of a size known only at run time is not built");
        }
        IrType element = element(i.operands().getFirst());
        if (!fill
                && !(element instanceof IrType.Struct)
                && element(i.operands().get(1)) instanceof IrType.Struct s
                && s.bytes() <= length.value) {
            element = s;
        }
        var leaves = new ArrayList<Leaf>();
        leaves(element, 0, leaves);
        long n = length.value / element.bytes();
        if (n == 0) {
            // A part of a struct, perhaps only of what fills its gaps.
            long from = offsetIn(i.operands().getFirst(), element.bytes());
            leaves.removeIf(l -> l.offset() < from || l.offset() >= from + length.value);
            leaves.replaceAll(l -> new Leaf(l.offset() - from, l.width()));
        }
        boolean whole = n == 0
                ? leaves.stream().allMatch(l -> l.offset() + Math.ceilDiv(l.width(), Byte.SIZE) <= length.value)
                : n * element.bytes() == length.value;
        if (!whole) {
            throw to.no("filling or copying " + length.value + " bytes of elements of " + element.bytes()
                    + " bytes is not built");
        }
        if (n <= 1) {
            leaves.forEach(l -> leaf(i, fill, l, SumForm.of(l.offset())));
            return;
        }
        CodeBlock loop = block(to.current.origin);
        loop.times = n;
        CodeBlock after = block(to.current.origin);
        CodeBlock begin = to.current;
        begin.next.add(loop);
        to.current = loop;
        DataOp at = to.make(Kind.PHI, FLOAT, false);
        at.block = loop;
        loop.phis.add(at);
        SumForm<DataOp> start = at.sum().times(element.bytes());
        leaves.forEach(l -> leaf(i, fill, l, start.plus(l.offset())));
        DataOp next = to.put(Kind.ADD, FLOAT, at, to.constant(1, FLOAT));
        next.exact = true;
        loop.condition = to.put(Kind.SLT, 1, next, to.constant(n, FLOAT));
        at.args.addAll(List.of(to.constant(0, FLOAT), next));
        at.from.addAll(List.of(begin, loop));
        loop.next.addAll(List.of(loop, after));
        to.current = after;
    }

    /// Bytes from the start of an element of a memory to an address in it.
    private long offsetIn(IrValue address, long element) {
        long sum = 0;
        IrValue at = address;
        while (at instanceof IrValue.Result r && code.get(r.instruction()).opcode() == IrOpcode.GET_ELEMENT_PTR) {
            IrInstruction i = code.get(r.instruction());
            IrType type = ((Detail.Element) i.detail()).type();
            for (int k = 1; k < i.operands().size(); k++) {
                boolean constant = i.operands().get(k) instanceof IrConstant;
                long index = constant ? value(i.operands().get(k)).value : 0;
                if (k > 1 && type instanceof IrType.Struct s) {
                    sum += s.offsets().get((int) index);
                    type = s.members().get((int) index);
                    continue;
                }
                type = k == 1 ? type : type instanceof IrType.Array a ? a.element() : type;
                if (!constant && type.bytes() % element != 0) {
                    throw to.no("filling or copying parts of a struct that is chosen by bytes is not built");
                }
                sum += index * type.bytes();
            }
            at = i.operands().getFirst();
        }
        return Math.floorMod(sum, element);
    }

    private void leaf(IrInstruction i, boolean fill, Leaf l, SumForm<DataOp> at) {
        DataOp what;
        if (fill) {
            DataOp byteValue = value(i.operands().get(1));
            if (!byteValue.isConstant()) {
                throw to.no("filling memory with a value known only at run time is not built");
            }
            what = to.constant(
                    new BigInteger("0101010101010101", 16)
                            .multiply(BigInteger.valueOf(byteValue.value & 0xFF))
                            .longValue(),
                    l.width());
        } else {
            what = to.put(Kind.LOAD, l.width());
            unresolved.add(new Unresolved(what, i.operands().get(1), at));
        }
        DataOp store = to.put(Kind.STORE, what.width, what);
        unresolved.add(new Unresolved(store, i.operands().getFirst(), at));
    }

    private void leaves(IrType type, long at, List<Leaf> all) {
        switch (type) {
            case IrType.Struct s -> {
                for (int k = 0; k < s.members().size(); k++) {
                    leaves(s.members().get(k), at + s.offsets().get(k), all);
                }
            }
            case IrType.Array a -> {
                for (long k = 0; k < a.length() && all.size() <= MOST_LEAVES; k++) {
                    leaves(a.element(), at + k * a.element().bytes(), all);
                }
            }
            default -> all.add(new Leaf(at, width(type)));
        }
        if (all.size() > MOST_LEAVES) {
            throw to.no("filling or copying structs of more than " + MOST_LEAVES + " numbers is not built");
        }
    }

    /// The element of a memory, by its address: a number or a struct.
    private IrType element(IrValue address) {
        IrValue at = address;
        while (at instanceof IrValue.Result r && code.get(r.instruction()).opcode() == IrOpcode.GET_ELEMENT_PTR) {
            at = code.get(r.instruction()).operands().getFirst();
        }
        while (at instanceof IrConstant.Computed c) {
            at = c.operands().getFirst();
        }
        IrType t = rootType(at).orElseThrow(() -> to.no("filling or copying what an argument points to is not built"));
        while (t instanceof IrType.Array
                || (t instanceof IrType.Struct s
                        && s.members().size() == 1
                        && s.members().getFirst() instanceof IrType.Array)) {
            t = t instanceof IrType.Array a
                    ? a.element()
                    : ((IrType.Struct) t).members().getFirst();
        }
        return t;
    }

    /// The type of a local or global memory.
    Optional<IrType> rootType(IrValue root) {
        return switch (root) {
            case IrValue.Symbol s when counters.contains(s) -> Optional.of(new IrType.Int(COUNTER));
            case IrValue.Symbol s -> design.module().global(s.name()).map(g -> g.type());
            case IrValue.Result r
            when code.get(r.instruction()).detail() instanceof Detail.Element(IrType t) -> Optional.of(t);
            default -> Optional.empty();
        };
    }

    /// A number for a new operation.
    int nextId() {
        return to.nextId();
    }
}
