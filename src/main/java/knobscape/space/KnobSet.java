package knobscape.space;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/// The knobs of one design space in their fixed order, with look-up by name.
public final class KnobSet {
    private final List<Knob> knobs;
    private final Map<String, Integer> indexByName;

    /// Throws `IllegalArgumentException` where two knobs share a name.
    public KnobSet(List<Knob> knobs) {
        this.knobs = List.copyOf(knobs);
        var index = new HashMap<String, Integer>();
        for (int i = 0; i < this.knobs.size(); i++) {
            if (index.put(this.knobs.get(i).name(), i) != null) {
                throw new IllegalArgumentException(
                        "two knobs are named '" + this.knobs.get(i).name() + "'");
            }
        }
        this.indexByName = Map.copyOf(index);
    }

    /// The knobs in order; the list cannot be changed.
    public List<Knob> list() {
        return knobs;
    }

    /// Number of knobs.
    public int size() {
        return knobs.size();
    }

    /// The knob at position `index`.
    public Knob get(int index) {
        return knobs.get(index);
    }

    /// Position of the knob called `name`, if there is one.
    public OptionalInt indexOf(String name) {
        Integer i = indexByName.get(name);
        return i == null ? OptionalInt.empty() : OptionalInt.of(i);
    }

    /// Product of all domain sizes: the space before any constraint.
    public BigInteger fullSize() {
        return knobs.stream()
                .map(k -> BigInteger.valueOf(k.domain().size()))
                .reduce(BigInteger.ONE, BigInteger::multiply);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KnobSet o && o.knobs.equals(knobs);
    }

    @Override
    public int hashCode() {
        return knobs.hashCode();
    }

    @Override
    public String toString() {
        return knobs.toString();
    }
}
