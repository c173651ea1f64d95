package knobscape.app.ui.area;

import java.util.Optional;
import javafx.animation.PauseTransition;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.binding.BooleanExpression;
import javafx.beans.value.ObservableValue;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.util.Duration;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.run.RunCommands;
import knobscape.app.ui.run.RunSettingsView;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.view.Fxml;

/// Covers the middle while there are no results: the space is being computed, or nothing was run yet, with the
/// settings and the button that change that.
public final class CoverView {
    /// Work that takes less shows nothing.
    private static final Duration PATIENCE = Duration.millis(500);

    private final OpenWork work;
    private final Results results;
    private final ObservableValue<Optional<String>> name;
    private final ObservableValue<String> about;
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

    /// @param models its designs
    /// @param about how large its space is, in words
    public CoverView(OpenWork work, DesignModels models, ObservableValue<String> about, Commands commands) {
        this.work = work;
        this.results = models.results();
        this.name = work.name();
        this.about = about;
        this.commands = commands;
        this.root = Fxml.load("area/cover", this);
        root.visibleProperty()
                .bind(results.reading()
                        .or(Bindings.createBooleanBinding(() -> name.getValue().isEmpty(), name))
                        .and(Bindings.createBooleanBinding(() -> results.set().size() == 0, results.shown()))
                        .or(nothingRun()));
    }

    /// The view.
    public Parent root() {
        return root;
    }

    private BooleanBinding nothingRun() {
        RunViewModel runs = work.runs();
        return Bindings.createBooleanBinding(
                () -> name.getValue().isPresent()
                        && !results.reading().get()
                        && runs.current().get().isEmpty()
                        && runs.runs().isEmpty()
                        && results.set().size() == 0
                        && runs.status().get().state() == RunState.NONE,
                name,
                results.reading(),
                results.shown(),
                runs.current(),
                runs.runs(),
                runs.status());
    }

    @FXML
    private void initialize() {
        words.textProperty().bind(work.opening().map(words -> words.isEmpty() ? "Reading the runs" : words));
        title.textProperty().bind(name.map(n -> n.orElse("")));
        size.textProperty().bind(about);
        form.getChildren().setAll(new RunSettingsView(work.runs().form()).root());
        commands.dress(run, RunCommands.RUN);
        BooleanExpression busy = results.reading();
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
