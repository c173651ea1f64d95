package knobscape.gpu.space.sketch;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// How a computation becomes kernels, without the numbers: one kernel for each root, in order; every other
/// stage is computed where it is read.
///
/// @param roots at least one
public record Sketch(List<Root> roots) {
    /// Copies the list.
    public Sketch {
        roots = List.copyOf(roots);
    }

    /// How a root is computed.
    public enum Rule {
        /// Tiles in shared memory and registers: five levels of the result's axes, three of the reduction,
        /// SSSRRSRS.
        TILED,
        /// A block for each element of the result, whose threads share the reduction and add up their parts.
        CROSS_THREAD,
        /// A thread for each element of the result.
        PLAIN
    }

    /// A stage with a kernel of its own.
    ///
    /// @param stage its place among the computation's stages
    /// @param consumer place of the function of each element that the kernel applies before it writes: the
    /// output
    public record Root(int stage, Optional<Integer> consumer, Rule rule) {
        /// The stage whose result the kernel writes.
        int writes() {
            return consumer.orElse(stage);
        }
    }

    /// For a person: `conv2d tiled; softmax across threads`.
    public String words(Computation computation) {
        return roots.stream()
                .map(r -> computation.stages().get(r.stage()).operator()
                        + switch (r.rule()) {
                            case TILED -> " tiled";
                            case CROSS_THREAD -> " across threads";
                            case PLAIN -> " plain";
                        })
                .collect(Collectors.joining("; "));
    }
}
