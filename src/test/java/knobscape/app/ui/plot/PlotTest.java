package knobscape.app.ui.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javafx.application.Platform;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import knobscape.app.ui.Toolkit;
import knobscape.app.ui.designs.DesignFilter;
import knobscape.app.ui.designs.DesignFilter.Axis;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Results.VisibleDesigns;
import knobscape.app.ui.designs.Runs;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.theme.Hue;
import knobscape.app.ui.theme.Palette;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.Metric;
import knobscape.project.RunResults.TracePoint;
import org.junit.jupiter.api.Test;

class PlotTest {
    private static final EnumSet<DesignStanding> ALL = EnumSet.noneOf(DesignStanding.class);

    private static VisibleDesigns shown(DesignSet set, DesignFilter filter) {
        var results = new Results(Background.direct(), new UndoStack());
        results.open(set);
        results.setFilter(filter);
        return results.shown().get();
    }

    private static Scatter scatter(DesignSet set, DesignFilter filter) {
        return Scatter.of(
                shown(set, filter), set.objectives().get(0), set.objectives().get(1), true, ALL);
    }

    private static FigureFrame draw(Plot plot, double width, double height, double scale) {
        return FigureFrame.draw(
                plot, Optional.empty(), new ChartStyle(Palette.light(), 12), width, height, scale, new Paper.Spare());
    }

    /// A figure of points along a diagonal, most of them at its lower end.
    private static Figure cloud(int n) {
        double[] v = new double[n];
        int[] key = new int[n];
        for (int i = 0; i < n; i++) {
            v[i] = i < n - n / 20 ? 0.1 : (double) i / n;
            key[i] = i + 1;
        }
        Figure.Axis axis = Figure.Axis.linear("v", 0, 1);
        return new Figure(
                List.of(new Figure.Panel(
                        axis,
                        axis,
                        1,
                        List.of(new Figure.Cloud(
                                Figure.Places.of(v, v),
                                key,
                                Figure.Shape.DOT,
                                Hue.DOMINATED,
                                1,
                                k -> Figure.Tip.of("#" + k))))),
                List.of(),
                "");
    }

    /// How much darker than the light background a place is; 0 where nothing is drawn.
    private static int ink(FigureFrame f, double v) {
        int argb =
                f.picture().getRGB((int) f.across().pixel(v), (int) f.upwards().pixel(v));
        return argb >>> 24 == 0 ? 0 : 255 - new Color(argb).getRed();
    }

    @Test
    void manyPointsAreDrawnAsTheirDensityAndCanStillBeChosen() {
        FigureFrame f = draw((w, h) -> cloud(100_000), 400, 400, 1);
        assertThat(ink(f, 0.1)).isGreaterThan(ink(f, 0.97) + 20);
        assertThat(ink(f, 0.97)).isPositive();
        assertThat(ink(f, 0.5)).isZero();
        assertThat(f.at(f.across().pixel(0.97), f.upwards().pixel(0.97))).isPresent();
        // A part with few of them shows marks.
        FigureFrame part = FigureFrame.draw(
                (w, h) -> cloud(100_000),
                Optional.of(new double[] {0.99, 1, 0.99, 1}),
                new ChartStyle(Palette.light(), 12),
                400,
                400,
                1,
                new Paper.Spare());
        FigureFrame few = draw((w, h) -> cloud(100), 400, 400, 1);
        assertThat(ink(part, 0.995)).isEqualTo(ink(few, 0.1));
    }

    @Test
    void aSheetThatIsNoLongerShownIsDrawnOnAgain() {
        var spare = new Paper.Spare();
        Paper first = spare.take(30, 20);
        first.pixels()[7] = 0xff00ff00;
        spare.give(first);
        assertThat(spare.take(30, 20)).isSameAs(first);
        assertThat(first.pixels()).containsOnly(0);
        assertThat(spare.take(30, 20)).isNotSameAs(first);
        spare.give(first);
        assertThat(spare.take(31, 20)).isNotSameAs(first);
    }

    @Test
    void everyDesignWithValuesIsAPointAndFilteredOnesFade() {
        DesignSet set = Runs.set(60, 1);
        Scatter all = scatter(set, DesignFilter.none());
        assertThat(all.count().drawn()).isEqualTo(60);
        assertThat(all.faded().size()).isZero();
        Scatter front = scatter(set, DesignFilter.none().withParetoOnly(true));
        assertThat(front.points().get(DesignStanding.FRONT).size()).isEqualTo(set.count(DesignStanding.FRONT));
        assertThat(front.faded().size()).isEqualTo(60 - set.count(DesignStanding.FRONT));
        assertThat(all.baseline()).isPresent();
    }

