package knobscape.hls.evaluate.estimator;

/// A design that the tool would give up on before it has a result; the message says why.
final class TooLarge extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLarge(String message) {
        super(message, null, false, false);
    }
}
