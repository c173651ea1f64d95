package knobscape.gpu.search;

import java.util.List;
import knobscape.explore.FinalRounds;
import knobscape.explore.History;
import knobscape.explore.Proposal;

/// The [FinalRounds] of a kernel. They are not part of the budget, but of a space that was seen whole. Only devices
/// that measure need them.
public final class KernelRounds {
    /// Ranks change while they are measured; no more questions than that follow them.
    private static final int MOST_ASKS = 2 * FinalRounds.ROUNDS;

    private final TuningProblem problem;
    private final FinalRounds rounds;
    private boolean open;
    private int asks;

    /// @param problem of the kernel
    public KernelRounds(TuningProblem problem) {
        this.problem = problem;
        this.rounds = new FinalRounds(problem::score);
    }

    /// Ends the search; whether there is a round to measure.
    boolean open(History history) {
        open = true;
        return asks < MOST_ASKS && !rounds.next(history).isEmpty();
    }

    /// True if the search is over.
    boolean isOpen() {
        return open;
    }

    /// The next round; empty where there is none, or answers are to come.
    List<Proposal> ask(History history) {
        asks++;
        return history.pending().isEmpty()
                ? rounds.next(history).stream()
                        .map(c -> problem.proposal(c, Double.NaN, FinalRounds.REASON))
                        .toList()
                : List.of();
    }
}
