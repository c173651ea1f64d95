package knobscape.hls.rtl.build;

import static knobscape.hls.rtl.Expr.bits;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import knobscape.hls.rtl.Expr;
import knobscape.hls.rtl.RtlModule;
import knobscape.hls.rtl.RtlModule.Instance;
import knobscape.hls.rtl.RtlModule.Register;
import knobscape.hls.rtl.RtlModule.Wire;
import knobscape.hls.rtl.RtlModule.Write;
import knobscape.hls.rtl.ShiftedSum;
import knobscape.hls.rtl.StagedCore;
import knobscape.hls.rtl.build.DataOp.Kind;
import org.jspecify.annotations.Nullable;

/// Writes scheduled regions as hardware: one register a state, tokens that walk through pipelines, shared cores with
/// their operands chosen, and registers for every value that is read later.
final class HardwareEmitter implements MemoryEmitter.Signals {
    static final String START = "start";
    static final String DONE = "done";
    static final String RESULT = "result";

    private final List<CodeRegion> regions;
    private final ValueFacts facts;
    private final Map<CodeBlock, CodeRegion> regionOf = new HashMap<>();
    private final List<Wire> wires = new ArrayList<>();
    private final Map<String, List<Write>> writes = new LinkedHashMap<>();
    private final Map<String, Integer> widths = new HashMap<>();
    private final Set<String> reset = new HashSet<>();
    private final List<Instance> instances = new ArrayList<>();
    private final Map<DataOp, Integer> needed = new LinkedHashMap<>();
    private final Map<Integer, List<Expr>> entries = new HashMap<>();
    private final Map<CodeRegion, List<Expr>> starts = new HashMap<>();
    private final Set<DataOp> leaving = new HashSet<>();
    private int states = 2;

    HardwareEmitter(List<CodeRegion> regions, ValueFacts facts) {
        this.regions = regions;
        this.facts = facts;
        for (CodeRegion r : regions) {
            r.blocks.forEach(b -> regionOf.put(b, r));
            if (!r.isPipeline() && !r.isEmpty()) {
                r.state = states;
                states += r.length;
            }
        }
        leaving();
    }

    private void leaving() {
        for (CodeRegion r : regions) {
            r.ops.forEach(v -> RegionScheduler.operands(v).forEach(a -> leaves(a, r)));
            r.phis.forEach(p -> p.args.forEach(a -> leaves(a, r)));
            r.blocks.forEach(b -> {
                leaves(b.condition, r);
                leaves(b.result, r);
            });
        }
    }

    private void leaves(@Nullable DataOp a, CodeRegion r) {
        if (a != null && a.region >= 0 && a.region != r.number) {
            leaving.add(a);
        }
    }

    private int width(DataOp v) {
        return facts.width(v);
    }

    private static String name(DataOp v) {
        return "v" + v.id;
    }

    private static String held(DataOp v, int k) {
        return "r" + k + "_" + v.id;
    }

    private Expr.Ref wire(String name, Expr value) {
        wires.add(new Wire(name, value));
        return new Expr.Ref(name, value.width());
    }

    private Expr.Ref register(String name, int width) {
        widths.put(name, width);
        writes.computeIfAbsent(name, _ -> new ArrayList<>());
        return new Expr.Ref(name, width);
    }

    private void write(String register, Expr enable, Expr value) {
        Objects.requireNonNull(writes.get(register)).add(new Write(enable, value));
    }

    private void always(String register, Expr value) {
        write(register, bits(1, 1), value);
    }

    // ---- reading values

    private Expr wireOf(DataOp v) {
        return new Expr.Ref(name(v), width(v));
    }

    private Expr heldValue(DataOp v, int k) {
        needed.merge(v, k, Math::max);
        return new Expr.Ref(held(v, k), width(v));
    }

