package knobscape.app.ui.fusion;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.OverrunStyle;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.control.cell.TextFieldTableCell;
import javafx.scene.layout.Region;
import javafx.util.converter.DefaultStringConverter;
import knobscape.app.ui.view.Columns;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.NameShortener;
import knobscape.fusion.evaluate.FusionReport;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.space.Strategy;
import knobscape.network.chain.ChainLayer;

/// The network as a chain from top to bottom: every layer with its shape, the band of its group, and its
/// micro-batch, which can be typed over. Rows are made as they come into view, so that hundreds of layers cost
/// nothing.
final class ChainView {
    private static final List<String> BANDS = List.of("band-odd", "band-even");
    private static final int MAX_NAME = 14;
    private final FusionViewModel model;
    private final ObservableList<Integer> rows = FXCollections.observableArrayList();
    private final Parent root;
    private Map<String, String> shortened = Map.of();
    private int[] groupOf = new int[0];
    private boolean following;

    @FXML
    private TextField find;

    @FXML
    private TableView<Integer> table;

    @FXML
    private TableColumn<Integer, String> band;

    @FXML
    private TableColumn<Integer, Integer> number;

    @FXML
    private TableColumn<Integer, Integer> name;

    @FXML
    private TableColumn<Integer, Integer> shape;

    @FXML
    private TableColumn<Integer, String> batch;

    ChainView(FusionViewModel model) {
        this.model = model;
        this.root = Fxml.load("fusion/chain", this);
    }

    @FXML
    private void initialize() {
        table.setItems(rows);
        band.setCellFactory(c -> new BandCell());
        Columns.show(number, Comparator.naturalOrder(), i -> i == 0 ? "in" : Integer.toString(i));
        Columns.show(name, Comparator.naturalOrder(), i -> shortened.getOrDefault(name(i), name(i)), (cell, i) -> {
            cell.setTextOverrun(OverrunStyle.CENTER_ELLIPSIS);
            cell.setTooltip(i == null ? null : new Tooltip(name(i)));
        });
        Columns.show(shape, Comparator.naturalOrder(), this::shape);
        batch.setCellValueFactory(d -> new ReadOnlyStringWrapper(entry(d.getValue())));
        batch.setCellFactory(c -> {
            var cell = new TextFieldTableCell<Integer, String>(new DefaultStringConverter());
            cell.getStyleClass().add("number-cell");
            return cell;
        });
        batch.setOnEditCommit(e -> {
            set(e.getRowValue(), e.getNewValue());
            table.refresh();
        });
        table.getSelectionModel().selectedItemProperty().addListener((o, was, is) -> {
            if (!following && is != null) {
                model.layer().set(is);
            }
        });
        model.layer().addListener((o, was, is) -> select());
        model.report().addListener((o, was, is) -> show(is));
        model.network().addListener((o, was, is) -> {
            shortened = NameShortener.of(
                    IntStream.rangeClosed(0, is.map(n -> n.layers()).orElse(0))
                            .mapToObj(this::name)
                            .toList(),
                    MAX_NAME);
            filter();
        });
        find.textProperty().addListener((o, was, is) -> filter());
        filter();
    }

    Parent root() {
        return root;
    }

    void focusFind() {
        find.requestFocus();
        find.selectAll();
    }

    private Optional<ChainLayer> layer(int i) {
        return i == 0
                ? Optional.empty()
                : model.network()
                        .get()
                        .filter(n -> i <= n.layers())
                        .map(n -> n.chain().layer(i));
    }

    private String name(int i) {
        return i == 0 ? "input" : layer(i).map(ChainLayer::name).orElse("");
    }

    private String shape(int i) {
        return i == 0
                ? model.network()
                        .get()
                        .map(n -> ByteSize.shown(n.output(0)).replace(".00", ""))
                        .orElse("")
                : layer(i).map(l -> l.extents().outHeight() == 1 && l.extents().outWidth() == 1
                                ? Long.toString(l.extents().outChannels())
                                : l.extents().outChannels() + "\u00d7"
                                        + l.extents().outHeight() + "\u00d7"
                                        + l.extents().outWidth())
                        .orElse("");
    }

    private String entry(int i) {
        return model.report()
                .get()
                .filter(r -> i <= r.strategy().layers())
                .map(r ->
                        r.strategy().get(i) > 0 ? Integer.toString(r.strategy().get(i)) : "sync")
                .orElse("");
    }

    private void set(int index, String text) {
        String t = text.strip().toLowerCase(Locale.ROOT);
        try {
            model.setEntry(
                    index, t.equals("sync") || t.equals("s") || t.isEmpty() ? Strategy.SYNC : Integer.parseInt(t));
        } catch (NumberFormatException e) {
            model.setEntry(index, Integer.MIN_VALUE);
        }
    }

    private void filter() {
        String words = find.getText().strip().toLowerCase(Locale.ROOT);
        int n = model.network().get().map(x -> x.layers()).orElse(-1);
        following = true;
        rows.setAll(IntStream.rangeClosed(0, n)
                .filter(i -> words.isEmpty() || name(i).toLowerCase(Locale.ROOT).contains(words))
                .boxed()
                .toList());
        following = false;
        show(model.report().get());
        select();
    }

    /// Number of the group of each layer, from 1; 0 for a layer by itself.
    private void show(Optional<FusionReport> report) {
        groupOf = new int[report.map(r -> r.strategy().layers() + 1).orElse(0)];
        int number = 0;
        for (FusionReport.Group g : report.map(FusionReport::groups).orElse(List.of())) {
            number++;
            if (g.last() > g.first()) {
                Arrays.fill(groupOf, g.first(), g.last() + 1, number);
            }
        }
        table.refresh();
    }

    private void select() {
        following = true;
        int row = rows.indexOf(model.layer().get());
        if (row < 0) {
            table.getSelectionModel().clearSelection();
        } else if (table.getSelectionModel().getSelectedIndex() != row) {
            table.getSelectionModel().clearAndSelect(row);
            table.scrollTo(Math.max(0, row - 4));
        }
        following = false;
    }

    /// The band of the group of a layer; colours are for what bounds a layer, so bands only alternate.
    private final class BandCell extends TableCell<Integer, String> {
        private final Region band = new Region();

        BandCell() {
            band.getStyleClass().add("band");
            getStyleClass().add("band-cell");
        }

        @Override
        protected void updateItem(String item, boolean empty) {
            super.updateItem(item, empty);
            setGraphic(null);
            int i = empty || getTableRow() == null || getTableRow().getItem() == null
                    ? -1
                    : getTableRow().getItem();
            boolean grouped = i >= 0 && i < groupOf.length && groupOf[i] > 0;
            setTooltip(grouped ? new Tooltip("Group " + groupOf[i]) : null);
            if (grouped) {
                band.getStyleClass().removeAll(BANDS);
                band.getStyleClass().add(BANDS.get(groupOf[i] % 2));
                setGraphic(band);
            }
        }
    }
}
