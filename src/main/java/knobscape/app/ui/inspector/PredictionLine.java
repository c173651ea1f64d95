package knobscape.app.ui.inspector;

import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import knobscape.app.ui.inspector.InspectorViewModel.Objective;
import knobscape.app.ui.inspector.InspectorViewModel.PredictionCheck;

/// The prediction of an objective, as a bar and in words.
final class PredictionLine extends VBox {
    private final Label name = new Label();
    private final IntervalBar bar = new IntervalBar();
    private final Label words = new Label();

    PredictionLine() {
        name.setMinWidth(ObjectiveLine.NAME_WIDTH);
        HBox.setHgrow(bar, Priority.ALWAYS);
        bar.setMaxWidth(Double.MAX_VALUE);
        var line = new HBox(name, bar);
        line.getStyleClass().add("objective");
        words.getStyleClass().addAll("secondary", "source-word");
        words.setWrapText(true);
        getChildren().addAll(line, words);
    }

    /// @param o an objective with a prediction
    void show(Objective o) {
        PredictionCheck p = o.prediction().orElseThrow();
        name.setText(o.label());
        bar.show(p);
        words.setText(p.words());
    }
}
