package knobscape.gpu;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.ReportedResults;
import knobscape.evaluate.UserError;
import knobscape.explore.Experience;
import knobscape.explore.Exploration;
import knobscape.explore.Scheduler;
import knobscape.explore.SearchStanding;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.gpu.evaluate.Devices;
import knobscape.gpu.evaluate.device.GpuDevice;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.evaluate.model.GpuSpec;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import knobscape.gpu.export.ImportedLog;
import knobscape.gpu.history.EarlierBests;
import knobscape.gpu.history.HistoryTasks;
import knobscape.gpu.history.KernelExperience;
import knobscape.gpu.search.FinalRounds;
import knobscape.gpu.search.Finish;
import knobscape.gpu.search.LeadersFirst;
import knobscape.gpu.search.RunRecords;
import knobscape.gpu.search.TailExplorer;
import knobscape.gpu.search.TaskScheduler;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.search.TuningProblem;
import knobscape.gpu.search.TurnScheduler;
import knobscape.gpu.search.ValidFirst;
import knobscape.gpu.source.FusedTail;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.gpu.space.feature.LoopFeatures;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.source.NetworkNames;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.space.FeatureEncoder;
import knobscape.work.Choices;
import knobscape.work.Evaluators.Plain;
import knobscape.work.Named;
import knobscape.work.RunPlan;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;
import knobscape.work.Workbench;
import knobscape.work.history.HistoryTask;
import knobscape.work.history.TuningHistory;

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
                        source,
                        settings.batch(),
                        settings.dims(),
                        settings.templates() == GpuSettings.Templates.ALL,
                        !settings.isBare(),
                        settings.templates() == GpuSettings.Templates.SKETCHES));
    }

    @Override
    public GpuSettings settings() {
        return settings;
    }

    /// What is tuned.
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
        if (method.needsSketches()
                && (settings.isMeasured() || settings.templates() != GpuSettings.Templates.SKETCHES)) {
            throw new UserError("The method " + run.method()
                    + " searches sketches, and these kernels are computed by "
                    + (settings.isMeasured() ? "a measured set" : "templates; choose sketches with it") + ".");
        }
        if (settings.isMeasured()) {
            MeasuredSet set = network.kernels().getFirst().measured().orElseThrow();
            return plan(run, method, (k, tail) -> set.evaluator(), _ -> true, () -> {});
        }
        boolean told = EvaluatorKind.TOLD.isOf(run.toolchain());
        GpuDevice device = Devices.open(
                told
                        ? EvaluatorKind.TOLD
                                .argument(run.toolchain())
                                .orElse(GpuSettings.defaultRun().toolchain())
                        : run.toolchain());
        try {
            return told ? toldPlan(run, method, device) : plan(run, method, device);
        } catch (RuntimeException e) {
            device.close();
            throw e;
        }
    }

    /// The plan on a device that is open already, by any method; closing it closes the device.
    public RunPlan plan(RunSettings run, TuningMethod method, GpuDevice device) {
        Predicate<Schedule> canRun = s -> s.check(device.info().limits()).isEmpty();
        return plan(
                run,
                method,
                (k, tail) -> new ScheduleEvaluator(
                        k.source().orElseThrow(), tail.orElseThrow().epilogue(), device),
                canRun,
                device::close);
    }

    /// The plan of a run whose kernels are measured outside; the device says only which schedules it could run.
    private RunPlan toldPlan(RunSettings run, TuningMethod method, GpuDevice device) {
        return plan(
                run,
                method,
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

    private interface Evaluators {
        Evaluator of(NetworkKernel kernel, Optional<FusedTail> tail);
    }

    private RunPlan plan(
            RunSettings run, TuningMethod method, Evaluators evaluators, Predicate<Schedule> canRun, Runnable closing) {
        List<NetworkKernel> kernels = network.kernels();
        Optional<ImportedLog> log = settings.log()
                        .filter(l -> Files.isRegularFile(place.resolve(l)))
                        .isPresent()
                ? log(run)
                : Optional.empty();
        List<Evaluator> searched = kernels.stream()
                .map(k -> evaluators.of(k, k.tails().stream().findFirst()))
                .toList();
        // Read before anything runs, so that a file that is not there is said at once.
        var records = new RunRecords(
                settings.weights().filter(_ -> method.graph().isPresent()).map(WeightsUse::model));
        List<List<Experience.Earlier>> earlier = earlier(run, searched);
        List<TuningProblem> problems = IntStream.range(0, kernels.size())
                .mapToObj(k -> problem(run, kernels.get(k), searched.get(k).info())
                        .with(c -> kernels.get(k).schedule(c).map(canRun::test).orElse(true))
                        .with(KernelExperience.of(kernels.get(k), earlier.get(k)))
                        .with(records))
                .toList();
        List<TailExplorer> tails = network.otherTails().stream()
                .map(t -> new TailExplorer(t.kernel(), problems.get(t.kernel())))
                .toList();
        boolean again = !settings.isMeasured()
                && !EvaluatorKind.TOLD.isOf(run.toolchain())
                && searched.stream().noneMatch(e -> isModel(e.info()));
        List<FinalRounds> rounds = problems.stream().map(FinalRounds::new).toList();
        var finish = new Finish(again ? rounds : List.of(), tails);
        long start = System.nanoTime();
        DoubleSupplier timeUsed =
                () -> settings.minutes() > 0 ? (System.nanoTime() - start) / (settings.minutes() * 60e9) : 0;
        int[] leaders = KernelExperience.leaders(kernels);
        var leadersFirst = new LeadersFirst(leaders, finish, budget(run), run.earlyStop(), timeUsed);
        var byGain = new TaskScheduler(
                kernels.stream()
                        .map(k -> new TaskScheduler.Task(k.count(), k.flops(), k.tag()))
                        .toList(),
                finish,
                budget(run),
                run.earlyStop(),
                settings.minutes() > 0,
                timeUsed);
        TurnScheduler scheduler = method.hasLeaders() ? leadersFirst : byGain;
        var subjects = new ArrayList<Subject>();
        for (int k = 0; k < kernels.size(); k++) {
            TuningProblem p = method.hasLeaders()
                    ? problems.get(k)
                            .part(leadersFirst.trials(k), leader(run, searched, leadersFirst, leaders, k, earlier))
                    : problems.get(k);
            NetworkKernel kernel = kernels.get(k);
            List<Evaluation> known = log.isPresent() ? log.get().of(k) : List.of();
            var explorer = new ValidFirst(
                    method.factory().apply(p),
                    p,
                    c -> kernel.schedule(c).map(canRun::test).orElse(true),
                    scheduler,
                    known.size(),
                    again ? Optional.of(rounds.get(k)) : Optional.empty());
            subjects.add(new Subject(
                    kernel.id(),
                    kernel.count(),
                    kernel.space(),
                    explorer,
                    searched.get(k),
                    List.of(p.metric()),
                    method.batch(),
                    new Termination.Never(),
                    known));
        }
        for (int t = 0; t < tails.size(); t++) {
            TunableNetwork.Tail tail = network.otherTails().get(t);
            NetworkKernel kernel = kernels.get(tail.kernel());
            subjects.add(new Subject(
                    kernel.id() + OTHER_TAIL + tail.tail().epilogue().id(),
                    tail.tail().count(),
                    kernel.space(),
                    tails.get(t),
                    evaluators.of(kernel, Optional.of(tail.tail())),
                    List.of(problems.get(tail.kernel()).metric()),
                    1,
                    new Termination.Never(),
                    List.of()));
        }
        return new RunPlan(
                subjects,
                new Scheduler() {
                    @Override
                    public OptionalInt next(List<SearchStanding> standings, List<Integer> turns) {
                        records.look(standings);
                        return scheduler.next(standings, turns);
                    }

                    @Override
                    public String ended() {
                        return scheduler.ended();
                    }
                },
                new Exploration.Settings(run.seed(), Integer.MAX_VALUE, 0, 0, run.parallel(), run.waitFactor()),
                closing);
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

    /// By kernel what a run knows before it begins.
    private List<List<Experience.Earlier>> earlier(RunSettings run, List<Evaluator> searched) {
        List<NetworkKernel> kernels = network.kernels();
        if (settings.history().isEmpty()) {
            return kernels.stream().map(_ -> List.<Experience.Earlier>of()).toList();
        }
        HistoryUse use = settings.history().get();
        try (TuningHistory history = TuningHistory.existing(Path.of(use.file()))) {
            return IntStream.range(0, kernels.size())
                    .mapToObj(k -> KernelExperience.earlier(
                            history,
                            use.upTo(),
                            kernels.get(k),
                            device(run, searched.get(k).info()),
                            isModel(searched.get(k).info())))
                    .toList();
        }
    }

    /// Of a kernel that is not the first of its group, what the first adds to what was known.
    private Optional<Supplier<Optional<Experience>>> leader(
            RunSettings run,
            List<Evaluator> searched,
            LeadersFirst turns,
            int[] leaders,
            int kernel,
            List<List<Experience.Earlier>> earlier) {
        int leader = leaders[kernel];
        if (leader == kernel) {
            return Optional.empty();
        }
        NetworkKernel first = network.kernels().get(leader);
        EvaluatorInfo info = searched.get(leader).info();
        return Optional.of(() -> turns.trace(leader)
                .map(h -> KernelExperience.of(
                        network.kernels().get(kernel),
                        Stream.concat(
                                        Stream.of(KernelExperience.trace(
                                                first, device(run, info), isModel(info), h.evaluations())),
                                        earlier.get(kernel).stream())
                                .toList())));
    }

    private static boolean isModel(EvaluatorInfo info) {
        return info.source() == Provenance.Source.MODEL;
    }

    private String device(RunSettings run, EvaluatorInfo info) {
        return settings.isMeasured()
                ? HistoryTasks.of(network.kernels().getFirst().measured().orElseThrow())
                        .device()
                : HistoryTasks.device(
                        run.toolchain(), ScheduleEvaluator.hardware(info).orElse(""));
    }

    /// What was reached before of the kernels on the device of a run, as far as the run saw the history; empty where
    /// it saw none, or the history is gone.
    ///
    /// @param info of the evaluator that answered
    public Optional<EarlierBests> reachedBefore(RunSettings run, EvaluatorInfo info) {
        return settings.history()
                .filter(u -> Files.isRegularFile(Path.of(u.file())))
                .map(u -> {
                    try (TuningHistory history = TuningHistory.existing(Path.of(u.file()))) {
                        int kernels = network.kernels().size();
                        return EarlierBests.of(
                                history, u.upTo(), historyTasksOf(run, Collections.nCopies(kernels, info)));
                    }
                });
    }

    @Override
    public List<HistoryTask> historyTasks(RunSettings run, List<Subject> subjects) {
        return historyTasksOf(
                run, subjects.stream().map(s -> s.evaluator().info()).toList());
    }

    /// @param answering by subject, its evaluator
    private List<HistoryTask> historyTasksOf(RunSettings run, List<EvaluatorInfo> answering) {
        if (settings.isMeasured()) {
            return List.of(
                    HistoryTasks.of(network.kernels().getFirst().measured().orElseThrow()));
        }
        var tasks = new ArrayList<HistoryTask>();
        for (int s = 0; s < answering.size(); s++) {
            int kernels = network.kernels().size();
            NetworkKernel k = network.kernels()
                    .get(s < kernels ? s : network.otherTails().get(s - kernels).kernel());
            FusedTail tail = s < kernels
                    ? k.tails().getFirst()
                    : network.otherTails().get(s - kernels).tail();
            EvaluatorInfo info = answering.get(s);
            tasks.add(HistoryTasks.of(
                    k.source().orElseThrow(),
                    tail.epilogue().id(),
                    NetworkKernel.words(k.source().orElseThrow().workload()),
                    device(run, info),
                    "",
                    isModel(info)));
        }
        return tasks;
    }

    private TuningProblem problem(RunSettings run, NetworkKernel k, EvaluatorInfo info) {
        // A sketch among templates, where there is no template, has no loop nest of its own that is known beforehand.
        boolean nest = k.source().filter(SketchSource.class::isInstance).isEmpty();
        Encoder features = switch (nest ? settings.features() : "knob") {
            case "itervar" -> new LoopFeatures(k.source().orElseThrow(), LoopFeatures.Form.ITERVAR);
            case "curve" -> new LoopFeatures(k.source().orElseThrow(), LoopFeatures.Form.CURVE);
            default -> FeatureEncoder.numbers(k.space().knobs());
        };
        // Kernels of one run must not draw alike, and each must draw the same whatever the others are.
        long seed = run.seed() * 1_000_003L + k.id().hashCode();
        return new TuningProblem(
                        k.space(),
                        features,
                        FeatureEncoder.coordinates(k.space().knobs()),
                        info,
                        info.metric(info.objectives().getFirst()),
                        seed)
                .lowered(k);
    }
}
