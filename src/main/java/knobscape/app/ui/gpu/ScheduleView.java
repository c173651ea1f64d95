package knobscape.app.ui.gpu;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javafx.beans.InvalidationListener;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextArea;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.LatestTask;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import knobscape.gpu.evaluate.model.GpuModel;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.sketch.Computation;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.subgraph.Subgraph;

/// The best schedule of the selected task as a loop nest: what blocks, virtual threads, threads and loops do,
/// what lies in shared memory, how full the device is; beside the pinned one. Schedules are made and evaluated
/// away from the screen.
final class ScheduleView {
    private static final double OTHER = 100;
    private final GpuViewModel model;
    private final Commands commands;
    private final Parent root;
    private final LatestTask<ScheduleContent> making;

    @FXML
    private Label title;

    @FXML
    private Label work;

    @FXML
    private Label figure;

    @FXML
    private Button pin;

    @FXML
    private Label against;

    @FXML
    private GridPane rows;

    @FXML
    private ColumnConstraints pinnedColumn;

    @FXML
    private TextArea nest;

    @FXML
    private VBox layer;

    private record Described(Map<String, String> rows, String nest) {}

    private record ScheduleContent(Optional<Described> best, Optional<Described> pinned) {}

    ScheduleView(
            GpuViewModel model,
            Commands commands,
            Background background,
            java.util.function.Consumer<? super Exception> failed) {
        this.model = model;
        this.making = new LatestTask<>(background, this::show, failed);
        this.commands = commands;
        this.root = Fxml.load("gpu/schedule", this);
    }

    @FXML
    private void initialize() {
        commands.dress(pin, GpuCommands.PIN);
        InvalidationListener changed = o -> refresh();
        model.states().addListener(changed);
        model.selected().addListener(changed);
        model.pinned().addListener(changed);
        model.network().addListener(changed);
        model.layer().subscribe(this::showLayer);
        refresh();
    }

    /// What the file says of the layer that was clicked.
    private void showLayer(Optional<Subgraph> looked) {
        layer.getChildren().clear();
        List<LayerFacts> facts =
                looked.flatMap(s -> model.network().get().map(n -> n.facts(s))).orElse(List.of());
        for (LayerFacts f : facts) {
            var name = new Label(f.title());
            name.getStyleClass().add("section-title");
            name.setWrapText(true);
            var grid = new GridPane();
            grid.getStyleClass().add("knob-grid");
            grid.getColumnConstraints().addAll(new ColumnConstraints(112, 116, 116), wide());
            f.rows().forEach((k, v) -> grid.addRow(grid.getRowCount(), name(k), value(v)));
            layer.getChildren().addAll(name, grid);
        }
        Nodes.show(layer, !facts.isEmpty());
    }

    private static ColumnConstraints wide() {
        var rest = new ColumnConstraints();
        rest.setHgrow(Priority.ALWAYS);
        return rest;
    }

    /// Names of knobs and tensors can be longer than their column.
    private static Label name(String text) {
        var label = new Label(text);
        label.getStyleClass().add("secondary");
        label.setTooltip(new Tooltip(text));
        label.setMinHeight(Region.USE_PREF_SIZE);
        GridPane.setValignment(label, javafx.geometry.VPos.TOP);
        return label;
    }

    private static Label value(String text) {
        var label = new Label(text);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        GridPane.setValignment(label, javafx.geometry.VPos.TOP);
        return label;
    }

    Parent root() {
        return root;
    }

    private void refresh() {
        int k = model.selected().get();
        Optional<NetworkKernel> kernel = model.network()
                .get()
                .filter(n -> k < n.kernels().size())
                .map(n -> n.kernels().get(k));
        Optional<KernelState> s = model.states().get().stream().skip(k).findFirst();
        double speed = s.map(KernelState::bestGflops).orElse(0.0);
        title.setText(kernel.map(x -> "Task " + x.task() + ", " + x.count() + (x.count() == 1 ? " place" : " places"))
                .orElse(""));
        work.setText(kernel.map(x -> x.work() + (x.source().isPresent() ? ", by " + x.tag() : ", " + x.words()) + ", "
                        + Quantity.count(x.size().longValue()) + " configurations")
                .orElse(""));
        String source = model.shown().get().map(TuningState::device).orElse("");
        figure.setText(
                speed > 0
                        ? GpuFigures.speed(
                                speed, kernel.map(NetworkKernel::unit).orElse("GFLOPS"))
                        : "Not measured yet");
        Optional<GpuViewModel.PinnedSchedule> pinned = model.pinned().get();
        against.setText((speed > 0 ? GpuFigures.millis(s.get().bestMilliseconds()) + " on " + source : "")
                + pinned.map(p -> "\nRight: pinned " + p.title() + ", " + GpuFigures.gflops(p.gflops()))
                        .orElse(""));
        Optional<Schedule> best = kernel.isPresent() ? model.tuned().best(k) : Optional.empty();
        Optional<Described> measured = best.isPresent() || kernel.isEmpty()
                ? Optional.empty()
                : s.flatMap(KernelState::best)
                        .map(c -> new Described(
                                new LinkedHashMap<>(c.toMap()),
                                "A measured kernel of a file: its loop nest is not known."));
        making.submit(() -> new ScheduleContent(
                best.map(b -> describe(b, source)).or(() -> measured),
                pinned.map(p -> describe(p.schedule(), source))));
    }

