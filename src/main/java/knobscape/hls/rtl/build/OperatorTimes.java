package knobscape.hls.rtl.build;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import knobscape.hls.rtl.FloatCores;
import knobscape.hls.rtl.ShiftedSum;
import knobscape.hls.rtl.StagedCore;
import knobscape.hls.rtl.WholeCores;
import knobscape.hls.rtl.build.DataOp.Kind;
import org.jspecify.annotations.Nullable;

/// Delays of operators on Lattice ECP5 (speed grade 6, with routing, ns), found from placed designs, and the cores they
/// need for a target clock.
final class OperatorTimes {
    /// A register's output, with routing.
    static final double REGISTER = 1.2;
    /// A table of four inputs.
    static final double TABLE = 1.15;
    /// From a condition to the registers that take their values or not by it.
    static final double DECISION = 2 * TABLE;
    /// The part of a period that is lost to set-up.
    private static final double SETUP = 0.4;
    /// The same around a core, whose registers lie further away.
    private static final double AROUND = 1.6;
    /// A block memory's output without a register behind it.
    private static final double MEMORY = 6.0;
    /// The way to a block memory's inputs, which lie apart, with a choice for the host's.
    private static final double MEMORY_INPUT = 1.8;
    private static final double CARRY = 2.0;
    private static final double CARRY_BIT = 0.035;
    /// Below this target a memory's output has a register; further below, its inputs too.
    private static final double OUTPUT_REGISTER = 10.5;

    private static final double INPUT_REGISTER = 7.0;

    final double target;
    final boolean readRegister;
    final boolean addressRegister;
    private final ValueFacts facts;
    /// Regions and operations by the kind of core.
    private final Map<String, Map<CodeRegion, Integer>> users = new HashMap<>();

    OperatorTimes(double target, ValueFacts facts, List<CodeRegion> regions) {
        this.target = target;
        this.facts = facts;
        readRegister = target < OUTPUT_REGISTER;
        addressRegister = target < INPUT_REGISTER;
        for (CodeRegion r : regions) {
            for (DataOp v : r.ops) {
                core(v).ifPresent(c ->
                        users.computeIfAbsent(c.name(), _ -> new HashMap<>()).merge(r, 1, Integer::sum));
            }
        }
    }

    /// ns of a period for logic.
    double budget() {
        return target - SETUP;
    }

    /// Cycles from an address to the word.
    int loadLatency() {
        return 1 + (readRegister ? 1 : 0) + (addressRegister ? 1 : 0);
    }

    /// The core that an operation needs.
    Optional<StagedCore> core(DataOp v) {
        return Optional.ofNullable(
                switch (v.kind) {
                    case FADD -> FloatCores.add();
                    case FMUL -> FloatCores.multiply();
                    case FDIV -> FloatCores.divide();
                    case FSQRT -> FloatCores.squareRoot();
                    case FROM_SIGNED -> FloatCores.fromWhole(true);
                    case FROM_UNSIGNED -> FloatCores.fromWhole(false);
                    case TO_SIGNED -> FloatCores.toWhole();
                    case UDIV, SDIV, UREM, SREM -> division(v);
                    case MUL -> product(v);
                    default -> null;
                });
    }

    private StagedCore division(DataOp v) {
        boolean remainder = v.kind == Kind.UREM || v.kind == Kind.SREM;
        if (facts.range(v.arg(0)).isNatural() && facts.range(v.arg(1)).isNatural()) {
            int w = Math.max(facts.width(v.arg(0)), facts.width(v.arg(1)));
            return WholeCores.divide(w, false, remainder);
        }
        boolean signed = v.kind == Kind.SDIV || v.kind == Kind.SREM;
        return WholeCores.divide(v.width, signed, remainder);
    }

    private @Nullable StagedCore product(DataOp v) {
        if (isShifted(v)) {
            return null;
        }
        int w = facts.width(v);
        return WholeCores.multiply(w, Math.min(width(v.arg(0)), w), Math.min(width(v.arg(1)), w));
    }

    /// True for a product that needs no multiplier: by a constant, of at most two shifted copies.
    private static boolean isShifted(DataOp v) {
        return v.kind == Kind.MUL && v.arg(1).isConstant() && ShiftedSum.copies(v.arg(1).value) <= 2;
    }

    /// Bits of an operand.
    int width(DataOp a) {
        return facts.width(a);
    }

