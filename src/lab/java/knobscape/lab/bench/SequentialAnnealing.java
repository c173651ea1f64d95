package knobscape.lab.bench;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import knobscape.evaluate.Evaluation;
import knobscape.explore.Candidates;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.gpu.search.TuningProblem;
import knobscape.space.Configuration;

/// Simulated annealing on the device itself, with the settings of Kernel Tuner's: the temperature falls from 1 by a
/// tenth after as many measurements as there are knobs; a neighbour that is slower by a share d is taken with
/// probability `exp(-d / T)`. A rival in benches.
final class SequentialAnnealing implements Explorer {
    private static final double FACTOR = 0.9;
    private static final double COLDEST = 1e-3;

    private final TuningProblem problem;
    private final SplittableRandom random;
    private Optional<Configuration> current = Optional.empty();
    private double reached;
    private double temperature = 1;
    private int measured;

    SequentialAnnealing(TuningProblem problem) {
        this.problem = problem;
        this.random = new SplittableRandom(problem.seed());
    }

    @Override
    public String name() {
        return "annealing";
    }

    @Override
    public List<Proposal> initial() {
        return proposals(Candidates.draw(problem.space(), Set.of(), 1, random));
    }

    private List<Proposal> proposals(List<Configuration> all) {
        return all.stream()
                .map(c -> Proposal.of(c, problem.info().top(), "annealing"))
                .toList();
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        List<Evaluation> all = history.evaluations();
        Set<Configuration> asked = new HashSet<>();
        all.forEach(e -> asked.add(e.configuration()));
        Evaluation last = all.getLast();
        double score = problem.score(last);
        if (current.isEmpty() || score > reached || random.nextDouble() < chance(score)) {
            current = Optional.of(last.configuration());
            reached = score;
        }
        if (++measured % problem.space().knobs().size() == 0) {
            temperature = temperature * FACTOR < COLDEST ? 1 : temperature * FACTOR;
        }
        List<Configuration> near = problem.space().neighbours(current.get()).stream()
                .filter(problem.space()::contains)
                .filter(c -> !asked.contains(c))
                .toList();
        return proposals(
                near.isEmpty()
                        ? Candidates.draw(problem.space(), asked, 1, random)
                        : List.of(near.get(random.nextInt(near.size()))));
    }

    /// Of going to what is slower.
    private double chance(double score) {
        return reached <= 0 ? 1 : score <= 0 ? 0 : Math.exp(-(reached / score - 1) / temperature);
    }
}
