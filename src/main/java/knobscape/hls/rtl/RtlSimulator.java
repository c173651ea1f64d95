package knobscape.hls.rtl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import knobscape.hls.rtl.RtlModule.Memory;
import knobscape.hls.rtl.RtlModule.MemoryPort;
import knobscape.hls.rtl.RtlModule.Register;
import knobscape.hls.rtl.RtlModule.Wire;

/// Runs a module cycle by cycle, as byte code made of its records. What has no reset starts as 0. Not for several
/// threads.
public final class RtlSimulator {
    private final Map<String, Integer> slots = new HashMap<>();
    private final Map<String, Integer> memoryNumbers = new HashMap<>();
    private final List<Wire> wires = new ArrayList<>();
    private final List<Register> registers = new ArrayList<>();
    private final List<Memory> memories = new ArrayList<>();
    private final Map<String, Integer> widths = new HashMap<>();
    private final SimulatorState state;
    private final SimulatorCode.Group[] code;
    /// Groups of wires; those of the clock come after.
    private final int wireGroups;
    private int helpers;
    private long work;
    private boolean settled;

    /// Flattens the module and compiles it. Throws `IllegalArgumentException` where wires form a circle.
    public RtlSimulator(RtlModule module) {
        module.inputs().forEach(i -> slot(i.name(), i.width()));
        flatten(module, "");
        cutLarge();
        for (Register r : registers) {
            slot(r.name(), r.width());
        }
        for (Memory m : memories) {
            m.ports().forEach(p -> p.read().ifPresent(r -> slot(r, m.width())));
        }
        List<Wire> ordered = ordered();
        ordered.forEach(w -> slots.put(w.name(), slots.size()));
        var made = new SimulatorCode(slots, memories.size());
        ordered.forEach(w -> made.wire(w.name(), w.value()));
        wireGroups = made.flushGroup();
        registers.forEach(made::register);
        for (int i = 0; i < memories.size(); i++) {
            made.memory(i, memories.get(i));
        }
        code = made.groups().toArray(SimulatorCode.Group[]::new);
        state = new SimulatorState(
                code.length * Long.SIZE,
                made.readers(),
                made.memoryReaders(),
                memories.stream().map(m -> new long[m.depth()]).toArray(long[][]::new));
        reset();
    }

    /// Virtual machines compile no large methods, and small ones rest more often, so large values get wires for their
    /// parts.
    private void cutLarge() {
        List<Wire> given = List.copyOf(wires);
        wires.clear();
        given.forEach(w -> wires.add(new Wire(w.name(), small(w.value()))));
        registers.replaceAll(r -> new Register(
                r.name(),
                r.width(),
                r.reset(),
                r.writes().stream().map(this::small).toList()));
        memories.replaceAll(m -> new Memory(
                m.name(),
                m.width(),
                m.depth(),
                m.initial(),
                m.constant(),
                m.ports().stream()
                        .map(p -> new MemoryPort(small(p.address()), p.write().map(this::small), p.read()))
                        .toList()));
    }

    private RtlModule.Write small(RtlModule.Write w) {
        return new RtlModule.Write(small(w.enable()), small(w.value()));
    }

    private Expr small(Expr e) {
        return SimulatorCode.small(e, part -> {
            String name = "#" + helpers++;
            wires.add(new Wire(name, part));
            return new Expr.Ref(name, part.width());
        });
    }

    private void slot(String name, int width) {
        if (slots.putIfAbsent(name, slots.size()) != null) {
            throw new IllegalArgumentException("two signals named " + name);
        }
        widths.put(name, width);
    }

    private void flatten(RtlModule m, String prefix) {
        boolean top = prefix.isEmpty();
        for (Wire w : m.wires()) {
            wires.add(top ? w : new Wire(prefix + w.name(), w.value().over(r -> in(prefix, r))));
        }
        for (Register r : m.registers()) {
            registers.add(
                    top
                            ? r
                            : new Register(
                                    prefix + r.name(),
                                    r.width(),
                                    r.reset(),
                                    r.writes().stream()
                                            .map(w -> write(prefix, w))
                                            .toList()));
        }
        for (Memory x : m.memories()) {
            memoryNumbers.put(prefix + x.name(), memories.size());
            memories.add(
                    top
                            ? x
                            : new Memory(
                                    prefix + x.name(),
                                    x.width(),
                                    x.depth(),
                                    x.initial(),
                                    x.constant(),
                                    x.ports().stream()
                                            .map(p -> new MemoryPort(
                                                    p.address().over(r -> in(prefix, r)),
                                                    p.write().map(w -> write(prefix, w)),
                                                    p.read().map(r -> prefix + r)))
                                            .toList()));
        }
        for (RtlModule.Instance i : m.instances()) {
            String inner = prefix + i.name() + ".";
            i.module().inputs().forEach(p -> {
                Expr e = Optional.ofNullable(i.inputs().get(p.name())).orElseThrow();
                wires.add(new Wire(inner + p.name(), e.over(r -> in(prefix, r))));
            });
            flatten(i.module(), inner);
            Map<String, Integer> inside = i.module().widths();
            i.outputs()
                    .forEach((o, here) ->
                            wires.add(new Wire(prefix + here, new Expr.Ref(inner + o, inside.getOrDefault(o, 1)))));
        }
    }

