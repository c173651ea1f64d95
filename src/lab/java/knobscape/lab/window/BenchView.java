package knobscape.lab.window;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javafx.beans.binding.Bindings;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.value.ObservableValue;
import javafx.collections.FXCollections;
import javafx.fxml.FXML;
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
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.PruningBars;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.plot.FigureView;
import knobscape.app.ui.plot.Lines;
import knobscape.app.ui.plot.PlotContext;
import knobscape.app.ui.view.Columns;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import knobscape.app.ui.view.Tabs;
import knobscape.app.ui.view.Tabs.Tab;
import knobscape.lab.bench.Bench;
import knobscape.lab.bench.BenchReport;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.window.BenchViewModel.ReportContent;
import knobscape.lab.window.BenchViewModel.State;
import knobscape.project.NumberFormats;

/// The page of benches: left which there are, right one with its settings, what it is doing, and its table,
/// aims, curves and notes.
public final class BenchView {
    private static final double NUMBER_WIDTH = 104;
    private static final double TEXT_WIDTH = 128;
    private static final String NO_CURVES = "This bench has left no curves.";

    private final BenchViewModel model;
    private final ObjectProperty<FigureView.Content> shownCurves =
            new SimpleObjectProperty<>(FigureView.Content.empty(NO_CURVES));
    private final FigureView plot;
    private final Parent root;

    @FXML
    private Button open;

    @FXML
    private ListView<Bench> list;

    @FXML
    private Label name;

    @FXML
    private Label words;

    @FXML
    private CheckBox quick;

    @FXML
    private TextField seeds;

    @FXML
    private Button data;

    @FXML
    private Button sources;

    @FXML
    private Button results;

    @FXML
    private Button run;

    @FXML
    private Button stop;

    @FXML
    private ProgressBar progress;

    @FXML
    private Label line;

    @FXML
    private Label title;

    @FXML
    private Label from;

    @FXML
    private HBox tabs;

    @FXML
    private StackPane body;

    @FXML
    private TableView<List<Cell>> table;

    @FXML
    private TableView<BenchReport.Aim> aims;

    @FXML
    private TableColumn<BenchReport.Aim, BenchReport.Aim> aim;

    @FXML
    private TableColumn<BenchReport.Aim, BenchReport.Aim> met;

    @FXML
    private TableColumn<BenchReport.Aim, BenchReport.Aim> value;

    @FXML
    private TableColumn<BenchReport.Aim, BenchReport.Aim> target;

    @FXML
    private StackPane pictures;

    @FXML
    private VBox curves;

    @FXML
    private ComboBox<String> subjects;

    @FXML
    private ScrollPane barScroll;

    @FXML
    private VBox bars;

    @FXML
    private ScrollPane noteScroll;

    @FXML
    private VBox notes;

    @FXML
    private ListView<String> log;

    /// @param model what to show
    /// @param plots what plots need
    public BenchView(BenchViewModel model, PlotContext plots) {
        this.model = model;
        this.plot = new FigureView(plots, "Curves of the bench", shownCurves, k -> {});
        this.root = Fxml.load("lab/bench", this);
    }

