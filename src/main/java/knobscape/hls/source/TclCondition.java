package knobscape.hls.source;

import java.util.List;
import java.util.Optional;

/// Conditions of Tcl as far as they compare words and numbers (expr(n)).
final class TclCondition {
    private TclCondition() {}

    /// The value of a condition of comparisons; empty where it cannot be told.
    static Optional<Boolean> value(String text) {
        String s = text.strip();
        while (s.startsWith("(") && s.endsWith(")") && s.indexOf(')') == s.length() - 1) {
            s = s.substring(1, s.length() - 1).strip();
        }
        for (String operator : List.of("||", "&&")) {
            int at = s.indexOf(operator);
            if (at > 0) {
                Optional<Boolean> x = value(s.substring(0, at));
                Optional<Boolean> y = value(s.substring(at + 2));
                boolean or = operator.equals("||");
                if (x.filter(v -> v == or).isPresent() || y.filter(v -> v == or).isPresent()) {
                    return Optional.of(or);
                }
                return x.isPresent() && y.isPresent() ? Optional.of(!or) : Optional.empty();
            }
        }
        for (String operator : List.of("==", "!=", " eq ", " ne ", "<=", ">=", "<", ">")) {
            int at = s.indexOf(operator);
            if (at >= 0) {
                return compared(
                        unquoted(s.substring(0, at)), operator.strip(), unquoted(s.substring(at + operator.length())));
            }
        }
        if (s.startsWith("!")) {
            return value(s.substring(1)).map(b -> !b);
        }
        return switch (unquoted(s)) {
            case "0", "false", "no", "off" -> Optional.of(false);
            case "1", "true", "yes", "on" -> Optional.of(true);
            default -> unquoted(s).matches("\\d+") ? Optional.of(true) : Optional.empty();
        };
    }

    private static String unquoted(String text) {
        String s = text.strip();
        return s.length() > 1 && ((s.startsWith("\"") && s.endsWith("\"")) || (s.startsWith("{") && s.endsWith("}")))
                ? s.substring(1, s.length() - 1)
                : s;
    }

    private static Optional<Boolean> compared(String x, String operator, String y) {
        if (x.contains("$") || y.contains("$")) {
            return Optional.empty();
        }
        boolean numbers = x.matches("-?\\d+(\\.\\d+)?") && y.matches("-?\\d+(\\.\\d+)?");
        int order = numbers ? Double.compare(Double.parseDouble(x), Double.parseDouble(y)) : x.compareTo(y);
        return Optional.of(
                switch (operator) {
                    case "==", "eq" -> order == 0;
                    case "!=", "ne" -> order != 0;
                    case "<=" -> order <= 0;
                    case ">=" -> order >= 0;
                    case "<" -> order < 0;
                    default -> order > 0;
                });
    }
}
