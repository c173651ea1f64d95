package knobscape.explore.bayes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.explore.Budget;
import knobscape.explore.GridSpace;
import knobscape.explore.Proposal;
import knobscape.explore.TestRun;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;

/// The start of a search whose tool time is limited.
class StartBudgetTest {
    private static final GridSpace SPACE = GridSpace.of(6, 5, 4, 3);
    private static final double TYPICAL = 30.1;

    /// Two stages; what is fast takes the tool long: about 30 seconds on average with `factor` 1, by the square of
    /// what the first stage takes.
    private record Dear(double factor) implements Evaluator {
        private static final List<Fidelity> STAGES = List.of(new Fidelity("fast", 0), new Fidelity("full", 1));

        @Override
        public EvaluatorInfo info() {
            return new EvaluatorInfo(
                    "dear",
                    "For tests.",
                    Provenance.Source.MODEL,
                    STAGES,
                    List.of(
                            new Metric("a", "a", "", Metric.Direction.MINIMISE, 10),
                            new Metric("b", "b", "", Metric.Direction.MINIMISE, 10)),
                    Map.of("fast", Set.of("a", "b"), "full", Set.of("a", "b")),
                    List.of("a", "b"),
                    Map.of("fast", 0.1, "full", 30.0));
        }

        @Override
        public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
            Configuration c = request.configuration();
            double size = 1 + c.level(0);
            double bend = 0.1 * (c.level(1) + c.level(2));
            STAGES.subList(request.from().rank(), request.upTo().rank() + 1)
                    .forEach(f -> stageDone.accept(new Evaluation(
                            c,
                            f,
                            new Outcome.Measured(Map.of("a", 7 - size + bend, "b", size + 0.1 * c.level(3))),
                            f.rank() == 0 ? 0.1 * size : factor * 3 * size * size,
                            new Provenance("dear", "1", 0, Provenance.Source.MODEL))));
        }
    }

    private static TestRun start(double factor, double toolSeconds) {
        return start(factor, Budget.ofToolSeconds(toolSeconds));
    }

    private static TestRun start(double factor, Budget budget) {
        var tool = new Dear(factor);
        var explorer = new CgpExplorer(
                SPACE,
                SPACE.encoder(),
                tool.info(),
                BayesSettings.CGP.with(new BayesSettings.Limits(List.of(), budget)),
                3);
        // With limited time a step more, as the screening comes in two parts.
        int steps = Double.isInfinite(budget.toolSeconds()) ? 6 : 7;
        return new TestRun(tool, explorer).start().steps(steps, 1, Double.POSITIVE_INFINITY);
    }

    private static List<Proposal> chosenByReport(TestRun run) {
        return run.proposals().stream()
                .filter(p -> p.reason().contains("chosen by its report"))
                .toList();
    }

    /// Tool time without the first stage of a design that was taken further, which is charged once.
    private static double cost(List<Proposal> full, double factor) {
        return full.stream()
                .mapToDouble(p -> factor * 3 * Math.pow(1 + p.configuration().level(0), 2))
                .sum();
    }

    @Test
    void isAsEverWhereTimeIsAmple() {
        TestRun free = start(1, Double.POSITIVE_INFINITY);
        TestRun ample = start(1, 1e6);
        assertThat(ample.proposals().subList(0, 24))
                .containsExactlyInAnyOrderElementsOf(free.proposals().subList(0, 24));
        assertThat(chosenByReport(ample)).isEqualTo(chosenByReport(free));
        assertThat(chosenByReport(free)).hasSize(6);
    }

    /// The usual six, the fastest design among them, would take most of it.
    @Test
    void keepsToItsShareWhereTimeIsShort() {
        double whole = 15 * TYPICAL;
        TestRun free = start(1, Double.POSITIVE_INFINITY);
        assertThat(cost(chosenByReport(free), 1)).isGreaterThan(whole / 2);
        TestRun tight = start(1, whole);
        assertThat(chosenByReport(tight)).hasSizeGreaterThan(3);
        assertThat(cost(chosenByReport(tight), 1)).isLessThan(whole / 3);
    }

    /// What runs in full really cost is learned from the first of them.
    @Test
    void endsAfterTheFewestRunsWhereAllAreTooDear() {
        TestRun run = start(50, 15 * TYPICAL);
        List<Proposal> full = chosenByReport(run);
        assertThat(full).hasSize(StartBudget.FEWEST_RUNS);
        assertThat(full.subList(1, 3)).allMatch(p -> p.configuration().level(0) <= 1);
    }

    @Test
    void takesAThirdOfTheStepsWhereTheseAreFew() {
        assertThat(chosenByReport(start(1, new Budget(Double.POSITIVE_INFINITY, 40))))
                .hasSize(6);
        assertThat(chosenByReport(start(1, new Budget(Double.POSITIVE_INFINITY, 12))))
                .hasSize(4);
        assertThat(chosenByReport(start(1, new Budget(Double.POSITIVE_INFINITY, 6))))
                .as("the fewest that there is something to learn from")
                .hasSize(StartBudget.FEWEST_RUNS);
    }

    @Test
    void screensAsMuchFurtherAsItsShareHasRoomForAtWhatTheFirstDesignsTook() {
        double[] seconds = {1, 2, 1, 2, 1, 2, 1, 2};
        assertThat(StartBudget.furtherScreened(seconds, 12 * 36, 16)).isEqualTo(16);
        assertThat(StartBudget.furtherScreened(seconds, 12 * 18, 16)).isEqualTo(4);
        assertThat(StartBudget.furtherScreened(seconds, 12, 16)).isZero();
        assertThat(StartBudget.furtherScreened(new double[] {1, 1, 1, 1, 1, 1, 1, 500}, 12 * 400, 16))
                .isZero();
        assertThat(StartBudget.furtherScreened(new double[8], 12, 16)).isEqualTo(16);
    }

    /// Where the lowest stage of the first designs took screening's share already, the start goes on with runs in full.
    @Test
    void endsScreeningWhereItsTimeIsSpent() {
        TestRun tight = start(1, 10);
        assertThat(tight.proposals().stream().filter(p -> p.reason().equals("initial screening")))
                .hasSize(8);
        assertThat(chosenByReport(tight)).hasSize(StartBudget.FEWEST_RUNS);
    }
}
