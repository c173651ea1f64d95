package knobscape.hls.rtl.build;

import java.util.Optional;
import knobscape.compile.ir.IrLocation;

/// A kernel or design that cannot become hardware here; the message is a sentence with the line.
public final class NotBuildable extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param why a sentence without its end
    public NotBuildable(String why) {
        super(why, null, false, false);
    }

    NotBuildable(String why, Optional<IrLocation> at) {
        this(at.map(l -> "line " + l.line() + ": ").orElse("") + why);
    }
}