    @Test
    void whatIsLeftOutIsNotInTheLegendOfAnExport() {
        DesignSet set = Runs.set(60, 1);
        for (var hidden : List.of(EnumSet.noneOf(DesignStanding.class), EnumSet.of(DesignStanding.DOMINATED))) {
            Figure figure = Scatter.of(
                            shown(set, DesignFilter.none()),
                            set.objectives().get(0),
                            set.objectives().get(1),
                            true,
                            hidden)
                    .figure(400, 300);
            assertThat(figure.legend().stream().anyMatch(k -> k.words().equals(DesignStanding.DOMINATED.words())))
                    .isEqualTo(hidden.isEmpty());
        }
    }

    @Test
    void whatMissesTheFilterHasAKeyInAnExport() {
        DesignSet set = Runs.set(60, 1);
        for (boolean front : new boolean[] {false, true}) {
            assertThat(scatter(set, DesignFilter.none().withParetoOnly(front))
                            .figure(400, 300)
                            .legend())
                    .extracting(k -> k.words().equals("misses the filter") && k.strength() < 1)
                    .filteredOn(b -> b)
                    .hasSize(front ? 1 : 0);
        }
    }

    @Test
    void whatMissesAGoalFadesWhateverTheAxesAreTheBaselineToo() {
        DesignSet set = Runs.set(60, 1);
        double lut = set.baseline().orElseThrow().value("lut").orElseThrow();
        for (double most : new double[] {lut * 0.99, lut}) {
            // The plot is of power and delay.
            Scatter plot = scatter(
                    set,
                    DesignFilter.none().withRange(DesignFilter.Axis.metric("lut"), new DesignFilter.Range(0, most)));
            var clouds = plot.figure(400, 300).panels().getFirst().items().stream()
                    .filter(Figure.Cloud.class::isInstance)
                    .map(Figure.Cloud.class::cast)
                    .toList();
            assertThat(clouds)
                    .filteredOn(c -> c.shape() == Figure.Shape.SQUARE)
                    .singleElement()
                    .satisfies(c -> assertThat(c.strength() < 1).isEqualTo(most < lut));
            int kept = 0;
            for (int i = 0; i < set.size(); i++) {
                kept += set.shownValue(i, "lut").orElse(Double.MAX_VALUE) <= most ? 1 : 0;
            }
            assertThat(plot.faded().size()).isEqualTo(60 - kept);
        }
    }

    @Test
    void oneObjectiveIsDrawnOverTheNumbersOfTheDesignsWithTheBestSoFar() {
        DesignSet set = Runs.set(60, 1);
        Metric delay = set.objectives().get(1);
        Scatter s = Scatter.of(shown(set, DesignFilter.none()), DesignSet.NUMBER, delay, true, ALL);
        assertThat(s.count().drawn()).isEqualTo(60);
        assertThat(s.figure(400, 300).panels().getFirst().across().log()).isFalse();
        double best = Double.POSITIVE_INFINITY;
        var records = new ArrayList<Integer>();
        for (int i = 0; i < set.size(); i++) {
            boolean complete = set.standing(i) == DesignStanding.FRONT || set.standing(i) == DesignStanding.DOMINATED;
            double v = set.shownValue(i, delay.name()).orElseThrow();
            if (complete && v < best) {
                best = v;
                records.add(i + 1);
            }
        }
        assertThat(s.stairs().number())
                .containsExactly(records.stream().mapToInt(n -> n).toArray());
        FigureFrame frame = draw(s, 500, 300, 1);
        double px = frame.across().pixel(7);
        double py = frame.upwards()
                .pixel(set.shownValue(6, delay.name()).orElseThrow()
                        / s.y().quantity().divisor());
        assertThat(frame.at(px, py).orElseThrow().key()).isEqualTo(7);
    }

