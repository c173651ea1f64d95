package knobscape.hls.source.cdt;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.hls.source.OperationKind;

/// Library functions that are operators in hardware, and those that synthesis ignores.
final class KnownFunctions {
    private static final Map<String, OperationKind> KINDS = Map.ofEntries(
            Map.entry("sqrt", OperationKind.SQRT),
            Map.entry("rsqrt", OperationKind.SQRT),
            Map.entry("cbrt", OperationKind.SQRT),
            Map.entry("hypot", OperationKind.SQRT),
            Map.entry("exp", OperationKind.EXP),
            Map.entry("exp2", OperationKind.EXP),
            Map.entry("expm1", OperationKind.EXP),
            Map.entry("log", OperationKind.LOG),
            Map.entry("log2", OperationKind.LOG),
            Map.entry("log10", OperationKind.LOG),
            Map.entry("log1p", OperationKind.LOG),
            Map.entry("pow", OperationKind.POW),
            Map.entry("sin", OperationKind.TRIG),
            Map.entry("cos", OperationKind.TRIG),
            Map.entry("tan", OperationKind.TRIG),
            Map.entry("asin", OperationKind.TRIG),
            Map.entry("acos", OperationKind.TRIG),
            Map.entry("atan", OperationKind.TRIG),
            Map.entry("atan2", OperationKind.TRIG),
            Map.entry("sinh", OperationKind.TRIG),
            Map.entry("cosh", OperationKind.TRIG),
            Map.entry("tanh", OperationKind.TRIG),
            Map.entry("min", OperationKind.MINMAX),
            Map.entry("max", OperationKind.MINMAX),
            Map.entry("clamp", OperationKind.MINMAX),
            Map.entry("fmin", OperationKind.MINMAX),
            Map.entry("fmax", OperationKind.MINMAX),
            Map.entry("abs", OperationKind.ABSOLUTE),
            Map.entry("labs", OperationKind.ABSOLUTE),
            Map.entry("fabs", OperationKind.ABSOLUTE),
            Map.entry("recip", OperationKind.DIVIDE),
            Map.entry("fmod", OperationKind.REMAINDER),
            Map.entry("floor", OperationKind.CONVERT),
            Map.entry("ceil", OperationKind.CONVERT),
            Map.entry("round", OperationKind.CONVERT),
            Map.entry("trunc", OperationKind.CONVERT),
            Map.entry("rint", OperationKind.CONVERT));
    private static final Set<String> IGNORED = Set.of(
            "printf",
            "fprintf",
            "sprintf",
            "snprintf",
            "puts",
            "putchar",
            "fflush",
            "assert",
            "__assert_fail",
            "exit",
            "abort",
            "free",
            "srand",
            "fopen",
            "fclose",
            "__SYNTHESIS__",
            "perror",
            "wait",
            "fence",
            "ap_wait",
            "ap_wait_n");

    private KnownFunctions() {}

    /// What a function called so computes: `sqrtf`, `half_exp` and `hls::sqrt` too.
    static Optional<OperationKind> kind(String name) {
        String n = name.substring(name.lastIndexOf(':') + 1);
        if (n.startsWith("half_")) {
            n = n.substring(5);
        }
        OperationKind kind = KINDS.get(n);
        if (kind == null && (n.endsWith("f") || n.endsWith("l"))) {
            kind = KINDS.get(n.substring(0, n.length() - 1));
        }
        return Optional.ofNullable(kind);
    }

    /// Whether synthesis ignores it.
    static boolean ignored(String name) {
        return IGNORED.contains(name.substring(name.lastIndexOf(':') + 1));
    }

    /// Whether the name says that it works on floats whatever it is given.
    static boolean single(String name) {
        String n = name.substring(name.lastIndexOf(':') + 1);
        return !KINDS.containsKey(n) && n.endsWith("f");
    }
}
