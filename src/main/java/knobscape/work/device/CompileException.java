package knobscape.work.device;

import org.jspecify.annotations.Nullable;

/// The compiler of a device refused a source; the message is what it says.
public final class CompileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CompileException(@Nullable String message) {
        super(message);
    }
}
