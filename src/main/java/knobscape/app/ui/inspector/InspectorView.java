package knobscape.app.ui.inspector;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableBooleanValue;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.scene.text.Text;
import knobscape.app.ui.designs.MarkGlyph;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.WhatIf;
import knobscape.app.ui.insight.InsightViewModel;
import knobscape.app.ui.insight.Waterfall;
import knobscape.app.ui.insight.WaterfallView;
import knobscape.app.ui.inspector.Cells.Cell;
import knobscape.app.ui.inspector.InspectorViewModel.Ladder;
import knobscape.app.ui.inspector.InspectorViewModel.Sheet;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.NodePool;
import knobscape.app.ui.view.Nodes;
import knobscape.app.ui.view.Tabs;
import knobscape.app.ui.view.Tabs.Tab;
import knobscape.evaluate.Metric;
import knobscape.project.Design;
import knobscape.space.Configuration;

/// Shows one design.
public final class InspectorView {
    /// Number of the design whose note stands in the field.
    private int noted = Results.NOTHING;

    private String shownNote = "";
    private Consumer<String> keeper = words -> {};

    private final InspectorViewModel model;
    private final InsightViewModel insight;
    private final List<Node> actions;
    private final KnobList rows;
    private final WaterfallView waterfall = new WaterfallView();
    private final NodePool<ObjectiveLine> objectiveLines = new NodePool<>(ObjectiveLine::new);
    private final NodePool<PredictionLine> predictionLines = new NodePool<>(PredictionLine::new);
    private final Cells ladderCells = new Cells();
    private final Parent root;
    /// Name of the objective whose waterfall is shown.
    private String explained = "delay";
    /// The configuration and the objective whose way was last asked for.
    private Optional<ExplainedDesign> way = Optional.empty();
    /// The objectives that the segments above it offer, and the chosen one.
    private Optional<Segments> segments = Optional.empty();

    private record ExplainedDesign(Configuration configuration, Metric objective) {}

    private record Segments(List<Metric> objectives, int chosen) {}

    @FXML
    private VBox empty;

    @FXML
    private Button showBaseline;

    @FXML
    private VBox sheet;

    @FXML
    private Label title;

    @FXML
    private Label standing;

    @FXML
    private Label origin;

    @FXML
    private Label reason;

    @FXML
    private TextField note;

    @FXML
    private ToggleButton pin;

    @FXML
    private HBox pins;

    @FXML
    private MenuButton against;

    @FXML
    private VBox objectives;

    @FXML
    private VBox predicted;

    @FXML
    private VBox predictedSection;

    @FXML
    private GridPane ladder;

    @FXML
    private Label knobsTitle;

    @FXML
    private CheckBox allKnobs;

    @FXML
    private StackPane knobs;

    @FXML
    private HBox takeAway;

    @FXML
    private Label whyTitle;

    @FXML
    private HBox whySegments;

    @FXML
    private StackPane why;

    @FXML
    private VBox triedSection;

    @FXML
    private Label triedWords;

    @FXML
    private Button evaluate;

    @FXML
    private Label source;

    @FXML
    private ToggleButton comparing;

    @FXML
    private HBox tabs;

    @FXML
    private StackPane page;

    @FXML
    private VBox whyPage;

    @FXML
    private VBox knobsPage;

    @FXML
    private VBox stagesPage;

    @FXML
    private Label noWhy;

    /// @param model what to show
    /// @param insight why, and what if
    /// @param actions buttons that take the design away
    public InspectorView(InspectorViewModel model, InsightViewModel insight, List<Node> actions) {
        this.model = model;
        this.insight = insight;
        this.actions = List.copyOf(actions);
        this.rows = new KnobList(model.results(), insight);
        this.root = Fxml.load("inspector/inspector", this);
    }

    /// Says nothing of a selection while designs are still being read.
    public InspectorView quietWhile(ObservableBooleanValue reading) {
        empty.opacityProperty().bind(Bindings.when(reading).then(0.0).otherwise(1.0));
        empty.disableProperty().bind(reading);
        return this;
    }

