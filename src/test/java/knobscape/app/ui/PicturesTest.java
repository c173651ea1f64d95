package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import javafx.scene.control.Button;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.KeyCode;
import javax.imageio.ImageIO;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.plot.FigureView;
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
/// mvn test -Dtest=PicturesTest -DexcludedGroups= -DargLine=-Dknobscape.pictures=src/docs/images
/// ```
///
/// and those of every state on the way, to be looked at, with `-Dknobscape.pictures.all=true` beside it.
@Tag("slow")
@EnabledIfSystemProperty(named = "knobscape.pictures", matches = ".+", disabledReason = "pictures are made when asked")
class PicturesTest {
    private static final int[][] SIZES = {{1000, 700}, {1280, 800}};
    private static final int COLOURS = 255;
    /// As many are kept as they are.
    private static final int FREQUENT = 120;
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

    /// Takes the pictures of a state that the documentation shows.
    private void show(String name) throws IOException {
        for (Theme theme : new Theme[] {Theme.DARK, Theme.LIGHT}) {
            hand.sitting().act(w -> w.themes().theme().set(theme));
            for (int[] size : SIZES) {
                hand.sitting().act(w -> w.root().resizeRelocate(0, 0, size[0], size[1]));
                BufferedImage picture = reduced(
                        ImageIO.read(new ByteArrayInputStream(hand.sitting().picture())));
                assertThat(picture.getWidth())
                        .as("nothing stands beside the window")
                        .isEqualTo(size[0]);
                assertThat(picture.getHeight()).isEqualTo(size[1]);
                ImageIO.write(
                        picture,
                        "png",
                        pictures.resolve(name + "-" + size[0] + (theme == Theme.DARK ? "-dark" : "") + ".png")
                                .toFile());
            }
        }
        hand.sitting().act(w -> w.root().resizeRelocate(0, 0, SIZES[0][0], SIZES[0][1]));
    }

    /// Takes pictures of a state to be looked at, in all their colours, where all are asked for.
    private void look(String name) throws IOException {
        if (Boolean.getBoolean("knobscape.pictures.all")) {
            for (int[] size : SIZES) {
                hand.sitting().act(w -> w.root().resizeRelocate(0, 0, size[0], size[1]));
                Files.write(
                        pictures.resolve(name + "-" + size[0] + ".png"),
                        hand.sitting().picture());
            }
            hand.sitting().act(w -> w.root().resizeRelocate(0, 0, SIZES[0][0], SIZES[0][1]));
        }
    }

