package knobscape.fusion.search;

import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.network.chain.Extents;

/// The basis of a decision about one entry of a strategy (DNNFuser, Eq. 2): `[K, C, Y, X, R, S, M, P]`,
/// scaled to about 0..1. The shape is that of the layer, for entry 0 that of the network's input; M is the
/// buffer per sample; P is the time of the strategy so far, followed by synchronisations only, over the
/// baseline's.
public final class FusionState {
    /// Numbers in a state.
    public static final int SIZE = 8;
    private static final double SHAPE = 12;
    private static final double MEGA = 1e6;

    private FusionState() {}

    /// The state before entry `index` is chosen.
    ///
    /// @param index entry 0..N
    /// @param budgetBytes the buffer the strategy is wanted for
    /// @param seconds time of the entries before it followed by synchronisations; the baseline's for entry 0
    public static double[] of(FusionCostModel model, int index, double budgetBytes, double seconds) {
        Extents l = model.network().chain().layer(Math.max(1, index)).extents();
        long[] shape = index == 0
                ? new long[] {l.inChannels(), l.inChannels(), l.height(), l.width(), 1, 1}
                : new long[] {l.outChannels(), l.inChannels(), l.height(), l.width(), l.kernelHeight(), l.kernelWidth()
                };
        double[] state = new double[SIZE];
        for (int k = 0; k < shape.length; k++) {
            state[k] = Math.log1p(shape[k]) / Math.log(2) / SHAPE;
        }
        state[6] = budgetBytes / MEGA / model.batch();
        state[7] = seconds / model.baselineSeconds();
        return state;
    }
}
