package knobscape.hls.source;

import java.util.Optional;

/// A multiplication whose product is a value of the kernel, not part of an address.
///
/// @param type of the product
/// @param variable assigned to, empty where the product is part of a larger expression or goes to an array
/// @param statement it stands in
public record Multiplication(ScalarType type, Optional<String> variable, Location statement) {
    /// The tool's name of the operation (UG1399, bind_op).
    public String operation() {
        return switch (type.kind()) {
            case FLOAT -> "fmul";
            case DOUBLE -> "dmul";
            case HALF -> "hmul";
            default -> "mul";
        };
    }
}
