package knobscape.fusion.search.strip;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.evaluate.strip.StripModel;
import knobscape.fusion.source.StripMachine;
import knobscape.fusion.source.StripMachine.Counting;
import knobscape.fusion.source.StripMachine.Energy;
import knobscape.fusion.source.StripMachine.Unrolling;
import knobscape.fusion.source.StripMachine.Widths;
import knobscape.fusion.source.rows.RowGraph;
import knobscape.fusion.source.rows.RowReader;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Operator.Elementwise;
import knobscape.network.Operator.Unary;
import knobscape.network.Shape;
import knobscape.network.Window;
import knobscape.network.zoo.Zoo;

/// Networks and the accelerator of the published comparisons of strip fusion.
public final class StripNetworks {
    /// 1 024 bytes.
    public static final long KIB = 1024;
    /// 1 024 KiB.
    public static final long MIB = 1024 * KIB;
    /// 10^6 bytes.
    public static final long MB = 1_000_000;

    private StripNetworks() {}

    /// 1 024 multiply-accumulates and 8 off-chip bytes per cycle at 1 GHz, one byte per element.
    public static StripMachine edge(long buffer) {
        return new StripMachine(
                buffer,
                1024e9,
                8e9,
                1e15,
                0,
                Widths.of(8),
                Optional.empty(),
                new Energy(0.5e-12, 100e-12, 2e-12),
                Counting.DEFAULT);
    }

    /// The same with an array of a shape.
    public static StripMachine shaped(long buffer, Unrolling array) {
        StripMachine e = edge(buffer);
        return new StripMachine(
                buffer,
                e.macRate(),
                e.offBandwidth(),
                e.onBandwidth(),
                0,
                e.widths(),
                Optional.of(array),
                e.energy(),
                e.counting());
    }

    /// A built-in network.
    public static RowGraph zoo(String name) {
        return RowReader.of(Zoo.named(name).network(1)).graph();
    }

    /// The answer for a network.
    public static StripAnswer solve(RowGraph graph, StripMachine machine, long batch, Objective objective) {
        return StripSearch.solve(new StripModel(graph, machine, batch), objective, new CancellationSignal())
                .orElseThrow();
    }

    /// Adds layers with a running number.
    private static final class Maker {
        private final NetworkBuilder b;
        private int count;

        Maker(String name) {
            b = new NetworkBuilder(name, ElementType.INT8);
        }

        private String name(String kind) {
            return kind + count++;
        }

        String conv(String x, long k, int kernel, int stride, int pad, int groups) {
            String n = name("conv");
            String w = b.weight(n + ".w", k, b.shape(x).dim(1) / groups, kernel, kernel);
            return b.add(n, new Operator.Conv(Window.square(kernel, stride, pad), groups), x, w);
        }

        String conv(String x, long k, int kernel, int pad) {
            return conv(x, k, kernel, 1, pad, 1);
        }

        String relu(String x) {
            return b.add(name("relu"), new Unary(Unary.Function.RELU), x);
        }

        String pool(String x, Operator.Gathering kind, int kernel, int stride, int pad) {
            return b.add(name("pool"), new Operator.Pool(kind, Window.square(kernel, stride, pad), false, true), x);
        }

        String dense(String x, long k) {
            String n = name("dense");
            return b.add(
                    n, new Operator.MatMul(), x, b.weight(n + ".w", b.shape(x).dim(-1), k));
        }

        String plus(String x, String y) {
            return b.add(name("add"), new Elementwise(Elementwise.Function.ADD), x, y);
        }

        String concat(String... x) {
            return b.add(name("concat"), new Operator.Concat(1), x);
        }

        Network end(String... results) {
            return b.output(results).build();
        }
    }

    /// A MobileNet block: 1 x 1, depthwise 3 x 3 without padding, 1 x 1 on 30 x 30 x 24.
    public static Network mobileNetBlock() {
        var m = new Maker("block");
        String x = m.b.input("x", Shape.of(1, 24, 30, 30));
        return m.end(m.conv(m.conv(m.conv(x, 192, 1, 0), 192, 3, 1, 0, 192), 24, 1, 0));
    }

