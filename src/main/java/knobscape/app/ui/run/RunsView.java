package knobscape.app.ui.run;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.event.Event;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableRow;
import javafx.scene.control.TableView;
import javafx.scene.control.cell.CheckBoxTableCell;
import javafx.scene.control.cell.TextFieldTableCell;
import javafx.scene.input.KeyCode;
import javafx.scene.input.MouseEvent;
import javafx.util.converter.DefaultStringConverter;
import knobscape.app.ui.run.RunTable.Column;
import knobscape.app.ui.view.Fxml;
import knobscape.project.RunRecord;

/// The runs of a project side by side: how each searched and what it reached on one scale. A tick draws its curve
/// beside the one shown, a double click shows it, and a finished one can be continued.
public final class RunsView {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("MMM d HH:mm", Locale.ROOT);

    private final RunViewModel model;
    private final RunTable table;
    private final Parent root;

    @FXML
    private TableView<RunRecord> runTable;

    @FXML
    private Button more;

    @FXML
    private Button show;

    @FXML
    private Label reached;

    /// @param model shows and continues runs
    /// @param table what the area says of them
    public RunsView(RunViewModel model, RunTable table) {
        this.model = model;
        this.table = table;
        this.root = Fxml.load("run/runs", this);
    }

    /// The view.
    public Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        var tick = new TableColumn<RunRecord, Boolean>("Overlay");
        tick.setCellValueFactory(d -> {
            long id = d.getValue().id();
            var on = new SimpleBooleanProperty(table.ticks().isOn(id));
            on.addListener((o, was, is) -> table.ticks().set(id, is));
            return on;
        });
        tick.setCellFactory(CheckBoxTableCell.forTableColumn(tick));
        tick.setEditable(true);
        tick.setPrefWidth(64);
        var note = column(new Column("Note", 110, false, r -> model.notes().of(r.id())));
        note.setCellFactory(c -> {
            var cell = new TextFieldTableCell<RunRecord, String>(new DefaultStringConverter());
            // The double click that begins to write shall not show another run.
            cell.addEventHandler(MouseEvent.MOUSE_CLICKED, Event::consume);
            return cell;
        });
        note.setEditable(true);
        note.setOnEditCommit(e -> {
            model.notes().keep(e.getRowValue().id(), e.getNewValue());
            runTable.refresh();
        });
        runTable.getColumns().add(tick);
        Stream.of(
                        Stream.of(
                                new Column("#", 30, true, r -> Long.toString(r.id())),
                                new Column("Method", 120, false, RunControls::method),
                                new Column(
                                        "Seed",
                                        54,
                                        true,
                                        r -> Long.toString(r.settings().seed()))),
                        table.columns().stream())
                .flatMap(c -> c)
                .map(RunsView::column)
                .forEach(runTable.getColumns()::add);
        // What a person wrote is in sight before what mostly says "completed".
        runTable.getColumns().add(note);
        runTable.getColumns()
                .add(column(new Column("State", 84, false, r -> r.status().words())));
        runTable.getColumns()
                .add(column(new Column(
                        "Begun", 96, false, r -> TIME.format(r.created().atZone(ZoneId.systemDefault())))));
        runTable.setEditable(true);
        runTable.setItems(model.runs());
        runTable.setPlaceholder(new Label("No run yet"));
        runTable.setRowFactory(t -> {
            var row = new TableRow<RunRecord>();
            row.setOnMouseClicked(e -> {
                if (e.getClickCount() == 2 && !row.isEmpty()) {
                    model.show(row.getItem().id());
                }
            });
            return row;
        });
        runTable.setOnKeyPressed(e -> {
            if (e.getCode() == KeyCode.ENTER) {
                show.fire();
            }
        });
        show.setOnAction(e -> chosen(r -> model.show(r.id())));
        // Not every area continues a run that has ended.
        more.setVisible(RunContinuation.of(model).steps() > 0);
        more.setManaged(more.isVisible());
        more.setText("Search " + RunContinuation.of(model).steps() + " more");
        more.setOnAction(e -> chosen(RunContinuation.of(model)::more));
        runTable.getSelectionModel().selectedItemProperty().addListener((o, was, is) -> light());
        model.status().addListener((o, was, is) -> light());
        table.words().subscribe(reached::setText);
        table.changes().forEach(c -> c.addListener(o -> runTable.refresh()));
        light();
    }

    private void chosen(Consumer<RunRecord> action) {
        Optional.ofNullable(runTable.getSelectionModel().getSelectedItem()).ifPresent(action);
    }

    private void light() {
        RunRecord run = runTable.getSelectionModel().getSelectedItem();
        show.setDisable(run == null);
        more.setDisable(run == null || !RunContinuation.of(model).isPossible(run));
    }

    private static TableColumn<RunRecord, String> column(Column c) {
        var column = new TableColumn<RunRecord, String>(c.title());
        column.setCellValueFactory(d -> new ReadOnlyStringWrapper(c.words().apply(d.getValue())));
        column.setPrefWidth(c.width());
        column.setEditable(false);
        column.setSortable(false);
        if (c.isNumber()) {
            column.getStyleClass().addAll("number-column", "number-cell");
        }
        return column;
    }
}
