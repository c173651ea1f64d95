package knobscape.gpu.export;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import knobscape.gpu.space.nest.Axis.Binding;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Schedule.Role;

/// A C header that says how the kernels of a schedule are launched: buffers, grids, blocks, arguments, order.
final class LaunchHeader {
    private LaunchHeader() {}

    static String of(Schedule s) {
        List<LoopNest> all = new ArrayList<>(s.setup());
        all.addAll(s.kernels());
        var b = new StringBuilder();
        b.append("/* ")
                .append(s.template().id())
                .append("\n * ")
                .append(s.configuration().text().replace(";", "\n * "))
                .append("\n *\n")
                .append(
                        " * Kernels run in the order of ks_kernels; those with setup = 1 once, when the weights are known. Buffers hold 32-bit floats:\n")
                .append(" * ")
                .append(layout(s))
                .append(" */\n");
        b.append("#ifndef KNOBSCAPE_LAUNCH_H\n#define KNOBSCAPE_LAUNCH_H\n#include <stddef.h>\n\n");
        b.append(
                "typedef enum { KS_DATA, KS_WEIGHT, KS_BIAS, KS_RESIDUAL, KS_OUTPUT, KS_PREPARED, KS_WORKSPACE } ks_role;\n");
        b.append("typedef struct { const char *name; ks_role role; size_t floats; } ks_buffer;\n");
        b.append("#define KS_MAX_ARGUMENTS 8\n");
        b.append(
                "typedef struct { const char *name; unsigned grid[3]; unsigned block[3]; unsigned shared_bytes; int setup; int arguments; int argument[KS_MAX_ARGUMENTS]; } ks_kernel;\n\n");
        for (Role r : List.of(Role.DATA, Role.WEIGHT, Role.BIAS, Role.RESIDUAL, Role.OUTPUT)) {
            b.append("#define KS_")
                    .append(r)
                    .append("_BUFFER ")
                    .append(position(s, r))
                    .append('\n');
        }
        b.append("#define KS_BUFFERS ")
                .append(s.arguments().size())
                .append("\n#define KS_KERNELS ")
                .append(all.size())
                .append("\n#define KS_FUNCTIONS {")
                .append(all.stream().map(k -> "(const void *)" + k.name()).collect(Collectors.joining(", ")))
                .append("}\n\n");
        b.append("static const ks_buffer ks_buffers[KS_BUFFERS] = {\n");
        s.arguments()
                .forEach(a -> b.append("  {\"")
                        .append(a.buffer().name())
                        .append("\", KS_")
                        .append(a.role())
                        .append(", ")
                        .append(a.buffer().elements())
                        .append("u},\n"));
        b.append("};\n\nstatic const ks_kernel ks_kernels[KS_KERNELS] = {\n");
        for (LoopNest k : all) {
            b.append("  {\"")
                    .append(k.name())
                    .append("\", {")
                    .append(k.extent(Binding.BLOCK_X))
                    .append("u, ")
                    .append(k.extent(Binding.BLOCK_Y))
                    .append("u, ")
                    .append(k.extent(Binding.BLOCK_Z))
                    .append("u}, {")
                    .append(k.extent(Binding.THREAD_X))
                    .append("u, ")
                    .append(k.extent(Binding.THREAD_Y))
                    .append("u, ")
                    .append(k.extent(Binding.THREAD_Z))
                    .append("u}, ")
                    .append(k.sharedBytes())
                    .append("u, ")
                    .append(s.setup().contains(k) ? 1 : 0)
                    .append(", ")
                    .append(k.parameters().size())
                    .append(", {")
                    .append(k.parameters().stream()
                            .map(p -> String.valueOf(s.arguments().stream()
                                    .map(Schedule.Argument::buffer)
                                    .toList()
                                    .indexOf(p)))
                            .collect(Collectors.joining(", ")))
                    .append("}},\n");
        }
        return b.append("};\n#endif\n").toString();
    }

    private static int position(Schedule s, Role role) {
        for (int i = 0; i < s.arguments().size(); i++) {
            if (s.arguments().get(i).role() == role) {
                return i;
            }
        }
        return -1;
    }

    private static String layout(Schedule s) {
        return switch (s.template().workload()) {
            case knobscape.network.task.Workload.Conv2d _ ->
                "data and output are NCHW, weights KCRS, one bias for each output channel.";
            case knobscape.network.task.Workload.Dense _ ->
                "data is M x K, weights N x K (output features first), output M x N, all row by row; one bias for each column.";
            case knobscape.network.task.Workload.BatchMatmul _ ->
                "data is B x M x K, weights B x K x N, output B x M x N, all row by row.";
        };
    }
}
