package knobscape.app.ui.hls.space;

import java.util.Optional;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.PruningBars;
import knobscape.app.ui.designs.Sizes;
import knobscape.app.ui.hls.space.KnobTree.KnobLine;
import knobscape.app.ui.hls.space.SpaceViewModel.Details;
import knobscape.app.ui.view.Fxml;
import knobscape.hls.space.TypedValues;

/// The selected loop, array or function: facts, knobs with their values, and what pruning left
/// of their combinations.
public final class SubjectView {
    private final SpaceViewModel model;
    private final Node understood;
    private final Parent root;
    private boolean unfolded;

    @FXML
    private VBox body;

    /// @param model what to show
    /// @param understood what is shown while nothing is selected
    public SubjectView(SpaceViewModel model, Node understood) {
        this.model = model;
        this.understood = understood;
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
                body.getChildren().add(pruning(t));
                if (unfolded) {
                    double fullLog = Sizes.log10(t.full());
                    t.steps()
                            .forEach(p -> body.getChildren()
                                    .add(new PruningBars(p.subject(), p.before(), p.after(), fullLog)));
                }
                body.getChildren().add(understood);
            });
            return;
        }
        Details d = details.get();
        body.getChildren()
                .add(label(d.branch().subject().kind().word() + " " + d.branch().title(), "emphasis"));
        d.facts().forEach(f -> body.getChildren().add(label(f, "secondary")));
        if (d.branch().knobs().isEmpty()) {
            body.getChildren().add(label("No knobs here.", "secondary"));
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

    /// The result of pruning in one line; a click shows its parts.
    private Node pruning(KnobTree t) {
        var line = new Button(Sizes.words(t.pruned()) + " of " + Sizes.words(t.full()) + " designs kept ("
                + Sizes.share(t.pruned(), t.full()) + ")");
        line.getStyleClass().add("link");
        line.setDisable(t.steps().isEmpty());
        line.setTooltip(new Tooltip("Size of the space before and after pruning; click for its parts"));
        line.setOnAction(e -> {
            unfolded = !unfolded;
            show(model.details().get());
        });
        return line;
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
                            ? "Click to remove it from what the next run explores."
                            : "Removed by hand. Click to put it back.")));
            value.setAccessibleText(k.word() + " " + v + (in ? ", explored" : ", removed"));
            value.setOnAction(e -> {
                value.setSelected(in);
                model.toggle(k.name(), v);
            });
            values.getChildren().add(value);
        }
        if (TypedValues.takes(k.name()) && model.tree().get().isPresent()) {
            values.getChildren().add(more(k));
        }
        var box = new VBox(label(k.word(), "plain"), values);
        box.getStyleClass().add("knob");
        return box;
    }

    /// Where more values of a knob are typed.
    private Node more(KnobLine k) {
        var field = new TextField();
        field.getStyleClass().add("more-values");
        field.setPromptText("add 3, 2..8");
        field.setPrefColumnCount(6);
        field.setAccessibleText("More values of " + k.word());
        field.setTooltip(
                new Tooltip(
                        "Values to explore beside these: numbers with commas between, or ranges such as 2..8 or 2..64*2. Enter adds them."));
        field.setOnAction(e -> model.add(k.name(), field.getText()));
        return field;
    }

    private static Label label(String text, String styleClass) {
        var label = new Label(text);
        label.getStyleClass().add(styleClass);
        label.setWrapText(true);
        return label;
    }
}
