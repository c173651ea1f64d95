package knobscape.hls.source.exact;

import java.util.List;

/// A top function and everything it needs, ready to be run.
///
/// @param top index of the top function
/// @param functions that can be called
/// @param globals variables outside functions, and those of functions that are `static`
/// @param start sets the globals; run once, before everything else
/// @param unsupported everything in these functions that cannot be run, in source order
public record ExactProgram(
        int top,
        List<ExactFunction> functions,
        List<ExactVariable> globals,
        ExactFunction start,
        List<ExactStatement.Unsupported> unsupported) {
    public ExactProgram {
        functions = List.copyOf(functions);
        globals = List.copyOf(globals);
        unsupported = List.copyOf(unsupported);
    }

    /// The top function.
    public ExactFunction topFunction() {
        return functions.get(top);
    }
}
