package knobscape.evaluate;

import static java.util.Objects.requireNonNull;

/// One stage of evaluation, cheap and rough first.
///
/// @param name `hls`, `syn`, `impl`, or the single stage of a device
/// @param rank position in the ladder, 0 is the lowest
public record Fidelity(String name, int rank) implements Comparable<Fidelity> {
    /// A stored one without a name is damage.
    public Fidelity {
        requireNonNull(name);
    }

    @Override
    public int compareTo(Fidelity other) {
        return Integer.compare(rank, other.rank);
    }

    @Override
    public String toString() {
        return name;
    }
}
