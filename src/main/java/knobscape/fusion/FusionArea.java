package knobscape.fusion;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.sequence.Architecture;
import knobscape.fusion.search.sequence.SequenceMethods;
import knobscape.network.source.NetworkNames;
import knobscape.work.Area;
import knobscape.work.Choices;
import knobscape.work.Evaluators;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;
import knobscape.work.WorkSettings;
import knobscape.work.Workbench;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.Values;

/// The area of layer fusion: networks on accelerators.
public record FusionArea() implements Area {
    /// Name in files.
    public static final String KIND = "fusion";

    private static final Help HELP = new Help(
            "Find a layer-fusion strategy of a network and say why it is good.",
            "NETWORK",
            "An ONNX, JSON or CSV file, a built-in network (resnet50), or a project folder. Runs go to --out, else beside the file; those of a built-in network to this user's folder.",
            "a network or a project");

    @Override
    public About about() {
        return new About(KIND, "Layer fusion", "fuse", "\"zoo:resnet50\" or a network file", HELP);
    }

    @Override
    public Choices<FusionMethod> methods() {
        return FusionMethods.standard();
    }

    @Override
    public Choices<Evaluators.Plain> evaluators() {
        return Evaluators.of(
                new Evaluators.Plain(FusionEvaluator.NAME, "Cost model", "Analytical cost model of layer fusion."));
    }

    @Override
    public Parameters parameters() {
        return FusionSettings.PARAMETERS;
    }

    @Override
    public Parameters runParameters() {
        return FusionSettings.RUN;
    }

    @Override
    public FusionSettings settings(Values values) {
        return new FusionSettings(values);
    }

    /// A model named by itself belongs to the method.
    @Override
    public Values arranged(Values all) {
        Optional<String> model = all.find(FusionSettings.MODEL);
        String method = all.get(RunSettings.METHOD);
        if (model.isEmpty()) {
            return all;
        }
        if (!SequenceMethods.takesModel(method)) {
            throw new IllegalArgumentException(
                    "--model goes with --method " + Architecture.Kind.methods() + ", not with " + method);
        }
        return all.without(FusionSettings.MODEL)
                .with(RunSettings.METHOD, method + SequenceMethods.SEPARATOR + model.get());
    }

    @Override
    public FusionMethod method(String name) {
        return FusionMethods.named(methods(), name);
    }

    @Override
    public Optional<BareProject> named(String text, Path here, Path own) {
        return Optional.of(bare(NetworkNames.source(text, here), own));
    }

    @Override
    public BareProject bare(Path file) {
        return bare(file.toString(), requireNonNull(file.getParent()));
    }

    /// A network without a project. Its runs go beside its file; where nothing can be written there, or the
    /// network is built in, into a folder of the user's.
    ///
    /// @param source a file, or `zoo:NAME`
    /// @param own the user's folder for runs
    public static BareProject bare(String source, Path own) {
        FusionSettings settings = FusionSettings.of(source);
        if (settings.isBuiltIn()) {
            String name = source.substring(FusionSettings.ZOO.length());
            return bare(settings, name, own.resolve(name + "-fusion.knobscape"));
        }
        Path file = Path.of(source).toAbsolutePath().normalize();
        String name = file.getFileName().toString();
        return bare(
                FusionSettings.of(file.toString()),
                name,
                Files.isWritable(file.getParent())
                        ? file.resolveSibling(name + ".knobscape")
                        : own.resolve(name + "-" + Integer.toHexString(file.hashCode()) + ".knobscape"));
    }

    private static BareProject bare(FusionSettings settings, String name, Path folder) {
        return new BareProject(
                name,
                folder,
                new Work(
                        settings.with(FusionSettings.COST_MODEL, FusionSettings.CostModelKind.STRIPS),
                        FusionWorkbench.defaultRun()));
    }

    @Override
    public Workbench open(WorkSettings settings, WorkLocation place) {
        var own = (FusionSettings) settings;
        return own.isStrips() ? StripWorkbench.open(place, own) : FusionWorkbench.open(place, own);
    }
}
