package knobscape.app.cli;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import knobscape.gpu.GpuArea;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.HistoryUse;
import knobscape.gpu.WeightsUse;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TunedNetwork;
import knobscape.gpu.export.TuningFiles;
import knobscape.gpu.export.TuningResults;
import knobscape.gpu.search.Finish;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.source.FusedTail;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.network.source.NetworkNames;
import knobscape.project.BestTuning;
import knobscape.project.Numbers;
import knobscape.project.Opened;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import knobscape.project.RunRecord;
import knobscape.project.RunReference;
import knobscape.project.RunResults;
import knobscape.project.RunStore;
import knobscape.project.UserHistory;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import knobscape.work.RunSummary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/// `knobscape tune`: the kernels of a network made fast on a device.
@Command(
        name = "tune",
        description =
                "Tune the kernels of a network on a device and print the best of each. Ctrl-C stops; a stopped or killed run can be resumed.")
final class TuneCommand extends Verb {
    /// Measurements before a pace is told.
    private static final int LEAST_PACE = 16;
    private static final long REWRITE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SPARSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    @Parameters(
            arity = "0..1",
            paramLabel = "NETWORK",
            description =
                    "An .onnx, .json or .csv file, a built-in network (resnet18) or a project folder; none with --device replay:FILE.")
    private Optional<String> network = Optional.empty();

    @Option(
            names = "--resume",
            paramLabel = "RUN",
            description = "Resume a stored run: FOLDER:NUMBER, or FOLDER for its newest.")
    private Optional<String> resume = Optional.empty();

    @Option(
            names = "--method",
            paramLabel = "NAME",
            description = "Search method, see below; list prints all (default: the project's, else transfer).")
    private Optional<String> method = Optional.empty();

    @Option(
            names = "--device",
            paramLabel = "NAME",
            description =
                    "model:NAME (model:gtx1080ti and others), replay:FILE, opencl or cuda (opencl:N, cuda:N for the Nth, counted from 0), told[:NAME] for times that you tell (knobscape ask) of a device with the limits of NAME (default: the project's, else model:gtx1080ti).")
    private Optional<String> device = Optional.empty();

    @Option(names = "--trials", paramLabel = "N", description = "Measurements in all (default: 256 per kernel).")
    private Optional<Integer> trials = Optional.empty();

    @Option(names = "--minutes", paramLabel = "N", description = "Time limit of this start in minutes (default: none).")
    private Optional<Double> minutes = Optional.empty();

    @Option(
            names = "--early-stop",
            paramLabel = "N",
            description = "A kernel is done after N measurements without a new best; 0 never (default: 400).")
    private Optional<Integer> earlyStop = Optional.empty();

    @Option(names = "--batch", paramLabel = "N", description = "Inputs per run of the network (default: 1).")
    private Optional<Integer> batch = Optional.empty();

    @Mixin
    private OpenExtents extents;

    @Option(
            names = "--all-templates",
            description = "Tune every template of a kernel (direct and Winograd), not only the first.")
    private boolean allTemplates;

    @Option(
            names = "--sketches",
            description = "Tune sketches (schedules without templates) by any method; ansor and gtuner always do.")
    private boolean sketches;

    @Option(
            names = "--bare",
            description = "Measure kernels without what the network fuses behind them (bias, ReLU, residual).")
    private boolean bare;

    @Option(
            names = "--features",
            paramLabel = "NAME",
            description = "What cost models see: knob, itervar or curve (default: knob).")
    private Optional<String> features = Optional.empty();

    @Option(
            names = "--import",
            paramLabel = "FILE",
            description =
                    "An AutoTVM log of the same device: what it has of the network's kernels is known before the search begins, and not counted.")
    private Optional<Path> log = Optional.empty();

    @Option(
            names = "--history",
            paramLabel = "DB",
            description =
                    "Tuning history that methods which learn from earlier runs see, or none (default: this user's, which every run fills).")
    private Optional<String> history = Optional.empty();

