package knobscape.lab.bench;

import java.util.List;
import knobscape.explore.DelegatingExplorer;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.explore.bayes.CgpExplorer;

/// A Bayesian search whose designs screened beside a run are left out.
///
/// @param search all of it
record UnscreenedExplorer(Explorer search) implements DelegatingExplorer {
    @Override
    public List<Proposal> ask(History history, int count) {
        return search.ask(history, count).stream()
                .filter(p -> !p.reason().equals(CgpExplorer.LOOK))
                .toList();
    }
}
