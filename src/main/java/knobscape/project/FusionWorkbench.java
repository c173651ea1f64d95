package knobscape.project;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.UserError;
import knobscape.explore.Explorer;
import knobscape.fusion.evaluate.CostModel;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.fusion.search.FusionExplorer;
import knobscape.fusion.search.Mapping;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.AcceleratorFile;
import knobscape.fusion.source.FusionNetwork;
import knobscape.fusion.space.Strategy;
import knobscape.fusion.space.StrategySpace;
import knobscape.network.Imported;
import knobscape.network.source.NetworkSource;
import knobscape.space.CartesianSpace;

/// A project opened for layer fusion: the network as a chain of layers, the accelerator, the cost model of both, and the space of strategies. Immutable; edit the settings and open again.
public final class FusionWorkbench implements Workbench {
    /// Most evaluations of a run.
    public static final int MOST_EVALUATIONS = 100_000;

    private final Project project;
    private final FusionSettings settings;
    private final CostModel model;
    private final StrategySpace strategies;
    private final FusionMethods methods;
    private final List<String> warnings;

    private FusionWorkbench(Project project, FusionSettings settings, CostModel model, FusionMethods methods, List<String> warnings) {
        this.project = project;
        this.settings = settings;
        this.model = model;
        this.strategies = StrategySpace.of(model.network(), model.batch());
        this.methods = methods;
        this.warnings = List.copyOf(warnings);
    }

    /// Opens what the project says.
    public static FusionWorkbench open(Project project) {
        return open(project, project.file().fusion());
    }

    /// Opens with other settings than the project file's; relative paths start at the project folder. Throws [UserError] for whatever is wrong with network, accelerator or numbers.
    public static FusionWorkbench open(Project project, FusionSettings settings) {
        return open(project, settings, FusionMethods.standard());
    }

    /// The same with other methods.
    public static FusionWorkbench open(Project project, FusionSettings settings, FusionMethods methods) {
        Accelerator accelerator = AcceleratorFile.named(settings.accelerator(), project.folder());
        Accelerator chosen = settings.buffer().map(accelerator::withBuffer).orElse(accelerator);
        String source = settings.isBuiltIn() ? settings.source() : project.resolve(settings.source()).toString();
        // Costs are for the samples of the settings; the file's own batch, where it has one, only scales its shapes.
        Opened opened = read(source, settings.dims());
        var model = new CostModel(opened.network(), chosen, settings.batch());
        return new FusionWorkbench(project, settings, model, methods, opened.notes());
    }

    /// A network as its layers.
    ///
    /// @param notes what reading it left out or took as given
    public record Opened(FusionNetwork network, List<String> notes) { }

    /// Reads a network for one sample, which costs multiply. Throws [UserError] naming the source for whatever is wrong with it.
    ///
    /// @param dims extents that an ONNX file leaves open
    public static Opened read(String source, Map<String, Long> dims) {
        Imported imported = NetworkSource.read(source, NetworkSource.options(source, 1, dims));
        try {
            return new Opened(FusionNetwork.of(imported.network()), imported.notes());
        } catch (UserError e) {
            throw new UserError(source + ": " + Character.toLowerCase(e.getMessage().charAt(0)) + e.getMessage().substring(1), e);
        }
    }

    @Override
    public Project project() {
        return project;
    }

    @Override
    public FusionSettings settings() {
        return settings;
    }

    /// Judges strategies.
    public CostModel model() {
        return model;
    }

    /// Configurations and strategies.
    public StrategySpace strategies() {
        return strategies;
    }

    /// Who may search.
    public FusionMethods methods() {
        return methods;
    }

    /// What a person should know about what was read, one sentence each.
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public CartesianSpace space() {
        return strategies.space();
    }

    /// Over the layers, what goes between them, the accelerator and the settings: a file that says the same in other words is the same.
    @Override
    public String sourceHash() {
        var text = new StringBuilder();
        model.network().chain().layers().forEach(l -> text.append(l.name()).append(' ').append(l.type()).append(' ').append(l.macs()).append(' ').append(l.weights()).append(' ').append(l.input())
                .append(' ').append(l.output()).append(' ').append(l.reduced()).append('\n'));
        model.network().chain().edges().forEach(e -> text.append(e).append('\n'));
        text.append(AcceleratorFile.json(model.accelerator())).append(settings.batch()).append(settings.constraint());
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    @Override
    public Evaluator evaluator(RunSettings run) {
        if (!run.toolchain().equals(FusionEvaluator.NAME)) {
            throw new UserError("Fusion strategies are judged by the toolchain " + FusionEvaluator.NAME + ", not by " + run.toolchain() + ".");
        }
        return new FusionEvaluator(model, strategies);
    }

    /// Throws [UserError] for an unknown method, and for more evaluations than are worth keeping.
    @Override
    public Explorer explorer(RunSettings run, EvaluatorInfo info) {
        if (run.steps() > MOST_EVALUATIONS) {
            throw new UserError(run.steps() + " evaluations are more than a run can keep; give at most " + MOST_EVALUATIONS + ", with several seeds if need be.");
        }
        return new FusionExplorer(methods.named(run.method()), model, strategies, settings.constraint(), run.seed());
    }

    /// The fastest strategy of a run that fits, of equals the first; empty where none does.
    public Optional<Strategy> best(RunResults results) {
        return results.designs().stream().filter(d -> d.value(FusionEvaluator.LATENCY).isPresent())
                .min(Comparator.comparingDouble((Design d) -> d.value(FusionEvaluator.LATENCY).getAsDouble()).thenComparing(Design::number)).map(d -> strategies.strategy(d.configuration()));
    }

    /// Settings of a run where nothing is said: G-Sampler, 2 000 evaluations, seed 1.
    public static RunSettings defaultRun() {
        return new RunSettings("gsampler", FusionEvaluator.NAME, 1, Mapping.EVALUATIONS, 1, 0, 1, List.of(), 0);
    }
}
