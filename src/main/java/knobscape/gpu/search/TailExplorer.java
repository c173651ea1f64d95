package knobscape.gpu.search;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.explore.SearchStanding;
import knobscape.space.Configuration;

/// The best schedule of a kernel with a tail it was not searched with: it is measured (and checked, as a first
/// result always is) once, and where it fails with the tail, the next best ones are tried. Not part of the
/// budget: it is at most a few measurements per kernel.
public final class TailExplorer implements Explorer {
    private static final int TRIES = 8;
    private final int kernel;
    private final TuningProblem problem;
    private Optional<History> searched = Optional.empty();

    /// @param kernel index of the kernel's subject
    /// @param problem of the kernel
    public TailExplorer(int kernel, TuningProblem problem) {
        this.kernel = kernel;
        this.problem = problem;
    }

    /// The next tail to be asked, once nothing of the kernels is in flight that could become the best.
    ///
    /// @param kernels how many of the subjects are kernels, the first ones
    static OptionalInt next(List<TailExplorer> tails, List<SearchStanding> subjects, int kernels) {
        boolean idle = subjects.stream()
                .limit(kernels)
                .allMatch(s -> s.history().pending().isEmpty());
        tails.forEach(t -> t.look(subjects.get(t.kernel).history()));
        return IntStream.range(kernels, subjects.size())
                .filter(i -> idle && subjects.get(i).canBeAsked())
                .findFirst();
    }

    private void look(History history) {
        searched = Optional.of(history);
    }

    @Override
    public String name() {
        return "tail";
    }

    @Override
    public List<Proposal> initial() {
        return List.of();
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        if (searched.isEmpty() || !history.pending().isEmpty()) {
            return List.of();
        }
        List<Configuration> best = searched.get().evaluations().stream()
                .filter(e -> problem.score(e) > 0)
                .sorted(Comparator.comparingDouble(problem::score).reversed())
                .map(Evaluation::configuration)
                .distinct()
                .limit(TRIES)
                .toList();
        for (Configuration c : best) {
            Optional<Evaluation> known = history.find(c, problem.info().top());
            if (known.isEmpty()) {
                return List.of(problem.proposal(c, Double.NaN, "best with another tail"));
            }
            if (known.get().isMeasured()) {
                return List.of();
            }
        }
        return List.of();
    }
}
