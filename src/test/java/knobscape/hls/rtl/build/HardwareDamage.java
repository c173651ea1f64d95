package knobscape.hls.rtl.build;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import knobscape.hls.rtl.Expr;
import knobscape.hls.rtl.Expr.Operator;
import knobscape.hls.rtl.RtlModule;
import knobscape.hls.rtl.RtlModule.Memory;
import knobscape.hls.rtl.RtlModule.MemoryPort;
import knobscape.hls.rtl.RtlModule.Register;
import knobscape.hls.rtl.RtlModule.Wire;
import knobscape.hls.rtl.RtlModule.Write;

/// Kinds of faults, each made at one of its places in a module.
enum HardwareDamage {
    SUM_BECOMES_DIFFERENCE(operator(Operator.ADD, Operator.SUB)),
    DIFFERENCE_BECOMES_SUM(operator(Operator.SUB, Operator.ADD)),
    PRODUCT_BECOMES_SUM(operator(Operator.MUL, Operator.ADD)),
    AND_BECOMES_OR(operator(Operator.AND, Operator.OR)),
    OR_BECOMES_AND(operator(Operator.OR, Operator.AND)),
    EXCLUSIVE_OR_BECOMES_OR(operator(Operator.XOR, Operator.OR)),
    COMPLEMENT_LOST(applied(Operator.NOT, a -> a.operands().getFirst())),
    CHOICE_SWAPPED(applied(
            Operator.SELECT,
            a -> a.operands()
                    .getFirst()
                    .select(a.operands().get(2), a.operands().get(1)))),
    FORWARDING_MISSING(applied(Operator.SELECT, a -> a.operands().get(1))),
    EQUAL_INVERTED(applied(Operator.EQUAL, Expr::not)),
    COMPARISON_SWAPPED(applied(
            Operator.SIGNED_LESS,
            a -> a.operands().get(1).signedLess(a.operands().getFirst()))),
    COMPARISON_ONE_OFF(applied(
            Operator.SIGNED_LESS,
            a -> a.operands().get(1).signedLess(a.operands().getFirst()).not())),
    SHIFT_TURNED(applied(
            Operator.SHIFT_LEFT,
            a -> a.operands().getFirst().shiftRight(a.operands().get(1)))),
    CONSTANT_ONE_OFF(expression(e -> e instanceof Expr.Bits b && b.width() > 1
            ? Optional.of(Expr.bits(b.value() + 1, b.width()))
            : Optional.empty())),
    SIGN_LOST(expression(e -> e instanceof Expr.Extended x && x.signed() && x.of().width() > 1
            ? Optional.of(x.of().zeros(x.width()))
            : Optional.empty())),
    BITS_SHIFTED(expression(e -> e instanceof Expr.Part p && p.low() + p.width() < p.of().width()
            ? Optional.of(p.of().part(p.low() + 1, p.width()))
            : Optional.empty())),
    OPERAND_WRONG(HardwareDamage::otherSignal),
    ENABLE_DROPPED(register(r ->
            r.writes().size() == 1 && !(r.writes().getFirst().enable() instanceof Expr.Bits)
                    ? Optional.of(List.of(
                            new Write(Expr.bits(1, 1), r.writes().getFirst().value())))
                    : Optional.empty())),
    NEVER_ENABLED(register(r -> r.writes().isEmpty() ? Optional.empty() : Optional.of(List.of()))),
    FIRST_VALUE_LOST(register(r ->
            r.writes().size() > 1 ? Optional.of(r.writes().subList(0, r.writes().size() - 1)) : Optional.empty())),
    NEXT_VALUE_LOST(register(r ->
            r.writes().size() > 1 ? Optional.of(r.writes().subList(1, r.writes().size())) : Optional.empty())),
    A_CYCLE_LATE(HardwareDamage::late),
    STATES_SWAPPED(HardwareDamage::states),
    RESET_INVERTED(HardwareDamage::reset),
    WRITE_LOST(port(p -> p.write().map(_ -> new MemoryPort(p.address(), Optional.empty(), p.read())))),
    ALWAYS_WRITTEN(port(p -> p.write()
            .map(w -> new MemoryPort(p.address(), Optional.of(new Write(Expr.bits(1, 1), w.value())), p.read())))),
    ADDRESS_ONE_OFF(port(p ->
            Optional.of(new MemoryPort(p.address().plus(Expr.bits(1, p.address().width())), p.write(), p.read())))),
    BANKS_SWAPPED(HardwareDamage::banks),
    TABLE_WRONG(HardwareDamage::table);

