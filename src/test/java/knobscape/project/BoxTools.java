package knobscape.project;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import knobscape.evaluate.Evaluator;
import knobscape.explore.BoxEvaluator;
import knobscape.explore.GridSpace;
import knobscape.explore.RandomExplorer;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsTools;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.Toolchain;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Location;
import knobscape.hls.space.Directive;
import knobscape.hls.space.DirectiveSpace;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.space.FeatureEncoder;
import knobscape.work.Choices;
import knobscape.work.Method;
import knobscape.work.RunSettings;

/// Parts that need no parser: any text file is a kernel, its space is a grid, the tool has a known answer.
public final class BoxTools {
    private BoxTools() {}

    public static HlsTools tools() {
        return tools(job -> new BoxEvaluator());
    }

    public static HlsTools tools(Function<Toolchain.Job, Evaluator> evaluator) {
        return tools(6, evaluator);
    }

    /// The same with another number of values of the last knob.
    static HlsTools withLastKnobOf(int values) {
        return tools(values, job -> new BoxEvaluator());
    }

    private static HlsTools tools(int last, Function<Toolchain.Job, Evaluator> evaluator) {
        return new HlsTools(
                (file, options) -> kernel(file),
                (kernel, directives, part, pruning) -> new Grid(kernel, last),
                new Choices<>(
                        "toolchain",
                        List.of(new Toolchain("box", "Box", "A tool with a known answer.", evaluator::apply))),
                new Choices<>(
                        "method",
                        List.of(new Method(
                                "random",
                                "Random",
                                "Uniform draws.",
                                p -> new RandomExplorer(p.space(), p.info().top(), p.initialDesigns(), p.seed())))));
    }

    /// A project opened with these parts.
    public static Session<HlsWorkbench> opened(Project project, HlsTools tools) {
        HlsSettings kernel = project.file().work(HlsSettings.class).effective(project);
        return Session.of(project, kernel, s -> HlsWorkbench.open(project, (HlsSettings) s, tools));
    }

    /// Settings that fit these parts.
    public static RunSettings settings(int steps) {
        return HlsSettings.defaultRun()
                .with(RunSettings.METHOD, "random")
                .with(RunSettings.TOOLCHAIN, "box")
                .with(RunSettings.SEED, 7L)
                .with(RunSettings.STEPS, steps)
                .with(RunSettings.INITIAL, 4)
                .with(RunSettings.EARLY_STOP, 0);
    }

    /// Makes a project of a kernel that does nothing.
    static void makeProject(Path folder) throws IOException {
        Files.writeString(folder.resolve("k.cpp"), "void k() {}\n");
        Files.writeString(folder.resolve(ProjectFile.FILE_NAME), "{\"formatVersion\": 1, \"source\": \"k.cpp\"}");
    }

    private static Kernel kernel(Path file) {
        try {
            String text = Files.readString(file);
            var start = new Location(file.getFileName().toString(), 1, 6, 5, 1);
            var top = new knobscape.hls.source.Function(
                    "f",
                    List.of(),
                    Map.of(),
                    knobscape.hls.source.BodyFacts.empty(),
                    List.of(),
                    List.of(),
                    start,
                    start,
                    false);
            return new Kernel(
                    file.toString(),
                    text,
                    "f",
                    true,
                    List.of(top),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    Map.of(file.getFileName().toString(), text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Grid(Kernel kernel, int last) implements DirectiveSpace {
        @Override
        public DesignSpace space() {
            return GridSpace.of(6, 6, last);
        }

        @Override
        public Encoder encoder() {
            return new FeatureEncoder(space().knobs());
        }

        @Override
        public List<Directive> directives(Configuration configuration) {
            return List.of();
        }

        @Override
        public Configuration baseline() {
            return space().at(BigInteger.ZERO);
        }

        @Override
        public List<PruningStep> pruning() {
            return List.of();
        }
    }
}
