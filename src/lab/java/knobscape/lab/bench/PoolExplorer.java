package knobscape.lab.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.Candidates;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Objectives;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// A search that takes one design after another from a list of candidates, each run to the highest fidelity: random
/// ones first, then what a [Rule] says.
///
/// @param name as in the bench
/// @param space what to search
/// @param info of the evaluator
/// @param initialDesigns random designs before the rule is asked
/// @param rule chooses the next design
/// @param seed of everything random
public record PoolExplorer(String name, DesignSpace space, EvaluatorInfo info, int initialDesigns, Rule rule, long seed)
        implements Explorer {
    /// Spaces up to this size are candidates as a whole, else as many draws a step.
    private static final int CANDIDATES = 10_000;

    /// The measured vectors, minimised, and the refused designs.
    ///
    /// @param measured in order of arrival
    /// @param refused designs without a vector
    /// @param candidates designs not asked for yet, at least one
    public record State(
            Map<Configuration, double[]> measured,
            Set<Configuration> refused,
            List<Configuration> candidates,
            SplittableRandom random) {}

    /// Chooses a candidate.
    @FunctionalInterface
    public interface Rule {
        /// The next design, one of the state's candidates.
        Configuration next(State state);
    }

    @Override
    public List<Proposal> initial() {
        return Candidates.initial(space, initialDesigns, info.top(), seed);
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        Objectives objectives = history.objectives()
                .orElseThrow(() -> new IllegalStateException("the objectives have to be fixed before the first step"));
        SplittableRandom random = StepRandom.of(seed, history.asks() + 1);
        Map<Configuration, double[]> measured = new LinkedHashMap<>();
        Set<Configuration> refused = new LinkedHashSet<>();
        for (Evaluation e : history.evaluations()) {
            objectives
                    .vector(e)
                    .filter(_ -> e.fidelity().rank() == info.top().rank())
                    .ifPresentOrElse(y -> measured.put(e.configuration(), y), () -> {
                        if (!e.isMeasured()) {
                            refused.add(e.configuration());
                        }
                    });
        }
        Set<Configuration> known = new LinkedHashSet<>(measured.keySet());
        known.addAll(refused);
        known.addAll(history.inFlight());
        List<Proposal> chosen = new ArrayList<>();
        while (chosen.size() < count) {
            List<Configuration> candidates = candidates(known, random);
            if (candidates.isEmpty()) {
                break;
            }
            Configuration next = measured.isEmpty()
                    ? candidates.get(random.nextInt(candidates.size()))
                    : rule.next(new State(measured, refused, candidates, random));
            known.add(next);
            chosen.add(Proposal.of(next, info.top(), name));
        }
        return chosen;
    }

    private List<Configuration> candidates(Set<Configuration> known, SplittableRandom random) {
        return Candidates.whole(space, CANDIDATES)
                .map(all -> all.stream().filter(c -> !known.contains(c)).toList())
                .orElseGet(() -> Candidates.draw(space, known, CANDIDATES, random));
    }
}