    /// Three 3 x 3 convolutions without padding on 58 x 58 x 64.
    public static Network threeConvolutions() {
        var m = new Maker("three");
        String x = m.b.input("x", Shape.of(1, 64, 58, 58));
        return m.end(m.conv(m.conv(m.conv(x, 64, 3, 0), 64, 3, 0), 64, 3, 0));
    }

    /// Products of matrices, one after the other.
    public static Network products(long rows, long... columns) {
        var m = new Maker("products");
        String x = m.b.input("x", Shape.of(rows, columns[0]));
        for (int i = 1; i < columns.length; i++) {
            x = m.dense(x, columns[i]);
        }
        return m.end(x);
    }

    /// FSRCNN with a sub-pixel end, without padding.
    public static Network fsrcnn(long height, long width) {
        var m = new Maker("fsrcnn");
        String x = m.b.input("x", Shape.of(1, 1, height, width));
        x = m.conv(m.conv(x, 56, 5, 0), 12, 1, 0);
        for (int i = 0; i < 4; i++) {
            x = m.conv(x, 12, 3, 0);
        }
        return m.end(m.conv(m.conv(x, 56, 1, 0), 16, 3, 0));
    }

    /// A U-Net of `levels` levels with transposed convolutions: two convolutions a level, and one in the lowest.
    public static Network unet(long size, long channels, int levels, long in, long out) {
        var m = new Maker("unet");
        String x = m.b.input("x", Shape.of(1, in, size, size));
        var skips = new ArrayList<String>();
        long c = channels;
        for (int l = 0; l < levels; l++) {
            x = m.relu(m.conv(x, c, 3, 1));
            if (l < levels - 1) {
                x = m.relu(m.conv(x, c, 3, 1));
                skips.add(x);
                x = m.pool(x, Operator.Gathering.MAX, 2, 2, 0);
                c *= 2;
            }
        }
        for (String skip : skips.reversed()) {
            c /= 2;
            String n = m.name("up");
            String w = m.b.weight(n + ".w", m.b.shape(x).dim(1), c, 2, 2);
            x = m.b.add(n, new Operator.TransposedConv(Window.square(2, 2, 0), 1, List.of(0, 0)), x, w);
            x = m.relu(m.conv(m.relu(m.conv(m.concat(skip, x), c, 3, 1)), c, 3, 1));
        }
        return m.end(m.conv(x, out, 1, 0));
    }

    /// A residual network of bottlenecks with about so many convolutions, on images of 32 x 32; blocks differ in width.
    public static Network deepResidual(int layers) {
        var m = new Maker("deep residual");
        String x = m.conv(m.b.input("x", Shape.of(1, 3, 32, 32)), 16, 3, 1);
        int blocks = layers / 3;
        for (int i = 0; i < blocks; i++) {
            int stage = 3 * i / blocks;
            boolean first = i > 0 && stage > 3 * (i - 1) / blocks;
            long inner = (16L << stage) + i % 5;
            long out = 64L << stage;
            String y = m.relu(m.conv(x, inner, 1, 0));
            y = m.relu(m.conv(y, inner, 3, first ? 2 : 1, 1, 1));
            y = m.conv(y, out, 1, 0);
            String skip = first || i == 0 ? m.conv(x, out, 1, first ? 2 : 1, 0, 1) : x;
            x = m.relu(m.plus(y, skip));
        }
        x = m.b.add(
                "flat",
                new Operator.Flatten(1),
                m.b.add("gap", new Operator.GlobalPool(Operator.Gathering.AVERAGE), x));
        return m.end(m.dense(x, 10));
    }

    /// DenseNet-121.
    public static Network denseNet121() {
        var m = new Maker("densenet121");
        String x = m.b.input("x", Shape.of(1, 3, 224, 224));
        x = m.pool(m.relu(m.conv(x, 64, 7, 2, 3, 1)), Operator.Gathering.MAX, 3, 2, 1);
        int[] blocks = {6, 12, 24, 16};
        for (int b = 0; b < blocks.length; b++) {
            for (int l = 0; l < blocks[b]; l++) {
                String y = m.conv(m.relu(m.conv(m.relu(x), 128, 1, 0)), 32, 3, 1);
                x = m.concat(x, y);
            }
            if (b < blocks.length - 1) {
                x = m.pool(m.conv(m.relu(x), m.b.shape(x).dim(1) / 2, 1, 0), Operator.Gathering.AVERAGE, 2, 2, 0);
            }
        }
        x = m.b.add(
                "flat",
                new Operator.Flatten(1),
                m.b.add("gap", new Operator.GlobalPool(Operator.Gathering.AVERAGE), x));
        return m.end(m.dense(x, 1000));
    }

