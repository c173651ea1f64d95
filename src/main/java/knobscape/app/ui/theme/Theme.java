package knobscape.app.ui.theme;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// The looks to choose from.
public enum Theme {
    /// As the system says, following it while the program runs.
    SYSTEM("System"),
    /// Dark text on white.
    LIGHT("Light"),
    /// Light text on near black.
    DARK("Dark");

    private final String words;

    Theme(String words) {
        this.words = words;
    }

    /// The word shown to a person.
    public String words() {
        return words;
    }

    /// The theme whose lower-case name is `name`.
    public static Optional<Theme> named(String name) {
        return Stream.of(values())
                .filter(t -> t.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst();
    }
}
