package knobscape.app.ui.designs;

import java.math.BigInteger;
import javafx.scene.control.Label;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/// Sizes before and after pruning as two bars on a logarithmic scale (after Fig. 3.13 of the thesis), with the
/// figures beneath.
public final class PruningBars extends VBox {

    /// @param subject words above; none where blank
    /// @param before size before
    /// @param after size after
    /// @param fullLog logarithm to base 10 of what fills the width
    public PruningBars(String subject, BigInteger before, BigInteger after, double fullLog) {
        this(subject, before, after, fullLog, "kept");
    }

    /// @param verb what happened to those that are left
    public PruningBars(String subject, BigInteger before, BigInteger after, double fullLog, String verb) {
        getStyleClass().add("pruning");
        double scale = Math.max(1, fullLog);
        var bars = new Bars(Sizes.log10(before) / scale, Sizes.log10(after.max(BigInteger.ONE)) / scale);
        var figures = new Label(Sizes.words(after) + " of " + Sizes.words(before) + " " + verb + " ("
                + Sizes.share(after, before) + ")");
        figures.getStyleClass().addAll("secondary", "source-word");
        figures.setWrapText(true);
        if (!subject.isBlank()) {
            var title = new Label(subject);
            title.setWrapText(true);
            getChildren().add(title);
        }
        getChildren().addAll(bars, figures);
        setAccessibleText(subject + ": " + figures.getText());
    }

    private static final class Bars extends Region {
        private static final double HEIGHT = 5;
        private static final double GAP = 2;
        private final double before;
        private final double after;
        private final Region full = new Region();
        private final Region kept = new Region();

        Bars(double before, double after) {
            this.before = before;
            this.after = after;
            full.getStyleClass().add("bar-before");
            kept.getStyleClass().add("bar-after");
            getChildren().addAll(full, kept);
            setMinHeight(2 * HEIGHT + GAP);
            setPrefHeight(2 * HEIGHT + GAP);
        }

        @Override
        protected void layoutChildren() {
            full.resizeRelocate(0, 0, Math.max(2, before * getWidth()), HEIGHT);
            kept.resizeRelocate(0, HEIGHT + GAP, Math.max(2, after * getWidth()), HEIGHT);
        }
    }
}
