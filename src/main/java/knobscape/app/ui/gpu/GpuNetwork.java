package knobscape.app.ui.gpu;

import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.Imported;
import knobscape.network.source.NetworkSource;
import knobscape.network.subgraph.OperatorFusion;
import knobscape.network.subgraph.Subgraph;
import knobscape.network.task.TuningTasks;
import knobscape.network.task.Workload;
import knobscape.gpu.source.FusedTail;
import knobscape.gpu.source.NetworkKernel;
import knobscape.project.tune.TuneSettings;
import knobscape.space.Configuration;

/// What is opened for tuning: a network, or a file of measured kernels, which is a task of its own.
///
/// @param subject where it comes from and how it is seen
/// @param name of the network
/// @param kernels what is tuned, in the order of the tasks, as a tuning run has them
/// @param graph the drawing; empty for measured kernels
/// @param taskOf for each node of the graph the first kernel that computes it, -1 for none
/// @param notes what was noticed
record GpuNetwork(Subject subject, String name, List<Kernel> kernels, GraphLayout graph, int[] taskOf, List<String> notes) {
    private static final int FLOAT = 4;
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

    /// A tuning task by one of its templates, or a measured set.
    ///
    /// @param task T1, T2, ...
    /// @param work stable name of the work
    /// @param words the work for a person
    /// @param template name of the template, or kind of the set
    /// @param count places in the network
    /// @param flops of one run, 0 where they are not counted
    /// @param size configurations
    /// @param made the kernel itself; empty for a measured set
    record Kernel(String task, String work, String words, String template, int count, long flops, BigInteger size, Optional<NetworkKernel> made) {
        private static Kernel of(NetworkKernel k, boolean named) {
            Workload w = k.task().workload();
            return new Kernel(k.task().name(), w.id(), (named ? k.template().name() + " " : "") + TasksView.words(w), k.template().name(), k.task().count(), w.flops(), BigInteger.valueOf(k.template().space().count()), Optional.of(k));
        }

        /// A configuration's loop nests with the tail that it is searched with; none for a measured set.
        Optional<Schedule> schedule(Configuration c) {
            return made.map(k -> k.template().schedule(c, k.tails().getFirst().epilogue()));
        }

        /// What the network fuses behind it, the one it is searched with first.
        List<FusedTail> tails() {
            return made.map(NetworkKernel::tails).orElse(List.of());
        }

        /// Operations of all its places in the network.
        double totalFlops() {
            return (double) flops * count;
        }

        /// Unit of its speed.
        String unit() {
            return flops > 0 ? "GFLOPS" : "calls/s";
        }

        /// Operations a byte that has to be moved at least: inputs, weights and result once.
        OptionalDouble intensity() {
            return made.map(k -> OptionalDouble.of((double) flops / (FLOAT * elements(k.task().workload())))).orElse(OptionalDouble.empty());
        }

        private static double elements(Workload w) {
            return switch (w) {
                case Workload.Conv2d c -> c.batch() * c.channels() * c.height() * c.width() + c.filters() * (c.channels() / c.groups()) * c.kernelHeight() * c.kernelWidth()
                        + c.batch() * c.filters() * c.outHeight() * c.outWidth();
                case Workload.Dense d -> d.m() * d.k() + d.n() * d.k() + d.m() * d.n();
                case Workload.BatchMatmul b -> b.batch() * (b.m() * b.k() + b.k() * b.n() + b.m() * b.n());
            };
        }
    }

    /// Reads it. Away from the screen. Throws [knobscape.evaluate.UserError] in one sentence for what cannot be tuned.
    static GpuNetwork read(Subject subject) {
        return subject.isReplay() ? measured(subject) : network(subject);
    }

    private static GpuNetwork measured(Subject subject) {
        MeasuredSet set = MeasuredSet.open(subject.file());
        var kernel = new Kernel("T1", set.name(), set.kind().description(), set.kind().description(), 1, set.flops().orElse(0), set.space().size(), Optional.empty());
        var notes = set.repeated() == 0 ? List.<String>of() : List.of(set.repeated() + " rows repeat the knobs of an earlier row; the first one counts.");
        return new GpuNetwork(subject, set.name(), List.of(kernel), GraphLayout.of(List.of()), new int[0], notes);
    }

    private static GpuNetwork network(Subject subject) {
        Imported imported = NetworkSource.read(subject.source(), NetworkSource.options(subject.source(), subject.batch(), Map.of()));
        List<Subgraph> subgraphs = OperatorFusion.subgraphs(imported.network());
        TuningTasks tasks = TuningTasks.of(imported.network(), subgraphs).required(subject.source());
        var notes = new ArrayList<>(imported.notes());
        var kernels = new ArrayList<Kernel>();
        int[] taskOf = new int[subgraphs.size()];
        Arrays.fill(taskOf, -1);
        for (NetworkKernel k : NetworkKernel.of(tasks, subject.allTemplates(), subject.fused(), notes::add)) {
            for (Subgraph s : k.task().subgraphs()) {
                taskOf[s.index()] = taskOf[s.index()] < 0 ? kernels.size() : taskOf[s.index()];
            }
            kernels.add(Kernel.of(k, subject.allTemplates()));
        }
        return new GpuNetwork(subject, tasks.network(), List.copyOf(kernels), GraphLayout.of(subgraphs), taskOf, notes);
    }

    /// Name of a kernel that tells it from the others of its task.
    String title(int kernel) {
        Kernel k = kernels.get(kernel);
        return subject.allTemplates() ? k.task() + " " + k.template() : k.task();
    }

    /// Name of a source without folder and ending.
    static String stem(String source) {
        String name = source.startsWith(ZOO) ? source.substring(ZOO.length()) : String.valueOf(Path.of(source.replaceFirst("^" + REPLAY, "")).getFileName());
        return name.replaceFirst("\\.(onnx|json|csv(\\.gz)?)$", "");
    }
}
