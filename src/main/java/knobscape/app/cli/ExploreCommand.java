package knobscape.app.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.explore.RunEvent;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.Toolchains;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.evaluate.vendor.ToolSettings;
import knobscape.hls.evaluate.vendor.VendorTools;
import knobscape.project.Design;
import knobscape.project.Folders;
import knobscape.project.Numbers;
import knobscape.project.Opened;
import knobscape.project.Project;
import knobscape.project.RunFiles;
import knobscape.project.RunRecord;
import knobscape.project.RunReference;
import knobscape.project.RunResults;
import knobscape.space.Configuration;
import knobscape.work.RunSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/// `knobscape explore`: a run in the terminal, or the rest of one.
@Command(
        name = "explore",
        description =
                "Explore a kernel's directive space and print the front found. Ctrl-C stops; a stopped or killed run can be resumed.")
final class ExploreCommand extends Verb {
    private static final int MOST_ASSUMPTIONS = 10;

    @Parameters(
            arity = "0..1",
            paramLabel = "PROJECT|SOURCE",
            description =
                    "A project folder, a C or C++ source file, or a CSV file of measured designs (whose runs go to --out, else to SOURCE.knobscape).")
    private Optional<Path> source = Optional.empty();

    @Mixin
    private KernelOptions kernel;

    @Option(
            names = "--resume",
            paramLabel = "RUN",
            description = "Resume a stored run: PROJECT:NUMBER, a project (its newest run) or a folder of results.")
    private Optional<String> resume = Optional.empty();

    @Option(
            names = "--method",
            paramLabel = "NAME",
            description = "Search method, see below; list prints all (default: the project's, else cgp).")
    private Optional<String> method = Optional.empty();

