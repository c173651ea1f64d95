package knobscape.network.subgraph;

import java.util.List;
import knobscape.network.Node;
import knobscape.network.Operator;

/// One step that a kernel does to each element of its result before it is stored. Steps follow one another in a
/// list.
public sealed interface Tail {
    /// Something per channel is added. Batch normalisation behind a convolution or matrix product is a bias
    /// too, because its scale goes into the weights.
    record Bias() implements Tail {}

    /// Scaling and shifting per channel, where that cannot go into the weights.
    record Affine() implements Tail {}

    /// A function of the element: [Operator.Unary] or [Operator.Clip].
    record Activation(Operator function) implements Tail {}

    /// The element at the same place of another tensor is added: the end of a residual block.
    record Residual(String tensor) implements Tail {}

    /// The element is combined with that of another tensor, which may be broadcast.
    ///
    /// @param elementFirst whether the element is the first operand; it matters for differences, quotients and
    /// powers
    record Combine(Operator.Elementwise.Function function, String tensor, boolean elementFirst) implements Tail {}

    /// A formula of the element written in several nodes, such as the parts of GELU.
    record Formula(List<Node> nodes) implements Tail {
        public Formula {
            nodes = List.copyOf(nodes);
        }
    }
}
