package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Labeled;
import javafx.scene.control.TableView;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.KeyCode;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.fusion.FusionViewModel;
import knobscape.app.ui.gpu.GpuViewModel;
import knobscape.app.ui.hls.HlsViewModel;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.theme.Theme;
import knobscape.evaluate.report.FilePlan;
import knobscape.space.Knob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxRobot;

/// The whole ways of people in the real window on the headless platform: from their own file to what they take away,
/// and back again another day.
@Tag("slow")
class WholeWayTest {
    @TempDir
    private Path folder;

    private Hand hand;

    @BeforeEach
    void show() {
        hand = new Hand(Theme.LIGHT, new Saves());
    }

    /// Saves what is exported where it is proposed, in the folder of the test.
    private final class Saves extends WindowSnapshot.NoFiles {
        @Override
        public Optional<Path> saveFile(String title, String name, Kind kind) {
            return Optional.of(folder.resolve(name));
        }

        @Override
        public Optional<Path> openFolder(String title) {
            return Optional.of(folder.resolve("kernel"));
        }

        @Override
        public boolean agrees(String what, List<FilePlan> plans) {
            return true;
        }
    }

    @AfterEach
    void close() {
        hand.close();
    }

    private HlsViewModel model() {
        return hand.sitting().window().hls().model();
    }

    private FxRobot robot() {
        return hand.robot();
    }

    private TableView<?> table() {
        return robot().lookup("#table").queryTableView();
    }

    private Path kernel() throws IOException {
        Files.writeString(folder.resolve("scale.cpp"), """
                void scale(const int a[64], int b[64], int factor) {
                walk:
                    for (int i = 0; i < 64; i++) {
                        b[i] = a[i] * factor;
                    }
                }
                """);
        Files.writeString(folder.resolve("knobscape.json"), """
                {"formatVersion": 1, "name": "scale", "kind": "hls", "source": "scale.cpp", "top": "scale",
                 "run": {"method": "random", "steps": 14, "earlyStop": 0, "waitFactor": 0.0003}}
                """);
        return folder;
    }

    private void press(String button) {
        robot().interact(() -> robot().lookup(button).queryAs(Button.class).fire());
    }

    private void turn(String... tabs) {
        for (String tab : tabs) {
            robot().interact(() -> robot().lookup(".toggle-button").<ToggleButton>queryAll().stream()
                    .filter(b -> tab.equals(b.getText()))
                    .forEach(b -> b.setSelected(true)));
        }
    }

    /// Finds a command by its name and runs it.
    private void command(String name) {
        hand.chord(KeyCode.CONTROL, KeyCode.K);
        robot().write(name).type(KeyCode.ENTER);
    }

