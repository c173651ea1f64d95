package knobscape.hls.rtl.build;

import java.util.Optional;
import knobscape.compile.ir.IrLocation;

/// A kernel or design that cannot become hardware here; the message is a sentence with file and line.
public final class NotBuildable extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param why a sentence without its end
    public NotBuildable(String why) {
        super(why, null, false, false);
    }

    NotBuildable(String why, Optional<IrLocation> at) {
        this(at.map(NotBuildable::words).orElse("") + why);
    }

    /// The same with a place, where it names none yet.
    NotBuildable at(Optional<IrLocation> place) {
        String said = String.valueOf(getMessage());
        return said.contains("line ") ? this : new NotBuildable(said, place);
    }

    private static String words(IrLocation l) {
        String file =
                l.file().substring(Math.max(l.file().lastIndexOf('/'), l.file().lastIndexOf('\\')) + 1);
        return (file.isEmpty() ? "" : file + ", ") + "line " + l.line() + ": ";
    }
}
