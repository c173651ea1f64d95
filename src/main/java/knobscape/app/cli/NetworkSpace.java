package knobscape.app.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.gpu.GpuArea;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.export.TuningJson;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.network.einsum.EinsumFiles;
import knobscape.network.source.NetworkNames;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The summary of a network, for `space`: its kernels with the sizes of their spaces, and what has no template.
final class NetworkSpace {
    private NetworkSpace() {}

    /// The network that a source names; empty where it is no network.
    ///
    /// @param dims extents that its file leaves open
    static Optional<TunableNetwork> of(Path source, Map<String, Long> dims, Path here) {
        String name = source.toString();
        if (name.startsWith(NetworkNames.ZOO)
                || name.endsWith(".onnx")
                || EinsumFiles.isWorkload(here.resolve(source))
                || (name.endsWith(".json")
                        && !name.endsWith(ProjectFile.FILE_NAME)
                        && !ReplaySet.recognises(here.resolve(source)))) {
            return Optional.of(
                    TunableNetwork.read(NetworkNames.source(name, here), 1, dims, TunableNetwork.Ways.FIRST, true));
        }
        if (!here.resolve(source).resolve(ProjectFile.FILE_NAME).toFile().isFile()) {
            return Optional.empty();
        }
        try (Project project = Project.open(here.resolve(source).normalize())) {
            return project.file().work() instanceof GpuSettings g
                    ? Optional.of(new GpuArea()
                            .open(dims.isEmpty() ? g : g.with(GpuSettings.EXTENTS, dims), project)
                            .network())
                    : Optional.empty();
        }
    }

    static ObjectNode json(TunableNetwork n) {
        ObjectNode root = JsonMapper.shared().createObjectNode().put("network", n.name());
        ArrayNode kernels = root.putArray("kernels");
        for (NetworkKernel k : n.kernels()) {
            kernels.addObject()
                    .put("task", k.task())
                    .put("kernel", k.id())
                    .put("work", k.words())
                    .put("count", k.count())
                    .put("flops", k.flops())
                    .putObject("size")
                    .put("full", k.size().toString());
        }
        TuningJson.untuned(root.putArray("untuned"), n.untuned());
        n.notes().forEach(root.putArray("warnings")::add);
        return root;
    }

    static void print(TunableNetwork n, PrintWriter out) {
        out.println("Network " + n.name() + ": " + n.kernels().size()
                + (n.kernels().size() == 1 ? " kernel to tune" : " kernels to tune"));
        var t = new TextTable("task", "kernel", ">count", ">MFLOP", ">configurations");
        for (NetworkKernel k : n.kernels()) {
            t.add(
                    k.task(),
                    k.words(),
                    "" + k.count(),
                    String.format(Locale.ROOT, "%.1f", k.flops() * 1e-6),
                    k.size().toString());
        }
        out.print(t.text());
        n.notes().forEach(out::println);
        out.flush();
    }
}