    /// A value as it is seen in a cycle of a region.
    private Expr read(DataOp v, @Nullable CodeRegion r, int cycle) {
        if (v.isConstant()) {
            return bits(v.value, v.width);
        }
        if (v.kind == Kind.ARGUMENT) {
            return new Expr.Ref("arg_" + v.value, v.width).fit(width(v));
        }
        CodeRegion q = regions.get(v.region);
        if (!q.isPipeline()) {
            return v.kind != Kind.PHI && q == r && v.ready() == cycle ? wireOf(v) : heldValue(v, 0);
        }
        boolean bypassed = q.bypassed.contains(v);
        int made = v.kind == Kind.PHI ? v.cycle - (bypassed ? 0 : 1) : v.ready();
        if (q != r) {
            return heldValue(v, v.kind == Kind.PHI && !bypassed ? 1 : 0);
        }
        if (cycle < made) {
            throw new IllegalStateException(v + " is read in cycle " + cycle + " and made in " + made);
        }
        return cycle == made ? wireOf(v) : heldValue(v, (cycle - made - 1) / q.interval);
    }

    /// The same at a width.
    private Expr read(DataOp v, int width, @Nullable CodeRegion r, int cycle) {
        return v.isConstant() ? bits(v.value, width) : read(v, r, cycle).fit(width);
    }

    /// One bit: whether a region is in a cycle.
    private static Expr active(CodeRegion r, int cycle) {
        return new Expr.Ref(r.isPipeline() ? token(r, cycle) : "st_" + (r.state + cycle), 1);
    }

    private static String token(CodeRegion r, int cycle) {
        return "p" + r.number + "_v" + cycle;
    }

    // ---- everything

    /// Makes the module.
    ///
    /// @param arguments scalar ones that are read
    RtlModule module(String name, List<MemoryPlan> plans, List<DataOp> arguments, OperatorTimes times) {
        var units = new LinkedHashMap<String, List<DataOp>>();
        bind(units);
        for (CodeRegion r : regions) {
            for (DataOp v : r.ops) {
                if (!v.isAccess() && v.core == null) {
                    wire(name(v), operation(v, r, v.cycle).fit(width(v)));
                }
            }
        }
        units.forEach(this::unit);
        var memories = new MemoryEmitter(this, times);
        List<RtlModule.Memory> built = memories.build(plans, regions);
        control();
        values();
        var registers = new ArrayList<Register>();
        writes.forEach((n, w) -> registers.add(new Register(
                n,
                Objects.requireNonNull(widths.get(n)),
                reset.contains(n) ? OptionalLong.of(n.equals("st_0") ? 1 : 0) : OptionalLong.empty(),
                w)));
        var inputs = new ArrayList<>(List.of(new Expr.Ref(START, 1)));
        arguments.forEach(a -> inputs.add(new Expr.Ref("arg_" + a.value, a.width)));
        wire(DONE, new Expr.Ref("st_1", 1));
        var outputs = new ArrayList<>(List.of(DONE));
        if (writes.containsKey(RESULT)) {
            outputs.add(RESULT);
        }
        return new RtlModule(name, inputs, wires, registers, built, instances, outputs);
    }

    private void bind(Map<String, List<DataOp>> units) {
        var kinds = new ArrayList<RegionScheduler.Unit>();
        for (CodeRegion r : regions) {
            var used = new HashSet<String>();
            for (DataOp v : r.ops) {
                int slot = r.isPipeline() ? v.cycle % r.interval : v.cycle;
                RegionScheduler.unit(v).ifPresent(u -> {
                    if (!kinds.contains(u)) {
                        kinds.add(u);
                    }
                    int k = 0;
                    while (!used.add(kinds.indexOf(u) + "_" + k + "@" + slot)) {
                        k++;
                    }
                    units.computeIfAbsent(kinds.indexOf(u) + "_" + k, _ -> new ArrayList<>())
                            .add(v);
                });
                if (v.isAccess()) {
                    for (int b : v.access().met()) {
                        boolean many = RegionScheduler.ports(v.access().memory) > 2;
                        int k = v.kind == Kind.STORE && !many ? 1 : 0;
                        String bank = v.access().memory.bank(b);
                        while (!used.add(bank + "#" + k + "@" + slot)) {
                            k = many ? k + 1 : 1 - k;
                        }
                        v.access().ports.put(b, k);
                    }
                }
            }
        }
    }