    private static Expr.Ref in(String prefix, Expr.Ref r) {
        return prefix.isEmpty() ? r : new Expr.Ref(prefix + r.name(), r.width());
    }

    private static RtlModule.Write write(String prefix, RtlModule.Write w) {
        return new RtlModule.Write(
                w.enable().over(r -> in(prefix, r)), w.value().over(r -> in(prefix, r)));
    }

    /// Wires after what they read.
    private List<Wire> ordered() {
        var byName = new HashMap<String, Wire>();
        for (Wire w : wires) {
            if (byName.put(w.name(), w) != null || slots.containsKey(w.name())) {
                throw new IllegalArgumentException("two signals named " + w.name());
            }
            widths.put(w.name(), w.value().width());
        }
        // Depth first: what belongs together stays together, and a piece of it rests while the others work.
        var all = new ArrayList<Wire>(wires.size());
        var begun = new HashSet<String>();
        var done = new HashSet<String>();
        for (Wire root : wires) {
            var way = new ArrayDeque<Wire>(List.of(root));
            while (!way.isEmpty()) {
                Wire w = way.peek();
                if (!begun.add(w.name())) {
                    way.pop();
                    if (done.add(w.name())) {
                        all.add(w);
                    }
                    continue;
                }
                w.value().reads(r -> {
                    Wire next = byName.get(r.name());
                    if (next == null && !slots.containsKey(r.name())) {
                        throw new IllegalArgumentException(w.name() + " reads " + r.name() + ", which is nowhere");
                    }
                    if (next != null && !done.contains(r.name())) {
                        if (begun.contains(r.name())) {
                            throw new IllegalArgumentException("the wires form a circle with " + r.name());
                        }
                        way.push(next);
                    }
                });
            }
        }
        return all;
    }

    /// Everything as at the start; memories as they were first filled.
    public void reset() {
        java.util.Arrays.fill(state.now, 0);
        for (Register r : registers) {
            state.now[slot(r.name())] = Expr.mask(r.reset().orElse(0), r.width());
        }
        for (int i = 0; i < memories.size(); i++) {
            java.util.Arrays.fill(state.memories[i], 0);
            List<Long> initial = memories.get(i).initial();
            for (int k = 0; k < initial.size(); k++) {
                state.memories[i][k] = Expr.mask(initial.get(k), memories.get(i).width());
            }
        }
        java.util.Arrays.fill(state.stale, -1);
        settled = false;
    }

    private int slot(String name) {
        Integer at = slots.get(name);
        if (at == null) {
            throw new IllegalArgumentException("no signal is named " + name);
        }
        return at;
    }

    /// Sets an input.
    public void set(String input, long value) {
        int at = slot(input);
        state.now[at] = Expr.mask(value, Optional.ofNullable(widths.get(input)).orElseThrow());
        state.changed(at);
        settled = false;
    }

    /// The bits of a signal in this cycle.
    public long get(String signal) {
        settle();
        return state.now[slot(signal)];
    }

    /// The words of a memory, to be read, or changed before the next clock.
    public long[] memory(String name) {
        Integer at = memoryNumbers.get(name);
        if (at == null) {
            throw new IllegalArgumentException("no memory is named " + name);
        }
        state.changedMemory(at);
        return state.memories[at];
    }

    /// Pieces of code that have run so far, a measure of the time that a simulation takes (some 0.1 us each) which is
    /// the same on every machine.
    public long work() {
        return work;
    }

    private void run(int fromGroup, int toGroup) {
        long[] stale = state.stale;
        for (int g = fromGroup; g < toGroup; g++) {
            // Wires mark what comes after them, also in the same group.
            for (long bits = stale[g]; bits != 0; bits = stale[g] & -2L << Long.numberOfTrailingZeros(bits)) {
                int k = Long.numberOfTrailingZeros(bits);
                stale[g] &= ~(1L << k);
                code[g].run(k, state);
                work++;
            }
        }
    }

    private void settle() {
        if (!settled) {
            run(0, wireGroups);
            settled = true;
        }
    }

    /// One rising edge of the clock.
    public void clock() {
        settle();
        run(wireGroups, code.length);
        state.commit();
        settled = false;
    }

    /// Clocks until a signal is 1, and gives the number of clocks; empty where `most` do not reach that.
    public OptionalLong until(String signal, long most) {
        int at = slot(signal);
        for (long n = 0; n <= most; n++) {
            settle();
            if (state.now[at] != 0) {
                return OptionalLong.of(n);
            }
            clock();
        }
        return OptionalLong.empty();
    }
}
