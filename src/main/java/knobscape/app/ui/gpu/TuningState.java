package knobscape.app.ui.gpu;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import knobscape.evaluate.EvaluatorKind;
import knobscape.gpu.GpuArea;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.export.KernelState;
import knobscape.project.RunStatus;
import knobscape.work.RunSettings;

/// A run as the window shows it.
///
/// @param id number of the run in its project, 0 while it is being set up
/// @param what what it tunes
/// @param how how it tunes
/// @param status how it stands
/// @param kernels how its kernels stand
/// @param network the network's time, where it changed
/// @param beliefs what the cost model said, by kernel
/// @param picks why it measured what it did
record TuningState(
        long id,
        GpuSettings what,
        RunSettings how,
        RunStatus status,
        List<KernelState> kernels,
        List<NetworkTime> network,
        List<Belief> beliefs,
        SelectionLog picks) {
    /// The time of the network's kernels at a moment.
    ///
    /// @param trials measurements of the run until then
    /// @param milliseconds of all tasks; those that have not run count at the best rate so far
    /// ([knobscape.gpu.export.TunedNetwork#wholeMilliseconds()])
    /// @param left how many tasks have not run
    record NetworkTime(int trials, double milliseconds, int left) {
        /// True if every task has run.
        boolean isWhole() {
            return left == 0;
        }
    }

    /// Milliseconds of the network once every task has run; empty before.
    OptionalDouble latency() {
        return network.isEmpty() || !network.getLast().isWhole()
                ? OptionalDouble.empty()
                : OptionalDouble.of(network.getLast().milliseconds());
    }

    /// A cost model's belief about a kernel.
    ///
    /// @param predicted milliseconds predicted (first) and measured (second)
    /// @param loss by epoch of the last training before the kernel's last turn, empty where there was none
    /// @param attention by head and group of features, empty where the model has none
    record Belief(List<double[]> predicted, double[] loss, double[] attention) {
        static final Belief NONE = new Belief(List.of(), new double[0], new double[0]);
    }

    /// The belief about a kernel.
    Belief belief(int kernel) {
        return kernel < beliefs.size() ? beliefs.get(kernel) : Belief.NONE;
    }

    /// The word for the method of an imported run.
    static final String LOG = EvaluatorKind.LOG.word();

    /// The word for the method of several runs taken together.
    static final String BEST = "best";

    /// `BTED+BAO, seed 1, GeForce GTX 1080 Ti (model)`.
    String title() {
        return title(how);
    }

    static String title(RunSettings how) {
        return how.method().equals(BEST)
                ? "Best of the runs on " + device(how.toolchain())
                : how.method().equals(LOG)
                        ? "Log " + EvaluatorKind.LOG.argument(how.toolchain()).orElse("")
                        : label(how.method()) + ", seed " + how.seed() + ", " + device(how.toolchain());
    }

    /// The common name of runs that differ in their seed alone: `BTED+BAO, GeForce GTX 1080 Ti (model)`.
    String group() {
        return isLog() || isBest() ? title() : label(how.method()) + ", " + device();
    }

    /// True if it is an imported log.
    boolean isLog() {
        return how.method().equals(LOG);
    }

    /// True if it is several runs taken together.
    boolean isBest() {
        return how.method().equals(BEST);
    }

    String device() {
        return device(how.toolchain());
    }

    /// Label of a method; the name itself where no method has it.
    static String label(String method) {
        return new GpuArea().methods().label(method);
    }

    /// A device for a person: by the name of the GPU, or without the folder of its file.
    static String device(String device) {
        return EvaluatorKind.REPLAY
                .argument(device)
                .map(file ->
                        EvaluatorKind.REPLAY.with(String.valueOf(Path.of(file).getFileName())))
                .or(() -> ModelDevice.KIND
                        .argument(device)
                        .map(gpu -> ModelDevice.named(gpu).gpu().label() + " (model)"))
                .orElse(device);
    }
}