    @Option(
            names = "--weights",
            paramLabel = "FILE",
            description =
                    "A graph model of gtuner-train that gtuner begins with (default: none, it learns from its own measurements).")
    private Optional<Path> weights = Optional.empty();

    @Option(names = "--seed", paramLabel = "N", description = "Seed of everything random (default: 1).")
    private Optional<Long> seed = Optional.empty();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Folder of the runs, tuning.json and log.jsonl (default: the project, else NETWORK.knobscape beside the file, or here).")
    private Optional<Path> out = Optional.empty();

    @Mixin
    private Overwriting overwriting;

    TuneCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (resume.isPresent()) {
            return resume(resume.get());
        }
        if (network.isEmpty()
                && device.filter(d -> d.startsWith(TunableNetwork.REPLAY)).isEmpty()) {
            throw new ParameterException(
                    spec().commandLine(),
                    "Name a network (a file or a built-in one), a project, a measured set with --device replay:FILE, or a run with --resume.");
        }
        Asked asked = asked();
        try (Project project = asked.project) {
            Area.Work given = usage(() -> given(asked.work));
            RunSettings run = given.run();
            usage(() -> new GpuArea().methods().named(run.method()));
            Opened<GpuWorkbench> opened = opened(project, (GpuSettings) given.settings());
            opened.bench().warnings().forEach(n -> err().println("Note: " + n));
            opened.bench()
                    .log(run)
                    .ifPresent(k -> err().println("Known before: " + k.words() + ". " + k.rest()
                            + (bare ? "" : " They are taken as of bare kernels; --bare compares like with like.")));
            Optional<Integer> outside = told(opened, run);
            if (outside.isPresent()) {
                return outside.get();
            }
            return tune(
                    opened,
                    run,
                    new TuningResults(opened.bench().network()),
                    (runner, watchers) -> runner.start(opened, run, watchers));
        }
    }

    private static Opened<GpuWorkbench> opened(Project project, GpuSettings settings) {
        return Opened.of(project, settings, s -> GpuWorkbench.open(project, (GpuSettings) s));
    }

    /// What was named.
    ///
    /// @param project holds the runs
    /// @param work where no option says otherwise
    private record Asked(Project project, Area.Work work) {}

    private Asked asked() {
        Optional<Path> folder = out.map(o -> context().here().resolve(o).normalize());
        Optional<Path> named = projectFile();
        if (named.isPresent()) {
            Project project = Project.open(named.get(), folder);
            var work = new Area.Work(
                    project.file().work(GpuSettings.class), project.file().run());
            if (folder.isEmpty() || project.runsFolder().equals(folder.get())) {
                return new Asked(project, work);
            }
            try (project) {
                return shared(
                        new Area.Bare(
                                project.name(),
                                folder.get(),
                                new Area.Work(
                                        project.file().work(GpuSettings.class).absolute(project),
                                        project.file().run())),
                        folder);
            }
        }
        String source = network.map(n -> NetworkNames.source(n, context().here()))
                .orElseGet(() -> TunableNetwork.REPLAY
                        + context()
                                .here()
                                .resolve(device.orElseThrow().substring(TunableNetwork.REPLAY.length()))
                                .toAbsolutePath()
                                .normalize());
        Area.Bare bare = GpuArea.bare(source, context().here());
        var seen = (GpuSettings) bare.work().settings();
        // The project can be opened only with the extents that its file leaves open.
        return shared(bare.with(seen.with(GpuSettings.EXTENTS, extents.dims())), folder);
    }

    private static Asked shared(Area.Bare bare, Optional<Path> folder) {
        return new Asked(Project.shared(bare, folder), bare.work());
    }

    private Optional<Path> projectFile() {
        try {
            return network.filter(n -> !n.startsWith("zoo:"))
                    .map(context().here()::resolve)
                    .filter(p -> Files.isDirectory(p) || p.endsWith(ProjectFile.FILE_NAME))
                    .map(Path::normalize);
        } catch (InvalidPathException e) {
            throw new UserError("'" + network.orElse("") + "' is not the name of a file.", e);
        }
    }

    /// Settings with what the options say; a file named by an option is looked for where the person is.
    private Area.Work given(Area.Work d) {
        var g = (GpuSettings) d.settings();
        RunSettings r = d.run();
        checkTrials();
        String on = device.map(x -> x.startsWith(TunableNetwork.REPLAY)
                        ? TunableNetwork.REPLAY
                                + context()
                                        .here()
                                        .resolve(x.substring(TunableNetwork.REPLAY.length()))
                                        .toAbsolutePath()
                                        .normalize()
                        : x)
                .orElse(r.toolchain());
        if (on.startsWith(TunableNetwork.REPLAY) && network.isPresent() && !g.isMeasured()) {
            throw new UserError("A measured set is its own task: leave the network away with --device replay:FILE.");
        }
        String name = method.orElse(r.method());
        GpuSettings work = g.with(GpuSettings.BATCH, batch.orElse(g.batch()))
                .with(GpuSettings.EXTENTS, extents.dims().isEmpty() ? g.dims() : extents.dims())
                .with(
                        GpuSettings.TEMPLATES,
                        sketches || TuningMethod.needsSketches(name)
                                ? GpuSettings.Templates.SKETCHES
                                : allTemplates ? GpuSettings.Templates.ALL : g.templates())
                .with(GpuSettings.FUSED, !bare && !g.isBare())
                .with(GpuSettings.FEATURES, features.orElse(g.features()))
                .with(GpuSettings.MINUTES, minutes.orElse(g.minutes()))
                .log(log.map(l -> context()
                                .here()
                                .resolve(l)
                                .toAbsolutePath()
                                .normalize()
                                .toString())
                        .or(g::log))
                .withHistory(history(name))
                .withWeights(weights(name));
        return new Area.Work(
                work,
                r.with(RunSettings.METHOD, method.orElse(r.method()))
                        .with(RunSettings.TOOLCHAIN, on)
                        .with(RunSettings.SEED, seed.orElse(r.seed()))
                        .with(RunSettings.STEPS, trials.orElse(r.steps()))
                        .with(RunSettings.EARLY_STOP, earlyStop.orElse(r.earlyStop())));
    }

    private Optional<WeightsUse> weights(String name) {
        if (weights.isPresent() && TuningMethod.standard().named(name).graph().isEmpty()) {
            throw new UserError("Only gtuner and its variants begin with weights; leave --weights away.");
        }
        return weights.map(
                w -> WeightsUse.of(context().here().resolve(w).toAbsolutePath().normalize()));
    }

    private Optional<HistoryUse> history(String name) {
        return history.filter("none"::equals).isPresent()
                ? Optional.empty()
                : HistoryUse.now(
                        name,
                        history.map(h -> context()
                                        .here()
                                        .resolve(h)
                                        .toAbsolutePath()
                                        .normalize())
                                .or(() -> UserHistory.file().filter(Files::isRegularFile)));
    }

    private void checkTrials() {
        trials.filter(t -> t < 0).ifPresent(t -> {
            throw new IllegalArgumentException("trials cannot be " + t);
        });
    }

    private int resume(String text) throws InterruptedException {
        if (network.isPresent()
                || method.isPresent()
                || device.isPresent()
                || seed.isPresent()
                || batch.isPresent()
                || features.isPresent()
                || out.isPresent()
                || log.isPresent()
                || history.isPresent()
                || !extents.dims().isEmpty()
                || allTemplates
                || sketches
                || weights.isPresent()
                || bare) {
            throw new ParameterException(
                    spec().commandLine(),
                    "With --resume only --trials, --minutes and --early-stop can be given: everything else is as the run began.");
        }
        RunReference reference = RunReference.parse(text, context().here());
        try (Project project = reference.open()) {
            RunRecord run = reference.run(project);
            GpuSettings work = usage(() -> run.work(GpuSettings.class)
                    .with(
                            GpuSettings.MINUTES,
                            minutes.orElse(run.work(GpuSettings.class).minutes())));
            usage(() -> {
                checkTrials();
                return 0;
            });
            RunSettings settings = usage(() -> run.settings()
                    .with(RunSettings.STEPS, trials.orElse(run.settings().steps()))
                    .with(
                            RunSettings.EARLY_STOP,
                            earlyStop.orElse(run.settings().earlyStop())));
            Opened<GpuWorkbench> opened = opened(project, work);
            TuningResults results = TuningResults.of(
                    opened.bench().network(),
                    project.runs().orElseThrow().results(run.id()).found());
            return tune(
                    opened,
                    settings,
                    results,
                    (runner, watchers) -> runner.resume(opened, run.id(), settings, watchers));
        }
    }

    private int tune(Opened<GpuWorkbench> opened, RunSettings run, TuningResults results, Begin begin)
            throws InterruptedException {
        FileGuard guard = overwriting.guard(opened.project(), opened.bench().settings());
        guard.check(opened.project().runsFolder(), TuningFiles.names());
        var printer = new Printer(results, opened.bench().budget(run));
        return follow(
                begin,
                List.of(results, printer),
                (session, end) -> report(opened.project(), opened.bench(), session.results(), end, results, guard));
    }

    /// One line that is rewritten where a person watches, else a line now and then.
    private final class Printer implements RunListener {
        private final TuningResults results;
        private final int budget;
        private final int before;
        private long printed = Long.MIN_VALUE;

        Printer(TuningResults results, int budget) {
            this.results = results;
            this.budget = budget;
            this.before = trials(results.picture());
        }

        @Override
        public void onEvent(RunEvent event) {
            switch (event) {
                case RunEvent.Started s -> {
                    ScheduleEvaluator.caution(s.info()).ifPresent(c -> err().println("Note: " + c + "."));
                    err().println("Tuning " + results.network().kernels().size() + " kernels of "
                            + results.network().name() + " with " + s.method() + ", seed "
                            + s.seed() + ": at most " + budget + " measurements on "
                            + s.info().name()
                            + ScheduleEvaluator.hardware(s.info())
                                    .map(h -> ", " + h)
                                    .orElse("") + " (" + s.info().source().words() + ")"
                            + (before == 0 ? "" : "; resumed after " + before) + ".");
                }
                case RunEvent.Note n -> err().println("Note: " + n.text());
                case RunEvent.Evaluated e -> measured(e);
                default -> {}
            }
            err().flush();
        }

        private void measured(RunEvent.Evaluated e) {
            long now = System.nanoTime();
            boolean live = context().interactive();
            if (printed != Long.MIN_VALUE && now - printed < (live ? REWRITE_NANOS : SPARSE_NANOS)) {
                return;
            }
            printed = now;
            TunedNetwork tuned = results.picture();
            KernelState state = tuned.states().get(results.kernel(e.subject()));
            int done = trials(tuned);
            double left = done - before < LEAST_PACE
                    ? Double.NaN
                    : e.progress().elapsedSeconds() / (done - before) * (budget - done);
            String text = (done > budget ? "the best again, " + (done - budget) : done + "/" + budget) + "  "
                    + state.kernel().task() + " "
                    + state.kernel().tag() + " #" + state.trials()
                    + (state.bestGflops() > 0
                            ? String.format(
                                    Locale.ROOT,
                                    "  best %.4g %s, %.4g ms",
                                    state.bestGflops(),
                                    state.kernel().unit(),
                                    state.bestMilliseconds())
                            : "  nothing ran yet")
                    + (Double.isNaN(tuned.latencyMilliseconds())
                            ? tuned.soFar().map(s -> "  network " + s.words()).orElse("")
                            : String.format(Locale.ROOT, "  network %.4g ms", tuned.latencyMilliseconds()))
                    + (tuned.isModelled() ? " (model)" : "")
                    + (Double.isNaN(left) || done >= budget ? "" : "  left about " + Numbers.duration(left));
            if (live) {
                err().print("\r" + text + "    ");
            } else {
                err().println(text);
            }
        }
    }

    private static int trials(TunedNetwork tuned) {
        return tuned.states().stream().mapToInt(KernelState::trials).sum();
    }

    private int report(
            Project project,
            GpuWorkbench bench,
            RunResults stored,
            RunEvent.Finished end,
            TuningResults results,
            FileGuard guard) {
        RunSummary summary = stored.run().summary(project);
        RunStore store = project.runs().orElseThrow();
        RunRecord best = resume.isPresent() ? stored.run() : BestTuning.of(store, results.network(), stored.run());
        boolean own = best.id() == stored.run().id();
        TuningFiles.write(
                project.runsFolder(),
                own ? summary : best.summary(project),
                own ? results : BestTuning.results(store, results.network(), best),
                guard);
        if (context().interactive()) {
            err().println();
        }
        err().println("Ended: " + end.reason().replaceFirst("[.]$", "") + ".");
        if (isJson()) {
            print(TuningFiles.json(summary, results));
        } else {
            TunedNetwork tuned = results.picture();
            table(tuned, Finish.TIME.equals(end.reason()));
            bench.reachedBefore(stored.run().settings(), stored.run().info())
                    .flatMap(r -> r.words(tuned.states(), results.turns()))
                    .ifPresent(out()::println);
            out().println("Network: "
                    + tuned.soFar()
                            .map(TunedNetwork.SoFar::words)
                            .orElseGet(() -> Numbers.shortest(tuned.latencyMilliseconds()) + " ms in its kernels")
                    + " ("
                    + stored.run().info().source().words() + ")");
            out().println("Files: " + project.runsFolder() + " (tuning.json, log.jsonl)");
            out().println("Run: " + summary.reference());
            out().flush();
        }
        if (!own) {
            err().println(
                            "Run " + best.id()
                                    + " of this device found better schedules; the files and 'knobscape export' have those, unless a run is named by its number.");
        }
        return ended(end, summary.reference());
    }

    private void table(TunedNetwork tuned, boolean timed) {
        String mark = tuned.isModelled() ? " (model)" : "";
        var table = new TextTable(
                "task", "kernel", "fused behind", ">count", ">trials", ">GFLOPS" + mark, ">ms" + mark, "knobs");
        for (KernelState s : tuned.states()) {
            NetworkKernel kernel = s.kernel();
            List<FusedTail> tails = kernel.tails();
            table.add(
                    kernel.task(),
                    kernel.id(),
                    tails.isEmpty() ? "" : tails.getFirst().epilogue().words(),
                    "" + (tails.isEmpty() ? kernel.count() : tails.getFirst().count()),
                    "" + s.trials(),
                    value(s.fastest(), "gflops"),
                    value(s.fastest(), "time")
                            + s.spread().map(x -> " " + x.words()).orElse(""),
                    s.best().map(c -> c.text()).orElse(s.trials() == 0 ? "not tried" : "nothing valid found"));
            for (FusedTail t :
                    tails.stream().skip(1).filter(t -> s.best().isPresent()).toList()) {
                String same = s.best().orElseThrow().text();
                table.add(
                        "",
                        "",
                        t.epilogue().words(),
                        "" + t.count(),
                        "",
                        value(s.with(t), "gflops"),
                        value(s.with(t), "time"),
                        s.with(t)
                                .map(e -> e.configuration().text())
                                .map(x -> x.equals(same) ? "the same" : x)
                                .orElse("not measured with this tail"));
            }
        }
        out().print(table.text());
        long untried = tuned.states().stream().filter(s -> s.trials() == 0).count();
        if (untried > 0) {
            out().println("Not tried: " + untried + " of " + tuned.states().size()
                    + " kernels; "
                    + (timed
                            ? "the time was over: go on with --resume and more --minutes."
                            : "a measurement of each takes --trials "
                                    + tuned.states().size() + " or more."));
        }
    }

    private static String value(Optional<Evaluation> e, String metric) {
        return Numbers.shortest(e.map(x -> x.value(metric).orElse(Double.NaN)).orElse(Double.NaN));
    }
}
