package knobscape.app.ui.hls;

import javafx.animation.PauseTransition;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.binding.BooleanExpression;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.util.Duration;
import knobscape.app.ui.designs.Sizes;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.run.RunCommands;
import knobscape.app.ui.run.RunSettingsView;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.view.Fxml;

/// Covers the middle while there are no results: the space is being computed, or nothing was run yet, with the
/// settings and the button that change that.
final class CoverView {
    /// Work that takes less shows nothing.
    private static final Duration PATIENCE = Duration.millis(500);

    private final HlsViewModel model;
    private final Commands commands;
    private final Parent root;

    @FXML
    private ScrollPane ready;

    @FXML
    private Label title;

    @FXML
    private Label size;

    @FXML
    private StackPane form;

    @FXML
    private Button run;

    @FXML
    private VBox computing;

    @FXML
    private Label words;

    CoverView(HlsViewModel model, Commands commands) {
        this.model = model;
        this.commands = commands;
        this.root = Fxml.load("hls/cover", this);
        root.visibleProperty()
                .bind(model.results()
                        .reading()
                        .or(Bindings.createBooleanBinding(
                                () -> model.workbench().get().isEmpty(), model.workbench()))
                        .and(Bindings.createBooleanBinding(
                                () -> model.results().shown().get().set().size() == 0,
                                model.results().shown()))
                        .or(nothingRun()));
    }

    Parent root() {
        return root;
    }

    private BooleanBinding nothingRun() {
        return Bindings.createBooleanBinding(
                () -> model.workbench().get().isPresent()
                        && !model.results().reading().get()
                        && model.run().current().get().isEmpty()
                        && model.run().runs().isEmpty()
                        && model.results().shown().get().set().size() == 0
                        && model.run().status().get().state() == RunState.NONE,
                model.workbench(),
                model.results().reading(),
                model.results().shown(),
                model.run().current(),
                model.run().runs(),
                model.run().status());
    }

    @FXML
    private void initialize() {
        words.textProperty().bind(model.opening().map(words -> words.isEmpty() ? "Reading the runs" : words));
        title.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> model.workbench()
                                .get()
                                .map(w -> w.project().name())
                                .orElse(""),
                        model.workbench()));
        size.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> model.space()
                                .tree()
                                .get()
                                .map(t -> t.knobCount() + (t.knobCount() == 1 ? " knob, " : " knobs, ")
                                        + Sizes.words(t.pruned())
                                        + (t.measured() ? " measured designs" : " designs after pruning") + " ("
                                        + Sizes.share(t.pruned(), t.full()) + " of " + Sizes.words(t.full())
                                        + ")")
                                .orElse(""),
                        model.space().tree()));
        form.getChildren().setAll(new RunSettingsView(model.run().form()).root());
        commands.dress(run, RunCommands.RUN);
        BooleanExpression busy = model.results().reading();
        ready.visibleProperty().bind(busy.not().and(nothingRun()));
        var patience = new PauseTransition(PATIENCE);
        patience.setOnFinished(e -> computing.setVisible(busy.get()));
        busy.addListener((o, was, is) -> {
            computing.setVisible(false);
            if (is) {
                patience.playFromStart();
            } else {
                patience.stop();
            }
        });
    }
}
