package knobscape.network.table;

import java.util.Optional;
import java.util.OptionalInt;
import knobscape.network.chain.Extents;
import knobscape.network.chain.Pooling;

/// One row of a [LayerTable].
///
/// @param layer place, from 1
/// @param extents of the type CONV (in any number of groups), DWCONV or FC; paddings on both sides
/// @param pooledHeight Yp, after pooling
/// @param pooledWidth Xp, after pooling
/// @param skipFrom the layer whose pooled result is added to this layer's; 0 is the network's input
/// @param skipProjected whether that skip passes a 1 x 1 convolution
public record LayerRow(
        int layer,
        String name,
        Extents extents,
        Optional<Pooling> pooling,
        long pooledHeight,
        long pooledWidth,
        OptionalInt skipFrom,
        boolean skipProjected) {
    /// A row without pooling.
    public static LayerRow plain(int layer, String name, Extents e, OptionalInt skipFrom, boolean skipProjected) {
        return new LayerRow(layer, name, e, Optional.empty(), e.outHeight(), e.outWidth(), skipFrom, skipProjected);
    }
}
