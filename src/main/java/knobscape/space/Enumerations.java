package knobscape.space;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// Lazy streams over members.
final class Enumerations {
    private Enumerations() {}

    /// An iterator given by the step from one member's levels to the next.
    ///
    /// @param first levels of the first member
    /// @param next changes the array into the following member and tells whether there was one
    static Stream<Configuration> of(KnobSet knobs, int[] first, Function<int[], Boolean> next) {
        return stream(new Iterator<>() {
            private final int[] levels = first.clone();
            private boolean more = true;

            @Override
            public boolean hasNext() {
                return more;
            }

            @Override
            public Configuration next() {
                if (!more) {
                    throw new NoSuchElementException();
                }
                var current = Configuration.of(knobs, levels);
                more = next.apply(levels);
                return current;
            }
        });
    }

    /// A sequential, lazy stream without duplicates over what the iterator gives.
    static Stream<Configuration> stream(Iterator<Configuration> iterator) {
        int traits = Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL | Spliterator.IMMUTABLE;
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(iterator, traits), false);
    }
}
