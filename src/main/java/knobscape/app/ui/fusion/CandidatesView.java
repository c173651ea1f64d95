package knobscape.app.ui.fusion;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.ListChangeListener;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Label;
import javafx.scene.control.MenuItem;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableRow;
import javafx.scene.control.TableView;
import javafx.scene.control.Tooltip;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.view.Columns;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.source.ByteSize;

/// The strategies kept: the best of every search, and those the person kept. A row chosen is selected
/// everywhere.
final class CandidatesView {
    private final FusionViewModel model;
    private final Parent root;
    private boolean following;

    @FXML
    private Label count;

    @FXML
    private TableView<Candidate> table;

    @FXML
    private TableColumn<Candidate, Candidate> number;

    @FXML
    private TableColumn<Candidate, Candidate> origin;

    @FXML
    private TableColumn<Candidate, Candidate> speedup;

    @FXML
    private TableColumn<Candidate, Candidate> latency;

    @FXML
    private TableColumn<Candidate, Candidate> onChip;

    @FXML
    private TableColumn<Candidate, Candidate> offChip;

    @FXML
    private TableColumn<Candidate, Candidate> target;

    @FXML
    private TableColumn<Candidate, Candidate> evaluations;

    @FXML
    private TableColumn<Candidate, Candidate> took;

    CandidatesView(FusionViewModel model) {
        this.model = model;
        this.root = Fxml.load("fusion/candidates", this);
    }

    @FXML
    private void initialize() {
        table.setItems(model.candidates());
        show(number, Candidate::number, c -> Integer.toString(c.number()));
        origin.setCellValueFactory(d -> new ReadOnlyObjectWrapper<>(d.getValue()));
        origin.setCellFactory(c -> new OriginCell());
        origin.setComparator(Comparator.comparing(Candidate::origin));
        show(
                speedup,
                c -> cost(c).map(x -> model.model().get().orElseThrow().speedup(x.seconds()))
                        .orElse(0.0),
                c -> cost(c).map(this::speedup).orElse("\u2013"));
        show(
                latency,
                c -> cost(c).map(Cost::seconds).orElse(0.0),
                c -> cost(c).map(x -> FusionFigures.micros(x.seconds())).orElse("larger batch"));
        show(
                onChip,
                c -> cost(c).map(Cost::peakBytes).orElse(0L),
                c -> cost(c).map(x -> ByteSize.shown(x.peakBytes())).orElse(""));
        show(
                offChip,
                c -> cost(c).map(Cost::offChipBytes).orElse(0L),
                c -> cost(c).map(x -> ByteSize.shown(x.offChipBytes())).orElse(""));
        show(target, Candidate::target, c -> ByteSize.shown(c.target()).replace(".00", ""));
        show(evaluations, Candidate::evaluations, c -> c.evaluations() == 0 ? "" : Quantity.count(c.evaluations()));
        show(
                took,
                Candidate::seconds,
                c -> c.evaluations() == 0
                        ? ""
                        : c.seconds() < 1
                                ? String.format(Locale.ROOT, "%.0f ms", c.seconds() * 1e3)
                                : Quantity.duration(c.seconds()));
        table.setRowFactory(t -> {
            var row = new TableRow<Candidate>();
            var pin = new MenuItem("Compare with this, or stop comparing");
            pin.setOnAction(e -> model.togglePin(row.getItem()));
            var copy = new MenuItem("Copy the strategy");
            copy.setOnAction(e -> {
                var content = new ClipboardContent();
                content.putString(row.getItem().strategy().text());
                Clipboard.getSystemClipboard().setContent(content);
            });
            var menu = new ContextMenu(pin, copy);
            row.emptyProperty().addListener((o, was, is) -> row.setContextMenu(is ? null : menu));
            return row;
        });
        table.getSelectionModel().selectedItemProperty().addListener((o, was, is) -> {
            if (!following && is != null) {
                model.choose(is.strategy(), is.origin());
            }
        });
        model.model().addListener((o, was, is) -> table.refresh());
        model.pinned().addListener((o, was, is) -> table.refresh());
        model.report().addListener((o, was, is) -> follow());
        model.candidates().addListener((ListChangeListener<Candidate>) c -> {
            count.setText(Quantity.count(model.candidates().size()));
            follow();
        });
    }

    Parent root() {
        return root;
    }

    private Optional<Cost> cost(Candidate c) {
        return model.model().get().flatMap(c::cost);
    }

    /// In brackets where the strategy does not fit.
    private String speedup(Cost cost) {
        FusionCostModel m = model.model().get().orElseThrow();
        return String.format(Locale.ROOT, m.isValid(cost) ? "%.3f" : "(%.3f)", m.speedup(cost.seconds()));
    }

    private void follow() {
        following = true;
        int row = -1;
        for (int i = 0; i < table.getItems().size() && row < 0; i++) {
            Candidate c = table.getItems().get(i);
            row = model.report()
                            .get()
                            .filter(r -> r.strategy().equals(c.strategy()))
                            .isPresent()
                    ? i
                    : -1;
        }
        int selected = table.getSelectionModel().getSelectedIndex();
        boolean same = selected >= 0
                && selected < table.getItems().size()
                && model.report()
                        .get()
                        .filter(r -> r.strategy()
                                .equals(table.getItems().get(selected).strategy()))
                        .isPresent();
        if (row < 0) {
            table.getSelectionModel().clearSelection();
        } else if (!same) {
            table.getSelectionModel().clearAndSelect(row);
        }
        following = false;
    }

    private <N extends Number> void show(
            TableColumn<Candidate, Candidate> column, Function<Candidate, N> key, Function<Candidate, String> text) {
        boolean telling = column == onChip || column == speedup;
        Columns.show(
                column,
                Comparator.comparingDouble(c -> key.apply(c).doubleValue()),
                text,
                (cell, c) -> Nodes.style(cell, "worse", telling && c != null && misfits(c)));
    }

    private boolean misfits(Candidate c) {
        return cost(c).filter(x -> !model.model().get().orElseThrow().isValid(x))
                .isPresent();
    }

    /// Where a strategy comes from, with a badge where it is compared with, and a word where it does not fit.
    private final class OriginCell extends TableCell<Candidate, Candidate> {
        @Override
        protected void updateItem(Candidate item, boolean empty) {
            super.updateItem(item, empty);
            setGraphic(null);
            setText(null);
            if (!empty && item != null) {
                boolean misfit = misfits(item);
                setText(item.origin());
                setAccessibleText(item.origin() + (misfit ? ", does not fit the buffer" : ""));
                setTooltip(misfit ? new Tooltip("Does not fit the buffer: its speedup is in brackets") : null);
                if (model.pinned().get().filter(item::equals).isPresent()) {
                    var badge = new Label("pin");
                    badge.getStyleClass().add("pin-badge");
                    setGraphic(badge);
                }
            }
        }
    }
}
