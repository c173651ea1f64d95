package knobscape.project;

import java.util.Collection;
import knobscape.evaluate.NearestName;

/// Help with misspelt names.
public final class Names {
    private Names() {
    }

    /// ` (did you mean 'x'?)`, or nothing.
    public static String didYouMean(String name, Collection<String> known) {
        return NearestName.hint(name, known);
    }
}
