package knobscape.explore;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import knobscape.evaluate.Fidelity;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// Members of a space that a search considers: all of them where they can be listed, else uniform draws.
public final class Candidates {
    /// Largest space that is listed to find what is left when draws keep hitting known designs.
    private static final int LISTABLE = 100_000;
    /// Draws in a row that bring nothing new before what is left is listed.
    private static final int MISSES = 100;

    private Candidates() {}

    /// All members in the order of the space, where there are at most `most`.
    public static Optional<List<Configuration>> whole(DesignSpace space, int most) {
        return hasAtMost(space, most) ? Optional.of(space.enumerate().toList()) : Optional.empty();
    }

    private static boolean hasAtMost(DesignSpace space, int most) {
        return space.size().bitLength() < 31 && space.size().intValue() <= most;
    }

    /// All members where there are at most `whole`, else `count` different ones at random.
    public static List<Configuration> sample(DesignSpace space, int whole, int count, RandomGenerator random) {
        return whole(space, whole).orElseGet(() -> draw(space, Set.of(), count, random));
    }

    /// Up to `count` different members outside `known`, uniformly drawn; fewer only where no more exist (found out
    /// for spaces of up to 100 000 members; in larger ones as many draws as it takes).
    public static List<Configuration> draw(
            DesignSpace space, Set<Configuration> known, int count, RandomGenerator random) {
        return draw(space, known::contains, count, random);
    }

    /// The first questions of a search that begins with uniform draws.
    ///
    /// @param seed of the search
    public static List<Proposal> initial(DesignSpace space, int designs, Fidelity upTo, long seed) {
        return draw(space, Set.of(), designs, StepRandom.of(seed, 0)).stream()
                .map(c -> Proposal.of(c, upTo, "initial design"))
                .toList();
    }

    static List<Configuration> draw(
            DesignSpace space, Predicate<Configuration> known, int count, RandomGenerator random) {
        Set<Configuration> drawn = new LinkedHashSet<>();
        boolean listable = hasAtMost(space, LISTABLE);
        int misses = 0;
        while (drawn.size() < count) {
            Configuration c = space.draw(random);
            if (!known.test(c) && drawn.add(c)) {
                misses = 0;
                continue;
            }
            if (listable && ++misses > MISSES) {
                List<Configuration> left = new ArrayList<>(space.enumerate()
                        .filter(x -> !known.test(x) && !drawn.contains(x))
                        .toList());
                while (drawn.size() < count && !left.isEmpty()) {
                    drawn.add(left.remove(random.nextInt(left.size())));
                }
                break;
            }
        }
        return List.copyOf(drawn);
    }
}
