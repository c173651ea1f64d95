package knobscape.app.ui.fusion;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
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
import javafx.scene.control.cell.TextFieldTableCell;
import javafx.scene.layout.Region;
import javafx.util.converter.DefaultStringConverter;
import knobscape.app.ui.view.Columns;
import knobscape.app.ui.view.Fxml;
import knobscape.fusion.evaluate.FusionReport;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.space.Strategy;
import knobscape.network.chain.ChainLayer;

/// The network as a chain from top to bottom: every layer with its shape, the band of its group, and its
/// micro-batch, which can be typed over. Rows are made as they come into view, so that hundreds of layers cost
/// nothing.
final class ChainView {
    private static final String[] BANDS = {"band-front", "band-pinned", "band-baseline", "band-predicted"};
    private final FusionViewModel model;
    private final ObservableList<Integer> rows = FXCollections.observableArrayList();
    private final Parent root;
    private int[] bandOf = new int[0];
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
        // The end of a name tells layers apart.
        Columns.show(
                name,
                Comparator.naturalOrder(),
                this::name,
                (cell, i) -> cell.setTextOverrun(OverrunStyle.LEADING_ELLIPSIS));
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
        model.network().addListener((o, was, is) -> filter());
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
                                : l.extents().outChannels() + "\u00d7" + l.extents().outHeight() + "\u00d7" + l.extents().outWidth())
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
        rows.setAll(java.util.stream.IntStream.rangeClosed(0, n)
                .filter(i -> words.isEmpty() || name(i).toLowerCase(Locale.ROOT).contains(words))
                .boxed()
                .toList());
        following = false;
        show(model.report().get());
        select();
    }

    private void show(Optional<FusionReport> report) {
        bandOf = new int[report.map(r -> r.strategy().layers() + 1).orElse(0)];
        java.util.Arrays.fill(bandOf, -1);
        int fused = 0;
        for (FusionReport.Group g : report.map(FusionReport::groups).orElse(java.util.List.of())) {
            if (g.last() > g.first()) {
                java.util.Arrays.fill(bandOf, g.first(), g.last() + 1, Math.floorMod(fused, BANDS.length));
                fused++;
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

    /// The coloured band of the group of a layer.
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
            if (i >= 0 && i < bandOf.length) {
                band.getStyleClass().removeAll(BANDS);
                if (bandOf[i] >= 0) {
                    band.getStyleClass().add(BANDS[bandOf[i]]);
                }
                setGraphic(band);
            }
        }
    }
}
