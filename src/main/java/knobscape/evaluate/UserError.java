package knobscape.evaluate;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Something a person can fix: one clear sentence that names the thing (file, line, option) and says what to
/// do. Shown as it is in the window and on standard error; never with a stack trace.
public class UserError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param message one sentence for the person
    public UserError(String message) {
        super(message);
    }

    /// @param message one sentence for the person
    /// @param cause kept for the log only
    public UserError(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /// Why something failed: the first line of its message, or what it is where it has none.
    public static String reason(Throwable e) {
        return Optional.ofNullable(e.getMessage())
                .flatMap(m -> m.lines().findFirst())
                .filter(m -> !m.isBlank())
                .orElse(e.getClass().getSimpleName());
    }

    /// The same with a capital letter.
    public static String capital(Throwable e) {
        String reason = reason(e);
        return Character.toUpperCase(reason.charAt(0)) + reason.substring(1);
    }

    @Override
    public String getMessage() {
        return requireNonNull(super.getMessage());
    }
}
