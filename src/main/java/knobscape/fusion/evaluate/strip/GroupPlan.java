package knobscape.fusion.evaluate.strip;

/// A group of consecutive layers, how it runs, and what that costs for the whole batch.
///
/// @param first index of its first layer in the graph
/// @param last index of its last layer
/// @param pieces the parts that it is computed in
/// @param room bytes of the buffer in use: live rows, and weights that stay or stream
/// @param cost of the whole batch
public record GroupPlan(int first, int last, Pieces pieces, long room, Totals cost) {
    /// The parts that a group is computed in, one after the other.
    ///
    /// @param samples samples that go through the group together, m
    /// @param strip rows of its pace layer in a strip, t
    /// @param columns stripes of columns, one after the other; 1 where rows are whole
    /// @param recomputes whether rows that two strips need are made and loaded twice, instead of being kept
    /// @param tiles passes over the input of a layer alone, each for a part of its output channels; 1 for groups
    /// @param sums whether a layer alone keeps partial sums, and its input and weights stream past them in parts of
    /// the input channels
    public record Pieces(int samples, int strip, int columns, boolean recomputes, int tiles, boolean sums) {}

    /// The same for layers that are alike, so many further on.
    public GroupPlan moved(int by) {
        return new GroupPlan(first + by, last + by, pieces, room, cost);
    }

    /// The sums over groups.
    ///
    /// @param seconds time
    /// @param offChip bytes from and to the off-chip memory
    /// @param onChip bytes of results that stay on chip, written and read
    /// @param joules energy
    public record Totals(double seconds, long offChip, long onChip, double joules) {
        /// Nothing.
        public static final Totals ZERO = new Totals(0, 0, 0, 0);

        /// The rest without a part of it.
        public Totals minus(Totals part) {
            return new Totals(
                    seconds - part.seconds, offChip - part.offChip, onChip - part.onChip, joules - part.joules);
        }

        /// Both together.
        public Totals plus(Totals other) {
            return new Totals(
                    seconds + other.seconds, offChip + other.offChip, onChip + other.onChip, joules + other.joules);
        }
    }
}
