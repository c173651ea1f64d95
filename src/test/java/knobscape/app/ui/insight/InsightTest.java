package knobscape.app.ui.insight;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Runs;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.HeldBackground;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.explore.Prediction;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import org.junit.jupiter.api.Test;

/// Against functions whose indices are known in closed form.
class InsightTest {
    private static final Fidelity TOP = new Fidelity("top", 0);
    private static final Metric METRIC = new Metric("cost", "Cost", "", Metric.Direction.MINIMISE, Double.NaN);
    private static final EvaluatorInfo INFO = new EvaluatorInfo(
            "made-up",
            "a closed form",
            Provenance.Source.MODEL,
            List.of(TOP),
            List.of(METRIC),
            java.util.Map.of("top", java.util.Set.of("cost")),
            List.of("cost"),
            java.util.Map.of("top", 1.0));

    /// exp(a x0 + b x1 + c x2) with x the level over 5: its logarithm is additive.
    private static double cost(Configuration c) {
        return Math.exp(3 * c.level(0) / 5.0 + 1 * c.level(1) / 5.0 + 0.2 * c.level(2) / 5.0);
    }

    private static List<RunEvent> events(Configuration c, int step) {
        var e = new Evaluation(
                c,
                TOP,
                new Outcome.Measured(java.util.Map.of("cost", cost(c))),
                1,
                new Provenance("made-up", "1", 0, Provenance.Source.MODEL));
        return List.of(
                new RunEvent.StageDone(0, step, 0, new Proposal(c, TOP, Double.NaN, Optional.empty(), "test"), e));
    }

    private static DesignSet set(int n, long seed) {
        var random = new Random(seed);
        var fold = new DesignFold(Runs.SPACE.knobs(), Optional.empty());
        fold.apply(List.of(new RunEvent.Started("random", 1, INFO, 10, 4, 0)));
        for (int i = 0; i < n; i++) {
            fold.apply(events(Runs.SPACE.draw(random), i));
        }
        return fold.set();
    }

    @Test
    void sharesAreThoseOfTheClosedForm() {
        var surrogate = Surrogate.fit(set(60, 1)).orElseThrow();
        assertThat(surrogate.explained(0)).isGreaterThan(0.95);
        Importance importance = Importance.of(surrogate, Runs.SPACE).getFirst();
        // Of an additive function of independent knobs a share is that of its own variance.
        double[] part = {9, 1, 0.04};
        double all = 10.04;
        for (Importance.Share s : importance.shares()) {
            assertThat(s.value()).isCloseTo(part[s.knob()] / all, org.assertj.core.data.Offset.offset(0.12));
            assertThat(s.low()).isLessThanOrEqualTo(s.value());
            assertThat(s.high()).isGreaterThanOrEqualTo(s.value());
        }
        assertThat(importance.shares()).extracting(Importance.Share::knob).containsExactly(0, 1, 2);
        assertThat(importance.rest().value()).isLessThan(0.1);
        assertThat(importance.shares().stream()
                        .mapToDouble(Importance.Share::value)
                        .sum())
                .isCloseTo(1, org.assertj.core.data.Offset.offset(1e-9));
    }

    @Test
    void intervalsHoldWhatWasNotSeenAboutNineTimesOfTen() {
        var surrogate = Surrogate.fit(set(25, 2)).orElseThrow();
        var random = new Random(9);
        int held = 0;
        for (int i = 0; i < 200; i++) {
            Configuration c = Runs.SPACE.draw(random);
            Prediction.Interval v = java.util.Objects.requireNonNull(
                    surrogate.predict(c).metrics().get("cost"));
            held += v.low() * 0.98 <= cost(c) && cost(c) <= v.high() * 1.02 ? 1 : 0;
        }
        assertThat(held).isGreaterThan(160);
    }

    @Test
    void withTooFewDesignsNothingIsClaimed() {
        assertThat(Surrogate.fit(set(Surrogate.ENOUGH - 2, 1))).isEmpty();
        assertThat(Surrogate.fit(DesignSet.none())).isEmpty();
    }

