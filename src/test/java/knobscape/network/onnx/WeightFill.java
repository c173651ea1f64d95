package knobscape.network.onnx;

/// Where the weights of a written ONNX file come from. A network here knows weights by shape only, so none of
/// them are trained.
///
/// @param kind how they are stored
/// @param seed of the random numbers; not used by [Kind#COMPUTED]
public record WeightFill(Kind kind, long seed) {
    /// How weights are stored.
    public enum Kind {
        /// Each weight is made when the file is loaded, by a node that fills a shape with one number (1 by the
        /// number of summands, so that values neither grow nor vanish). The file is a few kilobytes, whatever
        /// the network.
        COMPUTED,
        /// Random numbers inside the file, which must stay below 2 GB.
        INSIDE,
        /// Random numbers in a second file beside it, `NAME.onnx.data`.
        BESIDE
    }

    /// A small file without stored weights.
    public static WeightFill computed() {
        return new WeightFill(Kind.COMPUTED, 0);
    }
}
