package knobscape.app.ui;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.Labeled;
import javafx.scene.control.ToggleButton;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.plot.Figure;
import knobscape.app.ui.plot.FigureView;
import knobscape.app.ui.theme.Hue;
import knobscape.app.ui.theme.Theme;
import knobscape.fusion.export.StripReport;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the window says in several places at once is the same everywhere: the card on the start page, headline, panel,
/// table and curve of the samples with a finished run.
@Tag("slow")
class FiguresAgreeTest {
    private static final Path SAMPLES = Path.of("sample-projects");

    @TempDir
    private Path folder;

    private Hand hand;
    private Map<String, List<String>> cards = Map.of();

    @BeforeEach
    void open() throws TimeoutException {
        hand = new Hand(Theme.LIGHT);
        Hand.until(() -> {
            cards = cards();
            return cards.size() == 5 && cards.values().stream().allMatch(c -> c.size() > 3);
        });
    }

    @AfterEach
    void close() {
        hand.close();
    }

    /// What stands on the cards of finished samples, by their names.
    private Map<String, List<String>> cards() {
        var all = new HashMap<String, List<String>>();
        for (Node card : hand.window().root().lookupAll(".finished-card")) {
            List<String> words = texts(card);
            all.put(words.getFirst(), words);
        }
        return all;
    }

    private static List<String> texts(Node of) {
        return of.lookupAll(".label").stream()
                .map(n -> ((Label) n).getText())
                .filter(t -> !t.isEmpty())
                .toList();
    }

    /// Opens a copy of a sample with its run.
    private void open(String name) throws IOException {
        try (Stream<Path> files = Files.list(SAMPLES.resolve(name))) {
            for (Path f : files.filter(Files::isRegularFile).toList()) {
                Files.copy(f, folder.resolve(f.getFileName()));
            }
        }
        try (var in = new GZIPInputStream(Files.newInputStream(folder.resolve("finished-run.db.gz")))) {
            Files.copy(in, folder.resolve("runs.db"));
        }
        hand.sitting().open(folder);
    }

    /// The value of a figure across the window.
    private String headline(String title) {
        return hand.window().root().lookupAll(".headline-figure").stream()
                .map(FiguresAgreeTest::texts)
                .filter(t -> t.contains(title))
                .map(t -> t.get(1))
                .findFirst()
                .orElseThrow();
    }

    private boolean hasHeadline(String title) {
        return hand.window().root().lookupAll(".headline-figure").stream().anyMatch(n -> texts(n).contains(title));
    }

    /// The figures that are seen.
    private Stream<Figure> figures() {
        return hand.window().root().lookupAll(".plot").stream()
                .filter(FigureView.class::isInstance)
                .map(FigureView.class::cast)
                .flatMap(v -> v.figure().stream());
    }

    /// The mark of the answer that is shown.
    private static Optional<Figure.Dot> chosen(Figure f) {
        return f.panels().getFirst().items().stream()
                .filter(Figure.Dot.class::isInstance)
                .map(Figure.Dot.class::cast)
                .filter(d -> d.shape() == Figure.Shape.DIAMOND)
                .findFirst();
    }

    /// The least mark of the front along an axis.
    private record Least(Figure.Axis axis, double value) {}

    /// Along the axis of delay, where a figure has one.
    private static Optional<Least> leastDelay(Figure f) {
        Figure.Panel p = f.panels().getFirst();
        boolean up = p.upwards().label().startsWith("Delay");
        if (!up && !p.across().label().startsWith("Delay")) {
            return Optional.empty();
        }
        return p.items().stream()
                .filter(Figure.Cloud.class::isInstance)
                .map(Figure.Cloud.class::cast)
                .filter(c -> c.hue() == Hue.FRONT)
                .map(Figure.Cloud::places)
                .flatMap(q -> IntStream.range(0, q.size()).mapToObj(i -> up ? q.y(i) : q.x(i)))
                .min(java.util.Comparator.naturalOrder())
                .map(v -> new Least(up ? p.upwards() : p.across(), v));
    }

