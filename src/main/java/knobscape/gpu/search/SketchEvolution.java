package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.explore.population.Evolution;
import knobscape.gpu.space.sketch.Mutations;
import knobscape.gpu.space.template.ScheduleSpace;
import knobscape.space.Configuration;

/// Ansor's evolutionary search over the sketches of a kernel and their annotations (Zheng et al., OSDI 2020, as
/// released with TVM 0.8): parents are drawn in proportion to their predicted score, mutated, and what the model
/// picks of all generations, the best in Ansor, is the plan. There is no crossover.
final class SketchEvolution {
    /// Settings.
    ///
    /// @param population of each generation
    /// @param generations after the first
    /// @param mutation probability; otherwise a parent lives on
    /// @param tiles share of mutations that move a factor of a tile; others change an option
    /// @param least fewest valid random members of the first generation
    /// @param measured share of the population that are the best measured
    /// @param random share of a plan that is drawn at random
    record Settings(
            int population, int generations, double mutation, double tiles, int least, double measured, double random) {
        /// Ansor's.
        static final Settings ANSOR = new Settings(2048, 4, 0.85, 0.9, 50, 0.2, 0.05);

        /// With another population.
        Settings withPopulation(int members) {
            return new Settings(members, generations, mutation, tiles, least, measured, random);
        }
    }

    /// Rounds of draws before the search takes what it has.
    private static final int DRAWS = 20;
    /// Mutations tried before a parent lives on.
    private static final int TRIES = 10;

    private final TuningProblem problem;
    private final KernelNests kernel;
    private final ScheduleSpace space;
    private final Settings settings;
    private final Set<Configuration> asked;
    private final SplittableRandom random;
    /// By configuration what models see of it; empty where it cannot run.
    private final Map<Configuration, Optional<ScheduleFeatures>> seen = new HashMap<>();

    /// @param asked never proposed again
    SketchEvolution(TuningProblem problem, Settings settings, Set<Configuration> asked, SplittableRandom random) {
        this.problem = problem;
        this.kernel = problem.kernel().orElseThrow();
        this.space = kernel.source().space();
        this.settings = settings;
        this.asked = asked;
        this.random = random;
    }

    /// A schedule to be measured.
    ///
    /// @param score predicted, NaN where it was drawn at random
    record PlannedCandidate(Configuration configuration, Optional<ScheduleFeatures> features, double score) {}

    /// The model that knows schedules of the kernel.
    ///
    /// @param model of the run
    /// @param kernel its number there
    record Guide(ScheduleScorer.Scorer model, int kernel) {}

    /// The next measurements, at most `count`; fewer where the space has no more.
    ///
    /// @param best measured configurations, the best first
    /// @param guide empty where nothing is known: all are drawn at random
    List<PlannedCandidate> plan(int count, List<Configuration> best, Optional<Guide> guide) {
        Set<Configuration> first = drawn(guide.isEmpty() ? count : settings.least);
        List<PlannedCandidate> chance = first.stream()
                .filter(c -> !asked.contains(c))
                .map(c -> new PlannedCandidate(c, features(c), Double.NaN))
                .toList();
        if (guide.isEmpty()) {
            return chance.stream().limit(count).toList();
        }
        Guide g = guide.get();
        List<PlannedCandidate> evolved = evolve(first, best, g);
        List<ScheduleFeatures> schedules =
                evolved.stream().map(p -> p.features.orElseThrow()).toList();
        List<PlannedCandidate> plan = new ArrayList<>();
        for (int i : g.model.pick(g.kernel, schedules, count - byChance(count))) {
            plan.add(evolved.get(i));
        }
        Set<Configuration> taken = new LinkedHashSet<>();
        plan.forEach(p -> taken.add(p.configuration));
        chance.stream()
                .filter(p -> !taken.contains(p.configuration))
                .limit(count - plan.size())
                .forEach(plan::add);
        return plan;
    }

    /// How many of a plan are drawn at random: in small plans none now and then, so that it is no larger share of them.
    private int byChance(int count) {
        return count < ScheduleScorer.AT_ONCE
                ? random.nextDouble() * ScheduleScorer.AT_ONCE < count ? 1 : 0
                : (int) Math.ceil(settings.random * count);
    }

