package knobscape.app.ui.gpu;

import java.util.Comparator;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.Quantity;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.source.NetworkKernel;

/// The tuning tasks of the network with what is known of each. A row chosen is looked at everywhere.
final class TasksView {
    private static final double GIGA = 1e9;
    private final GpuViewModel model;
    private final TableView<Integer> table = new TableView<>();
    private final ObservableList<Integer> rows = FXCollections.observableArrayList();
    private final VBox root;
    private final TableColumn<Integer, Integer> speed;
    private boolean following;

    TasksView(GpuViewModel model) {
        this.model = model;
        table.setId("tasks");
        table.getStyleClass().add("dense");
        table.setItems(rows);
        table.setColumnResizePolicy(TableView.CONSTRAINED_RESIZE_POLICY_ALL_COLUMNS);
        table.setAccessibleText("Tuning tasks");
        table.setPlaceholder(new Label("No task can be tuned in this network"));
        column("Task", 34, false, k -> k, k -> kernel(k).task());
        column("Work", 182, false, k -> k, k -> kernel(k).words());
        column("Count", 50, true, k -> kernel(k).count(), k -> Integer.toString(kernel(k).count()));
        column("GFLOP", 52, true, k -> kernel(k).totalFlops(), k -> kernel(k).flops() == 0 ? "" : String.format(Locale.ROOT, "%.3f", kernel(k).totalFlops() / GIGA));
        column("Space", 58, true, k -> kernel(k).size().doubleValue(), k -> size(kernel(k).size().longValue()));
        speed = column("GFLOPS", 58, true, k -> state(k).bestGflops(), k -> state(k).bestGflops() > 0 ? String.format(Locale.ROOT, "%.0f", state(k).bestGflops()) : "");
        column("Time", 62, true, k -> state(k).bestMilliseconds(), k -> Double.isNaN(state(k).bestMilliseconds()) ? "" : GpuFigures.millis(state(k).bestMilliseconds()));
        column("Share", 48, true, this::share, k -> Double.isNaN(share(k)) ? "" : String.format(Locale.ROOT, "%.0f %%", 100 * share(k)));
        column("Trials", 46, true, k -> state(k).trials(), k -> state(k).trials() == 0 ? "" : Quantity.count(state(k).trials()));
        column("State", 50, false, k -> k, this::words);
        table.getSelectionModel().selectedItemProperty().addListener((o, was, is) -> {
            if (!following && is != null) {
                model.selected().set(is);
            }
        });
        var title = new Label("Tasks");
        title.getStyleClass().add("panel-title");
        var spacer = new Region();
        HBox.setHgrow(spacer, Priority.ALWAYS);
        var latency = new Label();
        latency.setMinWidth(Region.USE_PREF_SIZE);
        latency.getStyleClass().add("secondary");
        var header = new HBox(title, spacer, latency);
        header.getStyleClass().add("panel-header");
        root = new VBox(header, table);
        root.setMinHeight(0);
        VBox.setVgrow(table, Priority.ALWAYS);
        model.network().addListener((o, was, is) -> {
            following = true;
            speed.setText(is.map(n -> n.kernels().getFirst().unit()).orElse("GFLOPS"));
            rows.setAll(java.util.stream.IntStream.range(0, is.map(n -> n.kernels().size()).orElse(0)).boxed().toList());
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
        return Double.isNaN(ms) ? "" : "Kernels of the network: " + GpuFigures.millis(ms) + model.shown().get().map(s -> ", " + TuneRuns.group(s)).orElse("");
    }

    private NetworkKernel kernel(int k) {
        return model.network().get().orElseThrow().kernels().get(k);
    }

    private KernelState state(int k) {
        return k < model.states().get().size() ? model.states().get().get(k) : KernelState.none(kernel(k));
    }

    private double share(int k) {
        return state(k).placesMilliseconds() / model.tuned().latencyMilliseconds();
    }

    private static String size(long n) {
        return n >= 1_000_000_000 ? String.format(Locale.ROOT, "%.1f G", n / 1e9) : n >= 1_000_000 ? String.format(Locale.ROOT, "%.1f M", n / 1e6) : n >= 10_000 ? n / 1000 + " k" : Quantity.count(n);
    }

    private String words(int k) {
        return k == model.current().get() ? "running" : state(k).trials() == 0 ? "" : state(k).bestGflops() > 0 ? "tried" : "failed";
    }

    private TableColumn<Integer, Integer> column(String title, double width, boolean number, IntToDoubleFunction key, IntFunction<String> text) {
        var column = new TableColumn<Integer, Integer>(title);
        column.setCellValueFactory(d -> new ReadOnlyObjectWrapper<>(d.getValue()));
        column.setComparator(Comparator.comparingDouble(key::applyAsDouble));
        column.setPrefWidth(width);
        if (number) {
            column.getStyleClass().add("number-column");
        }
        column.setCellFactory(c -> {
            var cell = new TableCell<Integer, Integer>() {
                @Override
                protected void updateItem(Integer item, boolean empty) {
                    super.updateItem(item, empty);
                    setText(empty || item == null || item >= rows.size() ? null : text.apply(item));
                    setTooltip(number || getText() == null ? null : new Tooltip(getText()));
                }
            };
            if (number) {
                cell.getStyleClass().add("number-cell");
            }
            return cell;
        });
        table.getColumns().add(column);
        return column;
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
