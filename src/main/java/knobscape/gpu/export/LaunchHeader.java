package knobscape.gpu.export;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Schedule.Role;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;

/// A C header that says how the kernels of a schedule are launched: buffers, grids, blocks, arguments, order.
final class LaunchHeader {
    private LaunchHeader() {}

    static String of(Schedule s) {
        List<Buffer> buffers =
                s.arguments().stream().map(Schedule.Argument::buffer).toList();
        return GpuExporter.resource("launch.h")
                .formatted(
                        s.source().id(),
                        s.configuration().text().replace(";", "\n * "),
                        layout(s),
                        lines(
                                List.of(Role.DATA, Role.WEIGHT, Role.SCALE, Role.BIAS, Role.RESIDUAL, Role.OUTPUT),
                                r -> "#define KS_" + r + "_BUFFER "
                                        + s.buffer(r).map(buffers::indexOf).orElse(-1)),
                        buffers.size(),
                        s.all().size(),
                        s.all().stream().map(k -> "(const void *)" + k.name()).collect(Collectors.joining(", ")),
                        lines(
                                s.arguments(),
                                a -> "  {\"%s\", KS_%s, %du, %d},"
                                        .formatted(
                                                a.buffer().name(),
                                                a.role(),
                                                a.buffer().words(),
                                                kind(a.buffer().format()))),
                        lines(s.all(), k -> kernel(k, s.setup().contains(k), buffers)));
    }

    private static int kind(Buffer.Format format) {
        return switch (format) {
            case FLOAT -> 0;
            case HALF -> 2;
            default -> 1;
        };
    }

    private static <T> String lines(List<T> all, Function<T, String> line) {
        return all.stream().map(x -> line.apply(x) + "\n").collect(Collectors.joining());
    }

    private static String kernel(LoopNest k, boolean setup, List<Buffer> buffers) {
        return "  {\"%s\", {%s}, {%s}, %du, %d, %d, {%s}},"
                .formatted(
                        k.name(),
                        unsigned(k.grid()),
                        unsigned(k.block()),
                        k.sharedBytes(),
                        setup ? 1 : 0,
                        k.parameters().size(),
                        k.parameters().stream()
                                .map(p -> "" + buffers.indexOf(p))
                                .collect(Collectors.joining(", ")));
    }

    private static String unsigned(long[] values) {
        return Arrays.stream(values).mapToObj(v -> v + "u").collect(Collectors.joining(", "));
    }

    private static String layout(Schedule s) {
        Workload w = s.source().workload();
        return floats(s)
                + (w.type().isIntegral() ? integers(w, s.epilogue().quantize().isPresent()) : "")
                + (w.type() == ElementType.FLOAT16
                        ? "\n * Data and weights are 16-bit floats, two to a word, sums and everything else 32-bit ones."
                        : "");
    }

    /// The layout and meaning of integers.
    private static String integers(Workload w, boolean rounded) {
        boolean unsigned = w.type() == ElementType.UINT8;
        return "\n * Data are " + (unsigned ? "unsigned" : "signed") + " and weights signed 8-bit integers"
                + (w instanceof Workload.Conv2d
                        ? ", NC/4HW4 and KC/4RS4: the integers of four channels make a word, the first in its lowest"
                                + " bits"
                                + (rounded ? "; so is the output, not NCHW" : "")
                        : ", four neighbours to a word, the first in its lowest bits")
                + ".\n * An element is the sum of products "
                + (unsigned ? "with 128 less than the data" : "")
                + " times the scale of its channel, plus the bias. With a zero point z of the data, bias =\n"
                + " * the layer's bias "
                + (unsigned ? "+ scale * (128 - z)" : "- scale * z") + " * the sum of the channel's weights.";
    }

    private static String floats(Schedule s) {
        return switch (s.source().workload()) {
            case Workload.Conv2d c ->
                (c.type().isIntegral() ? "" : "data and weights are NCHW and KCRS, ")
                        + "output is NCHW, one bias for each output channel.";
            case Workload.Dense _ ->
                "data is M x K, weights N x K (output features first), output M x N, all row by row; one bias for each"
                        + " column.";
            case Workload.Graph _ -> "tensors lie row by row, as ONNX has them, with the names of schedule.json.";
            case Workload.BatchMatmul _ -> "data is B x M x K, weights B x K x N, output B x M x N, all row by row.";
        };
    }
}
