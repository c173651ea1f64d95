package knobscape.app.ui.run;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import javafx.collections.ObservableSet;
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
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.view.Fxml;
import knobscape.project.RunRecord;

/// The runs of a project side by side: how each searched and what it reached on one scale. A tick draws its curve
/// beside the one shown, a double click shows it, and a finished one can be continued.
public final class RunsView {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("MMM d HH:mm", Locale.ROOT);

    private final RunViewModel model;
    private final DesignPictures pictures;
    private final Notes notes;
    private final ObservableList<RunRow> rows = FXCollections.observableArrayList();
    private final Parent root;

    @FXML
    private TableView<RunRow> runTable;

    @FXML
    private Button more;

    @FXML
    private Button show;

    @FXML
    private Label reached;

    /// What a person wrote about runs.
    ///
    /// @param read the note of a run, empty where there is none
    /// @param keep keeps one
    public record Notes(LongFunction<String> read, BiConsumer<Long, String> keep) {}

    /// @param model shows and continues runs
    /// @param pictures knows what they reached
    /// @param notes what a person wrote about them
    public RunsView(RunViewModel model, DesignPictures pictures, Notes notes) {
        this.model = model;
        this.pictures = pictures;
        this.notes = notes;
        this.root = Fxml.load("run/runs", this);
    }

    /// The view.
    public Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        ObservableSet<Long> overlaid = pictures.overlaid();
        var tick = new TableColumn<RunRow, Boolean>("Overlay");
        tick.setCellValueFactory(d -> {
            long id = d.getValue().run().id();
            var on = new SimpleBooleanProperty(overlaid.contains(id));
            on.addListener((o, was, is) -> {
                if (is) {
                    overlaid.add(id);
                } else {
                    overlaid.remove(id);
                }
            });
            return on;
        });
        tick.setCellFactory(CheckBoxTableCell.forTableColumn(tick));
        tick.setEditable(true);
        tick.setPrefWidth(72);
        var note = column("Note", 120, false, r -> notes.read().apply(r.run().id()));
        note.setCellFactory(TextFieldTableCell.forTableColumn());
        note.setEditable(true);
        note.setOnEditCommit(e -> {
            notes.keep().accept(e.getRowValue().run().id(), e.getNewValue());
            runTable.refresh();
        });
        runTable.getColumns().add(tick);
        runTable.getColumns()
                .add(column("#", 34, true, r -> Long.toString(r.run().id())));
        runTable.getColumns()
                .add(column("Method", 72, false, r -> r.run().settings().method()));
        runTable.getColumns()
                .add(column(
                        "Seed", 56, true, r -> Long.toString(r.run().settings().seed())));
        runTable.getColumns()
                .add(column(
                        "Steps",
                        64,
                        true,
                        r -> Math.max(0, r.run().step()) + "/"
                                + Quantity.count(r.run().settings().steps())));
        runTable.getColumns().add(column("Front", 60, true, r -> Integer.toString(r.front())));
        runTable.getColumns()
                .add(column(
                        "Hypervolume",
                        104,
                        true,
                        r -> Double.isNaN(r.share())
                                ? "\u2013"
                                : String.format(Locale.ROOT, "%.1f %%", 100 * r.share())));
        runTable.getColumns()
                .add(column("Hours", 64, true, r -> Quantity.hours(r.run().toolSeconds())));
        runTable.getColumns()
                .add(column(
                        "Begun", 100, false, r -> TIME.format(r.run().created().atZone(ZoneId.systemDefault()))));
        runTable.getColumns()
                .add(column("State", 92, false, r -> r.run().status().words()));
        runTable.getColumns().add(note);
        runTable.setEditable(true);
        runTable.setItems(rows);
        runTable.setPlaceholder(new Label("No run yet"));
        runTable.setRowFactory(t -> {
            var row = new TableRow<RunRow>();
            row.setOnMouseClicked(e -> {
                if (e.getClickCount() == 2 && !row.isEmpty()) {
                    model.show(row.getItem().run().id());
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
        more.setText("Search " + model.continuing().steps() + " more");
        more.setOnAction(e -> chosen(model.continuing()::more));
        runTable.getSelectionModel().selectedItemProperty().addListener((o, was, is) -> light());
        model.status().addListener((o, was, is) -> light());
        pictures.rows().addListener((o, was, is) -> {
            int at = runTable.getSelectionModel().getSelectedIndex();
            rows.setAll(is);
            if (at >= 0 && at < is.size()) {
                runTable.getSelectionModel().select(at);
            }
            reached.setText(
                    is.stream().anyMatch(r -> r.share() > 0)
                            ? "Hypervolume: share of that of all runs together, one reference point"
                            : "");
        });
        light();
    }

    private void chosen(java.util.function.Consumer<RunRecord> action) {
        RunRow row = runTable.getSelectionModel().getSelectedItem();
        if (row != null) {
            action.accept(row.run());
        }
    }

    private void light() {
        RunRow row = runTable.getSelectionModel().getSelectedItem();
        show.setDisable(row == null);
        more.setDisable(row == null || !model.continuing().isPossible(row.run()));
    }

    private static TableColumn<RunRow, String> column(
            String title, double width, boolean number, Function<RunRow, String> words) {
        var column = new TableColumn<RunRow, String>(title);
        column.setCellValueFactory(d -> new ReadOnlyStringWrapper(words.apply(d.getValue())));
        column.setPrefWidth(width);
        column.setEditable(false);
        column.setSortable(false);
        if (number) {
            column.getStyleClass().addAll("number-column", "number-cell");
        }
        return column;
    }
}
