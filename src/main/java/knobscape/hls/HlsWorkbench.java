package knobscape.hls;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Goal;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.explore.BaselineFirst;
import knobscape.explore.Budget;
import knobscape.explore.Explorer;
import knobscape.explore.Guess;
import knobscape.explore.Subject;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.Estimator;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.evaluate.estimator.KnownAccuracy;
import knobscape.hls.evaluate.vendor.ReportReader;
import knobscape.hls.evaluate.vendor.VendorTools;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.DirectiveImport;
import knobscape.hls.export.Flow;
import knobscape.hls.export.ToolOptions;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.SourceNote;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.Pruning;
import knobscape.hls.space.StatedDesign;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.space.FeatureEncoder;
import knobscape.space.Sha256;
import knobscape.work.Area;
import knobscape.work.Choices;
import knobscape.work.Method;
import knobscape.work.RunPlan;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;
import knobscape.work.Workbench;
import knobscape.work.history.HistoryTask;
import knobscape.work.tool.ToolSettings;

/// HLS work opened: the kernel as read with its directive space, or measured designs with the finite space they
/// are, and the means to explore it. Opening parses and prunes, so it is not done on a thread that draws.
/// Immutable afterwards; edit the settings and open again.
public final class HlsWorkbench implements Workbench {
    /// File beside the runs with the mapping of a table's columns as a person corrected it; holds where no other is
    /// named.
    public static final String COLUMNS = "columns.yaml";

    /// Rows of a table that are shown before a run.
    private static final int MOST_PROSE = 100_000;
    private static final int MAX_KNOWN = 200_000;

    private static final long TOOL_SEED = 1;

    private final WorkLocation place;
    private final HlsSettings settings;
    private final HlsTools tools;
    private final Work work;
    private final String sourceHash;
    private final List<String> assumptions;

    /// What is explored.
    private sealed interface Work {
        /// A kernel by its directives.
        record Directives(Kernel kernel, DirectiveSpace space, List<StatedDesign> starts) implements Work {}

        /// Designs measured earlier.
        record Measured(ReplaySet set, Encoder encoder) implements Work {}
    }

    private HlsWorkbench(WorkLocation place, HlsSettings settings, HlsTools tools, Work work, String sourceHash) {
        this.place = place;
        this.settings = settings;
        this.tools = tools;
        this.work = work;
        this.sourceHash = sourceHash;
        this.assumptions = estimatorsAssumptions();
    }

    private List<String> estimatorsAssumptions() {
        if (!(work instanceof Work.Directives d)
                || d.kernel().compiled().isEmpty()
                || tools.toolchains().all().stream().noneMatch(t -> t.name().equals(EstimatorEvaluator.NAME))) {
            return List.of();
        }
        // The evaluator would estimate a first design too, which a large kernel waits for.
        return new Estimator(d.kernel(), estimator()).notes();
    }

    /// Opens what a project says. Throws [UserError] for whatever is wrong with source, directive file or part.
    public static HlsWorkbench open(WorkLocation place, Area.Work work, HlsTools tools) {
        return open(
                place,
                work.settings().as(HlsSettings.class).effective(work.run().toolchain(), place),
                tools);
    }

    /// Opens work.
    ///
    /// @param settings with what a directive file says taken over ([HlsSettings#effective])
    /// @param place relative paths start here
    ///
    /// Throws [UserError] for whatever is wrong with source, directive file or part.
    public static HlsWorkbench open(WorkLocation place, HlsSettings settings, HlsTools tools) {
        Path source = place.resolve(settings.source());
        if (settings.isMeasured()) {
            ReplaySet set = ReplaySet.open(
                    source,
                    settings.directives()
                            .map(place::resolve)
                            .or(() -> Optional.of(place.runsFolder().resolve(COLUMNS))
                                    .filter(Files::isRegularFile)));
            return new HlsWorkbench(
                    place,
                    settings,
                    tools,
                    new Work.Measured(set, new FeatureEncoder(set.space().knobs())),
                    hash(set));
        }
        if (ReportReader.isReport(source)) {
            throw new UserError(
                    source + " is named as a report, and a report is no kernel; read it with 'knobscape report "
                            + source.getFileName() + "', or drop it on a design in the window.");
        }
        refuseProse(source);
        KernelReader.Options options = settings.reading(place);
        Kernel kernel = tools.reader().read(source, options);
        Optional<Path> file = settings.directives().map(place::resolve);
        DirectiveSpace space =
                tools.spaces().build(kernel, file.map(DirectiveFile::read), settings.part(), settings.pruning());
        List<StatedDesign> starts = settings.starts().stream()
                .map(s -> DirectiveImport.read(place.resolve(s), space, tools.reader(), options))
                .toList();
        return new HlsWorkbench(place, settings, tools, new Work.Directives(kernel, space, starts), hash(kernel, file));
    }