    private static void open(Results results) {
        var fold = new DesignFold(Runs.SPACE.knobs(), Optional.of(Runs.baseline()));
        fold.apply(Runs.events(60, 4));
        results.open(fold.set());
    }

    @Test
    void theWayToADesignBeginsAtTheBaselineEndsAtItAndSaysWhatWasMeasured() {
        var results = new Results(Background.direct(), new UndoStack());
        var insight = new InsightViewModel(Background.direct(), results, () -> Optional.of(Runs.SPACE), c -> {});
        open(results);
        int number = results.best().orElseThrow();
        var design = results.set().byNumber(number).orElseThrow();
        var ways = new ArrayList<Optional<Waterfall>>();
        insight.waterfall(Optional.of(design), 1, ways::add);
        assertThat(ways).hasSize(1);
        Waterfall way = ways.getFirst().orElseThrow();
        assertThat(way.metric().name()).isEqualTo("delay");
        assertThat(way.steps().getFirst().value())
                .isEqualTo(Runs.baseline().value("delay").orElseThrow());
        assertThat(way.steps().getLast().value())
                .isEqualTo(design.value("delay").orElseThrow());
        assertThat(way.steps().getLast().measured()).isTrue();
        for (Waterfall.Step s : way.steps()) {
            assertThat(s.low()).isLessThanOrEqualTo(s.value());
            assertThat(s.high()).isGreaterThanOrEqualTo(s.value());
        }
        assertThat(way.measured()).isBetween(2L, (long) way.steps().size());
    }

    @Test
    void aBaselineBeforeAnyRunHasNoWay() {
        var results = new Results(Background.direct(), new UndoStack());
        var insight = new InsightViewModel(Background.direct(), results, () -> Optional.of(Runs.SPACE), c -> {});
        results.open(new DesignFold(Runs.SPACE.knobs(), Optional.of(Runs.baseline())).set());
        var answers = new ArrayList<Optional<Waterfall>>();
        insight.waterfall(results.set().baseline(), 0, answers::add);
        assertThat(answers).containsExactly(Optional.empty());
    }

    @Test
    void otherObjectivesOfAsManyDesignsAreFittedAnewAndNotMixedUpUntilThen() {
        var later = new HeldBackground();
        var results = new Results(Background.direct(), new UndoStack());
        var insight = new InsightViewModel(later, results, () -> Optional.of(Runs.SPACE), c -> {});
        var fold = new DesignFold(Runs.SPACE.knobs(), Optional.of(Runs.baseline()));
        fold.apply(Runs.events(60, 4));
        DesignSet next = fold.set();
        results.open(set(next.count(DesignStanding.FRONT) + next.count(DesignStanding.DOMINATED), 1));
        later.all();
        Insight old = insight.insight().get().orElseThrow();
        results.open(next);
        for (var design : next.designs()) {
            for (int objective = 0; objective < next.objectives().size(); objective++) {
                // No surrogate of these objectives is there, so only what was measured can be on the way.
                assertThat(Waterfall.of(next, design, objective, Optional.of(old)).stream()
                                .flatMap(w -> w.steps().stream()))
                        .allMatch(Waterfall.Step::measured);
            }
        }
        later.all();
        assertThat(insight.insight().get().orElseThrow().surrogate().metrics())
                .isEqualTo(results.set().objectives());
    }

    @Test
    void aFitToDesignsThatAreNoLongerShownIsGivenUp() {
        var later = new HeldBackground();
        var results = new Results(Background.direct(), new UndoStack());
        var drawn = new AtomicInteger();
        var space = (DesignSpace) Proxy.newProxyInstance(
                DesignSpace.class.getClassLoader(), new Class<?>[] {DesignSpace.class}, (_, method, arguments) -> {
                    if (method.getName().equals("drawWithin") && drawn.incrementAndGet() == 50) {
                        results.open(DesignSet.none());
                    }
                    return method.invoke(Runs.SPACE, arguments);
                });
        var insight = new InsightViewModel(later, results, () -> Optional.of(space), c -> {});
        results.open(set(60, 1));
        later.all();
        assertThat(insight.insight().get()).isEmpty();
        assertThat(drawn.get()).isBetween(50, 60);
        results.open(set(60, 1));
        later.all();
        assertThat(insight.insight().get()).isPresent();
        assertThat(drawn.get()).isGreaterThan(1000);
    }

