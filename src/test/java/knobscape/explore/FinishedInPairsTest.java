package knobscape.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
import knobscape.evaluate.RepeatedMeasurements;
import knobscape.evaluate.Request;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The last steps of a search for speed measure the best again, by turns, and the mean decides.
class FinishedInPairsTest {
    private static final Fidelity RUN = new Fidelity("run", 0);
    private static final GridSpace SPACE = GridSpace.of(12, 12);

    /// Times that differ from run to run; what is asked for once more says so.
    private static final class Noisy implements Evaluator {
        private final Random random;
        private final double deviation;
        private final List<Request> requests = new ArrayList<>();

        Noisy(long seed, double deviation) {
            random = new Random(seed);
            this.deviation = deviation;
        }

        @Override
        public EvaluatorInfo info() {
            return new EvaluatorInfo(
                    "noisy",
                    "Differs from run to run.",
                    Provenance.Source.MEASURED,
                    List.of(RUN),
                    List.of(new Metric("time", "Time", "ms", Metric.Direction.MINIMISE, Double.NaN)),
                    Map.of("run", Set.of("time")),
                    List.of("time"),
                    Map.of("run", 1.0));
        }

        static double truth(Configuration c) {
            return 10 + Math.pow(c.level(0) - 4, 2) + Math.pow(c.level(1) - 7, 2);
        }

        @Override
        public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
            requests.add(request);
            stageDone.accept(new Evaluation(
                    request.configuration(),
                    RUN,
                    new Outcome.Measured(Map.of(
                            "time", truth(request.configuration()) * Math.exp(deviation * random.nextGaussian()))),
                    1,
                    new Provenance("noisy", "1", 0, Provenance.Source.MEASURED)));
        }
    }

    private static final FinalRounds ROUNDS =
            new FinalRounds(e -> 1 / e.value("time").orElse(Double.POSITIVE_INFINITY));

    private static List<List<Configuration>> asked(Noisy tool, GridSpace space, long seed, int steps, int initial) {
        var search = new FinishedInPairs(new RandomExplorer(space, RUN, initial, seed), ROUNDS, RUN, steps);
        var run = new Exploration(
                List.of(Subject.of(
                        "s", space, search, tool, List.of(tool.info().metric("time")), new Termination.Never())),
                Scheduler.roundRobin(),
                Exploration.Settings.steps(seed, steps),
                System::nanoTime,
                Runnable::run);
        var asked = new ArrayList<List<Configuration>>();
        run.addListener(e -> {
            if (e instanceof RunEvent.Asked a) {
                asked.add(a.proposals().stream().map(Proposal::configuration).toList());
            }
        });
        assertThat(run.run(List.of()).ending()).isEqualTo(RunEvent.Ending.COMPLETED);
        return asked;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theLastStepsMeasureTheBestTenthAgainByTurns(long seed) {
        var tool = new Noisy(seed, .01);
        List<List<Configuration>> asked = asked(tool, SPACE, seed, 50, 10);
        assertThat(asked).as("initial designs and steps").hasSize(51);
        assertThat(asked.subList(1, 45)).allMatch(a -> a.size() == 1);
        List<Configuration> first = asked.get(45);
        assertThat(first).as("a tenth of 54").hasSize(5).doesNotHaveDuplicates();
        // Each measurement after the first of a configuration is told as a repeat.
        var counts = new HashMap<Configuration, Integer>();
        for (Request r : tool.requests) {
            assertThat(r.repeat()).isEqualTo(counts.merge(r.configuration(), 1, Integer::sum) - 1);
        }
        Configuration best = counts.keySet().stream()
                .min(Comparator.comparingDouble(Noisy::truth))
                .orElseThrow();
        assertThat(counts.get(best))
                .as("one measurement and most of three more")
                .isBetween(3, 4);
        // Fastest first in one round, fastest last in the next.
        assertThat(asked.get(46).getFirst()).isNotEqualTo(first.getFirst());
    }

    @Test
    void aSpaceSeenWholeIsFollowedByTheRounds() {
        var tool = new Noisy(7, .2);
        asked(tool, GridSpace.of(4, 3), 7, Integer.MAX_VALUE, 4);
        assertThat(tool.requests).hasSizeGreaterThanOrEqualTo(12 + 3 * 2);
    }

    @Test
    void shortRunsHaveNone() {
        var tool = new Noisy(7, .2);
        asked(tool, SPACE, 7, 12, 4);
        assertThat(tool.requests).hasSize(16).allMatch(r -> r.repeat() == 0);
    }

    /// Of sixty runs together, what is told is nearer to the truth with the rounds than without.
    @Test
    void theMeanIsRarelyALuckyOne() {
        double once = 0;
        double again = 0;
        for (long seed = 0; seed < 60; seed++) {
            var tool = new Noisy(seed, .2);
            asked(tool, SPACE, seed, 50, 10);
            var single = RepeatedMeasurements.bySpeed(ROUNDS.speed());
            var all = RepeatedMeasurements.bySpeed(ROUNDS.speed());
            var same = new Noisy(seed, .2);
            for (Request r : tool.requests) {
                same.evaluate(
                        r,
                        e -> {
                            all.add(e);
                            if (r.repeat() == 0) {
                                single.add(e);
                            }
                        },
                        new CancellationSignal());
            }
            once += Noisy.truth(single.best().orElseThrow().configuration());
            again += Noisy.truth(all.best().orElseThrow().configuration());
        }
        assertThat(again).isLessThan(once);
    }
}
