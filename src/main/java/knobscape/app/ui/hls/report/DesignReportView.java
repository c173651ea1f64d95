package knobscape.app.ui.hls.report;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javafx.beans.InvalidationListener;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.geometry.HPos;
import javafx.scene.Node;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.plot.FigureView;
import knobscape.app.ui.plot.FigureView.Content;
import knobscape.app.ui.plot.PlotContext;
import knobscape.app.ui.task.LatestTask;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.evaluate.estimator.LoopEstimate;
import knobscape.hls.evaluate.estimator.LoopSchedule;
import knobscape.project.Design;

/// The page with the report of the selected design, beside its source. It is made only while it is looked at.
public final class DesignReportView {
    private static final double ROW = 18;
    /// Counts from here on are written with a power of ten.
    private static final double LONGEST = 1e7;
    private static final double FRAME = 110;

    private final Results results;
    private final Supplier<Optional<HlsWorkbench>> open;
    private final Consumer<String> toLoop;
    private final ObjectProperty<Content> content = new SimpleObjectProperty<>(Content.empty(""));
    private final VBox body = new VBox();
    private final Label empty = new Label("Select a design to see its loops, resources and schedule.");
    private final Label words = new Label();
    private final FigureView figure;
    private final ScrollPane root = new ScrollPane(body);
    private final LatestTask<Optional<DesignReport>> making;
    private Optional<Design> made = Optional.empty();
    private Optional<DesignReport> report = Optional.empty();
    private String loop = "";

    /// @param results whose selected design it is of
    /// @param open the kernel that is open; empty where none is
    /// @param plots what the figure needs
    /// @param toLoop shows a loop in the source, by its id
    public DesignReportView(
            Results results, Supplier<Optional<HlsWorkbench>> open, PlotContext plots, Consumer<String> toLoop) {
        this.results = results;
        this.open = open;
        this.toLoop = toLoop;
        this.figure = new FigureView(plots, "Operations over cycles", content, k -> {});
        this.making = new LatestTask<>(plots.background(), this::show, plots.failed());
        body.getStyleClass().add("design-report");
        words.setWrapText(true);
        words.setMinHeight(Region.USE_PREF_SIZE);
        words.getStyleClass().add("secondary");
        empty.setWrapText(true);
        empty.getStyleClass().add("secondary");
        root.setFitToWidth(true);
        root.setMinSize(0, 0);
        root.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        root.setAccessibleText("Report of the selected design");
        InvalidationListener look = o -> refresh();
        results.selected().addListener(look);
        results.shown().addListener(look);
        root.sceneProperty().addListener(look);
        show(Optional.empty());
    }

    /// The view.
    public Node root() {
        return root;
    }

    private void refresh() {
        if (root.getScene() == null) {
            return;
        }
        Optional<HlsWorkbench> bench = open.get();
        Optional<Design> design = results.selectedDesign()
                .filter(d -> bench.filter(
                                b -> b.space().knobs().equals(d.configuration().knobs()))
                        .isPresent());
        if (!design.equals(made)) {
            made = design;
            making.submit(() -> design.map(d -> DesignReport.of(bench.orElseThrow(), d)));
        }
    }

    private void show(Optional<DesignReport> now) {
        report = now;
        body.getChildren().clear();
        if (now.isEmpty()) {
            body.getChildren().add(empty);
            content.set(Content.empty(""));
            return;
        }
        DesignReport r = now.get();
        body.getChildren().addAll(title("Resources of " + r.part()), line(r.source()), uses(r));
        r.timing().ifPresent(t -> body.getChildren().addAll(title("Timing"), timing(t)));
        if (!r.loops().isEmpty()) {
            body.getChildren().addAll(title("Loops"), line("built-in estimate"), loops(r));
        }
        body.getChildren().addAll(words, figure);
        turnTo(r.schedule(loop)
                .or(() -> r.schedules().stream().max(java.util.Comparator.comparingDouble(s -> cycles(r, s.loop()))))
                .map(LoopSchedule::loop)
                .orElse(""));
    }

    private static double cycles(DesignReport r, String loop) {
        return r.loops().stream()
                .filter(l -> l.loop().equals(loop))
                .mapToDouble(LoopEstimate::latency)
                .max()
                .orElse(0);
    }

