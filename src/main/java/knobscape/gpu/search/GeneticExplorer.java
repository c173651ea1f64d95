package knobscape.gpu.search;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import knobscape.explore.Candidates;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.LevelText;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.explore.population.Evolution;
import knobscape.explore.population.Recombination;
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
        generation = Candidates.draw(problem.space(), Set.of(), settings.population, StepRandom.of(problem.seed(), 0));
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

    private List<Configuration> breed(History history, Set<Configuration> asked, SplittableRandom random) {
        Set<Configuration> last = new HashSet<>(generation);
        List<Evolution.Member<Configuration>> all = history.at(problem.info().top()).stream()
                .map(e -> new Evolution.Member<>(e.configuration(), problem.score(e)))
                .toList();
        List<Evolution.Member<Configuration>> parents = Stream.concat(
                        all.stream().filter(p -> last.contains(p.genome())),
                        Evolution.best(all, settings.elite).stream().filter(p -> !last.contains(p.genome())))
                .toList();
        Set<Configuration> taken = new HashSet<>(asked);
        return Evolution.breed(
                parents, settings.population, Evolution.proportional(), (p, r) -> child(p, taken, r), random);
    }

    private Optional<Configuration> child(
            Supplier<Configuration> parent, Set<Configuration> taken, SplittableRandom random) {
        Configuration child = mutated(Recombination.onePoint(parent.get(), parent.get(), random), random);
        for (int i = 0; i < TRIES && !isNew(child, taken); i++) {
            child = mutated(child, random);
        }
        Optional<Configuration> fresh = isNew(child, taken)
                ? Optional.of(child)
                : Candidates.draw(problem.space(), taken, 1, random).stream().findFirst();
        fresh.ifPresent(taken::add);
        return fresh;
    }

    private boolean isNew(Configuration child, Set<Configuration> taken) {
        return !taken.contains(child) && problem.space().contains(child);
    }

    private Configuration mutated(Configuration c, SplittableRandom random) {
        return Recombination.mutate(c, settings.mutation, random);
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
