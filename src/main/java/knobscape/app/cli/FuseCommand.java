package knobscape.app.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.explore.RunEvent;
import knobscape.fusion.FusionArea;
import knobscape.fusion.FusionMethods;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.fusion.StripWork;
import knobscape.fusion.evaluate.CostModel;
import knobscape.fusion.evaluate.FusionReport;
import knobscape.fusion.export.FusionResult;
import knobscape.fusion.export.StrategyFile;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.search.sequence.SequenceMethods;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.space.Strategy;
import knobscape.network.source.NetworkNames;
import knobscape.project.Folders;
import knobscape.project.Numbers;
import knobscape.project.Opened;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import knobscape.project.RunFiles;
import knobscape.project.RunRecord;
import knobscape.project.RunReference;
import knobscape.project.RunResults;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/// `knobscape fuse`: finds a layer-fusion strategy for a network, or explains one.
@Command(
        name = "fuse",
        description =
                "Find a layer-fusion strategy of a network and say why it is good. Ctrl-C stops; a stopped or killed run can be resumed.")
final class FuseCommand extends Verb {
    /// Methods that strips are answered by.
    private static final Set<String> STRIP_METHODS = Set.of(FusionMethods.AUTO, "exact");

    @Parameters(
            arity = "0..1",
            paramLabel = "NETWORK",
            description =
                    "An ONNX, JSON or CSV file, a built-in network (resnet50), or a project folder. Runs go to --out, else beside the file; those of a built-in network to this user's folder.")
    private Optional<String> network = Optional.empty();

    @Option(
            names = "--resume",
            paramLabel = "RUN",
            description = "Resume a stored run: PROJECT:NUMBER, a project (its newest run) or a folder of results.")
    private Optional<String> resume = Optional.empty();

    @Option(
            names = "--strategy",
            paramLabel = "TEXT|FILE",
            description = "Explain this strategy instead of searching: entries like 64,6,-1^15, or a strategy.json.")
    private Optional<String> strategy = Optional.empty();

    @Option(
            names = "--method",
            paramLabel = "NAME",
            description = "Method, see below; list prints all (default: the project's, else auto).")
    private Optional<String> method = Optional.empty();

    @Option(
            names = "--model",
            paramLabel = "FILE",
            description =
                    "A trained model for the methods dnnfuser and seq2seq (see fusion-train), instead of the one that ships.")
    private Optional<Path> sequenceModel = Optional.empty();

    @Option(
            names = "--buffer",
            paramLabel = "SIZE",
            description = "On-chip room for activations, for example 20MB (default: the accelerator's).")
    private Optional<String> buffer = Optional.empty();

    @Option(names = "--batch", paramLabel = "N", description = "Samples (default: the project's, else 64).")
    private Optional<Integer> batch = Optional.empty();

    @Mixin
    private OpenExtents extents;

    @Option(
            names = "--accelerator",
            paramLabel = "NAME|FILE",
            description = "calibrated, paper-literal or a JSON file (default: the project's, else calibrated).")
    private Optional<String> accelerator = Optional.empty();

    @Option(
            names = "--toolchain",
            paramLabel = "NAME",
            description =
                    "Evaluator: cost-model, or told for results that you tell (knobscape ask) (default: the project's, else cost-model).")
    private Optional<String> toolchain = Optional.empty();

    @Option(
            names = "--constraint",
            paramLabel = "NAME",
            description = "How searchers see strategies that do not fit: death, lexi or soft (default: lexi).")
    private Optional<Constraint> constraint = Optional.empty();

    @Option(
            names = "--cost-model",
            paramLabel = "NAME",
            description =
                    "strips (the default): strips of rows on one buffer, exact for every network; paper: micro-batches as in the DNNFuser paper, which the searches and trained models work in.")
    private Optional<FusionSettings.CostModelKind> costModel = Optional.empty();

    @Option(
            names = "--objective",
            paramLabel = "NAME",
            description = "Of strips: time (the default), traffic or energy is made least.")
    private Optional<Objective> objective = Optional.empty();

