package knobscape.hls.rtl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import knobscape.hls.rtl.RtlModule.Instance;
import knobscape.hls.rtl.RtlModule.Memory;
import knobscape.hls.rtl.RtlModule.MemoryPort;
import knobscape.hls.rtl.RtlModule.Register;

/// Prints modules as Verilog 2005. Every part of an expression whose width or sign the language would change gets a
/// wire of its own.
public final class Verilog {
    private final RtlModule module;
    private final List<String> declared = new ArrayList<>();
    private final List<String> assigned = new ArrayList<>();
    private final List<String> clocked = new ArrayList<>();
    private int helpers;

    private Verilog(RtlModule module) {
        this.module = module;
    }

    /// The text of a module and of all modules inside, each once.
    public static String of(RtlModule module) {
        var all = new LinkedHashMap<String, RtlModule>();
        collect(module, all);
        return all.values().stream().map(m -> new Verilog(m).text()).collect(Collectors.joining("\n"));
    }

    private static void collect(RtlModule m, Map<String, RtlModule> all) {
        m.instances().forEach(i -> collect(i.module(), all));
        RtlModule before = all.putIfAbsent(m.name(), m);
        if (before != null && !before.equals(m)) {
            throw new IllegalArgumentException("two modules named " + m.name());
        }
    }

    private String text() {
        Map<String, Integer> widths = module.widths();
        var ports = new ArrayList<>(List.of("input clk", "input rst"));
        module.inputs().forEach(i -> ports.add("input " + range(i.width()) + i.name()));
        module.outputs().forEach(o -> ports.add("output " + range(widths.getOrDefault(o, 1)) + "o_" + o));
        for (Register r : module.registers()) {
            declared.add("reg " + range(r.width()) + r.name() + ";");
        }
        module.instances()
                .forEach(i -> i.outputs()
                        .forEach(
                                (_, here) -> declared.add("wire " + range(widths.getOrDefault(here, 1)) + here + ";")));
        for (RtlModule.Wire w : module.wires()) {
            declared.add("wire " + range(w.value().width()) + w.name() + ";");
            assigned.add("assign " + w.name() + " = " + of(w.value()) + ";");
        }
        module.memories().forEach(this::memory);
        module.registers().forEach(this::register);
        module.instances().forEach(this::instance);
        module.outputs().forEach(o -> assigned.add("assign o_" + o + " = " + o + ";"));
        return "module " + module.name() + "(\n    " + String.join(",\n    ", ports) + ");\n"
                + lines("  ", declared) + lines("  ", assigned)
                + (clocked.isEmpty() ? "" : "  always @(posedge clk) begin\n" + lines("    ", clocked) + "  end\n")
                + "endmodule\n";
    }

    private static String lines(String indent, List<String> all) {
        return all.stream().map(l -> indent + l + "\n").collect(Collectors.joining());
    }

    private static String range(int width) {
        return width == 1 ? "" : "[" + (width - 1) + ":0] ";
    }

    private void register(Register r) {
        for (RtlModule.Write w : r.writes()) {
            boolean always = w.enable() instanceof Expr.Bits b && b.value() == 1;
            clocked.add((always ? "" : "if (" + of(w.enable()) + ") ") + r.name() + " <= " + of(w.value()) + ";");
        }
        r.reset().ifPresent(v -> clocked.add("if (rst) " + r.name() + " <= " + constant(v, r.width()) + ";"));
    }

    private void instance(Instance i) {
        var connected = new ArrayList<>(List.of(".clk(clk)", ".rst(rst)"));
        i.module().inputs().forEach(p -> {
            Expr e = Optional.ofNullable(i.inputs().get(p.name())).orElseThrow();
            connected.add("." + p.name() + "(" + of(e) + ")");
        });
        i.module().outputs().stream()
                .filter(i.outputs()::containsKey)
                .forEach(o -> connected.add(".o_" + o + "(" + i.outputs().get(o) + ")"));
        assigned.add(i.module().name() + " " + i.name() + "(" + String.join(", ", connected) + ");");
    }

