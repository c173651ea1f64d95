package knobscape.app.ui.plot;

import java.awt.BasicStroke;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import knobscape.app.ui.task.ScreenThread;
import knobscape.app.ui.theme.Hue;
import knobscape.app.ui.theme.Palette;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.RectangleEdge;
import org.w3c.dom.Document;

/// Plots as files, in the light look whatever the window wears, with legend and source written into the
/// picture.
public final class PlotExport {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 600;
    private static final double SCALE = 2;
    private static final double TEXT_SIZE = 13;

    private PlotExport() {}

    /// The chart of a plot with its legend and caption.
    private static JFreeChart chart(Plot plot) {
        ScreenThread.mustNotBe("drawing a picture");
        Figure figure = plot.figure(WIDTH, HEIGHT);
        var style = new ChartStyle(Palette.light(), TEXT_SIZE);
        JFreeChart chart = FigureChart.of(figure, style);
        if (!figure.legend().isEmpty()) {
            var items = new LegendItemCollection();
            figure.legend()
                    .forEach(k -> items.add(item(
                            k.words(),
                            Mark.of(
                                    k.dash() > 0 ? Figure.Shape.DASHES : k.shape(),
                                    style.faded(style.palette().of(k.hue()), k.strength())))));
            chart.addLegend(dressed(new LegendTitle(() -> items), style));
        }
        if (!figure.caption().isEmpty()) {
            var title = new TextTitle(figure.caption(), style.font());
            title.setPaint(style.palette().of(Hue.MUTED));
            title.setPosition(RectangleEdge.BOTTOM);
            chart.addSubtitle(title);
        }
        return chart;
    }

    /// A plot as PNG, twice as fine as the window.
    public static byte[] png(Plot plot) {
        JFreeChart chart = chart(plot);
        BufferedImage image = FigureFrame.blank(WIDTH, HEIGHT, SCALE);
        Graphics2D g = FigureFrame.graphics(image, SCALE);
        g.setPaint(java.awt.Color.WHITE);
        g.fillRect(0, 0, WIDTH, HEIGHT);
        chart.draw(g, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
        g.dispose();
        var plain = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
        Graphics2D copy = plain.createGraphics();
        copy.drawImage(image, 0, 0, null);
        copy.dispose();
        var out = new ByteArrayOutputStream();
        try {
            ImageIO.write(plain, "png", out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /// A plot as SVG, with text as text.
    public static byte[] svg(Plot plot) {
        JFreeChart chart = chart(plot);
        var g = new SVGGraphics2D(emptySvg());
        g.setSVGCanvasSize(new Dimension(WIDTH, HEIGHT));
        chart.draw(g, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
        var out = new StringWriter();
        try {
            g.stream(out, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // The document type names a file on the web, which some readers would fetch.
        return out.toString().replaceFirst("(?s)<!DOCTYPE[^>]*>\\s*", "").getBytes(StandardCharsets.UTF_8);
    }

    private static Document emptySvg() {
        try {
            return DocumentBuilderFactory.newDefaultNSInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument("http://www.w3.org/2000/svg", "svg", null);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("every Java runtime makes XML documents", e);
        }
    }

    private static LegendTitle dressed(LegendTitle legend, ChartStyle style) {
        legend.setPosition(RectangleEdge.TOP);
        legend.setItemFont(style.font());
        legend.setItemPaint(style.palette().of(Hue.TEXT));
        legend.setBackgroundPaint(null);
        return legend;
    }

    private static LegendItem item(String words, Mark mark) {
        return mark.filled()
                ? new LegendItem(words, null, null, null, mark.shape(), mark.colour())
                : new LegendItem(words, null, null, null, mark.shape(), new BasicStroke(1.6f), mark.colour());
    }
}
