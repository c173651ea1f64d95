package knobscape.network;

import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.UserError;

/// A person's values for what a network file leaves open.
///
/// @param batch samples a run takes, where the file leaves that open
/// @param dims values of other extents left open: by the name the file gives them, or by `INPUT:AXIS`, for
/// example `ids:1`
public record ImportOptions(OptionalLong batch, Map<String, Long> dims) {
    public ImportOptions {
        dims = Map.copyOf(dims);
    }

    /// Nothing said.
    public static ImportOptions none() {
        return new ImportOptions(OptionalLong.empty(), Map.of());
    }

    /// A batch size and nothing else.
    public static ImportOptions batch(long samples) {
        return new ImportOptions(OptionalLong.of(samples), Map.of());
    }

    /// Throws [UserError] where an extent is given that a network does not leave open.
    ///
    /// @param source the network, for the sentence
    /// @param open keys of the extents that it leaves open
    public void requireOpen(String source, Collection<String> open) {
        for (String key : dims.keySet()) {
            if (!open.contains(key)) {
                throw new UserError(source + " leaves "
                        + (open.isEmpty()
                                ? "no extent open, so --dim " + key + " means nothing; leave it out."
                                : "no extent '" + key + "' open" + NameSuggestions.didYouMean(key, open) + "; open are "
                                        + String.join(", ", open) + "."));
            }
        }
    }
}
