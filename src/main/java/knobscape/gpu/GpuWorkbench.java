package knobscape.gpu;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.ReportedResults;
import knobscape.evaluate.UserError;
import knobscape.explore.Subject;
import knobscape.gpu.evaluate.Devices;
import knobscape.gpu.evaluate.device.GpuDevice;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.evaluate.model.GpuSpec;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import knobscape.gpu.export.ImportedLog;
import knobscape.gpu.history.EarlierBests;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.source.FusedTail;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.source.NetworkNames;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.work.Choices;
import knobscape.work.Evaluators.Plain;
import knobscape.work.Named;
import knobscape.work.RunPlan;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;
import knobscape.work.Workbench;
import knobscape.work.history.HistoryTask;

/// A network (or a measured set) opened for tuning. A run has one subject per kernel, and after them one per
/// other tail of a kernel.
public final class GpuWorkbench implements Workbench {
    /// Between the names of kernel and tail in the name of a subject.
    public static final String OTHER_TAIL = " + ";
    private final GpuSettings settings;
    private final WorkLocation place;
    private final TunableNetwork network;

    private GpuWorkbench(GpuSettings settings, WorkLocation place, TunableNetwork network) {
        this.settings = settings;
        this.place = place;
        this.network = network;
    }

    /// Opens what settings name. Throws [knobscape.evaluate.UserError] in one sentence for a network that
    /// cannot be read or has nothing to tune. No device is needed.
    public static GpuWorkbench open(WorkLocation place, GpuSettings settings) {
        String source = settings.isMeasured()
                ? EvaluatorKind.REPLAY
                        .argument(settings.source())
                        .map(f -> EvaluatorKind.REPLAY.with(place.resolve(f).toString()))
                        .orElseThrow()
                : NetworkNames.source(settings.source(), place.folder());
        return new GpuWorkbench(
                settings,
                place,
                TunableNetwork.read(
                        source, settings.batch(), settings.dims(), settings.templates(), !settings.isBare()));
    }

    @Override
    public GpuSettings settings() {
        return settings;
    }

    /// The tuned network.
    public TunableNetwork network() {
        return network;
    }

    @Override
    public String sourceHash() {
        return network.hash();
    }

    @Override
    public List<String> warnings() {
        return network.notes();
    }

    /// The records of the settings' log that belong to the network; empty where they name none. Throws
    /// [knobscape.evaluate.UserError] where the log cannot be read or has none.
    public Optional<ImportedLog> log(RunSettings run) {
        boolean models = ModelDevice.KIND.isOf(run.toolchain());
        return settings.log().map(l -> ImportedLog.read(place.resolve(l), network, models));
    }

    /// Measurements allowed in all.
    public int budget(RunSettings run) {
        return run.steps() > 0
                ? run.steps()
                : Math.multiplyExact(
                        TuningMethod.standard().named(run.method()).trials(),
                        network.kernels().size());
    }

    /// The same with other settings that do not change what is tuned: features, minutes and log.
    public GpuWorkbench with(GpuSettings other) {
        return new GpuWorkbench(other, place, network);
    }

    @Override
    public DesignSpace space() {
        return network.kernels().getFirst().space();
    }

    @Override
    public Choices<TuningMethod> methods() {
        return TuningMethod.standard();
    }

    /// The models by name and the devices of this machine; measured kernels answer for themselves.
    @Override
    public List<? extends Named> evaluators() {
        if (settings.isMeasured()) {
            return List.of(new Plain(settings.source(), "Measured kernels", "Kernels measured earlier."));
        }
        return Stream.concat(
                        GpuSpec.all().stream()
                                .map(g -> new Plain(
                                        ModelDevice.KIND.with(g.name()),
                                        g.label() + " (model)",
                                        "A model of this GPU.")),
                        new GpuArea()
                                .evaluators().all().stream()
                                        .filter(e -> !List.of(ModelDevice.KIND.word(), EvaluatorKind.REPLAY.word())
                                                .contains(e.name())))
                .toList();
    }

