package knobscape.hls.rtl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import knobscape.hls.rtl.RtlModule.Register;
import knobscape.hls.rtl.RtlModule.Wire;
import knobscape.hls.rtl.RtlModule.Write;

/// An operator in steps. Registers go between steps where the clock asks for them, and always behind the last one; a
/// new operation may start every cycle.
///
/// @param name of its kind, part of the module's name
/// @param inputs operands
/// @param steps in order; the last one has a wire named [#RESULT]
public record StagedCore(String name, List<Expr.Ref> inputs, List<Step> steps) {
    /// Name of the output.
    public static final String RESULT = "q";

    private static final String LAST = "o";

    public StagedCore {
        inputs = List.copyOf(inputs);
        steps = List.copyOf(steps);
    }

    /// A step.
    ///
    /// @param delay ns from its inputs to its outputs with routing
    /// @param wires each may read inputs, wires of earlier steps and those above it
    public record Step(double delay, List<Wire> wires) {
        public Step {
            wires = List.copyOf(wires);
        }
    }

    /// Where registers go for a period.
    ///
    /// @param ends index of the last step of each cycle; -1 first where the operands have registers
    /// @param first delay of the first cycle, ns
    public record Timing(List<Integer> ends, double first) {
        public Timing {
            ends = List.copyOf(ends);
        }

        /// Cycles from the operands to the result.
        public int latency() {
            return ends.size();
        }

        /// The same with a register at each operand, so that choosing among several has a cycle of its own.
        public Timing behindRegisters() {
            return new Timing(Stream.concat(Stream.of(-1), ends.stream()).toList(), 0);
        }
    }

    /// Puts as many steps into each cycle as its time allows.
    ///
    /// @param budget ns of a cycle that are left for logic
    public Timing timing(double budget) {
        var ends = new ArrayList<Integer>();
        double sum = 0;
        double first = 0;
        for (int i = 0; i < steps.size(); i++) {
            double d = steps.get(i).delay();
            if (sum > 0 && sum + d > budget) {
                ends.add(i - 1);
                sum = 0;
            }
            sum += d;
            first = ends.isEmpty() ? sum : first;
        }
        ends.add(steps.size() - 1);
        return new Timing(ends, first);
    }

    /// Width of the result.
    public int width() {
        return steps.getLast().wires().stream()
                .filter(w -> w.name().equals(LAST))
                .findFirst()
                .orElseThrow()
                .value()
                .width();
    }

    /// The module with registers at these places.
    public RtlModule module(String moduleName, Timing timing) {
        var cycle = new HashMap<String, Integer>();
        var widths = new HashMap<String, Integer>();
        inputs.forEach(i -> {
            cycle.put(i.name(), 0);
            widths.put(i.name(), i.width());
        });
        int[] of = new int[steps.size()];
        int at = timing.ends().contains(-1) ? 1 : 0;
        for (int i = 0; i < of.length; i++) {
            of[i] = at;
            at += timing.ends().contains(i) ? 1 : 0;
        }
        var longest = new HashMap<String, Integer>();
        var wires = new ArrayList<Wire>();
        for (int i = 0; i < of.length; i++) {
            int here = of[i];
            for (Wire w : steps.get(i).wires()) {
                wires.add(new Wire(w.name(), w.value().over(r -> delayed(r, here, cycle, longest))));
                cycle.put(w.name(), here);
                widths.put(w.name(), w.value().width());
            }
        }
        longest.merge(LAST, 1, Math::max);
        var registers = new ArrayList<Register>();
        longest.forEach((name, most) -> {
            for (int k = 1; k <= most; k++) {
                int width = widths.getOrDefault(name, 1);
                registers.add(new Register(
                        held(name, k),
                        width,
                        OptionalLong.empty(),
                        List.of(new Write(Expr.bits(1, 1), new Expr.Ref(k == 1 ? name : held(name, k - 1), width)))));
            }
        });
        registers.sort(java.util.Comparator.comparing(Register::name));
        wires.add(new Wire(RESULT, new Expr.Ref(held(LAST, 1), width())));
        return new RtlModule(moduleName, inputs, wires, registers, List.of(), List.of(), List.of(RESULT));
    }

    private static Expr.Ref delayed(Expr.Ref r, int here, Map<String, Integer> cycle, Map<String, Integer> longest) {
        Integer made = cycle.get(r.name());
        if (made == null) {
            throw new IllegalArgumentException("a step reads " + r.name() + ", which no step before makes");
        }
        int k = here - made;
        if (k > 0) {
            longest.merge(r.name(), k, Math::max);
        }
        return k == 0 ? r : new Expr.Ref(held(r.name(), k), r.width());
    }

    private static String held(String name, int k) {
        return name + "_" + k;
    }

    /// Collects the wires of a step.
    static final class StepWires {
        private final List<Wire> wires = new ArrayList<>();

        /// Names a value.
        Expr.Ref put(String name, Expr value) {
            wires.add(new Wire(name, value));
            return new Expr.Ref(name, value.width());
        }

        Step of(double delay) {
            return new Step(delay, wires);
        }
    }
}
