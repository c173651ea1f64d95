package knobscape.explore.population;

import java.util.random.RandomGenerator;
import knobscape.space.Configuration;

/// Operators of configurations of one space; what comes out need not be a member of it.
public final class Recombination {
    private Recombination() {}

    /// The knobs of one up to a point drawn evenly, those of the other from there on.
    public static Configuration onePoint(Configuration a, Configuration b, RandomGenerator random) {
        int[] levels = a.levels();
        for (int i = random.nextInt(levels.length); i < levels.length; i++) {
            levels[i] = b.level(i);
        }
        return Configuration.of(a.knobs(), levels);
    }

    /// Each knob of either.
    public static Configuration uniform(Configuration a, Configuration b, RandomGenerator random) {
        int[] levels = a.levels();
        for (int i = 0; i < levels.length; i++) {
            levels[i] = random.nextBoolean() ? levels[i] : b.level(i);
        }
        return Configuration.of(a.knobs(), levels);
    }

    /// Each knob drawn anew with a probability.
    public static Configuration mutate(Configuration c, double probability, RandomGenerator random) {
        int[] levels = c.levels();
        for (int i = 0; i < levels.length; i++) {
            if (random.nextDouble() < probability) {
                levels[i] = random.nextInt(c.knobs().get(i).domain().size());
            }
        }
        return Configuration.of(c.knobs(), levels);
    }
}
