package knobscape.fusion.search.sequence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import knobscape.fusion.source.FusionNetwork;
import knobscape.network.chain.ChainLayer;
import knobscape.network.chain.Extents;
import knobscape.network.chain.Pooling;
import knobscape.network.table.LayerRow;
import knobscape.network.table.LayerTable;

/// Random convolutional networks in common styles (plain, residual, bottleneck, inverted bottleneck with
/// depthwise layers), so that a model learns the trade-offs rather than two networks.
final class SyntheticNetworks {
    /// Lengths; few, so that lessons of equal length are many.
    private static final int[] LENGTHS = {12, 17, 24, 33, 44, 54};

    private final SplittableRandom random;
    private final List<LayerRow> rows = new ArrayList<>();
    private int size;
    private long channels;

    private SyntheticNetworks(SplittableRandom random) {
        this.random = random;
    }

    /// A network of one of a few lengths.
    static FusionNetwork draw(SplittableRandom random) {
        return new SyntheticNetworks(random).network(LENGTHS[random.nextInt(LENGTHS.length)]);
    }

    private FusionNetwork network(int length) {
        size = new int[] {128, 160, 192, 224, 224, 224, 256, 288}[random.nextInt(8)];
        channels = 3;
        int style = random.nextInt(4);
        int dense = random.nextInt(3) == 0 ? 3 : 1;
        int convolutions = length - dense;
        int stages = 4 + random.nextInt(2);
        long width = style == 3 ? 16 + 8L * random.nextInt(3) : 32L << random.nextInt(2);
        double growth = style == 3 ? 1.5 : 2;
        conv(style == 3 ? 32 : Math.max(32, width), 3, style == 0 ? 1 : 2, 1, OptionalInt.empty(), false);
        if (style == 1 || style == 2) {
            pool();
        }
        int stage = 0;
        while (rows.size() < convolutions) {
            int left = convolutions - rows.size();
            int next = Math.min(stages - 1, rows.size() * stages / convolutions);
            boolean down = next > stage && size >= 14;
            if (next > stage) {
                stage = next;
                width = Math.min(style == 2 ? 512 : 640, Math.round(width * growth / 8) * 8);
            }
            block(style, width, down, left);
        }
        if (rows.getLast().pooling().isPresent() || random.nextInt(8) == 0) {
            channels *= (long) size * size;
        } else {
            rows.set(rows.size() - 1, pooled(rows.getLast(), new Pooling("avg", true, 0, 0), 1));
        }
        for (int d = 1; d <= dense; d++) {
            long out = d == dense ? 1000 : 1024L << random.nextInt(3);
            rows.add(LayerRow.plain(
                    rows.size() + 1,
                    "fc" + d,
                    Extents.dense(ChainLayer.Type.FC, out, channels, 1),
                    OptionalInt.empty(),
                    false));
            channels = out;
        }
        return FusionNetwork.of(new LayerTable("synthetic", rows).network(1));
    }

    private void block(int style, long width, boolean down, int left) {
        int from = rows.size();
        boolean same = !down && channels == width;
        boolean projected = style != 3 && !same;
        OptionalInt skip = same || projected ? OptionalInt.of(from) : OptionalInt.empty();
        int stride = down ? 2 : 1;
        if (style == 1 && left >= 2) {
            conv(width, 3, stride, 1, OptionalInt.empty(), false);
            conv(width, 3, 1, 1, skip, projected);
        } else if (style == 2 && left >= 3) {
            long out = 4 * width;
            boolean equal = !down && channels == out;
            conv(width, 1, 1, 1, OptionalInt.empty(), false);
            conv(width, 3, stride, 1, OptionalInt.empty(), false);
            conv(out, 1, 1, 1, OptionalInt.of(from), !equal);
        } else if (style == 3 && left >= 3) {
            long inner = channels * (3 + 3L * random.nextInt(2));
            conv(inner, 1, 1, 1, OptionalInt.empty(), false);
            conv(inner, random.nextInt(3) == 0 ? 5 : 3, stride, (int) inner, OptionalInt.empty(), false);
            conv(width, 1, 1, 1, skip, false);
        } else {
            conv(width, 3, 1, 1, OptionalInt.empty(), false);
            if (down) {
                pool();
            }
        }
    }

    private void conv(long out, int kernel, int stride, int groups, OptionalInt skip, boolean projected) {
        ChainLayer.Type type = groups > 1 ? ChainLayer.Type.DWCONV : ChainLayer.Type.CONV;
        Extents e = Extents.square(type, out, channels, size, kernel, stride, kernel / 2, groups);
        rows.add(LayerRow.plain(rows.size() + 1, "conv" + (rows.size() + 1), e, skip, projected));
        size = (int) e.outHeight();
        channels = out;
    }

    private void pool() {
        LayerRow r = rows.getLast();
        int half = (size - 2) / 2 + 1;
        rows.set(rows.size() - 1, pooled(r, new Pooling("max", false, 2, 2), half));
        size = half;
    }

    private static LayerRow pooled(LayerRow r, Pooling pooling, int size) {
        return new LayerRow(
                r.layer(), r.name(), r.extents(), Optional.of(pooling), size, size, r.skipFrom(), r.skipProjected());
    }
}
