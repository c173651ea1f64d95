package knobscape.app.ui.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javafx.application.Platform;
import javafx.beans.property.SimpleObjectProperty;
import javafx.event.EventType;
import javafx.scene.Scene;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;
import javafx.stage.Stage;
import knobscape.app.ui.Toolkit;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Runs;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.FxBackground;
import knobscape.app.ui.theme.Palette;
import knobscape.app.ui.undo.UndoStack;
import knobscape.project.RunResults.TracePoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the mouse does in a plot: choose, zoom, brush, point at.
class PlotMouseTest {
    private static final double WIDTH = 500;
    private static final double HEIGHT = 320;

    private final FxBackground background = new FxBackground();
    private final DesignSet set = Runs.set(60, 1);
    private final List<Exception> failures = new ArrayList<>();
    private Results results;
    private PlotContext context;
    private Optional<Stage> stage = Optional.empty();

    @BeforeEach
    void open() throws Exception {
        Toolkit.start();
        onScreen(() -> {
            results = new Results(Background.direct(), new UndoStack());
            results.open(set);
            context = new PlotContext(background, new SimpleObjectProperty<>(Palette.light()), () -> 12, failures::add);
            return results;
        });
    }

    @AfterEach
    void close() throws Exception {
        onScreen(() -> {
            stage.ifPresent(Stage::hide);
            return stage;
        });
        background.close();
        assertThat(failures).isEmpty();
    }

