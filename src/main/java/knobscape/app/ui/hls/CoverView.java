package knobscape.app.ui.hls;

import java.util.List;
import javafx.animation.PauseTransition;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.util.Duration;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.run.RunCommands;
import knobscape.app.ui.run.RunSettingsView;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.space.Sizes;
import org.kordamp.ikonli.javafx.FontIcon;

/// Covers the middle while there are no results: the space is being computed, or nothing was run yet, with the settings and the button that change that.
final class CoverView extends StackPane {
    /// Work that takes less shows nothing.
    private static final Duration PATIENCE = Duration.millis(500);

    private final VBox computing = new VBox();
    private final ScrollPane ready = new ScrollPane();

    CoverView(HlsViewModel model, Commands commands, List<String> parts) {
        getStyleClass().add("cover");
        computing.getStyleClass().add("empty-state");
        var words = new Label();
        words.textProperty().bind(model.opening());
        words.getStyleClass().add("emphasis");
        var bar = new ProgressBar();
        bar.setAccessibleText("Working");
        computing.getChildren().addAll(words, bar);
        computing.setVisible(false);

        var title = new Label();
        title.getStyleClass().add("title");
        var size = new Label();
        size.getStyleClass().add("secondary");
        size.setWrapText(true);
        title.textProperty().bind(Bindings.createStringBinding(() -> model.workbench().get().map(w -> w.project().name()).orElse(""), model.workbench()));
        size.textProperty().bind(Bindings.createStringBinding(() -> model.space().tree().get().map(t -> t.knobCount() + (t.knobCount() == 1 ? " knob, " : " knobs, ")
                + Sizes.words(t.pruned()) + (t.measured() ? " measured designs" : " designs after pruning") + " (" + Sizes.share(t.pruned(), t.full()) + " of " + Sizes.words(t.full())
                + ")").orElse(""), model.space().tree()));
        var form = new RunSettingsView(model.run().form(), parts).root();
        var run = new Button("Run", new FontIcon("mdi2p-play"));
        run.getStyleClass().addAll("accent", "large-button");
        commands.dress(run, RunCommands.RUN);
        var hint = new Label("Nothing has been run yet. Designs appear here as they are judged.");
        hint.getStyleClass().add("secondary");
        hint.setWrapText(true);
        var card = new VBox(title, size, form, run, hint);
        card.getStyleClass().add("ready-card");
        var centred = new StackPane(card);
        centred.getStyleClass().add("ready");
        ready.setContent(centred);
        ready.setFitToWidth(true);
        ready.setFitToHeight(true);
        ready.setAccessibleText("Settings of the first run");
        getChildren().addAll(ready, computing);

        BooleanBinding busy = model.opening().isNotEmpty();
        BooleanBinding nothingRun = Bindings.createBooleanBinding(() -> model.workbench().get().isPresent() && model.run().current().get().isEmpty()
                && model.run().runs().isEmpty() && model.run().status().get().state() == RunState.NONE, model.workbench(), model.run().current(), model.run().runs(),
                model.run().status());
        ready.visibleProperty().bind(busy.not().and(nothingRun));
        visibleProperty().bind(busy.or(nothingRun).or(Bindings.createBooleanBinding(() -> model.workbench().get().isEmpty(), model.workbench())));
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
