package knobscape.app.ui.plot;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javafx.application.Platform;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.fxml.FXML;
import javafx.scene.Cursor;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.control.CustomMenuItem;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.FlowPane;
import javafx.scene.paint.Color;
import knobscape.app.ui.designs.DesignFilter.Axis;
import knobscape.app.ui.designs.DesignFilter.Range;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Results.VisibleDesigns;
import knobscape.app.ui.plot.FigureFrame.Hit;
import knobscape.app.ui.theme.Hue;
import knobscape.app.ui.view.Fxml;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// Parallel coordinates. Dragging along an axis filters the whole window; dragging a brush moves it; a double
/// click on an axis clears it; dragging its heading moves it to another place; a click selects the nearest design.
/// Brushes lie on their own layer, so dragging one does not wait for the lines. The order of the axes stays while
/// designs come in, once there are enough to tell what matters.
public final class ParallelView extends FigureView {
    private static final double AXIS_REACH = 12;
    private static final double BRUSH = 14;
    private static final double AXIS_ROOM = 66;
    private static final int MIN_AXES = 4;
    /// From so many designs on the order of the axes stays.
    private static final int ENOUGH = 24;

    private final Results results;
    private final BooleanProperty log = new SimpleBooleanProperty(true);
    private AxisChoice choice = AxisChoice.NONE;
    private List<String> knobs = List.of();
    private int brushed = -1;
    private Optional<Moved> moved = Optional.empty();

    /// An axis whose heading is dragged.
    private record Moved(int axis, double x) {}

    @FXML
    private Label hint;

    @FXML
    private MenuButton best;

    @FXML
    private MenuButton chosen;

    private double brushFrom;
    private Optional<Range> moving = Optional.empty();
    private Object gesture = new Object();

    /// @param context what plots need
    /// @param results the designs shared by the window
    public ParallelView(PlotContext context, Results results) {
        this.results = results;
        super(context, "Parallel coordinates", NOTHING_TO_CHOOSE);
        getChildren().add(Fxml.load("plot/parallel-foot", this));
        log.addListener((o, was, is) -> refresh());
        widthProperty().addListener((o, was, is) -> {
            if (most(was.doubleValue()) != most(is.doubleValue())) {
                refresh();
            }
        });
        results.shown().addListener((o, was, is) -> refresh());
        results.filter().addListener((o, was, is) -> repaintOverlay());
        results.selected().addListener((o, was, is) -> repaintOverlay());
        listen();
        refresh();
    }

    /// True if metrics that span more than a decade have a logarithmic scale.
    BooleanProperty log() {
        return log;
    }

    @FXML
    private void initialize() {
        var group = new ToggleGroup();
        for (double share : new double[] {0, 0.05, 0.1, 0.25}) {
            var item = new RadioMenuItem(share == 0 ? "No histograms" : Math.round(100 * share) + " % of the designs");
            item.setToggleGroup(group);
            item.setSelected(share == 0);
            item.setOnAction(e -> {
                best.setText(share == 0 ? "Best of\u2026" : "Best " + Math.round(100 * share) + " %");
                choose(choice.withBest(share));
            });
            best.getItems().add(item);
        }
        best.setText("Best of\u2026");
        best.setTooltip(new Tooltip("Beside each axis: how many of the best designs (those that the fewest others\n"
                + "dominate) have each value."));
        chosen.setText("Axes");
        chosen.setOnShowing(e -> listAxes(Optional.empty()));
        chosen.getItems().setAll(new MenuItem());
    }

