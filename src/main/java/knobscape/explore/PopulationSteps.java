package knobscape.explore;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Fidelity;
import knobscape.space.Configuration;

/// A population search whose evaluator is not pure: its populations are handed out member by member, and the
/// next one is made when all of the one before are back. Everything follows from the seed and the history, so
/// nothing is stored.
public final class PopulationSteps implements Explorer {
    private static final int INITIAL = 8;

    private final PopulationExplorer search;
    private final Fidelity top;
    private final int most;
    private List<Configuration> population = List.of();
    private final Set<Configuration> members = new HashSet<>();

    /// @param search fresh
    /// @param most evaluations of the whole run
    public PopulationSteps(PopulationExplorer search, Fidelity top, int most) {
        this.search = search;
        this.top = top;
        this.most = most;
    }

    @Override
    public String name() {
        return search.name();
    }

    /// The first members, which give the objectives their scales.
    @Override
    public List<Proposal> initial() {
        return next(new History(), INITIAL);
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        return next(history, count);
    }

    private List<Proposal> next(History history, int count) {
        Set<Configuration> pending = history.inFlight();
        while (true) {
            if (population.isEmpty()) {
                population = members.size() >= most ? List.of() : search.population(new CancellationSignal());
                members.addAll(population);
            }
            List<Configuration> open = population.stream()
                    .filter(c -> history.find(c, top).isEmpty())
                    .distinct()
                    .toList();
            if (population.isEmpty() || !open.isEmpty()) {
                return open.stream()
                        .filter(c -> !pending.contains(c))
                        .limit(count)
                        .map(c -> Proposal.of(c, top, search.reason()))
                        .toList();
            }
            var answers = new ArrayList<Evaluation>();
            population.forEach(c -> answers.add(history.find(c, top).orElseThrow()));
            search.tell(answers);
            population = List.of();
        }
    }
}
