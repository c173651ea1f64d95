package knobscape.gpu.search;

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
    /// All before this rank were asked or known.
    private BigInteger next = BigInteger.ZERO;

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
        var proposals = new ArrayList<Proposal>();
        while (proposals.size() < count && next.compareTo(problem.space().size()) < 0) {
            Configuration c = problem.space().at(next);
            if (!asked.contains(c)) {
                proposals.add(problem.proposal(c, Double.NaN, "grid"));
            }
            next = next.add(BigInteger.ONE);
        }
        return proposals;
    }
}
