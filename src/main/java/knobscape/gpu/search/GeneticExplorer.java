package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.LevelText;
import knobscape.explore.Proposal;
import knobscape.explore.RandomExplorer;
import knobscape.explore.StepRandom;
import knobscape.space.Configuration;

/// AutoTVM's genetic search: parents drawn in proportion to what they reached, one-point crossover in knob
/// order, mutation knob by knob, and the best few carried on as parents. No configuration is measured twice; a
/// child that is known or not in the space is mutated again, and drawn at random where that does not help.
public final class GeneticExplorer implements Explorer {
    private static final int TRIES = 20;

    /// Settings.
    ///
    /// @param population children per generation
    /// @param elite best ones of all times that stay parents
    /// @param mutation probability per knob
    public record Settings(int population, int elite, double mutation) {
        /// 100, 3, 0.1.
        public static final Settings DEFAULT = new Settings(100, 3, 0.1);
    }

    private final TuningProblem problem;
    private final Settings settings;
    /// The generation being measured, in order.
    private List<Configuration> generation = List.of();

    /// @param problem what to tune
    /// @param settings how
    public GeneticExplorer(TuningProblem problem, Settings settings) {
        this.problem = problem;
        this.settings = settings;
    }

    @Override
    public String name() {
        return "ga";
    }

    @Override
    public List<Proposal> initial() {
        generation =
                RandomExplorer.draw(problem.space(), Set.of(), settings.population, StepRandom.of(problem.seed(), 0));
        return generation.stream()
                .map(c -> problem.proposal(c, Double.NaN, "first generation"))
                .toList();
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        Set<Configuration> asked = TuningProblem.asked(history);
        var open = generation.stream().filter(c -> !asked.contains(c)).toList();
        if (open.isEmpty()) {
            generation = breed(history, asked, StepRandom.of(problem.seed(), history.asks() + 1L));
            open = generation;
        }
        return open.stream()
                .limit(count)
                .map(c -> problem.proposal(c, Double.NaN, "generation"))
                .toList();
    }

    private record Parent(Configuration configuration, double score) {}

    private List<Configuration> breed(History history, Set<Configuration> asked, SplittableRandom random) {
        Set<Configuration> last = new HashSet<>(generation);
        List<Parent> all = history.at(problem.info().top()).stream()
                .map(e -> new Parent(e.configuration(), problem.score(e)))
                .toList();
        var parents = new ArrayList<>(
                all.stream().filter(p -> last.contains(p.configuration)).toList());
        all.stream()
                .sorted(Comparator.comparingDouble(Parent::score).reversed())
                .limit(settings.elite)
                .filter(p -> !last.contains(p.configuration))
                .forEach(parents::add);
        Set<Configuration> taken = new HashSet<>(asked);
        var children = new LinkedHashSet<Configuration>();
        double total = parents.stream().mapToDouble(Parent::score).sum();
        while (children.size() < settings.population) {
            Configuration child = child(parents, total, random);
            for (int i = 0;
                    i < TRIES && (taken.contains(child) || !problem.space().contains(child));
                    i++) {
                child = mutate(child, random);
            }
            if (taken.contains(child) || !problem.space().contains(child)) {
                List<Configuration> drawn = RandomExplorer.draw(problem.space(), taken, 1, random);
                if (drawn.isEmpty()) {
                    break;
                }
                child = drawn.getFirst();
            }
            taken.add(child);
            children.add(child);
        }
        return List.copyOf(children);
    }

    private Configuration child(List<Parent> parents, double total, SplittableRandom random) {
        Configuration a = parent(parents, total, random);
        Configuration b = parent(parents, total, random);
        int knobs = problem.space().knobs().size();
        int point = random.nextInt(knobs);
        int[] levels = a.levels();
        for (int i = point; i < knobs; i++) {
            levels[i] = b.level(i);
        }
        return mutate(Configuration.of(problem.space().knobs(), levels), random);
    }

    private static Configuration parent(List<Parent> parents, double total, SplittableRandom random) {
        if (total <= 0) {
            return parents.get(random.nextInt(parents.size())).configuration;
        }
        double at = random.nextDouble() * total;
        for (Parent p : parents) {
            at -= p.score;
            if (at < 0) {
                return p.configuration;
            }
        }
        return parents.getLast().configuration;
    }

    private Configuration mutate(Configuration c, SplittableRandom random) {
        int[] levels = c.levels();
        for (int i = 0; i < levels.length; i++) {
            if (random.nextDouble() < settings.mutation) {
                levels[i] =
                        random.nextInt(problem.space().knobs().get(i).domain().size());
            }
        }
        return Configuration.of(problem.space().knobs(), levels);
    }

    @Override
    public String state() {
        return LevelText.write(generation);
    }

    @Override
    public void restore(String state) {
        generation = LevelText.read(problem.space().knobs(), state);
    }
}
