package knobscape.hls.source;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Finds what a person may have meant.
public final class NearestName {
    private NearestName() {
    }

    /// The name with the smallest edit distance to `wanted`, ignoring case; empty where every one differs in more than half of the
    /// longer name's letters. Ties go to the first in alphabetical order.
    public static Optional<String> among(Collection<String> names, String wanted) {
        return names.stream()
                .filter(n -> distance(n, wanted) * 2 <= Math.max(n.length(), wanted.length()))
                .min(Comparator.<String>comparingInt(n -> distance(n, wanted)).thenComparing(Comparator.naturalOrder()));
    }

    /// Levenshtein distance (insertions, deletions, substitutions and swaps of neighbours), ignoring case.
    public static int distance(String first, String second) {
        String a = first.toLowerCase(Locale.ROOT);
        String b = second.toLowerCase(Locale.ROOT);
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int substitution = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + substitution);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
