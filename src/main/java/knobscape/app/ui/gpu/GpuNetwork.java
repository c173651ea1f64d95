package knobscape.app.ui.gpu;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import knobscape.network.subgraph.Subgraph;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.project.tune.TuneSettings;

/// What is opened for tuning: a network, or a file of measured kernels, which is a task of its own.
///
/// @param subject where it comes from and how it is seen
/// @param name of the network
/// @param kernels what is tuned, in the order of the tasks, as a tuning run has them
/// @param graph the drawing; empty for measured kernels
/// @param taskOf for each node of the graph the first kernel that computes it, -1 for none
/// @param notes what was noticed
record GpuNetwork(Subject subject, String name, List<NetworkKernel> kernels, GraphLayout graph, int[] taskOf, List<String> notes) {
    private static final String ZOO = "zoo:";
    private static final String REPLAY = "replay:";

    /// What is opened and how it is seen: whatever changes the kernels.
    ///
    /// @param source file, `zoo:NAME`, or `replay:FILE`
    /// @param batch inputs per run
    /// @param allTemplates every template of a task, or the first
    /// @param fused with what the network fuses behind the kernels
    record Subject(String source, int batch, boolean allTemplates, boolean fused) {
        static Subject of(String source) {
            return new Subject(source, 1, false, true);
        }

        /// As a run saw it.
        Subject as(TuneSettings s) {
            return new Subject(source, s.batch(), s.allTemplates(), s.tails());
        }

        boolean isReplay() {
            return source.startsWith(REPLAY);
        }

        boolean isFile() {
            return !source.startsWith(ZOO);
        }

        /// The file, where it is one.
        Path file() {
            return Path.of(source.replaceFirst("^" + REPLAY, ""));
        }
    }

    /// Reads it. Away from the screen. Throws [knobscape.evaluate.UserError] in one sentence for what cannot be tuned.
    static GpuNetwork read(Subject subject) {
        TunableNetwork n = TunableNetwork.read(subject.source(), subject.batch(), Map.of(), subject.allTemplates(), subject.fused());
        int[] taskOf = new int[n.subgraphs().size()];
        Arrays.fill(taskOf, -1);
        for (int k = 0; k < n.kernels().size(); k++) {
            for (Subgraph s : n.kernels().get(k).places()) {
                taskOf[s.index()] = taskOf[s.index()] < 0 ? k : taskOf[s.index()];
            }
        }
        return new GpuNetwork(subject, n.name(), n.kernels(), GraphLayout.of(n.subgraphs()), taskOf, n.notes());
    }

    /// Name of a kernel that tells it from the others of its task.
    String title(int kernel) {
        NetworkKernel k = kernels.get(kernel);
        return subject.allTemplates() ? k.task() + " " + k.tag() : k.task();
    }

    /// Name of a source without folder and ending.
    static String stem(String source) {
        String name = source.startsWith(ZOO) ? source.substring(ZOO.length()) : String.valueOf(Path.of(source.replaceFirst("^" + REPLAY, "")).getFileName());
        return name.replaceFirst("\\.(onnx|json|csv(\\.gz)?)$", "");
    }
}
