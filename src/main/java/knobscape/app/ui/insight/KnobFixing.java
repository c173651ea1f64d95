package knobscape.app.ui.insight;

import java.util.function.Consumer;

/// Takes the values of knobs that matter little out of what the next runs search.
public interface KnobFixing {
    /// Finds what it would do and how much of the space would stay, and tells it in words, on the screen. Nothing is
    /// told where it cannot be done; why is said.
    void effect(Importance importance, Consumer<String> then);

    /// Does it; can be undone.
    void fix(Importance importance);
}