    @Option(names = "--pareto", description = "Of strips: also print the exact front of time against off-chip traffic.")
    private boolean pareto;

    @Option(
            names = "--evaluations",
            paramLabel = "N",
            description = "Maximum number of strategies a search evaluates (default: the project's, else 2000).")
    private Optional<Integer> evaluations = Optional.empty();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of everything random (default: the project's, else 1).")
    private Optional<Long> seed = Optional.empty();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Write strategy.json, strategy.csv, front.csv, designs.csv, run.json and report.md into this folder.")
    private Optional<Path> out = Optional.empty();

    @Mixin
    private Overwriting overwriting;

    FuseCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (accelerator.filter("list"::equals).isPresent()) {
            return StripFusion.listAccelerators(this);
        }
        if (resume.isPresent()) {
            if (network.isPresent()
                    || strategy.isPresent()
                    || method.isPresent()
                    || sequenceModel.isPresent()
                    || buffer.isPresent()
                    || batch.isPresent()
                    || accelerator.isPresent()
                    || constraint.isPresent()
                    || toolchain.isPresent()
                    || seed.isPresent()
                    || !extents.dims().isEmpty()) {
                throw new ParameterException(
                        spec().commandLine(),
                        "With --resume only --evaluations, --json and --out can be given: a run is resumed as it began.");
            }
            Optional<Path> folder = folder();
            RunReference reference = RunReference.parse(resume.get(), context().here());
            try (Project project = reference.open()) {
                RunRecord run = reference.run(project);
                Opened<FusionWorkbench> bench = opened(project, run.work(FusionSettings.class));
                RunSettings settings = usage(() -> run.settings()
                        .with(
                                RunSettings.STEPS,
                                evaluations.orElse(run.settings().steps())));
                return search(
                        bench,
                        (runner, watchers) -> runner.resume(bench, run.id(), settings, watchers),
                        folder.or(() -> RunFiles.earlier(project, run)));
            }
        }
        if (network.isEmpty()) {
            throw new ParameterException(spec().commandLine(), "Name a network or a project, or a run with --resume.");
        }
        Optional<Path> folder = folder();
        try (Project project = project(folder)) {
            if (isStrips(project)) {
                StripWork work = StripWork.open(project, settings(project), batch);
                return new StripFusion(this, overwriting.guard(project, settings(project)))
                        .run(work, objective.orElse(Objective.TIME), pareto, folder);
            }
            if (objective.isPresent() || pareto) {
                throw new ParameterException(
                        spec().commandLine(),
                        "--objective and --pareto go with --cost-model strips; the paper's model has one objective.");
            }
            Opened<FusionWorkbench> bench = opened(project, settings(project));
            bench.bench().warnings().forEach(w -> err().println("Note: " + w));
            if (strategy.isPresent()) {
                return explain(bench, folder);
            }
            RunSettings d = project.file().run();
            RunSettings settings = usage(() -> d.with(RunSettings.METHOD, methodName(d.method()))
                    .with(RunSettings.TOOLCHAIN, toolchain.orElse(d.toolchain()))
                    .with(RunSettings.SEED, seed.orElse(d.seed()))
                    .with(RunSettings.STEPS, evaluations.orElse(d.steps())));
            if (settings.steps() < 1) {
                throw new ParameterException(
                        spec().commandLine(), "--evaluations must be at least 1, not " + settings.steps() + ".");
            }
            usage(() -> bench.bench().method(settings.method()));
            Optional<Integer> outside = told(bench, settings);
            if (outside.isPresent()) {
                return outside.get();
            }
            return search(bench, (runner, watchers) -> runner.start(bench, settings, watchers), folder);
        }
    }

