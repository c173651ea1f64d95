package knobscape.app.ui.plot;

import java.util.stream.IntStream;
import javafx.scene.canvas.Canvas;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.paint.Color;
import knobscape.app.ui.theme.Palette;

/// The mark of a word in a figure's legend.
final class KeyGlyph extends Canvas {
    private static final double SIZE = 10;
    private static final double LONG = 16;
    private static final double DASHED = 24;

    KeyGlyph(Figure.Key key, Palette palette) {
        super(
                key.dash() > 0
                        ? DASHED
                        : key.shape() == Figure.Shape.LINE || key.shape() == Figure.Shape.DASHES
                                ? LONG
                                : key.shape() == Figure.Shape.NONE ? 0 : SIZE,
                SIZE);
        setOpacity(key.strength());
        GraphicsContext g = getGraphicsContext2D();
        Color colour = PlotContext.fx(palette.of(key.hue()));
        g.setFill(colour);
        g.setStroke(colour);
        g.setLineWidth(1.6);
        switch (key.shape()) {
            case DISC -> g.fillOval(0.5, 0.5, 9, 9);
            case DOT -> g.fillOval(2.5, 2.5, 5, 5);
            case CIRCLE -> g.strokeOval(2.5, 2.5, 5, 5);
            case RING -> g.strokeOval(1, 1, 8, 8);
            case NONE -> {}
            case SQUARE, BOX -> g.fillRect(1, 1, 8, 8);
            case DIAMOND -> g.strokePolygon(new double[] {5, 9, 5, 1}, new double[] {1, 5, 9, 5}, 4);
            case CROSS -> {
                g.strokeLine(2, 2, 8, 8);
                g.strokeLine(2, 8, 8, 2);
            }
            case LINE -> {
                if (key.dash() > 0) {
                    float[] pattern = FigureChart.DASHES[(key.dash() - 1) % FigureChart.DASHES.length];
                    g.setLineDashes(IntStream.range(0, pattern.length)
                            .mapToDouble(i -> pattern[i])
                            .toArray());
                }
                g.strokeLine(0, 5, getWidth(), 5);
            }
            case DASHES -> {
                g.strokeLine(0, 5, 6, 5);
                g.strokeLine(10, 5, LONG, 5);
            }
        }
    }
}
