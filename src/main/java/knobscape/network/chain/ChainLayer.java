package knobscape.network.chain;

import java.util.List;

/// One layer of a [LayerChain]: a convolution or matrix product with everything that is fused into it. All
/// quantities are for one sample, in elements.
///
/// @param index place in the chain, from 1
/// @param name name of the node that does the work
/// @param pooled what its result becomes behind it
/// @param macs multiply-accumulates of the layer itself
/// @param weights elements of its weights, without bias and batch normalisation
/// @param input elements it reads
/// @param output elements it makes before pooling
/// @param reduced elements left after pooling; what those behind it read
public record ChainLayer(
        int index,
        String name,
        Extents extents,
        Pooled pooled,
        long macs,
        long weights,
        long input,
        long output,
        long reduced) {
    /// A result after pooling.
    ///
    /// @param poolings poolings behind the layer, in order; usually none or one
    /// @param height Yp, after pooling
    /// @param width Xp, after pooling
    public record Pooled(List<Pooling> poolings, long height, long width) {
        public Pooled {
            poolings = List.copyOf(poolings);
        }
    }

    /// Kinds of layers.
    public enum Type {
        /// Convolution in one group.
        CONV,
        /// Depthwise convolution.
        DWCONV,
        /// Convolution in several groups.
        GROUPCONV,
        /// Transposed convolution.
        TCONV,
        /// Matrix of weights times activations.
        FC,
        /// Product of two tensors of activations.
        MATMUL
    }
}
