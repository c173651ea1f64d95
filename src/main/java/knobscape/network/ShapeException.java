package knobscape.network;

import static java.util.Objects.requireNonNull;

/// An operator that cannot take what it is given: channels that do not agree, a kernel larger than its input,
/// an axis that is not there. Importers turn it into a sentence that names file and node.
public final class ShapeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /// @param message what does not fit, as a clause without a full stop
    public ShapeException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return requireNonNull(super.getMessage());
    }
}