    /// Whether strips are asked for: by name, by a project, or by a network without anything that only the paper's
    /// model
    /// knows.
    private boolean isStrips(Project project) {
        String name = method.orElse(FusionMethods.AUTO);
        boolean exact = STRIP_METHODS.contains(name);
        if (costModel.isPresent()) {
            if (costModel.get() == FusionSettings.CostModelKind.STRIPS && !exact) {
                throw new ParameterException(
                        spec().commandLine(),
                        "The method " + name
                                + " works in the paper's model; strips are answered by exact (--cost-model paper --method "
                                + name + ").");
            }
            return costModel.get() == FusionSettings.CostModelKind.STRIPS;
        }
        boolean paper = !exact
                || strategy.isPresent()
                || constraint.isPresent()
                || evaluations.isPresent()
                || toolchain.isPresent()
                || sequenceModel.isPresent();
        boolean strips = project.file().work(FusionSettings.class).costModel() == FusionSettings.CostModelKind.STRIPS;
        return !paper && (strips || !isProject());
    }

    private static Opened<FusionWorkbench> opened(Project project, FusionSettings settings) {
        return Opened.of(project, settings, s -> FusionWorkbench.open(project, (FusionSettings) s));
    }

    /// The method's name, with the file of its model where one was named.
    private String methodName(String otherwise) {
        String name = method.orElse(otherwise);
        if (sequenceModel.isEmpty()) {
            return name;
        }
        if (!name.equals("dnnfuser") && !name.equals("seq2seq")) {
            throw new ParameterException(
                    spec().commandLine(), "--model goes with --method dnnfuser or seq2seq, not with " + name + ".");
        }
        return name
                + SequenceMethods.SEPARATOR
                + context().here().resolve(sequenceModel.get()).toAbsolutePath().normalize();
    }

    private Optional<Path> folder() {
        Optional<Path> folder = out.map(o -> context().here().resolve(o).normalize());
        folder.ifPresent(Folders::writable);
        return folder;
    }

    /// Whether a project's folder or file is named instead of a network.
    private boolean isProject() {
        String text = network.orElseThrow();
        if (text.startsWith(FusionSettings.ZOO)) {
            return false;
        }
        try {
            Path path = context().here().resolve(text).normalize();
            return Files.isDirectory(path) || path.endsWith(ProjectFile.FILE_NAME);
        } catch (java.nio.file.InvalidPathException e) {
            throw new UserError("'" + text + "' is not the name of a file.", e);
        }
    }

    private Project project(Optional<Path> folder) {
        String text = network.orElseThrow();
        if (isProject()) {
            return Project.open(context().here().resolve(text).normalize(), folder);
        }
        Area.Bare bare = FusionArea.bare(NetworkNames.source(text, context().here()), Folders.userRuns());
        var seen = (FusionSettings) bare.work().settings();
        // The project can be opened only with the extents that its file leaves open.
        return Project.scratch(bare.with(seen.with(FusionSettings.DIMS, extents.dims())), folder);
    }

    private FusionSettings settings(Project project) {
        return usage(() -> {
            FusionSettings s = project.file().work(FusionSettings.class);
            // A file named on the command line is looked for where the person is, not in the project.
            FusionSettings p = s;
            s = accelerator
                    .map(a -> Accelerator.preset(a).isPresent()
                            ? a
                            : context()
                                    .here()
                                    .resolve(a)
                                    .toAbsolutePath()
                                    .normalize()
                                    .toString())
                    .map(a -> p.with(FusionSettings.ACCELERATOR, a))
                    .orElse(s);
            if (buffer.isPresent()) {
                s = s.with(FusionSettings.BUFFER, ByteSize.parse(buffer.get()));
            }
            if (batch.isPresent()) {
                s = s.with(FusionSettings.BATCH, batch.get());
            }
            if (!extents.dims().isEmpty()) {
                s = s.with(FusionSettings.DIMS, extents.dims());
            }
            return constraint.isPresent() ? s.with(FusionSettings.CONSTRAINT, constraint.get()) : s;
        });
    }

    private int explain(Opened<FusionWorkbench> opened, Optional<Path> folder) {
        FusionResult r = explained(opened.bench().model());
        folder.ifPresent(f -> write(opened, r, f));
        if (isJson()) {
            print(r.json());
        } else {
            print(r.model(), r.strategy());
        }
        out().flush();
        return 0;
    }

