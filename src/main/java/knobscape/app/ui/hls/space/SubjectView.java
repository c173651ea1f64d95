package knobscape.app.ui.hls.space;

import java.util.Optional;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.PruningBars;
import knobscape.app.ui.designs.Sizes;
import knobscape.app.ui.hls.space.KnobTree.KnobLine;
import knobscape.app.ui.hls.space.SpaceViewModel.Details;
import knobscape.app.ui.view.Fxml;

/// What is known of the selected loop, array or function: facts, knobs with their values, and what pruning left
/// of their combinations.
public final class SubjectView {
    private final SpaceViewModel model;
    private final Parent root;

    @FXML
    private VBox body;

    /// @param model what to show
    public SubjectView(SpaceViewModel model) {
        this.model = model;
        this.root = Fxml.load("hls/subject", this);
        model.details().addListener((o, was, is) -> show(is));
        model.tree().addListener((o, was, is) -> show(model.details().get()));
        show(model.details().get());
    }

    /// The view.
    public Parent root() {
        return root;
    }

    private void show(Optional<Details> details) {
        body.getChildren().clear();
        if (details.isEmpty()) {
            model.tree().get().ifPresent(t -> {
                t.facts().forEach(f -> body.getChildren().add(label(f, "secondary")));
                body.getChildren()
                        .add(label(
                                t.measured()
                                        ? "Designs measured among the combinations of these values"
                                        : "Size of the space before and after pruning",
                                "section-title"));
                double fullLog = Sizes.log10(t.full());
                body.getChildren()
                        .add(new PruningBars(
                                t.measured() ? "" : "all knobs",
                                t.full(),
                                t.pruned(),
                                fullLog,
                                t.measured() ? "measured" : "kept"));
                t.steps()
                        .forEach(s ->
                                body.getChildren().add(new PruningBars(s.subject(), s.before(), s.after(), fullLog)));
                body.getChildren()
                        .add(label(
                                t.measured()
                                        ? "Select a place among the knobs to see their values."
                                        : "Select a loop or an array to see its knobs.",
                                "secondary"));
            });
            return;
        }
        Details d = details.get();
        body.getChildren()
                .add(label(d.branch().subject().kind().word() + " " + d.branch().title(), "emphasis"));
        d.facts().forEach(f -> body.getChildren().add(label(f, "secondary")));
        if (d.branch().knobs().isEmpty()) {
            body.getChildren().add(label("No knob here.", "secondary"));
        }
        d.branch().knobs().forEach(k -> body.getChildren().add(knob(k)));
        if (!d.steps().isEmpty()) {
            body.getChildren().add(label("Combinations before and after pruning", "section-title"));
            double fullLog = d.steps().stream()
                    .mapToDouble(s -> Sizes.log10(s.before()))
                    .max()
                    .orElse(1);
            d.steps()
                    .forEach(s -> body.getChildren().add(new PruningBars(s.subject(), s.before(), s.after(), fullLog)));
        }
    }

    /// The values of a knob; a click takes one out of the space or puts it back.
    private Node knob(KnobLine k) {
        var values = new FlowPane();
        values.getStyleClass().add("values");
        for (String v : k.values()) {
            boolean in = !k.out().contains(v);
            boolean baseline = v.equals(k.baseline());
            var value = new ToggleButton(v);
            value.setMnemonicParsing(false);
            value.getStyleClass().add("value");
            if (baseline) {
                value.getStyleClass().add("value-baseline");
            }
            value.setSelected(in);
            value.setDisable(k.fixed().contains(v) || (in && k.explored().size() == 1));
            value.setTooltip(new Tooltip((baseline ? "The value without directives. " : "")
                    + (in
                            ? "Click to take it out of what the next run explores."
                            : "Taken out by hand. Click to put it back.")));
            value.setAccessibleText(k.word() + " " + v + (in ? ", explored" : ", taken out"));
            value.setOnAction(e -> {
                value.setSelected(in);
                model.toggle(k.name(), v);
            });
            values.getChildren().add(value);
        }
        var box = new VBox(label(k.word(), "plain"), values);
        box.getStyleClass().add("knob");
        return box;
    }

    private static Label label(String text, String styleClass) {
        var label = new Label(text);
        label.getStyleClass().add(styleClass);
        label.setWrapText(true);
        return label;
    }
}