    /// Valid random members: those among as many draws as the population has members, and more draws where these are
    /// too few.
    private Set<Configuration> drawn(int least) {
        var valid = new LinkedHashSet<Configuration>();
        for (int round = 0; round < DRAWS && valid.size() < least; round++) {
            List<Configuration> draws = IntStream.range(0, settings.population)
                    .mapToObj(_ -> space.draw(random.nextInt(space.alternatives()), random))
                    .toList();
            look(draws);
            draws.stream().filter(c -> features(c).isPresent()).forEach(valid::add);
        }
        return valid;
    }

    /// The features of a configuration that models see; empty where it cannot run.
    private Optional<ScheduleFeatures> features(Configuration c) {
        return seen.getOrDefault(c, Optional.empty());
    }

    /// Lowers what was not seen yet, side by side.
    private void look(List<Configuration> configurations) {
        List<Configuration> fresh = configurations.stream()
                .distinct()
                .filter(c -> !seen.containsKey(c))
                .toList();
        List<Optional<ScheduleFeatures>> features = fresh.parallelStream()
                .map(c -> kernel.source().obstacle(c).isEmpty()
                                && problem.canRun().test(c)
                        ? Optional.of(ScheduleFeatures.of(kernel.schedule(c)))
                        : Optional.<ScheduleFeatures>empty())
                .toList();
        for (int i = 0; i < fresh.size(); i++) {
            seen.put(fresh.get(i), features.get(i));
        }
    }

    /// All that any generation had and that was not asked for, the best first.
    private List<PlannedCandidate> evolve(Set<Configuration> first, List<Configuration> best, Guide guide) {
        List<Configuration> now = new ArrayList<>(first);
        best.stream().limit((long) (settings.measured * settings.population)).forEach(now::add);
        look(now);
        now.removeIf(c -> features(c).isEmpty());
        Map<Configuration, Double> scores = new LinkedHashMap<>();
        for (int g = 0; !now.isEmpty(); g++) {
            List<Configuration> fresh =
                    now.stream().distinct().filter(c -> !scores.containsKey(c)).toList();
            double[] values = guide.model.score(
                    guide.kernel,
                    fresh.stream().map(c -> features(c).orElseThrow()).toList());
            for (int i = 0; i < values.length; i++) {
                scores.put(fresh.get(i), values[i]);
            }
            if (g == settings.generations) {
                break;
            }
            now = children(now, scores);
        }
        return scores.entrySet().stream()
                .filter(e -> !asked.contains(e.getKey()))
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(e -> new PlannedCandidate(e.getKey(), features(e.getKey()), e.getValue()))
                .toList();
    }

    private List<Configuration> children(List<Configuration> parents, Map<Configuration, Double> scores) {
        List<Evolution.Member<Configuration>> members = parents.stream()
                .map(c -> new Evolution.Member<>(c, scores.getOrDefault(c, 0.0)))
                .toList();
        List<Configuration> chosen = new ArrayList<>();
        List<Configuration> children = new ArrayList<>(Evolution.breed(
                members,
                settings.population,
                Evolution.proportional(),
                (parent, own) -> {
                    chosen.add(parent.get());
                    return Optional.of(
                            own.nextDouble() < settings.mutation ? mutated(chosen.getLast()) : chosen.getLast());
                },
                random));
        look(children);
        // A child that cannot run is tried again from its parent.
        for (int t = 0; t < TRIES; t++) {
            List<Integer> failed = IntStream.range(0, children.size())
                    .filter(i -> features(children.get(i)).isEmpty())
                    .boxed()
                    .toList();
            if (failed.isEmpty()) {
                break;
            }
            boolean last = t == TRIES - 1;
            failed.forEach(i -> children.set(i, last ? chosen.get(i) : mutated(chosen.get(i))));
            look(children);
        }
        return children;
    }

    private Configuration mutated(Configuration c) {
        return random.nextDouble() < settings.tiles
                ? Mutations.tile(space, c, random)
                : Mutations.option(space, c, random);
    }
}
