package knobscape.app.ui.plot;

import java.util.Optional;
import java.util.concurrent.Callable;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.AccessibleRole;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.control.Label;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Standing;
import knobscape.project.Design;
import knobscape.project.RunResults.TracePoint;

/// Hypervolume against tool hours. Names its reference point; a click on a step selects the design that step brought.
final class HypervolumeView extends VBox {
    private static final double SECONDS_PER_HOUR = 3600;
    private static final double REACH = 12;

    private final PlotContext context;
    private final Results results;
    private final ObservableValue<Curves> curves;
    private final ImagePane<ChartFrame> pane;
    private final Label empty = new Label();
    private final Label hover = new Label();
    private final Label reference = new Label();

    HypervolumeView(PlotContext context, Results results, ObservableValue<Curves> curves) {
        this.context = context;
        this.results = results;
        this.curves = curves;
        this.pane = new ImagePane<>(context.background(), this::prepare, f -> f, this::paintOverlay, context.failed());
        empty.getStyleClass().add("empty-note");
        hover.getStyleClass().add("plot-note");
        reference.getStyleClass().addAll("secondary", "plot-caption");
        reference.setMinWidth(0);
        reference.setWrapText(true);
        reference.setMinHeight(javafx.scene.layout.Region.USE_PREF_SIZE);
        var stack = new StackPane(pane, empty, hover);
        StackPane.setAlignment(hover, Pos.BOTTOM_RIGHT);
        hover.setMouseTransparent(true);
        empty.setMouseTransparent(true);
        stack.setMinSize(0, 0);
        VBox.setVgrow(stack, Priority.ALWAYS);
        getChildren().addAll(stack, reference);
        setMinSize(0, 0);
        getStyleClass().add("plot");
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        context.palette().addListener((o, was, is) -> pane.repaint());
        curves.addListener((o, was, is) -> refresh(is));
        results.selected().addListener((o, was, is) -> pane.repaintOverlay());
        stack.addEventHandler(MouseEvent.MOUSE_MOVED, e -> hover(e.getX(), e.getY()));
        stack.addEventHandler(MouseEvent.MOUSE_EXITED, e -> hover.setText(""));
        stack.addEventHandler(MouseEvent.MOUSE_CLICKED, e -> nearest(e.getX(), e.getY()).flatMap(p -> designOf(results.set(), p))
                .ifPresent(d -> results.select(d.number())));
        refresh(curves.getValue());
    }

    private void refresh(Curves now) {
        empty.setText(now.isEmpty() ? "The curve begins after the initial designs" : "");
        if (!now.reference().equals(reference.getText())) {
            reference.setText(now.reference());
            reference.setTooltip(now.reference().isEmpty() ? null : new javafx.scene.control.Tooltip(now.reference()));
        }
        setAccessibleText("Hypervolume against tool hours. " + current().map(c -> c.points().isEmpty() ? "" : "Now " + format(c.points().getLast())).orElse("")
                + ". " + now.reference());
        pane.repaint();
    }

    private Optional<Curves.Curve> current() {
        return curves.getValue().curves().stream().filter(Curves.Curve::current).findFirst();
    }

    private Optional<Callable<ChartFrame>> prepare(double width, double height, double scale) {
        Curves now = curves.getValue();
        if (now.isEmpty()) {
            return Optional.empty();
        }
        ChartStyle style = context.style();
        return Optional.of(() -> ChartFrame.draw(CurvesChart.of(now, style), width, height, scale));
    }

    private void paintOverlay() {
        Optional<ChartFrame> frame = pane.painted().get();
        Optional<Design> selected = results.selectedDesign();
        if (frame.isEmpty() || selected.isEmpty()) {
            return;
        }
        GraphicsContext g = pane.overlay().getGraphicsContext2D();
        current().flatMap(c -> c.points().stream().filter(p -> p.step() == selected.get().step() && Double.isFinite(p.hypervolume())).findFirst())
                .filter(p -> selected.get().number() != Results.BASELINE).ifPresent(p -> {
                    g.setStroke(PlotContext.fx(context.palette().getValue().selected()));
                    g.setLineWidth(2);
                    double x = frame.get().across().pixel(p.toolSeconds() / SECONDS_PER_HOUR);
                    double y = frame.get().upwards().pixel(p.hypervolume());
                    g.strokeOval(x - 6, y - 6, 12, 12);
                });
    }

    private void hover(double x, double y) {
        hover.setText(nearest(x, y).map(HypervolumeView::format).orElse(""));
    }

    private static String format(TracePoint p) {
        return (p.step() == 0 ? "initial designs" : "step " + p.step()) + ": " + String.format(java.util.Locale.ROOT, "%.4f", p.hypervolume()) + " after "
                + Quantity.hours(p.toolSeconds()) + " h, " + p.frontSize() + " on the front";
    }

    private Optional<TracePoint> nearest(double x, double y) {
        Optional<ChartFrame> frame = pane.painted().get();
        if (frame.isEmpty()) {
            return Optional.empty();
        }
        return current().flatMap(c -> c.points().stream().filter(p -> Double.isFinite(p.hypervolume()))
                .filter(p -> distance(frame.get(), p, x, y) < REACH)
                .min(java.util.Comparator.comparingDouble(p -> distance(frame.get(), p, x, y))));
    }

    private static double distance(ChartFrame frame, TracePoint p, double x, double y) {
        return Math.hypot(frame.across().pixel(p.toolSeconds() / SECONDS_PER_HOUR) - x, frame.upwards().pixel(p.hypervolume()) - y);
    }

    /// The design a step brought: one proposed in it, on the front before others.
    private static Optional<Design> designOf(DesignSet set, TracePoint point) {
        Optional<Design> found = Optional.empty();
        for (int i = 0; i < set.size(); i++) {
            if (set.get(i).step() == point.step() && (found.isEmpty() || set.standing(i) == Standing.FRONT)) {
                found = Optional.of(set.get(i));
            }
        }
        return found;
    }
}
