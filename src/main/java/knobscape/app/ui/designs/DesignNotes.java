package knobscape.app.ui.designs;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// A person's notes on designs. A word that begins with `#` and a letter is a tag (`#ship, fits the small part`).
///
/// @param byDesign notes by number of the design
public record DesignNotes(Map<Integer, String> byDesign) {
    private static final Pattern TAG = Pattern.compile("#\\p{L}[\\p{L}\\p{N}_-]*");

    public DesignNotes {
        byDesign = Map.copyOf(byDesign);
    }

    /// Nothing was written.
    public static DesignNotes none() {
        return new DesignNotes(Map.of());
    }

    /// The tags in a note, in lower case and without `#`, each once.
    public static List<String> tags(String note) {
        return TAG.matcher(note)
                .results()
                .map(MatchResult::group)
                .map(t -> t.substring(1).toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
    }

    /// The tag that a word of a search asks for.
    static Optional<String> tag(String word) {
        return TAG.matcher(word).matches() ? Optional.of(word.substring(1).toLowerCase(Locale.ROOT)) : Optional.empty();
    }

    /// True if the note of a design has what a word of a search asks for: the tag, or the word itself.
    boolean matches(int design, String word) {
        String note = byDesign.get(design);
        if (note == null) {
            return false;
        }
        return tag(word)
                .map(t -> tags(note).contains(t))
                .orElseGet(() -> note.toLowerCase(Locale.ROOT).contains(word));
    }

    /// True if the note of some design has it.
    boolean match(String word) {
        return byDesign.keySet().stream().anyMatch(n -> matches(n, word));
    }
}
