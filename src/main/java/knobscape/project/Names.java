package knobscape.project;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Help with misspelt names.
public final class Names {
    private Names() {
    }

    /// The known name nearest to `name` by edit distance, where one is near enough to be meant.
    public static Optional<String> nearest(String name, Collection<String> known) {
        String lower = name.toLowerCase(Locale.ROOT);
        return known.stream().min(Comparator.<String>comparingInt(k -> distance(lower, k.toLowerCase(Locale.ROOT))).thenComparing(k -> k))
                .filter(k -> distance(lower, k.toLowerCase(Locale.ROOT)) <= Math.max(2, k.length() / 2));
    }

    /// `; did you mean 'x'?` without its question mark, or nothing.
    public static String didYouMean(String name, Collection<String> known) {
        return nearest(name, known).map(n -> " (did you mean '" + n + "'?)").orElse("");
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