    /// Gives the module damaged at the place of a number, or nothing where there are fewer.
    private final BiFunction<RtlModule, Integer, Optional<RtlModule>> change;

    HardwareDamage(BiFunction<RtlModule, Integer, Optional<RtlModule>> change) {
        this.change = change;
    }

    int places(RtlModule m) {
        int n = 0;
        while (change.apply(m, n).isPresent()) {
            n++;
        }
        return n;
    }

    RtlModule at(RtlModule m, int place) {
        return change.apply(m, place).orElseThrow();
    }

    // ---- expressions

    private static BiFunction<RtlModule, Integer, Optional<RtlModule>> operator(Operator from, Operator to) {
        return applied(from, a -> new Expr.Applied(to, a.operands(), a.width()));
    }

    private static BiFunction<RtlModule, Integer, Optional<RtlModule>> applied(
            Operator from, Function<Expr.Applied, Expr> to) {
        return expression(
                e -> e instanceof Expr.Applied a && a.operator() == from ? Optional.of(to.apply(a)) : Optional.empty());
    }

    private static BiFunction<RtlModule, Integer, Optional<RtlModule>> expression(
            Function<Expr, Optional<Expr>> damage) {
        return (m, place) -> new Rewriter(damage, place).module(m);
    }

    private static Optional<RtlModule> otherSignal(RtlModule m, int place) {
        List<Register> all = m.registers();
        return expression(e -> e instanceof Expr.Ref r && r.width() > 1
                        ? all.stream()
                                .filter(x -> x.width() == r.width() && !x.name().equals(r.name()))
                                .findFirst()
                                .map(x -> new Expr.Ref(x.name(), x.width()))
                        : Optional.empty())
                .apply(m, place);
    }

    private static final class Rewriter {
        private final Function<Expr, Optional<Expr>> damage;
        private int left;

        Rewriter(Function<Expr, Optional<Expr>> damage, int place) {
            this.damage = damage;
            left = place;
        }

        Optional<RtlModule> module(RtlModule m) {
            List<Wire> wires = m.wires().stream()
                    .map(w -> new Wire(w.name(), expression(w.value())))
                    .toList();
            List<Register> registers = m.registers().stream()
                    .map(r -> new Register(
                            r.name(),
                            r.width(),
                            r.reset(),
                            r.writes().stream().map(this::write).toList()))
                    .toList();
            List<Memory> memories = m.memories().stream()
                    .map(x -> withPorts(
                            x,
                            x.ports().stream()
                                    .map(p -> new MemoryPort(
                                            expression(p.address()), p.write().map(this::write), p.read()))
                                    .toList()))
                    .toList();
            return left < 0
                    ? Optional.of(
                            new RtlModule(m.name(), m.inputs(), wires, registers, memories, m.instances(), m.outputs()))
                    : Optional.empty();
        }

        private Write write(Write w) {
            return new Write(expression(w.enable()), expression(w.value()));
        }

        private Expr expression(Expr e) {
            if (left < 0) {
                return e;
            }
            Optional<Expr> other = damage.apply(e);
            if (other.isPresent() && left-- == 0) {
                return other.get();
            }
            return switch (e) {
                case Expr.Bits _, Expr.Ref _ -> e;
                case Expr.Part p -> new Expr.Part(expression(p.of()), p.low(), p.width());
                case Expr.Extended x -> new Expr.Extended(expression(x.of()), x.width(), x.signed());
                case Expr.Applied a ->
                    new Expr.Applied(
                            a.operator(),
                            a.operands().stream().map(this::expression).toList(),
                            a.width());
            };
        }
    }

    // ---- registers

    private static BiFunction<RtlModule, Integer, Optional<RtlModule>> register(
            Function<Register, Optional<List<Write>>> writes) {
        return (m, place) -> {
            int left = place;
            for (Register r : m.registers()) {
                Optional<List<Write>> other = writes.apply(r);
                if (other.isPresent() && left-- == 0) {
                    return Optional.of(with(m, Map.of(r, new Register(r.name(), r.width(), r.reset(), other.get()))));
                }
            }
            return Optional.empty();
        };
    }

    private static RtlModule with(RtlModule m, Map<Register, Register> others) {
        return new RtlModule(
                m.name(),
                m.inputs(),
                m.wires(),
                m.registers().stream().map(r -> others.getOrDefault(r, r)).toList(),
                m.memories(),
                m.instances(),
                m.outputs());
    }