    private void turnTo(String next) {
        loop = next;
        Optional<LoopSchedule> s = report.flatMap(r -> r.schedule(next));
        words.setText(s.map(x -> "Schedule of " + x.loop() + ": " + DesignReport.words(x))
                .orElse(""));
        content.set(s.map(x -> Content.of(() -> DesignReport.figure(x)))
                .orElseGet(() -> Content.empty("No loop is left whose operations could be shown")));
        double height = FRAME + ROW * s.map(x -> DesignReport.rows(x).size()).orElse(4);
        figure.setMinHeight(height);
        figure.setPrefHeight(height);
    }

    private static Label title(String words) {
        var label = new Label(words);
        label.getStyleClass().add("section-title");
        return label;
    }

    private static Label line(String words) {
        var label = new Label(words);
        label.getStyleClass().add("secondary");
        return label;
    }

    private static GridPane uses(DesignReport r) {
        GridPane grid = grid(4);
        add(grid, 0, "", "used", "available", "share");
        int row = 1;
        for (DesignReport.Use u : r.uses()) {
            add(
                    grid,
                    row++,
                    u.name(),
                    Quantity.count(Math.round(u.used())),
                    Quantity.count(u.available()),
                    DesignReport.percent(u.percent()));
        }
        return grid;
    }

    private static GridPane timing(DesignReport.Timing t) {
        GridPane grid = grid(4);
        add(grid, 0, "", "target", "period", "slack");
        add(grid, 1, "Clock (ns)", ns(t.target()), ns(t.period()), ns(t.slack()));
        return grid;
    }

    private static String ns(double v) {
        return String.format(Locale.ROOT, "%.2f", v);
    }

    private GridPane loops(DesignReport r) {
        GridPane grid = grid(5);
        add(grid, 0, "", "II", "depth", "trips", "cycles");
        int row = 1;
        // Copies of an unrolled loop are alike.
        var copies = new LinkedHashMap<LoopEstimate, Integer>();
        r.loops().forEach(l -> copies.merge(l, 1, Integer::sum));
        for (LoopEstimate l : copies.keySet()) {
            int alike = copies.getOrDefault(l, 1);
            boolean left = l.state() == LoopEstimate.State.PIPELINED || l.state() == LoopEstimate.State.SEQUENTIAL;
            add(
                    grid,
                    row,
                    "",
                    l.interval() > 0 ? Integer.toString(l.interval()) : "\u2013",
                    left ? Quantity.count(l.depth()) : "\u2013",
                    amount(l.trip()),
                    left ? amount(l.latency()) : l.state().name().toLowerCase(Locale.ROOT));
            var link = new Hyperlink((alike > 1 ? alike + " \u00d7 " : "") + l.loop());
            link.setAccessibleText("Show loop " + l.loop() + " in the source, and its schedule");
            link.setMinWidth(40);
            link.setOnAction(e -> {
                toLoop.accept(l.loop());
                if (r.schedule(l.loop()).isPresent()) {
                    turnTo(l.loop());
                }
            });
            grid.add(link, 0, row++);
        }
        return grid;
    }

    /// A count that a narrow column has room for.
    private static String amount(double n) {
        return n < LONGEST ? Quantity.count(Math.round(n)) : String.format(Locale.ROOT, "%.2g", n);
    }

    private static GridPane grid(int columns) {
        var grid = new GridPane();
        grid.getStyleClass().add("report-grid");
        for (int i = 0; i < columns; i++) {
            var c = new ColumnConstraints();
            c.setHgrow(i == 0 ? Priority.ALWAYS : Priority.NEVER);
            c.setHalignment(i == 0 ? HPos.LEFT : HPos.RIGHT);
            grid.getColumnConstraints().add(c);
        }
        return grid;
    }

    private static void add(GridPane grid, int row, String... cells) {
        for (int i = 0; i < cells.length; i++) {
            if (!cells[i].isEmpty()) {
                var label = new Label(cells[i]);
                label.getStyleClass().add(row == 0 ? "secondary" : i == 0 ? "plain" : "figure");
                label.setMinWidth(Region.USE_PREF_SIZE);
                grid.add(label, i, row);
            }
        }
    }
}
