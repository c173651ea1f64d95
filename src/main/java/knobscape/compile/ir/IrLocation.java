package knobscape.compile.ir;

import java.util.Optional;

/// A place in a source file.
///
/// @param file as the compiler was given it
/// @param line 1-based, 0 where the compiler made the instruction
/// @param column 1-based, in bytes, 0 where unknown
/// @param function the source's name of the function that the text stands in
/// @param inlinedAt the call through which that function's body came here
public record IrLocation(String file, int line, int column, String function, Optional<IrLocation> inlinedAt) {
    /// The place in the function whose instructions these are, outside everything that was put in at a call.
    public IrLocation outermost() {
        return inlinedAt.map(IrLocation::outermost).orElse(this);
    }
}
