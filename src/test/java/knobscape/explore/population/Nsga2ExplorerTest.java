package knobscape.explore.population;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Request;
import knobscape.explore.Explorer;
import knobscape.explore.ExplorerContractTest;
import knobscape.explore.RandomExplorer;
import knobscape.explore.SyntheticFlow;
import knobscape.explore.TestRun;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.study.source.StudyReader;
import knobscape.study.space.StudySpace;
import org.junit.jupiter.api.Test;

class Nsga2ExplorerTest extends ExplorerContractTest {
    private final SyntheticFlow flow = new SyntheticFlow(true);

    @Override
    protected Explorer explorer(long seed) {
        return of(SyntheticFlow.SPACE, flow.info(), seed);
    }

    private static Explorer of(DesignSpace space, EvaluatorInfo info, long seed) {
        return new Nsga2Explorer(space, info, 8, 16, seed);
    }

    @Override
    protected DesignSpace space() {
        return SyntheticFlow.SPACE;
    }

    @Override
    protected Evaluator evaluator() {
        return flow;
    }

    @Test
    void itsFrontIsNearerThanThatOfRandomDraws() {
        double[][] front = TestRun.trueFront(flow, SyntheticFlow.SPACE, flow.objectives());
        double own = 0;
        double random = 0;
        for (long seed = 1; seed <= 3; seed++) {
            own += new TestRun(flow, explorer(seed)).start().steps(120, 1, 1e12).adrs(front, flow.objectives());
            random += new TestRun(
                            flow,
                            new RandomExplorer(SyntheticFlow.SPACE, flow.info().top(), 8, seed))
                    .start()
                    .steps(120, 1, 1e12)
                    .adrs(front, flow.objectives());
        }
        assertThat(own).isLessThan(random);
    }

    /// Of three parameters whose product must be 64 no crossover by parts keeps the constraint.
    @Test
    void childrenKeepEveryConstraintAndNoneIsMeasuredTwice() {
        DesignSpace tied = StudySpace.of(StudyReader.parse("s.yaml", """
                study: 1
                parameters: {a: [1, 2, 4, 8, 16, 32, 64], b: [1, 2, 4, 8, 16, 32, 64], c: [1, 2, 4, 8, 16, 32, 64], d: {from: 1, to: 9}}
                constraints: [a * b * c == 64]
                objectives: {x: minimise, y: minimise}
                """));
        Evaluator sums = new Evaluator() {
            @Override
            public EvaluatorInfo info() {
                return flow.info();
            }

            @Override
            public void evaluate(Request r, Consumer<Evaluation> done, CancellationSignal cancel) {
                int[] levels = SyntheticFlow.SPACE.at(java.math.BigInteger.ZERO).levels();
                for (int i = 0; i < 4; i++) {
                    levels[i] = r.configuration().level(i) % 3;
                }
                var like = new Request(
                        Configuration.of(SyntheticFlow.SPACE.knobs(), levels), r.from(), r.upTo(), java.util.List.of());
                flow.evaluate(
                        like,
                        e -> done.accept(new Evaluation(
                                r.configuration(), e.fidelity(), e.outcome(), e.costSeconds(), e.provenance())),
                        cancel);
            }
        };
        var run = new TestRun(sums, of(tied, flow.info(), 3)).start().steps(150, 1, 1e12);
        assertThat(run.proposals())
                .hasSize(158)
                .allMatch(p -> tied.contains(p.configuration()))
                .extracting(p -> p.configuration().text())
                .doesNotHaveDuplicates();
        assertThat(run.proposals().stream()
                        .filter(p -> p.reason().startsWith("child"))
                        .count())
                .isGreaterThan(100);
    }
}