    @Option(
            names = "--toolchain",
            paramLabel = "NAME",
            description =
                    "Evaluator: estimator; vitis[:FOLDER] for AMD's tools; command:FILE for a program of your own; told[:FILE] for results that you tell (knobscape ask); replay:FILE for designs measured earlier (default: the project's, else estimator).")
    private Optional<String> toolchain = Optional.empty();

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            description = "Where tools run: ${COMPLETION-CANDIDATES} (default: the project's, else local).")
    private Optional<ToolSettings.EngineKind> engine = Optional.empty();

    @Option(
            names = "--start",
            paramLabel = "FILE",
            description =
                    "A design to evaluate first: a Tcl directive file, a configuration file (.cfg) or the source with pragmas; may be repeated. 'space --import FILE' shows how it is read.")
    private List<Path> starts = new ArrayList<>();

    @Option(
            names = "--prior",
            paramLabel = "WORD",
            description =
                    "What cgp expects of a design before anything is measured: estimate for what the built-in estimator says (calibrated, where the project is), or none (default: the project's, else none).")
    private Optional<Prior> prior = Optional.empty();

    @Option(
            names = "--objectives",
            paramLabel = "NAME,...",
            split = ",",
            description = "Metrics to explore (default: power, delay, lut).")
    private List<String> objectives = new ArrayList<>();

    @Option(
            names = "--steps",
            paramLabel = "N",
            description =
                    "Maximum number of optimisation steps: questions to the method, one for every design that comes back (default: the project's, else 40).")
    private Optional<Integer> steps = Optional.empty();

    @Option(names = "--init", paramLabel = "N", description = "Initial designs (default: the project's, else 8).")
    private Optional<Integer> init = Optional.empty();

    @Option(
            names = "--early-stop",
            paramLabel = "N",
            description =
                    "End after N steps at the highest fidelity without hypervolume gain; 0 never (default: the project's, else 5).")
    private Optional<Integer> earlyStop = Optional.empty();

    @Option(
            names = "--stop-gain",
            paramLabel = "PERCENT",
            description =
                    "End where the method expects the next hour of tool time to bring the front nearer to the true one by less than PERCENT; cgp says what it expects; 0 never (default: the project's, else 0).")
    private Optional<Double> stopGain = Optional.empty();

    @Option(
            names = "--hours",
            paramLabel = "H",
            description =
                    "End once H hours of tool time are spent, whatever is in flight excepted; cgp then puts no more than a third of them into its first designs; 0 for no limit (default: the project's, else 0).")
    private Optional<Double> hours = Optional.empty();

    @Option(
            names = "--goal",
            paramLabel = "TEXT",
            description = "Bounds that a design has to keep, such as \"lut<20k delay<1ms\"; the search keeps to them.")
    private Optional<String> goal = Optional.empty();

    @Option(
            names = "--parallel",
            paramLabel = "K",
            description = "Designs in flight at once; a free slot is filled at once (default: the project's, else 1).")
    private Optional<Integer> parallel = Optional.empty();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of everything random (default: the project's, else 1).")
    private Optional<Long> seed = Optional.empty();

    @Option(
            names = "--wait",
            paramLabel = "FACTOR",
            description = "Seconds really waited per second of estimated tool time, for demonstrations (default: 0).")
    private Optional<Double> wait = Optional.empty();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write front.csv, designs.csv, run.json and report.md into this folder.")
    private Optional<Path> out = Optional.empty();

    @Mixin
    private Overwriting overwriting;

    /// Words of `--prior`.
    private enum Prior {
        ESTIMATE,
        NONE
    }

    ExploreCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException {
        Optional<Path> folder = out.map(o -> context().here().resolve(o).normalize());
        folder.ifPresent(Folders::writable);
        if (resume.isPresent()) {
            refuse(source.isPresent(), "PROJECT|SOURCE");
            refuse(engine.isPresent(), "--engine");
            refuse(
                    !kernel.isEmpty(),
                    "--top, --directives, --mapping, --part, --clock, --flow, --pruning, --include and --define");
            refuse(
                    method.isPresent()
                            || toolchain.isPresent()
                            || seed.isPresent()
                            || init.isPresent()
                            || parallel.isPresent()
                            || !starts.isEmpty()
                            || prior.isPresent()
                            || !objectives.isEmpty()
                            || goal.isPresent()
                            || stopGain.isPresent(),
                    "--method, --toolchain, --seed, --init, --parallel, --start, --prior, --objectives, --goal and --stop-gain");
            RunReference reference = RunReference.parse(resume.get(), context().here());
            try (Project project = reference.open()) {
                RunRecord run = reference.run(project);
                Opened<HlsWorkbench> bench = opened(project, run.work(HlsSettings.class));
                RunSettings settings = usage(() -> run.settings()
                        .with(RunSettings.STEPS, steps.orElse(run.settings().steps()))
                        .with(
                                RunSettings.EARLY_STOP,
                                earlyStop.orElse(run.settings().earlyStop()))
                        .with(
                                RunSettings.HOURS,
                                hours.map(ExploreCommand::toolHours)
                                        .orElse(run.settings().values().get(RunSettings.HOURS)))
                        .with(RunSettings.WAIT, wait.orElse(run.settings().waitFactor())));
                return explore(
                        bench,
                        settings.toolchain(),
                        (runner, watchers) -> runner.resume(bench, run.id(), settings, watchers),
                        folder.or(() -> RunFiles.earlier(project, run)));
            }
        }
        Optional<Path> measured = toolchain
                .flatMap(HlsSettings::measured)
                .map(f -> context().here().resolve(f).toAbsolutePath().normalize());
        if (source.isEmpty() && measured.isEmpty()) {
            throw new ParameterException(
                    spec().commandLine(), "Name a project folder or a source file, or a run with --resume.");
        }
        try (Project project = Project.open(
                source.map(s -> context().here().resolve(s).normalize()).orElseGet(measured::get), folder)) {
            // A project of another kind says so before its methods are not found.
            project.file().work(HlsSettings.class);
            RunSettings settings = settings(project.file().run(), measured);
            usage(() -> context().tools().get().methods().named(settings.method()));
            usage(() -> Toolchains.named(context().tools().get().toolchains(), settings.toolchain()));
            Opened<HlsWorkbench> bench = opened(
                    project,
                    withOptions(kernel.apply(project, context().here(), settings.toolchain()), settings.toolchain()));
            Optional<Integer> outside = told(bench, settings);
            if (outside.isPresent()) {
                return outside.get();
            }
            return explore(
                    bench, settings.toolchain(), (runner, watchers) -> runner.start(bench, settings, watchers), folder);
        }
    }

    private HlsSettings withOptions(HlsSettings given, String toolchain) {
        if (prior.filter(p -> p == Prior.ESTIMATE).isPresent()
                && (given.isMeasured() || toolchain.equals(EstimatorEvaluator.NAME))) {
            throw new UserError(
                    given.isMeasured()
                            ? "--prior estimate needs the kernel's source, and these are designs measured earlier."
                            : "--prior estimate says nothing new where the estimator evaluates; choose another toolchain, or leave it out.");
        }
        HlsSettings s = prior.map(p -> given.with(HlsSettings.PRIOR, p == Prior.ESTIMATE))
                .orElse(given);
        HlsSettings begun = starts.isEmpty()
                ? s
                : s.with(
                        HlsSettings.STARTS,
                        starts.stream()
                                .map(f -> context()
                                        .here()
                                        .resolve(f)
                                        .toAbsolutePath()
                                        .normalize()
                                        .toString())
                                .toList());
        return engine.map(e -> begun.with(ToolSettings.ENGINE, e)).orElse(begun);
    }

    private Opened<HlsWorkbench> opened(Project project, HlsSettings settings) {
        return Opened.of(
                project,
                settings,
                s -> HlsWorkbench.open(
                        project, (HlsSettings) s, context().tools().get()));
    }

    private void refuse(boolean given, String what) {
        if (given) {
            throw new ParameterException(
                    spec().commandLine(), "With --resume, " + what + " cannot be given: a run is resumed as it began.");
        }
    }

    /// A file or folder named on the command line is looked for where the person is, not in the project.
    private String fromHere(String given, RunSettings d) {
        return VendorTools.place(given)
                .filter(p -> !p.isBlank() && !given.equals(d.toolchain()))
                .map(p -> VendorTools.at(
                        given,
                        context().here().resolve(p).toAbsolutePath().normalize().toString()))
                .orElse(given);
    }

    private RunSettings settings(RunSettings d, Optional<Path> measured) {
        String given = toolchain
                .filter(t -> !t.equals(HlsSettings.REPLAY) || !HlsSettings.isReplay(d.toolchain()))
                .orElse(d.toolchain());
        return usage(() -> d.with(RunSettings.METHOD, method.orElse(d.method()))
                .with(
                        RunSettings.TOOLCHAIN,
                        measured.map(f -> HlsSettings.REPLAY + ":" + f).orElse(fromHere(given, d)))
                .with(RunSettings.SEED, seed.orElse(d.seed()))
                .with(RunSettings.STEPS, steps.orElse(d.steps()))
                .with(RunSettings.INITIAL, init.orElse(d.initialDesigns()))
                .with(RunSettings.EARLY_STOP, earlyStop.orElse(d.earlyStop()))
                .with(RunSettings.PARALLEL, parallel.orElse(d.parallel()))
                .with(RunSettings.OBJECTIVES, objectives.isEmpty() ? d.objectives() : objectives)
                .with(RunSettings.WAIT, wait.orElse(d.waitFactor()))
                .with(RunSettings.GOAL, goal.orElse(d.goal()))
                .with(
                        RunSettings.LEAST_GAIN,
                        stopGain.map(ExploreCommand::leastGain).orElse(d.leastGain()))
                .with(
                        RunSettings.HOURS,
                        hours.map(ExploreCommand::toolHours).orElse(d.values().get(RunSettings.HOURS))));
    }

    private static double toolHours(double given) {
        if (!(given >= 0 && Double.isFinite(given))) {
            throw new IllegalArgumentException("--hours must be at least 0, was " + Numbers.shortest(given));
        }
        return given;
    }

    private static double leastGain(double percent) {
        if (!(percent >= 0 && percent < 100)) {
            throw new IllegalArgumentException(
                    "--stop-gain must be at least 0 and below 100 percent, was " + Numbers.shortest(percent));
        }
        return percent / 100;
    }

    private int explore(Opened<HlsWorkbench> opened, String toolchain, Begin begin, Optional<Path> folder)
            throws InterruptedException {
        HlsWorkbench bench = opened.bench();
        FileGuard guard = overwriting.guard(opened.project(), bench.settings());
        folder.ifPresent(f -> guard.check(f, RunFiles.names()));
        bench.warnings().forEach(n -> err().println("Note: " + n));
        if (toolchain.equals(EstimatorEvaluator.NAME)) {
            bench.assumptions().stream()
                    .limit(MOST_ASSUMPTIONS)
                    .forEach(a -> err().println("Note: " + SpaceJson.assumption(a)));
            if (bench.assumptions().size() > MOST_ASSUMPTIONS) {
                err().println("Note: " + (bench.assumptions().size() - MOST_ASSUMPTIONS)
                        + " more assumptions; 'knobscape space' lists them all");
            }
        }
        goal.ifPresent(g -> {
            try (Evaluator evaluator = bench.evaluator(RunSettings.of("", toolchain, 0, 1, 0))) {
                usage(() -> GoalReport.parse(g, evaluator.info().metrics()));
            }
        });
        return follow(begin, List.of(progress()), (run, end) -> report(opened, run.results(), end, folder, guard));
    }

    private int report(
            Opened<HlsWorkbench> opened,
            RunResults results,
            RunEvent.Finished end,
            Optional<Path> folder,
            FileGuard guard) {
        Optional<GoalReport> wanted = Optional.of(results.run().settings().goal())
                .filter(g -> !g.isBlank())
                .map(g -> GoalReport.parse(g, results.run().info().metrics()));
        Project project = opened.project();
        folder.ifPresent(f -> RunFiles.write(
                project, results, f, guard, wanted.map(g -> g.section(results)).orElse("")));
        if (isJson()) {
            ObjectNode document = RunFiles.json(project, results);
            wanted.ifPresent(g -> g.write(document, results));
            print(document);
        } else {
            printFront(opened.bench(), results, wanted);
            wanted.ifPresent(g -> out().println(g.line(results)));
            folder.ifPresent(f -> out().println("Files: " + f + " (front.csv, designs.csv, run.json, report.md)"));
            out().println("Run: " + RunReference.text(project, results.run().id()));
            out().flush();
        }
        return ended(end, RunReference.text(project, results.run().id()));
    }

    private void printFront(HlsWorkbench bench, RunResults results, Optional<GoalReport> wanted) {
        List<Metric> objectives = RunFiles.objectives(results);
        var headings = new ArrayList<String>(List.of(">design"));
        objectives.forEach(m -> headings.add(">" + m.label() + (m.unit().isEmpty() ? "" : " (" + m.unit() + ")")));
        wanted.ifPresent(g -> headings.add("goal"));
        Configuration usual = bench.baseline()
                .orElseGet(() -> Configuration.of(
                        bench.space().knobs(), new int[bench.space().knobs().size()]));
        headings.add(
                bench.baseline().isPresent()
                        ? "knobs that differ from the baseline"
                        : "knobs not at their first value");
        var table = new TextTable(headings);
        // Equal designs are one line, as they are one mark in the window.
        var alike = new LinkedHashMap<List<String>, List<Design>>();
        for (Design d : RunFiles.front(results)) {
            var cells = new ArrayList<String>();
            objectives.forEach(
                    m -> cells.add(Numbers.shortest(d.at(results.run().info().top())
                            .orElseThrow()
                            .value(m.name())
                            .orElse(Double.NaN))));
            wanted.ifPresent(g -> cells.add(g.mark(results, d)));
            alike.computeIfAbsent(cells, c -> new ArrayList<>()).add(d);
        }
        alike.forEach((values, designs) -> {
            Design first = designs.getFirst();
            var cells = new ArrayList<String>(List.of("#" + first.number()));
            cells.addAll(values);
            cells.add(KnobWords.differences(usual, first.configuration())
                    + (designs.size() == 1
                            ? ""
                            : designs.stream()
                                    .skip(1)
                                    .map(d -> "#" + d.number())
                                    .collect(Collectors.joining(", ", "; as good: ", ""))));
            table.add(cells);
        });
        out().println("Front of " + results.designs().size() + " designs at "
                + results.run().info().top().name() + " ("
                + results.run().info().source().words() + "):");
        out().print(table.text());
        if (results.front().isEmpty()) {
            results.designs().stream()
                    .flatMap(d -> d.highest().stream())
                    .flatMap(e -> e.outcome() instanceof Outcome.Failure f ? Stream.of(f.reason()) : Stream.empty())
                    .findFirst()
                    .ifPresent(why -> out().println("No design has come that far. The first that failed: " + why));
        }
    }
}