    @Test
    void ofAKernel() throws IOException, TimeoutException {
        open("gemm");
        Hand.until(() -> hasHeadline("Least delay"));
        String said = headline("Least delay");
        assertThat(requireNonNull(cards.get("gemm"))).contains(said, "front " + headline("Front"), "Open flow, ECP5");
        Results results = hand.window().hls().model().results();
        int fastest = IntStream.range(0, results.set().size())
                .filter(i -> results.set().standing(i) == DesignStanding.FRONT)
                .boxed()
                .min(java.util.Comparator.comparingDouble(i -> results.set().shownOrNaN(i, "delay")))
                .orElseThrow();
        hand.sitting().act(w -> results.select(fastest + 1));
        Hand.until(() ->
                !hand.robot().lookup(".table-row-cell:selected").tryQuery().isEmpty());
        // Panel, table and headline say the same of the fastest design.
        assertThat(hand.window()
                        .hls()
                        .model()
                        .models()
                        .inspector()
                        .sheet()
                        .get()
                        .orElseThrow()
                        .objectives())
                .anyMatch(o -> o.value().equals(said));
        // A column lines up on its point, so that a cell may have more digits.
        assertThat(hand.robot().lookup(".table-row-cell:selected").query().lookupAll(".table-cell").stream()
                        .map(n -> ((Labeled) n).getText())
                        .filter(t -> t.matches("\\d+(\\.\\d+)?"))
                        .map(t -> String.format(Locale.ROOT, "%.3g", Double.parseDouble(t))))
                .contains(said.substring(0, said.indexOf(' ')));
        // So does the front's least mark along the axis of delay.
        Hand.until(() -> figures()
                .flatMap(f -> leastDelay(f).stream())
                .anyMatch(m ->
                        String.format(Locale.ROOT, "%.3g", m.value()).equals(said.substring(0, said.indexOf(' ')))
                                && m.axis().label().endsWith("(" + said.substring(said.indexOf(' ') + 1) + ")")));
        // What it uses is a share of the device that the open tools made it for.
        hand.sitting()
                .act(w -> w.root().lookupAll(".tab-button").stream()
                        .map(ToggleButton.class::cast)
                        .filter(b -> b.getText().equals("Report"))
                        .forEach(b -> b.setSelected(true)));
        Hand.until(() -> texts(hand.window().root()).contains("Resources of LFE5U-85F"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"study_compiler", "study_gemm_opencl"})
    void ofAStudy(String name) throws IOException, TimeoutException {
        open(name);
        Hand.until(() -> hasHeadline("Least time"));
        String said = headline("Least time");
        assertThat(requireNonNull(cards.get(name))).contains(said);
        var model = hand.window().study().model();
        Results results = model.results();
        int fastest = IntStream.range(0, results.set().size())
                .filter(i -> results.set().standing(i) == DesignStanding.FRONT)
                .boxed()
                .min(java.util.Comparator.comparingDouble(i -> results.set().shownOrNaN(i, "time")))
                .orElseThrow();
        hand.sitting().act(w -> results.select(fastest + 1));
        Hand.until(() -> model.models().inspector().sheet().get().isPresent());
        assertThat(model.models().inspector().sheet().get().orElseThrow().objectives())
                .anyMatch(o -> o.value().equals(said));
        // The table's column is in the same unit.
        assertThat(Results.quantity(results.set(), results.set().objectives().getFirst())
                        .unit())
                .isEqualTo(said.substring(said.indexOf(' ') + 1));
    }

    @Test
    void ofTheKernelsOfANetwork() throws IOException, TimeoutException {
        open("gpu_squeezenet");
        Hand.until(() -> hasHeadline("Network") && hasHeadline("Of the roofline"));
        String said = headline("Network");
        assertThat(requireNonNull(cards.get("gpu_squeezenet"))).contains(said);
        var model = hand.window().gpu().model();
        double sum = model.states().get().stream()
                .mapToDouble(s -> s.placesMilliseconds())
                .sum();
        assertThat(String.format(Locale.ROOT, "%.3g \u00b5s", 1e3 * sum)).isEqualTo(said);
        // So does the end of the curve, and its key.
        Hand.until(() -> texts(hand.window().root()).stream().anyMatch(t -> t.endsWith(": " + said)));
        Figure curve = figures()
                .filter(f -> f.panels().getFirst().upwards().label().startsWith("Network"))
                .findFirst()
                .orElseThrow();
        Figure.Line line = curve.panels().getFirst().items().stream()
                .filter(Figure.Line.class::isInstance)
                .map(Figure.Line.class::cast)
                .filter(l -> l.dash() == 0)
                .findFirst()
                .orElseThrow();
        assertThat(line.y()[line.y().length - 1]).isCloseTo(1e3 * sum, Percentage.withPercentage(1e-6));
        // The speedup is over the first schedule of every task, which the kernels' own curves begin with.
        double first = model.states().get().stream()
                .mapToDouble(s -> s.kernel().count()
                        * s.millisecondsAfter(1
                                + (int) java.util.Arrays.stream(s.curve())
                                        .takeWhile(v -> v == 0)
                                        .count()))
                .sum();
        assertThat(headline("Speedup"))
                .isEqualTo(String.format(Locale.ROOT, first / sum < 10 ? "%.2f\u00d7" : "%.0f\u00d7", first / sum));
        // The shares of the table are of the same time, and so is the longest task.
        double longest = model.states().get().stream()
                .mapToDouble(s -> s.placesMilliseconds())
                .max()
                .orElseThrow();
        assertThat(texts(hand.window().root()))
                .anyMatch(t -> t.endsWith(String.format(Locale.ROOT, ", %.0f %%", 100 * longest / sum)));
    }

    @Test
    void ofAFusedNetwork() throws IOException, TimeoutException {
        open("fusion_resnet50");
        Hand.until(() -> hasHeadline("Time, proven")
                && hand.window().fusion().model().strips().answer().get().isPresent());
        String said = headline("Time, proven");
        assertThat(requireNonNull(cards.get("fusion_resnet50"))).contains(said);
        StripReport report =
                hand.window().fusion().model().strips().answer().get().orElseThrow();
        assertThat(report.groups().stream()
                        .mapToDouble(g -> g.plan().cost().seconds())
                        .sum())
                .isCloseTo(report.answer().total().seconds(), Percentage.withPercentage(0.01));
        // The curve's mark stands at the buffer, and as high as the headline and the answer at the right say.
        Hand.until(() -> figures().anyMatch(f -> chosen(f).isPresent()));
        Figure curve = figures().filter(f -> chosen(f).isPresent()).findFirst().orElseThrow();
        Figure.Dot shown = chosen(curve).orElseThrow();
        assertThat(shown.x()).isEqualTo(report.model().machine().buffer() / 1e6);
        assertThat(said).isEqualTo(String.format(Locale.ROOT, "%.3g \u00b5s", shown.y()));
        assertThat(curve.panels().getFirst().items().stream()
                        .filter(Figure.Dot.class::isInstance)
                        .map(Figure.Dot.class::cast)
                        .filter(d -> d.shape() == Figure.Shape.DOT && d.x() == shown.x()))
                .as("the exact answer at this size on the curve")
                .allMatch(d -> Math.abs(d.y() / shown.y() - 1) < 1e-9)
                .isNotEmpty();
        // Where there is room the answer stands at the right.
        hand.sitting().act(w -> w.root().resizeRelocate(0, 0, 1280, 800));
        Hand.until(
                () -> texts(hand.window().root()).stream().filter(said::equals).count() > 1);
        assertThat(report.answer().unfused().total().seconds()
                        / report.answer().total().seconds())
                .isCloseTo(report.answer().speedup(), Percentage.withPercentage(0.01));
    }
}