    /// Every axis as a chip that shows or hides it, and moves it by the keyboard.
    ///
    /// @param focus the one that has the keyboard
    private void listAxes(Optional<Axis> focus) {
        Optional<ParallelCoordinates> now = drawn().map(ParallelView::parallel);
        if (now.isEmpty()) {
            return;
        }
        List<Axis> all = now.get().all();
        List<Axis> seen =
                choice.of(order(now.get()), results.filter().get().ranges().keySet(), most(getWidth()));
        List<Axis> inOrder = order(now.get());
        Map<String, String> words = words(all);
        var chips = new FlowPane();
        chips.getStyleClass().addAll("chips", "axis-chips");
        for (Axis a : inOrder) {
            var chip = new ToggleButton(words.getOrDefault(a.name(), a.name()));
            chip.setMnemonicParsing(false);
            chip.getStyleClass().addAll("chip", "small");
            chip.setSelected(seen.contains(a));
            chip.setAccessibleText("Axis " + a.name() + (seen.contains(a) ? ", shown" : ", hidden"));
            chip.setTooltip(new Tooltip(a.name() + "\nCtrl+Left and Ctrl+Right move it."));
            chip.setOnAction(e -> {
                choose(choice.with(a, chip.isSelected()));
                listAxes(Optional.of(a));
            });
            chip.addEventFilter(KeyEvent.KEY_PRESSED, e -> {
                int by = e.getCode() == KeyCode.LEFT ? -1 : e.getCode() == KeyCode.RIGHT ? 1 : 0;
                if (e.isShortcutDown() && by != 0) {
                    e.consume();
                    choose(choice.moved(inOrder, a, inOrder.indexOf(a) + by));
                    listAxes(Optional.of(a));
                }
            });
            chips.getChildren().add(chip);
            if (focus.filter(a::equals).isPresent()) {
                Platform.runLater(chip::requestFocus);
            }
        }
        var item = new CustomMenuItem(chips, false);
        item.getStyleClass().add("axis-item");
        var reset = new MenuItem("Order by importance");
        reset.setOnAction(e -> choose(new AxisChoice(List.of(), Set.of(), Set.of(), choice.best())));
        chosen.getItems().setAll(item, new SeparatorMenuItem(), reset);
    }

    private Map<String, String> words(List<Axis> axes) {
        KnobSet set = results.set().knobs();
        List<String> labels = KnobLabels.of(set);
        return axes.stream()
                .filter(Axis::knob)
                .filter(a -> set.indexOf(a.name()).isPresent())
                .collect(Collectors.toMap(
                        Axis::name, a -> labels.get(set.indexOf(a.name()).orElseThrow())));
    }

    private void choose(AxisChoice next) {
        choice = next;
        refresh();
    }

    /// The axes from left to right: what a person chose, else what was drawn.
    private List<Axis> order(ParallelCoordinates p) {
        return choice.order().isEmpty() ? p.all() : choice.order();
    }

    /// Most axes there is room for.
    private static int most(double width) {
        return Math.max(MIN_AXES, (int) (width / AXIS_ROOM));
    }

    private void refresh() {
        VisibleDesigns shown = results.shown().get();
        boolean logarithmic = log.get();
        int most = most(getWidth());
        List<String> now = shown.set().knobs().list().stream().map(Knob::name).toList();
        if (!now.equals(knobs)) {
            knobs = now;
            choice = AxisChoice.NONE.withBest(choice.best());
        }
        // Axes that change their places while designs come in cannot be read.
        drawn().map(ParallelView::parallel)
                .filter(p -> choice.order().isEmpty()
                        && p.total() >= ENOUGH
                        && p.set().knobs().equals(shown.set().knobs())
                        && p.set().objectives().equals(shown.set().objectives()))
                .ifPresent(p -> choice = choice.ordered(p.all()));
        AxisChoice axes = choice;
        show(
                shown.set().size() == 0
                        ? Content.empty(results.nothing("Nothing has been evaluated yet"))
                        : Content.plot(() -> ParallelCoordinates.of(shown, most, logarithmic, axes)));
    }

    private static ParallelCoordinates parallel(FigureFrame f) {
        return (ParallelCoordinates) f.plot();
    }

    @Override
    String words(Optional<Figure> figure) {
        VisibleDesigns shown = results.shown().get();
        return "Parallel coordinates of " + shown.set().size() + " designs; " + shown.count() + " pass the filter";
    }

