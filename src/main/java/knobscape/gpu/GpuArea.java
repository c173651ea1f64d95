package knobscape.gpu;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.report.JsonFields;
import knobscape.gpu.evaluate.device.HardwareDevice;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.source.TunableNetwork;
import knobscape.network.source.NetworkNames;
import knobscape.work.Area;
import knobscape.work.Choices;
import knobscape.work.Evaluators;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;
import knobscape.work.WorkSettings;
import knobscape.work.history.HistoryUse;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.Values;
import tools.jackson.databind.node.ObjectNode;

/// The area of GPU schedules: the kernels of networks on devices, and measured sets of kernels.
public record GpuArea() implements Area {
    /// Name in files.
    public static final String KIND = "gpu";

    private static final Help HELP = new Help(
            "Tune the kernels of a network on a device and print the best of each.",
            "NETWORK",
            "An .onnx, .json or .csv file, a built-in network (resnet18) or a project folder; none with --device replay:FILE. Runs, tuning.json and log.jsonl go to --out, else to the project, else to NETWORK.knobscape beside the file, or here.",
            "a network (a file or a built-in one), a project, a measured set with --device replay:FILE");

    @Override
    public About about() {
        return new About(KIND, "GPU schedules", "tune", "\"zoo:resnet18\" or a network file", HELP);
    }

    @Override
    public Choices<TuningMethod> methods() {
        return TuningMethod.standard();
    }

    @Override
    public Choices<Evaluators.Plain> evaluators() {
        return new Choices<>(
                "device",
                List.of(
                        new Evaluators.Plain(
                                ModelDevice.KIND.word(),
                                "Model of a GPU",
                                "model:NAME estimates the time of a kernel on a GPU that is not here."),
                        new Evaluators.Plain(
                                HardwareDevice.CUDA.word(),
                                "CUDA device",
                                "cuda[:N] compiles, runs and times kernels on an NVIDIA GPU of this machine."),
                        new Evaluators.Plain(
                                HardwareDevice.OPENCL.word(),
                                "OpenCL device",
                                "opencl[:N] does so on an OpenCL device."),
                        new Evaluators.Plain(
                                EvaluatorKind.REPLAY.word(),
                                "Measured kernels",
                                "replay:FILE answers with kernels measured earlier.")));
    }

    @Override
    public Parameters parameters() {
        return GpuSettings.PARAMETERS;
    }

    @Override
    public Parameters runParameters() {
        return GpuSettings.RUN;
    }

    @Override
    public GpuSettings settings(Values values) {
        return new GpuSettings(values);
    }

    /// Some methods tune sketches only; a measured set is its own source.
    @Override
    public Values arranged(Values all) {
        String device = all.get(GpuSettings.DEVICE);
        boolean measured = EvaluatorKind.REPLAY.hasArgument(device);
        if (measured && !EvaluatorKind.REPLAY.isOf(all.find(GpuSettings.NETWORK).orElse(device))) {
            throw new IllegalArgumentException("a measured set is its own task; leave the source out");
        }
        Values named =
                measured && all.find(GpuSettings.NETWORK).isEmpty() ? all.with(GpuSettings.NETWORK, device) : all;
        return TuningMethod.has(all.get(RunSettings.METHOD), TuningMethod::needsSketches)
                ? named.with(GpuSettings.TEMPLATES, TunableNetwork.Ways.SKETCHES)
                : named;
    }

    @Override
    public void write(Work work, ObjectNode project) {
        Area.super.write(work, project);
        if (EvaluatorKind.REPLAY.hasArgument(work.settings().source())) {
            project.remove("source");
            project.put("device", work.settings().source());
        }
    }

    /// Runs of earlier versions hold templates in two flags, and the opposite of what is fused.
    @Override
    public GpuSettings readStored(JsonFields stored) {
        GpuSettings read = settings(parameters().stored(stored));
        GpuSettings ways = stored.flag("sketches", false)
                ? read.with(GpuSettings.TEMPLATES, TunableNetwork.Ways.SKETCHES)
                : stored.flag("allTemplates", false) ? read.with(GpuSettings.TEMPLATES, TunableNetwork.Ways.ALL) : read;
        return stored.flag("bare", false) ? ways.with(GpuSettings.FUSED, false) : ways;
    }

    @Override
    public Optional<BareProject> named(String text, Path here, Path own) {
        return Optional.of(bare(
                EvaluatorKind.REPLAY.hasArgument(text)
                        ? GpuSettings.DEVICE
                                .type()
                                .moved(
                                        text,
                                        f -> here.resolve(f)
                                                .toAbsolutePath()
                                                .normalize()
                                                .toString())
                        : NetworkNames.source(text, here),
                here));
    }

    @Override
    public Optional<String> sourceIn(String toolchain) {
        return Optional.of(toolchain).filter(EvaluatorKind.REPLAY::hasArgument);
    }

    @Override
    public boolean keepsRunsWithResults() {
        return true;
    }

    /// Fixes which rows of the history, and which model in a file, the run begins with.
    @Override
    public Work begun(Work work, Optional<Path> history) {
        GpuSettings asked = settings(work.settings().values());
        // Other methods do not depend on the file.
        Optional<HistoryUse> use = TuningMethod.has(work.run().method(), TuningMethod::learns)
                ? HistoryUse.now(asked.values(), history)
                : Optional.empty();
        Optional<WeightsUse> weights =
                asked.values().find(GpuSettings.WEIGHTS).map(Path::of).map(WeightsUse::of);
        return new Work(asked.history(use).weights(weights), work.run());
    }

    @Override
    public List<String> resumable() {
        return List.of(GpuSettings.TRIALS.name(), GpuSettings.MINUTES.name(), RunSettings.EARLY_STOP.name());
    }

    @Override
    public BareProject bare(Path file) {
        return bare(file.toString(), requireNonNull(file.getParent()));
    }

    /// A network or measured set without a project.
    ///
    /// @param source an absolute file, `zoo:NAME`, or `replay:` and an absolute file
    /// @param here where runs of what is not a file go
    public static BareProject bare(String source, Path here) {
        boolean measured = EvaluatorKind.REPLAY.hasArgument(source);
        String stem = TunableNetwork.stem(source);
        Path folder = measured || source.startsWith(NetworkNames.ZOO)
                ? here
                : requireNonNull(Path.of(source).getParent());
        RunSettings run = GpuSettings.defaultRun();
        return new BareProject(
                stem,
                folder.resolve(stem + ".knobscape"),
                new Work(GpuSettings.of(source), measured ? run.with(GpuSettings.DEVICE, source) : run));
    }

    @Override
    public GpuWorkbench open(WorkSettings settings, WorkLocation place) {
        return GpuWorkbench.open(place, settings.as(GpuSettings.class));
    }
}
