package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

/// A design that the tool would give up on before it has a result; the message says why.
public final class TooLarge extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLarge(String message) {
        super(message, null, false, false);
    }

    @Override
    public String getMessage() {
        return requireNonNull(super.getMessage());
    }
}
