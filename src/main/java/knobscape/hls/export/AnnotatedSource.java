package knobscape.hls.export;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import knobscape.hls.source.SourceNote;

/// Source text made ready for a tool.
///
/// @param files text of every file that changed, by the name it has in [knobscape.hls.source.Kernel#sources()];
/// without byte order mark
/// @param insertedLabels ids of the loops that were given a label
/// @param notes what could not be done, and why
public record AnnotatedSource(Map<String, String> files, List<String> insertedLabels, List<SourceNote> notes) {
    public AnnotatedSource {
        files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
        insertedLabels = List.copyOf(insertedLabels);
        notes = List.copyOf(notes);
    }
}
