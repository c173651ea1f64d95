package knobscape.app.ui.fusion;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.ListChangeListener;
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
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.Quantity;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.CostModel;
import knobscape.fusion.source.ByteSize;

/// The strategies kept: the best of every search, and those the person kept. A row chosen is looked at.
final class CandidatesView {
    private final FusionViewModel model;
    private final TableView<Candidate> table = new TableView<>();
    private final VBox root;
    private boolean following;

    CandidatesView(FusionViewModel model) {
        this.model = model;
        table.setId("strategies");
        table.getStyleClass().add("dense");
        table.setItems(model.candidates());
        table.setAccessibleText("Strategies kept");
        table.setPlaceholder(new Label("Search, or keep what you made by hand"));
        number("#", 32, Candidate::number, c -> Integer.toString(c.number()));
        var origin = new TableColumn<Candidate, Candidate>("Found by");
        origin.setCellValueFactory(d -> new ReadOnlyObjectWrapper<>(d.getValue()));
        origin.setCellFactory(c -> new OriginCell());
        origin.setComparator(java.util.Comparator.comparing(Candidate::origin));
        origin.setPrefWidth(130);
        table.getColumns().add(origin);
        number("Speedup", 62, c -> cost(c).map(x -> model.model().get().orElseThrow().speedup(x.seconds())).orElse(0.0),
                c -> cost(c).map(this::speedup).orElse("\u2013"));
        number("Latency", 74, c -> cost(c).map(Cost::seconds).orElse(0.0), c -> cost(c).map(x -> FusionFigures.micros(x.seconds())).orElse("larger batch"));
        number("On chip", 72, c -> cost(c).map(Cost::peakBytes).orElse(0L), c -> cost(c).map(x -> ByteSize.shown(x.peakBytes())).orElse(""));
        number("Off-chip", 82, c -> cost(c).map(Cost::offChipBytes).orElse(0L), c -> cost(c).map(x -> ByteSize.shown(x.offChipBytes())).orElse(""));
        number("Sought for", 74, Candidate::soughtFor, c -> ByteSize.shown(c.soughtFor()).replace(".00", ""));
        number("Judged", 54, Candidate::evaluations, c -> c.evaluations() == 0 ? "" : Quantity.count(c.evaluations()));
        number("Took", 62, Candidate::seconds, c -> c.evaluations() == 0 ? "" : c.seconds() < 1 ? String.format(Locale.ROOT, "%.0f ms", c.seconds() * 1e3)
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
        var title = new Label("Strategies");
        title.getStyleClass().add("panel-title");
        var spacer = new Region();
        HBox.setHgrow(spacer, Priority.ALWAYS);
        var count = new Label();
        count.getStyleClass().add("secondary");
        var header = new HBox(title, spacer, count);
        header.getStyleClass().add("panel-header");
        root = new VBox(header, table);
        root.setMinHeight(0);
        VBox.setVgrow(table, Priority.ALWAYS);
        model.model().addListener((o, was, is) -> table.refresh());
        model.pinned().addListener((o, was, is) -> table.refresh());
        model.report().addListener((o, was, is) -> follow());
        model.candidates().addListener((ListChangeListener<Candidate>) c -> {
            count.setText(Quantity.count(model.candidates().size()));
            follow();
        });
        model.seen().addListener((o, was, is) -> count.setText(Quantity.count(model.candidates().size()) + " kept, " + Quantity.count(is.count()) + " seen"));
    }

    Parent root() {
        return root;
    }

    private Optional<Cost> cost(Candidate c) {
        return model.model().get().flatMap(c::cost);
    }

    /// In brackets where the strategy does not fit.
    private String speedup(Cost cost) {
        CostModel m = model.model().get().orElseThrow();
        return String.format(Locale.ROOT, m.isValid(cost) ? "%.3f" : "(%.3f)", m.speedup(cost.seconds()));
    }

    private void follow() {
        following = true;
        int row = -1;
        for (int i = 0; i < table.getItems().size() && row < 0; i++) {
            Candidate c = table.getItems().get(i);
            row = model.report().get().filter(r -> r.strategy().equals(c.strategy())).isPresent() ? i : -1;
        }
        int selected = table.getSelectionModel().getSelectedIndex();
        boolean same = selected >= 0 && selected < table.getItems().size()
                && model.report().get().filter(r -> r.strategy().equals(table.getItems().get(selected).strategy())).isPresent();
        if (row < 0) {
            table.getSelectionModel().clearSelection();
        } else if (!same) {
            table.getSelectionModel().clearAndSelect(row);
        }
        following = false;
    }

    private <N extends Number> void number(String title, double width, Function<Candidate, N> key, Function<Candidate, String> text) {
        var column = new TableColumn<Candidate, Candidate>(title);
        ToDoubleFunction<Candidate> value = c -> key.apply(c).doubleValue();
        column.setCellValueFactory(d -> new ReadOnlyObjectWrapper<>(d.getValue()));
        column.setComparator(java.util.Comparator.comparingDouble(value));
        column.setPrefWidth(width);
        column.getStyleClass().add("number-column");
        column.setCellFactory(c -> {
            var cell = new TableCell<Candidate, Candidate>() {
                @Override
                protected void updateItem(Candidate item, boolean empty) {
                    super.updateItem(item, empty);
                    setText(empty || item == null ? null : text.apply(item));
                    getStyleClass().remove("worse");
                    if (!empty && item != null && cost(item).filter(x -> !model.model().get().orElseThrow().isValid(x)).isPresent()
                            && (title.equals("On chip") || title.equals("Speedup"))) {
                        getStyleClass().add("worse");
                    }
                }
            };
            cell.getStyleClass().add("number-cell");
            return cell;
        });
        table.getColumns().add(column);
    }

    /// Where a strategy comes from, with a badge where it is compared with, and a word where it does not fit.
    private final class OriginCell extends TableCell<Candidate, Candidate> {
        @Override
        protected void updateItem(Candidate item, boolean empty) {
            super.updateItem(item, empty);
            setGraphic(null);
            setText(null);
            if (!empty && item != null) {
                boolean misfit = cost(item).filter(x -> !model.model().get().orElseThrow().isValid(x)).isPresent();
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
