package knobscape.app.ui.plot;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.nio.IntBuffer;
import javafx.scene.image.PixelBuffer;
import javafx.scene.image.PixelFormat;
import javafx.scene.image.WritableImage;
import knobscape.app.ui.task.ScreenThread;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.ValueAxis;

/// A drawn chart: its pixels, and where its axes lie. Made away from the screen.
///
/// @param pixels ARGB, premultiplied, row by row
/// @param columns pixels across
/// @param rows pixels down
/// @param width size across in the window's units
/// @param height size down in the window's units
/// @param across the horizontal axis in the window's units
/// @param upwards the vertical axis in the window's units
record ChartFrame(int[] pixels, int columns, int rows, double width, double height, AxisMap across, AxisMap upwards) {

    /// Draws a chart.
    ///
    /// @param scale pixels per unit of the window
    static ChartFrame draw(JFreeChart chart, double width, double height, double scale) {
        ScreenThread.mustNotBe("drawing a chart");
        var image = blank(width, height, scale);
        Graphics2D g = graphics(image, scale);
        var info = new ChartRenderingInfo(null);
        chart.draw(g, new Rectangle2D.Double(0, 0, width, height), info);
        g.dispose();
        Rectangle2D area = info.getPlotInfo().getDataArea();
        ValueAxis x = chart.getXYPlot().getDomainAxis();
        ValueAxis y = chart.getXYPlot().getRangeAxis();
        return of(image, width, height, map(x, area.getMinX(), area.getMaxX()), map(y, area.getMaxY(), area.getMinY()));
    }

    static ChartFrame of(BufferedImage image, double width, double height, AxisMap across, AxisMap upwards) {
        return new ChartFrame(((DataBufferInt) image.getRaster().getDataBuffer()).getData(), image.getWidth(), image.getHeight(), width, height, across,
                upwards);
    }

    static BufferedImage blank(double width, double height, double scale) {
        return new BufferedImage(Math.max(1, (int) Math.ceil(width * scale)), Math.max(1, (int) Math.ceil(height * scale)),
                BufferedImage.TYPE_INT_ARGB_PRE);
    }

    static Graphics2D graphics(BufferedImage image, double scale) {
        Graphics2D g = image.createGraphics();
        g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        g.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        g.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        g.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        g.scale(scale, scale);
        return g;
    }

    private static AxisMap map(ValueAxis axis, double from, double to) {
        return new AxisMap(axis.getLowerBound(), axis.getUpperBound(), axis instanceof LogAxis, from, to);
    }

    /// The picture, without copying the pixels.
    WritableImage image() {
        return new WritableImage(new PixelBuffer<>(columns, rows, IntBuffer.wrap(pixels), PixelFormat.getIntArgbPreInstance()));
    }
}
