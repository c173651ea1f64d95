package knobscape.app.ui.run;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import javafx.application.Platform;
import javafx.collections.ListChangeListener;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import knobscape.app.ui.run.LogViewModel.Note;
import knobscape.app.ui.view.Fxml;
import knobscape.project.RunResults.LogLine;
import org.kordamp.ikonli.javafx.FontIcon;

/// The drawer above the bar with the log or the warnings.
public final class LogView {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    private final LogViewModel model;
    private final Parent root;

    @FXML
    private Label title;

    @FXML
    private Button close;

    @FXML
    private ListView<LogLine> log;

    @FXML
    private ListView<Note> warnings;

    /// @param model what to show
    public LogView(LogViewModel model) {
        this.model = model;
        this.root = Fxml.load("run/log", this);
        show();
    }

    @FXML
    private void initialize() {
        close.setOnAction(e -> {
            model.logShown().set(false);
            model.warningsShown().set(false);
        });
        log.setItems(model.lines());
        log.setPlaceholder(new Label("Each run has a log of its own; choose a run to see it."));
        log.setCellFactory(l -> new ListCell<>() {
            @Override
            protected void updateItem(LogLine line, boolean empty) {
                super.updateItem(line, empty);
                setText(
                        empty || line == null
                                ? null
                                : TIME.format(line.at().atZone(ZoneId.systemDefault())) + "  " + line.text());
            }
        });
        log.getSelectionModel().selectedItemProperty().addListener((o, was, is) -> {
            if (is != null) {
                model.choose(is);
            }
        });
        warnings.setItems(model.warnings());
        warnings.setCellFactory(l -> new ListCell<>() {
            @Override
            protected void updateItem(Note note, boolean empty) {
                super.updateItem(note, empty);
                setText(empty || note == null ? null : note.text());
                setGraphic(
                        empty || note == null
                                ? null
                                : new FontIcon(note.warning() ? "mdi2a-alert-outline" : "mdi2i-information-outline"));
            }
        });
        warnings.getSelectionModel().selectedItemProperty().addListener((o, was, is) -> {
            if (is != null) {
                is.show().run();
            }
        });
        // The newest line stays in sight unless the person has scrolled to an earlier one and selected it.
        model.lines().addListener((ListChangeListener<LogLine>) c -> {
            if (log.getSelectionModel().isEmpty()
                    && !log.getItems().isEmpty()
                    && model.logShown().get()) {
                log.scrollTo(log.getItems().size() - 1);
            }
        });
        model.logShown().addListener((o, was, is) -> show());
        model.warningsShown().addListener((o, was, is) -> show());
    }

    /// The view; takes no room while nothing is open.
    public Parent root() {
        return root;
    }

    private void show() {
        boolean open = model.logShown().get() || model.warningsShown().get();
        root.setVisible(open);
        root.setManaged(open);
        log.setVisible(model.logShown().get());
        warnings.setVisible(model.warningsShown().get());
        title.setText(model.logShown().get() ? "Log" : "Source warnings");
        if (model.logShown().get()) {
            // A list that has no height yet scrolls too short.
            Platform.runLater(() -> log.scrollTo(log.getItems().size() - 1));
        }
    }
}
