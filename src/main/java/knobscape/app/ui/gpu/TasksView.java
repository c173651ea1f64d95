package knobscape.app.ui.gpu;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.control.Tooltip;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Sizes;
import knobscape.app.ui.view.Columns;
import knobscape.app.ui.view.Fxml;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.source.NetworkKernel;

/// The tuning tasks of the network with what is known of each. A row chosen is selected everywhere.
final class TasksView {
    private static final double GIGA = 1e9;
    private final GpuViewModel model;
    private final ObservableList<Integer> rows = FXCollections.observableArrayList();
    private final Parent root;
    private boolean following;

    @FXML
    private Label latency;

    @FXML
    private TableView<Integer> table;

    @FXML
    private TableColumn<Integer, Integer> task;

    @FXML
    private TableColumn<Integer, Integer> work;

    @FXML
    private TableColumn<Integer, Integer> count;

    @FXML
    private TableColumn<Integer, Integer> flops;

    @FXML
    private TableColumn<Integer, Integer> space;

    @FXML
    private TableColumn<Integer, Integer> speed;

    @FXML
    private TableColumn<Integer, Integer> time;

    @FXML
    private TableColumn<Integer, Integer> share;

    @FXML
    private TableColumn<Integer, Integer> trials;

    @FXML
    private TableColumn<Integer, Integer> state;

    TasksView(GpuViewModel model) {
        this.model = model;
        this.root = Fxml.load("gpu/tasks", this);
    }

    @FXML
    private void initialize() {
        table.setItems(rows);
        show(task, k -> k, k -> kernel(k).task());
        show(work, k -> k, k -> kernel(k).words());
        show(count, k -> kernel(k).count(), k -> Integer.toString(kernel(k).count()));
        show(
                flops,
                k -> kernel(k).totalFlops(),
                k -> kernel(k).flops() == 0
                        ? ""
                        : String.format(Locale.ROOT, "%.3f", kernel(k).totalFlops() / GIGA));
        show(space, k -> kernel(k).size().doubleValue(), k -> size(kernel(k).size()));
        show(
                speed,
                k -> state(k).bestGflops(),
                k -> state(k).bestGflops() > 0 ? String.format(Locale.ROOT, "%.0f", state(k).bestGflops()) : "");
        show(
                time,
                k -> state(k).bestMilliseconds(),
                k -> Double.isNaN(state(k).bestMilliseconds()) ? "" : GpuFigures.millis(state(k).bestMilliseconds()));
        show(
                share,
                this::share,
                k -> Double.isNaN(share(k)) ? "" : String.format(Locale.ROOT, "%.0f %%", 100 * share(k)));
        show(trials, k -> state(k).trials(), k -> state(k).trials() == 0 ? "" : Quantity.count(state(k).trials()));
        show(state, k -> k, this::words);
        latency.managedProperty().bind(latency.textProperty().isNotEmpty());
        List<TableColumn<Integer, Integer>> known = List.of(task, work, count, space, flops);
        List<TableColumn<Integer, Integer>> all =
                List.of(task, work, time, share, speed, trials, state, count, space, flops);
        Columns.fit(table, model.states().map(states -> states.stream().anyMatch(s -> s.trials() > 0) ? all : known));
        table.getSelectionModel().selectedItemProperty().addListener((o, was, is) -> {
            if (!following && is != null) {
                model.selected().set(is);
            }
        });
        model.network().addListener((o, was, is) -> {
            following = true;
            speed.setText(is.map(n -> n.kernels().getFirst().unit()).orElse("GFLOPS"));
            rows.setAll(java.util.stream.IntStream.range(
                            0, is.map(n -> n.kernels().size()).orElse(0))
                    .boxed()
                    .toList());
            following = false;
            latency.setText(latency());
            select();
        });
        model.states().addListener((o, was, is) -> {
            table.refresh();
            latency.setText(latency());
        });
        model.current().addListener((o, was, is) -> table.refresh());
        model.selected().addListener((o, was, is) -> select());
    }

    Parent root() {
        return root;
    }

    private String latency() {
        double ms = model.tuned().latencyMilliseconds();
        String mark = model.tuned().isModelled() ? " (model)" : "";
        return Double.isNaN(ms)
                ? model.tuned()
                        .soFar()
                        .map(s -> "Kernels of the network: " + s.words() + mark)
                        .orElse("")
                : "Kernels of the network: " + GpuFigures.millis(ms) + mark
                        + model.tunings()
                                .shown()
                                .get()
                                .map(s -> ", " + s.group())
                                .orElse("");
    }

    private NetworkKernel kernel(int k) {
        return model.network().get().orElseThrow().kernels().get(k);
    }

    private KernelState state(int k) {
        return k < model.states().get().size() ? model.states().get().get(k) : KernelState.none(kernel(k));
    }

    private double share(int k) {
        return state(k).placesMilliseconds() / model.tuned().wholeMilliseconds();
    }

    /// `4 812`, `76.0 M`, `202 M`: three digits, for the column is narrow.
    private static String size(BigInteger n) {
        double value = n.doubleValue();
        if (value < 10_000) {
            return Quantity.count(n.longValue());
        }
        if (value >= 999.5e15) {
            return Sizes.words(n);
        }
        int thousands = (int) (Math.log10(value * 1.0005) / 3);
        double shown = value / Math.pow(1000, thousands);
        return String.format(Locale.ROOT, shown < 99.95 ? "%.1f %c" : "%.0f %c", shown, "kMGTP".charAt(thousands - 1));
    }

    private String words(int k) {
        return k == model.current().get()
                ? "running"
                : state(k).trials() == 0 ? "" : state(k).bestGflops() > 0 ? "tried" : "failed";
    }

    private void show(
            TableColumn<Integer, Integer> column, ToDoubleFunction<Integer> key, Function<Integer, String> text) {
        boolean number = column.getStyleClass().contains("number-column");
        Columns.show(
                column,
                Comparator.comparingDouble(key),
                k -> k < rows.size() ? text.apply(k) : "",
                (cell, k) -> cell.setTooltip(number || k == null ? null : new Tooltip(cell.getText())));
    }

    private void select() {
        following = true;
        int row = rows.indexOf(model.selected().get());
        if (row >= 0 && table.getSelectionModel().getSelectedIndex() != row) {
            table.getSelectionModel().clearAndSelect(row);
            table.scrollTo(Math.max(0, row - 2));
        }
        following = false;
    }
}
