package knobscape.explore;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import knobscape.evaluate.Fidelity;
import knobscape.space.Configuration;

/// Asks for the user's own design before anything else, up to the highest stage: it counts in the front, and the
/// search learns and starts from it. It comes in addition to the initial designs of the search.
///
/// @param search what chooses all other designs
/// @param baseline the source as it stands
/// @param top the highest stage
/// @param reason what it is, in a word
public record BaselineFirst(Explorer search, Configuration baseline, Fidelity top, String reason) implements Explorer {
    @Override
    public String name() {
        return search.name();
    }

    @Override
    public List<Proposal> initial() {
        var own = Proposal.of(baseline, top, reason);
        return Stream.concat(
                        Stream.of(own),
                        search.initial().stream().filter(p -> !p.configuration().equals(baseline)))
                .toList();
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        return search.ask(history, count);
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
    public List<String> remarks() {
        return search.remarks();
    }

    @Override
    public boolean tellsPromise() {
        return search.tellsPromise();
    }

    @Override
    public Map<String, double[]> diagnostics() {
        return search.diagnostics();
    }
}
