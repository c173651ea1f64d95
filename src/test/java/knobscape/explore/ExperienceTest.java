package knobscape.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import org.junit.jupiter.api.Test;

class ExperienceTest {
    private static KnobSet knobs(List<Integer> tiles, List<String> splits, String... more) {
        var all = new java.util.ArrayList<Knob>();
        all.add(new Knob("tile", new Domain.Factors(tiles)));
        all.add(new Knob("split", new Domain.Categories(splits)));
        for (String m : more) {
            all.add(new Knob(m, new Domain.Toggle()));
        }
        return new KnobSet(all);
    }

    @Test
    void columnsMeanTheSameWhateverTheDomains() {
        KnobSet here = knobs(List.of(0, 3, 7), List.of("[1, 3]", "[3, 1]"));
        KnobSet there = knobs(List.of(7, 15), List.of("[1, 7]", "[3, 1]"), "other");
        var experience = Experience.of(
                new CartesianSpace(here),
                Experience.NOTHING,
                List.of(new Experience.Earlier(
                        "a",
                        "gpu",
                        true,
                        there,
                        Experience.NOTHING,
                        List.of(Configuration.of(there, 0, 1, 1), Configuration.of(there, 1, 0, 0)),
                        new double[] {2, 0})));
        double[] own = experience.features().encode(Configuration.of(here, 2, 1));
        Experience.Row first = experience.origins().getFirst().rows().getFirst();
        assertThat(first.features()).containsExactly(own);
        assertThat(experience.origins().getFirst().rows().get(1).features()).containsExactly(1, 3, 4);
        assertThat(first.here()).as("other knobs").isEmpty();
        assertThat(experience.isEmpty()).isFalse();
        assertThat(experience.size()).isEqualTo(2);
    }

    @Test
    void realNumbersAreOneColumnOnTheirScale() {
        var here = new KnobSet(List.of(new Knob("rate", new Domain.Numbers(List.of(0.25, 0.5, 4.0), true))));
        var there = new KnobSet(List.of(new Knob("rate", new Domain.Numbers(List.of(0.125, 1.0), true))));
        var experience = Experience.of(
                new CartesianSpace(here),
                Experience.NOTHING,
                List.of(new Experience.Earlier(
                        "a", "gpu", true, there, Experience.NOTHING, List.of(Configuration.of(there, 0)), new double[] {
                            2
                        })));
        assertThat(experience.features().encode(Configuration.of(here, 2))).containsExactly(2);
        assertThat(experience.origins().getFirst().rows().getFirst().features()).containsExactly(-3);
    }

    @Test
    void aChoiceThatExistsHereIsFoundHere() {
        KnobSet here = knobs(List.of(0, 3, 7), List.of("x", "y"));
        KnobSet there = knobs(List.of(3, 9), List.of("y", "z"));
        var experience = Experience.of(
                new CartesianSpace(here),
                Experience.NOTHING,
                List.of(new Experience.Earlier(
                        "a",
                        "gpu",
                        true,
                        there,
                        Experience.NOTHING,
                        List.of(Configuration.of(there, 0, 0), Configuration.of(there, 1, 0)),
                        new double[] {0, 0})));
        List<Experience.Row> rows = experience.origins().getFirst().rows();
        assertThat(rows.getFirst().here()).contains(Configuration.of(here, 1, 1));
        assertThat(rows.getLast().here()).isEmpty();
        assertThat(experience.isEmpty()).as("nothing ran").isTrue();
    }
}
