package knobscape.fusion;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.source.ByteSize;
import knobscape.work.Area;
import knobscape.work.Choices;
import knobscape.work.Evaluators;
import knobscape.work.Place;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import tools.jackson.databind.node.ObjectNode;

/// The area of layer fusion: networks on accelerators.
public record FusionArea() implements Area {
    /// Name in files.
    public static final String KIND = "fusion";

    private static final Set<String> KEYS = Set.of(
            "formatVersion", "name", "description", "kind", "source", "accelerator", "buffer", "batch", "dims", "run");
    private static final Set<String> RUN_KEYS = Set.of("method", "seed", "evaluations", "constraint");

    @Override
    public About about() {
        return new About(KIND, "Layer fusion", "fuse", FusionSettings.class);
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
    public Work read(JsonFields project) {
        project.onlyKnown(KEYS);
        String source = project.text("source")
                .orElseThrow(() -> new UserError(
                        project.file() + " names no source; write \"source\": \"zoo:resnet50\" or a network file."));
        RunSettings d = FusionWorkbench.defaultRun();
        JsonFields run = project.objectOrEmpty("run");
        run.onlyKnown(RUN_KEYS);
        FusionSettings usual = FusionSettings.of(source);
        Constraint constraint = run.text("constraint")
                .map(word -> Arrays.stream(Constraint.values())
                        .filter(c -> c.name().equalsIgnoreCase(word))
                        .findFirst()
                        .orElseThrow(() -> run.wrong("constraint", "death, lexi or soft")))
                .orElse(usual.constraint());
        int evaluations = run.count("evaluations", d.steps());
        if (evaluations < 1) {
            throw run.wrong("evaluations", "a count from 1");
        }
        try {
            return new Work(
                    new FusionSettings(
                            source,
                            project.text("accelerator").orElse(usual.accelerator()),
                            project.text("buffer").map(ByteSize::parse),
                            project.count("batch", usual.batch()),
                            constraint,
                            project.counts("dims")),
                    RunSettings.of(
                                    run.text("method").orElse(d.method()),
                                    d.toolchain(),
                                    evaluations,
                                    d.initialDesigns(),
                                    d.earlyStop())
                            .withSeed(run.whole("seed").orElse(d.seed())));
        } catch (IllegalArgumentException e) {
            throw new UserError(project.file() + ": " + e.getMessage() + ".", e);
        }
    }

    @Override
    public void write(Work work, ObjectNode project) {
        var f = (FusionSettings) work.settings();
        project.put("source", f.source()).put("accelerator", f.accelerator());
        f.buffer().ifPresent(b -> project.put("buffer", ByteSize.text(b)));
        project.put("batch", f.batch());
        if (!f.dims().isEmpty()) {
            var dims = project.putObject("dims");
            f.dims().forEach(dims::put);
        }
        project.putObject("run")
                .put("method", work.run().method())
                .put("seed", work.run().seed())
                .put("evaluations", work.run().steps())
                .put("constraint", f.constraint().name().toLowerCase(Locale.ROOT));
    }

    @Override
    public Bare bare(Path file) {
        return bare(file.toString(), requireNonNull(file.getParent()));
    }

    /// A network without a project. Its runs go beside its file; where nothing can be written there, or the
    /// network is built in, into a folder of the user's.
    ///
    /// @param source a file, or `zoo:NAME`
    /// @param own the user's folder for runs
    public static Bare bare(String source, Path own) {
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

    private static Bare bare(FusionSettings settings, String name, Path folder) {
        return new Bare(name, folder, new Work(settings, FusionWorkbench.defaultRun()));
    }

    @Override
    public FusionWorkbench open(WorkSettings settings, Place place) {
        return FusionWorkbench.open(place, (FusionSettings) settings);
    }

    @Override
    public List<String> runOptions(RunSettings run, Place place) {
        return List.of("--method", run.method(), "--evaluations", "" + run.steps(), "--seed", "" + run.seed());
    }
}
