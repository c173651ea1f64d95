package knobscape.evaluate;

/// Something a person can fix: one clear sentence that names the thing (file, line, option) and says what to
/// do. Shown as it is in the window and on standard error; never with a stack trace.
public final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param message one sentence for the person
    public UserError(String message) {
        super(message);
    }

    /// @param message one sentence for the person
    /// @param cause kept for the log only
    public UserError(String message, Throwable cause) {
        super(message, cause);
    }
}
