package knobscape.fusion.space;

import java.util.List;

/// A way to run a network in strips: its layers in groups, and how each group runs.
///
/// @param room bytes of the buffer that it may take
/// @param parts the groups in order of execution, which hold every layer once
public record Grouping(long room, List<Part> parts) {
    /// Copies the groups.
    public Grouping {
        parts = List.copyOf(parts);
    }

    /// A group of consecutive layers.
    ///
    /// @param first index of its first layer in the graph
    /// @param last index of its last layer
    /// @param samples samples that go through it together
    /// @param rows rows of its pace layer in a strip
    /// @param columns stripes of columns, one after the other
    public record Part(int first, int last, int samples, int rows, int columns, Run run) {}

    /// How strips follow one another.
    public enum Run {
        /// Rows that later strips need stay on chip.
        STRIPS,
        /// A layer alone reads its input again for each part of its output channels.
        PASSES,
        /// Rows that two strips need are made and loaded twice.
        RECOMPUTED,
        /// A layer alone keeps partial sums, past which parts of its input channels and weights stream.
        SUMS
    }
}
