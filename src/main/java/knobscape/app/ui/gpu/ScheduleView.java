package knobscape.app.ui.gpu;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.beans.InvalidationListener;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextArea;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.LatestTask;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import knobscape.app.ui.view.Tabs;
import knobscape.app.ui.view.Tabs.Tab;
import knobscape.gpu.evaluate.model.GpuModel;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.sketch.Computation;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.subgraph.Subgraph;
import knobscape.project.Design;

/// The selected task: its selected design, and that as a loop nest: what blocks, virtual threads, threads and loops
/// do, what lies in shared memory, how full the device is; beside a pinned one. Schedules are made and evaluated away
/// from the screen.
final class ScheduleView {
    private static final double OTHER = 100;
    private static final String SCHEDULE = "Schedule";
    private final GpuViewModel model;
    private final Node inspector;
    private final Parent root;
    private final LatestTask<ScheduleContent> making;

    @FXML
    private Label title;

    @FXML
    private Label work;

    @FXML
    private Label figure;

    @FXML
    private HBox strip;

    @FXML
    private StackPane body;

    @FXML
    private ScrollPane schedule;

    @FXML
    private Label against;

    @FXML
    private GridPane rows;

    @FXML
    private ColumnConstraints otherColumn;

    @FXML
    private TextArea nest;

    @FXML
    private VBox layer;

    private record ScheduleText(Map<String, String> rows, String nest) {}

    private record ScheduleContent(Optional<ScheduleText> chosen, Optional<ScheduleText> other) {}

    /// @param inspector of the selected design
    ScheduleView(
            GpuViewModel model,
            Node inspector,
            Background background,
            java.util.function.Consumer<? super Exception> failed) {
        this.model = model;
        this.making = new LatestTask<>(background, this::show, failed);
        this.inspector = inspector;
        this.root = Fxml.load("gpu/schedule", this);
    }

    @FXML
    private void initialize() {
        var tabs = new Tabs(
                strip,
                body,
                List.of(new Tab("Design", inspector), new Tab(SCHEDULE, schedule)),
                List.of("tab-button"),
                "",
                _ -> {});
        model.layer().addListener((o, was, is) -> {
            if (is.isPresent()) {
                tabs.turnTo(SCHEDULE);
            }
        });
        InvalidationListener changed = o -> refresh();
        model.results().shown().addListener(changed);
        model.results().selected().addListener(changed);
        model.results().pins().addListener(changed);
        model.models().inspector().against().addListener(changed);
        model.network().addListener(changed);
        model.selected().addListener(changed);
        model.layer().subscribe(this::showLayer);
        refresh();
    }

    /// The file's facts about the layer that was clicked.
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
        Optional<NetworkKernel> kernel = model.kernel();
        title.setText(kernel.map(x -> "Task " + x.task() + ", used " + (x.count() == 1 ? "once" : x.count() + " times"))
                .orElse(""));
        work.setText(
                kernel.map(x -> x.work() + (x.source().isPresent() ? ", " + x.tag() + " template" : ", " + x.words())
                                + ", " + Quantity.count(x.size().longValue()) + " configurations")
                        .orElse(""));
        Results results = model.results();
        Optional<Design> chosen = results.selectedDesign();
        int number = model.models().inspector().against().get();
        Optional<Design> other = results.set()
                .byNumber(number)
                .filter(_ -> results.pinOf(number) > 0
                        && number != results.selected().get());
        String source =
                model.tunings().shown().get().map(t -> t.how().toolchain()).orElse("");
        figure.setText(chosen.flatMap(d -> speed(d, kernel)).orElse("Not evaluated yet"));
        against.setText(chosen.filter(d -> d.value("time").isPresent())
                        .map(d ->
                                GpuFigures.millis(d.value("time").getAsDouble()) + " on " + TuningState.device(source))
                        .orElse("")
                + other.map(o -> "\nRight: " + Results.title(number)
                                + speed(o, kernel).map(w -> ", " + w).orElse(""))
                        .orElse(""));
        Optional<GpuNetwork> network = model.network().get();
        int k = model.selected().get();
        making.submit(
                () -> new ScheduleContent(described(network, k, chosen, source), described(network, k, other, source)));
    }

    private static Optional<String> speed(Design d, Optional<NetworkKernel> kernel) {
        return kernel.filter(_ -> d.value("time").isPresent())
                .map(k -> GpuFigures.speed(
                        k.flops() > 0
                                ? k.flops() / (d.value("time").getAsDouble() * 1e6)
                                : 1e3 / d.value("time").getAsDouble(),
                        k.unit()));
    }

    private static Optional<ScheduleText> described(
            Optional<GpuNetwork> network, int kernel, Optional<Design> design, String device) {
        return design.map(d -> network.flatMap(n -> n.schedule(kernel, d))
                .map(s -> describe(s, device))
                .orElseGet(
                        () -> new ScheduleText(Map.of(), "A measured kernel of a file: its loop nest is not known.")));
    }

    private void show(ScheduleContent now) {
        rows.getChildren().clear();
        double width = now.other().isPresent() ? OTHER : 0;
        otherColumn.setMinWidth(width);
        otherColumn.setPrefWidth(width);
        otherColumn.setMaxWidth(width);
        var names = new LinkedHashSet<String>();
        Stream.concat(now.chosen().stream(), now.other().stream())
                .forEach(d -> names.addAll(d.rows().keySet()));
        for (String n : names) {
            Label value = value(cell(now.chosen(), n));
            Label other = value(cell(now.other(), n));
            other.getStyleClass().add(other.getText().equals(value.getText()) ? "secondary" : "pinned-value");
            rows.addRow(rows.getRowCount(), name(n), value, other);
        }
        String text = now.chosen().map(ScheduleText::nest).orElse("");
        if (!text.equals(nest.getText())) {
            nest.setText(text);
        }
    }

    private static String cell(Optional<ScheduleText> of, String row) {
        return of.map(d -> d.rows().getOrDefault(row, "\u2013")).orElse("");
    }

    private static ScheduleText describe(Schedule s, String device) {
        LoopNest main = s.main();
        var rows = new LinkedHashMap<String, String>();
        rows.put("Fused operators", s.epilogue().words());
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
        rows.put("Kept per thread", "at least " + Quantity.count(main.localFloats()) + " floats");
        if (ModelDevice.KIND.isOf(device)) {
            ModelDevice gpu =
                    ModelDevice.named(ModelDevice.KIND.argument(device).orElse(""));
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
                rows.put("Limited by", e.limit() + " (model)");
                rows.put("Registers", String.format(Locale.ROOT, "%.0f per thread (model)", e.registers()));
                rows.put("Waves", String.format(Locale.ROOT, "%.2g (model)", e.waves()));
                rows.put("Bound by", e.bound() + " (model)");
            }
        }
        return new ScheduleText(
                rows, s.kernels().stream().map(LoopNest::toString).collect(Collectors.joining("\n")));
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
