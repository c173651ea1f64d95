package knobscape.fusion.evaluate.strip;

import knobscape.fusion.source.rows.RowEdge;
import knobscape.fusion.source.rows.RowNode;
import knobscape.fusion.space.GroupingSpace;

/// A layer alone in passes over its input, each for a part of its output channels. Scratch memory for one thread.
final class LayerPasses {
    private final StripModel model;
    private final Strips strips;
    private final GroupOperands operands;
    private final int[] blocks;

    /// Takes a way to run the layer, while its strips are at hand.
    @FunctionalInterface
    interface Taker {
        /// @param samples at once
        /// @param rows of a strip
        /// @param tiles passes
        /// @param used bytes of the buffer
        /// @param reloaded bytes of the input read more than once
        /// @param launches of the layer on strips
        void take(int samples, int rows, int tiles, long used, long reloaded, double launches);
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
                taker.take(m, t, (int) tiles, used, (tiles - 1) * input, launches);
            }
        }
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
