package knobscape.app.ui.area;

import java.util.List;
import java.util.Optional;
import javafx.animation.PauseTransition;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.binding.BooleanExpression;
import javafx.beans.value.ObservableValue;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.Labeled;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import javafx.util.Duration;
import knobscape.app.ui.designs.Headline;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.run.RunCommands;
import knobscape.app.ui.run.RunControls;
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
    private final ObservableValue<List<Headline>> known;
    private final RunControls controls;
    private final Commands commands;
    private final BooleanBinding asks;
    private final Parent root;

    @FXML
    private ScrollPane ready;

    @FXML
    private Label title;

    @FXML
    private VBox facts;

    @FXML
    private Button run;

    @FXML
    private Button settings;

    @FXML
    private VBox computing;

    @FXML
    private Label words;

    /// @param models its designs
    /// @param about how large its space is, in words
    /// @param known what is known before a run, followed
    /// @param controls of the runs, whose bar leaves it to this view to begin the first one
    public CoverView(
            OpenWork work,
            DesignModels models,
            ObservableValue<String> about,
            ObservableValue<List<Headline>> known,
            RunControls controls,
            Commands commands) {
        this.work = work;
        this.results = models.results();
        this.name = work.name();
        this.about = about;
        this.known = known;
        this.controls = controls;
        this.commands = commands;
        this.asks = nothingRun();
        this.root = Fxml.load("area/cover", this);
        root.visibleProperty()
                .bind(results.reading()
                        .or(Bindings.createBooleanBinding(() -> name.getValue().isEmpty(), name))
                        .and(Bindings.createBooleanBinding(() -> results.set().size() == 0, results.shown()))
                        .or(asks));
        // Bindings are followed only as long as somebody holds them.
        root.setUserData(this);
    }

    /// The cover of the middle.
    public WindowArea.Cover cover() {
        return new WindowArea.Cover(root, asks);
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
        about.addListener((o, was, is) -> showFacts());
        known.addListener((o, was, is) -> showFacts());
        showFacts();
        commands.dress(run, RunCommands.RUN);
        controls.dressSettings(settings);
        controls.leaveFirst(asks);
        BooleanExpression busy = results.reading();
        ready.visibleProperty().bind(busy.not().and(asks));
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

    /// The space, the figures of the baseline and what limits it, in rows.
    private void showFacts() {
        facts.getChildren().clear();
        if (!about.getValue().isEmpty()) {
            facts.getChildren().add(row("Space", words(about.getValue())));
        }
        String said = "";
        for (Headline h : known.getValue()) {
            Labeled value = h.act()
                    .<Labeled>map(a -> {
                        var link = new Hyperlink(h.value());
                        link.setOnAction(e -> a.run());
                        return link;
                    })
                    .orElseGet(() -> label(h.value(), "emphasis"));
            value.setMinWidth(Region.USE_PREF_SIZE);
            // What holds of the row above is not said again.
            facts.getChildren().add(row(h.title(), value, words(h.words().equals(said) ? "" : h.words())));
            said = h.words();
        }
    }

    private static HBox row(String title, Node... values) {
        var row = new HBox(label(title, "fact-name"));
        row.getStyleClass().add("fact-row");
        row.getChildren().addAll(values);
        return row;
    }

    private static Label label(String text, String styleClass) {
        var label = new Label(text);
        label.getStyleClass().add(styleClass);
        label.setMinWidth(Region.USE_PREF_SIZE);
        return label;
    }

    private static Label words(String text) {
        var label = new Label(text);
        label.setWrapText(true);
        label.setMinWidth(0);
        HBox.setHgrow(label, Priority.ALWAYS);
        return label;
    }
}