    private void memory(Memory m) {
        declared.add("(* no_rw_check *) reg " + range(m.width()) + m.name() + " [0:" + (m.depth() - 1) + "];");
        if (!m.initial().isEmpty()) {
            declared.add("integer init_" + m.name() + ";");
            var values = new StringBuilder();
            for (int i = 0; i < m.initial().size(); i++) {
                if (m.initial().get(i) != 0 || m.constant()) {
                    values.append(
                            m.name() + "[" + i + "] = " + constant(m.initial().get(i), m.width()) + "; ");
                }
            }
            assigned.add("initial begin for (init_" + m.name() + " = 0; init_" + m.name() + " < " + m.depth()
                    + "; init_" + m.name() + " = init_" + m.name() + " + 1) " + m.name() + "[init_" + m.name() + "] = "
                    + constant(0, m.width()) + "; " + values + "end");
        }
        for (MemoryPort p : m.ports()) {
            String at = m.name() + "[" + named(p.address()) + "]";
            p.read().ifPresent(r -> declared.add("reg " + range(m.width()) + r + ";"));
            String read = p.read().map(r -> r + " <= " + at + ";").orElse("");
            String write = p.write()
                    .map(w -> "if (" + of(w.enable()) + ") " + at + " <= " + of(w.value()) + ";"
                            + (read.isEmpty() ? "" : " else "))
                    .orElse("");
            assigned.add("always @(posedge clk) begin " + write + read + " end");
        }
    }

    private static String constant(long value, int width) {
        return width + "'h" + Long.toHexString(Expr.mask(value, width));
    }

    /// A name for a value.
    private String named(Expr e) {
        if (e instanceof Expr.Ref r) {
            return r.name();
        }
        String name = "t_" + helpers++;
        String value = of(e);
        declared.add("wire " + range(e.width()) + name + ";");
        assigned.add("assign " + name + " = " + value + ";");
        return name;
    }

    private String of(Expr e) {
        return switch (e) {
            case Expr.Bits b -> constant(b.value(), b.width());
            case Expr.Ref r -> r.name();
            case Expr.Part p -> part(p);
            case Expr.Extended x
            when !x.signed() -> "{" + constant(0, x.width() - x.of().width()) + ", " + of(x.of()) + "}";
            case Expr.Extended x -> {
                String n = named(x.of());
                String top = x.of().width() == 1 ? n : n + "[" + (x.of().width() - 1) + "]";
                yield "{{" + (x.width() - x.of().width()) + "{" + top + "}}, " + n + "}";
            }
            case Expr.Applied a -> applied(a);
        };
    }

    private String part(Expr.Part p) {
        String n = named(p.of());
        if (p.of().width() == 1) {
            return n;
        }
        return p.width() == 1 ? n + "[" + p.low() + "]" : n + "[" + (p.low() + p.width() - 1) + ":" + p.low() + "]";
    }

    private String applied(Expr.Applied a) {
        List<String> o = a.operands().stream().map(this::of).toList();
        return switch (a.operator()) {
            case ADD -> infix(o, "+");
            case SUB -> infix(o, "-");
            case MUL -> infix(o, "*");
            case AND -> infix(o, "&");
            case OR -> infix(o, "|");
            case XOR -> infix(o, "^");
            case EQUAL -> infix(o, "==");
            case LESS -> infix(o, "<");
            case NOT -> "(~" + o.getFirst() + ")";
            case SIGNED_MUL -> {
                // The width comes from the left side of an assignment.
                String name = "t_" + helpers++;
                declared.add("wire " + range(a.width()) + name + ";");
                assigned.add("assign " + name + " = $signed(" + o.get(0) + ") * $signed(" + o.get(1) + ");");
                yield name;
            }
            case SIGNED_LESS -> "($signed(" + o.get(0) + ") < $signed(" + o.get(1) + "))";
            case SHIFT_LEFT -> infix(o, "<<");
            case SHIFT_RIGHT -> infix(o, ">>");
            // Braces keep the sign inside.
            case SIGNED_SHIFT_RIGHT -> "{$signed(" + o.get(0) + ") >>> " + o.get(1) + "}";
            case SELECT -> "(" + o.get(0) + " ? " + o.get(1) + " : " + o.get(2) + ")";
            case CONCAT -> "{" + String.join(", ", o) + "}";
            case ANY -> "(|" + o.getFirst() + ")";
        };
    }

    private static String infix(List<String> o, String operator) {
        return "(" + o.get(0) + " " + operator + " " + o.get(1) + ")";
    }
}
