package knobscape.hls.rtl.build;

import java.util.Optional;
import knobscape.compile.ir.IrLocation;

/// A kernel or design that cannot become hardware here; the message is a sentence with file and line.
public final class NotBuildable extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean placed;

    /// @param why a sentence without its end
    public NotBuildable(String why) {
        this(why, Optional.empty());
    }

    NotBuildable(String why, Optional<IrLocation> at) {
        super(at.map(NotBuildable::words).orElse("") + why, null, false, false);
        placed = at.isPresent();
    }

    /// The same with a place, where it names none yet.
    NotBuildable at(Optional<IrLocation> place) {
        return placed ? this : new NotBuildable(String.valueOf(getMessage()), place);
    }

    private static String words(IrLocation l) {
        String file =
                l.file().substring(Math.max(l.file().lastIndexOf('/'), l.file().lastIndexOf('\\')) + 1);
        // What the compiler made itself has no line.
        String line = l.line() > 0 ? "line " + l.line() : "";
        return file.isEmpty() && line.isEmpty()
                ? ""
                : file + (file.isEmpty() || line.isEmpty() ? "" : ", ") + line + ": ";
    }
}
