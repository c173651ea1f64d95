package knobscape.explore;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import knobscape.evaluate.Fidelity;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// Random search: every proposal is a uniform draw of a configuration not yet evaluated nor pending, run to the
/// highest fidelity. The yardstick the learning explorers are held against.
public final class RandomExplorer implements Explorer {
    /// Largest space that is listed to find what is left when draws keep hitting known designs.
    private static final int LISTABLE = 100_000;

    private final DesignSpace space;
    private final Fidelity top;
    private final int initialDesigns;
    private final long seed;

    /// @param space what to draw from
    /// @param top the fidelity every design is run to
    /// @param initialDesigns number of initial designs, at least 0
    /// @param seed of all draws
    public RandomExplorer(DesignSpace space, Fidelity top, int initialDesigns, long seed) {
        if (initialDesigns < 0) {
            throw new IllegalArgumentException(
                    "the number of initial designs cannot be negative, was " + initialDesigns);
        }
        this.space = space;
        this.top = top;
        this.initialDesigns = initialDesigns;
        this.seed = seed;
    }

    @Override
    public String name() {
        return "random";
    }

    @Override
    public List<Proposal> initial() {
        return draw(space, Set.of(), initialDesigns, StepRandom.of(seed, 0)).stream()
                .map(c -> proposal(c, "initial design"))
                .toList();
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        Set<Configuration> pending =
                history.pending().stream().map(Proposal::configuration).collect(Collectors.toSet());
        return draw(
                        space,
                        c -> history.highestRank(c) >= 0 || pending.contains(c),
                        count,
                        StepRandom.of(seed, history.asks() + 1))
                .stream()
                .map(c -> proposal(c, "random"))
                .toList();
    }

    private Proposal proposal(Configuration configuration, String reason) {
        return new Proposal(configuration, top, Double.NaN, Optional.empty(), reason);
    }

    /// Up to `count` different members of `space` outside `known`, uniformly drawn; fewer only where no more
    /// exist (found out for spaces of up to 100 000 members; in larger ones as many draws as it takes).
    public static List<Configuration> draw(
            DesignSpace space, Set<Configuration> known, int count, RandomGenerator random) {
        return draw(space, known::contains, count, random);
    }

    private static List<Configuration> draw(
            DesignSpace space, Predicate<Configuration> known, int count, RandomGenerator random) {
        Set<Configuration> drawn = new LinkedHashSet<>();
        boolean listable = space.size().bitLength() < 31 && space.size().intValue() <= LISTABLE;
        int misses = 0;
        while (drawn.size() < count) {
            Configuration c = space.draw(random);
            if (!known.test(c) && drawn.add(c)) {
                misses = 0;
                continue;
            }
            if (listable && ++misses > 100) {
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
