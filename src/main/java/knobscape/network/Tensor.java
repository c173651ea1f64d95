package knobscape.network;

import java.util.Optional;

/// A value of the graph.
///
/// @param name unique in its network
/// @param shape the extents; empty where an operator unknown to this program makes it
public record Tensor(String name, ElementType type, Optional<Shape> shape, Role role) {
    /// Where a tensor comes from.
    public enum Role {
        /// Given when the network runs.
        INPUT,
        /// Known before the network runs: trained weights and what is computed from them alone. Only its shape
        /// is kept.
        WEIGHT,
        /// Computed by a node.
        ACTIVATION
    }

    /// A tensor of known shape.
    public Tensor(String name, ElementType type, Shape shape, Role role) {
        this(name, type, Optional.of(shape), role);
    }

    /// Number of elements; 0 where the shape is not known.
    public long elements() {
        return shape.map(Shape::elements).orElse(0L);
    }

    /// Bytes of all elements; 0 where the shape is not known.
    public long bytes() {
        return type.bytes(elements());
    }

    /// True if it is known before the network runs.
    public boolean isWeight() {
        return role == Role.WEIGHT;
    }
}
