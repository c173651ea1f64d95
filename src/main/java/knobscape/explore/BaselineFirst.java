package knobscape.explore;

import java.util.List;
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
public record BaselineFirst(Explorer search, Configuration baseline, Fidelity top, String reason)
        implements DelegatingExplorer {
    @Override
    public List<Proposal> initial() {
        var own = Proposal.of(baseline, top, reason);
        return Stream.concat(
                        Stream.of(own),
                        search.initial().stream().filter(p -> !p.configuration().equals(baseline)))
                .toList();
    }
}
