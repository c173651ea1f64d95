package knobscape.app.ui.view;

import java.util.Optional;
import java.util.function.Supplier;

/// Makes something when it is first asked for: views that nobody has seen yet cost no time at the start. Used from the
/// JavaFX thread.
///
/// @param <T> what is made
public final class Lazy<T> implements Supplier<T> {
    private final Supplier<T> maker;
    private Optional<T> made = Optional.empty();

    /// @param maker is asked once, at the first [#get]
    public Lazy(Supplier<T> maker) {
        this.maker = maker;
    }

    @Override
    public T get() {
        if (made.isEmpty()) {
            made = Optional.of(maker.get());
        }
        return made.get();
    }

    /// The object if it was made, without making it.
    public Optional<T> ifMade() {
        return made;
    }
}
