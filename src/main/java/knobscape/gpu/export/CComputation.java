package knobscape.gpu.export;

import java.util.List;
import java.util.stream.Collectors;
import knobscape.gpu.codegen.KernelPrinter;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.sketch.Computation;
import knobscape.gpu.space.sketch.Stage;
import knobscape.gpu.space.sketch.TensorExpression;
import knobscape.gpu.space.sketch.TensorRef;
import knobscape.gpu.space.template.Schedule;

/// A computation as plain C: a function for each stage that gathers, which keeps what it has computed, and one for the
/// result. Numbers carry the scale of their rounding errors.
final class CComputation {
    private final Computation computation;
    private final List<String> buffers;

    private CComputation(Computation computation, List<String> buffers) {
        this.computation = computation;
        this.buffers = buffers;
    }

    static String of(Computation computation, List<Schedule.Argument> arguments) {
        var printer = new CComputation(
                computation, arguments.stream().map(a -> a.buffer().name()).toList());
        return GpuExporter.resource("numbers.h")
                + computation.stages().stream()
                        .filter(s -> !computation.isInlined(s))
                        .map(printer::function)
                        .collect(Collectors.joining())
                + "static double ks_reference(float **host, size_t position, double *scale) {\n  ks_host = host;\n"
                + "  ks_number n = ks_at_" + computation.output().result().name()
                + "((long long)position);\n  *scale = n.scale;\n  return n.value;\n}\n";
    }

    private String function(Stage s) {
        var b = new StringBuilder();
        String name = "ks_at_" + s.result().name();
        boolean kept = s != computation.output();
        b.append("static ks_number ").append(name).append("(long long position) {\n");
        if (kept) {
            b.append("  static ks_number *known;\n  known = ks_known(known, %dull);\n".formatted(s.spaceExtent()))
                    .append("  if (known[position].scale >= 0) {\n    return known[position];\n  }\n");
        }
        long step = s.spaceExtent();
        for (Axis a : s.space()) {
            step /= a.extent();
            b.append("  const long long %s = position / %dLL %% %dLL;\n".formatted(a.name(), step, a.extent()));
        }
        if (s.isReduction()) {
            b.append("  ks_number ks_n = ks_constant(%s);\n  ks_n.scale = 0;\n".formatted(number(s.start())));
            s.reduce()
                    .forEach(a -> b.append(
                            "  for (long long %1$s = 0; %1$s < %2$dLL; ++%1$s) {\n".formatted(a.name(), a.extent())));
            b.append("    ks_n = %s(ks_n, %s);\n".formatted(gather(s.gather()), text(computation.inlined(s.value()))))
                    .append("  }\n".repeat(s.reduce().size()));
        } else {
            b.append("  ks_number ks_n = %s;\n".formatted(text(computation.inlined(s.value()))));
        }
        s.space().forEach(a -> b.append("  (void)").append(a.name()).append(";\n"));
        return b.append(kept ? "  known[position] = ks_n;\n" : "")
                .append("  return ks_n;\n}\n\n")
                .toString();
    }

    private static String gather(NestValue.Operator o) {
        return switch (o) {
            case ADD -> "ks_sum";
            case MAX -> "ks_max";
            case MIN -> "ks_min";
            default -> "ks_mul";
        };
    }

    private static String number(double v) {
        return v < 0 ? "(" + v + ")" : "" + v;
    }

    private String text(TensorExpression e) {
        return switch (e) {
            case TensorExpression.Constant c -> "ks_constant(" + number(c.value()) + ")";
            case TensorExpression.Load l ->
                load(l.tensor(), KernelPrinter.index(l.tensor().flat(l.at())));
            case TensorExpression.Unary u -> "ks_" + u.function().cName() + "(" + text(u.of()) + ")";
            case TensorExpression.Binary b ->
                switch (b.operator()) {
                            case ADD -> "ks_add(";
                            case SUBTRACT -> "ks_sub(";
                            case MULTIPLY -> "ks_mul(";
                            case DIVIDE -> "ks_div(";
                            case POWER -> "ks_pow(";
                            case MAX -> "ks_max(";
                            case MIN -> "ks_min(";
                            case DOT -> throw new IllegalArgumentException("sketches have no words of bytes");
                        }
                        + text(b.left()) + ", " + text(b.right()) + ")";
            case TensorExpression.Select s -> {
                String test = KernelPrinter.conditions(s.conditions());
                yield test.isEmpty()
                        ? text(s.then())
                        : "(" + test + " ? " + text(s.then()) + " : " + text(s.otherwise()) + ")";
            }
        };
    }

    private String load(TensorRef t, String at) {
        return computation.producer(t).isPresent()
                ? "ks_at_" + t.name() + "(" + at + ")"
                : "ks_given(ks_host[" + buffers.indexOf(t.name()) + "][" + at + "])";
    }
}