    /// Text without a brace, a semicolon or a directive is no code, and no mistake in it can be corrected. Whatever
    /// else
    /// is wrong with a file its reader says.
    private static void refuseProse(Path source) {
        if (!Files.isRegularFile(source)) {
            return;
        }
        try (BufferedReader text = Files.newBufferedReader(source)) {
            int read = 0;
            int c = text.read();
            while (c >= 0 && c != 0 && "{;#".indexOf(c) < 0 && read < MOST_PROSE) {
                read += Character.isWhitespace(c) ? 0 : 1;
                c = text.read();
            }
            if (c < 0 && read > 0) {
                throw new UserError(source + " is text without any C or C++ code, so it is no kernel; open a kernel"
                        + " (.c, .cpp), a network, a study, a table of results or a project folder.");
            }
        } catch (IOException e) {
            // Its reader says why it cannot be read.
        }
    }

    /// Advice on the kernel. Throws [UserError] for measured designs.
    public Advisor advisor(CancellationSignal cancel) {
        return Advisor.of(kernel(), estimator(), cancel);
    }

    private EstimatorSettings estimator() {
        return settings.estimator(TOOL_SEED, place.runsFolder());
    }

    /// What was opened.
    @Override
    public HlsSettings settings() {
        return settings;
    }

    /// The parts it is put together from.
    public HlsTools tools() {
        return tools;
    }

    /// What was found in the source. Throws [UserError] where measured designs are open.
    public Kernel kernel() {
        return kernelWork().kernel();
    }

    /// The pruned space of directives. Throws [UserError] where measured designs are open.
    public DirectiveSpace directives() {
        return kernelWork().space();
    }

    private Work.Directives kernelWork() {
        return switch (work) {
            case Work.Directives d -> d;
            case Work.Measured m ->
                throw new UserError(
                        m.set().file()
                                + " holds measured designs without a source, so there are no directives to write; export them as csv or json.");
        };
    }

    /// The measured designs that are open; empty where a kernel is.
    public Optional<ReplaySet> measured() {
        return work instanceof Work.Measured m ? Optional.of(m.set()) : Optional.empty();
    }

    /// The space explored.
    @Override
    public DesignSpace space() {
        return switch (work) {
            case Work.Directives d -> d.space().space();
            case Work.Measured m -> m.set().space();
        };
    }

    /// Features of its configurations.
    public Encoder encoder() {
        return switch (work) {
            case Work.Directives d -> d.space().encoder();
            case Work.Measured m -> m.encoder();
        };
    }

    /// The configuration that results are compared with: no directives; of measured designs the one with every
    /// knob at its first value, where it was measured.
    @Override
    public Optional<Configuration> baseline() {
        return switch (work) {
            case Work.Directives d -> Optional.of(d.space().baseline());
            case Work.Measured m -> m.set().baseline();
        };
    }

    @Override
    public Stream<List<Evaluation>> known() {
        return measured().filter(m -> m.rows() <= MAX_KNOWN).stream().flatMap(ReplaySet::all);
    }

    /// What a person should know about what was read, one sentence each.
    @Override
    public List<String> warnings() {
        return switch (work) {
            case Work.Directives d ->
                Stream.of(
                                d.kernel().notes().stream()
                                        .filter(n -> n.severity() != SourceNote.Severity.INFO)
                                        .map(SourceNote::toString),
                                settings.part().flatMap(p -> Part.nearest(p).note()).stream(),
                                d.starts().stream()
                                        .flatMap(s -> s.left().stream())
                                        .map(l -> "start: " + l.directive() + ": " + l.why()))
                        .flatMap(w -> w)
                        .toList();
            case Work.Measured m -> m.set().notes();
        };
    }

