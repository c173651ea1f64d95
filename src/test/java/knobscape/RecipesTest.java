package knobscape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.app.ui.plot.Figure;
import knobscape.app.ui.plot.Plot;
import knobscape.app.ui.plot.PlotExport;
import knobscape.app.ui.theme.Hue;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.UserError;
import knobscape.explore.BoxEvaluator;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;
import knobscape.explore.regression.RegressionExplorer;
import knobscape.hls.HlsTools;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.Toolchain;
import knobscape.project.BoxTools;
import knobscape.project.Project;
import knobscape.project.RunResults;
import knobscape.project.RunSession;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.space.DesignSpace;
import knobscape.work.Choices;
import knobscape.work.Method;
import knobscape.work.RunSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Recipes of CONTRIBUTING, followed in test code: what is added through a list or an interface runs, is stored, is
/// resumed, and is named where a person misspells it, and nothing else has to know it.
class RecipesTest {
    private static final int STEPS = 6;

    @TempDir
    private Path folder;

    /// A method: the designs of a space one after the other.
    private record InOrder(DesignSpace space, Fidelity top) implements Explorer {
        @Override
        public String name() {
            return "in-order";
        }

        @Override
        public List<Proposal> initial() {
            return List.of();
        }

        @Override
        public List<Proposal> ask(History history, int count) {
            return space.enumerate()
                    .filter(c -> history.highestRank(c) < 0
                            && history.pending().stream()
                                    .noneMatch(p -> p.configuration().equals(c)))
                    .limit(count)
                    .map(c -> new Proposal(c, top, Double.NaN, Optional.empty(), "next"))
                    .toList();
        }
    }

    private static HlsTools tools() {
        HlsTools own = BoxTools.tools();
        var methods = new ArrayList<>(own.methods().all());
        methods.add(new Method(
                "in-order",
                "In order",
                "One after the other.",
                p -> new InOrder(p.space(), p.info().top())));
        methods.add(new Method(
                "nearest",
                "Nearest",
                "What the nearest design measured.",
                p -> new RegressionExplorer(
                        "nearest",
                        p.space(),
                        p.encoder(),
                        p.info(),
                        NearestDesign::fit,
                        RegressionExplorer.Plan.random(STEPS),
                        p.seed())));
        var toolchains = new ArrayList<>(own.toolchains().all());
        toolchains.add(new Toolchain("second", "Second", "Another tool.", job -> new BoxEvaluator()));
        return new HlsTools(
                own.reader(), own.spaces(), new Choices<>("toolchain", toolchains), new Choices<>("method", methods));
    }

    private RunResults run(String method, String toolchain) throws IOException, InterruptedException {
        Path source = folder.resolve("kernel.cpp");
        Files.writeString(source, "void f() { }\n");
        try (Project project = Project.open(source);
                Runner runner = Runner.withSystemClocks()) {
            Session<HlsWorkbench> opened = BoxTools.opened(project, tools());
            RunSession session = runner.start(
                    opened,
                    BoxTools.settings(STEPS / 2)
                            .with(RunSettings.METHOD, method)
                            .with(RunSettings.TOOLCHAIN, toolchain),
                    List.of());
            assertThat(session.await().ending()).isEqualTo(RunEvent.Ending.COMPLETED);
            RunSession more = runner.resume(
                    opened,
                    session.id(),
                    BoxTools.settings(STEPS).with(RunSettings.METHOD, method).with(RunSettings.TOOLCHAIN, toolchain),
                    List.of());
            assertThat(more.await().ending()).isEqualTo(RunEvent.Ending.COMPLETED);
            return more.results();
        }
    }

    @Test
    void aMethodIsAClassAndALine() throws IOException, InterruptedException {
        RunResults results = run("in-order", "box");
        assertThat(results.run().settings().method()).isEqualTo("in-order");
        assertThat(results.designs()).hasSizeGreaterThanOrEqualTo(STEPS);
        assertThat(results.designs()).anyMatch(d -> d.reason().equals("next"));
        assertThat(results.front()).isNotEmpty();
    }

    @Test
    void aMisspelledMethodIsAnsweredWithTheNewOne() {
        assertThatThrownBy(() -> run("in-ordr", "box"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'in-order'");
    }

    @Test
    void anEvaluatorIsAClassAndALine() throws IOException, InterruptedException {
        assertThat(run("random", "second").run().settings().toolchain()).isEqualTo("second");
    }

    @Test
    void aModelIsAClassThatAMethodNames() throws IOException, InterruptedException {
        RunResults results = run("nearest", "box");
        assertThat(results.designs()).anyMatch(d -> d.evaluations().size() == 3);
    }

    @Test
    void aPlotIsAClassThatMakesAFigure() {
        Plot staircase = (width, height) -> new Figure(
                List.of(new Figure.Panel(
                        Figure.Axis.count("Step", 0, 4),
                        Figure.Axis.linear("Height", 0, 5),
                        1,
                        IntStream.range(0, 5)
                                .<Figure.Item>mapToObj(i -> new Figure.Words(i, i, "stair " + i, Hue.FRONT, true))
                                .toList())),
                List.of(),
                "a staircase");
        assertThat(new String(PlotExport.svg(staircase), StandardCharsets.UTF_8))
                .contains("<svg", "stair 0", "stair 3");
        assertThat(PlotExport.png(staircase)).startsWith((byte) 0x89, 'P', 'N', 'G');
    }
}
