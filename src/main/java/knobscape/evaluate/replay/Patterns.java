package knobscape.evaluate.replay;

import java.util.List;

/// Column names with `*` for any text.
final class Patterns {
    private Patterns() {}

    static boolean matches(String pattern, String name) {
        // Only the last star is ever widened: what stands before it matched as early as it could, which leaves
        // the most to the rest. So the work is at most the product of the lengths.
        int at = 0;
        int star = -1;
        int widened = 0;
        int i = 0;
        while (i < name.length()) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                widened = i;
            } else if (at < pattern.length() && pattern.charAt(at) == name.charAt(i)) {
                at++;
                i++;
            } else if (star >= 0) {
                at = star + 1;
                i = ++widened;
            } else {
                return false;
            }
        }
        return pattern.substring(at).chars().allMatch(c -> c == '*');
    }

    static boolean any(List<String> patterns, String name) {
        return patterns.stream().anyMatch(p -> matches(p, name));
    }
}
