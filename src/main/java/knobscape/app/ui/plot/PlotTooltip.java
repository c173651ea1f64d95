package knobscape.app.ui.plot;

import java.util.Optional;
import javafx.scene.control.Label;
import javafx.scene.layout.VBox;

/// A small card beside the mouse.
final class PlotTooltip extends VBox {
    private static final double OFFSET = 14;
    private static final double WIDTH = 320;
    private final Label title = new Label();
    private final Label text = new Label();
    private final Label more = new Label();

    PlotTooltip() {
        getStyleClass().add("plot-tooltip");
        title.getStyleClass().add("emphasis");
        text.setWrapText(true);
        text.setMaxWidth(WIDTH);
        more.getStyleClass().add("secondary");
        getChildren().addAll(title, text, more);
        setManaged(false);
        setMouseTransparent(true);
        setVisible(false);
    }

    /// Says something near a place within a size, or nothing.
    void show(Optional<Figure.Tip> tip, double x, double y, double width, double height) {
        Optional<Figure.Tip> said = tip.filter(t -> !t.isEmpty());
        setVisible(said.isPresent());
        said.ifPresent(t -> {
            set(title, t.title());
            set(text, t.text());
            set(more, t.more());
            applyCss();
            autosize();
            double left = x + OFFSET + getWidth() > width ? x - OFFSET - getWidth() : x + OFFSET;
            double top = y + OFFSET + getHeight() > height ? y - OFFSET - getHeight() : y + OFFSET;
            relocate(Math.max(0, left), Math.max(Math.min(0, height - getHeight()), top));
        });
    }

    private static void set(Label label, String words) {
        label.setText(words);
        label.setManaged(!words.isEmpty());
    }
}