    @Override
    void overlay(GraphicsContext g, FigureFrame f) {
        ParallelCoordinates p = parallel(f);
        boolean brushes =
                p.axes().stream().anyMatch(a -> results.filter().get().ranges().containsKey(a.axis()));
        String drawn = p.lines().length < p.total()
                ? Quantity.count(p.lines().length) + " of " + Quantity.count(p.total()) + " lines drawn. "
                : "";
        hint.setText(
                p.lines().length == 0
                        ? ""
                        : drawn
                                + (brushes
                                        ? "Drag a brush to move it, double-click its axis to clear it."
                                        : "Drag along an axis to filter, its heading to move it."));
        for (int a = 0; a < p.axes().size(); a++) {
            Range range = results.filter().get().ranges().get(p.axes().get(a).axis());
            if (range != null) {
                brush(g, f, a, range);
            }
        }
        moved.ifPresent(m -> {
            g.setStroke(ink(Hue.SELECTED));
            g.setLineWidth(2);
            double x = f.across().pixel(place(f, m) - 0.5);
            g.strokeLine(x, f.upwards().pixel(1), x, f.upwards().pixel(0));
        });
        if (hovered() >= 0) {
            line(g, f, hovered(), 1.5);
        }
        results.selectedDesign()
                .filter(d -> d.number() != Results.BASELINE)
                .ifPresent(d -> line(g, f, d.number(), 2.5));
    }

    @Override
    Optional<Hit> at(double x, double y) {
        return axisAt(x) >= 0 ? Optional.empty() : super.at(x, y);
    }

    @Override
    Cursor cursor(double x, Optional<Hit> hit) {
        return axisAt(x) >= 0 ? Cursor.V_RESIZE : Cursor.DEFAULT;
    }

    @Override
    void clicked(Optional<Hit> hit) {
        if (brushed < 0) {
            results.select(hit.map(Hit::key).orElse(Results.NOTHING));
        }
    }

    private void brush(GraphicsContext g, FigureFrame f, int a, Range range) {
        ParallelCoordinates.Scale s = parallel(f).axes().get(a);
        AxisMap upwards = f.upwards();
        double high = upwards.pixel(Math.min(1, s.share(Math.min(range.high(), s.high())))) - 3;
        double low = upwards.pixel(Math.max(0, s.share(Math.max(range.low(), s.low())))) + 3;
        Color ink = ink(Hue.FRONT);
        g.setFill(ink.deriveColor(0, 1, 1, 0.22));
        g.fillRoundRect(f.across().pixel(a) - BRUSH / 2, high, BRUSH, Math.max(2, low - high), 4, 4);
        g.setStroke(ink);
        g.setLineWidth(1.2);
        g.strokeRoundRect(f.across().pixel(a) - BRUSH / 2, high, BRUSH, Math.max(2, low - high), 4, 4);
    }

    private void line(GraphicsContext g, FigureFrame f, int number, double width) {
        var index = results.set().indexOf(number);
        if (index.isEmpty()) {
            return;
        }
        g.setStroke(ink(Hue.SELECTED));
        g.setLineWidth(width);
        g.beginPath();
        boolean down = false;
        for (int a = 0; a < parallel(f).axes().size(); a++) {
            ParallelCoordinates.Scale s = parallel(f).axes().get(a);
            double v = ParallelCoordinates.value(results.set(), index.getAsInt(), s.axis());
            if (Double.isNaN(v)) {
                down = false;
                continue;
            }
            double y = f.upwards().pixel(s.share(v));
            if (down) {
                g.lineTo(f.across().pixel(a), y);
            } else {
                g.moveTo(f.across().pixel(a), y);
            }
            down = true;
        }
        g.stroke();
    }

