package knobscape.network;

import java.util.Map;
import java.util.OptionalLong;

/// What a person says about a network file that the file leaves open.
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
}
