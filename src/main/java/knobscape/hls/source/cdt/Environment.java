package knobscape.hls.source.cdt;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.source.LinearForm;

/// What integers and pointers are known to be at one point of a function.
final class Environment {
    private final Map<Place, LinearForm> values = new HashMap<>();
    private final Map<Place, Pointer> pointers = new HashMap<>();

    /// A pointer into an array: `p[k]` is `array[before..][offset + k]`.
    ///
    /// @param array where it points
    /// @param before indices of the outer dimensions
    /// @param offset index of the dimension it walks along
    record Pointer(ArrayInfo array, List<LinearForm> before, LinearForm offset) {
        Pointer {
            before = List.copyOf(before);
        }
    }

    Optional<LinearForm> value(Place place) {
        return Optional.ofNullable(values.get(place));
    }

    Optional<Pointer> pointer(Place place) {
        return Optional.ofNullable(pointers.get(place));
    }

    void set(Place place, LinearForm value) {
        forget(place);
        values.put(place, value);
    }

    void set(Place place, Pointer pointer) {
        forget(place);
        pointers.put(place, pointer);
    }

    /// `place` and its members are no longer known.
    void forget(Place place) {
        values.keySet().removeIf(p -> p.isChangedBy(place));
        pointers.keySet().removeIf(p -> p.isChangedBy(place));
    }

    void forget(Collection<Place> places) {
        places.forEach(this::forget);
    }

    /// Variables that any function may change.
    void forgetGlobals(Declarations declarations) {
        values.keySet().removeIf(p -> declarations.isGlobal(p.root()));
        pointers.keySet().removeIf(p -> declarations.isGlobal(p.root()));
    }

    Environment copy() {
        var copy = new Environment();
        copy.values.putAll(values);
        copy.pointers.putAll(pointers);
        return copy;
    }

    /// Keeps what holds here and there.
    void meet(Environment other) {
        values.entrySet().removeIf(e -> !e.getValue().equals(other.values.get(e.getKey())));
        pointers.entrySet().removeIf(e -> !e.getValue().equals(other.pointers.get(e.getKey())));
    }

    /// Takes over everything from `other`.
    void become(Environment other) {
        values.clear();
        values.putAll(other.values);
        pointers.clear();
        pointers.putAll(other.pointers);
    }
}
