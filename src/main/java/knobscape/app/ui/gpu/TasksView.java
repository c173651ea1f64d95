package knobscape.app.ui.gpu;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
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
    private TableView<Integer> table;

    TasksView(GpuViewModel model) {
        this.model = model;
        this.root = Fxml.load("gpu/tasks", this);
    }

    @FXML
    private void initialize() {
        table.setItems(rows);
        var task = words("Task", 52, k -> kernel(k).task());
        var work = words("Work", 174, k -> kernel(k).words());
        var count = figures(
                "Count",
                48,
                k -> kernel(k).count(),
                k -> Integer.toString(kernel(k).count()));
        var flops = figures(
                "GFLOP",
                54,
                k -> kernel(k).totalFlops(),
                k -> kernel(k).flops() == 0
                        ? ""
                        : String.format(Locale.ROOT, "%.3f", kernel(k).totalFlops() / GIGA));
        var space = figures(
                "Space",
                58,
                k -> kernel(k).size().doubleValue(),
                k -> size(kernel(k).size()));
        var speed = figures(
                "GFLOPS",
                70,
                k -> state(k).bestGflops(),
                k -> state(k).bestGflops() > 0 ? String.format(Locale.ROOT, "%.0f", state(k).bestGflops()) : "");
        var time = figures(
                "Time",
                68,
                k -> state(k).bestMilliseconds(),
                k -> Double.isNaN(state(k).bestMilliseconds()) ? "" : GpuFigures.millis(state(k).bestMilliseconds()));
        var share = figures(
                "Share",
                50,
                this::share,
                k -> Double.isNaN(share(k)) ? "" : String.format(Locale.ROOT, "%.0f %%", 100 * share(k)));
        var trials = figures(
                "Trials",
                50,
                k -> state(k).trials(),
                k -> state(k).trials() == 0 ? "" : Quantity.count(state(k).trials()));
        var state = words("State", 50, this::words);
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
            select();
        });
        model.states().addListener((o, was, is) -> table.refresh());
        model.current().addListener((o, was, is) -> table.refresh());
        model.selected().addListener((o, was, is) -> select());
    }

    Parent root() {
        return root;
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

    private TableColumn<Integer, Integer> words(String title, double width, Function<Integer, String> text) {
        return Columns.words(table, title, width, k -> known(k, text));
    }

    private TableColumn<Integer, Integer> figures(
            String title, double width, ToDoubleFunction<Integer> key, Function<Integer, String> text) {
        return Columns.figures(table, title, width, key, k -> known(k, text));
    }

    /// A row may be asked for when the network has changed already.
    private String known(int k, Function<Integer, String> text) {
        return k < rows.size() ? text.apply(k) : "";
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
