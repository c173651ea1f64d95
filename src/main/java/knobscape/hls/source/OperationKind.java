package knobscape.hls.source;

import java.util.Locale;

/// Kinds of operation that differ in hardware.
public enum OperationKind {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    COMPARE,
    SELECT,
    LOGIC,
    SHIFT_CONSTANT,
    SHIFT_VARIABLE,
    NEGATE,
    CONVERT,
    SQRT,
    EXP,
    LOG,
    POW,
    TRIG,
    MINMAX,
    ABSOLUTE,
    BIT_SELECT,
    OTHER;

    /// The operation of a call to a function without a body, by the names of the C library.
    public static OperationKind ofCall(String name) {
        String n = name.substring(name.lastIndexOf(':') + 1).toLowerCase(Locale.ROOT);
        return switch (n) {
            case "sqrt", "sqrtf", "rsqrt", "rsqrtf", "hypot", "hypotf" -> SQRT;
            case "exp", "expf", "exp2", "exp2f", "half_exp" -> EXP;
            case "log", "logf", "log2", "log2f", "log10", "log10f" -> LOG;
            case "pow", "powf" -> POW;
            case "sin",
                    "sinf",
                    "cos",
                    "cosf",
                    "tan",
                    "tanf",
                    "atan",
                    "atanf",
                    "atan2",
                    "atan2f",
                    "asin",
                    "acos",
                    "sinh",
                    "cosh",
                    "tanh",
                    "tanhf" -> TRIG;
            case "fmax", "fmaxf", "fmin", "fminf", "max", "min" -> MINMAX;
            case "abs", "fabs", "fabsf", "labs" -> ABSOLUTE;
            default -> OTHER;
        };
    }
}