    @Test
    void nearestFindsTheDesignUnderTheMouse() {
        DesignSet set = Runs.set(60, 1);
        Scatter s = scatter(set, DesignFilter.none());
        FigureFrame frame = draw(s, 500, 300, 1);
        for (int i = 0; i < set.size(); i++) {
            double px = frame.across()
                    .pixel(set.shownValue(i, "power").orElseThrow()
                            / s.x().quantity().divisor());
            double py = frame.upwards()
                    .pixel(set.shownValue(i, "delay").orElseThrow()
                            / s.y().quantity().divisor());
            FigureFrame.Hit hit = frame.at(px, py).orElseThrow();
            assertThat(set.shownValue(hit.key() - 1, "power")).isEqualTo(set.shownValue(i, "power"));
            assertThat(hit.tip().title()).startsWith("#" + hit.key());
            assertThat(hit.tip().title() + hit.tip().text()).as("two lines").doesNotContain("\n");
            var mark = new Rectangle2D.Double(px - 10, py - 10, 20, 20);
            assertThat(frame.covered(mark)).isPositive();
        }
        assertThat(frame.covered(new Rectangle2D.Double(1, 1, 30, 4))).isZero();
        assertThat(frame.at(-500, -500)).isEmpty();
    }

    @Test
    void aZoomedFigureShowsThePartAskedFor() {
        Scatter s = scatter(Runs.set(60, 1), DesignFilter.none());
        double[] b = s.bounds();
        double middle = (b[0] + b[1]) / 2;
        FigureFrame frame = FigureFrame.draw(
                s,
                Optional.of(new double[] {b[0], middle, b[2], b[3]}),
                new ChartStyle(Palette.light(), 12),
                500,
                300,
                1,
                new Paper.Spare());
        assertThat(frame.across().low()).isEqualTo(b[0]);
        assertThat(frame.across().high()).isEqualTo(middle);
        assertThat(frame.across().log()).isTrue();
    }

    @Test
    void aLineOfABundleIsFoundBetweenItsAxes() {
        ParallelCoordinates p =
                ParallelCoordinates.of(shown(Runs.set(40, 3), DesignFilter.none()), 5, true, AxisChoice.NONE);
        FigureFrame frame = draw(p, 600, 300, 1);
        double[] line = p.lines()[7];
        double share = (p.axes().get(1).share(line[1]) + p.axes().get(2).share(line[2])) / 2;
        int key = frame.at(frame.across().pixel(1.5), frame.upwards().pixel(share))
                .orElseThrow()
                .key();
        double[] found = p.lines()[key - 1];
        assertThat((p.axes().get(1).share(found[1]) + p.axes().get(2).share(found[2])) / 2)
                .isCloseTo(share, org.assertj.core.data.Offset.offset(0.02));
        assertThat(frame.at(frame.across().pixel(-0.4), frame.upwards().pixel(0.5)))
                .isEmpty();
    }

    @Test
    void axesStandWhereAPersonPutThemAndThoseThatAreFilteredAreShown() {
        DesignSet set = Runs.set(40, 3);
        List<Axis> all = ParallelCoordinates.of(shown(set, DesignFilter.none()), 100, true, AxisChoice.NONE)
                .all();
        ParallelCoordinates few = ParallelCoordinates.of(shown(set, DesignFilter.none()), 4, true, AxisChoice.NONE);
        assertThat(few.axes()).extracting(ParallelCoordinates.Scale::axis).isEqualTo(all.subList(0, 4));
        Axis last = all.getLast();
        AxisChoice choice = AxisChoice.NONE.moved(all, last, 0).with(all.get(1), false);
        assertThat(ParallelCoordinates.of(shown(set, DesignFilter.none()), 4, true, choice)
                        .axes())
                .extracting(ParallelCoordinates.Scale::axis)
                .startsWith(last, all.get(0))
                .doesNotContain(all.get(1))
                .hasSize(4);
        var filter = DesignFilter.none().withRange(last, new DesignFilter.Range(0, 1));
        assertThat(ParallelCoordinates.of(shown(set, filter), 4, true, AxisChoice.NONE)
                        .axes())
                .extracting(ParallelCoordinates.Scale::axis)
                .contains(last)
                .hasSize(4);
    }

    @Test
    void aHistogramCountsTheValuesOfTheBestDesigns() {
        DesignSet set = Runs.set(40, 3);
        ParallelCoordinates p =
                ParallelCoordinates.of(shown(set, DesignFilter.none()), 100, true, AxisChoice.NONE.withBest(0.25));
        int[] drawable = java.util.stream.IntStream.range(0, set.size())
                .filter(i -> set.objectives().stream()
                        .anyMatch(m -> set.shownValue(i, m.name()).isPresent()))
                .toArray();
        int[] best = ParallelCoordinates.best(set, drawable, 0.25);
        // Nothing dominates the front, so it comes first.
        long front = java.util.stream.IntStream.range(0, set.size())
                .filter(i -> set.standing(i) == knobscape.app.ui.designs.DesignStanding.FRONT)
                .count();
        assertThat(java.util.Arrays.stream(best)
                        .limit(front)
                        .allMatch(i -> set.standing(i) == knobscape.app.ui.designs.DesignStanding.FRONT))
                .isTrue();
        for (int a = 0; a < p.axes().size(); a++) {
            if (p.axes().get(a).axis().knob()) {
                assertThat(java.util.Arrays.stream(p.bests()[a]).sum())
                        .isCloseTo(1, org.assertj.core.data.Offset.offset(1e-9));
            } else {
                assertThat(p.bests()[a]).isEmpty();
            }
        }
    }

