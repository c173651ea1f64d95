package knobscape.hls.rtl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
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
    private final long[] now;
    private final long[][] contents;
    private final List<SimulatorCode.Part> wireCode;
    private final List<SimulatorCode.Part> clockCode;
    private final int firstRegister;
    private final int registerSlots;
    private boolean settled;

    /// Flattens the module and compiles it. Throws `IllegalArgumentException` where wires form a circle.
    public RtlSimulator(RtlModule module) {
        module.inputs().forEach(i -> slot(i.name(), i.width()));
        flatten(module, "");
        // Registers lie in a row and their next values behind, so that the clock is one copy.
        int first = slots.size();
        for (Register r : registers) {
            slot(r.name(), r.width());
        }
        for (Memory m : memories) {
            m.ports().forEach(p -> p.read().ifPresent(r -> slot(r, m.width())));
        }
        registerSlots = slots.size() - first;
        int next = slots.size();
        List<Wire> ordered = ordered();
        int wireFirst = next + registerSlots;
        for (int i = 0; i < ordered.size(); i++) {
            slots.put(ordered.get(i).name(), wireFirst + i);
        }
        now = new long[wireFirst + ordered.size()];
        contents = new long[memories.size()][];
        for (int i = 0; i < contents.length; i++) {
            contents[i] = new long[memories.get(i).depth()];
        }
        firstRegister = first;
        var code = new SimulatorCode(slots, registerSlots);
        ordered.forEach(w -> code.wire(w.name(), w.value()));
        wireCode = code.made();
        registers.forEach(code::register);
        for (int i = 0; i < memories.size(); i++) {
            code.memory(i, memories.get(i));
        }
        clockCode = code.made();
        reset();
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
        var open = new HashMap<String, Integer>();
        var readers = new HashMap<String, List<Wire>>();
        var ready = new ArrayDeque<Wire>();
        for (Wire w : wires) {
            var reads = new java.util.HashSet<String>();
            w.value().reads(r -> {
                if (byName.containsKey(r.name())) {
                    reads.add(r.name());
                } else if (!slots.containsKey(r.name())) {
                    throw new IllegalArgumentException(w.name() + " reads " + r.name() + ", which is nowhere");
                }
            });
            reads.forEach(
                    r -> readers.computeIfAbsent(r, _ -> new ArrayList<>()).add(w));
            open.put(w.name(), reads.size());
            if (reads.isEmpty()) {
                ready.add(w);
            }
        }
        var all = new ArrayList<Wire>(wires.size());
        while (!ready.isEmpty()) {
            Wire w = ready.poll();
            all.add(w);
            for (Wire r : readers.getOrDefault(w.name(), List.of())) {
                if (open.merge(r.name(), -1, Integer::sum) == 0) {
                    ready.add(r);
                }
            }
        }
        if (all.size() < wires.size()) {
            String one = open.entrySet().stream()
                    .filter(e -> e.getValue() > 0)
                    .map(Map.Entry::getKey)
                    .min(String::compareTo)
                    .orElse("");
            throw new IllegalArgumentException("the wires form a circle with " + one);
        }
        return all;
    }

    /// Everything as at the start; memories as they were first filled.
    public void reset() {
        java.util.Arrays.fill(now, 0);
        for (Register r : registers) {
            now[slot(r.name())] = Expr.mask(r.reset().orElse(0), r.width());
        }
        for (int i = 0; i < contents.length; i++) {
            java.util.Arrays.fill(contents[i], 0);
            List<Long> initial = memories.get(i).initial();
            for (int k = 0; k < initial.size(); k++) {
                contents[i][k] = Expr.mask(initial.get(k), memories.get(i).width());
            }
        }
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
        now[slot(input)] =
                Expr.mask(value, Optional.ofNullable(widths.get(input)).orElseThrow());
        settled = false;
    }

    /// The bits of a signal in this cycle.
    public long get(String signal) {
        settle();
        return now[slot(signal)];
    }

    /// The words of a memory, to be read or changed.
    public long[] memory(String name) {
        Integer at = memoryNumbers.get(name);
        if (at == null) {
            throw new IllegalArgumentException("no memory is named " + name);
        }
        return contents[at];
    }

    private void settle() {
        if (!settled) {
            for (SimulatorCode.Part p : wireCode) {
                p.run(now, contents);
            }
            settled = true;
        }
    }

    /// One rising edge of the clock.
    public void clock() {
        settle();
        for (SimulatorCode.Part p : clockCode) {
            p.run(now, contents);
        }
        System.arraycopy(now, firstRegister + registerSlots, now, firstRegister, registerSlots);
        settled = false;
    }

    /// Clocks until a signal is 1, and gives the number of clocks; empty where `most` do not reach that.
    public OptionalLong until(String signal, long most) {
        int at = slot(signal);
        for (long n = 0; n <= most; n++) {
            settle();
            if (now[at] != 0) {
                return OptionalLong.of(n);
            }
            clock();
        }
        return OptionalLong.empty();
    }
}
