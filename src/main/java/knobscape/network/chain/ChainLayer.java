package knobscape.network.chain;

import java.util.List;

/// One layer of a [LayerChain]: a convolution or matrix product with everything that is fused into it. All
/// quantities are for one sample, in elements.
///
/// @param index place in the chain, from 1
/// @param name name of the node that does the work
/// @param poolings poolings behind the layer, in order; usually none or one
/// @param pooledHeight Yp, after pooling
/// @param pooledWidth Xp, after pooling
/// @param macs multiply-accumulates of the layer itself
/// @param weights elements of its weights, without bias and batch normalisation
/// @param input elements it reads
/// @param output elements it makes before pooling
/// @param reduced elements left after pooling; what those behind it read
public record ChainLayer(
        int index,
        String name,
        Extents extents,
        List<Pooling> poolings,
        long pooledHeight,
        long pooledWidth,
        long macs,
        long weights,
        long input,
        long output,
        long reduced) {
    public ChainLayer {
        poolings = List.copyOf(poolings);
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
