package knobscape.evaluate;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Finds what a person may have meant by a name that is not known.
public final class NameSuggestions {
    private NameSuggestions() {}

    /// The name with the fewest edits from `wanted`, upper and lower case and the part before the last `/`
    /// counting little; the first in alphabetical order among equals, empty where even that one is quite
    /// different.
    public static Optional<String> nearest(String wanted, Collection<String> names) {
        return names.stream()
                .min(Comparator.<String>comparingInt(n -> distance(wanted, n)).thenComparing(Comparator.naturalOrder()))
                .filter(n -> distance(wanted, n) <= Math.max(2, wanted.length() / 2));
    }

    /// ` (did you mean 'x'?)`, or nothing.
    public static String didYouMean(String wanted, Collection<String> names) {
        return nearest(wanted, names).map(n -> " (did you mean '" + n + "'?)").orElse("");
    }

    private static int distance(String wanted, String name) {
        String a = wanted.toLowerCase(Locale.ROOT);
        String b = name.toLowerCase(Locale.ROOT);
        int last = edits(a.substring(a.lastIndexOf('/') + 1), b.substring(b.lastIndexOf('/') + 1)) + 1;
        return a.equals(b) ? 0 : Math.min(edits(a, b), last);
    }

    /// Insertions, deletions, substitutions and swaps of neighbouring letters (Damerau and Levenshtein, each
    /// letter swapped at most once).
    private static int edits(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (same ? 0 : 1));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
