package knobscape.app.ui.plot;

import java.util.Optional;
import javafx.scene.control.Label;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.DesignSummary;
import knobscape.app.ui.designs.Results;

/// A small card beside the mouse: which design, its objectives with units and source, and the knobs that differ from the baseline.
final class PlotTooltip extends VBox {
    private static final double OFFSET = 14;
    private static final int MOST_KNOBS = 8;
    private final Results results;
    private final Label title = new Label();
    private final Label values = new Label();
    private final Label knobs = new Label();

    PlotTooltip(Results results) {
        this.results = results;
        getStyleClass().add("plot-tooltip");
        title.getStyleClass().add("emphasis");
        knobs.getStyleClass().add("secondary");
        getChildren().addAll(title, values, knobs);
        setManaged(false);
        setMouseTransparent(true);
        setVisible(false);
    }

    void show(int number, double x, double y, double width, double height) {
        Optional<DesignSummary> summary = number == Results.NOTHING ? Optional.empty() : DesignSummary.of(results.set(), number, MOST_KNOBS);
        setVisible(summary.isPresent());
        if (summary.isEmpty()) {
            return;
        }
        title.setText(summary.get().title());
        values.setText(String.join("\n", summary.get().objectives()));
        knobs.setText(String.join("\n", summary.get().knobs()));
        applyCss();
        autosize();
        double w = getWidth();
        double h = getHeight();
        double left = x + OFFSET + w > width ? x - OFFSET - w : x + OFFSET;
        double top = y + OFFSET + h > height ? y - OFFSET - h : y + OFFSET;
        relocate(Math.max(0, left), Math.max(Math.min(0, height - h), top));
    }
}