    private static Optional<RtlModule> late(RtlModule m, int place) {
        List<Register> some =
                m.registers().stream().filter(r -> r.writes().size() == 1).toList();
        if (place >= some.size()) {
            return Optional.empty();
        }
        Register r = some.get(place);
        Write w = r.writes().getFirst();
        var registers = new ArrayList<>(m.registers());
        registers.set(
                registers.indexOf(r),
                new Register(
                        r.name(),
                        r.width(),
                        r.reset(),
                        List.of(new Write(w.enable(), new Expr.Ref("late", r.width())))));
        registers.add(
                new Register("late", r.width(), OptionalLong.empty(), List.of(new Write(Expr.bits(1, 1), w.value()))));
        return Optional.of(
                new RtlModule(m.name(), m.inputs(), m.wires(), registers, m.memories(), m.instances(), m.outputs()));
    }

    private static List<Register> states(RtlModule m) {
        return m.registers().stream().filter(r -> r.name().startsWith("st_")).toList();
    }

    private static Optional<RtlModule> states(RtlModule m, int place) {
        List<Register> all = states(m);
        if (place + 1 >= all.size()) {
            return Optional.empty();
        }
        Register a = all.get(place);
        Register b = all.get(place + 1);
        return Optional.of(with(
                m,
                Map.of(
                        a,
                        new Register(a.name(), 1, a.reset(), b.writes()),
                        b,
                        new Register(b.name(), 1, b.reset(), a.writes()))));
    }

    private static Optional<RtlModule> reset(RtlModule m, int place) {
        List<Register> all = states(m);
        return place >= all.size()
                ? Optional.empty()
                : Optional.of(with(
                        m,
                        Map.of(
                                all.get(place),
                                new Register(
                                        all.get(place).name(),
                                        1,
                                        OptionalLong.of(
                                                1 - all.get(place).reset().orElse(0)),
                                        all.get(place).writes()))));
    }

    // ---- memories

    private static Memory withPorts(Memory x, List<MemoryPort> ports) {
        return new Memory(x.name(), x.width(), x.depth(), x.initial(), x.constant(), ports);
    }

    private static RtlModule withMemory(RtlModule m, Memory from, Memory to) {
        return new RtlModule(
                m.name(),
                m.inputs(),
                m.wires(),
                m.registers(),
                m.memories().stream().map(x -> x == from ? to : x).toList(),
                m.instances(),
                m.outputs());
    }

    private static BiFunction<RtlModule, Integer, Optional<RtlModule>> port(
            Function<MemoryPort, Optional<MemoryPort>> damage) {
        return (m, place) -> {
            int left = place;
            for (Memory x : m.memories()) {
                for (int k = 0; k < x.ports().size(); k++) {
                    Optional<MemoryPort> other = damage.apply(x.ports().get(k));
                    if (other.isPresent() && left-- == 0) {
                        var ports = new ArrayList<>(x.ports());
                        ports.set(k, other.get());
                        return Optional.of(withMemory(m, x, withPorts(x, ports)));
                    }
                }
            }
            return Optional.empty();
        };
    }

    /// What one memory of a pair is written, the other one is.
    private static Optional<RtlModule> banks(RtlModule m, int place) {
        int left = place;
        for (Memory a : m.memories()) {
            for (Memory b : m.memories()) {
                boolean pair = a != b
                        && a.width() == b.width()
                        && a.depth() == b.depth()
                        && a.name().compareTo(b.name()) < 0
                        && a.ports().size() == b.ports().size()
                        && a.ports().stream().anyMatch(p -> p.write().isPresent());
                if (pair && left-- == 0) {
                    return Optional.of(withMemory(
                            withMemory(m, a, withPorts(a, crossed(b, a))), b, withPorts(b, crossed(a, b))));
                }
            }
        }
        return Optional.empty();
    }

    private static List<MemoryPort> crossed(Memory from, Memory to) {
        var all = new ArrayList<MemoryPort>();
        for (int k = 0; k < from.ports().size(); k++) {
            MemoryPort p = from.ports().get(k);
            all.add(new MemoryPort(p.address(), p.write(), to.ports().get(k).read()));
        }
        return all;
    }

    private static Optional<RtlModule> table(RtlModule m, int place) {
        int left = place;
        for (Memory x : m.memories()) {
            for (int k = 0; k < x.initial().size(); k++) {
                if (left-- == 0) {
                    var words = new ArrayList<>(x.initial());
                    words.set(k, words.get(k) + 1);
                    return Optional.of(withMemory(
                            m, x, new Memory(x.name(), x.width(), x.depth(), words, x.constant(), x.ports())));
                }
            }
        }
        return Optional.empty();
    }
}