    /// The strategy of the command line. That of a file is evaluated on the accelerator and with the batch of the
    /// file, as far as no option says otherwise.
    private FusionResult explained(CostModel own) {
        String text = strategy.orElseThrow();
        if (!text.endsWith(".json")) {
            return usage(() -> {
                Strategy s = Strategy.parse(text);
                own.check(s);
                return new FusionResult(own, s, Optional.empty(), Optional.empty());
            });
        }
        StrategyFile file = StrategyFile.read(context().here().resolve(text));
        Accelerator base = accelerator.isPresent() ? own.accelerator() : file.accelerator();
        var model = new CostModel(
                own.network(),
                buffer.isPresent() || accelerator.isPresent()
                        ? base.withBuffer(own.accelerator().bufferBytes())
                        : base,
                batch.isPresent() ? own.batch() : file.batch());
        file.mismatch(model).ifPresent(why -> {
            throw new UserError("The strategy in " + text + " does not fit the network: " + why + ".");
        });
        boolean asMade = model.accelerator().equals(file.accelerator()) && model.batch() == file.batch();
        err().println(
                        asMade
                                ? "Evaluated on the accelerator, buffer and batch that the file was made for."
                                : "Evaluated on " + on(model.accelerator(), model.batch())
                                        + ", as asked; the file was made for " + on(file.accelerator(), file.batch())
                                        + ".");
        return new FusionResult(model, file.strategy(), Optional.empty(), Optional.empty());
    }

    private static String on(Accelerator a, int batch) {
        return a.name() + " with " + ByteSize.shown(a.bufferBytes()) + ", batch " + batch;
    }

    private int search(Opened<FusionWorkbench> bench, Begin begin, Optional<Path> folder) throws InterruptedException {
        folder.ifPresent(f -> {
            guard(bench).check(f, RunFiles.names());
            guard(bench).check(f, List.of("strategy.json", "strategy.csv"));
        });
        return follow(begin, List.of(progress()), (run, end) -> report(bench, run.results(), end, folder));
    }

    private int report(
            Opened<FusionWorkbench> opened, RunResults results, RunEvent.Finished end, Optional<Path> folder) {
        FusionWorkbench bench = opened.bench();
        CostModel model = bench.model();
        Optional<Strategy> fastest = bench.best(results.designs().stream().flatMap(d -> d.evaluations().stream()));
        Optional<FusionResult> best = fastest.map(s -> bench.result(
                results.run().settings(),
                s,
                results.designs().stream()
                        .filter(d ->
                                bench.strategies().strategy(d.configuration()).equals(s))
                        .findFirst()
                        .orElseThrow()
                        .reason()));
        Optional<Strategy> nearest = results.designs().stream()
                .map(d -> bench.strategies().strategy(d.configuration()))
                .min(Comparator.comparingLong(s -> model.evaluate(s).peakBytes()));
        folder.ifPresent(f -> {
            RunFiles.write(
                    opened.project(),
                    results,
                    f,
                    guard(opened),
                    best.map(FusionResult::markdown).orElse(""));
            best.ifPresent(b -> write(opened, b, f));
        });
        if (isJson()) {
            ObjectNode root = RunFiles.json(opened.project(), results);
            root.put("network", model.network().name())
                    .put("batch", model.batch())
                    .put("bufferBytes", model.budget());
            best.map(FusionResult::json)
                    .or(() -> nearest.map(s -> StrategyFile.json(model, s)))
                    .ifPresentOrElse(json -> root.set("best", json), () -> root.putNull("best"));
            print(root);
        } else {
            best.ifPresent(b -> {
                print(model, b.strategy());
                b.proofWords().ifPresent(out()::println);
                b.remarkWords().ifPresent(out()::println);
            });
            folder.ifPresent(
                    f -> out().println("Files: " + f + " (" + (best.isPresent() ? "strategy.json, strategy.csv, " : "")
                            + "front.csv, designs.csv, run.json, report.md)"));
            out().println("Run: "
                    + RunReference.text(opened.project(), results.run().id()));
            out().flush();
        }
        if (end.ending() == RunEvent.Ending.COMPLETED && best.isEmpty()) {
            err().println("No strategy that fits " + ByteSize.shown(model.budget())
                    + " was found (N/A); the smallest needs "
                    + nearest.map(s -> ByteSize.shown(model.evaluate(s).peakBytes()))
                            .orElse("-") + ". Try --method gsampler, or --constraint lexi with more --evaluations.");
        }
        int code = ended(end, RunReference.text(opened.project(), results.run().id()));
        return end.ending() == RunEvent.Ending.COMPLETED && best.isEmpty() ? Problems.WORK_FAILED : code;
    }