    /// The view.
    public Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        Results results = model.results();
        showBaseline.setOnAction(e -> results.select(Results.BASELINE));
        showBaseline
                .visibleProperty()
                .bind(results.shown().map(s -> s.set().baseline().isPresent()));
        results.pins().addListener((javafx.collections.ListChangeListener<Integer>) c -> {
            showPins();
            // A pin of another design is compared with too, and the fifth leaves no room for this one.
            show(model.sheet().get());
        });
        pin.setOnAction(e -> {
            if (!results.togglePin(results.selected().get())) {
                // The button has taken the click all the same.
                show(model.sheet().get());
            }
        });
        note.setOnAction(e -> keepNote());
        note.focusedProperty().addListener((o, was, is) -> {
            if (!is) {
                keepNote();
            }
        });
        takeAway.getChildren()
                .setAll(Stream.concat(Stream.of(pin), actions.stream()).toList());
        comparing.selectedProperty().bindBidirectional(model.comparing());
        new Tabs(
                tabs,
                page,
                List.of(new Tab("Why", whyPage), new Tab("Knobs", knobsPage), new Tab("Stages", stagesPage)),
                List.of("tab-button"),
                "Knobs",
                _ -> {});
        knobs.getChildren().add(rows);
        why.getChildren().add(waterfall);
        evaluate.setOnAction(e -> insight.evaluate());
        insight.insight().addListener((o, was, is) -> show(model.sheet().get()));
        results.whatIf().addListener((o, was, is) -> model.sheet().get().ifPresent(this::showKnobs));
        allKnobs.selectedProperty()
                .addListener((o, was, is) -> model.sheet().get().ifPresent(this::showKnobs));
        model.sheet().addListener((o, was, is) -> show(is));
        model.choices().addListener((o, was, is) -> showChoices());
        model.against().addListener((o, was, is) -> showChoices());
        showChoices();
        showPins();
        show(model.sheet().get());
    }

    private void keepNote() {
        if (!note.getText().strip().equals(shownNote)) {
            shownNote = note.getText().strip();
            keeper.accept(shownNote);
        }
    }

    private void showChoices() {
        against.setText("Against " + model.choiceTitle(model.against().get()));
        Nodes.show(against, !model.choices().get().isEmpty());
        against.getItems()
                .setAll(model.choices().get().stream()
                        .map(number -> {
                            var item = new MenuItem(model.choiceTitle(number));
                            item.setMnemonicParsing(false);
                            item.setOnAction(e -> model.against().set(number));
                            return item;
                        })
                        .toList());
    }

    private void show(Optional<Sheet> sheet) {
        this.sheet.setVisible(sheet.isPresent());
        empty.setVisible(sheet.isEmpty());
        if (sheet.isEmpty()) {
            keepNote();
            noted = Results.NOTHING;
            note.clear();
            shownNote = "";
            return;
        }
        Sheet s = sheet.get();
        title.setText(s.title());
        standing.setText(s.standing().map(x -> x.words()).orElse("baseline"));
        standing.setGraphic(s.standing().map(MarkGlyph::new).orElseGet(MarkGlyph::baseline));
        origin.setText(s.origin());
        keepNote();
        keeper = model.results().noteKeeper(s.number());
        shownNote = model.results().note(s.number());
        if (noted != s.number() || !note.isFocused()) {
            noted = s.number();
            note.setText(shownNote);
        }
        reason.setText(s.reason().orElse(""));
        Nodes.show(reason, s.reason().isPresent());
        pin.setSelected(s.pin() > 0);
        pin.setText(s.pin() > 0 ? "Pinned " + s.pin() : "Pin");
        pin.setDisable(s.pin() == 0 && model.results().pins().size() == Results.MAX_PINS);
        source.setText(s.source());
        Nodes.show(source, !s.source().isEmpty());
        objectiveLines.show(objectives, s.objectives(), ObjectiveLine::show);
        predictionLines.show(
                predicted,
                s.objectives().stream().filter(o -> o.prediction().isPresent()).toList(),
                PredictionLine::show);
        Nodes.show(predictedSection, !predicted.getChildren().isEmpty());
        showWhy();
        showLadder(s);
        showKnobs(s);
    }

    /// The effect of each place of the source that differs from the baseline.
    private void showWhy() {
        Results results = model.results();
        List<Metric> objectives = results.set().objectives();
        int objective = (int)
                objectives.stream().takeWhile(m -> !m.name().equals(explained)).count();
        int shown = objective < objectives.size() ? objective : 0;
        Optional<ExplainedDesign> asked = results.selectedDesign()
                .filter(d -> !objectives.isEmpty())
                .map(d -> new ExplainedDesign(d.configuration(), objectives.get(shown)));
        if (!asked.equals(way)) {
            way = asked;
            // What another design's was must not stand below this one; its room stays until the answer is there.
            waterfall.setVisible(false);
            whyTitle.setText("");
            noWhy.setVisible(false);
        }
        insight.waterfall(results.selectedDesign(), shown, this::showWay);
        showSegments(objectives, shown);
    }

    private void showSegments(List<Metric> objectives, int shown) {
        var wanted = Optional.of(new Segments(objectives, shown));
        if (wanted.equals(segments)) {
            return;
        }
        segments = wanted;
        var group = new ToggleGroup();
        whySegments
                .getChildren()
                .setAll(objectives.stream()
                        .map(m -> {
                            var b = new ToggleButton(m.label());
                            b.setMnemonicParsing(false);
                            b.getStyleClass().addAll("small", "segment");
                            b.setToggleGroup(group);
                            b.setSelected(m.equals(objectives.get(shown)));
                            b.setAccessibleText("Why this " + m.label());
                            b.setOnAction(e -> {
                                b.setSelected(true);
                                explained = m.name();
                                showWhy();
                            });
                            return b;
                        })
                        .toList());
    }

    private void showWay(Optional<Waterfall> found) {
        Nodes.show(whyTitle, found.isPresent());
        Nodes.show(whySegments, found.isPresent());
        Nodes.show(why, found.isPresent());
        Nodes.show(noWhy, found.isEmpty());
        waterfall.setVisible(true);
        found.ifPresent(w -> whyTitle.setText(waterfall.show(w)));
    }

    private void showPins() {
        Results results = model.results();
        pins.getChildren()
                .setAll(java.util.stream.IntStream.range(0, results.pins().size())
                        .mapToObj(i -> {
                            int number = results.pins().get(i);
                            var button = new Button(Integer.toString(i + 1));
                            button.getStyleClass().addAll("pin-badge", "pin-button");
                            button.setAccessibleText("Select pin " + (i + 1) + ", " + Results.title(number));
                            button.setTooltip(new Tooltip("Pin " + (i + 1) + ": " + Results.title(number)));
                            button.setOnAction(e -> results.select(number));
                            return button;
                        })
                        .toList());
    }

    private void showLadder(Sheet s) {
        List<Ladder> rows = s.stages().rows();
        int columns = s.stages().fidelities().size();
        var cells = new ArrayList<Cell>();
        var widths = new ArrayList<Double>();
        for (int f = 0; f < columns; f++) {
            widths.add(longestWord(rows, f));
            cells.add(Cell.heading(f + 1, s.stages().fidelities().get(f)));
        }
        for (int r = 0; r < rows.size(); r++) {
            Ladder l = rows.get(r);
            cells.add(Cell.wrapped(0, r + 1, l.label(), l.objective() ? "plain" : "secondary"));
            for (int f = 0; f < columns; f++) {
                cells.add(Cell.wrapped(f + 1, r + 1, l.values().get(f), "figure"));
            }
        }
        if (rows.isEmpty()) {
            cells.add(Cell.across(columns + 1, 1, "Nothing evaluated yet"));
        }
        ladderCells.show(ladder, ObjectiveLine.NAME_WIDTH, widths, cells);
    }

    private void showKnobs(Sheet s) {
        long differ = s.differences();
        Optional<Design> other = model.results().set().byNumber(model.against().get());
        boolean alone = other.isEmpty();
        Nodes.show(allKnobs, !alone);
        knobsTitle.setText(
                alone || differ == 0 ? "Knobs" : differ + " of " + s.knobs().size() + " knobs differ");
        Results results = model.results();
        results.selectedDesign().ifPresent(d -> rows.show(d, other, allKnobs.isSelected()));
        Optional<WhatIf> tried = results.whatIf().get();
        Nodes.show(triedSection, tried.isPresent());
        tried.ifPresent(w -> triedWords.setText(w.words()));
    }

    /// Figures are never cut: a column is at least as wide as its longest word; `does not fit` takes two lines.
    private static double longestWord(List<Ladder> rows, int column) {
        var ruler = new Text();
        return rows.stream()
                .flatMap(r -> Stream.of(r.values().get(column).split(" ")))
                .mapToDouble(w -> {
                    ruler.setText(w);
                    return ruler.getLayoutBounds().getWidth();
                })
                .max()
                .orElse(0);
    }
}