    private void unit(String unit, List<DataOp> of) {
        int kind = Integer.parseInt(unit.substring(0, unit.indexOf('_')));
        StagedCore core = Objects.requireNonNull(of.getFirst().core);
        StagedCore.Timing timing = Objects.requireNonNull(of.getFirst().timing);
        String name = "u_" + core.name() + "_" + unit;
        var inputs = new HashMap<String, Expr>();
        for (int j = 0; j < core.inputs().size(); j++) {
            Expr.Ref port = core.inputs().get(j);
            var choices = new LinkedHashMap<Expr, List<Expr>>();
            for (DataOp v : of) {
                Expr x = read(v.arg(j), port.width(), regions.get(v.region), v.cycle);
                choices.computeIfAbsent(x, _ -> new ArrayList<>()).add(active(regions.get(v.region), v.cycle));
            }
            inputs.put(port.name(), wire(name + "_" + port.name(), chosen(choices)));
        }
        instances.add(new Instance(
                name, core.module(core.name() + "_c" + kind, timing), inputs, Map.of(StagedCore.RESULT, name + "_q")));
        var result = new Expr.Ref(name + "_q", core.width());
        of.forEach(v -> wire(name(v), result.fit(width(v))));
    }

    /// One of several values, by who is active; 0 where nobody is.
    static Expr chosen(Map<Expr, List<Expr>> choices) {
        if (choices.size() == 1) {
            return choices.keySet().iterator().next();
        }
        Expr all = null;
        for (var c : choices.entrySet()) {
            Expr one = any(c.getValue()).signs(c.getKey().width()).and(c.getKey());
            all = all == null ? one : all.or(one);
        }
        return Objects.requireNonNull(all);
    }

    static Expr any(List<Expr> bits) {
        return bits.stream().reduce(Expr::or).orElse(bits(0, 1));
    }

    private Expr operation(DataOp v, CodeRegion r, int c) {
        int w = width(v);
        return switch (v.kind) {
            case ADD -> at(v, 0, w).plus(at(v, 1, w));
            case SUB -> at(v, 0, w).minus(at(v, 1, w));
            case MUL -> ShiftedSum.product(at(v, 0, w), v.arg(1).value);
            case AND -> at(v, 0, w).and(at(v, 1, w));
            case OR -> at(v, 0, w).or(at(v, 1, w));
            case XOR -> at(v, 0, w).xor(at(v, 1, w));
            case NOT -> at(v, 0, w).not();
            case SELECT -> at(v, 0, 1).select(at(v, 1, w), at(v, 2, w));
            case COPY, SEXT -> at(v, 0, w);
            case ZEXT -> extended(v, w);
            case SHL -> at(v, 0, w).shiftLeft(distance(v));
            case LSHR -> {
                DataOp a = v.arg(0);
                yield at(v, 0, facts.range(a).isNatural() ? Math.max(w, width(a)) : a.width)
                        .shiftRight(distance(v));
            }
            case ASHR -> at(v, 0, Math.max(w, width(v.arg(0)))).signedShiftRight(distance(v));
            case EQ, SLT, ULT -> comparison(v);
            case ADDRESS -> v.access().sum((x, n) -> read(x, n, r, c));
            case FEQ -> knobscape.hls.rtl.FloatCores.equal(at(v, 0, v.arg(0).width), at(v, 1, v.arg(0).width));
            case FLT -> knobscape.hls.rtl.FloatCores.less(at(v, 0, v.arg(0).width), at(v, 1, v.arg(0).width));
            case UNORDERED ->
                knobscape.hls.rtl.FloatCores.unordered(at(v, 0, v.arg(0).width), at(v, 1, v.arg(0).width));
            default -> throw new IllegalStateException(v + " in " + r.number + " at " + c + " has no form");
        };
    }

    private Expr at(DataOp v, int operand, int width) {
        return read(v.arg(operand), width, regions.get(v.region), v.cycle);
    }

    private Expr distance(DataOp v) {
        return at(v, 1, 7);
    }

