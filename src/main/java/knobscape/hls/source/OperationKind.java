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

    /// The operation of a call to a function without a body, by the names of the C library, `float` ones with or
    /// without their `f`. Functions that tools make of others (`erf` of an exponential) count as those.
    public static OperationKind ofCall(String name) {
        String n = name.substring(name.lastIndexOf(':') + 1).toLowerCase(Locale.ROOT);
        OperationKind whole = plain(n);
        return whole == OTHER && n.endsWith("f") ? plain(n.substring(0, n.length() - 1)) : whole;
    }

    private static OperationKind plain(String n) {
        return switch (n) {
            case "sqrt", "rsqrt", "hypot" -> SQRT;
            case "exp", "exp2", "exp10", "expm1", "half_exp", "erf", "erfc" -> EXP;
            case "log", "log2", "log10", "log1p" -> LOG;
            case "pow", "cbrt" -> POW;
            case "sin",
                    "cos",
                    "tan",
                    "sincos",
                    "asin",
                    "acos",
                    "atan",
                    "atan2",
                    "sinh",
                    "cosh",
                    "tanh",
                    "asinh",
                    "acosh",
                    "atanh" -> TRIG;
            case "fmod", "remainder" -> DIVIDE;
            case "fdim" -> SUBTRACT;
            case "fmax", "fmin", "max", "min" -> MINMAX;
            case "abs", "fabs", "labs", "copysign" -> ABSOLUTE;
            case "floor", "ceil", "round", "trunc", "rint", "nearbyint", "ldexp", "frexp", "logb" -> CONVERT;
            default -> OTHER;
        };
    }
}
