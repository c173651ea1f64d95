package knobscape.explore.bo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import knobscape.evaluate.Provenance;
import knobscape.explore.Candidates;
import knobscape.explore.Experience;
import knobscape.explore.Explorer;
import knobscape.explore.GridSpace;
import knobscape.explore.RunEvent;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;

/// What a history is worth, and what one costs that misleads.
class TransferExplorerTest {
    private static final GridSpace SPACE = GridSpace.of(8, 8, 8, 8);
    private static final Valley VALLEY = new Valley(Provenance.Source.REPLAYED, (_, _) -> 1);
    private static final int TRIALS = 70;
    private static final int SEEDS = 5;

    /// What a run measured and said.
    private record Told(List<Double> times, List<String> words) {
        double best(int trials) {
            return times.stream().limit(trials).min(Double::compare).orElseThrow();
        }
    }

    private static Told run(Explorer explorer, long seed) {
        var told = new Told(new ArrayList<>(), new ArrayList<>());
        VALLEY.search(SPACE, explorer, seed, TRIALS, event -> {
            switch (event) {
                case RunEvent.StageDone d ->
                    told.times().add(d.evaluation().value("time").orElseThrow());
                case RunEvent.Note n -> told.words().add(n.text());
                default -> {}
            }
        });
        return told;
    }

    private static Target target(long seed) {
        return Target.of(SPACE, VALLEY.info(), Valley.TIME, seed);
    }

    /// A search that knows 200 configurations' speeds elsewhere.
    private static Told transfer(ToDoubleFunction<Configuration> speed, long seed) {
        List<Configuration> drawn = Candidates.draw(SPACE, Set.of(), 200, new SplittableRandom(3));
        var earlier = new Experience.Earlier(
                "valley",
                "another device",
                false,
                SPACE.knobs(),
                Experience.NOTHING,
                drawn,
                drawn.stream().mapToDouble(speed).toArray());
        Target t = target(seed);
        return run(
                new TransferExplorer(
                        new Target(
                                t.space(),
                                t.info(),
                                t.metric(),
                                t.canRun(),
                                Experience.of(SPACE, Experience.NOTHING, List.of(earlier)),
                                seed),
                        BoSettings.DEFAULT),
                seed);
    }

    @Test
    void aHistoryOfALikeDeviceIsFollowedFromTheFirstMeasurementOnAndNamed() {
        double with = 0;
        double without = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            // Twice as fast, and its best is a step off.
            Told told =
                    transfer(c -> 2 / Math.exp(0.05 * Math.pow(c.level(0) - 4.0, 2)) / Valley.time(c.with(0, 3)), seed);
            assertThat(told.words())
                    .first()
                    .asString()
                    .startsWith("The search begins with 200 measurements of valley on another device");
            with += Math.log(told.best(8));
            without += Math.log(
                    run(new BoExplorer(target(seed), BoSettings.DEFAULT), seed).best(8));
        }
        assertThat(with).isLessThan(without / 2);
    }

    @Test
    void aHistoryOfSomethingElseIsLeftAndThatIsSaid() {
        double with = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            // Upside down it would still tell something. This one tells nothing.
            Told told = transfer(c -> 1 + Math.floorMod(c.hashCode(), 1000), seed);
            assertThat(told.words())
                    .last()
                    .asString()
                    .matches("After \\d+ measurements the history is no longer followed: .*");
            with += Math.log(told.best(TRIALS));
        }
        // The fastest of all is found all the same.
        assertThat(with / SEEDS).isLessThan(0.05);
    }
}
