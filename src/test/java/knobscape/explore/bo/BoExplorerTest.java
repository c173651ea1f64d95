package knobscape.explore.bo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleBiFunction;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.RepeatedMeasurements;
import knobscape.explore.GridSpace;
import knobscape.explore.RunEvent;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import org.junit.jupiter.api.Test;

class BoExplorerTest {
    private static final GridSpace SPACE = GridSpace.of(8, 8, 8);
    private static final int TRIALS = 96;

    private static List<Evaluation> run(
            Provenance.Source source, ToDoubleBiFunction<Configuration, Integer> factor, long seed) {
        var device = new Valley(source, factor);
        var all = new ArrayList<Evaluation>();
        device.search(
                SPACE,
                new BoExplorer(Target.of(SPACE, device.info(), Valley.TIME, seed), BoSettings.DEFAULT),
                seed,
                TRIALS,
                event -> {
                    if (event instanceof RunEvent.StageDone d) {
                        all.add(d.evaluation());
                    }
                });
        assertThat(all).hasSize(TRIALS);
        return all;
    }

    private static RepeatedMeasurements judged(List<Evaluation> all) {
        var repeats = RepeatedMeasurements.bySpeed(e -> 1 / e.value("time").orElseThrow());
        all.forEach(repeats::add);
        return repeats;
    }

    private static long again(List<Evaluation> all) {
        return TRIALS - all.stream().map(Evaluation::configuration).distinct().count();
    }

    @Test
    void measuresAgainWhatLooksBestWhereMeasurementsDiffer() {
        for (long seed = 1; seed <= 3; seed++) {
            var random = new SplittableRandom(seed);
            // One slow configuration in eight looks twice as fast the first time.
            List<Evaluation> all = run(
                    Provenance.Source.MEASURED,
                    (c, before) ->
                            Math.exp(0.03 * random.nextGaussian()) * (before == 0 && c.hashCode() % 8 == 0 ? 0.5 : 1),
                    seed);
            RepeatedMeasurements judged = judged(all);
            List<Integer> counts = all.stream()
                    .map(Evaluation::configuration)
                    .distinct()
                    .map(judged::count)
                    .toList();
            assertThat(again(all))
                    .isBetween(4L, (long) TRIALS / BoSettings.DEFAULT.repeats().again());
            assertThat(counts).allMatch(n -> n <= BoSettings.DEFAULT.repeats().most());
            // What looked best at every question that could repeat was repeated until it no longer did, or often
            // enough.
            Evaluation luckiest = all.stream()
                    .limit(24)
                    .min((a, b) -> Double.compare(
                            a.value("time").orElseThrow(), b.value("time").orElseThrow()))
                    .orElseThrow();
            assertThat(judged.count(luckiest.configuration())).isGreaterThan(1);
            assertThat(Valley.time(judged.best().orElseThrow().configuration())).isLessThan(1.2);
        }
    }

    @Test
    void findsOutOnceThatMeasurementsAgreeAndAsksNoModelTwice() {
        assertThat(again(run(Provenance.Source.MEASURED, (_, _) -> 1, 1))).isEqualTo(1);
        assertThat(again(run(Provenance.Source.MODEL, (_, _) -> 1, 1))).isZero();
    }

    @Test
    void aNumberSaysByItsPowersOfTwoWhatItsSizeDoesNot() {
        var threads = new Knob("threads", new Domain.Factors(List.of(16, 32, 48, 64)));
        var rows = new KnobRows(new KnobSet(List.of(
                threads,
                new Knob("vector", new Domain.Factors(List.of(1, 2, 4))),
                new Knob("fixed", new Domain.Factors(List.of(3))),
                new Knob("order", new Domain.Categories(List.of("rows", "columns"))))));
        assertThat(rows.group()).isEqualTo(new int[] {0, 1, 2, 3, 3, 3});
        KnobSet knobs = new KnobSet(List.of(threads));
        var alone = new KnobRows(knobs);
        assertThat(alone.of(Configuration.of(knobs, 0))).containsExactly(0, 0);
        assertThat(alone.of(Configuration.of(knobs, 2))[1]).isZero();
        assertThat(alone.of(Configuration.of(knobs, 3))).containsExactly(1, 1);
    }

    @Test
    void aRunOfAnEarlierVersionGoesOn() {
        var explorer = new BoExplorer(
                Target.of(SPACE, new Valley(Provenance.Source.MODEL, (_, _) -> 1).info(), Valley.TIME, 1),
                BoSettings.DEFAULT);
        explorer.restore("32 0.5 0.5 0.5 -4.0");
        assertThat(explorer.state()).isEmpty();
    }
}
