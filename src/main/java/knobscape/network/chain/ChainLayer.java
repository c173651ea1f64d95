package knobscape.network.chain;

import java.util.List;
import java.util.Optional;
import knobscape.network.subgraph.Subgraph;

/// One layer of a [LayerChain]: a convolution or matrix product with everything that is fused into it. All
/// quantities are for one sample, in elements.
///
/// @param index place in the chain, from 1
/// @param name name of the node that does the work
/// @param type what kind of layer it is
/// @param outChannels K
/// @param inChannels C; of a fully connected layer its inputs
/// @param height Y, of the input
/// @param width X, of the input
/// @param kernelHeight R
/// @param kernelWidth S
/// @param strideHeight vertical step
/// @param strideWidth horizontal step
/// @param padHeight padding above
/// @param padWidth padding on the left
/// @param groups groups of channels
/// @param outHeight Yo, of the output before pooling
/// @param outWidth Xo, of the output before pooling
/// @param poolings poolings behind the layer, in order; usually none or one
/// @param pooledHeight Yp, after pooling
/// @param pooledWidth Xp, after pooling
/// @param macs multiply-accumulates of the layer itself
/// @param weights elements of its weights, without bias and batch normalisation
/// @param input elements it reads
/// @param output elements it makes before pooling
/// @param reduced elements left after pooling; what those behind it read
/// @param subgraph the nodes it stands for
public record ChainLayer(
        int index,
        String name,
        Type type,
        long outChannels,
        long inChannels,
        long height,
        long width,
        int kernelHeight,
        int kernelWidth,
        int strideHeight,
        int strideWidth,
        int padHeight,
        int padWidth,
        int groups,
        long outHeight,
        long outWidth,
        List<Pooling> poolings,
        long pooledHeight,
        long pooledWidth,
        long macs,
        long weights,
        long input,
        long output,
        long reduced,
        Subgraph subgraph) {
    /// Copies the list.
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

    /// The pooling behind the layer, where there is exactly one.
    public Optional<Pooling> pooling() {
        return poolings.size() == 1 ? Optional.of(poolings.getFirst()) : Optional.empty();
    }
}
