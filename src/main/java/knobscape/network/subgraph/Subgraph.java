package knobscape.network.subgraph;

import java.util.List;
import java.util.Optional;
import knobscape.network.Node;
import knobscape.network.Window;

/// Nodes that one kernel computes: an anchor, which does the work, and what is done to its result on the way
/// out.
///
/// @param index place in the order of execution, from 0
/// @param anchor the node that does the work; in a group of elementwise nodes the first
/// @param window window of a convolution or pooling, a margin of zeros before it included; empty for other
/// kinds
/// @param inputs names of the tensors it reads that are computed at run time, each once
/// @param weights names of the weights it reads, each once
/// @param outputs names of the tensors that others see; one but for nodes with several results
public record Subgraph(
        int index,
        Kind kind,
        Node anchor,
        List<Node> nodes,
        List<Tail> tail,
        Optional<Window> window,
        List<String> inputs,
        List<String> weights,
        List<String> outputs) {
    public Subgraph {
        nodes = List.copyOf(nodes);
        tail = List.copyOf(tail);
        inputs = List.copyOf(inputs);
        weights = List.copyOf(weights);
        outputs = List.copyOf(outputs);
    }

    /// Kinds of work.
    public enum Kind {
        /// Convolution in one group.
        CONV,
        /// Convolution with as many groups as channels.
        DEPTHWISE_CONV,
        /// Convolution with another number of groups.
        GROUPED_CONV,
        /// Transposed convolution.
        TRANSPOSED_CONV,
        /// Product of a matrix of activations and a matrix of weights.
        DENSE,
        /// Product of matrices that are both computed at run time, or of a batch of matrices.
        BATCH_MATMUL,
        /// Pooling, global or over windows.
        POOL,
        /// Functions of each element.
        ELEMENTWISE,
        /// The same data under another shape or name: nothing to do.
        VIEW,
        /// Everything else: concatenation, normalisation, transposition ...
        OTHER,
        /// An operator this program has no meaning for.
        OPAQUE;

        /// True if multiply-accumulates are done, so that tiling matters.
        public boolean isCompute() {
            return switch (this) {
                case CONV, DEPTHWISE_CONV, GROUPED_CONV, TRANSPOSED_CONV, DENSE, BATCH_MATMUL -> true;
                case POOL, ELEMENTWISE, VIEW, OTHER, OPAQUE -> false;
            };
        }
    }

    /// Name of the node that does the work.
    public String name() {
        return anchor.name();
    }

    /// Name of the first output.
    public String output() {
        return outputs.getFirst();
    }
}