    private void listen() {
        surface().addEventHandler(MouseEvent.MOUSE_PRESSED, e -> {
            if (e.getButton() == MouseButton.PRIMARY) {
                pressed(e.getX(), e.getY());
            }
        });
        surface().addEventHandler(MouseEvent.MOUSE_DRAGGED, e -> {
            moved = moved.map(m -> new Moved(m.axis(), e.getX()));
            if (moved.isPresent()) {
                repaintOverlay();
            } else {
                dragged(e.getY());
            }
        });
        surface().addEventHandler(MouseEvent.MOUSE_RELEASED, e -> {
            drawn().ifPresent(f -> moved.ifPresent(m -> drop(f, m)));
            moved = Optional.empty();
        });
        surface().addEventHandler(MouseEvent.MOUSE_CLICKED, e -> {
            int axis = axisAt(e.getX());
            if (axis >= 0 && e.getClickCount() == 2) {
                results.setFilter(results.filter()
                        .get()
                        .withoutRange(
                                parallel(drawn().orElseThrow()).axes().get(axis).axis()));
            }
        });
    }

    private int axisAt(double x) {
        return drawn().map(f -> {
                    int a = (int) Math.rint(f.across().value(x));
                    return a >= 0
                                    && a < parallel(f).axes().size()
                                    && Math.abs(f.across().pixel(a) - x) <= AXIS_REACH
                            ? a
                            : -1;
                })
                .orElse(-1);
    }

    /// The axis whose heading is at a place, or -1.
    private int headingAt(double x, double y) {
        return drawn().filter(f -> y < f.upwards().pixel(1) - 4)
                .map(f -> (int) Math.rint(f.across().value(x)))
                .filter(a ->
                        a >= 0 && a < parallel(drawn().orElseThrow()).axes().size())
                .orElse(-1);
    }

    /// Before which axis one stands where it is dropped.
    private static int place(FigureFrame f, Moved m) {
        return Math.clamp(
                (int) Math.ceil(f.across().value(m.x())), 0, parallel(f).axes().size());
    }

    private void drop(FigureFrame f, Moved m) {
        List<ParallelCoordinates.Scale> axes = parallel(f).axes();
        int place = place(f, m);
        if (m.axis() >= axes.size() || place == m.axis() || place == m.axis() + 1) {
            return;
        }
        List<Axis> order = order(parallel(f));
        Axis axis = axes.get(m.axis()).axis();
        int at = place < axes.size()
                ? order.indexOf(axes.get(place).axis())
                : order.indexOf(axes.getLast().axis()) + 1;
        choose(choice.moved(order, axis, at - (order.indexOf(axis) < at ? 1 : 0)));
    }

    private void pressed(double x, double y) {
        int heading = headingAt(x, y);
        moved = heading < 0 ? Optional.empty() : Optional.of(new Moved(heading, x));
        brushed = heading < 0 ? axisAt(x) : -1;
        gesture = new Object();
        if (brushed < 0) {
            return;
        }
        FigureFrame f = drawn().orElseThrow();
        ParallelCoordinates.Scale s = parallel(f).axes().get(brushed);
        brushFrom = Math.clamp(f.upwards().value(y), 0, 1);
        moving = Optional.ofNullable(results.filter().get().ranges().get(s.axis()))
                .filter(r -> s.share(r.low()) - 0.01 <= brushFrom && brushFrom <= s.share(r.high()) + 0.01);
    }

    private void dragged(double y) {
        Optional<FigureFrame> frame = drawn();
        if (brushed < 0
                || frame.isEmpty()
                || brushed >= parallel(frame.get()).axes().size()) {
            return;
        }
        ParallelCoordinates.Scale s = parallel(frame.get()).axes().get(brushed);
        double to = Math.clamp(frame.get().upwards().value(y), 0, 1);
        Range range;
        if (moving.isPresent()) {
            double low = s.share(moving.get().low());
            double high = s.share(moving.get().high());
            double by = Math.clamp(to - brushFrom, -low, Math.max(-low, 1 - high));
            range = new Range(s.value(low + by), s.value(high + by));
        } else {
            range = new Range(s.value(Math.min(brushFrom, to)), s.value(Math.max(brushFrom, to)));
            if (s.axis().knob()) {
                range = new Range(Math.floor(range.low() + 0.5) - 0.25, Math.ceil(range.high() - 0.5) + 0.25);
            }
        }
        results.setFilter(results.filter().get().withRange(s.axis(), range), gesture);
    }
}
