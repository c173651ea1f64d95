package knobscape.app.ui.gpu;

import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import javafx.collections.transformation.FilteredList;
import javafx.collections.transformation.SortedList;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Label;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.view.Columns;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.history.HistoryTasks;
import knobscape.gpu.history.KernelExperience;
import knobscape.gpu.history.Offer;
import knobscape.gpu.source.NetworkKernel;
import knobscape.project.UserHistory;
import knobscape.work.Named;
import knobscape.work.history.TuningHistory;

/// The user's tuning history by device, group and task, and what of it serves the network that is open. What
/// other areas measured is listed where it is asked for; nothing here learns from it.
final class HistoryView {
    private final GpuViewModel model;
    private final Background background;
    private final ObservableList<Row> rows = FXCollections.observableArrayList();
    private final FilteredList<Row> shown = new FilteredList<>(rows);
    private final Parent root;

    /// A task of the history.
    ///
    /// @param serves tasks of the open network that learn from it: `T2, T5`
    private record Row(TuningHistory.StoredTuning stored, String serves) {
        String device() {
            return stored.task().device();
        }

        boolean isOurs() {
            return stored.task().area().equals(HistoryTasks.AREA);
        }

        String words() {
            return String.join(
                            " ",
                            stored.task().area(),
                            device(),
                            stored.task().group(),
                            stored.task().words(),
                            stored.task().template(),
                            serves)
                    .toLowerCase(Locale.ROOT);
        }
    }

    /// The content read from the history.
    private record HistoryContent(List<Row> rows, List<Offer> offers) {}

    @FXML
    private TextField filter;

    @FXML
    private Label offer;

    @FXML
    private Label nothing;

    @FXML
    private CheckBox elsewhere;

    @FXML
    private Label detail;

    @FXML
    private TableView<Offer> offers;

    @FXML
    private TableView<Row> table;

    HistoryView(GpuViewModel model, Background background) {
        this.model = model;
        this.background = background;
        this.root = Fxml.load("gpu/history", this);
    }

    @FXML
    private void initialize() {
        var sorted = new SortedList<>(shown);
        sorted.comparatorProperty().bind(table.comparatorProperty());
        table.setItems(sorted);
        var device = Columns.words(table, "Device", 100, Row::device);
        var group = Columns.words(table, "Group", 150, r -> r.stored.task().group());
        var work = Columns.words(table, "Work", 130, r -> r.stored.task().words());
        var template = Columns.words(
                table, "Template", 70, r -> r.stored.task().template().replaceFirst("@1$", ""));
        var count =
                Columns.figures(table, "Rows", 52, r -> r.stored.rows(), r -> Quantity.count((int) r.stored.rows()));
        var best = Columns.figures(
                table,
                "Best",
                64,
                r -> r.stored.best(),
                r -> Double.isNaN(r.stored.best()) ? "" : GpuFigures.millis(r.stored.best()));
        var serves = Columns.words(table, "Serves", 60, Row::serves);
        var task = Columns.words(offers, "Task", 48, o -> o.kernel().task());
        var layers = Columns.words(offers, "Group", 124, Offer::group);
        var own = Columns.figures(offers, "This device", 76, Offer::own, o -> Quantity.count((int) o.own()));
        var others = Columns.figures(offers, "Others", 60, Offer::others, o -> Quantity.count((int) o.others()));
        var start = Columns.words(offers, "Begins with", 110, o -> o.start().isEmpty() ? "nothing stored" : o.start());
        Columns.fit(offers, List.of(task, layers, start, own, others));
        Columns.fit(table, List.of(work, best, count, serves, device, group, template));
        detail(offers, HistoryView::words);
        detail(table, HistoryView::words);
        filter.textProperty().addListener((o, was, is) -> filter());
        elsewhere.selectedProperty().addListener((o, was, is) -> filter());
        filter();
        model.network().addListener((o, was, is) -> read());
        model.tunings().shown().addListener((o, was, is) -> read());
        model.form().toolchain().addListener((o, was, is) -> read());
    }

    private void filter() {
        String wanted = filter.getText().strip().toLowerCase(Locale.ROOT);
        boolean all = elsewhere.isSelected();
        shown.setPredicate(r -> (all || r.isOurs()) && r.words().contains(wanted));
    }

    /// The row selected last, in full: a narrow table leaves columns out.
    private <R> void detail(TableView<R> of, Function<R, String> words) {
        of.getSelectionModel().selectedItemProperty().addListener((o, was, is) -> {
            detail.setText(is == null ? "" : words.apply(is));
            Nodes.show(detail, is != null);
        });
    }

    private static String words(Offer o) {
        return o.kernel().task() + ", " + o.group() + ": " + Quantity.count((int) o.own()) + " rows of this device, "
                + Quantity.count((int) o.others()) + " of others. "
                + (o.start().isEmpty() ? "Transfer searches as bo does." : "Transfer begins with " + o.start() + ".");
    }

    private static String words(Row r) {
        var t = r.stored.task();
        return String.join(", ", t.words(), t.group(), t.template().replaceFirst("@1$", ""), r.device()) + ": "
                + Quantity.count((int) r.stored.rows()) + (r.stored.rows() == 1 ? " row" : " rows")
                + (Double.isNaN(r.stored.best()) ? "" : ", best " + GpuFigures.millis(r.stored.best()))
                + (r.serves.isEmpty() ? "." : ". Serves " + r.serves + ".");
    }

    /// Reads the history away from the screen.
    private void read() {
        List<NetworkKernel> kernels =
                model.network().get().map(GpuNetwork::kernels).orElse(List.of());
        String toolchain = model.form().toolchain().get().map(Named::name).orElse("");
        String named = HistoryTasks.device(toolchain, model.hardware(toolchain));
        background.compute(
                () -> {
                    List<TuningHistory.StoredTuning> tasks = UserHistory.file()
                            .filter(Files::isRegularFile)
                            .map(f -> {
                                try (TuningHistory h = TuningHistory.open(f)) {
                                    return h.tasks();
                                }
                            })
                            .orElse(List.of());
                    List<TuningHistory.StoredTuning> ours = tasks.stream()
                            .filter(t -> t.task().area().equals(HistoryTasks.AREA))
                            .toList();
                    return new HistoryContent(
                            tasks.stream().map(t -> row(t, kernels)).toList(),
                            kernels.stream()
                                    .map(k -> Offer.of(ours, k, named, ModelDevice.KIND.isOf(toolchain)))
                                    .toList());
                },
                read -> {
                    List<Row> found = read.rows;
                    rows.setAll(found);
                    offers.getItems().setAll(read.offers);
                    long others = found.stream().filter(r -> !r.isOurs()).count();
                    elsewhere.setText("Also " + others + (others == 1 ? " task" : " tasks") + " of other areas");
                    Nodes.show(elsewhere, others > 0);
                    long serving = found.stream()
                            .filter(r -> !r.serves.isEmpty())
                            .mapToLong(r -> r.stored.rows())
                            .sum();
                    offer.setText(
                            found.size() == others || kernels.isEmpty()
                                    ? ""
                                    : Quantity.count((int) serving) + " rows serve this network");
                },
                e -> nothing.setText(String.valueOf(e.getMessage())));
    }

    private static Row row(TuningHistory.StoredTuning stored, List<NetworkKernel> kernels) {
        return new Row(
                stored,
                kernels.stream()
                        .filter(k -> KernelExperience.isAlike(stored.task(), k))
                        .map(NetworkKernel::task)
                        .distinct()
                        .collect(Collectors.joining(", ")));
    }

    Parent root() {
        return root;
    }
}
