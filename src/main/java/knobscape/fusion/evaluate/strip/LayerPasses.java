package knobscape.fusion.evaluate.strip;

import knobscape.fusion.source.StripMachine;
import knobscape.fusion.source.rows.RowEdge;
import knobscape.fusion.source.rows.RowNode;
import knobscape.fusion.space.GroupingSpace;
import org.jspecify.annotations.Nullable;

/// A layer alone in passes over its input, each for a part of its output channels; with whole input channels, or with
/// partial sums that stay. Scratch memory for one thread.
final class LayerPasses {
    private final StripModel model;
    private final Strips strips;
    private final GroupOperands operands;
    private final int[] blocks;
    /// Bytes of a partial sum: products of bytes add up to 32 bits.
    static final int SUM_BYTES = 4;
    /// Input channels that stream at once, at least.
    private static final int CHANNELS = 16;

    /// A way to run the layer.
    ///
    /// @param samples at once
    /// @param rows of a strip
    /// @param tiles passes
    /// @param sums whether partial sums stay on chip
    /// @param used bytes of the buffer
    /// @param reloaded bytes of input and weights read more than once
    /// @param onChip bytes of partial sums written and read again
    /// @param launches of the layer on strips
    record Way(
            int samples, int rows, int tiles, boolean sums, long used, long reloaded, long onChip, double launches) {}

    /// Takes ways to run the layer, while its strips are at hand.
    interface Taker {
        /// True if a way of at least these costs is still of interest.
        ///
        /// @param reloaded bytes of input and weights read more than once
        /// @param launches of the layer on strips
        boolean wants(long reloaded, double launches);

        /// One way.
        void take(Way way);
    }

    LayerPasses(StripModel model, Strips strips, GroupOperands operands, int[] blocks) {
        this.model = model;
        this.strips = strips;
        this.operands = operands;
        this.blocks = blocks;
    }

    /// A layer alone may keep the weights of some output channels, and stream its input once for each such part. The
    /// same goes for a product whose second matrix is K or V.
    ///
    /// @param layer the group at hand
    void all(int layer, Taker taker) {
        RowNode node = model.graph().node(layer);
        long k = node.work().loops().k();
        if (operands.count() != 1 || k < 2) {
            return;
        }
        int streamed = data(layer);
        if (streamed < 0) {
            return;
        }
        long weight = operands.bytes(0);
        long input = strips.wanted(streamed) * model.rowBytes[streamed] * model.samples();
        int most = operands.isPerSample(0) ? 1 : Integer.MAX_VALUE;
        int rows = strips.paceRows();
        for (int t = rows; t >= 1; t = GroupingSpace.shorter(t, rows)) {
            strips.walk(t, Long.MAX_VALUE);
            long out = Math.min(t, node.rows()) * model.rowBytes[layer];
            long in = Math.max(0, strips.room() - out);
            for (int m : blocks) {
                if (m > most) {
                    break;
                }
                long free = model.machine().buffer() - m * in;
                // Whole output channels: their weights, and their part of the output's rows.
                double each = (double) weight / k + (double) m * out / k;
                long channels = (long) Math.floor(free / each);
                while (channels > 0 && bytesOf(channels, k, weight) + m * bytesOf(channels, k, out) > free) {
                    channels--;
                }
                if (channels < 1) {
                    break;
                }
                long tiles = Math.ceilDiv(k, channels);
                if (tiles < 2 || tiles > Integer.MAX_VALUE) {
                    continue;
                }
                channels = Math.ceilDiv(k, tiles);
                long used = m * in + bytesOf(channels, k, weight) + m * bytesOf(channels, k, out);
                double launches = (double) tiles * Math.ceilDiv(model.samples(), (long) m) * strips.launches(layer);
                taker.take(new Way(m, t, (int) tiles, false, used, (tiles - 1) * input, 0, launches));
            }
            sums(layer, streamed, t, taker);
        }
    }

    /// A product, or a 1 x 1 convolution, may keep a tile of partial sums, rows times output channels, while its input
    /// and weights stream past in parts of the input channels. How many of these come at once is chosen so that the
    /// memories take least time.
    private void sums(int layer, int streamed, int t, Taker taker) {
        RowNode node = model.graph().node(layer);
        long k = node.work().loops().k();
        long c = node.work().loops().c();
        boolean product = node.work().weights() == k * c
                && model.weightBytes[layer] > 0
                && model.edges[layer].length == 1
                && model.edges[layer][0].equals(RowEdge.same(streamed))
                && node.rows() == model.rows[streamed]
                && node.elements() % k == 0;
        if (!product) {
            return;
        }
        int fill = model.machine().array().map(StripMachine.Unrolling::c).orElse(1);
        int twice = model.machine().counting().doubleBuffered() ? 2 : 1;
        long weights = model.weightBytes[layer];
        long input = model.bytes(streamed) * model.samples();
        long results = node.elements() * node.rows() * model.samples();
        for (int m : blocks) {
            @Nullable Way best = null;
            boolean unwanted = false;
            double least = Double.POSITIVE_INFINITY;
            long blocksOfRows = Math.ceilDiv(model.samples(), (long) m) * Math.ceilDiv(node.rows(), t);
            for (long at = Math.min(c, Math.max(CHANNELS, fill)); ; at = Math.min(c, 2 * at)) {
                long in = twice * Math.ceilDiv(m * (long) t * model.rowBytes[streamed] * at, c);
                long channels = channels(
                        model.machine().buffer() - in,
                        k,
                        m * (long) t * (node.elements() / k) * SUM_BYTES,
                        twice * Math.ceilDiv(weights * at, c));
                if (channels > 0) {
                    long tiles = Math.ceilDiv(k, channels);
                    channels = Math.ceilDiv(k, tiles);
                    long used = in
                            + channels * m * t * (node.elements() / k) * SUM_BYTES
                            + Math.ceilDiv(channels * twice * Math.ceilDiv(weights * at, c), k);
                    long again = (tiles - 1) * input + (blocksOfRows - 1) * weights;
                    if (best == null && !taker.wants(again, (double) tiles * blocksOfRows)) {
                        // More channels at once leave room for no more sums.
                        unwanted = true;
                        break;
                    }
                    long onChip = 2 * SUM_BYTES * (Math.ceilDiv(c, at) - 1) * results;
                    long off = input + weights + again;
                    double time = Math.max(
                            off / model.machine().offBandwidth(),
                            (off + onChip) / model.machine().onBandwidth());
                    if (time < least && tiles <= Integer.MAX_VALUE) {
                        least = time;
                        best = new Way(m, t, (int) tiles, true, used, again, onChip, (double) tiles * blocksOfRows);
                    }
                }
                if (at == c) {
                    break;
                }
            }
            if (best != null) {
                taker.take(best);
            } else if (!unwanted) {
                break;
            }
        }
    }

    /// Output channels that fit.
    ///
    /// @param sums bytes of the partial sums of each
    /// @param weights bytes of the weights of all that stream at once
    private static long channels(long free, long k, long sums, long weights) {
        long n = (long) Math.min(k, Math.floor(free / (sums + (double) weights / k)));
        while (n > 0 && n * sums + Math.ceilDiv(n * weights, k) > free) {
            n--;
        }
        return n;
    }

    private static long bytesOf(long channels, long all, long bytes) {
        return Math.ceilDiv(bytes * channels, all);
    }

    /// The tensor that a layer's products reduce; -1 where there is none that streams by rows.
    private int data(int layer) {
        for (RowEdge e : model.edges[layer]) {
            if (!strips.streams(e.from())) {
                return e.from();
            }
        }
        return -1;
    }
}
