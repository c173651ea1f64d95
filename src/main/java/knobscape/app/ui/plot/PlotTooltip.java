package knobscape.app.ui.plot;

import java.util.Optional;
import javafx.geometry.Point2D;
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
            Point2D at = place(x, y, getWidth(), getHeight(), width, height);
            relocate(at.getX(), at.getY());
        });
    }

    /// Where a card of a size stands within a place so that it does not cover a point: right of it or left, below
    /// or above; in the corner that is farthest away where neither has room.
    static Point2D place(double x, double y, double cardWidth, double cardHeight, double width, double height) {
        boolean right = x + OFFSET + cardWidth <= width;
        boolean left = x - OFFSET - cardWidth >= 0;
        boolean below = y + OFFSET + cardHeight <= height;
        boolean above = y - OFFSET - cardHeight >= 0;
        double far = Math.max(0, width - cardWidth);
        double low = Math.max(0, height - cardHeight);
        double px = right ? x + OFFSET : left ? x - OFFSET - cardWidth : x < width / 2 ? far : 0;
        double py = below ? y + OFFSET : above ? y - OFFSET - cardHeight : y < height / 2 ? low : 0;
        return new Point2D(Math.clamp(px, 0, far), Math.clamp(py, 0, low));
    }

    private static void set(Label label, String words) {
        label.setText(words);
        label.setManaged(!words.isEmpty());
    }
}
