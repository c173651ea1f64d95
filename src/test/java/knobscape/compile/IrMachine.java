package knobscape.compile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import knobscape.compile.ir.IrBlock;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrGlobal;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrInstruction.Detail;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrPredicate;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;

/// Runs compiled functions on a memory of its own, instruction by instruction: what analyses claim can be held against
/// it.
/// Integers up to 64 bits, addresses and floats are bits of a long.
public final class IrMachine {
    private static final int MEMORY = 64 << 20;
    private static final int GAP = 1 << 12;

    private final IrModule module;
    private final byte[] memory = new byte[MEMORY];
    private final Map<String, Long> globals = new HashMap<>();
    private int top = GAP;
    private long steps;

    /// Why a run ended early: an operation that is not known here, an address outside, too many steps.
    public static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1;

        Ended(String why) {
            super(why);
        }
    }

    /// Told of what happens in the function that is run, not in those it calls.
    public interface Watcher {
        /// Control goes from one block (-1 at the start) to another.
        void goes(int from, int to);

        /// An address is read or written.
        void accesses(IrInstruction instruction, long address, Map<IrValue, Long> places);
    }

    /// @param steps instructions after which a run ends
    public IrMachine(IrModule module, Random random, long steps) {
        this.module = module;
        this.steps = steps;
        random.nextBytes(memory);
        for (IrGlobal g : module.globals()) {
            long at = allocate(g.type().bytes());
            globals.put(g.name(), at);
        }
        for (IrGlobal g : module.globals()) {
            g.initialiser().ifPresent(i -> fill(globals.get(g.name()), i));
        }
    }

    /// Room in the memory, filled at random.
    public long allocate(long bytes) {
        int at = top;
        top = Math.toIntExact(Math.min(Integer.MAX_VALUE / 2, top + bytes + GAP) / 64 * 64 + 64);
        if (top > MEMORY) {
            throw new Ended("no memory for " + bytes + " bytes");
        }
        return at;
    }

    /// Small whole numbers in a region, so that indices read from it lie near.
    public void small(long at, long bytes, int width, int below, Random random) {
        for (long a = at; a + width <= at + bytes; a += width) {
            write(a, width, random.nextInt(below));
        }
    }

    private void fill(long at, IrConstant c) {
        switch (c) {
            case IrConstant.Zero z ->
                java.util.Arrays.fill(memory, (int) at, (int) (at + z.type().bytes()), (byte) 0);
            case IrConstant.Table t -> {
                int width = (int) t.element().bytes();
                for (int i = 0; i < t.bits().length; i++) {
                    write(at + (long) i * width, width, t.bits()[i]);
                }
            }
            case IrConstant.Aggregate a -> {
                for (int i = 0; i < a.members().size(); i++) {
                    long offset = switch (a.type()) {
                        case IrType.Struct s -> s.offsets().get(i);
                        default -> i * a.members().get(i).type().bytes();
                    };
                    fill(at + offset, a.members().get(i));
                }
            }
            case IrConstant.Undefined _ -> {}
            default -> write(at, (int) c.type().bytes(), value(c, Map.of(), List.of()));
        }
    }

    private void write(long at, int width, long bits) {
        if (at < GAP || at + width > top) {
            throw new Ended("write to " + at);
        }
        for (int i = 0; i < width; i++) {
            memory[(int) at + i] = (byte) (bits >> (8 * i));
        }
    }

    private long read(long at, IrType type) {
        int width = (int) type.bytes();
        if (at < GAP || at + width > top || width > 8) {
            throw new Ended("read of " + at);
        }
        long bits = 0;
        for (int i = 0; i < width; i++) {
            bits |= (memory[(int) at + i] & 0xFFL) << (8 * i);
        }
        return type instanceof IrType.Int(int w) ? signed(bits, w) : bits;
    }

    private static long signed(long bits, int width) {
        return width >= 64 ? bits : bits << (64 - width) >> (64 - width);
    }

    private static long unsigned(long bits, int width) {
        return width >= 64 ? bits : bits & ((1L << width) - 1);
    }

    /// Runs a function; gives the bits of its result.
    public long run(IrFunction f, List<Long> arguments, Watcher watcher) {
        var values = new HashMap<Integer, Long>();
        var places = new HashMap<IrValue, Long>();
        globals.forEach((name, at) -> places.put(new IrValue.Symbol(name), at));
        for (int i = 0; i < arguments.size(); i++) {
            places.put(new IrValue.Argument(i, f.arguments().get(i).type()), arguments.get(i));
        }
        int from = -1;
        int at = 0;
        while (true) {
            watcher.goes(from, at);
            IrBlock block = f.blocks().get(at);
            var phis = new HashMap<Integer, Long>();
            for (IrInstruction i : block.instructions()) {
                if (i.opcode() == IrOpcode.PHI) {
                    phis.put(i.id(), value(i.operands().get(i.blocks().indexOf(from)), values, arguments));
                }
            }
            values.putAll(phis);
            int next = -1;
            for (IrInstruction i : block.instructions()) {
                if (--steps < 0) {
                    throw new Ended("too many steps");
                }
                switch (i.opcode()) {
                    case PHI -> {}
                    case RET -> {
                        return i.operands().isEmpty() ? 0 : value(i.operands().getFirst(), values, arguments);
                    }
                    case BR ->
                        next = i.blocks()
                                .get(
                                        i.operands().isEmpty()
                                                        || (value(i.operands().getFirst(), values, arguments) & 1) != 0
                                                ? 0
                                                : 1);
                    case SWITCH -> {
                        long x = value(i.operands().getFirst(), values, arguments);
                        next = i.blocks().getFirst();
                        for (int k = 1; k < i.operands().size(); k++) {
                            if (value(i.operands().get(k), values, arguments) == x) {
                                next = i.blocks().get(k);
                            }
                        }
                    }
                    case LOAD -> {
                        long address = value(i.operands().getFirst(), values, arguments);
                        watcher.accesses(i, address, places);
                        values.put(i.id(), read(address, i.type()));
                    }
                    case STORE -> {
                        long address = value(i.operands().get(1), values, arguments);
                        watcher.accesses(i, address, places);
                        int width = (int) i.operands().getFirst().type().bytes();
                        if (width > 8) {
                            throw new Ended("a wide store");
                        }
                        write(address, width, value(i.operands().getFirst(), values, arguments));
                    }
                    case ALLOCA -> {
                        long place = places.containsKey(i.result())
                                ? places.get(i.result())
                                : allocate(((Detail.Element) i.detail()).type().bytes());
                        places.put(i.result(), place);
                        values.put(i.id(), place);
                    }
                    default -> values.put(i.id(), compute(i, values, arguments));
                }
            }
            from = at;
            at = next;
            if (at < 0) {
                throw new Ended("no block follows");
            }
        }
    }

    private long value(IrValue v, Map<Integer, Long> values, List<Long> arguments) {
        return switch (v) {
            case IrValue.Result r -> values.getOrDefault(r.instruction(), 0L);
            case IrValue.Argument a -> arguments.get(a.index());
            case IrValue.Symbol s -> globals.getOrDefault(s.name(), 0L);
            case IrConstant.Whole w when w.asLong().isPresent() -> w.asLong().getAsLong();
            case IrConstant.Floating(double d, IrType.Real(int bits)) ->
                bits == Float.SIZE ? Float.floatToRawIntBits((float) d) & 0xFFFFFFFFL : Double.doubleToRawLongBits(d);
            case IrConstant.Zero _, IrConstant.Undefined _ -> 0;
            case IrConstant.Computed c
            when c.opcode() == IrOpcode.GET_ELEMENT_PTR ->
                address(
                        c.element().orElseThrow(),
                        c.operands().stream()
                                .mapToLong(o -> value(o, values, arguments))
                                .toArray());
            default -> throw new Ended("a value " + v);
        };
    }

    private static long address(IrType element, long[] operands) {
        long at = operands[0] + operands[1] * element.bytes();
        IrType t = element;
        for (int k = 2; k < operands.length; k++) {
            switch (t) {
                case IrType.Array a -> {
                    at += operands[k] * a.element().bytes();
                    t = a.element();
                }
                case IrType.Struct s -> {
                    at += s.offsets().get((int) operands[k]);
                    t = s.members().get((int) operands[k]);
                }
                default -> throw new Ended("an index into " + t);
            }
        }
        return at;
    }

    private long compute(IrInstruction i, Map<Integer, Long> values, List<Long> arguments) {
        long[] o = i.operands().stream()
                .mapToLong(x -> value(x, values, arguments))
                .toArray();
        IrType first =
                i.operands().isEmpty() ? i.type() : i.operands().getFirst().type();
        if (i.opcode() == IrOpcode.GET_ELEMENT_PTR) {
            return address(((Detail.Element) i.detail()).type(), o);
        }
        if (i.opcode() == IrOpcode.SELECT) {
            return (o[0] & 1) != 0 ? o[1] : o[2];
        }
        if (i.opcode() == IrOpcode.FREEZE) {
            return o[0];
        }
        if (i.opcode() == IrOpcode.CALL) {
            return call(i, o);
        }
        if (first instanceof IrType.Real(int bits)) {
            return real(i, o, bits);
        }
        int w = first instanceof IrType.Int(int bits) ? bits : 64;
        if (w > 64) {
            throw new Ended("an integer of " + w + " bits");
        }
        long result = switch (i.opcode()) {
            case ADD -> o[0] + o[1];
            case SUB -> o[0] - o[1];
            case MUL -> o[0] * o[1];
            case SDIV -> divided(o[1], () -> o[0] / o[1]);
            case SREM -> divided(o[1], () -> o[0] % o[1]);
            case UDIV -> divided(o[1], () -> Long.divideUnsigned(unsigned(o[0], w), unsigned(o[1], w)));
            case UREM -> divided(o[1], () -> Long.remainderUnsigned(unsigned(o[0], w), unsigned(o[1], w)));
            case SHL -> o[0] << o[1];
            case LSHR -> unsigned(o[0], w) >>> o[1];
            case ASHR -> o[0] >> o[1];
            case AND -> o[0] & o[1];
            case OR -> o[0] | o[1];
            case XOR -> o[0] ^ o[1];
            case TRUNC, SEXT, PTR_TO_INT, INT_TO_PTR, BITCAST -> o[0];
            case ZEXT -> unsigned(o[0], w);
            case ICMP ->
                compared(((Detail.Comparison) i.detail()).predicate(), o[0], o[1], unsigned(o[0], w), unsigned(o[1], w))
                        ? 1
                        : 0;
            case SI_TO_FP -> bits(o[0], i.type());
            case UI_TO_FP -> bits(unsigned(o[0], w), i.type());
            default -> throw new Ended("the operation " + i.opcode());
        };
        return i.type() instanceof IrType.Int(int to) ? signed(result, to) : result;
    }

    private static long divided(long by, java.util.function.LongSupplier result) {
        if (by == 0) {
            throw new Ended("a division by 0");
        }
        return result.getAsLong();
    }

    private static boolean compared(IrPredicate p, long a, long b, long ua, long ub) {
        return switch (p) {
            case EQ -> a == b;
            case NE -> a != b;
            case SGT -> a > b;
            case SGE -> a >= b;
            case SLT -> a < b;
            case SLE -> a <= b;
            case UGT -> Long.compareUnsigned(ua, ub) > 0;
            case UGE -> Long.compareUnsigned(ua, ub) >= 0;
            case ULT -> Long.compareUnsigned(ua, ub) < 0;
            case ULE -> Long.compareUnsigned(ua, ub) <= 0;
            default -> throw new Ended("the comparison " + p);
        };
    }

    private static double number(long bits, int width) {
        return width == Float.SIZE ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
    }

    private static long bits(double x, IrType type) {
        return type instanceof IrType.Real(int w) && w == Float.SIZE
                ? Float.floatToRawIntBits((float) x) & 0xFFFFFFFFL
                : Double.doubleToRawLongBits(x);
    }

    private static long real(IrInstruction i, long[] o, int width) {
        double a = number(o[0], width);
        double b = o.length > 1 ? number(o[1], width) : 0;
        return switch (i.opcode()) {
            case FADD -> bits(a + b, i.type());
            case FSUB -> bits(a - b, i.type());
            case FMUL -> bits(a * b, i.type());
            case FDIV -> bits(a / b, i.type());
            case FREM -> bits(a % b, i.type());
            case FNEG -> bits(-a, i.type());
            case FP_EXT, FP_TRUNC -> bits(a, i.type());
            case FP_TO_SI, FP_TO_UI -> i.type() instanceof IrType.Int(int w) ? signed((long) a, w) : (long) a;
            case BITCAST -> o[0];
            case FCMP ->
                switch (((Detail.Comparison) i.detail()).predicate()) {
                            case FEQ -> a == b;
                            case FNE, FUNE -> a != b;
                            case FGT, FUGT -> a > b;
                            case FGE, FUGE -> a >= b;
                            case FLT, FULT -> a < b;
                            case FLE, FULE -> a <= b;
                            default -> false;
                        }
                        ? 1
                        : 0;
            default -> throw new Ended("the operation " + i.opcode());
        };
    }

    private long call(IrInstruction i, long[] o) {
        String name = i.callee().orElse("");
        if (name.startsWith("llvm.memcpy") || name.startsWith("llvm.memmove")) {
            bounded(o[0], o[2]);
            bounded(o[1], o[2]);
            System.arraycopy(memory, (int) o[1], memory, (int) o[0], (int) o[2]);
            return 0;
        }
        if (name.startsWith("llvm.memset")) {
            bounded(o[0], o[2]);
            java.util.Arrays.fill(memory, (int) o[0], (int) (o[0] + o[2]), (byte) o[1]);
            return 0;
        }
        if (name.matches("llvm\\.(lifetime|assume|experimental|dbg|stack).*")) {
            return 0;
        }
        if (name.matches("llvm\\.(smax|smin|umax|umin|abs)\\..*")) {
            return switch (name.substring(5, name.indexOf('.', 5))) {
                case "smax" -> Math.max(o[0], o[1]);
                case "smin" -> Math.min(o[0], o[1]);
                case "umax" -> Long.compareUnsigned(o[0], o[1]) > 0 ? o[0] : o[1];
                case "umin" -> Long.compareUnsigned(o[0], o[1]) < 0 ? o[0] : o[1];
                default -> Math.abs(o[0]);
            };
        }
        IrFunction f =
                module.function(name).filter(x -> !x.isDeclaration()).orElseThrow(() -> new Ended("a call of " + name));
        return run(f, java.util.Arrays.stream(o).boxed().toList(), new Watcher() {
            @Override
            public void goes(int from, int to) {}

            @Override
            public void accesses(IrInstruction instruction, long address, Map<IrValue, Long> places) {}
        });
    }

    private void bounded(long at, long bytes) {
        if (at < GAP || bytes < 0 || at + bytes > top) {
            throw new Ended("a copy at " + at);
        }
    }
}
