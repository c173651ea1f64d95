package knobscape.project;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.explore.Explorer;
import knobscape.hls.directive.DirectiveFile;
import knobscape.hls.directive.DirectiveSpace;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;

/// A project opened for HLS work: the kernel as read, its directive space, and the means to explore it. Opening parses and prunes, so it is not done on a
/// thread that draws. Immutable afterwards; edit the settings and open again.
public final class HlsWorkbench {
    private static final long TOOL_SEED = 1;

    private final Project project;
    private final HlsSettings settings;
    private final HlsTools tools;
    private final Kernel kernel;
    private final DirectiveSpace directives;
    private final String sourceHash;

    private HlsWorkbench(Project project, HlsSettings settings, HlsTools tools, Kernel kernel, DirectiveSpace directives, String sourceHash) {
        this.project = project;
        this.settings = settings;
        this.tools = tools;
        this.kernel = kernel;
        this.directives = directives;
        this.sourceHash = sourceHash;
    }

    /// Opens what the project says ([Project#kernel()]).
    public static HlsWorkbench open(Project project, HlsTools tools) {
        return open(project, project.kernel(), tools);
    }

    /// Opens with other settings than the project file's (another top, part, clock or directive file); relative paths start at the project folder.
    /// Throws [UserError] for whatever is wrong with source, directive file or part.
    public static HlsWorkbench open(Project project, HlsSettings settings, HlsTools tools) {
        Path source = project.resolve(settings.source());
        var options = new KernelReader.Options(settings.top(), settings.includeDirs().stream().map(project::resolve).toList(), settings.defines());
        Kernel kernel = tools.reader().read(source, options);
        Optional<Path> file = settings.directives().map(project::resolve);
        DirectiveSpace space = tools.spaces().build(kernel, file.map(DirectiveFile::read), settings.part());
        return new HlsWorkbench(project, settings, tools, kernel, space, hash(kernel, file));
    }

    /// The project it belongs to.
    public Project project() {
        return project;
    }

    /// What was opened.
    public HlsSettings settings() {
        return settings;
    }

    /// The parts it is put together from.
    public HlsTools tools() {
        return tools;
    }

    /// What was found in the source.
    public Kernel kernel() {
        return kernel;
    }

    /// The pruned space of directives.
    public DirectiveSpace directives() {
        return directives;
    }

    /// SHA-256 over the sources read and the directive file.
    public String sourceHash() {
        return sourceHash;
    }

    /// A fresh evaluator for a run with these settings; the caller closes it. Its noise does not follow the run's seed: the tool is the same tool in every run, so
    /// that runs with different seeds can be compared. Throws [UserError] for an unknown toolchain or part.
    public Evaluator evaluator(RunSettings run) {
        return tools.toolchains().create(run.toolchain(), new Toolchain.Job(directives, settings, "", project.folder(), TOOL_SEED, run.waitFactor()));
    }

    /// A fresh explorer for a run with these settings. Throws [UserError] for an unknown method or objective.
    public Explorer explorer(RunSettings run, EvaluatorInfo info) {
        return tools.methods().named(run.method()).factory().create(
                new Method.Problem(directives.space(), directives.encoder(), info, objectives(run, info), run.seed(), run.initialDesigns()));
    }

    /// The metrics a run explores: those it names, else the toolchain's own. Throws [UserError] for one that does not exist or has no direction.
    public static List<Metric> objectives(RunSettings run, EvaluatorInfo info) {
        List<String> names = run.objectives().isEmpty() ? info.objectives() : run.objectives();
        var known = info.metrics().stream().filter(m -> m.direction() != Metric.Direction.NEUTRAL).map(Metric::name).toList();
        var chosen = new ArrayList<Metric>();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new UserError("There is no objective '" + name + "'" + Names.didYouMean(name, known) + "; " + info.name() + " has "
                        + String.join(", ", known) + ".");
            }
            if (chosen.stream().anyMatch(m -> m.name().equals(name))) {
                throw new UserError("The objective '" + name + "' is named twice.");
            }
            if (!info.reports(info.top(), name)) {
                throw new UserError("The objective '" + name + "' is not reported at the highest fidelity of " + info.name() + "; choose among "
                        + String.join(", ", known.stream().filter(k -> info.reports(info.top(), k)).toList()) + ".");
            }
            chosen.add(info.metric(name));
        }
        return List.copyOf(chosen);
    }

    private static String hash(Kernel kernel, Optional<Path> directives) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            // By file name, not path: a project that moved is the same project.
            var texts = new TreeMap<String, String>();
            for (Map.Entry<String, String> e : kernel.sources().entrySet()) {
                texts.put(Path.of(e.getKey()).getFileName().toString(), e.getValue());
            }
            texts.forEach((name, text) -> digest.update((name + "\n" + text.length() + "\n" + text).getBytes(java.nio.charset.StandardCharsets.UTF_8)));
            if (directives.isPresent()) {
                digest.update(Files.readAllBytes(directives.get()));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        } catch (IOException e) {
            throw new UserError("Cannot read " + directives.orElseThrow() + ": " + e.getMessage() + ".", e);
        }
    }
}
