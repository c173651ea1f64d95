package knobscape.network.onnx;

/// An operator whose meaning depends on values that are not in the file, or that this program does not read: it
/// stays as an opaque node.
final class UnresolvedOperatorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnresolvedOperatorException(String reason) {
        super(reason, null, false, false);
    }
}
