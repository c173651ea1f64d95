package knobscape.app.ui.bench;

import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.bench.BenchViewModel.Shown;
import knobscape.app.ui.bench.BenchViewModel.State;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.plot.FigureView;
import knobscape.app.ui.plot.Lines;
import knobscape.app.ui.plot.PlotContext;
import knobscape.app.ui.space.PruningBars;
import knobscape.app.ui.space.Sizes;
import knobscape.project.Numbers;
import knobscape.bench.Bench;
import knobscape.bench.BenchReport;
import knobscape.bench.BenchReport.Cell;
import org.kordamp.ikonli.javafx.FontIcon;

/// The page of benches: left which there are, right one with its settings, what it is doing, and its table, aims, curves and notes.
public final class BenchView {
    private static final double LIST_WIDTH = 216;
    private static final double NUMBER_WIDTH = 104;
    private static final double TEXT_WIDTH = 128;
    private static final String NO_CURVES = "This bench has left no curves.";

    private final BenchViewModel model;
    private final Runnable back;
    private final HBox root = new HBox();
    private final TableView<List<Cell>> table = new TableView<>();
    private final TableView<BenchReport.Aim> aims = new TableView<>();
    private final VBox notes = new VBox();
    private final ComboBox<String> subjects = new ComboBox<>();
    private final ObjectProperty<FigureView.Content> shownCurves = new SimpleObjectProperty<>(FigureView.Content.empty(NO_CURVES));
    private final FigureView plot;
    private final VBox bars = new VBox();
    private final StackPane pictures = new StackPane();
    private final VBox curves;
    private final Label title = new Label();
    private final Label from = new Label();

    /// @param model what to show
    /// @param plots what plots need
    /// @param back leaves the page
    public BenchView(BenchViewModel model, PlotContext plots, Runnable back) {
        this.model = model;
        this.back = back;
        this.plot = new FigureView(plots, "Curves of the bench", shownCurves, k -> { });
        this.curves = new VBox(subjects, plot);
        build();
    }

    /// The view.
    public Parent root() {
        return root;
    }

    private void build() {
        var list = new ListView<>(FXCollections.observableArrayList(model.benches()));
        list.setId("benches");
        list.getStyleClass().add("bench-list");
        list.setAccessibleText("Benches");
        list.setCellFactory(l -> new BenchCell());
        list.getSelectionModel().select(model.selected().get());
        list.getSelectionModel().selectedItemProperty().addListener((o, was, is) -> Optional.ofNullable(is).ifPresent(model.selected()::set));
        model.selected().addListener((o, was, is) -> list.getSelectionModel().select(is));
        VBox.setVgrow(list, Priority.ALWAYS);
        var open = new Button("Open result");
        open.setTooltip(new Tooltip("Show the table of an earlier run (NAME.json in its folder)"));
        open.setOnAction(e -> model.openResult());
        var leave = new Button("Back", new FontIcon("mdi2a-arrow-left"));
        leave.setId("leaveBenches");
        leave.getStyleClass().add("flat");
        leave.setAccessibleText("Leave the benchmarks");
        leave.setOnAction(e -> back.run());
        var buttons = new HBox(leave, spacer(), open);
        buttons.getStyleClass().add("bench-line");
        var left = new VBox(buttons, list);
        left.getStyleClass().add("place-left");
        left.setMinWidth(LIST_WIDTH);
        left.setPrefWidth(LIST_WIDTH);
        left.setMaxWidth(LIST_WIDTH);

        var name = new Label();
        name.getStyleClass().add("title");
        name.textProperty().bind(Bindings.createStringBinding(() -> model.selected().get().name(), model.selected()));
        var words = new Label();
        words.getStyleClass().add("secondary");
        words.setWrapText(true);
        words.setMinHeight(Region.USE_PREF_SIZE);
        words.textProperty().bind(Bindings.createStringBinding(() -> model.selected().get().description(), model.selected()));
        from.getStyleClass().add("secondary");
        title.setWrapText(true);
        title.setMinHeight(Region.USE_PREF_SIZE);
        var book = book();
        VBox.setVgrow(book, Priority.ALWAYS);
        var right = new VBox(name, words, options(), progress(), title, book, from);
        right.getStyleClass().add("bench-page");
        right.setMinSize(0, 0);
        HBox.setHgrow(right, Priority.ALWAYS);
        root.getChildren().addAll(left, right);
        root.setMinSize(0, 0);
        model.shown().addListener((o, was, is) -> show(is));
        show(model.shown().get());
    }

