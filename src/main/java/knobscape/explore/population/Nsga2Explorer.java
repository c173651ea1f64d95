package knobscape.explore.population;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.Candidates;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Objectives;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.pareto.CrowdedOrder;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// NSGA-II (Deb et al. 2002) over a space with constraints: the best of parents and children by non-domination rank
/// and crowding live on, a child takes each knob from one of two parents, each the better of two, and some knobs
/// anew. A child is drawn among the members of the space that have these levels, so that every one keeps the
/// constraints. One that was asked for before opens more knobs. What failed does not live on. Everything is run to the
/// top fidelity, and follows from the seed and the order of arrivals.
///
/// @param space what to search
/// @param info of the evaluator
/// @param initialDesigns random configurations before the first children
/// @param population members that live on
/// @param seed of everything random
public record Nsga2Explorer(DesignSpace space, EvaluatorInfo info, int initialDesigns, int population, long seed)
        implements Explorer {
    /// Name as on the command line.
    public static final String NAME = "nsga2";
    /// Knobs of a child that are drawn anew, on average.
    private static final double MUTATIONS = 1.5;
    private static final int TRIES = 20;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Proposal> initial() {
        return Candidates.initial(space, initialDesigns, info.top(), seed);
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        SplittableRandom random = StepRandom.of(seed, history.asks() + 1L);
        List<Configuration> parents = parents(history);
        Set<Configuration> known = new HashSet<>(history.inFlight());
        history.evaluations().forEach(e -> known.add(e.configuration()));
        var chosen = new ArrayList<Proposal>();
        while (chosen.size() < count) {
            Optional<Configuration> child = parents.isEmpty() ? Optional.empty() : child(parents, known, random);
            Optional<Configuration> next = child.or(
                    () -> Candidates.draw(space, known, 1, random).stream().findFirst());
            if (next.isEmpty()) {
                break;
            }
            known.add(next.get());
            chosen.add(Proposal.of(next.get(), info.top(), child.isPresent() ? "child of two" : "random"));
        }
        return List.copyOf(chosen);
    }

    /// The members that live, the best first: generation by generation as results arrived.
    private List<Configuration> parents(History history) {
        Objectives objectives = history.objectives()
                .orElseThrow(() -> new IllegalStateException("the objectives have to be fixed before the first step"));
        Map<Configuration, double[]> measured = new LinkedHashMap<>();
        history.evaluations().stream()
                .filter(e -> e.fidelity().rank() == info.top().rank())
                .forEach(e -> objectives.vector(e).ifPresent(y -> measured.put(e.configuration(), y)));
        List<Map.Entry<Configuration, double[]>> arrived = List.copyOf(measured.entrySet());
        List<Map.Entry<Configuration, double[]>> alive = List.of();
        for (int from = 0; from < arrived.size(); from += population) {
            // Children that are not yet all there count from the beginning, so that nothing good waits.
            List<Map.Entry<Configuration, double[]>> all = Stream.concat(
                            alive.stream(), arrived.subList(from, Math.min(from + population, arrived.size())).stream())
                    .toList();
            alive = CrowdedOrder.of(all.stream().map(Map.Entry::getValue).toList()).stream()
                    .limit(population)
                    .map(all::get)
                    .toList();
        }
        return alive.stream().map(Map.Entry::getKey).toList();
    }

    private Optional<Configuration> child(
            List<Configuration> parents, Set<Configuration> known, SplittableRandom random) {
        Configuration a = parent(parents, random);
        Configuration b = parent(parents, random);
        int knobs = space.knobs().size();
        boolean[] anew = new boolean[knobs];
        for (int t = 0; t < TRIES; t++) {
            for (int k = 0; k < knobs; k++) {
                anew[k] |= random.nextDouble() < MUTATIONS / knobs;
            }
            Configuration c = space.drawWithin(
                    IntStream.range(0, knobs)
                            .mapToObj(k -> levels(k, anew[k], a, b))
                            .toList(),
                    random.doubles(knobs).toArray());
            if (!known.contains(c)) {
                return Optional.of(c);
            }
        }
        return Optional.empty();
    }

    /// The better of two.
    private static Configuration parent(List<Configuration> parents, SplittableRandom random) {
        return parents.get(Math.min(random.nextInt(parents.size()), random.nextInt(parents.size())));
    }

    private BitSet levels(int knob, boolean anew, Configuration... parents) {
        var levels = new BitSet();
        if (anew) {
            levels.set(0, space.knobs().get(knob).domain().size());
        } else {
            Arrays.stream(parents).forEach(p -> levels.set(p.level(knob)));
        }
        return levels;
    }
}
