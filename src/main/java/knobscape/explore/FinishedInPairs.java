package knobscape.explore;

import java.util.List;
import java.util.Map;
import knobscape.evaluate.Fidelity;

/// A search whose last six steps measure the best again ([FinalRounds]), as far as its rounds need them, and the steps
/// after its end where the space is seen whole before.
public final class FinishedInPairs implements DelegatingExplorer {
    private static final int LEAST_STEPS = 20;
    /// Ranks change while the best are measured, so that more than one question belongs to a round.
    private static final int MOST_ASKS = 2 * FinalRounds.ROUNDS;

    private final Explorer search;
    private final FinalRounds rounds;
    private final Fidelity top;
    private final int steps;
    private boolean isRound;
    private int left = MOST_ASKS;

    /// @param top the stage that is repeated
    /// @param steps of the run; where these are fewer than twenty, the search has them all
    public FinishedInPairs(Explorer search, FinalRounds rounds, Fidelity top, int steps) {
        this.search = search;
        this.rounds = rounds;
        this.top = top;
        this.steps = steps;
    }

    @Override
    public Explorer search() {
        return search;
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        isRound = false;
        boolean isLate = steps >= LEAST_STEPS && history.asks() >= steps - MOST_ASKS;
        List<Proposal> asked = isLate ? round(history) : search.ask(history, count);
        if (!asked.isEmpty()) {
            return asked;
        }
        return isLate ? search.ask(history, count) : round(history);
    }

    private List<Proposal> round(History history) {
        List<Proposal> round = left > 0 && history.pending().isEmpty()
                ? rounds.next(history).stream()
                        .map(c -> Proposal.of(c, top, FinalRounds.REASON))
                        .toList()
                : List.of();
        isRound = !round.isEmpty();
        left -= isRound ? 1 : 0;
        return round;
    }

    @Override
    public List<String> remarks() {
        return isRound ? List.of() : search.remarks();
    }

    @Override
    public Map<String, double[]> diagnostics() {
        return isRound ? Map.of() : search.diagnostics();
    }
}