    private Node options() {
        var quick = new CheckBox("Quick");
        quick.setTooltip(new Tooltip("End within a few minutes on two cores"));
        quick.selectedProperty().bindBidirectional(model.quick());
        var seeds = new TextField();
        seeds.setPromptText("seeds");
        seeds.setPrefColumnCount(4);
        seeds.setAccessibleText("Repetitions; the bench's own number where empty");
        seeds.setTooltip(new Tooltip("Repetitions; the bench's own number where empty"));
        seeds.textProperty().bindBidirectional(model.seeds());
        var pane = new FlowPane(quick, seeds, folder("Data", "Folder of measured designs", model.data(), model::chooseData),
                folder("Sources", "Folder of the sources that measured designs belong to", model.sources(), model::chooseSources), results());
        pane.getStyleClass().add("bench-options");
        return pane;
    }

    private static Button folder(String label, String help, javafx.beans.value.ObservableValue<Optional<Path>> path, Runnable choose) {
        var button = new Button();
        button.setMnemonicParsing(false);
        button.getStyleClass().add("small");
        button.textProperty().bind(path.map(p -> label + ": " + p.map(f -> String.valueOf(f.getFileName())).orElse("choose")));
        button.setTooltip(new Tooltip());
        button.getTooltip().textProperty().bind(path.map(p -> help + p.map(f -> ": " + f).orElse("; none chosen")));
        button.setAccessibleText(help);
        button.setOnAction(e -> choose.run());
        return button;
    }

    private Button results() {
        var button = new Button();
        button.setMnemonicParsing(false);
        button.getStyleClass().add("small");
        button.textProperty().bind(model.folder().map(f -> "Results: " + f.getFileName()));
        button.setTooltip(new Tooltip());
        button.getTooltip().textProperty().bind(model.folder().map(f -> "Folder of results: " + f));
        button.setAccessibleText("Folder of results");
        button.setOnAction(e -> model.chooseFolder());
        return button;
    }

    private Node progress() {
        var run = new Button("Run", new FontIcon("mdi2p-play"));
        run.setId("runBench");
        run.getStyleClass().add("accent");
        run.setOnAction(e -> model.run());
        run.disableProperty().bind(model.state().isNotEqualTo(State.IDLE));
        var stop = new Button("Stop", new FontIcon("mdi2s-stop"));
        stop.setId("stopBench");
        stop.setOnAction(e -> model.stop());
        stop.disableProperty().bind(model.state().isNotEqualTo(State.RUNNING));
        var bar = new ProgressBar();
        bar.setPrefWidth(96);
        bar.setAccessibleText("A bench is running");
        bar.visibleProperty().bind(model.state().isNotEqualTo(State.IDLE));
        bar.managedProperty().bind(bar.visibleProperty());
        var line = new Label();
        line.setId("benchLine");
        line.getStyleClass().add("secondary");
        line.setMinWidth(0);
        line.textProperty().bind(Bindings.createStringBinding(() -> (model.running().get().isPresent() && model.running().get().get() != model.selected().get()
                ? model.running().get().get().name() + ": " : "") + (model.state().get() == State.STOPPING ? "stopping; what is finished is kept"
                        : model.lines().isEmpty() ? model.state().get() == State.IDLE ? "" : "beginning" : model.lines().getLast()), model.lines(), model.state(), model.running(), model.selected()));
        HBox.setHgrow(line, Priority.ALWAYS);
        var box = new HBox(run, stop, bar, line);
        box.getStyleClass().add("bench-line");
        return box;
    }

