package knobscape.fusion.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.explore.Exploration;
import knobscape.explore.RunEvent;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.fusion.FusionMethods;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.search.FusionExplorer;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.space.Strategy;
import knobscape.fusion.space.StrategySpace;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FusionEvaluatorTest {
    private final FusionCostModel model = new FusionCostModel(
            FusionSamples.zoo("resnet18"), Accelerator.calibrated().withBuffer(20_000_000), 64);
    private final StrategySpace space = StrategySpace.of(model.network(), model.batch());
    private final FusionEvaluator evaluator = new FusionEvaluator(model, space);

    @Test
    void whatFitsIsMeasuredAndWhatDoesNotSaysWhatTheReportSays() {
        var random = new SplittableRandom(1);
        int fitting = 0;
        for (int k = 0; k < 500; k++) {
            int[] s = IntStream.rangeClosed(0, 18)
                    .map(i -> i > 0 && random.nextInt(2) == 0 ? Strategy.SYNC : 1 + random.nextInt(64))
                    .toArray();
            Strategy strategy = Strategy.of(s);
            Evaluation e = evaluator
                    .evaluate(space.configuration(strategy), FusionEvaluator.MODEL, new CancellationSignal())
                    .getFirst();
            Cost cost = model.evaluate(strategy);
            if (model.isValid(cost)) {
                fitting++;
                assertThat(e.value(FusionEvaluator.LATENCY)).hasValue(cost.seconds() * 1e6);
                assertThat(e.value(FusionEvaluator.MEMORY)).hasValue(cost.peakBytes() / 1e6);
            } else {
                assertThat(e.outcome())
                        .isEqualTo(new Outcome.Failure(
                                FailureKind.DOES_NOT_FIT, model.report(strategy).verdict()));
            }
        }
        assertThat(fitting).isBetween(50, 450);
    }

    /// Processor time counts, so that other work on the machine does not.
    @Test
    @Tag("slow")
    void theLoopEvaluatesAtLeastEightyThousandStrategiesPerSecond() {
        double best = 0;
        for (int round = 0; round < 4; round++) {
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            RunEvent.Finished end = run("gsampler", 40_000);
            assertThat(end.progress().step()).isEqualTo(40_000);
            best = Math.max(
                    best, 40_000 / ((ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) * 1e-9));
        }
        assertThat(best).isGreaterThan(80_000);
    }

    private RunEvent.Finished run(String method, int evaluations) {
        FusionMethod m = FusionMethod.builtIn().stream()
                .filter(x -> x.name().equals(method))
                .findFirst()
                .orElseThrow();
        var info = evaluator.info();
        var subject = Subject.of(
                "",
                space.space(),
                new FusionExplorer(m, model, space, Constraint.LEXI, 1, proof -> {}),
                evaluator,
                info.objectives().stream().map(info::metric).toList(),
                Termination.of(0));
        return new Exploration(
                        List.of(subject),
                        Scheduler.roundRobin(),
                        Exploration.Settings.steps(1, evaluations),
                        System::nanoTime,
                        Runnable::run)
                .run(List.of());
    }

    @Test
    void aStopEndsAnExactSearch() {
        var model = new FusionCostModel(FusionSamples.zoo("resnet50"), Accelerator.calibrated(), 64);
        FusionMethod exact = FusionMethods.standard().named("exact");
        var explorer = new FusionExplorer(
                exact, model, StrategySpace.of(model.network(), 64), Constraint.LEXI, 1, proof -> {});
        var stop = new CancellationSignal();
        stop.cancel();
        assertThatThrownBy(() -> explorer.population(stop)).isInstanceOf(CancellationException.class);
    }
}
