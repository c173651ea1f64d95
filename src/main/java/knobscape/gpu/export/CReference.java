package knobscape.gpu.export;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.gpu.codegen.Operands;
import knobscape.gpu.codegen.ResultCheck;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.sketch.GraphFormulas;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.sketch.TensorExpression;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Schedule.Role;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;

/// The work of a schedule as plain C, with what a host program needs to compare a result with it.
final class CReference {
    private static final int SEED = 12345;

    private CReference() {}

    static String of(Schedule schedule) {
        Workload w = schedule.source().workload();
        List<Long> extents = ResultCheck.extents(schedule);
        long elements = extents.stream().reduce(1L, Math::multiplyExact);
        boolean all = ResultCheck.all(w, elements);
        return GpuExporter.resource("reference.h")
                .formatted(
                        w.id(),
                        ResultCheck.tolerance(schedule),
                        w.flops(),
                        Operands.isPositive(schedule) ? 1 : 0,
                        SEED,
                        extents.size(),
                        ResultCheck.AT_AN_END,
                        all ? 1 : 0,
                        elements,
                        all ? elements : ResultCheck.sample(extents, SEED).length,
                        schedule.epilogue().quantize().isPresent() ? "0.5" : "0",
                        w.type().isIntegral() ? "GOPS" : "GFLOPS",
                        (w instanceof Workload.Graph && schedule.source() instanceof SketchSource s
                                        ? CComputation.of(s.computation(schedule.epilogue()), schedule.arguments())
                                        : function(schedule, w))
                                + output(schedule, w),
                        schedule.arguments().stream()
                                .map(a -> Operands.range(schedule, a))
                                .map(r -> "  {%s, %dull, %dull},%n".formatted(r.gain(), r.run(), r.turns()))
                                .collect(Collectors.joining()),
                        extents.stream().map(e -> e + "ull,").collect(Collectors.joining(" ")));
    }

    private static String function(Schedule schedule, Workload w) {
        return "static double ks_reference(float **host, size_t position, double *scale) {\n"
                + "  double sum = 0;\n  long long channel;\n"
                + Stream.of(Role.DATA, Role.WEIGHT, Role.SCALE, Role.BIAS, Role.RESIDUAL)
                        .flatMap(r -> input(schedule, r).stream())
                        .collect(Collectors.joining())
                + "  *scale = 0;\n" + sum(w) + "  (void)channel;\n" + epilogue(schedule.epilogue())
                + "  return sum;\n}\n";
    }

    private static Optional<String> input(Schedule schedule, Role role) {
        List<Buffer> buffers =
                schedule.arguments().stream().map(Schedule.Argument::buffer).toList();
        return schedule.buffer(role)
                .map(b -> "  const float *"
                        + (role == Role.SCALE ? "rescale" : role.name().toLowerCase(Locale.ROOT)) + " = host["
                        + buffers.indexOf(b) + "];\n");
    }

    /// The value of an output element.
    private static String output(Schedule schedule, Workload w) {
        String value = schedule.epilogue()
                .quantize()
                .map(q -> "((const " + (q.unsigned() ? "unsigned" : "signed") + " char *)output)["
                        + (w instanceof Workload.Conv2d c
                                ? "(position / %1$dull / 4 * %1$dull + position %% %1$dull) * 4 + position / %1$dull %% 4"
                                        .formatted(c.outHeight() * c.outWidth())
                                : "position")
                        + "]")
                .orElse("output[position]");
        return "static double ks_output(const float *output, size_t position) {\n  return " + value + ";\n}\n";
    }

    /// Access to an element of the data, 128 less where it is unsigned, or of the weights.
    private static String element(Workload w, boolean data, String at) {
        if (w.type() == ElementType.FLOAT16) {
            return "ks_half(" + (data ? "data" : "weight") + ", " + at + ")";
        }
        if (!w.type().isIntegral()) {
            return (data ? "(double)data[" : "weight[") + at + "]";
        }
        boolean unsigned = data && w.type() == ElementType.UINT8;
        return "((double)((const " + (unsigned ? "unsigned" : "signed") + " char *)" + (data ? "data" : "weight") + ")["
                + at + "]" + (unsigned ? " - 128" : "") + ")";
    }