    @Test
    void stairsAreNonDominatedInTheirProjection() {
        Scatter s = scatter(Runs.set(90, 4), DesignFilter.none());
        Scatter.Points p = s.stairs();
        for (int i = 1; i < p.size(); i++) {
            assertThat(p.x(i)).isGreaterThanOrEqualTo(p.x(i - 1));
            assertThat(p.y(i)).isLessThan(p.y(i - 1));
        }
    }

    @Test
    void chartIsDrawnWithMarksInTheirColoursAndAxesAtTheirPlace() {
        DesignSet set = Runs.set(60, 1);
        FigureFrame frame = draw(scatter(set, DesignFilter.none()), 500, 300, 2);
        assertThat(frame.picture().getWidth()).isEqualTo(1000);
        assertThat(frame.across().from()).isBetween(20.0, 120.0);
        assertThat(frame.upwards().to()).isBetween(0.0, 40.0);
        for (Color c : List.of(
                Palette.light().of(Hue.FRONT),
                Palette.light().of(Hue.DOMINATED),
                Palette.light().of(Hue.BASELINE))) {
            assertThat(java.util.Arrays.stream(frame.pixels())
                            .filter(p -> p == c.getRGB())
                            .count())
                    .isGreaterThan(10);
        }
    }

    @Test
    void nothingIsDrawnOnTheScreensThread() throws Exception {
        Toolkit.start();
        var thrown = new CompletableFuture<Throwable>();
        DesignSet set = Runs.set(5, 1);
        Scatter plot = scatter(set, DesignFilter.none());
        Platform.runLater(() -> {
            try {
                draw(plot, 100, 100, 1);
                thrown.complete(new AssertionError("it was drawn"));
            } catch (IllegalStateException e) {
                thrown.complete(e);
            }
        });
        assertThat(thrown.get(20, TimeUnit.SECONDS)).hasMessageContaining("must not run on the JavaFX thread");
    }

    @Test
    void oneValueAloneAndNoneAtAllCanBeDrawn() {
        for (int n : new int[] {1, 0}) {
            DesignSet set = n == 0 ? DesignSet.none() : Runs.set(n, 1);
            List<Metric> m = n == 0 ? Runs.set(1, 1).objectives() : set.objectives();
            Scatter s = Scatter.of(shown(set, DesignFilter.none()), m.get(0), m.get(1), true, ALL);
            assertThat(draw(s, 300, 200, 1).picture().getHeight()).isEqualTo(200);
            assertThat(draw(
                                    ParallelCoordinates.of(shown(set, DesignFilter.none()), 8, true, AxisChoice.NONE),
                                    300,
                                    200,
                                    1)
                            .picture()
                            .getHeight())
                    .isEqualTo(200);
        }
    }

    @Test
    void parallelCoordinatesShowObjectivesThenTellingKnobs() {
        DesignSet set = Runs.set(100, 2);
        ParallelCoordinates p = ParallelCoordinates.of(shown(set, DesignFilter.none()), 5, true, AxisChoice.NONE);
        assertThat(p.axes().stream().map(a -> a.axis().knob())).containsExactly(false, false, false, true, true);
        assertThat(p.lines()).hasNumberOfRows(100);
        for (int r = 0; r < 100; r++) {
            assertThat(p.lines()[r][1])
                    .isEqualTo(set.shownValue(p.number()[r] - 1, "delay").orElseThrow());
        }
        for (ParallelCoordinates.Scale a : p.axes()) {
            assertThat(a.share(a.low())).isZero();
            assertThat(a.value(a.share(a.high())))
                    .isCloseTo(a.high(), org.assertj.core.data.Offset.offset(1e-9 * a.high()));
        }
    }

