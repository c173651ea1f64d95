package knobscape.evaluate;

import java.util.Collection;

/// Help with misspelt names.
public final class Names {
    private Names() {
    }

    /// ` (did you mean 'x'?)`, or nothing.
    public static String didYouMean(String name, Collection<String> known) {
        return NearestName.hint(name, known);
    }
}