    /// Attention of heads without projections.
    public static Network attention(long heads, long keyHeads, long queries, long keys, long width) {
        var m = new Maker("attention");
        String q = m.b.input("q", Shape.of(1, heads, queries, width));
        String k = m.b.input("k", Shape.of(1, keyHeads, keys, width));
        String v = m.b.input("v", Shape.of(1, keyHeads, keys, width));
        return m.end(attend(m, q, repeated(m, k, heads), repeated(m, v, heads)));
    }

    private static String repeated(Maker m, String x, long heads) {
        Shape s = m.b.shape(x);
        if (s.dim(1) == heads) {
            return x;
        }
        long times = heads / s.dim(1);
        String y = m.b.add(m.name("open"), new Operator.Reshape(Shape.of(1, s.dim(1), 1, s.dim(2), s.dim(3))), x);
        y = m.b.add(m.name("repeat"), new Operator.Expand(Shape.of(1, s.dim(1), times, s.dim(2), s.dim(3))), y);
        return m.b.add(m.name("close"), new Operator.Reshape(Shape.of(1, heads, s.dim(2), s.dim(3))), y);
    }

    private static String attend(Maker m, String q, String k, String v) {
        String kt = m.b.add(m.name("t"), new Operator.Transpose(List.of(0, 1, 3, 2)), k);
        String s = m.b.add(m.name("scores"), new Operator.MatMul(), q, kt);
        String p = m.b.add(m.name("softmax"), new Operator.Softmax(3, false, false), s);
        return m.b.add(m.name("values"), new Operator.MatMul(), p, v);
    }

    private static String heads(Maker m, String x, long heads) {
        Shape s = m.b.shape(x);
        String y = m.b.add(m.name("split"), new Operator.Reshape(Shape.of(1, s.dim(1), heads, s.dim(2) / heads)), x);
        return m.b.add(m.name("t"), new Operator.Transpose(List.of(0, 2, 1, 3)), y);
    }

    private static String joined(Maker m, String x) {
        String y = m.b.add(m.name("t"), new Operator.Transpose(List.of(0, 2, 1, 3)), x);
        Shape s = m.b.shape(y);
        return m.b.add(m.name("join"), new Operator.Reshape(Shape.of(1, s.dim(1), s.dim(2) * s.dim(3))), y);
    }

    /// A block of BERT: attention and a feed-forward network, both with residuals.
    public static Network bertBlock(long tokens, long width, long heads, long inner) {
        var m = new Maker("bert");
        String x = m.b.input("x", Shape.of(1, tokens, width));
        String a = joined(
                m,
                attend(
                        m,
                        heads(m, m.dense(x, width), heads),
                        heads(m, m.dense(x, width), heads),
                        heads(m, m.dense(x, width), heads)));
        String y = m.plus(m.dense(a, width), x);
        String z = m.b.add(m.name("gelu"), new Unary(Unary.Function.GELU), m.dense(y, inner));
        return m.end(m.plus(m.dense(z, width), y));
    }

    /// A block of a Llama: grouped keys and values, a gated feed-forward network.
    public static Network llamaBlock(long tokens, long width, long heads, long keyHeads, long inner) {
        var m = new Maker("llama");
        String x = m.b.input("x", Shape.of(1, tokens, width));
        long d = width / heads;
        String k = repeated(m, heads(m, m.dense(x, keyHeads * d), keyHeads), heads);
        String v = repeated(m, heads(m, m.dense(x, keyHeads * d), keyHeads), heads);
        String a = joined(m, attend(m, heads(m, m.dense(x, width), heads), k, v));
        String y = m.plus(m.dense(a, width), x);
        String gate = m.b.add(m.name("silu"), new Unary(Unary.Function.SWISH, 1, 0), m.dense(y, inner));
        String z = m.b.add(m.name("gated"), new Elementwise(Elementwise.Function.MUL), gate, m.dense(y, inner));
        return m.end(m.plus(m.dense(z, width), y));
    }

    /// A network as rows.
    public static RowGraph rows(Network network) {
        return RowReader.of(network).graph();
    }
}