    /// What the built-in estimator has to assume about this kernel (trip counts that depend on data, arrays of
    /// unknown size), one sentence each; nothing of measured designs.
    @Override
    public List<String> assumptions() {
        return assumptions;
    }

    /// How well the built-in estimator did on the nearest kernel whose designs were measured; empty of measured
    /// designs, and where it is calibrated to one's own.
    public Optional<KnownAccuracy.Nearest> nearestMeasured() {
        return work instanceof Work.Directives d
                        && settings.estimator(TOOL_SEED, place.runsFolder())
                                .calibration()
                                .isNone()
                ? Optional.of(KnownAccuracy.nearest(d.kernel()))
                : Optional.empty();
    }

    /// What a person should know of the built-in estimator's figures: how well it did on the nearest kernel, and
    /// what it assumes, one sentence each.
    public List<String> estimateNotes() {
        return Stream.concat(nearestMeasured().map(KnownAccuracy.Nearest::sentence).stream(), assumptions.stream())
                .toList();
    }

    /// SHA-256 over the sources read and the directive file.
    @Override
    public String sourceHash() {
        return sourceHash;
    }

    @Override
    public Choices<Method> methods() {
        return tools.methods();
    }

    @Override
    public List<Toolchain> evaluators() {
        return Toolchains.fitting(tools.toolchains(), measured().isPresent());
    }

    /// A fresh evaluator for a run with these settings; the caller closes it. Its noise does not follow the
    /// run's seed: the tool is the same tool in every run, so that runs with different seeds can be compared.
    /// Throws [UserError] for an unknown toolchain or part, and for one that cannot evaluate what is open.
    public Evaluator evaluator(RunSettings run) {
        if (work instanceof Work.Measured m) {
            if (!EvaluatorKind.REPLAY.isOf(run.toolchain())) {
                Toolchains.named(tools.toolchains(), run.toolchain());
                throw new UserError(m.set().file()
                        + " holds measured designs, for which only the toolchain replay can answer; leave out --toolchain "
                        + run.toolchain() + ".");
            }
            return m.set().evaluator();
        }
        return Toolchains.create(tools.toolchains(), run.toolchain(), job());
    }

    /// A design that was decided elsewhere: a Tcl directive file, a configuration file, or the source with pragmas.
    /// Throws [UserError] where it cannot be read.
    public StatedDesign imported(Path file) {
        return DirectiveImport.read(
                file,
                directives(),
                tools.reader(),
                new KernelReader.Options(
                        settings.top(),
                        settings.includeDirs().stream().map(place::resolve).toList(),
                        settings.defines()));
    }

    /// Writes what a tool needs for one design: sources, directives, script and `design.json`. Replaces nothing but
    /// what it wrote.
    ///
    /// @param stage the highest that is asked for
    public void write(Configuration configuration, Fidelity stage, Path folder) {
        Toolchains.work(job()).write(configuration, stage, Dialect.VITIS_HLS, folder);
    }

    /// A program that evaluates designs of this work, so many at once whatever the machine has; for the bench of what
    /// that costs.
    public Evaluator commandTool(Path program, ToolSettings limits, Path folder, int jobs) {
        return VendorTools.command(program, Toolchains.work(job()), limits, folder, jobs);
    }

    /// The folder in which a tool outside evaluated a design, where one did.
    public Optional<Path> toolFolder(Configuration configuration) {
        return Stream.of(VendorTools.VITIS, EvaluatorKind.COMMAND)
                .map(kind -> Toolchains.folder(job(), kind).resolve(configuration.id()))
                .filter(Files::isDirectory)
                .findFirst();
    }

    /// What a tool is told besides the design, with absolute places. Throws [UserError] for a folder or file that is
    /// not there.
    public ToolOptions toolOptions() {
        return Toolchains.options(job());
    }

    private Toolchain.Job job() {
        return new Toolchain.Job(directives(), settings, "", place.folder(), place.runsFolder(), TOOL_SEED);
    }