    private Expr extended(DataOp v, int w) {
        DataOp a = v.arg(0);
        if (a.width > 1 && facts.range(a).isNatural()) {
            return at(v, 0, w);
        }
        Expr whole = at(v, 0, a.width);
        return w <= a.width ? whole.part(0, w) : whole.zeros(w);
    }

    private Expr comparison(DataOp v) {
        DataOp a = v.arg(0);
        DataOp b = v.arg(1);
        int w = Math.max(width(a), width(b));
        if (v.kind == Kind.EQ) {
            return at(v, 0, w).equal(at(v, 1, w));
        }
        boolean natural =
                a.width > 1 && facts.range(a).isNatural() && facts.range(b).isNatural();
        return v.kind == Kind.SLT || natural
                ? at(v, 0, w).signedLess(at(v, 1, w))
                : at(v, 0, a.width).less(at(v, 1, a.width));
    }

    // ---- what memories need

    @Override
    public Expr operand(DataOp access, DataOp value, int width) {
        return read(value, width, regions.get(access.region), access.cycle);
    }

    @Override
    public Expr active(DataOp v) {
        return active(regions.get(v.region), v.cycle);
    }

    @Override
    public Expr named(String name, Expr value) {
        return wire(name, value);
    }

    @Override
    public Expr delayed(String name, Expr value) {
        Expr r = register(name, value.width());
        always(name, value);
        return r;
    }

    @Override
    public void loaded(DataOp load, Expr word) {
        wire(name(load), word.fit(width(load)));
    }

    // ---- control

    private void control() {
        for (int k = 0; k < states; k++) {
            register("st_" + k, 1);
            reset.add("st_" + k);
        }
        Expr idle = new Expr.Ref("st_0", 1);
        Expr begin = idle.and(new Expr.Ref(START, 1));
        entries.computeIfAbsent(0, _ -> new ArrayList<>())
                .addAll(List.of(idle.and(new Expr.Ref(START, 1).not()), new Expr.Ref("st_1", 1)));
        goTo(null, null, regions.getFirst().head, begin, 0);
        for (CodeRegion r : regions) {
            if (r.isPipeline()) {
                pipelineEnd(r);
            } else if (!r.isEmpty()) {
                stateEnd(r);
            }
        }
        for (CodeRegion r : regions) {
            if (r.isPipeline()) {
                tokens(r);
                r.phis.forEach(p -> nextTime(p, r));
            }
        }
        for (int k = 0; k < states; k++) {
            always("st_" + k, any(entries.getOrDefault(k, List.of())));
        }
    }

    private void enter(int state, Expr when) {
        entries.computeIfAbsent(state, _ -> new ArrayList<>()).add(when);
    }

    private void goTo(@Nullable CodeRegion r, @Nullable CodeBlock from, CodeBlock to, Expr when, int cycle) {
        CodeBlock before = from;
        CodeBlock target = to;
        for (int k = 0; Objects.requireNonNull(regionOf.get(target)).isEmpty(); k++) {
            before = target;
            target = target.next.getFirst();
            if (k > regions.size()) {
                throw new NotBuildable("a loop that does nothing and never ends is not built");
            }
        }
        CodeRegion next = Objects.requireNonNull(regionOf.get(target));
        for (DataOp p : next.phis) {
            String name = next.bypassed.contains(p) ? "i_" + p.id : held(p, 0);
            register(name, width(p));
            if (!next.bypassed.contains(p)) {
                needed.merge(p, 0, Math::max);
            }
            int way = p.from.indexOf(before);
            write(name, when, read(p.arg(way), width(p), r, cycle));
        }
        if (next.isPipeline()) {
            starts.computeIfAbsent(next, _ -> new ArrayList<>()).add(when);
        } else {
            enter(next.state, when);
        }
    }

