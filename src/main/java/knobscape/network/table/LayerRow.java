package knobscape.network.table;

import java.util.Optional;
import java.util.OptionalInt;
import knobscape.network.chain.Pooling;

/// One row of a [LayerTable]; all extents are for one sample.
///
/// @param layer 1-based index
/// @param name readable name
/// @param type kind of layer
/// @param outChannels K; of a fully connected layer its outputs
/// @param inChannels C; of a fully connected layer its inputs
/// @param height Y, of the input
/// @param width X, of the input
/// @param kernelHeight R
/// @param kernelWidth S
/// @param strideHeight vertical step
/// @param strideWidth horizontal step
/// @param padHeight padding above and below
/// @param padWidth padding left and right
/// @param groups groups of channels; K of a depthwise layer
/// @param outHeight Yo, before pooling
/// @param outWidth Xo, before pooling
/// @param pooling pooling behind the layer
/// @param pooledHeight Yp, after pooling
/// @param pooledWidth Xp, after pooling
/// @param skipFrom the layer whose pooled result is added to this layer's; 0 is the network's input
/// @param skipProjected whether that skip passes a 1 x 1 convolution
public record LayerRow(
        int layer,
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
        Optional<Pooling> pooling,
        long pooledHeight,
        long pooledWidth,
        OptionalInt skipFrom,
        boolean skipProjected) {
    /// Kinds of layers in a table.
    public enum Type {
        /// Convolution.
        CONV,
        /// Depthwise convolution: one filter a channel.
        DWCONV,
        /// Fully connected.
        FC
    }
}