    /// A fresh explorer for a run with these settings. Throws [UserError] for an unknown method or objective.
    public Explorer explorer(RunSettings run, EvaluatorInfo info) {
        List<Metric> objectives = Workbench.objectives(run, info);
        return tools.methods()
                .named(run.method())
                .factory()
                .create(new Method.Problem(
                        space(),
                        encoder(),
                        info,
                        objectives,
                        run.seed(),
                        run.initialDesigns(),
                        bounds(run, info),
                        new Budget(run.toolSeconds(), run.steps()),
                        guess(run, objectives)));
    }

    /// The bounds of the run's goal. Throws [UserError] for a metric that the highest fidelity does not report.
    private static List<Goal.Bound> bounds(RunSettings run, EvaluatorInfo info) {
        List<Goal.Bound> bounds = Goal.parse(run.goal(), info.metrics(), m -> 1).bounds();
        bounds.stream()
                .filter(b -> !info.reports(info.top(), b.metric()))
                .findFirst()
                .ifPresent(b -> {
                    throw new UserError("The goal bounds '" + b.metric() + "', which " + info.name()
                            + " does not report at " + info.top() + ".");
                });
        return bounds;
    }

    /// What is expected of designs before they are evaluated: by the built-in estimator, where that is asked for and
    /// another tool evaluates, and less of what soft pruning dislikes.
    private Optional<Guess> guess(RunSettings run, List<Metric> objectives) {
        if (!(work instanceof Work.Directives d)) {
            return Optional.empty();
        }
        Optional<Guess> estimate = settings.isEstimatePrior()
                        && !run.toolchain().equals(EstimatorEvaluator.NAME)
                ? Optional.of(new EstimatorGuess(() -> new EstimatorEvaluator(d.space(), estimator()), objectives))
                : Optional.empty();
        return settings.pruning() == Pruning.SOFT
                ? Optional.of(new DislikedGuess(d.space(), estimate, objectives.size()))
                : estimate;
    }

    @Override
    public RunPlan plan(RunSettings run) {
        return RunPlan.of(this, run, evaluator(run), info -> {
            Explorer explorer = explorer(run, info);
            if (work instanceof Work.Directives d) {
                for (StatedDesign s : d.starts().reversed()) {
                    explorer = new BaselineFirst(explorer, s.configuration(), info.top(), "start");
                }
            }
            return explorer;
        });
    }

    /// One task per kernel, part, clock and flow; its fidelities are templates of their own. Designs of a file are
    /// known by what is in it, wherever it lies.
    @Override
    public List<HistoryTask> historyTasks(RunSettings run, List<Subject> subjects) {
        EvaluatorInfo info = subjects.getFirst().evaluator().info();
        String name = switch (work) {
            case Work.Directives d -> d.kernel().top();
            case Work.Measured m -> m.set().file().getFileName().toString();
        };
        return List.of(new HistoryTask(
                HlsArea.KIND,
                work instanceof Work.Measured ? EvaluatorKind.REPLAY.word() : info.name(),
                "",
                info.source() != Provenance.Source.MEASURED && info.source() != Provenance.Source.REPLAYED,
                name,
                sourceHash,
                name + settings.part().map(p -> ", " + p).orElse("") + ", " + settings.clockNs() + " ns"
                        + (settings.flow() == Flow.VITIS ? ", kernel flow" : ""),
                "",
                "directives@1",
                "bare",
                Optional.of(space().knobs())));
    }

    @Override
    public Optional<Evaluator> single(RunSettings run) {
        return Optional.of(evaluator(run));
    }

    private static String hash(ReplaySet set) {
        return Sha256.of(bytes(set.file()), set.mappingText().getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UserError("Cannot read " + file + ": " + e.getMessage() + ".", e);
        }
    }

    private static String hash(Kernel kernel, Optional<Path> directives) {
        // By file name, not path: a project that moved is the same project.
        var texts = new TreeMap<String, String>();
        kernel.sources()
                .forEach((path, text) -> texts.put(Path.of(path).getFileName().toString(), text));
        var all = new StringBuilder();
        texts.forEach((name, text) ->
                all.append(name).append('\n').append(text.length()).append('\n').append(text));
        return Sha256.of(
                all.toString().getBytes(StandardCharsets.UTF_8),
                directives.map(HlsWorkbench::bytes).orElse(new byte[0]));
    }
}
