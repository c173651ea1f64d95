package knobscape.app.ui.plot;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import javafx.geometry.Pos;
import javafx.scene.AccessibleRole;
import javafx.scene.control.Label;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.scene.shape.Circle;
import javafx.scene.shape.Line;
import javafx.scene.shape.Shape;
import knobscape.project.Numbers;

/// Shows [Lines] with a legend beneath; the point nearest to the mouse is told in words.
public final class LinesView extends VBox {
    private static final double REACH = 24;
    private static final int MOST_NAMED = 12;

    private final PlotContext context;
    private final ImagePane<ChartFrame> pane;
    private final Label empty = new Label();
    private final Label hover = new Label();
    private final FlowPane legend = new FlowPane();
    private Lines lines = Lines.none();

    /// An empty plot.
    public LinesView(PlotContext context) {
        this.context = context;
        this.pane = new ImagePane<>(context.background(), this::prepare, f -> f, () -> { }, context.failed());
        empty.getStyleClass().add("empty-note");
        empty.setWrapText(true);
        empty.setMouseTransparent(true);
        hover.getStyleClass().add("plot-note");
        hover.setMouseTransparent(true);
        legend.getStyleClass().add("lines-legend");
        var stack = new StackPane(pane, empty, hover);
        StackPane.setAlignment(hover, Pos.TOP_RIGHT);
        stack.setMinSize(0, 0);
        VBox.setVgrow(stack, Priority.ALWAYS);
        getChildren().addAll(stack, legend);
        setMinSize(0, 0);
        getStyleClass().add("plot");
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        stack.addEventHandler(MouseEvent.MOUSE_MOVED, e -> hover.setText(nearest(e.getX(), e.getY())));
        stack.addEventHandler(MouseEvent.MOUSE_EXITED, e -> hover.setText(""));
        context.palette().addListener((o, was, is) -> show(lines, empty.getText()));
    }

    /// Shows lines.
    ///
    /// @param shown what to draw
    /// @param ifEmpty a sentence for where there is nothing
    public void show(Lines shown, String ifEmpty) {
        lines = shown;
        empty.setText(ifEmpty);
        empty.setVisible(lines.isEmpty());
        legend.getChildren().clear();
        for (int i = 0; i < Math.min(MOST_NAMED, lines.lines().size()); i++) {
            legend.getChildren().add(entry(i));
        }
        if (lines.lines().size() > MOST_NAMED) {
            legend.getChildren().add(new Label("and " + (lines.lines().size() - MOST_NAMED) + " more"));
        }
        setAccessibleText(lines.isEmpty() ? ifEmpty : (lines.yLabel().isEmpty() ? "Values" : lines.yLabel()) + " against " + lines.xLabel() + ": " + lines.lines().stream().map(Lines.Line::title).collect(Collectors.joining(", ")));
        pane.repaint();
    }

    private Label entry(int i) {
        Lines.Line line = lines.lines().get(i);
        Shape glyph;
        switch (line.form()) {
            case DOTS -> {
                glyph = new Circle(3);
                glyph.setFill(PlotContext.fx(LinesChart.colour(i, context.palette().getValue())));
            }
            case RINGS -> {
                glyph = new Circle(4);
                glyph.setFill(javafx.scene.paint.Color.TRANSPARENT);
                glyph.setStroke(PlotContext.fx(LinesChart.colour(i, context.palette().getValue())));
            }
            default -> {
                glyph = new Line(0, 0, 22, 0);
                glyph.setStroke(PlotContext.fx(LinesChart.colour(i, context.palette().getValue())));
                glyph.setStrokeWidth(2);
                for (float d : LinesChart.dash(i)) {
                    glyph.getStrokeDashArray().add((double) d);
                }
            }
        }
        var label = new Label(line.title(), glyph);
        label.getStyleClass().add("secondary");
        label.setGraphicTextGap(6);
        return label;
    }

    private Optional<Callable<ChartFrame>> prepare(double width, double height, double scale) {
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        Lines now = lines;
        ChartStyle style = context.style();
        return Optional.of(() -> ChartFrame.draw(LinesChart.of(now, style), width, height, scale));
    }

    private String nearest(double x, double y) {
        Optional<ChartFrame> frame = pane.painted().get();
        String words = "";
        double best = REACH;
        if (frame.isPresent()) {
            for (Lines.Line l : lines.lines()) {
                for (int i = 0; i < l.x().length; i++) {
                    double d = Math.hypot(frame.get().across().pixel(l.x()[i]) - x, frame.get().upwards().pixel(l.y()[i]) - y);
                    if (d < best) {
                        best = d;
                        words = l.title() + ": " + (lines.yLabel().isEmpty() ? "" : lines.yLabel() + " ") + Numbers.shortest(l.y()[i]) + ", " + lines.xLabel() + " " + Numbers.shortest(l.x()[i]);
                    }
                }
            }
        }
        return words;
    }
}
