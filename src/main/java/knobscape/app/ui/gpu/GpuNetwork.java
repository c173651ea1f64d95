package knobscape.app.ui.gpu;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import knobscape.gpu.template.Schedule;
import knobscape.gpu.template.Template;
import knobscape.network.ImportOptions;
import knobscape.network.Imported;
import knobscape.network.source.NetworkSource;
import knobscape.network.subgraph.OperatorFusion;
import knobscape.network.subgraph.Subgraph;
import knobscape.network.task.TuningTask;
import knobscape.network.task.TuningTasks;
import knobscape.network.task.Workload;
import knobscape.project.tune.FusedTail;
import knobscape.project.tune.NetworkKernel;
import knobscape.space.Configuration;

/// A network opened for tuning.
///
/// @param source file or `zoo:NAME`
/// @param name of the network
/// @param kernels what is tuned, in the order of the tasks, as a tuning run has them
/// @param graph the drawing
/// @param taskOf for each node of the graph the kernel that computes it, -1 for none
/// @param notes what was noticed
record GpuNetwork(String source, String name, List<Kernel> kernels, GraphLayout graph, int[] taskOf, List<String> notes) {
    private static final int FLOAT = 4;

    /// A tuning task with one of its templates and what the network fuses behind it.
    record Kernel(TuningTask task, Template template, List<FusedTail> tails) {
        /// A configuration's loop nests with the tail that it is searched with.
        Schedule schedule(Configuration c) {
            return template.schedule(c, tails.getFirst().epilogue());
        }

        /// Operations of all its places in the network.
        long totalFlops() {
            return task.workload().flops() * task.count();
        }

        /// Operations a byte that has to be moved at least: inputs, weights and result once.
        double intensity() {
            long elements = switch (task.workload()) {
                case Workload.Conv2d c -> c.batch() * c.channels() * c.height() * c.width() + c.filters() * (c.channels() / c.groups()) * c.kernelHeight() * c.kernelWidth()
                        + c.batch() * c.filters() * c.outHeight() * c.outWidth();
                case Workload.Dense d -> d.m() * d.k() + d.n() * d.k() + d.m() * d.n();
                case Workload.BatchMatmul b -> b.batch() * (b.m() * b.k() + b.k() * b.n() + b.m() * b.n());
            };
            return (double) task.workload().flops() / (FLOAT * elements);
        }
    }

    /// Reads a network. Away from the screen.
    static GpuNetwork read(String source) {
        Imported imported = NetworkSource.read(source, source.endsWith(".json") ? ImportOptions.none() : ImportOptions.batch(1));
        List<Subgraph> subgraphs = OperatorFusion.subgraphs(imported.network());
        TuningTasks tasks = TuningTasks.of(imported.network(), subgraphs).required();
        var notes = new ArrayList<>(imported.notes());
        var kernels = new ArrayList<Kernel>();
        int[] taskOf = new int[subgraphs.size()];
        java.util.Arrays.fill(taskOf, -1);
        for (NetworkKernel k : NetworkKernel.of(tasks, false, true, notes::add)) {
            for (Subgraph s : k.task().subgraphs()) {
                taskOf[s.index()] = kernels.size();
            }
            kernels.add(new Kernel(k.task(), k.template(), k.tails()));
        }
        return new GpuNetwork(source, tasks.network(), List.copyOf(kernels), GraphLayout.of(subgraphs), taskOf, notes);
    }

    /// Name of the source without folder and ending.
    static String stem(String source) {
        String name = source.startsWith("zoo:") ? source.substring(4) : String.valueOf(Path.of(source).getFileName());
        return name.replaceFirst("\\.(onnx|json|csv(\\.gz)?)$", "");
    }
}