    private Node book() {
        table.setId("benchTable");
        table.getStyleClass().add("dense");
        table.setAccessibleText("Table of the bench");
        table.setPlaceholder(new Label("Nothing has been run yet"));
        aims.setId("benchAims");
        aims.getStyleClass().add("dense");
        aims.setAccessibleText("Aims of the bench");
        aims.setPlaceholder(new Label("No aims"));
        aims.getColumns().setAll(List.of(aimColumn("Aim", 440, false, BenchReport.Aim::name), aimColumn("Met", 72, false, a -> a.met() ? "met" : "not met"),
                aimColumn("Value", NUMBER_WIDTH, true, a -> Numbers.shortest(a.value())), aimColumn("Target", 360, false, BenchReport.Aim::target)));
        var told = new ListView<>(model.lines());
        told.setAccessibleText("What the bench has told");
        told.setPlaceholder(new Label("Nothing told yet"));
        var scroll = new ScrollPane(notes);
        scroll.setFitToWidth(true);
        notes.getStyleClass().add("subject");
        subjects.setAccessibleText("Kernel of the curves");
        subjects.valueProperty().addListener((o, was, is) -> draw());
        VBox.setVgrow(plot, Priority.ALWAYS);
        curves.setMinSize(0, 0);
        var barScroll = new ScrollPane(bars);
        barScroll.setFitToWidth(true);
        bars.getStyleClass().add("subject");
        pictures.getChildren().addAll(curves, barScroll);
        barScroll.visibleProperty().bind(Bindings.isNotEmpty(bars.getChildren()));
        curves.visibleProperty().bind(barScroll.visibleProperty().not());
        return tabs(List.of(new Tab("Table", table), new Tab("Aims", aims), new Tab("Pictures", pictures), new Tab("Notes", scroll), new Tab("Log", told)));
    }

    private record Tab(String title, Node body) { }

    private static Node tabs(List<Tab> tabs) {
        var body = new StackPane();
        body.setMinSize(0, 0);
        VBox.setVgrow(body, Priority.ALWAYS);
        var group = new ToggleGroup();
        var strip = new HBox();
        strip.getStyleClass().addAll("tab-strip", "bench-tabs");
        for (Tab t : tabs) {
            var button = new ToggleButton(t.title());
            button.getStyleClass().add("tab-button");
            button.setToggleGroup(group);
            button.setOnAction(e -> button.setSelected(true));
            button.selectedProperty().addListener((o, was, is) -> {
                if (is) {
                    body.getChildren().setAll(t.body());
                }
            });
            strip.getChildren().add(button);
        }
        group.getToggles().getFirst().setSelected(true);
        var box = new VBox(strip, body);
        box.setMinSize(0, 0);
        return box;
    }

    private static TableColumn<BenchReport.Aim, String> aimColumn(String heading, double width, boolean number, java.util.function.Function<BenchReport.Aim, String> text) {
        var column = new TableColumn<BenchReport.Aim, String>(heading);
        column.setPrefWidth(width);
        column.setCellValueFactory(f -> new SimpleObjectProperty<>(text.apply(f.getValue())));
        if (number) {
            column.getStyleClass().add("number-column");
        }
        column.setCellFactory(c -> new TableCell<>() {
            @Override
            protected void updateItem(String item, boolean empty) {
                super.updateItem(item, empty);
                setText(empty ? null : item);
                setTooltip(empty || item == null ? null : new Tooltip(item));
                getStyleClass().removeAll("number-cell", "better", "worse");
                if (number) {
                    getStyleClass().add("number-cell");
                }
                if (!empty && heading.equals("Met")) {
                    getStyleClass().add("met".equals(item) ? "better" : "worse");
                }
            }
        });
        return column;
    }

