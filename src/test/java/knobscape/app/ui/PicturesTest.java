package knobscape.app.ui;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import javafx.scene.control.Button;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.KeyCode;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.theme.Theme;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// The ways of an FPGA engineer, a GPU engineer and an architect through the window, photographed at two sizes and in
/// both themes. The pictures of the documentation are made by
///
/// ```
/// mvn test -Dtest=PicturesTest -Dknobscape.pictures=src/docs/images
/// ```
@Tag("slow")
@EnabledIfSystemProperty(named = "knobscape.pictures", matches = ".+", disabledReason = "pictures are made when asked")
class PicturesTest {
    private static final int[][] SIZES = {{1000, 700}, {1280, 800}};
    private static final Path SAMPLES = Path.of("sample-projects");

    private final Path pictures = Path.of(System.getProperty("knobscape.pictures", "target/pictures"));

    @TempDir
    private Path folder;

    private Hand hand;

    @BeforeEach
    void open() throws IOException {
        Files.createDirectories(pictures);
        hand = new Hand(Theme.LIGHT);
    }

    @AfterEach
    void close() {
        hand.close();
    }

    /// Takes the pictures of a state.
    private void photograph(String name) throws IOException {
        hand.robot().moveTo(new javafx.geometry.Point2D(1, 1));
        for (Theme theme : new Theme[] {Theme.DARK, Theme.LIGHT}) {
            hand.sitting().act(w -> w.themes().theme().set(theme));
            for (int[] size : SIZES) {
                hand.sitting().act(w -> w.root().resizeRelocate(0, 0, size[0], size[1]));
                byte[] png = hand.sitting().picture();
                Files.write(
                        pictures.resolve(name + "-" + size[0] + (theme == Theme.DARK ? "-dark" : "") + ".png"), png);
            }
        }
        hand.sitting().act(w -> w.root().resizeRelocate(0, 0, SIZES[0][0], SIZES[0][1]));
    }

    private void press(String button) {
        hand.sitting()
                .act(w -> hand.robot().lookup(button).queryAs(Button.class).fire());
    }

    private void turn(String tab) {
        hand.sitting()
                .act(w -> hand.robot().lookup(".toggle-button").<ToggleButton>queryAll().stream()
                        .filter(b -> tab.equals(b.getText()))
                        .forEach(b -> b.setSelected(true)));
    }

    /// Finds a command by its name and runs it.
    private void command(String name) {
        hand.chord(KeyCode.CONTROL, KeyCode.K);
        hand.robot().write(name).type(KeyCode.ENTER);
        hand.sitting().act(w -> {});
    }

    private void sample(String name) throws IOException {
        Path copy = Files.createDirectories(folder.resolve(name));
        try (Stream<Path> files = Files.list(SAMPLES.resolve(name))) {
            for (Path f : files.filter(Files::isRegularFile).toList()) {
                Files.copy(f, copy.resolve(f.getFileName()));
            }
        }
        Path run = copy.resolve("finished-run.db.gz");
        if (Files.exists(run)) {
            try (var in = new GZIPInputStream(Files.newInputStream(run))) {
                Files.copy(in, copy.resolve("runs.db"));
            }
        }
        hand.sitting().open(copy);
    }

    private Path kernel() throws IOException {
        Files.writeString(folder.resolve("smooth.cpp"), """
                // A 5-point smoothing filter over an image, row by row.
                #define ROWS 240
                #define COLS 320

                void smooth(const int in[ROWS][COLS], int out[ROWS][COLS], const int weight[5]) {
                rows:
                    for (int r = 1; r < ROWS - 1; r++) {
                    columns:
                        for (int c = 1; c < COLS - 1; c++) {
                            int sum = in[r][c] * weight[0];
                            sum += in[r - 1][c] * weight[1] + in[r + 1][c] * weight[2];
                            sum += in[r][c - 1] * weight[3] + in[r][c + 1] * weight[4];
                            out[r][c] = sum >> 8;
                        }
                    }
                }
                """);
        Files.writeString(folder.resolve("knobscape.json"), """
                {"formatVersion": 1, "name": "smooth", "kind": "hls", "source": "smooth.cpp", "top": "smooth",
                 "part": "xc7z020-1", "run": {"method": "random", "steps": 60, "earlyStop": 0}}
                """);
        return folder;
    }

