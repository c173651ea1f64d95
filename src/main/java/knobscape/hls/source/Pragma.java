package knobscape.hls.source;

import java.util.Map;
import java.util.Optional;

/// An active `#pragma HLS` of the source.
///
/// @param directive upper case (`PIPELINE`, `UNROLL`, `ARRAY_PARTITION`, `INLINE`, ...)
/// @param options lower-case key to value with symbolic numbers folded; bare words have the value ""
/// (`{"cyclic":""}` and `{"type":"cyclic"}` both become `type=cyclic`)
/// @param loop id of the loop it stands in, if any
/// @param function name of the function it stands in, empty at file level
/// @param location of the `#`
/// @param editable false where a macro or `_Pragma` made it
/// @param raw text as written, without `#pragma`
public record Pragma(
        String directive,
        Map<String, String> options,
        Optional<String> loop,
        String function,
        Location location,
        boolean editable,
        String raw) {
    public Pragma {
        options = Map.copyOf(options);
    }
}
