package knobscape.app.ui.run;

import java.util.function.Consumer;
import javafx.collections.ListChangeListener;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.hls.source.SourceNote;
import org.kordamp.ikonli.javafx.FontIcon;

/// The drawer above the bar with the log or the warnings.
public final class LogView {
    private final LogViewModel model;
    private final VBox root = new VBox();
    private final Label title = new Label();
    private final ListView<String> log = new ListView<>();
    private final ListView<SourceNote> warnings = new ListView<>();

    /// @param model what to show
    /// @param goTo shows the place of a warning in the source
    public LogView(LogViewModel model, Consumer<SourceNote> goTo) {
        this.model = model;
        title.getStyleClass().add("panel-title");
        var close = new Button(null, new FontIcon("mdi2c-close"));
        close.getStyleClass().addAll("small", "flat", "button-icon");
        close.setAccessibleText("Close log and warnings");
        close.setOnAction(e -> {
            model.logShown().set(false);
            model.warningsShown().set(false);
        });
        var spacer = new Region();
        HBox.setHgrow(spacer, Priority.ALWAYS);
        var header = new HBox(title, spacer, close);
        header.getStyleClass().add("panel-header");
        log.setItems(model.lines());
        log.setAccessibleText("Log of the run");
        log.setPlaceholder(new Label("Nothing yet"));
        log.getStyleClass().add("dense");
        warnings.setItems(model.warnings());
        warnings.setAccessibleText("Warnings about the source");
        warnings.getStyleClass().add("dense");
        warnings.setCellFactory(l -> new ListCell<>() {
            @Override
            protected void updateItem(SourceNote note, boolean empty) {
                super.updateItem(note, empty);
                setText(empty || note == null ? null : note.location().file() + ":" + note.location().line() + "  " + note.message());
                setGraphic(empty || note == null ? null : new FontIcon(note.severity() == SourceNote.Severity.INFO ? "mdi2i-information-outline" : "mdi2a-alert-outline"));
            }
        });
        warnings.getSelectionModel().selectedItemProperty().addListener((o, was, is) -> {
            if (is != null) {
                goTo.accept(is);
            }
        });
        // The newest line stays in sight unless the person has scrolled to an earlier one and selected it.
        model.lines().addListener((ListChangeListener<String>) c -> {
            if (log.getSelectionModel().isEmpty() && !log.getItems().isEmpty() && root.isVisible()) {
                log.scrollTo(log.getItems().size() - 1);
            }
        });
        var body = new StackPane(log, warnings);
        body.setMinHeight(0);
        VBox.setVgrow(body, Priority.ALWAYS);
        root.getChildren().addAll(header, body);
        root.getStyleClass().addAll("panel", "drawer");
        model.logShown().addListener((o, was, is) -> show());
        model.warningsShown().addListener((o, was, is) -> show());
        show();
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
        if (model.logShown().get() && !log.getItems().isEmpty()) {
            log.scrollTo(log.getItems().size() - 1);
        }
    }
}
