package knobscape.hls.export;

import java.util.List;
import knobscape.hls.source.SourceNote;

/// A design as Tcl directives.
///
/// @param text the file `directives.tcl`, lines ended by `\n`
/// @param commands its commands without comments
/// @param inSource what stands as pragmas in `source` because the tool cannot tell the function by its name, as
/// commands with the kernel's names
/// @param source the files that must be given to the tool instead of the original ones, because a loop needs a
/// label, a pragma contradicts, or the tool cannot tell a function by its name
public record TclDirectives(String text, List<String> commands, List<String> inSource, AnnotatedSource source) {
    public TclDirectives {
        commands = List.copyOf(commands);
        inSource = List.copyOf(inSource);
    }

    /// The parts that could not be done, and why.
    public List<SourceNote> notes() {
        return source.notes();
    }
}
