package knobscape.app.ui.run;

import java.util.List;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.value.ObservableValue;
import javafx.collections.ListChangeListener;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import knobscape.app.ui.view.PartsText;
import knobscape.project.RunRecord;

/// The bar at the bottom: verbs, progress, figures, and the switches of log and warnings.
public final class RunBarView {
    /// Letters of a sentence that the narrowest window has room for in one line, beside finished figures.
    private static final int SHORT = 40;
    /// Width of a sentence in two lines as a share of that in one.
    private static final double WRAPPED = 0.6;

    private final RunViewModel model;
    private final ReadOnlyBooleanProperty first;
    private final LogViewModel logs;
    private final Commands commands;
    private final ObservableValue<List<String>> next;
    private final Parent root;

    @FXML
    private HBox verbs;

    @FXML
    private Button run;

    @FXML
    private Button resume;

    @FXML
    private Button more;

    @FXML
    private Button pause;

    @FXML
    private Button stop;

    @FXML
    private Button settings;

    @FXML
    private HBox question;

    @FXML
    private Button stopNow;

    @FXML
    private Button keep;

    @FXML
    private ProgressBar progress;

    @FXML
    private Label words;

    @FXML
    private Label figures;

    @FXML
    private ToggleButton log;

    @FXML
    private ToggleButton warnings;

    /// @param first whether the first run begins elsewhere
    /// @param model what the run does
    /// @param logs log and warnings
    /// @param commands what the buttons give
    public RunBarView(RunViewModel model, LogViewModel logs, Commands commands, ReadOnlyBooleanProperty first) {
        this.first = first;
        this.model = model;
        this.logs = logs;
        this.commands = commands;
        this.next = model.form().summary();
        this.root = Fxml.load("run/run-bar", this);
    }

    /// The view.
    public Parent root() {
        return root;
    }

    /// Lets the buttons give their commands, once those are known.
    void dress() {
        commands.dress(run, RunCommands.RUN);
        commands.dress(resume, RunCommands.RESUME);
        commands.dress(more, RunCommands.MORE);
        commands.dress(pause, RunCommands.PAUSE);
        commands.dress(stop, RunCommands.STOP);
        commands.dress(settings, RunCommands.SETTINGS);
        whole(settings, next);
    }

    /// Where a button has no room for all of what will run, its tooltip says it.
    static void whole(Button settings, ObservableValue<List<String>> next) {
        Tooltip dressed = settings.getTooltip();
        var all = new Tooltip();
        all.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> PartsText.whole(next.getValue()) + "\n" + dressed.getText(),
                        next,
                        dressed.textProperty()));
        settings.setTooltip(all);
    }

    @FXML
    private void initialize() {
        // Stopping is asked for in place, so the button only opens the question.
        stopNow.setOnAction(e -> model.stop());
        keep.setOnAction(e -> model.askingStop().set(false));
        model.askingStop().addListener((o, was, is) -> {
            show(model.status().get());
            if (is) {
                stopNow.requestFocus();
            }
        });
        model.status().addListener((o, was, is) -> show(is));
        model.current().addListener((o, was, is) -> show(model.status().get()));
        model.best().addListener((o, was, is) -> show(model.status().get()));
        first.addListener((o, was, is) -> show(model.status().get()));
        PartsText.bind(settings, next);
        PartsText.bind(figures, model.status().map(Status::figures), Status.BETWEEN, 1);
        warnings.textProperty().bind(Bindings.createStringBinding(() -> logs.warningWords(), logs.warnings()));
        logs.warnings().addListener((ListChangeListener<Object>) c -> showWarnings());
        log.selectedProperty().bindBidirectional(logs.logShown());
        warnings.selectedProperty().bindBidirectional(logs.warningsShown());
        showWarnings();
        show(model.status().get());
    }

    /// Takes the keyboard back from the settings.
    void focusSettings() {
        settings.requestFocus();
    }

    private void showWarnings() {
        boolean any = !logs.warnings().isEmpty();
        warnings.setVisible(any);
        warnings.setManaged(any);
    }

    private void show(Status s) {
        boolean asking = model.askingStop().get();
        boolean active = s.state().isActive();
        show(verbs, !asking);
        show(question, asking);
        show(run, !active && !first.get());
        show(
                resume,
                s.state() == RunState.PAUSED
                        || s.state() == RunState.PAUSING
                        || s.state().isResumable());
        show(pause, s.state() == RunState.RUNNING || s.state() == RunState.STARTING);
        show(stop, active);
        show(settings, !active && !first.get());
        Optional<RunRecord> finished = RunContinuation.of(model).run();
        show(more, finished.isPresent());
        more.setText("Search " + RunContinuation.of(model).steps() + " more");
        run.setText(s.state() == RunState.NONE && finished.isEmpty() ? "Run" : "New run");
        boolean primaryRun = !s.state().isResumable() && finished.isEmpty();
        Nodes.style(run, "accent", primaryRun);
        boolean known = Double.isFinite(s.share());
        progress.setProgress(known ? s.share() : active ? ProgressBar.INDETERMINATE_PROGRESS : 0);
        show(progress, !asking && (active || known) && s.state() != RunState.COMPLETED);
        show(figures, !asking);
        boolean failed = s.state() == RunState.FAILED;
        Nodes.style(progress, "failed", failed && s.state().isResumable());
        Nodes.style(
                progress,
                "waiting",
                !failed && (s.state() == RunState.PAUSED || s.state().isResumable()));
        words.setText(s.words());
        words.setTooltip(s.words().isEmpty() ? null : new Tooltip(s.words()));
        // A sentence stays whole, in two lines if need be; what is chosen for the next run gives way.
        words.setMinWidth(
                s.words().length() <= SHORT ? Region.USE_PREF_SIZE : Math.ceil(words.prefWidth(-1) * WRAPPED));
        Nodes.style(words, "worse", failed);
        progress.setAccessibleText("Progress: " + s.words() + " " + s.line());
    }

    private static void show(Node node, boolean on) {
        node.setVisible(on);
        node.setManaged(on);
    }
}
