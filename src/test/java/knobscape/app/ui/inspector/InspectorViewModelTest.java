package knobscape.app.ui.inspector;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Runs;
import knobscape.app.ui.inspector.InspectorViewModel.Sheet;
import knobscape.app.ui.inspector.InspectorViewModel.Verdict;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Provenance;
import knobscape.explore.BoxEvaluator;
import knobscape.explore.Prediction;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;
import knobscape.space.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InspectorViewModelTest {
    private final Results results = new Results(Background.direct(), new UndoStack());
    private final InspectorViewModel model = new InspectorViewModel(results);
    private Configuration chosen;

    @BeforeEach
    void open() {
        chosen = Runs.SPACE.at(BigInteger.valueOf(43));
        Configuration lower = Runs.SPACE.at(BigInteger.valueOf(44));
        var prediction = new Prediction("impl", Map.of("delay", new Prediction.Interval(2_000, 1_500, 2_500)));
        var fold = new DesignFold(Runs.SPACE.knobs(), Optional.of(Runs.baseline()));
        fold.apply(List.of(Runs.started(), Runs.proposed(chosen, 3, Optional.of(prediction))));
        fold.apply(Runs.evaluated(chosen, 3, BoxEvaluator.IMPL));
        fold.apply(List.of(Runs.proposed(lower, 4, Optional.of(prediction))));
        fold.apply(Runs.evaluated(lower, 4, BoxEvaluator.HLS));
        for (int k = 60; k < 64; k++) {
            fold.apply(Runs.evaluated(Runs.SPACE.at(BigInteger.valueOf(k)), 5, BoxEvaluator.IMPL));
        }
        results.open(fold.set());
    }

    private Sheet sheet() {
        return model.sheet().get().orElseThrow();
    }

    @Test
    void nothingSelectedIsSaid() {
        results.select(Results.NOTHING);
        assertThat(model.sheet().get()).isEmpty();
    }

    @Test
    void objectivesAgainstTheBaselineWithUnitSourceAndVerdict() {
        results.select(1);
        assertThat(sheet().title()).isEqualTo("Design #1");
        assertThat(model.choiceTitle(model.against().get())).isEqualTo("baseline");
        assertThat(sheet().objectives()).extracting(o -> o.label()).containsExactly("Power", "Delay", "LUT");
        assertThat(sheet().objectives())
                .extracting(o -> o.verdict())
                .containsExactly(Verdict.WORSE, Verdict.BETTER, Verdict.WORSE);
        assertThat(sheet().objectives()).allMatch(o -> o.source().equals("impl, model"));
        assertThat(sheet().objectives().getFirst().value()).endsWith(" W");
    }

    @Test
    void besideABuiltInEstimateStandsHowGoodItIs() {
        model.accuracy((stage, metric) ->
                metric.equals("delay") ? Optional.of("ranks 0.94 on gemm at " + stage) : Optional.empty());
        results.select(1);
        assertThat(sheet().objectives()).allMatch(o -> o.source().equals("impl, model"));
        var fold = new DesignFold(Runs.SPACE.knobs(), Optional.empty());
        fold.apply(List.of(Runs.started()));
        var proposal = new Proposal(chosen, BoxEvaluator.HLS, Double.NaN, Optional.empty(), "test");
        for (Evaluation e : Runs.evaluated(chosen, BoxEvaluator.HLS)) {
            var estimate = new Evaluation(
                    e.configuration(),
                    e.fidelity(),
                    e.outcome(),
                    e.costSeconds(),
                    new Provenance("estimator", "2", 1, Provenance.Source.BUILT_IN_ESTIMATE));
            fold.apply(List.of(new RunEvent.StageDone(0, 1, 0, proposal, estimate)));
        }
        results.open(fold.set());
        results.select(1);
        assertThat(sheet().objectives()).extracting(o -> o.accuracy()).contains("", "ranks 0.94 on gemm at hls");
        assertThat(sheet().source()).isEqualTo("hls, built-in estimate");
    }

    @Test
    void resultsStandAtEachFidelityAndWhatIsMissingIsEmpty() {
        results.select(1);
        assertThat(sheet().stages().fidelities()).containsExactly("hls", "syn", "impl");
        assertThat(sheet().stages().rows())
                .hasSize(4)
                .allMatch(l -> l.values().stream().noneMatch(String::isEmpty));
        results.select(2);
        assertThat(sheet().stages().rows())
                .allMatch(l -> !l.values().get(0).isEmpty() && l.values().get(2).isEmpty());
        assertThat(sheet().objectives().get(1).source()).isEqualTo("predicted");
    }

    @Test
    void predictionStandsBesideWhatWasMeasured() {
        results.select(1);
        var p = sheet().objectives().get(1).prediction().orElseThrow();
        double measured = Runs.evaluated(chosen, BoxEvaluator.IMPL)
                .getLast()
                .value("delay")
                .orElseThrow();
        assertThat(p.measured() / p.median()).isCloseTo(measured / 2_000, org.assertj.core.data.Offset.offset(1e-9));
        assertThat(p.words()).isEqualTo("predicted 2.00 \u00b5s (1.50 to 2.50)");
        results.select(2);
        assertThat(sheet().objectives().get(1).prediction().orElseThrow().measured())
                .isNaN();
    }

    @Test
    void knobsThatDifferFromTheBaselineOrFromAPin() {
        results.select(1);
        assertThat(sheet().knobs())
                .filteredOn(k -> k.differs())
                .allMatch(k -> k.other().equals("1") && k.value().equals(chosen.value(k.name())));
        assertThat(sheet().differences())
                .isEqualTo(java.util.stream.IntStream.range(0, 3)
                        .filter(k -> chosen.level(k) != 0)
                        .count());

        results.togglePin(2);
        model.nextComparison();
        assertThat(model.choiceTitle(model.against().get())).isEqualTo("#2 (pin 1)");
        assertThat(sheet().differences()).isEqualTo(1);
        results.togglePin(2);
        assertThat(model.choiceTitle(model.against().get())).isEqualTo("baseline");
    }

    @Test
    void baselineCanBeInspectedToo() {
        results.select(Results.BASELINE);
        assertThat(sheet().title()).isEqualTo("Baseline");
        assertThat(sheet().standing()).isEmpty();
        assertThat(sheet().differences()).isZero();
    }

    @Test
    void theKeyComparesNoDesignWithItself() {
        results.togglePin(1);
        results.togglePin(2);
        results.select(2);
        model.nextComparison();
        assertThat(model.choiceTitle(model.against().get())).isEqualTo("#1 (pin 1)");
        model.nextComparison();
        assertThat(model.choiceTitle(model.against().get())).isEqualTo("baseline");
    }

    @Test
    void sideBySideStandsOnlyWhatDiffersAndTheBestIsMarked() {
        results.select(Results.NOTHING);
        assertThat(Comparison.of(results).rows()).isEmpty();
        results.togglePin(3);
        results.togglePin(4);
        results.togglePin(5);
        results.select(1);
        Comparison c = Comparison.of(results);
        assertThat(c.heads()).containsExactly("baseline", "#3", "#4", "#5", "#1");
        assertThat(c.rows()).allSatisfy(r -> assertThat(Set.copyOf(r.values())).hasSizeGreaterThan(1));
        Comparison.Line delay = c.rows().stream()
                .filter(r -> r.name().startsWith("Delay"))
                .findFirst()
                .orElseThrow();
        List<Double> values = List.of(Results.BASELINE, 3, 4, 5, 1).stream()
                .map(n -> results.set().byNumber(n).orElseThrow().value("delay").orElseThrow())
                .toList();
        assertThat(delay.best())
                .isNotEmpty()
                .allSatisfy(k -> assertThat(values.get(k)).isEqualTo(java.util.Collections.min(values)));
        results.select(4);
        assertThat(Comparison.of(results).heads()).containsExactly("baseline", "#3", "#4", "#5");
    }
}
