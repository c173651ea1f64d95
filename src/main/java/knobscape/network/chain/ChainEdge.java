package knobscape.network.chain;

/// Data that goes from one layer of a [LayerChain] to a later one.
///
/// @param from the layer that makes it; 0 is the network's input
/// @param to the layer that reads it, greater than `from`
/// @param elements elements for one sample, after pooling at the source; of a slice only that part
/// @param projectionWeights weights of a 1 x 1 convolution on the way, done by the reader; 0 where there is
/// none
/// @param projectionMacs its multiply-accumulates for one sample
public record ChainEdge(int from, int to, Role role, long elements, long projectionWeights, long projectionMacs) {
    /// The role of data that is read.
    public enum Role {
        /// It is the layer's input or a part of it.
        INPUT,
        /// It is combined with the layer's result: the skip of a residual block.
        SKIP
    }

    /// True if the data is the input of the very next layer, as everywhere in a plain chain.
    public boolean isLink() {
        return role == Role.INPUT && to == from + 1;
    }
}
