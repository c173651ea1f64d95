package knobscape.hls.space;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Finds what somebody may have meant.
final class NearestName {
    private NearestName() {
    }

    /// The name with the fewest single-letter edits from `wanted`, upper and lower case and the part before the last `/` counting little; empty
    /// where even that one is quite different.
    static Optional<String> of(String wanted, Collection<String> names) {
        return names.stream().min(Comparator.<String>comparingInt(n -> distance(wanted, n)).thenComparing(Comparator.naturalOrder()))
                .filter(n -> distance(wanted, n) <= Math.max(2, wanted.length() / 2));
    }

    /// `; did you mean 'x'?`, or nothing.
    static String hint(String wanted, Collection<String> names) {
        return of(wanted, names).map(n -> "; did you mean '" + n + "'?").orElse("");
    }

    private static int distance(String wanted, String name) {
        String a = wanted.toLowerCase(Locale.ROOT);
        String b = name.toLowerCase(Locale.ROOT);
        int whole = edits(a, b);
        int last = edits(a.substring(a.lastIndexOf('/') + 1), b.substring(b.lastIndexOf('/') + 1)) + 1;
        return Math.min(whole, a.equals(b) ? 0 : last);
    }

    /// Levenshtein's distance.
    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
