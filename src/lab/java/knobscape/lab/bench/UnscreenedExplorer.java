package knobscape.lab.bench;

import java.util.List;
import java.util.Map;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.explore.bayes.CgpExplorer;

/// A Bayesian search whose designs screened beside a run are left out.
///
/// @param search all of it
record UnscreenedExplorer(Explorer search) implements Explorer {
    @Override
    public String name() {
        return search.name();
    }

    @Override
    public List<Proposal> initial() {
        return search.initial();
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        return search.ask(history, count).stream()
                .filter(p -> !p.reason().equals(CgpExplorer.LOOK))
                .toList();
    }

    @Override
    public String state() {
        return search.state();
    }

    @Override
    public void restore(String state) {
        search.restore(state);
    }

    @Override
    public Map<String, double[]> diagnostics() {
        return search.diagnostics();
    }

    @Override
    public List<String> remarks() {
        return search.remarks();
    }
}
