package knobscape.app.ui.plot;

import static java.util.Objects.requireNonNull;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontFormatException;
import java.io.IOException;
import java.io.InputStream;
import knobscape.app.ui.theme.Hue;
import knobscape.app.ui.theme.Palette;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleInsets;

/// The look of every chart.
///
/// @param palette colours
/// @param textSize size of ordinary text in the window, in points
record ChartStyle(Palette palette, double textSize) {
    private static final Font WINDOW = window();

    /// The font of the window, also where there is none.
    private static Font window() {
        try (InputStream in = ChartStyle.class.getResourceAsStream("/styles/Roboto-Regular.ttf")) {
            return Font.createFont(Font.TRUETYPE_FONT, requireNonNull(in));
        } catch (FontFormatException | IOException e) {
            throw new IllegalStateException("the program's font cannot be read", e);
        }
    }

    /// The small font of charts.
    Font font() {
        return WINDOW.deriveFont((float) (textSize * 0.85));
    }

    /// Dresses a chart with one XY plot.
    JFreeChart dress(XYPlot plot) {
        dressPlot(plot);
        return chart(plot);
    }

    /// Dresses a plot that is or becomes part of a chart.
    void dressPlot(XYPlot plot) {
        // JFreeChart draws no grid for a plot without a renderer; nothing else asks for it.
        plot.setRenderer(new org.jfree.chart.renderer.xy.XYLineAndShapeRenderer());
        plot.setBackgroundPaint(null);
        plot.setOutlineVisible(false);
        plot.setDomainGridlinePaint(palette.of(Hue.GRID));
        plot.setRangeGridlinePaint(palette.of(Hue.GRID));
        var line = new BasicStroke(1f);
        plot.setDomainGridlineStroke(line);
        plot.setRangeGridlineStroke(line);
        plot.setDomainZeroBaselineVisible(false);
        plot.setInsets(new RectangleInsets(0, 0, 0, 0));
        plot.setAxisOffset(new RectangleInsets(0, 2, 2, 0));
        if (plot.getDomainAxis() != null) {
            dress(plot.getDomainAxis());
        }
        dress(plot.getRangeAxis());
    }

    /// A chart around a plot.
    JFreeChart chart(XYPlot plot) {
        var chart = new JFreeChart(null, font(), plot, false);
        chart.setBackgroundPaint(palette.of(Hue.BACKGROUND));
        chart.setPadding(new RectangleInsets(8, 4, 4, 16));
        chart.setAntiAlias(true);
        chart.setTextAntiAlias(true);
        return chart;
    }

    /// Dresses an axis.
    void dress(ValueAxis axis) {
        axis.setLabelFont(font());
        axis.setTickLabelFont(font());
        axis.setLabelPaint(palette.of(Hue.TEXT));
        axis.setTickLabelPaint(palette.of(Hue.MUTED));
    }

    /// `colour` mixed with the background: 1 is the colour, 0 the background.
    Color faded(Color colour, double share) {
        Color b = palette.of(Hue.BACKGROUND);
        return new Color(
                (int) Math.round(colour.getRed() * share + b.getRed() * (1 - share)),
                (int) Math.round(colour.getGreen() * share + b.getGreen() * (1 - share)),
                (int) Math.round(colour.getBlue() * share + b.getBlue() * (1 - share)));
    }
}