    /// The view.
    public Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        list.setItems(FXCollections.observableArrayList(model.benches()));
        list.setCellFactory(l -> new BenchCell());
        list.getSelectionModel().select(model.selected().get());
        list.getSelectionModel()
                .selectedItemProperty()
                .addListener((o, was, is) -> Optional.ofNullable(is).ifPresent(model.selected()::set));
        model.selected().addListener((o, was, is) -> list.getSelectionModel().select(is));
        open.setOnAction(e -> model.openResult());
        name.textProperty()
                .bind(Bindings.createStringBinding(() -> model.selected().get().name(), model.selected()));
        words.textProperty()
                .bind(Bindings.createStringBinding(() -> model.selected().get().description(), model.selected()));
        quick.selectedProperty().bindBidirectional(model.quick());
        seeds.textProperty().bindBidirectional(model.seeds());
        folder(data, "Data", model.data(), model::chooseData);
        folder(sources, "Sources", model.sources(), model::chooseSources);
        folder(results, "Results", model.folder().map(Optional::of), model::chooseFolder);
        bindProgress();
        fillBook();
        model.shown().addListener((o, was, is) -> show(is));
        show(model.shown().get());
    }

    private static void folder(Button button, String label, ObservableValue<Optional<Path>> path, Runnable choose) {
        button.textProperty()
                .bind(path.map(p -> label + ": "
                        + p.map(f -> String.valueOf(f.getFileName())).orElse("choose")));
        button.setTooltip(new Tooltip());
        button.getTooltip()
                .textProperty()
                .bind(path.map(
                        p -> button.getAccessibleText() + p.map(f -> ": " + f).orElse("; none chosen")));
        button.setOnAction(e -> choose.run());
    }

    private void bindProgress() {
        run.setOnAction(e -> model.run());
        run.disableProperty().bind(model.state().isNotEqualTo(State.IDLE));
        stop.setOnAction(e -> model.stop());
        stop.disableProperty().bind(model.state().isNotEqualTo(State.RUNNING));
        progress.visibleProperty().bind(model.state().isNotEqualTo(State.IDLE));
        progress.managedProperty().bind(progress.visibleProperty());
        line.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> (model.running().get().isPresent()
                                                && model.running().get().get()
                                                        != model.selected().get()
                                        ? model.running().get().get().name() + ": "
                                        : "")
                                + (model.state().get() == State.STOPPING
                                        ? "stopping; what is finished is kept"
                                        : model.lines().isEmpty()
                                                ? model.state().get() == State.IDLE ? "" : "beginning"
                                                : model.lines().getLast()),
                        model.lines(),
                        model.state(),
                        model.running(),
                        model.selected()));
    }

    private void fillBook() {
        show(aim, Comparator.comparing(BenchReport.Aim::name), BenchReport.Aim::name);
        show(met, Comparator.comparing(BenchReport.Aim::met), a -> a.met() ? "met" : "not met");
        show(value, Comparator.comparingDouble(BenchReport.Aim::value), a -> NumberFormats.shortest(a.value()));
        show(target, Comparator.comparing(BenchReport.Aim::target), BenchReport.Aim::target);
        log.setItems(model.lines());
        subjects.valueProperty().addListener((o, was, is) -> draw());
        VBox.setVgrow(plot, Priority.ALWAYS);
        curves.getChildren().add(plot);
        barScroll.visibleProperty().bind(Bindings.isNotEmpty(bars.getChildren()));
        curves.visibleProperty().bind(barScroll.visibleProperty().not());
        new Tabs(
                tabs,
                body,
                List.of(
                        new Tab("Table", table),
                        new Tab("Aims", aims),
                        new Tab("Pictures", pictures),
                        new Tab("Notes", noteScroll),
                        new Tab("Log", log)),
                List.of("tab-button"),
                "Table",
                t -> {});
    }

    private void show(
            TableColumn<BenchReport.Aim, BenchReport.Aim> column,
            Comparator<BenchReport.Aim> order,
            Function<BenchReport.Aim, String> text) {
        Columns.show(column, order, text, (cell, a) -> {
            cell.setTooltip(a == null ? null : new Tooltip(cell.getText()));
            cell.getStyleClass().removeAll("better", "worse");
            if (a != null && column == met) {
                cell.getStyleClass().add(a.met() ? "better" : "worse");
            }
        });
    }

    private void show(Optional<ReportContent> shown) {
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
        Map<String, Lines> all = model.shown().get().map(ReportContent::curves).orElse(Map.of());
        shownCurves.set(
                (subjects.getValue() == null ? Lines.none() : all.getOrDefault(subjects.getValue(), Lines.none()))
                        .content(NO_CURVES));
    }

    /// A table of space sizes as pairs of bars; none for another table.
    private static List<Node> bars(BenchReport r) {
        List<String> keys = r.columns().stream().map(BenchReport.Column::key).toList();
        int before = keys.indexOf("log10Before");
        int after = keys.indexOf("log10After");
        if (before < 0 || after < 0) {
            return List.of();
        }
        double full = r.rows().stream()
                .mapToDouble(row -> number(row.get(before)))
                .max()
                .orElse(1);
        return r.rows().stream()
                .<Node>map(row -> new PruningBars(
                        row.getFirst().shown(), size(number(row.get(before))), size(number(row.get(after))), full))
                .toList();
    }

    private static double number(Cell cell) {
        return cell instanceof Cell.Number n ? n.value() : 0;
    }

    /// Rounded to about fifteen digits.
    private static BigInteger size(double log10) {
        int whole = (int) Math.floor(Math.max(0, log10));
        return BigDecimal.valueOf(Math.pow(10, Math.max(0, log10) - whole))
                .scaleByPowerOfTen(whole)
                .setScale(0, RoundingMode.HALF_UP)
                .toBigInteger();
    }

    private static TableColumn<List<Cell>, Cell> column(BenchReport report, int i) {
        boolean count = isCount(report, i);
        boolean number = count || report.isNumeric(i);
        var column = new TableColumn<List<Cell>, Cell>(report.columns().get(i).heading());
        column.setPrefWidth(number ? NUMBER_WIDTH : TEXT_WIDTH);
        column.setCellValueFactory(f -> new SimpleObjectProperty<>(f.getValue().get(i)));
        column.setComparator((a, b) -> count
                ? new BigInteger(a.shown()).compareTo(new BigInteger(b.shown()))
                : number ? Double.compare(number(a), number(b)) : a.shown().compareToIgnoreCase(b.shown()));
        if (number) {
            column.getStyleClass().add("number-column");
        }
        column.setCellFactory(c -> new TableCell<>() {
            @Override
            protected void updateItem(Cell item, boolean empty) {
                super.updateItem(item, empty);
                setText(
                        empty || item == null
                                ? null
                                : count ? Quantity.count(new BigInteger(item.shown()).longValue()) : item.shown());
                Nodes.style(this, "number-cell", number);
            }
        });
        return column;
    }

    /// True if a column holds whole numbers that are kept as words, as they are too exact for a number.
    static boolean isCount(BenchReport report, int i) {
        return !report.rows().isEmpty()
                && report.rows().stream()
                        .allMatch(row ->
                                row.get(i) instanceof Cell.Text t && t.text().matches("[0-9]{1,18}"));
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
