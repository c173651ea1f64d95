package knobscape.hls.evaluate.estimator;

/// Hardware that leads the accesses of one block to banks and lanes which are known only when they happen.
final class Steering {
    /// LUTs per bit of a reshaped word that a store at an unknown lane takes: two shifters, mask and merge.
    private static final double SHIFT_IN = 9;
    /// Flip-flops per bit of the word that hold it meanwhile.
    private static final double HELD = 1.5;

    /// LUTs of multiplexers, decoders and shifters at memories as the report books them.
    double muxReported;
    /// The same after synthesis.
    double muxReal;
    /// Flip-flops that hold words while an element is put in.
    double heldFf;
    /// The same after synthesis.
    double heldReal;
    /// Banks of the widest of them.
    double muxDepth;

    /// Takes an element out of a word at an unknown lane.
    void extract(Layout layout, int width) {
        muxReported += 2.0 * layout.wordBits;
        muxReal += 0.25 * width * (layout.lanesInWord - 1);
    }

    /// Puts an element into a word at an unknown lane: data and mask are shifted into place and merged with the word.
    void insert(Layout layout) {
        muxReported += SHIFT_IN * layout.wordBits;
        muxReal += 4.5 * layout.array.bits() + 0.35 * layout.wordBits;
        heldFf += HELD * layout.wordBits;
        heldReal += 2.6 * layout.array.bits() + 0.25 * layout.wordBits;
    }

    /// Multiplexer (read) or decoder (write) of an access whose bank is known only when it happens.
    ///
    /// @param f banks that the access may go to
    void steer(Graph graph, int n, Layout layout, OperatorLibrary library, int f) {
        double levels = Math.ceil(Math.log(f) / Math.log(4));
        muxReported += library.reportedMux(f);
        if (graph.kind[n] == Graph.LOAD) {
            graph.extraNs[n] = 0.6 * levels * library.logicDelay();
            muxReal += layout.array.bits() * Math.ceil(f / 4.0);
        } else {
            muxReal += f + (graph.banks[n] == null ? layout.array.bits() * f * 0.5 : 0);
        }
        muxDepth = Math.max(muxDepth, f);
    }
}