    private boolean isExported(String end) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.anyMatch(f -> f.getFileName().toString().endsWith(end));
        } catch (IOException | UncheckedIOException e) {
            // A file that is being written went while its folder was read.
            return false;
        }
    }

    /// Takes one value out of the space and waits until it is smaller.
    private void excludeAValue() throws TimeoutException {
        BigInteger all = model().workbench().get().orElseThrow().bench().space().size();
        Knob knob = model().workbench().get().orElseThrow().bench().space().knobs().list().stream()
                .filter(k -> k.domain().size() > 2)
                .findFirst()
                .orElseThrow();
        hand.sitting()
                .act(w -> model().space()
                        .toggle(knob.name(), knob.domain().label(knob.domain().size() - 1)));
        Hand.until(() ->
                model().workbench().get().orElseThrow().bench().space().size().compareTo(all) < 0);
    }

    /// Runs to the end, with a pause on the way.
    private void runWithAPause() throws TimeoutException {
        press("#run");
        Hand.until(() -> model().results().set().size() > 1);
        press("#pause");
        Hand.until(() -> model().runs().status().get().state() == RunState.PAUSED);
        assertThat(model().runs().status().get().state()).isEqualTo(RunState.PAUSED);
        press("#resume");
        ended();
    }

    private void run() throws TimeoutException {
        press("#run");
        ended();
    }

    private void ended() throws TimeoutException {
        Hand.until(() -> model().runs().status().get().state() == RunState.COMPLETED
                && !model().runs().anyActive());
        Hand.until(() -> !table().getItems().isEmpty());
    }

    /// Opens a kernel of his own, takes a value out, runs it with a pause, asks for the fastest small design,
    /// sees why, tries another value, compares, takes the pragmas and the table, goes home; another day all is
    /// as it was.
    @Test
    void anEngineFromHisSourceToPragmasAndBackAnotherDay() throws IOException, TimeoutException {
        Path project = kernel();
        hand.sitting().open(project);
        excludeAValue();
        runWithAPause();
        Results results = model().results();

        // The best under a goal in two actions: type it, Enter.
        robot().type(KeyCode.G);
        robot().write("lut<5k delay min").type(KeyCode.ENTER);
        Hand.until(() -> results.best().isPresent()
                && results.selected().get() == results.best().orElseThrow());
        int best = results.selected().get();

        Hand.until(() -> model().models().insight().insight().get().isPresent());
        Hand.until(() -> robot().lookup(".importance-row").tryQuery().isPresent());
        Hand.until(() -> model().source().design().get().edges().size() == 1);

        // What if: the value of a knob that no design has yet.
        turn("Design");
        robot().interact(() -> robot().lookup("#tabs .tab-button").<ToggleButton>queryAll().stream()
                .filter(b -> "Knobs".equals(b.getText()))
                .forEach(b -> b.setSelected(true)));
        robot().interact(() ->
                robot().lookup("#allKnobs").queryAs(CheckBox.class).setSelected(true));
        Hand.until(() -> robot().lookup(".knob-value").tryQuery().isPresent());
        ToggleButton other = robot().lookup(".knob-value").<ToggleButton>queryAll().stream()
                .filter(b -> !b.isSelected() && !b.isDisabled())
                .findFirst()
                .orElseThrow();
        robot().interact(other::requestFocus);
        robot().interact(other::fire);
        Hand.until(
                () -> results.whatIf().get().isPresent() || results.selected().get() != best);
        if (results.whatIf().get().isPresent()) {
            int runs = model().runs().runs().size();
            robot().type(KeyCode.ENTER);
            Hand.until(() -> model().runs().runs().size() > runs
                    && results.selectedDesign()
                            .filter(d -> d.reason().equals("what-if"))
                            .isPresent());
            assertThat(model().runs().best().get()).isFalse();
        }
        hand.sitting().act(w -> results.select(best));
        robot().interact(() -> robot().lookup("#tabs .tab-button").<ToggleButton>queryAll().stream()
                .filter(b -> "Why".equals(b.getText()))
                .forEach(b -> b.setSelected(true)));
        Hand.until(() -> robot().lookup("#whyTitle").queryLabeled().getText().startsWith("Why")
                || best == results.set().twin());
        int another = IntStream.rangeClosed(1, results.set().size())
                .filter(n -> n != best && !results.set().isBaseline(n))
                .findFirst()
                .orElseThrow();
        hand.sitting().act(w -> results.togglePin(another));
        command("Pinned designs side by side");
        Hand.until(() -> robot().lookup(".compare-drawer").query().isVisible());
        command("Pinned designs side by side");
        command("Designs shown as CSV");
        Hand.until(() -> isExported(".csv"));
        command("Report as one HTML page");
        Hand.until(() -> isExported(".html"));
        hand.sitting().act(w -> results.togglePin(another));
        hand.sitting().act(w -> results.togglePin(best));
        command("Copy pragmas");
        Hand.until(() -> hand.sitting().window().messages().shown().stream()
                .anyMatch(m -> m.text().contains("copied") || m.text().contains("has no directives")));

        long shown = model().runs().runs().size();
        hand.sitting().act(w -> model().close());
        hand.sitting().open(project);
        Hand.until(() -> model().results().set().size() > 0
                && model().results().filter().get().best().isPresent());
        assertThat(model().results().selected().get()).isEqualTo(best);
        assertThat(model().runs().runs()).hasSize((int) shown);
        assertThat(model().results().pins()).containsExactly(best);
        assertThat(model().results().filter().get().ranges()).hasSize(1);
    }

    /// Runs, goes on with what is finished, runs with another seed, and sees both as one and side by side.
    @Test
    void aResearcherComparesRunsAndGoesOn() throws IOException, TimeoutException {
        hand.sitting().open(kernel());
        run();
        int designs = model().results().set().size();
        press("#more");
        Hand.until(() -> model().runs().status().get().state() == RunState.COMPLETED
                && !model().runs().anyActive()
                && model().results().set().size() > designs);
        press("#run");
        Hand.until(() -> model().runs().best().get());
        turn("Progress", "Runs");
        Hand.until(() -> robot().lookup("#runTable").tryQuery().isPresent());
        TableView<?> runs = robot().lookup("#runTable").queryTableView();
        Hand.until(() -> runs.getItems().size() == 2);
        assertThat(model().pictures().reached().get().values()).allMatch(r -> r.share() > 0 && r.share() <= 1 + 1e-9);
    }

    /// Opens a table of results made elsewhere: one action, and its designs are drawn.
    @Test
    void aNewcomersTableOfResultsIsDrawnInOneAction() throws IOException, TimeoutException {
        Path table = folder.resolve("sweep.csv");
        var text = new StringBuilder("Name,State,Runtime,depth,width,loss,latency\n");
        for (int depth = 1; depth <= 6; depth++) {
            for (int width = 1; width <= 6; width++) {
                text.append("run-")
                        .append(depth)
                        .append(width)
                        .append(",finished,9,")
                        .append(depth)
                        .append(',')
                        .append(32 * width)
                        .append(',')
                        .append(1.0 / (depth * width))
                        .append(',')
                        .append(depth * width * 1.5)
                        .append('\n');
            }
        }
        Files.writeString(table, text);
        hand.sitting().open(table);
        var results = hand.sitting().window().study().model().results();
        Hand.until(() -> results.set().size() == 36);
        assertThat(results.set().frontSize()).isPositive();
        Hand.until(() -> robot().lookup(".headline-figure").tryQuery().isPresent());
        robot().type(KeyCode.G);
        robot().write("latency<20 loss min").type(KeyCode.ENTER);
        Hand.until(() -> results.best().isPresent()
                && results.selected().get() == results.best().orElseThrow());
        assertThat(robot().lookup("#problem").<Labeled>query().getText()).isEmpty();
    }

    /// Opens a network in a project of her own, sets and tunes it, looks at the slowest kernel, pins it, exports, goes
    /// home; another day her measurements are there.
    @Test
    void aGpuEngineerFromANetworkToKernelsAndBackAnotherDay() throws IOException, TimeoutException {
        Files.writeString(folder.resolve("knobscape.json"), """
                {"formatVersion": 1, "kind": "gpu", "source": "zoo:alexnet", "device": "model:t4",
                 "run": {"method": "random", "trials": 40, "seed": 9}}
                """);
        hand.sitting().open(folder);
        GpuViewModel gpu = hand.window().gpu().model();
        Hand.until(() -> robot().lookup("#tasks").queryTableView().getItems().size() == 8);
        press("#run");
        Hand.until(() -> gpu.runs().status().get().state() == RunState.COMPLETED
                && !gpu.runs().anyActive());
        Hand.until(() -> robot().lookup("Of the roofline").tryQuery().isPresent());
        robot().clickOn("Takes longest");
        robot().type(KeyCode.P);
        command("Selected kernel as CUDA");
        Hand.until(() -> isExported(".cu"));
        command("Table of tasks as CSV");
        Hand.until(() -> isExported(".csv"));
        long measured =
                gpu.states().get().stream().filter(s -> s.fastest().isPresent()).count();
        assertThat(measured).isPositive();

        hand.sitting().act(w -> gpu.close(() -> {}));
        hand.sitting().open(folder);
        Hand.until(() -> gpu.runs().runs().size() == 1
                && gpu.states().get().stream()
                                .filter(s -> s.fastest().isPresent())
                                .count()
                        == measured);
        assertThat(gpu.runs().current().get().orElseThrow().settings().seed()).isEqualTo(9);
    }

    /// Opens a network in a project of his own, searches, changes a layer by hand, compares with it, exports, goes
    /// home; another day his strategies are there.
    @Test
    void aFusionEngineerFromANetworkToAStrategyAndBackAnotherDay() throws IOException, TimeoutException {
        Files.writeString(folder.resolve("knobscape.json"), """
                {"formatVersion": 1, "kind": "fusion", "source": "zoo:resnet18"}
                """);
        hand.sitting().open(folder);
        FusionViewModel fusion = hand.window().fusion().model();
        Hand.until(() ->
                fusion.report().get().isPresent() && fusion.compared().get().isPresent());
        hand.chord(KeyCode.CONTROL, KeyCode.R);
        Hand.until(() -> !fusion.runs().runs().isEmpty() && !fusion.runs().anyActive());
        double best = fusion.report().get().orElseThrow().speedup();
        assertThat(best).isGreaterThan(3);
        hand.turn("Found");
        robot().clickOn("Chain");
        hand.sitting().act(w -> {});
        hand.clickRow("#chain", 3);
        Hand.until(() -> fusion.layer().get() == 3);
        robot().type(KeyCode.S);
        Hand.until(() -> fusion.report().get().orElseThrow().speedup() != best);
        robot().type(KeyCode.P);
        command("Strategy as JSON");
        Hand.until(() -> isExported("-fusion.json"));
        command("Table of strategies as CSV");
        Hand.until(() -> isExported(".csv"));

        hand.sitting().act(w -> fusion.close(() -> {}));
        hand.sitting().open(folder);
        Hand.until(() -> fusion.runs().runs().size() == 1
                && fusion.report().get().filter(r -> r.speedup() == best).isPresent());
    }
}