    private void show(ScheduleContent now) {
        rows.getChildren().clear();
        double width = now.pinned().isPresent() ? OTHER : 0;
        pinnedColumn.setMinWidth(width);
        pinnedColumn.setPrefWidth(width);
        pinnedColumn.setMaxWidth(width);
        var names = new ArrayList<String>();
        now.best().ifPresent(b -> names.addAll(b.rows().keySet()));
        now.pinned()
                .ifPresent(p -> p.rows().keySet().stream()
                        .filter(n -> !names.contains(n))
                        .forEach(names::add));
        for (int i = 0; i < names.size(); i++) {
            String n = names.get(i);
            Label value = value(
                    now.best().map(b -> b.rows().getOrDefault(n, "\u2013")).orElse(""));
            Label other = value(
                    now.pinned().map(p -> p.rows().getOrDefault(n, "\u2013")).orElse(""));
            other.getStyleClass().add(other.getText().equals(value.getText()) ? "secondary" : "pinned-value");
            rows.addRow(i, name(n), value, other);
        }
        String text = now.best().map(Described::nest).orElse("");
        if (!text.equals(nest.getText())) {
            nest.setText(text);
        }
    }

    private static Described describe(Schedule s, String device) {
        LoopNest main = s.main();
        var rows = new LinkedHashMap<String, String>();
        rows.put("Fused behind", s.epilogue().words());
        if (s.source() instanceof SketchSource k) {
            Computation c = k.computation(s.epilogue());
            rows.put("Subgraph", c.words());
            rows.put("Sketch", k.sketch(s.configuration()).words(c));
        }
        rows.put("Blocks", Quantity.count(main.blocks()) + axes(main, Axis.Binding::isBlock));
        rows.put(
                "Virtual threads",
                product(main, b -> b == Axis.Binding.VTHREAD) + axes(main, b -> b == Axis.Binding.VTHREAD));
        rows.put("Threads", Quantity.count(main.threads()) + axes(main, Axis.Binding::isThread));
        rows.put(
                "Loops",
                String.join(
                        " \u00b7 ",
                        main.axes().stream()
                                .filter(a -> a.extent() > 1
                                        && (a.binding() == Axis.Binding.SERIAL || a.binding() == Axis.Binding.UNROLLED))
                                .map(a -> a.name() + " " + a.extent())
                                .toList()));
        List<Buffer> shared = main.allocations().stream()
                .filter(b -> b.scope() == Buffer.Scope.SHARED)
                .toList();
        rows.put(
                "Shared tiles",
                shared.isEmpty()
                        ? "none"
                        : String.join(
                                ", ",
                                shared.stream()
                                        .map(b -> b.name() + " " + kilo(b.bytes()))
                                        .toList()));
        rows.put("Shared memory", kilo(main.sharedBytes()));
        rows.put("Floats per thread", Quantity.count(main.localFloats()));
        if (device.startsWith(ModelDevice.PREFIX)) {
            ModelDevice gpu = ModelDevice.named(device.substring(ModelDevice.PREFIX.length()));
            List<GpuModel.Estimate> all = gpu.estimates(s);
            if (!all.isEmpty()) {
                GpuModel.Estimate e = all.get(s.kernels().indexOf(main));
                rows.put(
                        "Occupancy",
                        String.format(
                                Locale.ROOT,
                                "%.0f %%, %d %s per SM (model)",
                                100 * e.occupancy(),
                                e.blocksPerSm(),
                                e.blocksPerSm() == 1 ? "block" : "blocks"));
                rows.put("Bound by", e.bound() + " (model)");
            }
        }
        s.configuration().toMap().forEach((k, v) -> rows.put(k, v));
        return new Described(rows, s.kernels().stream().map(LoopNest::toString).collect(Collectors.joining("\n")));
    }

    private static String kilo(long bytes) {
        return bytes >= 1024 ? String.format(Locale.ROOT, "%.1f KiB", bytes / 1024.0) : bytes + " B";
    }

    private static String product(LoopNest n, java.util.function.Predicate<Axis.Binding> of) {
        return Quantity.count(n.axes().stream()
                .filter(a -> of.test(a.binding()))
                .mapToLong(Axis::extent)
                .reduce(1, (x, y) -> x * y));
    }

    private static String axes(LoopNest n, java.util.function.Predicate<Axis.Binding> of) {
        List<String> all = n.axes().stream()
                .filter(a -> of.test(a.binding()) && a.extent() > 1)
                .map(a -> Long.toString(a.extent()))
                .toList();
        return all.size() < 2 ? "" : " = " + String.join(" \u00d7 ", all);
    }
}