    private static String sum(Workload workload) {
        return switch (workload) {
            case Workload.Conv2d c -> {
                long perGroup = c.channels() / c.groups();
                boolean bytes = c.type().isIntegral();
                String weight = element(
                        c,
                        false,
                        (bytes
                                        ? "(((k * %1$d + c / 4) * %2$d + r) * %3$d + s) * 4 + c %% 4"
                                        : "((k * %4$d + c) * %2$d + r) * %3$d + s")
                                .formatted(perGroup / 4, c.kernelHeight(), c.kernelWidth(), perGroup));
                yield """
                      const long long x = (long long)(position %% %1$d), y = (long long)(position / %1$d %% %2$d), k = (long long)(position / (%1$dLL * %2$d) %% %3$d);
                      const long long n = (long long)(position / (%1$dLL * %2$d * %3$d));
                      const long long first = k / %4$d * %5$d;
                      for (long long c = 0; c < %5$d; ++c) {
                        for (long long r = 0; r < %6$d; ++r) {
                          for (long long s = 0; s < %7$d; ++s) {
                            const long long row = y * %8$d + r * %9$d - %10$d, column = x * %11$d + s * %12$d - %13$d;
                            if (row >= 0 && row < %14$d && column >= 0 && column < %15$d) {
                              const double term = %17$s * %18$s;
                              sum += term;
                              *scale += fabs(term);
                            }%19$s
                          }
                        }
                      }
                      channel = k;
                    """.formatted(
                                c.outWidth(),
                                c.outHeight(),
                                c.filters(),
                                c.filters() / c.groups(),
                                perGroup,
                                c.kernelHeight(),
                                c.kernelWidth(),
                                c.strideHeight(),
                                c.dilationHeight(),
                                c.padTop(),
                                c.strideWidth(),
                                c.dilationWidth(),
                                c.padLeft(),
                                c.height(),
                                c.width(),
                                c.channels(),
                                element(
                                        c,
                                        true,
                                        bytes
                                                ? "((n * %d + c / 4) * %d + row) * %d * 4 + column * 4 + c %% 4"
                                                        .formatted(c.channels() / 4, c.height(), c.width())
                                                : "((n * %d + first + c) * %d + row) * %d + column"
                                                        .formatted(c.channels(), c.height(), c.width())),
                                weight,
                                fill(c, weight));
            }
            case Workload.Dense d ->
                product(d, d.n(), d.k(), "(position / %1$d) * %2$d + k", "(position %% %1$d) * %2$d + k");
            case Workload.BatchMatmul b ->
                product(
                        b,
                        b.n(),
                        b.k(),
                        "(position / %1$d) * %2$d + k",
                        "(position / (%1$dLL * " + b.m() + ") * %2$d + k) * %1$d + position %% %1$d");
            case Workload.Graph _ -> throw new IllegalStateException();
        };
    }

    /// The term of a place outside of a convolution's input.
    private static String fill(Workload.Conv2d c, String weight) {
        int fill = c.padding().fill() - (c.type() == ElementType.UINT8 ? 128 : 0);
        return fill == 0
                ? ""
                : " else {\n            const double term = (%d) * %s;\n            sum += term;\n            *scale += fabs(term);\n          }"
                        .formatted(fill, weight);
    }

    private static String product(Workload w, long n, long k, String left, String right) {
        return ("  for (size_t k = 0; k < %2$d; ++k) {\n    const double term = " + element(w, true, left) + " * "
                        + element(w, false, right) + ";\n    sum += term;\n    *scale += fabs(term);\n  }\n"
                        + "  channel = (long long)(position %% %1$d);\n")
                .formatted(n, k);
    }

    private static String epilogue(Epilogue epilogue) {
        return epilogue.steps().stream()
                .map(step -> switch (step) {
                    case Epilogue.Rescale _ -> "  sum *= rescale[channel];\n  *scale *= fabs(rescale[channel]);\n";
                    case Epilogue.Quantize q -> "  sum = fmin(fmax(sum, " + q.low() + "), " + q.high() + ");\n";
                    case Epilogue.Bias _ -> "  sum += bias[channel];\n  *scale += fabs(bias[channel]);\n";
                    case Epilogue.Residual _ -> "  sum += residual[position];\n  *scale += fabs(residual[position]);\n";
                    case Epilogue.Clamp c ->
                        (c.low() == Double.NEGATIVE_INFINITY
                                        ? ""
                                        : "  sum = sum < " + c.low() + " ? " + c.low() + " : sum;\n")
                                + (c.high() == Double.POSITIVE_INFINITY
                                        ? ""
                                        : "  sum = sum > " + c.high() + " ? " + c.high() + " : sum;\n");
                    case Epilogue.Linear l ->
                        "  sum = (" + l.factor() + ") * sum + (" + l.shift() + ");\n  *scale = " + Math.abs(l.factor())
                                + " * *scale + " + Math.abs(l.shift()) + ";\n";
                    case Epilogue.Activation a ->
                        "  sum = " + text(GraphFormulas.ofElement(a.function())) + ";\n  *scale += fabs(sum);\n";
                })
                .collect(Collectors.joining());
    }

    /// A function of `sum` in C.
    private static String text(TensorExpression e) {
        return switch (e) {
            case TensorExpression.Load _ -> "sum";
            case TensorExpression.Constant c -> "(" + c.value() + ")";
            case TensorExpression.Unary u -> u.function().cName() + "(" + text(u.of()) + ")";
            case TensorExpression.Binary b ->
                switch (b.operator()) {
                    case ADD -> "(" + text(b.left()) + " + " + text(b.right()) + ")";
                    case SUBTRACT -> "(" + text(b.left()) + " - " + text(b.right()) + ")";
                    case MULTIPLY -> "(" + text(b.left()) + " * " + text(b.right()) + ")";
                    case DIVIDE -> "(" + text(b.left()) + " / " + text(b.right()) + ")";
                    case POWER -> "pow(" + text(b.left()) + ", " + text(b.right()) + ")";
                    case MAX -> "fmax(" + text(b.left()) + ", " + text(b.right()) + ")";
                    case MIN -> "fmin(" + text(b.left()) + ", " + text(b.right()) + ")";
                    case DOT -> throw new IllegalArgumentException("a tail has no words of bytes");
                };
            case TensorExpression.Select _ -> throw new IllegalArgumentException("conditions need places");
        };
    }
}
