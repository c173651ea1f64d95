package knobscape.explore.bo;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.explore.Candidates;
import knobscape.explore.Experience;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.space.Configuration;
import knobscape.surrogate.ensemble.XgBoost;

/// Measures what an experience ranks highest, in this order, and learns nothing from it; random members where the
/// ranking ends. The rivals that every method of transfer has to beat.
public final class RankedExplorer implements Explorer {
    private final String name;
    private final Target target;
    private final By by;
    private Optional<List<Configuration>> ranking = Optional.empty();

    /// The ranking criterion.
    public enum By {
        /// Speed measured earlier, as a share of the best of its origin.
        MEASURED,
        /// Boosted trees trained on the pooled experience.
        TREES
    }

    /// @param name as on the command line
    /// @param target what is searched for, with its experience
    /// @param by what ranks
    public RankedExplorer(String name, Target target, By by) {
        this.name = name;
        this.target = target;
        this.by = by;
    }

    @Override
    public String name() {
        return name;
    }

    private List<Configuration> ranking() {
        if (ranking.isEmpty()) {
            ranking =
                    Optional.of(target.experience().isEmpty() ? List.of() : by == By.MEASURED ? measured() : byTrees());
        }
        return ranking.get();
    }

    private List<Configuration> measured() {
        Map<Configuration, Double> scores = target.experience().origins().stream()
                .filter(o -> o.best() > 0)
                .flatMap(o -> o.rows().stream()
                        .filter(r -> r.here().isPresent() && r.score() > 0)
                        .map(r -> Map.entry(r.here().orElseThrow(), r.score() / o.best())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Math::max));
        return scores.entrySet().stream()
                .sorted(Map.Entry.<Configuration, Double>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(e -> e.getKey().text()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private List<Configuration> byTrees() {
        Experience e = target.experience();
        return PriorOptima.of(
                target,
                new PooledPrior(e, XgBoost.trainer(PooledPrior.TREES), target.seed()),
                target.space()::neighbours);
    }

    @Override
    public List<Proposal> initial() {
        return next(Set.of(), 1, 0);
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        Set<Configuration> asked = new HashSet<>();
        history.evaluations().forEach(e -> asked.add(e.configuration()));
        asked.addAll(history.inFlight());
        return next(asked, count, history.asks() + 1);
    }

    private List<Proposal> next(Set<Configuration> asked, int count, long step) {
        List<Configuration> ranked = ranking().stream()
                .filter(c -> !asked.contains(c))
                .filter(target.canRun())
                .limit(count)
                .toList();
        Set<Configuration> taken = new HashSet<>(asked);
        taken.addAll(ranked);
        return Stream.concat(
                        ranked.stream().map(c -> target.proposal(c, Double.NaN, "ranked by the history")),
                        Candidates.draw(
                                        target.space(),
                                        taken,
                                        count - ranked.size(),
                                        StepRandom.of(target.seed(), step))
                                .stream()
                                .map(c -> target.proposal(c, Double.NaN, "random")))
                .toList();
    }
}
