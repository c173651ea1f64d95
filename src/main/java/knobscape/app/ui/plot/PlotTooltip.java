package knobscape.app.ui.plot;

import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import javafx.geometry.Point2D;
import javafx.scene.control.Label;
import javafx.scene.layout.VBox;

/// A small card of two lines, where it covers least of a figure.
final class PlotTooltip extends VBox {
    private static final double OFFSET = 14;
    private static final double WIDTH = 420;
    /// So much of a card may lie over marks before it leaves the mouse for an emptier corner.
    private static final double LITTLE = 0.04;

    private final Label title = new Label();
    private final Label text = new Label();

    PlotTooltip() {
        getStyleClass().add("plot-tooltip");
        title.getStyleClass().add("emphasis");
        for (Label l : List.of(title, text)) {
            l.setWrapText(true);
            l.setMaxWidth(WIDTH);
        }
        getChildren().addAll(title, text);
        setManaged(false);
        setMouseTransparent(true);
        setVisible(false);
    }

    /// Says something near a place within a size, or nothing.
    ///
    /// @param covered share of a rectangle that something is drawn in
    void show(
            Optional<Figure.Tip> tip,
            double x,
            double y,
            double width,
            double height,
            ToDoubleFunction<Rectangle2D> covered) {
        Optional<Figure.Tip> said = tip.filter(t -> !t.isEmpty());
        setVisible(said.isPresent());
        said.ifPresent(t -> {
            set(title, t.title());
            set(text, t.text());
            applyCss();
            autosize();
            Point2D at = place(x, y, getWidth(), getHeight(), width, height, covered);
            relocate(at.getX(), at.getY());
        });
    }

    /// Where a card of a size stands within a place so that it does not cover a point: beside it, where it covers
    /// least of what is drawn, or in an emptier corner. Where it fits nowhere, in the corner farthest away.
    static Point2D place(
            double x,
            double y,
            double cardWidth,
            double cardHeight,
            double width,
            double height,
            ToDoubleFunction<Rectangle2D> covered) {
        double far = Math.max(0, width - cardWidth);
        double low = Math.max(0, height - cardHeight);
        record Spot(Point2D at, double cost) {}
        var spots = new ArrayList<Spot>();
        for (boolean below : new boolean[] {true, false}) {
            for (boolean right : new boolean[] {true, false}) {
                var beside = new Point2D(
                        right ? x + OFFSET : x - OFFSET - cardWidth, below ? y + OFFSET : y - OFFSET - cardHeight);
                var corner = new Point2D(right ? far : 0, below ? low : 0);
                for (Point2D p : List.of(beside, corner)) {
                    var card = new Rectangle2D.Double(p.getX(), p.getY(), cardWidth, cardHeight);
                    boolean fits = p.getX() >= 0 && p.getX() <= far && p.getY() >= 0 && p.getY() <= low;
                    if (fits && !covers(card, x, y)) {
                        spots.add(new Spot(p, covered.applyAsDouble(card) + (p == corner ? LITTLE : 0)));
                    }
                }
            }
        }
        return spots.stream()
                .min(Comparator.comparingDouble(Spot::cost))
                .map(Spot::at)
                .orElse(new Point2D(x < width / 2 ? far : 0, y < height / 2 ? low : 0));
    }

    private static boolean covers(Rectangle2D card, double x, double y) {
        return card.getMinX() - OFFSET < x
                && x < card.getMaxX() + OFFSET
                && card.getMinY() - OFFSET < y
                && y < card.getMaxY() + OFFSET;
    }

    private static void set(Label label, String words) {
        label.setText(words);
        label.setManaged(!words.isEmpty());
    }
}
