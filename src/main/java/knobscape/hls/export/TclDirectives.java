package knobscape.hls.export;

import java.util.List;
import knobscape.hls.source.SourceNote;

/// A design as Tcl directives.
///
/// @param text the file `directives.tcl`, lines ended by `\n`
/// @param commands its commands without comments
/// @param source the files that must be given to the tool instead of the original ones, because a loop needs a
/// label or a pragma contradicts
public record TclDirectives(String text, List<String> commands, AnnotatedSource source) {
    public TclDirectives {
        commands = List.copyOf(commands);
    }

    /// What could not be done, and why.
    public List<SourceNote> notes() {
        return source.notes();
    }
}