    @Test
    void start() throws IOException, TimeoutException {
        Hand.until(() -> hand.window().root().lookupAll(".finished-card").size() == 3);
        photograph("start");
        command("First steps");
        photograph("start-first-steps");
    }

    @Test
    void fpgaEngineer() throws IOException, TimeoutException {
        hand.sitting().open(kernel());
        photograph("fpga-1-kernel");
        press("#firstSettings");
        photograph("fpga-2-run-sheet");
        hand.sitting().act(w -> ((ToggleButton) w.root().lookup("#further")).fire());
        photograph("fpga-2-run-sheet-all");
        press("#firstSettings");
        var model = hand.window().hls().model();
        hand.sitting().act(w -> model.runs().start());
        Hand.until(() -> model.runs().status().get().state() == RunState.COMPLETED
                && !model.runs().anyActive());
        Results results = model.results();
        int fastest = fastest(results);
        hand.sitting().act(w -> results.select(fastest));
        Hand.until(() -> model.models().insight().insight().get().isPresent());
        photograph("fpga-3-result");
        for (String tab : new String[] {"Knobs", "Stages"}) {
            turn("Design");
            turn(tab);
            photograph("fpga-4-" + tab.toLowerCase(java.util.Locale.ROOT));
        }
        turn("Why");
        turn("Report");
        photograph("fpga-5-report");
        turn("Knobs");
        turn("Source");
        turn("Parallel coordinates");
        photograph("fpga-6-parallel");
        turn("Progress");
        photograph("fpga-6-progress");
        turn("Pareto front");
        hand.robot().type(KeyCode.G);
        hand.robot().write("lut<5k delay min").type(KeyCode.ENTER);
        hand.sitting().act(w -> {});
        photograph("fpga-7-goal");
        hand.sitting().act(w -> results.togglePin(fastest));
        hand.sitting()
                .act(w ->
                        results.togglePin(IntStream.rangeClosed(1, results.set().size())
                                .filter(n -> n != fastest)
                                .findFirst()
                                .orElseThrow()));
        command("Pinned designs side by side");
        photograph("fpga-8-compare");
    }

    private static int fastest(Results results) {
        return 1
                + IntStream.range(0, results.set().size())
                        .filter(i -> results.set().standing(i) == DesignStanding.FRONT)
                        .boxed()
                        .min(java.util.Comparator.comparingDouble(
                                i -> results.set().shownOrNaN(i, "delay")))
                        .orElseThrow();
    }

    @Test
    void gemmSample() throws IOException, TimeoutException {
        sample("gemm");
        var model = hand.window().hls().model();
        Hand.until(() -> model.results().set().frontSize() > 0);
        int fastest = fastest(model.results());
        hand.sitting().act(w -> model.results().select(fastest));
        Hand.until(() -> model.models().insight().insight().get().isPresent());
        photograph("fpga-9-gemm");
        turn("Report");
        photograph("fpga-9-gemm-report");
    }

    @Test
    void gpuEngineer() throws IOException, TimeoutException {
        hand.openNetwork("zoo:resnet18", "gpu");
        Hand.until(
                () -> !hand.robot().lookup("#tasks").queryTableView().getItems().isEmpty());
        photograph("gpu-1-network");
        hand.sitting().act(w -> ((Button) w.root().lookup("#settings")).fire());
        photograph("gpu-2-run-sheet");
        hand.sitting().act(w -> ((Button) w.root().lookup("#settings")).fire());
        sample("gpu_squeezenet");
        Hand.until(() -> hand.robot().lookup("Of the roofline").tryQuery().isPresent());
        photograph("gpu-3-result");
        for (String tab : new String[] {"Roofline", "Kernel", "Search", "Knobs", "Runs", "Network"}) {
            hand.turn(tab);
            photograph("gpu-4-" + tab.toLowerCase(java.util.Locale.ROOT));
        }
        turn("Designs");
        turn("History");
        photograph("gpu-5-designs");
        turn("Tasks");
        turn("Graph");
        hand.robot().clickOn("Takes longest");
        hand.sitting().act(w -> {});
        turn("Design");
        photograph("gpu-6-slowest");
    }

