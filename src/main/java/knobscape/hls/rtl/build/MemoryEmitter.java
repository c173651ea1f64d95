package knobscape.hls.rtl.build;

import static knobscape.hls.rtl.Expr.bits;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import knobscape.hls.rtl.Expr;
import knobscape.hls.rtl.RtlModule.Memory;
import knobscape.hls.rtl.RtlModule.MemoryPort;
import knobscape.hls.rtl.RtlModule.Write;
import knobscape.hls.rtl.build.DataOp.Kind;

/// Writes the banks of all memories, and what loads and stores do at their ports.
final class MemoryEmitter {
    /// Signals of the module in the making.
    interface Signals {
        /// A value for the address or data of an access.
        Expr operand(DataOp access, DataOp value, int width);

        /// One bit: whether an operation is done in this cycle.
        Expr active(DataOp v);

        /// A new combinational signal.
        Expr named(String name, Expr value);

        /// A register that takes a value every cycle.
        Expr delayed(String name, Expr value);

        /// Gives a load its word.
        void loaded(DataOp load, Expr word);
    }

    private final Signals hardware;
    private final OperatorTimes times;
    private final Map<DataOp, Expr> addresses = new HashMap<>();
    private final Map<DataOp, Expr> numbers = new HashMap<>();

    MemoryEmitter(Signals hardware, OperatorTimes times) {
        this.hardware = hardware;
        this.times = times;
    }

    List<Memory> build(List<MemoryPlan> plans, List<CodeRegion> regions) {
        var byBank = new LinkedHashMap<String, TreeMap<Integer, List<DataOp>>>();
        for (CodeRegion r : regions) {
            for (DataOp v : r.ops) {
                if (!v.isAccess()) {
                    continue;
                }
                MemoryAccess a = v.access();
                addresses.put(v, hardware.named("ad_" + v.id, a.address((x, w) -> hardware.operand(v, x, w))));
                if (a.bank().isEmpty()) {
                    numbers.put(v, hardware.named("bk_" + v.id, a.bankNumber((x, w) -> hardware.operand(v, x, w))));
                }
                a.ports.forEach((b, p) -> byBank.computeIfAbsent(a.memory.bank(b), _ -> new TreeMap<>())
                        .computeIfAbsent(p, _ -> new ArrayList<>())
                        .add(v));
            }
        }
        var all = new ArrayList<Memory>();
        for (MemoryPlan plan : plans) {
            for (int b = 0; b < plan.banks; b++) {
                TreeMap<Integer, List<DataOp>> ports = byBank.get(plan.bank(b));
                if (ports != null || plan.role == MemoryPlan.Role.ARGUMENT) {
                    all.add(bank(plan, b, ports == null ? new TreeMap<>() : ports));
                }
            }
        }
        regions.forEach(r -> r.ops.stream().filter(v -> v.kind == Kind.LOAD).forEach(this::load));
        return all;
    }

    private static String port(MemoryPlan plan, int bank, int port) {
        return plan.bank(bank) + "_" + port;
    }

    private Memory bank(MemoryPlan plan, int bank, TreeMap<Integer, List<DataOp>> ports) {
        var built = new ArrayList<MemoryPort>();
        ports.forEach((number, of) -> {
            String name = port(plan, bank, number);
            var to = new LinkedHashMap<Expr, List<Expr>>();
            var data = new LinkedHashMap<Expr, List<Expr>>();
            var enables = new ArrayList<Expr>();
            for (DataOp v : of) {
                Expr active = hardware.active(v);
                to.computeIfAbsent(Objects.requireNonNull(addresses.get(v)), _ -> new ArrayList<>())
                        .add(active);
                if (v.kind == Kind.STORE) {
                    Expr enable = active;
                    DataOp guard = v.guard;
                    if (guard != null) {
                        enable = enable.and(hardware.operand(v, guard, 1));
                    }
                    Expr chosen = numbers.get(v);
                    if (chosen != null) {
                        enable = enable.and(chosen.is(bank));
                    }
                    enables.add(enable);
                    data.computeIfAbsent(hardware.operand(v, v.arg(0), plan.width), _ -> new ArrayList<>())
                            .add(active);
                }
            }
            Expr address = input(name + "_a", HardwareEmitter.chosen(to));
            Optional<Write> write = enables.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Write(
                            input(name + "_w", HardwareEmitter.any(enables)),
                            input(name + "_d", HardwareEmitter.chosen(data))));
            boolean reads = of.stream().anyMatch(v -> v.kind == Kind.LOAD);
            built.add(new MemoryPort(address, write, reads ? Optional.of(name + "_q") : Optional.empty()));
            if (reads && times.readRegister) {
                hardware.delayed(name + "_qr", new Expr.Ref(name + "_q", plan.width));
            }
        });
        return new Memory(
                plan.bank(bank),
                plan.width,
                plan.depth,
                plan.initial(bank),
                plan.role == MemoryPlan.Role.CONSTANT,
                built);
    }

    private Expr input(String name, Expr value) {
        Expr wire = hardware.named(name, value);
        return times.addressRegister ? hardware.delayed(name + "r", wire) : wire;
    }

    private void load(DataOp v) {
        MemoryPlan plan = v.access().memory;
        Expr number = numbers.get(v);
        if (number == null) {
            hardware.loaded(v, word(v, plan, v.access().bank().orElseThrow()));
            return;
        }
        // Which bank it was goes along until the word is there.
        Expr late = number;
        for (int k = 0; k < times.loadLatency(); k++) {
            late = hardware.delayed("bk_" + v.id + "_" + k, late);
        }
        Expr all = bits(0, plan.width);
        for (int b : v.access().met()) {
            all = all.or(late.is(b).signs(plan.width).and(word(v, plan, b)));
        }
        hardware.loaded(v, all);
    }

    private Expr word(DataOp v, MemoryPlan plan, int bank) {
        int port = Objects.requireNonNull(v.access().ports.get(bank));
        return new Expr.Ref(port(plan, bank, port) + (times.readRegister ? "_qr" : "_q"), plan.width);
    }
}
