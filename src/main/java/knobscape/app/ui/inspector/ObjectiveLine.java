package knobscape.app.ui.inspector;

import java.util.Locale;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import knobscape.app.ui.inspector.InspectorViewModel.Objective;
import knobscape.app.ui.inspector.InspectorViewModel.Verdict;
import knobscape.app.ui.view.Glossary;
import knobscape.app.ui.view.Nodes;

/// The value of an objective, how it differs from the design compared with, and where it comes from.
final class ObjectiveLine extends VBox {
    static final double NAME_WIDTH = 56;

    private final Label name = Glossary.explain(new Label());
    private final Label value = new Label();
    private final Label change = new Label();
    private final Label source = new Label();

    ObjectiveLine() {
        name.getStyleClass().add("secondary");
        value.getStyleClass().addAll("emphasis", "figure");
        change.getStyleClass().add("figure");
        name.setMinWidth(NAME_WIDTH);
        value.setMinWidth(Region.USE_PREF_SIZE);
        change.setMinWidth(Region.USE_PREF_SIZE);
        var spacer = new Region();
        HBox.setHgrow(spacer, Priority.ALWAYS);
        var line = new HBox(name, value, spacer, change);
        line.getStyleClass().add("objective");
        source.getStyleClass().addAll("secondary", "source-word");
        source.setWrapText(true);
        source.setMinHeight(Region.USE_PREF_SIZE);
        getChildren().addAll(line, source);
    }

    void show(Objective o) {
        if (!o.label().equals(name.getText())) {
            name.setText(o.label());
            // What explained the objective before; this one is explained when somebody points at it.
            name.setTooltip(null);
        }
        value.setText(o.value());
        // Faster and slower say it themselves.
        change.setText(
                o.verdict() == Verdict.SAME || o.change().endsWith("er")
                        ? o.change()
                        : o.change() + " " + o.verdict().name().toLowerCase(Locale.ROOT));
        Nodes.style(change, "better", o.verdict() == Verdict.BETTER);
        Nodes.style(change, "worse", o.verdict() == Verdict.WORSE);
        Nodes.style(change, "secondary", o.verdict() == Verdict.SAME);
        source.setText(o.source());
        setAccessibleText(o.label() + " " + o.value() + ", " + o.source() + " " + o.change());
    }
}