    @Test
    void architect() throws IOException, TimeoutException {
        hand.openNetwork("zoo:mobilenet_v2", "fusion");
        var model = hand.window().fusion().model();
        Hand.until(() -> model.strips().answer().get().isPresent());
        photograph("fusion-1-answer");
        turn("Chain");
        photograph("fusion-2-chain");
        turn("Paper");
        photograph("fusion-3-paper");
        turn("Accelerator");
        var tabs = WindowSnapshot.onScreen(() -> hand.window().root().lookupAll(".figure-tabs .tab-button").stream()
                .map(n -> ((ToggleButton) n).getText())
                .distinct()
                .toList());
        for (String tab : tabs) {
            hand.turn(tab);
            photograph("fusion-4-" + tab.toLowerCase(java.util.Locale.ROOT).replace(' ', '-'));
        }
        hand.sitting().act(w -> ((Button) w.root().lookup("#settings")).fire());
        photograph("fusion-5-run-sheet");
        hand.sitting().act(w -> ((Button) w.root().lookup("#settings")).fire());
        sample("fusion_resnet50");
        Hand.until(() -> hand.robot().lookup("Time, proven").tryQuery().isPresent());
        photograph("fusion-6-resnet50");
    }

    @Test
    void study() throws IOException, TimeoutException {
        Path table = folder.resolve("sweep.csv");
        var text = new StringBuilder("Name,State,Runtime,depth,width,rate,loss,latency\n");
        for (int depth = 1; depth <= 6; depth++) {
            for (int width = 1; width <= 6; width++) {
                text.append("run-%d%d,finished,9,%d,%d,%s,%s,%s%n"
                        .formatted(
                                depth,
                                width,
                                depth,
                                32 * width,
                                0.1 / (1 + (depth * 7 + width) % 3),
                                1.0 / (depth + width),
                                depth * width * 1.5));
            }
        }
        Files.writeString(table, text);
        hand.sitting().open(table);
        Hand.until(() -> hand.window().hls().model().results().set().size() == 36);
        Hand.until(() ->
                hand.window().hls().model().models().insight().insight().get().isPresent());
        photograph("study-1-table");
        Path copy = Files.createDirectories(folder.resolve("study"));
        Files.writeString(copy.resolve("run.sh"), "echo $((100 + ($1 - 6) * ($1 - 6) + $2 * $3))\n");
        Files.writeString(copy.resolve("k.study.yaml"), """
                study: 1
                parameters:
                  threads: {from: 1, to: 12, default: 1}
                  mode: [0, 5, 9]
                  chunk: [1, 2, 4, 8, 16]
                constraints: ['threads + mode < 16']
                objectives: {time: {goal: minimise, unit: ms}}
                measure: {command: [sh, run.sh, "{threads}", "{mode}", "{chunk}"]}
                run: {trials: 25, initial: 8, seed: 3}
                """);
        hand.sitting().open(copy.resolve("k.study.yaml"));
        photograph("study-2-open");
        var model = hand.window().study().model();
        hand.chord(KeyCode.CONTROL, KeyCode.R);
        Hand.until(() -> hand.robot().lookup("Start it").tryQuery().isPresent());
        photograph("study-3-question");
        hand.robot().clickOn("Start it");
        Hand.until(() -> model.runs().status().get().state() == RunState.COMPLETED);
        Hand.until(() -> hand.robot().lookup("Least time").tryQuery().isPresent());
        photograph("study-4-result");
        hand.sitting().act(w -> ((Button) w.root().lookup("#settings")).fire());
        photograph("study-5-run-sheet");
    }
}
