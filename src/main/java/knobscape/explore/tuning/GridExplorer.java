package knobscape.explore.tuning;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.space.Configuration;

/// Every member in the order of its rank.
public final class GridExplorer implements Explorer {
    private final TuningProblem problem;

    /// @param problem what to tune
    public GridExplorer(TuningProblem problem) {
        this.problem = problem;
    }

    @Override
    public String name() {
        return "grid";
    }

    @Override
    public List<Proposal> initial() {
        return List.of();
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        Set<Configuration> asked = TuningProblem.asked(history);
        // All that was asked so far are the first ranks, so the next rank is their number.
        BigInteger rank = BigInteger.valueOf(asked.size());
        var proposals = new ArrayList<Proposal>();
        while (proposals.size() < count && rank.compareTo(problem.space().size()) < 0) {
            Configuration c = problem.space().at(rank);
            if (!asked.contains(c)) {
                proposals.add(problem.proposal(c, Double.NaN, "grid"));
            }
            rank = rank.add(BigInteger.ONE);
        }
        return proposals;
    }
}
