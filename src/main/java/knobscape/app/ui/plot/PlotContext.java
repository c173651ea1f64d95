package knobscape.app.ui.plot;

import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import javafx.beans.value.ObservableValue;
import javafx.scene.paint.Color;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.theme.Palette;

/// The common context of all plots.
///
/// @param background where pictures are drawn
/// @param palette colours; plots follow it at once
/// @param textSize size of ordinary text in points
/// @param failed takes failures of drawing
public record PlotContext(
        Background background,
        ObservableValue<Palette> palette,
        DoubleSupplier textSize,
        Consumer<? super Exception> failed) {

    ChartStyle style() {
        return new ChartStyle(palette.getValue(), textSize.getAsDouble());
    }

    static Color fx(java.awt.Color c) {
        return Color.rgb(c.getRed(), c.getGreen(), c.getBlue(), c.getAlpha() / 255.0);
    }
}
