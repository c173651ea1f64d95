package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.RepeatedMeasurements;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.space.Configuration;

/// The fastest schedules of a kernel, measured again once its search is over, because the fastest of many single
/// measurements is mostly a lucky one: the best ten (a tenth of those that ran where these are fewer than a hundred,
/// two at least) in three rounds, every other one in reverse, so that each pair is compared within minutes and a drift
/// of the clock favours none. What counts is the mean ([RepeatedMeasurements]). Not part of the budget, but of a space
/// that was seen
/// whole. Only devices that measure need it.
public final class FinalRounds {
    private static final int ROUNDS = 3;
    private static final int MOST = 10;
    private static final int ONE_OF = 10;
    /// Ranks change while they are measured; no more questions than that follow them.
    private static final int MOST_ASKS = 2 * ROUNDS;

    private final TuningProblem problem;
    private boolean open;
    private int asks;

    /// @param problem of the kernel
    public FinalRounds(TuningProblem problem) {
        this.problem = problem;
    }

    /// Ends the search; whether there is a round to measure.
    boolean open(History history) {
        open = true;
        return asks < MOST_ASKS && !round(history).isEmpty();
    }

    /// The schedules of the best that were measured least often, the fastest first in even rounds.
    private List<Configuration> round(History history) {
        RepeatedMeasurements repeats = RepeatedMeasurements.bySpeed(problem::score);
        history.evaluations().forEach(repeats::add);
        List<Configuration> ran = history.evaluations().stream()
                .map(Evaluation::configuration)
                .distinct()
                .filter(c -> repeats.count(c) > 0)
                .sorted(Comparator.comparingDouble(c -> repeats.loss(c).orElseThrow()))
                .toList();
        List<Configuration> top =
                ran.stream().limit(Math.clamp(ran.size() / ONE_OF, 2, MOST)).toList();
        int least = top.stream().mapToInt(repeats::count).min().orElse(0);
        if (ran.size() < 2 || least > ROUNDS) {
            return List.of();
        }
        var round = new ArrayList<>(
                top.stream().filter(c -> repeats.count(c) == least).toList());
        if (least % 2 == 0) {
            Collections.reverse(round);
        }
        return round;
    }

    /// True if the search is over.
    boolean isOpen() {
        return open;
    }

    /// The next round; empty where there is none, or answers are to come.
    List<Proposal> ask(History history) {
        asks++;
        return history.pending().isEmpty()
                ? round(history).stream()
                        .map(c -> problem.proposal(c, Double.NaN, "one of the best, measured again"))
                        .toList()
                : List.of();
    }
}
