package knobscape.gpu.search;

import java.util.random.RandomGenerator;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// Random steps inside a space.
final class Moves {
    private static final int SINGLE_TRIES = 24;
    private static final int DOUBLE_TRIES = 48;

    private final DesignSpace space;
    /// Positions of the knobs that have a choice.
    private final int[] open;

    Moves(DesignSpace space) {
        this.space = space;
        int[] all = new int[space.knobs().size()];
        int n = 0;
        for (int i = 0; i < all.length; i++) {
            if (space.knobs().get(i).domain().size() > 1) {
                all[n++] = i;
            }
        }
        open = java.util.Arrays.copyOf(all, n);
    }

    /// A member that differs in one knob, chosen at random, by a random other value. Where constraints leave
    /// none in a number of tries, one that differs in two knobs; where there is none of these either, the
    /// configuration itself.
    Configuration step(Configuration from, RandomGenerator random) {
        if (open.length == 0) {
            return from;
        }
        for (int i = 0; i < SINGLE_TRIES; i++) {
            Configuration to = change(from, random);
            if (space.contains(to)) {
                return to;
            }
        }
        for (int i = 0; i < DOUBLE_TRIES; i++) {
            Configuration to = change(change(from, random), random);
            if (!to.equals(from) && space.contains(to)) {
                return to;
            }
        }
        return from;
    }

    private Configuration change(Configuration from, RandomGenerator random) {
        int knob = open[random.nextInt(open.length)];
        int level = random.nextInt(space.knobs().get(knob).domain().size() - 1);
        return from.with(knob, level >= from.level(knob) ? level + 1 : level);
    }
}
