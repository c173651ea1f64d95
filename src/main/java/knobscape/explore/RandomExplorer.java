package knobscape.explore;

import java.util.List;
import java.util.Set;
import knobscape.evaluate.Fidelity;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// Random search: every proposal is a uniform draw of a configuration not yet evaluated nor pending, run to the
/// highest fidelity. The yardstick the learning explorers are held against.
public final class RandomExplorer implements Explorer {
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
        return Candidates.initial(space, initialDesigns, top, seed);
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        Set<Configuration> pending = history.inFlight();
        return Candidates.draw(
                        space,
                        c -> history.highestRank(c) >= 0 || pending.contains(c),
                        count,
                        StepRandom.of(seed, history.asks() + 1))
                .stream()
                .map(c -> Proposal.of(c, top, "random"))
                .toList();
    }
}
