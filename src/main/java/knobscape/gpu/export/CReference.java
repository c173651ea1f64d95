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
                        all ? elements : ResultCheck.sample(extents, SEED).length,
                        w instanceof Workload.Graph && schedule.source() instanceof SketchSource s
                                ? CComputation.of(s.computation(schedule.epilogue()), schedule.arguments())
                                : function(schedule, w),
                        schedule.arguments().stream()
                                .map(a -> Operands.range(schedule, a))
                                .map(r -> "  {%s, %dull, %dull},%n".formatted(r.gain(), r.run(), r.turns()))
                                .collect(Collectors.joining()),
                        extents.stream().map(e -> e + "ull,").collect(Collectors.joining(" ")));
    }

    private static String function(Schedule schedule, Workload w) {
        return "static double ks_reference(float **host, size_t position, double *scale) {\n"
                + "  double sum = 0;\n  long long channel;\n"
                + Stream.of(Role.DATA, Role.WEIGHT, Role.BIAS, Role.RESIDUAL)
                        .flatMap(r -> input(schedule, r).stream())
                        .collect(Collectors.joining())
                + "  *scale = 0;\n" + sum(w) + "  (void)channel;\n" + epilogue(schedule.epilogue())
                + "  return sum;\n}\n";
    }

    private static Optional<String> input(Schedule schedule, Role role) {
        List<Buffer> buffers =
                schedule.arguments().stream().map(Schedule.Argument::buffer).toList();
        return schedule.buffer(role)
                .map(b -> "  const float *" + role.name().toLowerCase(Locale.ROOT) + " = host[" + buffers.indexOf(b)
                        + "];\n");
    }

    private static String sum(Workload workload) {
        return switch (workload) {
            case Workload.Conv2d c -> {
                long perGroup = c.channels() / c.groups();
                yield """
                          const long long x = (long long)(position %% %1$d), y = (long long)(position / %1$d %% %2$d), k = (long long)(position / (%1$dLL * %2$d) %% %3$d);
                          const long long n = (long long)(position / (%1$dLL * %2$d * %3$d));
                          const long long first = k / %4$d * %5$d;
                          for (long long c = 0; c < %5$d; ++c) {
                            for (long long r = 0; r < %6$d; ++r) {
                              for (long long s = 0; s < %7$d; ++s) {
                                const long long row = y * %8$d + r * %9$d - %10$d, column = x * %11$d + s * %12$d - %13$d;
                                if (row >= 0 && row < %14$d && column >= 0 && column < %15$d) {
                                  const double term = (double)data[((n * %16$d + first + c) * %14$d + row) * %15$d + column] * weight[((k * %5$d + c) * %6$d + r) * %7$d + s];
                                  sum += term;
                                  *scale += fabs(term);
                                }
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
                                c.channels());
            }
            case Workload.Dense d ->
                product(d.n(), d.k(), "(position / %1$d) * %2$d + k", "(position %% %1$d) * %2$d + k");
            case Workload.BatchMatmul b ->
                product(
                        b.n(),
                        b.k(),
                        "(position / %1$d) * %2$d + k",
                        "(position / (%1$dLL * " + b.m() + ") * %2$d + k) * %1$d + position %% %1$d");
            case Workload.Graph _ -> throw new IllegalStateException();
        };
    }

    private static String product(long n, long k, String left, String right) {
        return ("  for (size_t k = 0; k < %2$d; ++k) {\n    const double term = (double)data[" + left + "] * weight["
                        + right + "];\n    sum += term;\n    *scale += fabs(term);\n  }\n"
                        + "  channel = (long long)(position %% %1$d);\n")
                .formatted(n, k);
    }

    private static String epilogue(Epilogue epilogue) {
        return epilogue.steps().stream()
                .map(step -> switch (step) {
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
                };
            case TensorExpression.Select _ -> throw new IllegalArgumentException("conditions need places");
        };
    }
}
