package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import knobscape.explore.Candidates;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.explore.active.TransductiveDesign;
import knobscape.space.Configuration;

/// The first measurements, before anything is known.
@FunctionalInterface
public interface InitialDesign {

    /// Different members of the problem's space, about `count` of them.
    List<Configuration> choose(TuningProblem problem, int count, SplittableRandom random);

    /// The same as proposals, drawn with the problem's seed.
    default List<Proposal> proposals(TuningProblem problem, int count) {
        return choose(problem, count, StepRandom.of(problem.seed(), 0)).stream()
                .map(c -> problem.proposal(c, Double.NaN, "initial design"))
                .toList();
    }

    /// Uniform draws without replacement.
    static InitialDesign random() {
        return (problem, count, random) -> Candidates.draw(problem.space(), Set.of(), count, random);
    }

    /// Batch transductive experimental design with the paper's settings: 10 random sets of 500, 0.1.
    static InitialDesign bted() {
        return bted(10, 500, 0.1, TransductiveDesign.Penalty.WITH_THE_SIGN);
    }

    /// Batch transductive experimental design on Euclidean distances between [TuningProblem#coordinates()].
    ///
    /// @param sets random sets, B
    /// @param size of each, M; the whole space where that is smaller
    /// @param mu penalty
    /// @param penalty how it enters; [TransductiveDesign.Penalty#PRINTED] is the algorithm as printed
    static InitialDesign bted(int sets, int size, double mu, TransductiveDesign.Penalty penalty) {
        return (problem, count, random) -> {
            var drawn = new ArrayList<List<Configuration>>();
            var rows = new ArrayList<double[][]>();
            for (int b = 0; b < sets; b++) {
                List<Configuration> set = Candidates.draw(problem.space(), Set.of(), size, random);
                drawn.add(set);
                rows.add(problem.coordinates().encodeAll(set));
            }
            return TransductiveDesign.batch(rows, count, mu, penalty).stream()
                    .map(c -> drawn.get(c.set()).get(c.row()))
                    .toList();
        };
    }
}
