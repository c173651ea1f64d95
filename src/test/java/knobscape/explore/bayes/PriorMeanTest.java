package knobscape.explore.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.explore.Guess;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.FeatureEncoder;
import knobscape.space.FiniteSpace;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import knobscape.surrogate.FidelityLadder;
import knobscape.surrogate.LadderData;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.PriorSlopes;
import knobscape.surrogate.gp.ProcessTrainer;
import org.junit.jupiter.api.Test;

class PriorMeanTest {
    private static final Fidelity TOP = new Fidelity("only", 0);
    private static final KnobSet KNOBS = new KnobSet(List.of(
            new Knob("a", new Domain.Factors(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10))),
            new Knob("b", new Domain.Factors(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)))));
    private static final List<Configuration> ALL = all();
    private static final List<Metric> OBJECTIVES = List.of(
            new Metric("delay", "Delay", "ns", Metric.Direction.MINIMISE, Double.NaN),
            new Metric("lut", "LUT", "", Metric.Direction.MINIMISE, Double.NaN));

    private static List<Configuration> all() {
        var all = new ArrayList<Configuration>();
        for (int a = 0; a < 10; a++) {
            for (int b = 0; b < 10; b++) {
                all.add(Configuration.of(KNOBS, a, b));
            }
        }
        return all;
    }

    /// Good where a is 7: delay falls with b, LUTs rise with it. Of b = 9 nothing is said.
    private static Optional<double[]> guess(Configuration c, Fidelity f) {
        double off = 1 + Math.abs(c.level(0) - 7);
        return c.level(1) == 9
                ? Optional.empty()
                : Optional.of(new double[] {off * (100 - 10 * c.level(1)), off * (10 + 10 * c.level(1))});
    }

    private static PriorMean prior(Guess guess) {
        PriorMean p = PriorMean.of(guess, OBJECTIVES, TOP).orElseThrow();
        p.measure(ALL);
        return p;
    }

    @Test
    void promisingDesignsAreThoseOnTheGuessedFrontItsEndsFirst() {
        List<Configuration> four = prior(PriorMeanTest::guess).promising(ALL, 4);
        assertThat(four).hasSize(4).allMatch(c -> c.level(0) == 7);
        assertThat(four).contains(Configuration.of(KNOBS, 7, 0), Configuration.of(KNOBS, 7, 8));
        // The front has nine designs; the next layer follows.
        assertThat(prior(PriorMeanTest::guess).promising(ALL, 11).stream().filter(c -> c.level(0) == 7))
                .hasSize(9);
    }

    @Test
    void aDesignOfWhichNothingIsSaidCountsAsTheWorst() {
        PriorMean p = prior(PriorMeanTest::guess);
        assertThat(p.of(Configuration.of(KNOBS, 7, 0))).containsExactly(2, 1);
        assertThat(p.of(Configuration.of(KNOBS, 7, 9)))
                .containsExactly(new double[] {Math.log10(800), Math.log10(720)}, within(1e-12));
    }

    @Test
    void whatIsToBeLargeHasNoPriorMean() {
        assertThat(PriorMean.of(
                        PriorMeanTest::guess,
                        List.of(new Metric("gflops", "GFLOPS", "", Metric.Direction.MAXIMISE, Double.NaN)),
                        TOP))
                .isEmpty();
    }

    @Test
    void halfOfTheFirstDesignsAreThoseThatTheGuessCallsGood() {
        var space = new FiniteSpace(KNOBS, ALL);
        var candidates = new CandidatePool(
                space,
                new FeatureEncoder(KNOBS),
                BayesSettings.CGP,
                1,
                PriorMean.of(PriorMeanTest::guess, OBJECTIVES, TOP));
        assertThat(candidates.promising(5, new SplittableRandom(1))).hasSize(5).allMatch(c -> c.level(0) == 7);
        assertThat(candidates.features(Configuration.of(KNOBS, 7, 0))).endsWith(2, 1);
        assertThat(new CandidatePool(space, new FeatureEncoder(KNOBS), BayesSettings.CGP, 1, Optional.empty())
                        .promising(5, new SplittableRandom(1)))
                .isEmpty();
    }

    /// Values that are off from the guess by a constant are told exactly, as far from all observations as may be.
    @Test
    void theSurrogateFollowsTheGuessWhereNothingWasMeasured() {
        var random = new SplittableRandom(4);
        double[][] x = new double[8][];
        double[][] y = new double[8][1];
        for (int i = 0; i < x.length; i++) {
            double guessed = random.nextDouble(0, 1);
            x[i] = new double[] {random.nextDouble(0, 0.3), guessed};
            y[i][0] = guessed + 0.7;
        }
        var level =
                new LadderData.Level(x, y, new int[x.length], new int[] {0}, PriorSlopes.learned(new double[][] {{1}}));
        var trainer = new ProcessTrainer(BayesSettings.CGP.learning().gp());
        double[][] far = {{1, 2}};
        Posterior told = FidelityLadder.fit(new LadderData(List.of(level), 1), trainer, List.of(Optional.empty()), 1)
                .posteriors(far, new double[][][] {{{Double.NaN}}})
                .getLast();
        assertThat(told.mean(0, 0)).isCloseTo(2.7, within(0.05));
        var without = new LadderData.Level(x, y, new int[x.length], new int[] {0});
        Posterior untold = FidelityLadder.fit(new LadderData(List.of(without)), trainer, List.of(Optional.empty()), 1)
                .posteriors(far, new double[][][] {{{Double.NaN}}})
                .getLast();
        assertThat(Math.abs(untold.mean(0, 0) - 2.7)).isGreaterThan(Math.abs(told.mean(0, 0) - 2.7));
    }
}