    /// A picture in few colours: the most frequent, then one of every other shade; others in the nearest of them. A
    /// third
    /// of the bytes, and no difference to the eye.
    private static BufferedImage reduced(BufferedImage picture) {
        int w = picture.getWidth();
        int h = picture.getHeight();
        int[] pixels = picture.getRGB(0, 0, w, h, null, 0, w);
        List<Integer> frequent = Arrays.stream(pixels)
                .boxed()
                .collect(Collectors.groupingBy(c -> c, Collectors.counting()))
                .entrySet()
                .stream()
                .sorted(Map.Entry.<Integer, Long>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
        var shades = new HashSet<Integer>();
        List<Integer> first =
                frequent.stream().filter(c -> shades.add(c & 0xf0f0f0)).toList();
        int[] colours = Stream.of(frequent.stream().limit(FREQUENT), first.stream(), frequent.stream())
                .flatMap(c -> c)
                .distinct()
                .limit(COLOURS)
                .mapToInt(c -> c)
                .toArray();
        var model = new IndexColorModel(8, colours.length, colours, 0, false, -1, DataBuffer.TYPE_BYTE);
        var out = new BufferedImage(w, h, BufferedImage.TYPE_BYTE_INDEXED, model);
        var nearest = new HashMap<Integer, Integer>();
        byte[] indices = new byte[pixels.length];
        for (int i = 0; i < pixels.length; i++) {
            indices[i] = (byte) (int) nearest.computeIfAbsent(
                    pixels[i],
                    c -> IntStream.range(0, colours.length)
                            .boxed()
                            .min(Comparator.comparingInt(k -> distance(c, colours[k])))
                            .orElseThrow());
        }
        out.getRaster().setDataElements(0, 0, w, h, indices);
        return out;
    }

    private static int distance(int a, int b) {
        int sum = 0;
        for (int shift = 0; shift < 24; shift += 8) {
            int d = (a >> shift & 0xff) - (b >> shift & 0xff);
            sum += d * d;
        }
        return sum;
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
        long finished;
        try (Stream<Path> files = Files.find(SAMPLES, 2, (p, a) -> p.endsWith("finished-run.db.gz"))) {
            finished = files.count();
        }
        Hand.until(() -> hand.window().root().lookupAll(".finished-card").size() == finished);
        show("start");
        command("First steps");
        look("start-first-steps");
        hand.robot().type(KeyCode.ESCAPE);
        hand.robot().type(KeyCode.TAB, 4);
        look("start-keyboard");
    }

    @Test
    void fpgaEngineer() throws IOException, TimeoutException {
        hand.sitting().open(kernel());
        show("fpga-kernel");
        press("#firstSettings");
        look("fpga-2-run-sheet");
        hand.sitting().act(w -> ((ToggleButton) w.root().lookup("#further")).fire());
        look("fpga-2-run-sheet-all");
        press("#firstSettings");
        var model = hand.window().hls().model();
        hand.sitting().act(w -> model.runs().start());
        Hand.until(() -> model.runs().status().get().state() == RunState.COMPLETED
                && !model.runs().anyActive());
        Results results = model.results();
        int fastest = fastest(results);
        hand.sitting().act(w -> results.select(fastest));
        Hand.until(() -> model.models().insight().insight().get().isPresent());
        look("fpga-3-result");
        for (String tab : new String[] {"Knobs", "Stages"}) {
            turn("Design");
            turn(tab);
            look("fpga-4-" + tab.toLowerCase(java.util.Locale.ROOT));
        }
        turn("Why");
        turn("Report");
        look("fpga-5-report");
        turn("Knobs");
        turn("Source");
        turn("Parallel coordinates");
        look("fpga-6-parallel");
        turn("Progress");
        look("fpga-6-progress");
        turn("Pareto front");
        hand.robot().type(KeyCode.G);
        hand.robot().write("lut<5k delay min").type(KeyCode.ENTER);
        hand.sitting().act(w -> {});
        look("fpga-7-goal");
        hand.sitting().act(w -> results.togglePin(fastest));
        hand.sitting()
                .act(w ->
                        results.togglePin(IntStream.rangeClosed(1, results.set().size())
                                .filter(n -> n != fastest)
                                .findFirst()
                                .orElseThrow()));
        command("Pinned designs side by side");
        show("fpga-compare");
        hand.robot().type(KeyCode.ESCAPE);
        hand.sitting().act(w -> model.runs().start());
        Hand.until(() -> model.runs().runs().size() == 2 && !model.runs().anyActive());
        turn("Progress");
        turn("Runs");
        look("fpga-8-runs");
        turn("Hypervolume");
        look("fpga-8-curves");
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
        show("fpga-result");
        turn("Report");
        look("fpga-9-gemm-report");
    }

    @Test
    void gpuEngineer() throws IOException, TimeoutException {
        hand.openNetwork("zoo:resnet18", "gpu");
        Hand.until(
                () -> !hand.robot().lookup("#tasks").queryTableView().getItems().isEmpty());
        look("gpu-1-network");
        hand.sitting().act(w -> ((Button) w.root().lookup("#settings")).fire());
        look("gpu-2-run-sheet");
        hand.sitting().act(w -> ((Button) w.root().lookup("#settings")).fire());
        sample("gpu_squeezenet");
        Hand.until(() -> hand.robot().lookup("Of the roofline").tryQuery().isPresent());
        show("gpu-result");
        for (String tab : new String[] {"Roofline", "Kernel", "Search", "Knobs", "Runs", "Network"}) {
            hand.turn(tab);
            if (tab.equals("Roofline")) {
                show("gpu-roofline");
            }
            look("gpu-4-" + tab.toLowerCase(java.util.Locale.ROOT));
        }
        turn("Designs");
        turn("History");
        look("gpu-5-designs");
        turn("Tasks");
        turn("Graph");
        hand.robot().clickOn("Takes longest");
        hand.sitting().act(w -> {});
        turn("Design");
        look("gpu-6-slowest");
        turn("Design");
        turn("Schedule");
        look("gpu-7-schedule");
        turn("Graph");
        hand.sitting()
                .act(w -> ((javafx.scene.control.TextField) w.root().lookup("#findNode"))
                        .setText("kernel 3x3, stride 2"));
        look("gpu-8-found");
    }

    @Test
    void architect() throws IOException, TimeoutException {
        hand.openNetwork("zoo:mobilenet_v2", "fusion");
        var model = hand.window().fusion().model();
        Hand.until(() -> model.strips().answer().get().isPresent());
        look("fusion-1-answer");
        turn("Chain");
        look("fusion-2-chain");
        turn("Paper");
        look("fusion-3-paper");
        turn("Accelerator");
        var tabs = WindowSnapshot.onScreen(() -> hand.window().root().lookupAll(".figure-tabs .tab-button").stream()
                .map(n -> ((ToggleButton) n).getText())
                .distinct()
                .toList());
        for (String tab : tabs) {
            hand.turn(tab);
            look("fusion-4-" + tab.toLowerCase(java.util.Locale.ROOT).replace(' ', '-'));
        }
        hand.sitting().act(w -> ((Button) w.root().lookup("#settings")).fire());
        look("fusion-5-run-sheet");
        hand.sitting().act(w -> ((Button) w.root().lookup("#settings")).fire());
        sample("fusion_resnet50");
        Hand.until(() -> hand.robot().lookup("Time, proven").tryQuery().isPresent());
        hand.turn("Buffer");
        Hand.until(() -> hand.window().root().lookupAll(".plot").stream()
                .filter(FigureView.class::isInstance)
                .map(FigureView.class::cast)
                .anyMatch(v -> v.figure().isPresent()));
        show("fusion-answer");
        hand.turn("Timeline");
        show("fusion-timeline");
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
        var of = hand.window().study().model();
        Hand.until(() -> of.results().set().size() == 36);
        Hand.until(() -> hand.robot().lookup(".importance-bar").tryQuery().isPresent());
        look("study-1-table");
        hand.robot().type(KeyCode.TAB, 6);
        look("study-1-keyboard");
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
        look("study-2-open");
        var model = hand.window().study().model();
        hand.chord(KeyCode.CONTROL, KeyCode.R);
        Hand.until(() -> hand.robot().lookup("Start it").tryQuery().isPresent());
        look("study-3-question");
        hand.robot().clickOn("Start it");
        Hand.until(() -> model.runs().status().get().state() == RunState.COMPLETED);
        Hand.until(() -> hand.robot().lookup("Least time").tryQuery().isPresent());
        show("study-result");
        hand.sitting().act(w -> ((Button) w.root().lookup("#settings")).fire());
        look("study-5-run-sheet");
    }
}
