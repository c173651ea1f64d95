package knobscape.app.ui.inspector;

import javafx.scene.AccessibleRole;
import javafx.scene.layout.Region;
import knobscape.app.ui.inspector.InspectorViewModel.PredictionCheck;

/// A predicted interval as a bar, its median as a tick, and the measured value as a dot. Colours stand in the
/// style sheet.
final class IntervalBar extends Region {
    private static final double HEIGHT = 14;
    private static final double BAR = 4;
    private static final double DOT = 8;
    private PredictionCheck predicted = new PredictionCheck(0, 0, 0, Double.NaN, "");
    private final Region track = part("interval-track");
    private final Region bar = part("interval-bar");
    private final Region median = part("interval-median");
    private final Region dot = part("interval-measured");

    IntervalBar() {
        getStyleClass().add("interval");
        setAccessibleRole(AccessibleRole.TEXT);
        getChildren().addAll(track, bar, median, dot);
        setMinHeight(HEIGHT);
        setPrefHeight(HEIGHT);
        setMaxHeight(HEIGHT);
        setMinWidth(40);
    }

    void show(PredictionCheck shown) {
        predicted = shown;
        setAccessibleText(shown.words());
        dot.setVisible(!Double.isNaN(shown.measured()));
        requestLayout();
    }

    private static Region part(String styleClass) {
        var region = new Region();
        region.getStyleClass().add(styleClass);
        return region;
    }

    @Override
    protected void layoutChildren() {
        double low = Math.min(predicted.low(), orMedian(predicted.measured()));
        double high = Math.max(predicted.high(), orMedian(predicted.measured()));
        double span = high > low ? high - low : 1;
        double w = getWidth() - DOT;
        double middle = getHeight() / 2;
        track.resizeRelocate(DOT / 2, middle - 0.5, w, 1);
        double from = DOT / 2 + (predicted.low() - low) / span * w;
        double to = DOT / 2 + (predicted.high() - low) / span * w;
        bar.resizeRelocate(from, middle - BAR / 2, Math.max(2, to - from), BAR);
        median.resizeRelocate(DOT / 2 + (predicted.median() - low) / span * w - 1, middle - 5, 2, 10);
        dot.resizeRelocate((orMedian(predicted.measured()) - low) / span * w, middle - DOT / 2, DOT, DOT);
    }

    private double orMedian(double measured) {
        return Double.isNaN(measured) ? predicted.median() : measured;
    }
}
