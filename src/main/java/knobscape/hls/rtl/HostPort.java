package knobscape.hls.rtl;

import static knobscape.hls.rtl.Expr.bits;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.rtl.RtlModule.Memory;
import knobscape.hls.rtl.RtlModule.MemoryPort;
import knobscape.hls.rtl.RtlModule.Wire;
import knobscape.hls.rtl.RtlModule.Write;

/// A port by which the world fills and reads memories of a module while that rests. It shares the first port of each.
///
/// While `host_on` is 1, `host_bank` (place in the list of memories) and `host_address` name a word. With `host_write`
/// it takes `host_in` at the clock; without, `host_out` shows it after the clock.
public final class HostPort {
    /// 1 while the world has the memories.
    public static final String ON = "host_on";
    /// Number of the memory.
    public static final String BANK = "host_bank";
    /// Word in it.
    public static final String ADDRESS = "host_address";
    /// 1 where the word is written.
    public static final String WRITE = "host_write";
    /// The written value, in the low bits.
    public static final String IN = "host_in";
    /// The read value, zeros above.
    public static final String OUT = "host_out";

    private HostPort() {}

    /// The module with the port; the same where no memory is named.
    ///
    /// @param names memories that are reached, at least one word each
    public static RtlModule added(RtlModule m, List<String> names) {
        List<Memory> reached =
                m.memories().stream().filter(x -> names.contains(x.name())).toList();
        if (reached.isEmpty()) {
            return m;
        }
        var on = new Expr.Ref(ON, 1);
        var bank = new Expr.Ref(BANK, bitsOf(names.size() - 1));
        var address = new Expr.Ref(
                ADDRESS, bitsOf(reached.stream().mapToInt(Memory::depth).max().orElse(1) - 1));
        var write = new Expr.Ref(WRITE, 1);
        var in = new Expr.Ref(IN, reached.stream().mapToInt(Memory::width).max().orElse(1));
        Map<String, Memory> changed = new HashMap<>();
        Expr out = bits(0, in.width());
        var wires = new ArrayList<>(m.wires());
        for (Memory x : reached) {
            Expr here = bank.is(names.indexOf(x.name()));
            var ports = new ArrayList<>(x.ports());
            MemoryPort first = ports.isEmpty()
                    ? new MemoryPort(bits(0, bitsOf(x.depth() - 1)), Optional.empty(), Optional.empty())
                    : ports.removeFirst();
            String read = first.read().orElse(x.name() + "_hq");
            Expr enable = on.and(write).and(here);
            Expr data = in.part(0, x.width());
            var write0 = first.write()
                    .map(w -> new Write(on.select(enable, w.enable()), on.select(data, w.value())))
                    .orElse(new Write(enable, data));
            var at = new Wire(
                    x.name() + "_ha", on.select(sized(address, first.address().width()), first.address()));
            wires.add(at);
            ports.addFirst(new MemoryPort(
                    new Expr.Ref(at.name(), at.value().width()), Optional.of(write0), Optional.of(read)));
            changed.put(x.name(), new Memory(x.name(), x.width(), x.depth(), x.initial(), false, ports));
            out = out.or(here.select(new Expr.Ref(read, x.width()), bits(0, x.width()))
                    .zeros(in.width()));
        }
        wires.add(new Wire(OUT, out));
        var inputs = new ArrayList<>(m.inputs());
        inputs.addAll(List.of(on, bank, address, write, in));
        var outputs = new ArrayList<>(m.outputs());
        outputs.add(OUT);
        return new RtlModule(
                m.name(),
                inputs,
                wires,
                m.registers(),
                m.memories().stream()
                        .map(x -> changed.getOrDefault(x.name(), x))
                        .toList(),
                m.instances(),
                outputs);
    }

    private static Expr sized(Expr e, int width) {
        return width <= e.width() ? e.part(0, width) : e.zeros(width);
    }

    private static int bitsOf(int most) {
        return Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(most));
    }
}
