package knobscape.explore.bayes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/// Which runs may end below the highest stage, and which runs are asked for together.
final class Screenings {
    /// Most runs of one bundle.
    private static final int BUNDLE = 24;
    /// Screening ends while there are more designs than `AHEAD + PER_RUN x (designs at the highest fidelity)`:
    /// where the lowest stage costs next to nothing the surrogate would else learn from thousands of designs, and
    /// a step take minutes. On measured designs the limit is hardly ever reached.
    private static final int AHEAD = 32;

    private static final int PER_RUN = 6;
    /// Largest share of the tool time of runs without gain that looks beside them may take.
    private static final double LOOKS = 1.0 / 16;

    private final BayesSettings settings;
    private final StageCosts costs;
    private final Observations observations;
    private final int left;

    /// A candidate and a level of the observations with its gain per tool time.
    record Choice(double rate, int candidate, int level) {}

    Screenings(BayesSettings settings, StageCosts costs, Observations observations, int topRank) {
        this.settings = settings;
        this.costs = costs;
        this.observations = observations;
        long top = observations.designs().stream().filter(d -> d.has(topRank)).count();
        this.left =
                (int) Math.max(0, AHEAD + PER_RUN * top - observations.designs().size());
    }

    /// True if runs may end at the stage of rank `rank`.
    boolean mayEndAt(int rank) {
        return left > 0
                && costs.share(-1, rank) <= settings.choosing().screening().longest();
    }

    /// True if a run of a stalled search is one of those beside which a design is screened: the first, then so many
    /// that what looks take stays a sixteenth of what the runs take. Where the stage costs no more than that, all.
    ///
    /// @param stalled runs since the search is stalled
    boolean paysLook(int rank, int stalled) {
        return stalled % (int) Math.ceil(costs.share(-1, rank) / LOOKS) == 0;
    }

    /// The best choice alone where it goes to the highest level, else the best shorter runs that are better than
    /// any run to the highest and cost no more together than one.
    ///
    /// @param done by candidate the rank of the highest stage it has been through, -1 for none
    List<Choice> best(List<Choice> choices, IntUnaryOperator done) {
        List<Choice> sorted = choices.stream()
                .sorted(Comparator.comparingDouble(Choice::rate)
                        .reversed()
                        .thenComparingInt(Choice::candidate)
                        .thenComparingInt(Choice::level))
                .toList();
        int top = observations.levels().size() - 1;
        List<Choice> chosen = new ArrayList<>();
        Set<Integer> used = new HashSet<>();
        double spent = 0;
        for (Choice c : sorted) {
            if (used.contains(c.candidate())) {
                continue;
            }
            if (c.level() == top) {
                return chosen.isEmpty() ? List.of(c) : chosen;
            }
            double cost = costs.share(
                    done.applyAsInt(c.candidate()),
                    observations.levels().get(c.level()).fidelity().rank());
            if ((!chosen.isEmpty() && spent + cost > 1) || chosen.size() >= Math.min(BUNDLE, left)) {
                break;
            }
            spent += cost;
            used.add(c.candidate());
            chosen.add(c);
        }
        return chosen;
    }
}
