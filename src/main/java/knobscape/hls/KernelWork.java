package knobscape.hls;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.explore.Guess;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.Estimator;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.evaluate.estimator.KnownAccuracy;
import knobscape.hls.evaluate.vendor.ReportReader;
import knobscape.hls.evaluate.vendor.ToolWork;
import knobscape.hls.evaluate.vendor.VendorTools;
import knobscape.hls.export.DirectiveImport;
import knobscape.hls.open.OpenFlow;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.SourceNote;
import knobscape.hls.space.ClockedSpace;
import knobscape.hls.space.Directive;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.Pruning;
import knobscape.hls.space.StatedDesign;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.space.Sha256;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;

/// A kernel with its directive space, and what can be done with it besides exploring: advice, designs of elsewhere,
/// files for a tool. Immutable.
///
/// @param directives the pruned space of directives
/// @param starts designs decided elsewhere that a run begins with
/// @param hash SHA-256 over the sources and the directive file
public record KernelWork(
        WorkLocation place,
        HlsSettings settings,
        HlsTools tools,
        Kernel kernel,
        DirectiveSpace directives,
        List<StatedDesign> starts,
        String hash,
        List<String> assumptions) {
    private static final int MOST_PROSE = 100_000;
    private static final long TOOL_SEED = 1;

    /// Reads the kernel that the settings name and prunes its space. Throws [UserError] for whatever is wrong with
    /// source, directive file or part.
    static KernelWork open(WorkLocation place, HlsSettings settings, HlsTools tools) {
        Path source = place.resolve(settings.source());
        if (ReportReader.isReport(source)) {
            throw new UserError(
                    source + " is named as a report, and a report is no kernel; read it with 'knobscape report "
                            + source.getFileName() + "', or drop it on a design in the window.");
        }
        refuseProse(source);
        Kernel kernel = tools.reader().read(source, settings.reading(place));
        Optional<Path> file = settings.directives().map(place::resolve);
        Optional<DirectiveFile> knobs = file.map(DirectiveFile::read);
        DirectiveSpace own = tools.spaces().build(kernel, knobs, settings.part(), settings.pruning());
        DirectiveSpace sources = settings.isTransforming()
                ? RewrittenSources.of(
                        own, source, settings.reading(place), tools, k -> rewritten(k, knobs, tools, settings))
                : own;
        DirectiveSpace space = settings.clocks().isEmpty()
                ? sources
                : new ClockedSpace(sources, settings.clocks(), settings.clockNs());
        List<StatedDesign> starts = settings.starts().stream()
                .map(s -> DirectiveImport.read(place.resolve(s), space, tools.reader(), settings.reading(place)))
                .toList();
        // The evaluator would estimate a first design too, which a large kernel waits for.
        List<String> assumptions = kernel.compiled().isPresent()
                        && tools.toolchains().all().stream()
                                .anyMatch(t -> t.name().equals(EstimatorEvaluator.NAME))
                ? new Estimator(kernel, estimator(settings, place)).notes()
                : List.of();
        return new KernelWork(place, settings, tools, kernel, space, starts, hash(kernel, file), assumptions);
    }

    /// Advice on the source with the directives that its project has.
    public Advisor advisor() {
        List<Directive> base = starts.isEmpty() ? List.of() : starts.getFirst().directives();
        return Advisor.of(kernel, estimator(), base, new CancellationSignal());
    }

    /// The start of such advice, in words.
    public String stated() {
        return starts.isEmpty()
                ? "the source as it stands"
                : "the source with the directives of "
                        + Path.of(settings.starts().getFirst()).getFileName();
    }

    /// A directive file may ask a rewritten source for more than its loops have; then it gets the default knobs.
    private static DirectiveSpace rewritten(
            Kernel kernel, Optional<DirectiveFile> knobs, HlsTools tools, HlsSettings settings) {
        try {
            return tools.spaces().build(kernel, knobs, settings.part(), settings.pruning());
        } catch (UserError e) {
            return tools.spaces().build(kernel, Optional.empty(), settings.part(), settings.pruning());
        }
    }

    /// Text without a brace, a semicolon or a directive is no code, and no mistake in it can be corrected. Whatever
    /// else is wrong with a file its reader says.
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
                directives.map(KernelWork::bytes).orElse(new byte[0]));
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UserError("Cannot read " + file + ": " + e.getMessage() + ".", e);
        }
    }

    /// How the built-in estimator works for the part and clock of the settings.
    public EstimatorSettings estimator() {
        return estimator(settings, place);
    }

    private static EstimatorSettings estimator(HlsSettings settings, WorkLocation place) {
        return settings.estimator(TOOL_SEED, place.runsFolder());
    }

    /// How well the built-in estimator did on the nearest kernel whose designs were measured; empty where it is
    /// calibrated to one's own.
    public Optional<KnownAccuracy.Nearest> nearestMeasured() {
        return estimator().isCalibrated() ? Optional.empty() : Optional.of(KnownAccuracy.nearest(kernel));
    }

    /// The notes on the built-in estimator's figures: how well it did on the nearest kernel, and
    /// what it assumes, one sentence each.
    public List<String> estimateNotes() {
        return Stream.concat(nearestMeasured().map(KnownAccuracy.Nearest::sentence).stream(), assumptions.stream())
                .toList();
    }

    /// A design that was decided elsewhere: a Tcl directive file, a configuration file, or the source with pragmas.
    /// Throws [UserError] where it cannot be read.
    public StatedDesign imported(Path file) {
        return DirectiveImport.read(file, directives, tools.reader(), settings.reading(place));
    }

    /// The folder in which a tool outside evaluated a design, where one did.
    public Optional<Path> toolFolder(Configuration configuration) {
        return Stream.of(VendorTools.VITIS, EvaluatorKind.COMMAND, OpenFlow.OPEN)
                .map(kind -> Toolchains.folder(job(), kind).resolve(configuration.id()))
                .filter(Files::isDirectory)
                .findFirst();
    }

    /// The work of a tool that evaluates designs of the kernel. Throws [UserError] for a folder or file of the tool's
    /// options that is not there.
    public ToolWork toolWork() {
        return Toolchains.work(job());
    }

    /// The hardware of a design as Verilog with a testbench, texts by name of the file. Throws [UserError] where it
    /// cannot be built, or where the open flow measured other hardware.
    ///
    /// @param toolchain of the run, whose fabric counts where it is the open flow
    public Map<String, String> verilog(Configuration configuration, String toolchain) {
        Toolchain.Job job = job();
        return OpenFlow.export(
                configuration,
                OpenFlow.OPEN.argument(toolchain).orElse(""),
                job.folder(),
                Toolchains.work(job),
                Toolchains.folder(job, OpenFlow.OPEN));
    }

    private Toolchain.Job job() {
        return new Toolchain.Job(directives, settings, "", place.folder(), place.runsFolder(), TOOL_SEED);
    }

    String name() {
        return kernel.top();
    }

    DesignSpace space() {
        return directives.space();
    }

    Encoder encoder() {
        return directives.encoder();
    }

    Optional<Configuration> baseline() {
        return Optional.of(directives.baseline());
    }

    List<String> warnings() {
        return Stream.of(
                        kernel.notes().stream()
                                .filter(n -> n.severity() != SourceNote.Severity.INFO)
                                .map(SourceNote::toString),
                        settings.part().flatMap(p -> Part.nearest(p).note()).stream(),
                        starts.stream()
                                .flatMap(s -> s.left().stream())
                                .map(l -> "start: " + l.directive() + ": " + l.why()))
                .flatMap(w -> w)
                .toList();
    }

    /// @return with noise that does not follow the run's seed: the tool is the same tool in every run, so that runs
    /// with different seeds can be compared
    Evaluator evaluator(String toolchain) {
        return Toolchains.create(tools.toolchains(), toolchain, job());
    }

    /// By the built-in estimator, where that is asked for and another tool evaluates, and less of what soft pruning
    /// dislikes.
    Optional<Guess> guess(RunSettings run, List<Metric> objectives) {
        Optional<Guess> estimate = settings.isEstimatePrior()
                        && !run.toolchain().equals(EstimatorEvaluator.NAME)
                ? Optional.of(new EstimatorGuess(() -> new EstimatorEvaluator(directives, estimator()), objectives))
                : Optional.empty();
        return settings.pruning() == Pruning.SOFT
                ? Optional.of(new DislikedGuess(directives, estimate, objectives.size()))
                : estimate;
    }
}