    private FileGuard guard(Opened<FusionWorkbench> opened) {
        return overwriting.guard(opened.project(), opened.bench().settings());
    }

    private void write(Opened<FusionWorkbench> opened, FusionResult r, Path folder) {
        var files = new LinkedHashMap<String, String>();
        files.put("strategy.json", StrategyFile.text(r.json()));
        files.put("strategy.csv", StrategyFile.csv(r.model(), r.strategy()));
        guard(opened).write(folder, FileGuard.bytes(files));
    }

    private void print(CostModel model, Strategy s) {
        FusionReport r = model.report(s);
        out().println(model.network().name() + ", " + model.layers() + " layers, batch "
                + model.batch() + ", accelerator "
                + model.accelerator().name() + ", buffer "
                + ByteSize.shown(model.budget()));
        out().println("Strategy: " + s.text());
        out().println(String.format(
                Locale.ROOT,
                "Speedup %s over no fusion: %s us instead of %s us. %s",
                r.isValid() ? String.format(Locale.ROOT, "%.2f", r.speedup()) : "N/A",
                Numbers.shortest(r.cost().seconds() * 1e6),
                Numbers.shortest(r.baselineSeconds() * 1e6),
                r.verdict()));
        var table = new TextTable(
                ">group",
                "layers",
                "micro-batches",
                ">time (us)",
                ">off-chip (MB)",
                ">on-chip (MB)",
                ">staged (MB)",
                "weights",
                "waits for");
        for (int g = 0; g < r.groups().size(); g++) {
            FusionReport.Group group = r.groups().get(g);
            int[] entries = java.util.Arrays.copyOfRange(s.toArray(), group.first(), group.last() + 1);
            table.add(
                    "" + (g + 1),
                    group.first() == group.last() ? "" + group.first() : group.first() + "-" + group.last(),
                    entries.length == 1 ? "-" : runs(entries),
                    Numbers.shortest(group.cost().seconds() * 1e6),
                    Numbers.shortest(group.cost().offChipBytes() / 1e6),
                    Numbers.shortest(group.cost().onChipBytes() / 1e6),
                    Numbers.shortest(group.cost().peakBytes() / 1e6),
                    group.weightsFit() ? "loaded once" : "reloaded",
                    bounds(group));
        }
        out().print(table.text());
    }

    private static String runs(int[] entries) {
        var b = new StringBuilder();
        for (int i = 0; i < entries.length; ) {
            int j = i;
            while (j < entries.length && entries[j] == entries[i]) {
                j++;
            }
            b.append(b.isEmpty() ? "" : ",")
                    .append(entries[i] < 1 ? "sync" : "" + entries[i])
                    .append(j - i > 1 ? "^" + (j - i) : "");
            i = j;
        }
        return b.toString();
    }

    /// What the group's time is spent on most, by the time of its layers.
    private static String bounds(FusionReport.Group group) {
        return java.util.Arrays.stream(FusionReport.Bound.values())
                .max(Comparator.comparingDouble(b -> group.layers().stream()
                        .filter(l -> l.bound() == b)
                        .mapToDouble(FusionReport.Layer::seconds)
                        .sum()))
                .map(b -> switch (b) {
                    case COMPUTE -> "compute";
                    case OFF_CHIP -> "off-chip";
                    case ON_CHIP -> "on-chip";
                    case LAUNCH -> "launches";
                })
                .orElseThrow();
    }
}