    @Test
    void whileEnoughIsKnownButNothingFittedYetNobodyIsToldThatTooLittleIsKnown() {
        var later = new HeldBackground();
        var results = new Results(Background.direct(), new UndoStack());
        var insight = new InsightViewModel(later, results, () -> Optional.of(Runs.SPACE), c -> {});
        assertThat(insight.absent().get()).contains("once 8 designs");
        results.open(set(Surrogate.ENOUGH - 2, 1));
        assertThat(insight.absent().get()).contains("once 8 designs");
        results.open(set(60, 1));
        assertThat(insight.absent().get()).isEqualTo("Finding what decides each objective");
        later.all();
        assertThat(insight.insight().get()).isPresent();
        results.open(DesignSet.none());
        assertThat(insight.insight().get()).isEmpty();
        assertThat(insight.absent().get()).contains("once 8 designs");
    }

    @Test
    void theWayIsFoundAwayFromTheScreenAndOnlyForTheNewestOfTheDesignsThatWait() {
        var held = new HeldBackground();
        var results = new Results(Background.direct(), new UndoStack());
        var insight = new InsightViewModel(held, results, () -> Optional.of(Runs.SPACE), c -> {});
        open(results);
        held.forget();
        int best = results.best().orElseThrow();
        var answered = new ArrayList<Integer>();
        for (int number : List.of(best % 60 + 1, (best + 1) % 60 + 1, best)) {
            insight.waterfall(results.set().byNumber(number), 1, w -> answered.add(number));
        }
        assertThat(answered).isEmpty();
        held.all();
        assertThat(answered).containsExactly(best);
    }

    @Test
    void designsOnTheWayThatWereMeasuredAreFoundWithoutASurrogate() {
        Configuration base = Runs.SPACE.draw(new Random(3));
        DesignSet set = set(40, 5);
        var wanted = new java.util.HashSet<Configuration>();
        wanted.add(base);
        for (int i = 0; i < 40; i += 7) {
            wanted.add(set.get(i % set.size()).configuration());
        }
        var found = Surrogate.measured(set, wanted, "cost");
        var expected = new java.util.HashMap<Configuration, Double>();
        for (int i = 0; i < set.size(); i++) {
            if (wanted.contains(set.get(i).configuration())) {
                expected.putIfAbsent(set.get(i).configuration(), cost(set.get(i).configuration()));
            }
        }
        assertThat(found).isEqualTo(expected).isNotEmpty();
    }

    @Test
    void anotherValueIsPredictedOrTheDesignThatHasItIsSelectedAndEnterEvaluatesIt() {
        var results = new Results(Background.direct(), new UndoStack());
        var asked = new ArrayList<Configuration>();
        var insight = new InsightViewModel(Background.direct(), results, () -> Optional.of(Runs.SPACE), asked::add);
        open(results);
        int number = results.best().orElseThrow();
        results.select(number);
        Configuration c = results.set().byNumber(number).orElseThrow().configuration();
        boolean predicted = false;
        for (int level = 0; level < 6; level++) {
            results.select(number);
            insight.tryOut(1, level);
            Configuration wanted = c.with(1, level);
            if (results.whatIf().get().isPresent()) {
                predicted = true;
                assertThat(results.whatIf().get().get().configuration()).isEqualTo(wanted);
                assertThat(results.whatIf().get().get().words()).startsWith("what-if: k1 ");
                insight.evaluate();
                assertThat(asked.getLast()).isEqualTo(wanted);
            } else {
                assertThat(results.selectedDesign().orElseThrow().configuration())
                        .isEqualTo(wanted);
            }
        }
        assertThat(predicted).isTrue();
    }
}
