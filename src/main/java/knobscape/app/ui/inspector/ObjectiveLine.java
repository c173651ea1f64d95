package knobscape.app.ui.inspector;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import knobscape.app.ui.inspector.InspectorViewModel.Objective;
import knobscape.app.ui.inspector.InspectorViewModel.Verdict;
import knobscape.app.ui.view.Glossary;
import knobscape.app.ui.view.Nodes;

/// The value of an objective, and how it differs from the design compared with.
final class ObjectiveLine extends HBox {
    static final double NAME_WIDTH = 56;

    private final Label name = Glossary.explain(new Label());
    private final Label value = new Label();
    private final Label change = new Label();
    private final Tooltip source = new Tooltip();

    ObjectiveLine() {
        name.getStyleClass().add("secondary");
        value.getStyleClass().addAll("emphasis", "figure");
        change.getStyleClass().add("figure");
        name.setMinWidth(NAME_WIDTH);
        value.setMinWidth(Region.USE_PREF_SIZE);
        change.setMinWidth(Region.USE_PREF_SIZE);
        var spacer = new Region();
        HBox.setHgrow(spacer, Priority.ALWAYS);
        getChildren().addAll(name, value, spacer, change);
        getStyleClass().add("objective");
        value.setTooltip(source);
        change.setTooltip(source);
    }

    void show(Objective o) {
        if (!o.label().equals(name.getText())) {
            name.setText(o.label());
            // What explained the objective before; this one is explained when somebody points at it.
            name.setTooltip(null);
        }
        value.setText(o.value());
        // More, less, faster and slower say it themselves.
        change.setText(
                o.verdict() != Verdict.SAME && o.change().endsWith("%")
                        ? o.change() + " " + o.verdict().name().toLowerCase(Locale.ROOT)
                        : o.change());
        Nodes.style(change, "better", o.verdict() == Verdict.BETTER);
        Nodes.style(change, "worse", o.verdict() == Verdict.WORSE);
        Nodes.style(change, "secondary", o.verdict() == Verdict.SAME);
        source.setText(
                Stream.of(o.source(), o.accuracy()).filter(w -> !w.isEmpty()).collect(Collectors.joining(", ")));
        setAccessibleText(o.label() + " " + o.value() + ", " + source.getText() + " " + change.getText());
    }
}
