package knobscape.space;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConfigurationTest {
    private static final KnobSet KNOBS = new KnobSet(List.of(
            new Knob("a", new Domain.Toggle()),
            new Knob(
                    "b",
                    new Domain.Factors(IntStream.rangeClosed(1, 70_000).boxed().toList())),
            new Knob("c", new Domain.Categories(List.of("x", "y", "z")))));

    /// Levels are packed by their size, which nobody may notice.
    @Test
    void levelsOfAnySizeComeBackAsTheyWere() {
        var random = new SplittableRandom(5);
        for (int bound : new int[] {2, 128, 255, 256, 257, 70_000}) {
            for (int i = 0; i < 50; i++) {
                int[] levels = {random.nextInt(2), random.nextInt(bound), random.nextInt(3)};
                Configuration c = Configuration.of(KNOBS, levels);
                assertArrayEquals(levels, c.levels());
                assertArrayEquals(
                        levels, IntStream.range(0, KNOBS.size()).map(c::level).toArray());
                assertEquals(c, Configuration.parse(KNOBS, c.text()));
                assertEquals(Arrays.hashCode(levels), c.hashCode());
                assertEquals("" + (levels[1] + 1), c.value("b"));
                assertNotEquals(c, c.with(0, 1 - levels[0]));
                assertEquals(c, c.with(1, 69_999).with(1, levels[1]));
            }
        }
    }

    @Test
    void laterChangesOfTheArrayAreNotSeen() {
        int[] levels = {1, 2, 0};
        Configuration c = Configuration.of(KNOBS, levels);
        levels[1] = 9;
        c.levels()[0] = 0;
        assertEquals("a=on;b=3;c=x", c.text());
    }
}