    /// Sets latency and delays of an operation.
    ///
    /// @param interval of the pipeline it is in, 0 for none
    void set(DataOp v, CodeRegion region, int interval) {
        v.core = null;
        v.timing = null;
        v.latency = 0;
        v.after = 0;
        if (v.isAccess()) {
            v.before = v.access().delay() + input(v.access().memory);
            if (v.kind == Kind.LOAD) {
                v.latency = loadLatency();
                v.after = readRegister ? REGISTER : MEMORY;
                v.after += v.access().bank().isEmpty() ? TABLE * 2 : 0;
            }
            return;
        }
        Optional<StagedCore> core = core(v);
        if (core.isPresent()) {
            double mux = multiplexer(core.get(), region, interval);
            StagedCore.Timing t = withInput(core.get(), mux);
            v.core = core.get();
            v.timing = t;
            v.latency = t.latency();
            v.before = t.first() + mux;
            v.after = REGISTER;
            return;
        }
        v.before = delay(v);
    }

    /// Where choosing takes too much of the first cycle, it has a cycle of its own, or the core's steps are cut finer:
    /// what takes fewer cycles.
    private StagedCore.Timing withInput(StagedCore core, double mux) {
        StagedCore.Timing plain = core.timing(target - AROUND);
        if (mux == 0 || plain.first() + mux <= budget() - REGISTER) {
            return plain;
        }
        StagedCore.Timing finer = core.timing(Math.max(1, target - AROUND - mux));
        return plain.latency() + 1 <= finer.latency() ? plain.behindRegisters() : finer;
    }

    /// ns that choosing among the operands of a shared core takes.
    private double multiplexer(StagedCore core, CodeRegion region, int interval) {
        Map<CodeRegion, Integer> all = users.getOrDefault(core.name(), Map.of());
        int here = all.getOrDefault(region, 1);
        if (all.size() <= 1 && (here == 1 || interval == 1)) {
            return 0;
        }
        int ways = Math.max(2, interval > 0 ? Math.min(here, interval) : here);
        return 1.2 + 1.2 * Math.ceil(Math.log(ways) / Math.log(3));
    }

    /// ns from an address to the memory's inputs.
    private double input(MemoryPlan m) {
        double ways = m.accesses / (2.0 * m.banks);
        double sharing = ways > 1 ? TABLE * Math.ceil(Math.log(ways) / Math.log(3)) : 0;
        return sharing + (addressRegister || m.depth == 1 ? 0 : MEMORY_INPUT);
    }

    /// Lets addresses that leave no time for the way to the memory be operations of their own, so that they may be
    /// computed in an earlier cycle.
    void splitAddresses(CodeRegion r, IntSupplier ids) {
        var made = new HashMap<List<Object>, DataOp>();
        var ops = new ArrayList<DataOp>();
        for (DataOp v : r.ops) {
            if (v.isAccess() && v.access().bank().isPresent()) {
                MemoryAccess a = v.access();
                if (REGISTER + a.sumDelay() + input(a.memory) > budget()) {
                    a.addressedBy(made.computeIfAbsent(List.of(a.memory, a.index.factors(), a.index.constant()), _ -> {
                        var own = new DataOp(ids.getAsInt(), Kind.ADDRESS, a.memory.addressWidth(), false);
                        own.access = a;
                        own.block = v.block;
                        own.location = v.location;
                        own.region = r.number;
                        ops.add(own);
                        return own;
                    }));
                }
            }
            ops.add(v);
        }
        r.ops.clear();
        r.ops.addAll(ops);
    }

    private double delay(DataOp v) {
        int w = width(v);
        int widest = w;
        for (DataOp a : v.args) {
            widest = Math.max(widest, width(a));
        }
        boolean constant = v.args.size() > 1 && v.arg(1).isConstant();
        return switch (v.kind) {
            case ADD, SUB -> CARRY + CARRY_BIT * w;
            case AND -> constant ? 0 : TABLE;
            case OR, XOR -> constant ? 0.6 : TABLE;
            case NOT -> 0.3;
            case SELECT -> TABLE;
            case EQ -> TABLE * Math.max(1, Math.ceil(Math.log(Math.max(2, widest) * (constant ? 1 : 2)) / Math.log(4)));
            case ULT, SLT -> CARRY + CARRY_BIT * widest;
            case SHL, LSHR, ASHR -> constant ? 0 : 0.75 * Math.ceil(Math.log(Math.max(2, w)) / Math.log(2)) + 0.4;
            case FEQ, FLT, UNORDERED -> 4.6;
            case ADDRESS -> v.access().sumDelay();
            case MUL -> ShiftedSum.chains(List.of(v.arg(1).value)) * (CARRY + CARRY_BIT * w);
            default -> 0;
        };
    }

    /// Kinds of cores that more than one operation could share.
    Set<String> cores() {
        return new HashSet<>(users.keySet());
    }
}
