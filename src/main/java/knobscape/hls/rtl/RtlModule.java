package knobscape.hls.rtl;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// A module of hardware with one clock. Names of signals are unique in it; `clk` and `rst` are taken.
///
/// @param name of the module, a Verilog identifier
/// @param inputs signals from outside
/// @param wires combinational signals, in any order, without circles
/// @param registers signals that change at the clock
/// @param memories with ports that answer one clock later
/// @param instances modules inside
/// @param outputs names of signals seen from outside
public record RtlModule(
        String name,
        List<Expr.Ref> inputs,
        List<Wire> wires,
        List<Register> registers,
        List<Memory> memories,
        List<Instance> instances,
        List<String> outputs) {
    public RtlModule {
        inputs = List.copyOf(inputs);
        wires = List.copyOf(wires);
        registers = List.copyOf(registers);
        memories = List.copyOf(memories);
        instances = List.copyOf(instances);
        outputs = List.copyOf(outputs);
    }

    /// A combinational signal.
    public record Wire(String name, Expr value) {}

    /// A register; of several writes in one cycle the last one counts.
    ///
    /// @param reset its value while `rst` is 1 and at the start, empty where it does not matter (0 in simulation)
    public record Register(String name, int width, OptionalLong reset, List<Write> writes) {
        public Register {
            writes = List.copyOf(writes);
        }
    }

    /// The write to a register.
    ///
    /// @param enable one bit
    public record Write(Expr enable, Expr value) {}

    /// A memory. A port that writes does not read in the same cycle; a read sees what stood there before the clock.
    ///
    /// @param initial first contents, shorter than `depth` where the rest is 0
    /// @param constant whether it is never written
    public record Memory(
            String name, int width, int depth, List<Long> initial, boolean constant, List<MemoryPort> ports) {
        public Memory {
            initial = List.copyOf(initial);
            ports = List.copyOf(ports);
        }
    }

    /// A way into a memory.
    ///
    /// @param address of a word; one beyond the end reads 0 and writes nothing
    /// @param write enable and data
    /// @param read the register that takes what is read
    public record MemoryPort(Expr address, Optional<Write> write, Optional<String> read) {}

    /// A module inside.
    ///
    /// @param inputs by the module's input
    /// @param outputs name here by the module's output
    public record Instance(String name, RtlModule module, Map<String, Expr> inputs, Map<String, String> outputs) {
        public Instance {
            inputs = Map.copyOf(inputs);
            outputs = Map.copyOf(outputs);
        }
    }

    /// Widths of all signals by name. Throws `IllegalArgumentException` where a name occurs twice.
    public Map<String, Integer> widths() {
        var all = new HashMap<String, Integer>();
        inputs.forEach(i -> put(all, i.name(), i.width()));
        wires.forEach(w -> put(all, w.name(), w.value().width()));
        registers.forEach(r -> put(all, r.name(), r.width()));
        memories.forEach(m -> m.ports().forEach(p -> p.read().ifPresent(r -> put(all, r, m.width()))));
        instances.forEach(i -> {
            Map<String, Integer> inside = i.module().widths();
            i.outputs().forEach((o, here) -> put(all, here, inside.getOrDefault(o, 1)));
        });
        return all;
    }

    private static void put(Map<String, Integer> all, String name, int width) {
        if (all.put(name, width) != null) {
            throw new IllegalArgumentException("two signals named " + name);
        }
    }
}