    @Override
    public RunPlan plan(RunSettings run) {
        TuningMethod method = TuningMethod.standard().named(run.method());
        if (method.needsSketches() && (settings.isMeasured() || settings.templates() != TunableNetwork.Ways.SKETCHES)) {
            throw new UserError("The method " + run.method()
                    + " searches sketches, and these kernels are computed by "
                    + (settings.isMeasured() ? "a measured set" : "templates; choose sketches with it") + ".");
        }
        if (settings.isMeasured()) {
            MeasuredSet set = network.kernels().getFirst().measured().orElseThrow();
            return search(run, method).plan((k, tail) -> set.evaluator(), _ -> true, () -> {});
        }
        boolean told = EvaluatorKind.TOLD.isOf(run.toolchain());
        GpuDevice device = Devices.open(
                told
                        ? EvaluatorKind.TOLD
                                .argument(run.toolchain())
                                .orElse(GpuSettings.defaultRun().toolchain())
                        : run.toolchain());
        try {
            if (settings.templates() == TunableNetwork.Ways.TENSOR_CORES
                    && !device.info().limits().tensorCores()) {
                throw new UserError(device.info().name() + " has no tensor cores for CUDA; leave --tensor-cores out, or"
                        + " choose an NVIDIA GPU of compute capability 7.0 or newer (cuda, model:a100).");
            }
            return told ? toldPlan(run, method, device) : plan(run, method, device);
        } catch (RuntimeException e) {
            device.close();
            throw e;
        }
    }

    /// The plan on a device that is open already, by any method; closing it closes the device.
    public RunPlan plan(RunSettings run, TuningMethod method, GpuDevice device) {
        Predicate<Schedule> canRun = s -> s.check(device.info().limits()).isEmpty();
        return search(run, method)
                .plan(
                        (k, tail) -> new ScheduleEvaluator(
                                k.source().orElseThrow(), tail.orElseThrow().epilogue(), device),
                        canRun,
                        device::close);
    }

    private NetworkSearch search(RunSettings run, TuningMethod method) {
        Optional<ImportedLog> log = settings.log()
                        .filter(l -> Files.isRegularFile(place.resolve(l)))
                        .isPresent()
                ? log(run)
                : Optional.empty();
        return new NetworkSearch(settings, network, run, method, budget(run), log);
    }

    /// The plan of a run whose kernels are measured outside; the device says only which schedules it could run.
    private RunPlan toldPlan(RunSettings run, TuningMethod method, GpuDevice device) {
        return search(run, method)
                .plan(
                        (k, _) -> new ReportedResults(
                                ScheduleEvaluator.info(ReportedResults.NAME, "", Provenance.Source.MEASURED),
                                told -> withGflops(k, told)),
                        s -> s.check(device.info().limits()).isEmpty(),
                        device::close);
    }

    private static Map<String, Double> withGflops(NetworkKernel k, Map<String, Double> told) {
        if (told.containsKey(ScheduleEvaluator.TIME)) {
            told.putIfAbsent(
                    ScheduleEvaluator.GFLOPS, k.flops() / (requireNonNull(told.get(ScheduleEvaluator.TIME)) * 1e6));
        }
        return told;
    }

    /// The schedule that a configuration of a run's subject stands for. Throws [UserError] for a measured set.
    public Schedule schedule(String subject, Configuration configuration) {
        int at = subject.indexOf(OTHER_TAIL);
        String id = at < 0 ? subject : subject.substring(0, at);
        NetworkKernel kernel = network.kernels().stream()
                .filter(k -> k.id().equals(id))
                .findFirst()
                .orElseThrow();
        Optional<FusedTail> tail = network.otherTails().stream()
                .filter(t -> at >= 0
                        && network.kernels().get(t.kernel()) == kernel
                        && subject.endsWith(OTHER_TAIL + t.tail().epilogue().id()))
                .map(TunableNetwork.Tail::tail)
                .findFirst()
                .or(() -> kernel.tails().stream().findFirst());
        return kernel.source()
                .orElseThrow(() -> new UserError("A measured set has no source to write; leave --out away."))
                .schedule(configuration, tail.orElseThrow().epilogue());
    }

    /// The results reached before for kernels on the device of a run, as far as the run saw the history; empty where
    /// it saw none, or the history is gone.
    ///
    /// @param info of the evaluator that answered
    public Optional<EarlierBests> reachedBefore(RunSettings run, EvaluatorInfo info) {
        return history(run).reached(info);
    }

    private KernelHistory history(RunSettings run) {
        return new KernelHistory(settings, network, run.toolchain());
    }

    @Override
    public List<HistoryTask> historyTasks(RunSettings run, List<Subject> subjects) {
        return history(run)
                .tasks(subjects.stream().map(s -> s.evaluator().info()).toList());
    }
}