    private static <T> T onScreen(Supplier<T> work) throws Exception {
        var result = new CompletableFuture<T>();
        Platform.runLater(() -> {
            try {
                result.complete(work.get());
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result.get(20, TimeUnit.SECONDS);
    }

    private static void until(BooleanSupplier condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!onScreen(condition::getAsBoolean)) {
            assertThat(System.nanoTime()).as("time is up").isLessThan(end);
            Thread.sleep(10);
        }
    }

    private <V extends FigureView> V shown(Supplier<V> make) throws Exception {
        V view = onScreen(() -> {
            V made = make.get();
            var window = new Stage();
            window.setScene(new Scene(made, WIDTH, HEIGHT));
            window.show();
            stage = Optional.of(window);
            return made;
        });
        until(() -> view.drawn().isPresent() && view.drawn().get().width() > 100);
        return view;
    }

    private static void mouse(FigureView view, EventType<MouseEvent> type, double x, double y, int clicks) {
        view.surface()
                .fireEvent(new MouseEvent(
                        type,
                        x,
                        y,
                        x,
                        y,
                        MouseButton.PRIMARY,
                        clicks,
                        false,
                        false,
                        false,
                        false,
                        true,
                        false,
                        false,
                        false,
                        false,
                        true,
                        null));
    }

    private static void drag(FigureView view, double x0, double y0, double x1, double y1) throws Exception {
        onScreen(() -> {
            mouse(view, MouseEvent.MOUSE_PRESSED, x0, y0, 1);
            mouse(view, MouseEvent.MOUSE_DRAGGED, x1, y1, 1);
            mouse(view, MouseEvent.MOUSE_RELEASED, x1, y1, 1);
            mouse(view, MouseEvent.MOUSE_CLICKED, x1, y1, 1);
            return view;
        });
    }

    private static void click(FigureView view, double x, double y, int clicks) throws Exception {
        onScreen(() -> {
            mouse(view, MouseEvent.MOUSE_PRESSED, x, y, clicks);
            mouse(view, MouseEvent.MOUSE_RELEASED, x, y, clicks);
            mouse(view, MouseEvent.MOUSE_CLICKED, x, y, clicks);
            return view;
        });
    }

    @Test
    void aScatterPlotIsZoomedChosenFromAndPointedAt() throws Exception {
        ScatterView view = shown(() -> new ScatterView(
                context, results, set.objectives().get(0), set.objectives().get(1)));
        FigureFrame whole = view.drawn().orElseThrow();
        Scatter s = (Scatter) whole.plot();
        Scatter.Points front = s.points().get(knobscape.app.ui.designs.DesignStanding.FRONT);
        double px = whole.across().pixel(front.x(0));
        double py = whole.upwards().pixel(front.y(0));
        onScreen(() -> {
            mouse(view, MouseEvent.MOUSE_MOVED, px, py, 0);
            return view;
        });
        assertThat(view.hovered()).isEqualTo(front.number()[0]);
        click(view, px, py, 1);
        assertThat(onScreen(() -> results.selected().get())).isEqualTo(front.number()[0]);

        double middleX = (whole.across().from() + whole.across().to()) / 2;
        double middleY = (whole.upwards().from() + whole.upwards().to()) / 2;
        drag(view, whole.across().from() + 5, whole.upwards().to() + 5, middleX, middleY);
        until(() -> view.drawn().orElseThrow().across().high() < whole.across().high());
        assertThat(view.drawn().orElseThrow().across().high())
                .isCloseTo(whole.across().value(middleX), org.assertj.core.data.Offset.offset(1e-9));
        assertThat(onScreen(() -> results.selected().get()))
                .as("a box is no click")
                .isEqualTo(front.number()[0]);

        click(view, middleX, middleY, 2);
        until(() -> view.drawn().orElseThrow().across().high() == whole.across().high());

        onScreen(() -> {
            view.surface()
                    .fireEvent(new ScrollEvent(
                            ScrollEvent.SCROLL,
                            middleX,
                            middleY,
                            middleX,
                            middleY,
                            false,
                            false,
                            false,
                            false,
                            false,
                            false,
                            0,
                            40,
                            0,
                            40,
                            ScrollEvent.HorizontalTextScrollUnits.NONE,
                            0,
                            ScrollEvent.VerticalTextScrollUnits.NONE,
                            0,
                            0,
                            null));
            return view;
        });
        until(() -> view.drawn().orElseThrow().across().low() > whole.across().low());

        onScreen(() -> {
            view.log().set(true);
            return view;
        });
        until(() -> view.drawn().orElseThrow().across().log());
        click(view, 1, 1, 1);
        assertThat(onScreen(() -> results.selected().get())).isEqualTo(Results.NOTHING);
    }

    @Test
    void anAxisOfParallelCoordinatesIsBrushedItsBrushMovedAndCleared() throws Exception {
        ParallelView view = shown(() -> new ParallelView(context, results));
        FigureFrame frame = view.drawn().orElseThrow();
        ParallelCoordinates p = (ParallelCoordinates) frame.plot();
        double x = frame.across().pixel(1);
        drag(view, x, frame.upwards().pixel(0.1), x, frame.upwards().pixel(0.4));
        var axis = p.axes().get(1);
        var range = onScreen(() -> results.filter().get().ranges().get(axis.axis()));
        assertThat(axis.share(range.low())).isCloseTo(0.1, org.assertj.core.data.Offset.offset(1e-6));
        assertThat(axis.share(range.high())).isCloseTo(0.4, org.assertj.core.data.Offset.offset(1e-6));
        assertThat(onScreen(() -> results.shown().get().count())).isLessThan(set.size());
        until(() -> view.drawn().orElseThrow() != frame);
        drag(view, x, frame.upwards().pixel(0.2), x, frame.upwards().pixel(0.5));
        var moved = onScreen(() -> results.filter().get().ranges().get(axis.axis()));
        assertThat(axis.share(moved.low())).isCloseTo(0.4, org.assertj.core.data.Offset.offset(1e-6));
        click(view, x, frame.upwards().pixel(0.5), 2);
        assertThat(onScreen(() -> results.filter().get().ranges())).isEmpty();

        until(() -> ((ParallelCoordinates) view.drawn().orElseThrow().plot()).matching().length == set.size());
        double between = frame.across().pixel(1.5);
        double share = (p.axes().get(1).share(p.lines()[4][1]) + p.axes().get(2).share(p.lines()[4][2])) / 2;
        click(view, between, frame.upwards().pixel(share), 1);
        assertThat(onScreen(() -> results.selected().get())).isPositive();
    }

    @Test
    void anAxisIsMovedByItsHeading() throws Exception {
        ParallelView view = shown(() -> new ParallelView(context, results));
        FigureFrame frame = view.drawn().orElseThrow();
        var before = ((ParallelCoordinates) frame.plot()).axes();
        double y = frame.upwards().pixel(1) - 12;
        drag(view, frame.across().pixel(0), y, frame.across().pixel(2) + 6, y);
        until(() -> ((ParallelCoordinates) view.drawn().orElseThrow().plot())
                .axes()
                .get(2)
                .axis()
                .equals(before.getFirst().axis()));
        assertThat(((ParallelCoordinates) view.drawn().orElseThrow().plot())
                        .axes()
                        .getFirst()
                        .axis())
                .isEqualTo(before.get(1).axis());
        assertThat(onScreen(() -> results.filter().get().ranges())).isEmpty();
    }

    @Test
    void aStepOfTheHypervolumeCurveSelectsTheDesignItBrought() throws Exception {
        var points = new ArrayList<TracePoint>();
        for (int i = 0; i < 6; i++) {
            points.add(new TracePoint(i, 0.1 * (i + 1), i, 3600.0 * i, i));
        }
        var curves = new SimpleObjectProperty<>(
                new Curves(List.of(new Curves.Curve("run 1", points, true)), "Reference point", Double.NaN));
        HypervolumeView view = shown(() -> new HypervolumeView(context, results, curves));
        FigureFrame frame = view.drawn().orElseThrow();
        click(view, frame.across().pixel(4), frame.upwards().pixel(100 * 0.5 / 0.6), 1);
        int selected = onScreen(() -> results.selected().get());
        assertThat(set.get(selected - 1).step()).isEqualTo(4);
    }
}