    private void show(Optional<Shown> shown) {
        table.getColumns().clear();
        table.getItems().clear();
        aims.getItems().clear();
        notes.getChildren().clear();
        bars.getChildren().clear();
        title.setText(shown.map(s -> s.report().title()).orElse(""));
        from.setText(shown.map(s -> "From " + s.from()).orElse(""));
        if (shown.isPresent()) {
            BenchReport r = shown.get().report();
            for (int i = 0; i < r.columns().size(); i++) {
                table.getColumns().add(column(r, i));
            }
            table.getItems().setAll(r.rows());
            aims.getItems().setAll(r.aims());
            r.notes().forEach(n -> {
                var label = new Label(n);
                label.setWrapText(true);
                notes.getChildren().add(label);
            });
            bars.getChildren().setAll(bars(r));
        }
        List<String> names = shown.map(s -> List.copyOf(s.curves().keySet())).orElse(List.of());
        subjects.setItems(FXCollections.observableArrayList(names));
        subjects.setVisible(!names.isEmpty());
        subjects.setValue(names.stream().findFirst().orElse(null));
        draw();
    }

    private void draw() {
        Map<String, Lines> all = model.shown().get().map(Shown::curves).orElse(Map.of());
        shownCurves.set((subjects.getValue() == null ? Lines.none() : all.getOrDefault(subjects.getValue(), Lines.none())).content(NO_CURVES));
    }

    /// A table of space sizes as pairs of bars; none for another table.
    private static List<Node> bars(BenchReport r) {
        List<String> keys = r.columns().stream().map(BenchReport.Column::key).toList();
        int before = keys.indexOf("log10Before");
        int after = keys.indexOf("log10After");
        if (before < 0 || after < 0) {
            return List.of();
        }
        double full = r.rows().stream().mapToDouble(row -> number(row.get(before))).max().orElse(1);
        return r.rows().stream().<Node>map(row -> new PruningBars(row.getFirst().shown(), size(number(row.get(before))), size(number(row.get(after))), full)).toList();
    }

    private static double number(Cell cell) {
        return cell instanceof Cell.Number n ? n.value() : 0;
    }

    private static BigInteger size(double log10) {
        return Sizes.ofLog10(log10);
    }

    private static TableColumn<List<Cell>, Cell> column(BenchReport report, int i) {
        boolean count = isCount(report, i);
        boolean number = count || report.isNumeric(i);
        var column = new TableColumn<List<Cell>, Cell>(report.columns().get(i).heading());
        column.setPrefWidth(number ? NUMBER_WIDTH : TEXT_WIDTH);
        column.setCellValueFactory(f -> new SimpleObjectProperty<>(f.getValue().get(i)));
        column.setComparator((a, b) -> count ? new BigInteger(a.shown()).compareTo(new BigInteger(b.shown())) : number ? Double.compare(number(a), number(b)) : a.shown().compareToIgnoreCase(b.shown()));
        if (number) {
            column.getStyleClass().add("number-column");
        }
        column.setCellFactory(c -> new TableCell<>() {
            @Override
            protected void updateItem(Cell item, boolean empty) {
                super.updateItem(item, empty);
                setText(empty || item == null ? null : count ? Quantity.count(new BigInteger(item.shown()).longValue()) : item.shown());
                getStyleClass().remove("number-cell");
                if (number) {
                    getStyleClass().add("number-cell");
                }
            }
        });
        return column;
    }

    /// Whether a column holds whole numbers that are kept as words, as they are too exact for a number.
    static boolean isCount(BenchReport report, int i) {
        return !report.rows().isEmpty() && report.rows().stream().allMatch(row -> row.get(i) instanceof Cell.Text t && t.text().matches("[0-9]{1,18}"));
    }

    private static Node spacer() {
        var spacer = new Region();
        HBox.setHgrow(spacer, Priority.ALWAYS);
        return spacer;
    }

    private static final class BenchCell extends ListCell<Bench> {
        @Override
        protected void updateItem(Bench bench, boolean empty) {
            super.updateItem(bench, empty);
            setText(null);
            setGraphic(null);
            setTooltip(null);
            if (!empty && bench != null) {
                var name = new Label(bench.name());
                setGraphic(name);
                setTooltip(new Tooltip(bench.description()));
                setAccessibleText(String.format(Locale.ROOT, "%s: %s", bench.name(), bench.description()));
            }
        }
    }
}
