package knobscape.app.ui.designs;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.explore.BoxEvaluator;
import knobscape.explore.Prediction;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;
import knobscape.pareto.ParetoFront;
import knobscape.space.Configuration;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DesignFoldTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void frontIsTheNonDominatedSetOfWhatReachedTheTop(long seed) {
        DesignSet set = Runs.set(120, seed);

        var numbers = new ArrayList<Integer>();
        var vectors = new ArrayList<double[]>();
        for (int i = 0; i < set.size(); i++) {
            int index = i;
            var top = set.get(i).at(BoxEvaluator.IMPL).filter(e -> e.isMeasured());
            top.ifPresent(e -> {
                numbers.add(index);
                vectors.add(set.objectives().stream()
                        .mapToDouble(m -> e.value(m.name()).getAsDouble())
                        .toArray());
            });
        }
        var expected = new TreeSet<Integer>();
        for (int k : ParetoFront.nonDominated(vectors.toArray(double[][]::new))) {
            expected.add(numbers.get(k));
        }
        var found = new TreeSet<Integer>();
        for (int i = 0; i < set.size(); i++) {
            if (set.standing(i) == DesignStanding.FRONT) {
                found.add(i);
            }
        }
        assertThat(found).isEqualTo(expected);
        assertThat(set.count(DesignStanding.LOWER))
                .isEqualTo(set.size() - numbers.size() - set.count(DesignStanding.INVALID));
    }

    @Test
    void batchesOfAnySizeGiveTheSameDesigns() {
        var all = Runs.events(60, 5);
        var atOnce = new DesignFold(Runs.SPACE.knobs(), Optional.empty());
        atOnce.apply(all);
        var oneByOne = new DesignFold(Runs.SPACE.knobs(), Optional.empty());
        all.forEach(e -> oneByOne.apply(List.of(e)));

        for (int i = 0; i < atOnce.set().size(); i++) {
            assertThat(oneByOne.set().get(i)).isEqualTo(atOnce.set().get(i));
            assertThat(oneByOne.set().standing(i)).isEqualTo(atOnce.set().standing(i));
        }
    }

    @Test
    void aSubjectHasItsOwnDesignsAndTheFirstThatRanAsItsBaseline() {
        var own = DesignFold.ofSubject(0, Runs.SPACE.knobs());
        var other = DesignFold.ofSubject(1, Runs.SPACE.knobs());
        List<RunEvent> events = Runs.events(60, 5);
        own.apply(events);
        other.apply(events);

        assertThat(other.set().size()).isZero();
        DesignSet set = own.set();
        assertThat(set.size()).isEqualTo(60);
        int first = IntStream.range(0, 60)
                .filter(i -> set.get(i)
                        .at(BoxEvaluator.IMPL)
                        .filter(Evaluation::isMeasured)
                        .isPresent())
                .findFirst()
                .orElseThrow();
        assertThat(set.twin()).isEqualTo(first + 1);
        assertThat(set.baseline().orElseThrow().configuration())
                .isEqualTo(set.get(first).configuration());
        assertThat(own.set()).as("made once while nothing changes").isSameAs(set);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theMeanOfRepeatedMeasurementsDecidesTheFront(long seed) {
        var fold = DesignFold.ofSubject(0, Runs.SPACE.knobs());
        fold.apply(Runs.events(40, seed));
        DesignSet before = fold.set();
        int lucky = IntStream.range(0, 40)
                .filter(i -> before.standing(i) == DesignStanding.FRONT)
                .findFirst()
                .orElseThrow();
        Evaluation e = before.get(lucky).at(BoxEvaluator.IMPL).orElseThrow();
        var worse = new HashMap<String, Double>();
        before.info()
                .orElseThrow()
                .metrics()
                .forEach(m -> e.value(m.name())
                        .ifPresent(v ->
                                worse.put(m.name(), m.direction() == Metric.Direction.MAXIMISE ? v / 1e3 : v * 1e3)));
        var again = new Evaluation(
                e.configuration(), e.fidelity(), new Outcome.Measured(worse), e.costSeconds(), e.provenance());
        fold.apply(List.of(
                new RunEvent.StageDone(0, 41, 0, Proposal.of(e.configuration(), e.fidelity(), "once more"), again)));
        DesignSet after = fold.set();
        worse.forEach((metric, v) -> assertThat(after.get(lucky).value(metric).orElseThrow())
                .isCloseTo((e.value(metric).orElseThrow() + v) / 2, Offset.offset(1e-9 * Math.abs(v))));
        assertThat(after.standing(lucky)).isEqualTo(DesignStanding.DOMINATED);
        assertThat(after.get(lucky).step()).isEqualTo(before.get(lucky).step());
        // What it had dominated alone comes back: the front is that of all others.
        double[][] others = IntStream.range(0, 40)
                .filter(i -> i != lucky
                        && (after.standing(i) == DesignStanding.FRONT || after.standing(i) == DesignStanding.DOMINATED))
                .mapToObj(i -> after.objectives().stream()
                        .mapToDouble(m -> after.shownOrNaN(i, m.name()))
                        .toArray())
                .toArray(double[][]::new);
        assertThat(after.count(DesignStanding.FRONT)).isEqualTo(ParetoFront.nonDominated(others).length);
    }

    @Test
    void designWithPredictionShowsItUntilTheTopIsMeasured() {
        Configuration c = Runs.SPACE.at(BigInteger.valueOf(17));
        var prediction = new Prediction("impl", Map.of("delay", new Prediction.Interval(500, 400, 600)));
        var fold = new DesignFold(Runs.SPACE.knobs(), Optional.empty());
        fold.apply(List.of(Runs.started(), Runs.proposed(c, 1, Optional.of(prediction))));
        assertThat(fold.set().standing(0)).isEqualTo(DesignStanding.PREDICTED);
        assertThat(fold.set().shownValue(0, "delay")).hasValue(500);
        assertThat(fold.set().source(0)).isEqualTo("predicted");

        fold.apply(Runs.evaluated(c, 1, BoxEvaluator.IMPL));
        assertThat(fold.set().standing(0)).isEqualTo(DesignStanding.FRONT);
        assertThat(fold.set().source(0)).isEqualTo("impl, model");
        assertThat(fold.set().get(0).prediction()).contains(prediction);
    }

    @Test
    void whatDoesNotFitIsInvalidWithItsReason() {
        Configuration highest = Runs.SPACE.at(Runs.SPACE.size().subtract(BigInteger.ONE));
        var fold = new DesignFold(Runs.SPACE.knobs(), Optional.empty());
        fold.apply(List.of(Runs.started(), Runs.proposed(highest, 0, Optional.empty())));
        fold.apply(Runs.evaluated(highest, 0, BoxEvaluator.IMPL));

        assertThat(fold.set().standing(0)).isEqualTo(DesignStanding.INVALID);
        assertThat(DesignSet.reason(fold.set().get(0))).contains("needs more LUTs than the part has");
        // What the lower fidelity measured still places it in a plot.
        assertThat(fold.set().shownValue(0, "lut")).isPresent();
    }

    @Test
    void tableComparesByKeyWithMissingOnesLast() {
        DesignSet set = Runs.set(40, 9);
        Metric delay = set.objectives().get(1);
        var cell = TableColumns.of(set).stream()
                .filter(c -> c.id().equals("metric:" + delay.name()))
                .findFirst()
                .orElseThrow();
        for (boolean ascending : List.of(true, false)) {
            var order = new ArrayList<>(
                    java.util.stream.IntStream.range(0, set.size()).boxed().toList());
            order.sort(TableColumns.order(set, cell, ascending));
            boolean missing = false;
            boolean lower = false;
            double last = ascending ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
            for (int i : order) {
                var v = set.shownValue(i, delay.name());
                boolean complete =
                        set.standing(i) == DesignStanding.FRONT || set.standing(i) == DesignStanding.DOMINATED;
                lower |= !complete;
                assertThat(lower).as("what reached the top comes first").isEqualTo(!complete);
                missing |= v.isEmpty();
                if (v.isPresent() && complete) {
                    assertThat(missing).isFalse();
                    assertThat(ascending ? v.getAsDouble() >= last : v.getAsDouble() <= last)
                            .isTrue();
                    last = v.getAsDouble();
                }
            }
        }
    }

    /// Predictions that a search made of designs before it knew anything of them, as wild as can be.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void noMarkOrPlaceInTheTableIsContradictedByALowerStage(long seed) {
        var random = new Random(seed);
        var fold = new DesignFold(Runs.SPACE.knobs(), Optional.of(Runs.baseline()));
        fold.apply(Runs.events(60, seed));
        for (int k = 0; k < 40; k++) {
            Configuration c = Runs.SPACE.draw(random);
            var wild = new HashMap<String, Prediction.Interval>();
            for (String m : List.of("power", "delay", "lut")) {
                double v = Math.exp(8 * random.nextGaussian());
                wild.put(m, new Prediction.Interval(v, v / 2, v * 2));
            }
            fold.apply(List.of(Runs.proposed(c, 61 + k, Optional.of(new Prediction("impl", wild)))));
            fold.apply(Runs.evaluated(c, 61 + k, k % 2 == 0 ? BoxEvaluator.HLS : BoxEvaluator.SYN));
        }
        DesignSet set = fold.set();
        assertThat(set.count(DesignStanding.PREDICTED)).isPositive();
        for (Metric m : set.objectives()) {
            for (int i = 0; i < set.size(); i++) {
                if (set.standing(i) == DesignStanding.PREDICTED) {
                    Evaluation known = set.get(i).highest().orElseThrow();
                    double[] ratios = IntStream.range(0, set.size())
                            .mapToObj(set::get)
                            .filter(d -> d.at(BoxEvaluator.IMPL)
                                    .filter(Evaluation::isMeasured)
                                    .isPresent())
                            .mapToDouble(d -> d.value(m.name()).orElseThrow()
                                    / d.at(known.fidelity())
                                            .orElseThrow()
                                            .value(m.name())
                                            .orElseThrow())
                            .sorted()
                            .toArray();
                    double lower = known.value(m.name()).orElseThrow();
                    assertThat(set.shownValue(i, m.name()).orElseThrow())
                            .isBetween(lower * ratios[0] * (1 - 1e-9), lower * ratios[ratios.length - 1] * (1 + 1e-9));
                }
            }
            var column = TableColumns.of(set).stream()
                    .filter(c -> c.id().equals("metric:" + m.name()))
                    .findFirst()
                    .orElseThrow();
            List<DesignStanding> order = IntStream.range(0, set.size())
                    .boxed()
                    .sorted(TableColumns.order(set, column, true))
                    .map(set::standing)
                    .toList();
            assertThat(order.subList(order.indexOf(DesignStanding.PREDICTED), order.size()))
                    .doesNotContain(DesignStanding.FRONT, DesignStanding.DOMINATED, DesignStanding.LOWER);
        }
    }

    @Test
    void equalDesignsAreOnePointOfTheFrontAndTheBaselineIsItsOwnDesign() {
        var tool = Runs.SPACE;
        var fold = new DesignFold(tool.knobs(), Optional.of(Runs.baseline()));
        fold.apply(List.of(Runs.started()));
        Configuration one = tool.at(BigInteger.ZERO);
        Configuration two = tool.at(BigInteger.valueOf(7));
        fold.apply(Runs.evaluated(one, 0, BoxEvaluator.IMPL));
        // Another configuration that measures the same.
        for (Evaluation e : Runs.evaluated(one, BoxEvaluator.IMPL)) {
            var proposal = new Proposal(two, BoxEvaluator.IMPL, Double.NaN, Optional.empty(), "test");
            fold.apply(List.of(new RunEvent.StageDone(
                    0,
                    0,
                    1,
                    proposal,
                    new Evaluation(two, e.fidelity(), e.outcome(), e.costSeconds(), e.provenance()))));
        }
        DesignSet set = fold.set();
        assertThat(set.count(DesignStanding.FRONT)).isEqualTo(2);
        assertThat(set.frontSize()).isEqualTo(1);
        assertThat(set.same(1)).containsExactly(2);
        assertThat(set.same(2)).containsExactly(1);
        assertThat(set.twin()).isEqualTo(1);
        assertThat(set.isBaseline(1)).isTrue();
        var results = new Results(Background.direct(), new UndoStack());
        results.open(set);
        results.select(Results.BASELINE);
        assertThat(results.selected().get()).isEqualTo(1);
    }
}
