package knobscape.hls.rtl.build;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
    private static final int WORD = 64;
    private static final int FLOAT = 32;

    /// A load or store before memories are known.
    ///
    /// @param op the operation
    /// @param root whose memory
    /// @param bytes from its start
    record RawAccess(DataOp op, IrValue root, SumForm bytes) {}

    /// The same while the code is read.
    ///
    /// @param element what a loop of ours counts, times its bytes
    private record Unresolved(DataOp op, IrValue address, SumForm element) {}

    private record PointerForm(IrValue root, SumForm bytes) {}

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
            case IrValue.Argument _, IrValue.Symbol _ -> new PointerForm(v, SumForm.ZERO);
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
            case ALLOCA -> new PointerForm(i.result(), SumForm.ZERO);
            case GET_ELEMENT_PTR -> walked(i.operands(), ((Detail.Element) i.detail()).type());
            case BITCAST, ADDR_SPACE_CAST, FREEZE -> pointer(i.operands().getFirst());
            case PHI -> {
                if (i.operands().size() != 1) {
                    throw to.no("a pointer that moves or is chosen at run time is not built; write an index");
                }
                yield pointer(i.operands().getFirst());
            }
            case LOAD -> throw to.no("a pointer kept in memory (a pointer to a pointer) is not built");
            case CALL -> throw to.no("memory from '" + i.callee().orElse("a call") + "' is not built");
            default -> throw to.no("a pointer that is chosen at run time is not built; write an index");
        };
    }

    private PointerForm walked(List<? extends IrValue> operands, IrType element) {
        PointerForm base = pointer(operands.getFirst());
        SumForm bytes = base.bytes();
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

    private void finish(IrBlock block, java.util.Set<Integer> reached) {
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
            throw to.no("a pointer kept in memory (a pointer to a pointer) is not built");
        }
        DataOp op = to.make(Kind.LOAD, width(i.type()), i.type() instanceof IrType.Real);
        op.block = to.current;
        to.current.ops.add(op);
        results.put(i.id(), op);
        unresolved.add(new Unresolved(op, i.operands().getFirst(), SumForm.ZERO));
    }

    private void store(IrInstruction i) {
        IrValue what = i.operands().getFirst();
        DataOp op = to.put(Kind.STORE, width(what.type()), value(what));
        unresolved.add(new Unresolved(op, i.operands().get(1), SumForm.ZERO));
    }

    private DataOp arithmetic(IrInstruction i) {
        List<DataOp> a = new ArrayList<>();
        i.operands().forEach(o -> a.add(value(o)));
        int w = width(i.type());
        DataOp made = switch (i.opcode()) {
            case ADD -> to.ordered(Kind.ADD, w, a);
            case SUB -> to.put(Kind.SUB, w, a.get(0), a.get(1));
            case MUL -> to.ordered(Kind.MUL, w, a);
            case UDIV -> to.put(Kind.UDIV, w, a.get(0), a.get(1));
            case SDIV -> to.put(Kind.SDIV, w, a.get(0), a.get(1));
            case UREM -> to.put(Kind.UREM, w, a.get(0), a.get(1));
            case SREM -> to.put(Kind.SREM, w, a.get(0), a.get(1));
            case SHL -> to.put(Kind.SHL, w, a.get(0), a.get(1));
            case LSHR -> to.put(Kind.LSHR, w, a.get(0), a.get(1));
            case ASHR -> to.put(Kind.ASHR, w, a.get(0), a.get(1));
            case AND -> to.ordered(Kind.AND, w, a);
            case OR -> to.ordered(i.flags().contains(IrInstruction.Flag.DISJOINT) ? Kind.ADD : Kind.OR, w, a);
            case XOR -> to.ordered(Kind.XOR, w, a);
            case FADD -> to.put(Kind.FADD, w, a.get(0), a.get(1));
            case FSUB -> to.put(Kind.FADD, w, a.get(0), to.negative(a.get(1)));
            case FMUL -> to.put(Kind.FMUL, w, a.get(0), a.get(1));
            case FDIV -> to.put(Kind.FDIV, w, a.get(0), a.get(1));
            case FNEG -> to.negative(a.getFirst());
            case TRUNC -> to.put(Kind.COPY, w, a.getFirst());
            case ZEXT -> to.put(Kind.ZEXT, w, a.getFirst());
            case SEXT -> to.put(Kind.SEXT, w, a.getFirst());
            case SI_TO_FP -> to.put(Kind.FROM_SIGNED, w, to.narrow(a.getFirst(), Kind.SEXT));
            case UI_TO_FP -> to.put(Kind.FROM_UNSIGNED, w, to.narrow(a.getFirst(), Kind.ZEXT));
            case FP_TO_SI -> to.toWhole(a.getFirst(), w);
            case SELECT -> to.put(Kind.SELECT, w, a.get(0), a.get(1), a.get(2));
            case ICMP -> to.compare(((Detail.Comparison) i.detail()).predicate(), a.get(0), a.get(1));
            case FCMP -> to.compareReal(((Detail.Comparison) i.detail()).predicate(), a.get(0), a.get(1));
            default ->
                throw to.no(
                        "the operation " + i.opcode().toString().toLowerCase(java.util.Locale.ROOT) + " is not built");
        };
        made.exact = i.flags().contains(IrInstruction.Flag.NO_SIGNED_WRAP);
        return made;
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
        if (name.startsWith("llvm.memset") || name.startsWith("llvm.memcpy") || name.startsWith("llvm.memmove")) {
            block(i, name.startsWith("llvm.memset"));
            return;
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
        if (name.startsWith("__kn_rd") || name.startsWith("__kn_wr") || name.startsWith("__kn_poll")) {
            throw to.no("a stream (hls::stream) is not built yet");
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

    /// A block of memory that is filled or copied becomes a loop over elements.
    private void block(IrInstruction i, boolean fill) {
        DataOp length = value(i.operands().get(2));
        if (!length.isConstant()) {
            throw to.no("filling or copying memory of a size known only at run time is not built");
        }
        int element = elementBytes(i.operands().getFirst());
        long n = length.value / element;
        if (n * element != length.value || n < 1) {
            throw to.no("filling or copying parts of elements is not built");
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
                    element * Byte.SIZE);
        } else {
            what = to.make(Kind.LOAD, element * Byte.SIZE, false);
            what.block = loop;
            loop.ops.add(what);
            unresolved.add(
                    new Unresolved(what, i.operands().get(1), SumForm.of(at).times(element)));
        }
        DataOp store = to.put(Kind.STORE, what.width, what);
        unresolved.add(
                new Unresolved(store, i.operands().getFirst(), SumForm.of(at).times(element)));
        DataOp next = to.put(Kind.ADD, FLOAT, at, to.constant(1, FLOAT));
        next.exact = true;
        loop.condition = to.put(Kind.SLT, 1, next, to.constant(n, FLOAT));
        at.args.addAll(List.of(to.constant(0, FLOAT), next));
        at.from.addAll(List.of(begin, loop));
        loop.next.addAll(List.of(loop, after));
        to.current = after;
    }

    /// Bytes of the plain numbers that a memory holds.
    private int elementBytes(IrValue address) {
        IrValue at = address;
        while (at instanceof IrValue.Result r && code.get(r.instruction()).opcode() == IrOpcode.GET_ELEMENT_PTR) {
            at = code.get(r.instruction()).operands().getFirst();
        }
        while (at instanceof IrConstant.Computed c) {
            at = c.operands().getFirst();
        }
        Optional<IrType> type = rootType(at);
        IrType t = type.orElseThrow(() -> to.no("filling or copying what an argument points to is not built"));
        while (t instanceof IrType.Array a) {
            t = a.element();
        }
        if (!(t instanceof IrType.Int || t instanceof IrType.Real)) {
            throw to.no("filling or copying structs is not built");
        }
        return (int) t.bytes();
    }

    /// The type of a local or global memory.
    Optional<IrType> rootType(IrValue root) {
        return switch (root) {
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
