package knobscape.app.ui.fusion;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.beans.InvalidationListener;
import javafx.fxml.FXML;
import javafx.geometry.HPos;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextArea;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import knobscape.evaluate.UserError;
import knobscape.fusion.evaluate.FusionReport;
import knobscape.fusion.evaluate.FusionReport.Bound;

/// The selected strategy: what it gains, whether it fits, what its layers wait for; its text, which can be typed
/// over.
final class StrategyView {
    private final FusionViewModel model;
    private final Messages messages;
    private final Commands commands;
    private final Parent root;

    @FXML
    private Label speedup;

    @FXML
    private Button keep;

    @FXML
    private Label origin;

    @FXML
    private Label verdict;

    @FXML
    private GridPane bounds;

    @FXML
    private TextArea text;

    StrategyView(FusionViewModel model, Commands commands, Messages messages) {
        this.model = model;
        this.messages = messages;
        this.commands = commands;
        this.root = Fxml.load("fusion/strategy", this);
    }

    @FXML
    private void initialize() {
        commands.dress(keep, FusionCommands.KEEP);
        text.setOnKeyPressed(e -> {
            if (e.getCode() == KeyCode.ENTER) {
                e.consume();
                take();
            } else if (e.getCode() == KeyCode.ESCAPE) {
                show();
            }
        });
        InvalidationListener changed = o -> show();
        model.report().addListener(changed);
        model.compared().addListener(changed);
        model.origin().addListener(changed);
        show();
    }

    Parent root() {
        return root;
    }

    private void take() {
        try {
            model.setStrategy(text.getText());
        } catch (UserError e) {
            messages.fail("The strategy cannot be read", e);
        }
    }

    private void show() {
        Optional<FusionReport> report = model.report().get();
        if (report.isEmpty() || model.setup().get().isEmpty()) {
            // Another network is being opened.
            return;
        }
        FusionReport r = report.get();
        speedup.setText(
                String.format(Locale.ROOT, "Speedup %.2f", r.speedup()) + (r.isValid() ? "" : ", does not fit"));
        origin.setText(model.origin().get() + ", cost model \u201c"
                + model.setup().get().orElseThrow().accelerator().name() + "\u201d");
        verdict.setText(r.verdict() + model.certainty().map(c -> " " + c).orElse(""));
        Nodes.style(verdict, "worse", !r.isValid());
        bounds.getChildren().clear();
        row(
                bounds,
                "Groups",
                r.groups().size() + " of " + r.strategy().layers() + " layers",
                model.compared().get().map(o -> "was " + o.groups().size()).orElse(""));
        for (Bound b : Bound.values()) {
            List<FusionReport.Layer> bound =
                    r.layers().stream().filter(l -> l.bound() == b).toList();
            if (!bound.isEmpty()) {
                row(
                        bounds,
                        bound.size() + (bound.size() == 1 ? " layer: " : " layers: ") + FusionFigures.bound(b),
                        String.format(
                                Locale.ROOT,
                                "%.0f %%",
                                100
                                        * bound.stream()
                                                .mapToDouble(FusionReport.Layer::seconds)
                                                .sum()
                                        / r.cost().seconds()),
                        "");
            }
        }
        if (!text.isFocused() || !text.getText().equals(r.strategy().text())) {
            text.setText(r.strategy().text());
        }
    }

    /// Adds a row; names in small letters are parts of the one above.
    static void row(GridPane grid, String name, String figure, String change) {
        var title = new Label(name);
        title.getStyleClass().add(Character.isUpperCase(name.charAt(0)) ? "whole" : "part");
        var value = new Label(figure);
        value.getStyleClass().add("figure");
        var delta = new Label(change);
        delta.getStyleClass()
                .add(change.matches("[\u2212-].*") ? "better" : change.startsWith("+") ? "worse" : "secondary");
        for (Label l : List.of(value, delta)) {
            l.setMinWidth(Region.USE_PREF_SIZE);
            GridPane.setHalignment(l, HPos.RIGHT);
        }
        grid.addRow(grid.getRowCount(), title, value, delta);
    }
}