    @Test
    void picturesAsPngAndSvgCanBeReadAgain() throws Exception {
        DesignSet set = Runs.set(60, 1);
        Plot picture = scatter(set, DesignFilter.none());
        var image = ImageIO.read(new ByteArrayInputStream(PlotExport.png(picture)));
        assertThat(image.getWidth()).isEqualTo(1800);
        byte[] svg = PlotExport.svg(picture);
        var document = DocumentBuilderFactory.newDefaultNSInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg));
        assertThat(document.getDocumentElement().getLocalName()).isEqualTo("svg");
        assertThat(new String(svg, StandardCharsets.UTF_8)).contains("Power (W)", "impl, model; 60 of 60 designs");
    }

    @Test
    void hypervolumeNamesItsReferencePoint() throws Exception {
        var points = new ArrayList<TracePoint>();
        for (int i = 0; i < 5; i++) {
            points.add(new TracePoint(i, i == 0 ? Double.NaN : 0.1 * i, i, 1000.0 * i, i));
        }
        var curves = new Curves(
                List.of(new Curves.Curve("run 1", points, true), new Curves.Curve("run 2", points, false)),
                "Reference point: power 11 W",
                Double.NaN);
        String svg = new String(PlotExport.svg(curves), StandardCharsets.UTF_8);
        assertThat(svg).contains("Reference point: power 11 W", "run 2", "Minutes spent");
        assertThat(Curves.none().isEmpty()).isTrue();
    }

    @Test
    void ticksAreRoundFewAndInside() {
        assertThat(AxisTicks.linear(0, 1, 5)).containsExactly(0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0);
        assertThat(AxisTicks.linear(3, 3, 5)).containsExactly(3.0);
        assertThat(AxisTicks.logarithmic(1, 1000, 4)).containsExactly(1.0, 10.0, 100.0, 1000.0);
        assertThat(AxisTicks.logarithmic(5, 5, 4)).containsExactly(5.0);
        assertThat(AxisTicks.logarithmic(0.02, 0.05, 4))
                .allMatch(v -> v >= 0.02 && v <= 0.05)
                .hasSizeGreaterThan(1);
        assertThat(AxisTicks.linear(Double.NaN, 3, 5)).hasSize(1);
        assertThat(AxisTicks.label(12_000, 1000)).isEqualTo("12\u202fk");
        assertThat(AxisTicks.label(0.25, 0.05)).isEqualTo("0.25");
        assertThat(AxisTicks.label(-3, 1)).isEqualTo("\u22123");
    }

    @Test
    void aLineOfOnePointIsSeen() {
        var line = new Figure.Line("run", new double[] {1}, new double[] {5}, Hue.FRONT, true, 0, 2);
        var figure = new Figure(
                List.of(new Figure.Panel(
                        Figure.Axis.amount("Measurements", 1), Figure.Axis.linear("Best", 0, 10), 1, List.of(line))),
                List.of(),
                "");
        FigureFrame drawn = draw((w, h) -> figure, 400, 300, 1);
        var area = drawn.areas().getFirst();
        int x = (int) Math.round(area.getCenterX());
        int y = (int) Math.round(area.getCenterY());
        assertThat(new Color(drawn.pixels()[y * drawn.picture().getWidth() + x]))
                .isEqualTo(Palette.light().of(Hue.FRONT));
        assertThat(drawn.at(x, y).orElseThrow().tip().text()).isEqualTo("run: 5 at 1");
    }

    @Test
    void amountsHaveWholeTicks() {
        assertThat(AxisTicks.whole(0, 2, 12)).containsExactly(0.0, 1.0, 2.0);
        assertThat(AxisTicks.whole(0.5, 3.5, 9)).containsExactly(1.0, 2.0, 3.0);
        assertThat(AxisTicks.whole(0, 30, 6)).containsExactly(0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0);
    }

    @Test
    void titlesOfCurvesStayInThePlotAndApart() {
        var area = new Rectangle2D.Double(50, 20, 200, 60);
        List<Rectangle2D> taken = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            // Three equal curves end at one point, close to the upper right corner.
            taken.add(FigureChart.place(area, taken, 260, 25, 80, 15).orElseThrow());
        }
        assertThat(taken).allMatch(area::contains);
        assertThat(taken.get(0).intersects(taken.get(1)) || taken.get(1).intersects(taken.get(2)))
                .isFalse();
        taken.add(FigureChart.place(area, taken, 260, 25, 80, 15).orElseThrow());
        assertThat(FigureChart.place(area, taken, 260, 25, 80, 15))
                .as("no room is left")
                .isEmpty();
    }
}
