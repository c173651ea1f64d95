package knobscape.evaluate.replay;

import java.util.List;

/// Column names with `*` for any text.
final class Patterns {
    private Patterns() {}

    static boolean matches(String pattern, String name) {
        int star = pattern.indexOf('*');
        if (star < 0) {
            return pattern.equals(name);
        }
        if (!name.startsWith(pattern.substring(0, star))) {
            return false;
        }
        String rest = pattern.substring(star + 1);
        for (int i = star; i <= name.length(); i++) {
            if (matches(rest, name.substring(i))) {
                return true;
            }
        }
        return false;
    }

    static boolean any(List<String> patterns, String name) {
        return patterns.stream().anyMatch(p -> matches(p, name));
    }
}
