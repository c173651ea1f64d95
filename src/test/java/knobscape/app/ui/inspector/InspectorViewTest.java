package knobscape.app.ui.inspector;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.GridPane;
import knobscape.app.ui.Toolkit;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.designs.OtherEvaluators;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Runs;
import knobscape.app.ui.insight.InsightViewModel;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.explore.BoxEvaluator;
import knobscape.explore.Prediction;
import knobscape.project.Design;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The sheet keeps its rows from design to design; what they show must not depend on what they showed before.
class InspectorViewTest {
    private static final int DESIGNS = 24;

    private final Results results = new Results(Background.direct(), new UndoStack());
    private final InspectorViewModel model = new InspectorViewModel(results);
    private final InsightViewModel insight =
            new InsightViewModel(Background.direct(), results, () -> Optional.of(Runs.SPACE), c -> {});

    @BeforeAll
    static void toolkit() {
        Toolkit.start();
    }

    @BeforeEach
    void open() {
        var fold = new DesignFold(Runs.SPACE.knobs(), Optional.of(Runs.baseline()));
        fold.apply(List.of(Runs.started()));
        List<Fidelity> reached = List.of(BoxEvaluator.HLS, BoxEvaluator.IMPL);
        for (int k = 0; k < DESIGNS; k++) {
            var c = Runs.SPACE.at(BigInteger.valueOf(40 + k));
            Optional<Prediction> expected = k % 3 == 0
                    ? Optional.of(
                            new Prediction("impl", Map.of("delay", new Prediction.Interval(2_000 + k, 1_500, 2_500))))
                    : Optional.empty();
            fold.apply(List.of(Runs.proposed(c, k, expected)));
            fold.apply(Runs.evaluated(c, k, reached.get(k % 2)));
        }
        results.open(fold.set());
    }

    private Parent view() {
        return new InspectorView(model, insight, List.of()).root();
    }

    @Test
    void whatIsShownDoesNotDependOnWhatWasShownBefore() throws Exception {
        Toolkit.run(() -> {
            Parent kept = view();
            var random = new Random(3);
            for (int i = 0; i < 60; i++) {
                switch (random.nextInt(5)) {
                    case 0 -> results.select(Results.BASELINE);
                    case 1 -> results.togglePin(1 + random.nextInt(DESIGNS));
                    case 2 -> insight.tryOut(random.nextInt(3), random.nextInt(2));
                    default -> results.select(1 + random.nextInt(DESIGNS));
                }
                assertThat(shown(kept)).isEqualTo(shown(view()));
            }
        });
    }

    @Test
    void theSecondTimeADesignIsShownNothingIsMade() throws Exception {
        Toolkit.run(() -> {
            Parent sheet = view();
            var before = new ArrayList<Node>();
            for (int design = 1; design <= DESIGNS; design++) {
                results.select(design);
                nodes(sheet, before);
            }
            for (int design = 1; design <= DESIGNS; design++) {
                results.select(design);
                var after = new ArrayList<Node>();
                nodes(sheet, after);
                assertThat(before).containsAll(after);
            }
        });
    }

    @Test
    void whatOtherEvaluatorsSayStandsBesideAndIsNeverTheBest() throws Exception {
        Toolkit.run(() -> {
            results.select(2);
            Design own = results.selectedDesign().orElseThrow();
            Evaluation hardware = new Evaluation(
                    own.configuration(),
                    BoxEvaluator.IMPL,
                    new Outcome.Measured(Map.of("delay", 1.0, "bram", 7.0)),
                    1,
                    new Provenance("open:ecp5", "1", 1, Provenance.Source.MEASURED));
            EvaluatorInfo mine = results.set().info().orElseThrow();
            var metrics = new ArrayList<>(mine.metrics());
            metrics.add(new Metric("bram", "BRAM", "", Metric.Direction.MINIMISE, Double.NaN));
            var info = new EvaluatorInfo(
                    "open:ecp5",
                    "",
                    Provenance.Source.MEASURED,
                    mine.fidelities(),
                    metrics,
                    mine.reported(),
                    mine.objectives(),
                    mine.typicalSeconds());
            results.others()
                    .source(new OtherEvaluators.Source(
                            "Built-in estimator",
                            c -> c.equals(own.configuration())
                                    ? List.of(new OtherEvaluators.Told(
                                            "Open flow, ECP5",
                                            info,
                                            new Design(1, c, List.of(hardware), 0, "", Optional.empty())))
                                    : List.of()));
            var open = new SimpleBooleanProperty(true);
            Parent view = new CompareView(results, open).root();
            results.select(3);
            assertThat(words(view)).doesNotContain("Open flow, ECP5");
            results.select(2);
            assertThat(words(view)).contains("baseline", "#2, Built-in estimator", "Open flow, ECP5", "7");
            Label badge = labels(view)
                    .filter(l -> l.getText().equals("Open flow, ECP5"))
                    .findFirst()
                    .orElseThrow();
            assertThat(badge.getStyleClass()).contains("badge");
            int column = GridPane.getColumnIndex(badge);
            assertThat(labels(view)
                            .filter(l -> GridPane.getColumnIndex(l) != null && GridPane.getColumnIndex(l) == column))
                    .hasSizeGreaterThan(1)
                    .noneMatch(l -> l.getStyleClass().contains("emphasis"));
        });
    }

    private static Stream<Label> labels(Parent of) {
        var all = new ArrayList<Node>();
        nodes(of, all);
        return all.stream().filter(Label.class::isInstance).map(Label.class::cast);
    }

    private static List<String> words(Parent of) {
        return labels(of).map(Label::getText).toList();
    }

    /// Every word, choice and style on the sheet, in order.
    private static List<String> shown(Parent sheet) {
        var all = new ArrayList<Node>();
        nodes(sheet, all);
        return all.stream()
                .map(n -> n.getStyleClass()
                        + (n.isDisable() ? " off" : "")
                        + " "
                        + n.getAccessibleText()
                        + switch (n) {
                            case Label l ->
                                " " + l.getText() + l.isWrapText() + GridPane.getColumnIndex(l)
                                        + GridPane.getRowIndex(l) + GridPane.getColumnSpan(l);
                            case ToggleButton b -> " " + b.getText() + b.isSelected();
                            case ComboBox<?> b -> " " + b.getValue();
                            default -> "";
                        })
                .map(String::strip)
                .toList();
    }

    /// The nodes that take room, in order.
    private static void nodes(Node node, List<Node> into) {
        if (!node.isVisible() && !node.isManaged()) {
            return;
        }
        into.add(node);
        if (node instanceof ScrollPane s && s.getContent() != null) {
            nodes(s.getContent(), into);
        } else if (node instanceof Parent p) {
            p.getChildrenUnmodifiable().forEach(n -> nodes(n, into));
        }
    }
}