    private void stateEnd(CodeRegion r) {
        for (int k = 0; k < r.length - 1; k++) {
            enter(r.state + k + 1, new Expr.Ref("st_" + (r.state + k), 1));
        }
        int c = r.length - 1;
        Expr end = active(r, c);
        CodeBlock b = r.last;
        DataOp condition = b.condition;
        if (b.next.size() == 1) {
            goTo(r, b, b.next.getFirst(), end, c);
        } else if (b.next.size() == 2 && condition != null) {
            Expr x = read(condition, 1, r, c);
            goTo(r, b, b.next.get(0), end.and(x), c);
            goTo(r, b, b.next.get(1), end.and(x.not()), c);
        } else {
            enter(1, end);
            DataOp result = b.result;
            if (result != null) {
                register(RESULT, result.width);
                write(RESULT, end, read(result, result.width, r, c));
            }
        }
    }

    private void pipelineEnd(CodeRegion r) {
        DataOp condition = Objects.requireNonNull(r.condition());
        Expr x = read(condition, 1, r, r.interval - 1);
        Expr leave = r.leavesOnTrue() ? x : x.not();
        Expr stop = wire("p" + r.number + "_x", active(r, r.interval - 1).and(leave));
        wire("p" + r.number + "_again", active(r, r.interval - 1).and(leave.not()));
        // The last iteration runs out: none is an interval behind it.
        Expr done = r.length == r.interval
                ? stop
                : active(r, r.length - 1)
                        .and(active(r, r.length - 1 - r.interval).not());
        goTo(r, r.last, r.exit(), done, r.length - 1);
    }

    private void tokens(CodeRegion r) {
        Expr start = wire("p" + r.number + "_s", any(starts.getOrDefault(r, List.of())));
        for (int k = 0; k < r.length; k++) {
            register(token(r, k), 1);
            reset.add(token(r, k));
            always(
                    token(r, k),
                    k == 0 ? start.or(new Expr.Ref("p" + r.number + "_again", 1)) : new Expr.Ref(token(r, k - 1), 1));
        }
        int most = r.bypassed.stream().mapToInt(p -> p.cycle).max().orElse(-1);
        for (int k = 0; k <= most; k++) {
            String name = "p" + r.number + "_f" + k;
            register(name, 1);
            reset.add(name);
            always(name, k == 0 ? start : new Expr.Ref("p" + r.number + "_f" + (k - 1), 1));
        }
    }

    private void nextTime(DataOp p, CodeRegion r) {
        DataOp next = Objects.requireNonNull(r.back.get(p));
        int w = width(p);
        if (r.bypassed.contains(p)) {
            wire(
                    name(p),
                    new Expr.Ref("p" + r.number + "_f" + p.cycle, 1)
                            .select(new Expr.Ref("i_" + p.id, w), read(next, w, r, p.cycle + r.interval)));
            return;
        }
        int at = p.cycle + r.interval - 1;
        needed.merge(p, 0, Math::max);
        register(held(p, 0), w);
        writes.computeIfPresent(held(p, 0), (_, all) -> {
            // The first value comes after, so that it counts.
            all.addFirst(new Write(active(r, at), read(next, w, r, at)));
            return all;
        });
    }

    /// Registers for what is read after the cycle in which it is made.
    private void values() {
        for (var e : needed.entrySet()) {
            DataOp v = e.getKey();
            CodeRegion r = regions.get(v.region);
            int w = width(v);
            for (int k = 0; k <= e.getValue(); k++) {
                register(held(v, k), w);
                if (v.kind == Kind.PHI && k == 0 && !r.bypassed.contains(v)) {
                    continue;
                }
                Expr from = k == 0 ? wireOf(v) : new Expr.Ref(held(v, k - 1), w);
                if (!r.isPipeline()) {
                    if (v.kind != Kind.PHI) {
                        write(held(v, k), active(r, v.ready()), from);
                    }
                    continue;
                }
                int made = v.kind == Kind.PHI ? v.cycle - (r.bypassed.contains(v) ? 0 : 1) : v.ready();
                int cycle = made + k * r.interval;
                if (cycle >= r.length) {
                    throw new IllegalStateException(v + " lives longer than its pipeline");
                }
                boolean always = r.interval == 1 && !leaving.contains(v);
                write(held(v, k), always ? bits(1, 1) : active(r, cycle), from);
            }
        }
    }
}
