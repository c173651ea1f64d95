package knobscape.network.table;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.evaluate.UserError;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Operator.Elementwise;
import knobscape.network.Operator.Gathering;
import knobscape.network.Shape;
import knobscape.network.ShapeException;
import knobscape.network.Window;
import knobscape.network.chain.ChainLayer;
import knobscape.network.chain.Extents;
import knobscape.network.chain.Pooling;

/// A chain of layers as a table, one row a layer in execution order.
///
/// Columns: `layer` (1, 2, ...), `name`, `type` (CONV, DWCONV, FC), `K` and `C` (output, input channels), `Y`
/// and `X` (input height, width), `R` and `S` (kernel), `stride`, `pad` (on each side), `Yo` and `Xo` (output
/// before pooling), `pool` (`none`, `max2_s2`, `avg3_s1`, ..., `global_avg`, `global_max`), `Yp` and `Xp`
/// (after pooling), `skip_from` (layer whose pooled result is added to this one's before pooling; empty for
/// none, 0 for the network's input), `skip_proj` (1 where that skip passes a 1 x 1 convolution to K channels,
/// with whatever stride the extents ask for). Optional: `stride_x` and `pad_x` (where they differ
/// horizontally), `groups`. Layers have no bias and no activation. Every row is checked against its own numbers
/// and the row before it.
///
/// The same in JSON: `{"format": "knobscape-layers", "formatVersion": 1, "name": "...", "layers": [{"name":
/// "conv1", "type": "CONV", "K": 64, ...}, ...]}`.
public record LayerTable(String name, List<LayerRow> rows) {
    /// Most rows.
    static final int MAX_ROWS = 100_000;

    public LayerTable {
        rows = List.copyOf(rows);
    }

    /// Reads a CSV or JSON file. Throws [UserError] naming file and line (or place) where it is absent,
    /// malformed, or a number contradicts the others.
    public static LayerTable read(Path file) {
        return LayerTableFiles.read(file);
    }

    /// The network of the table. Throws [UserError] naming the layer where a row contradicts an earlier one.
    public Network network(long batch) {
        if (rows.isEmpty()) {
            throw new UserError("The layer table '" + name + "' has no layers.");
        }
        var builder = new Rows(batch);
        for (LayerRow r : rows) {
            try {
                builder.add(r);
            } catch (ShapeException e) {
                throw new UserError(
                        "Layer " + r.layer() + " ('" + r.name() + "') of '" + name + "': " + e.getMessage() + ".", e);
            }
        }
        return builder.b.output(builder.results.getLast()).build();
    }

    /// Adds rows to a network one by one.
    private final class Rows {
        private final NetworkBuilder b = new NetworkBuilder(name, ElementType.FLOAT32);
        /// The pooled result of each layer; the network's input first.
        private final List<String> results = new ArrayList<>();
        private final Map<String, Long> repeated =
                rows.stream().collect(Collectors.groupingBy(LayerRow::name, Collectors.counting()));

        Rows(long batch) {
            LayerRow first = rows.getFirst();
            results.add(b.input(
                    "input",
                    first.extents().type() == ChainLayer.Type.FC
                            ? Shape.of(batch, first.extents().inChannels())
                            : Shape.of(
                                    batch,
                                    first.extents().inChannels(),
                                    first.extents().height(),
                                    first.extents().width())));
        }

        void add(LayerRow r) {
            String id = unique(r);
            String y = r.extents().type() == ChainLayer.Type.FC ? dense(id, r) : conv(id, r);
            if (r.skipFrom().isPresent()) {
                y = b.add(id + ".add", new Elementwise(Elementwise.Function.ADD), y, skip(id, r, b.shape(y)));
            }
            results.add(r.pooling().isPresent() ? pool(id, r, y) : y);
        }

        /// Node names must differ; names in a table need not.
        private String unique(LayerRow r) {
            return requireNonNull(repeated.get(r.name())) > 1 ? r.name() + "#" + r.layer() : r.name();
        }

        private String conv(String id, LayerRow r) {
            Extents e = r.extents();
            Shape x = b.shape(results.getLast());
            Shape stated = Shape.of(x.dim(0), e.inChannels(), e.height(), e.width());
            if (!x.equals(stated)) {
                throw new ShapeException("its input is stated as C, Y, X = " + e.inChannels() + ", " + e.height() + ", "
                        + e.width() + " where the layer before leaves "
                        + x.dims().stream().skip(1).map(String::valueOf).collect(Collectors.joining(", ")));
            }
            var window = new Window(
                    List.of(e.kernelHeight(), e.kernelWidth()),
                    List.of(e.strideHeight(), e.strideWidth()),
                    List.of(e.padHeight(), e.padWidth()),
                    List.of(e.padHeight(), e.padWidth()),
                    List.of(1, 1));
            if (e.groups() < 1 || e.inChannels() % e.groups() != 0) {
                throw new ShapeException(e.groups() + " groups do not divide " + e.inChannels() + " channels");
            }
            String w = b.weight(
                    id + ".weight", e.outChannels(), e.inChannels() / e.groups(), e.kernelHeight(), e.kernelWidth());
            String y = b.add(id, new Operator.Conv(window, e.groups()), results.getLast(), w);
            Shape made = b.shape(y);
            if (made.dim(2) != e.outHeight() || made.dim(3) != e.outWidth()) {
                throw new ShapeException("Yo, Xo = " + e.outHeight() + ", " + e.outWidth()
                        + " are stated where kernel, stride and padding give " + made.dim(2) + ", " + made.dim(3));
            }
            return y;
        }

        private String dense(String id, LayerRow r) {
            Extents e = r.extents();
            String x = results.getLast();
            if (b.shape(x).rank() > 2) {
                x = b.add(id + ".flatten", new Operator.Flatten(1), x);
            }
            if (b.shape(x).dim(1) != e.inChannels()) {
                throw new ShapeException("C = " + e.inChannels() + " is stated where the layer before leaves "
                        + b.shape(x).dim(1) + " elements");
            }
            if (IntStream.of(e.kernelHeight(), e.kernelWidth()).anyMatch(v -> v != 1)
                    || e.height() != 1
                    || e.width() != 1
                    || e.outHeight() != 1
                    || e.outWidth() != 1) {
                throw new ShapeException("a fully connected layer has Y, X, R, S, Yo and Xo of 1");
            }
            return b.add(
                    id,
                    new Operator.Gemm(false, true, 1, 1),
                    x,
                    b.weight(id + ".weight", e.outChannels(), e.inChannels()));
        }

        private String skip(String id, LayerRow r, Shape result) {
            int from = r.skipFrom().getAsInt();
            if (from < 0 || from >= r.layer()) {
                throw new ShapeException("skip_from = " + from + " is not an earlier layer");
            }
            String source = results.get(from);
            Shape s = b.shape(source);
            if (!r.skipProjected()) {
                if (!s.equals(result)) {
                    throw new ShapeException("the skip from layer " + from + " brings " + s + " where " + result
                            + " is made; set skip_proj to 1 if a 1 x 1 convolution lies on it");
                }
                return source;
            }
            if (s.rank() != 4 || result.rank() != 4) {
                throw new ShapeException("a 1 x 1 convolution on a skip needs images on both sides");
            }
            List<Integer> strides =
                    List.of(projectionStride(s.dim(2), result.dim(2)), projectionStride(s.dim(3), result.dim(3)));
            var window = new Window(List.of(1, 1), strides, List.of(0, 0), List.of(0, 0), List.of(1, 1));
            return b.add(
                    id + ".projection",
                    new Operator.Conv(window, 1),
                    source,
                    b.weight(id + ".projection.weight", result.dim(1), s.dim(1), 1, 1));
        }

        private static int projectionStride(long from, long to) {
            for (int stride = (int) Math.max(1, Math.min(from / Math.max(1, to), 1 << 20));
                    stride <= from && (from - 1) / stride + 1 >= to;
                    stride++) {
                if ((from - 1) / stride + 1 == to) {
                    return stride;
                }
            }
            throw new ShapeException("no stride of a 1 x 1 convolution turns an extent of " + from + " into " + to);
        }

        private String pool(String id, LayerRow r, String y) {
            Pooling p = r.pooling().orElseThrow();
            Shape x = b.shape(y);
            if (x.rank() != 4) {
                throw new ShapeException("pooling behind a fully connected layer");
            }
            Gathering kind = p.kind().equals("max") ? Gathering.MAX : Gathering.AVERAGE;
            Operator op = p.global() ? new Operator.GlobalPool(kind) : window(p, kind, x, r);
            String z = b.add(id + ".pool", op, y);
            if (b.shape(z).dim(2) != r.pooledHeight() || b.shape(z).dim(3) != r.pooledWidth()) {
                throw new ShapeException("Yp, Xp = " + r.pooledHeight() + ", " + r.pooledWidth() + " are stated where "
                        + p.label() + " gives " + b.shape(z).dim(2) + ", "
                        + b.shape(z).dim(3));
            }
            return z;
        }

        /// The smallest padding that gives the extents stated, first without, then with a partial last window.
        private static Operator window(Pooling p, Gathering kind, Shape x, LayerRow r) {
            for (boolean ceil : new boolean[] {false, true}) {
                for (int pad = 0; 2 * pad <= p.kernel(); pad++) {
                    var w = Window.square(p.kernel(), p.stride(), pad);
                    if (x.dim(2) + 2L * pad >= p.kernel()
                            && x.dim(3) + 2L * pad >= p.kernel()
                            && w.positions(0, x.dim(2), ceil) == r.pooledHeight()
                            && w.positions(1, x.dim(3), ceil) == r.pooledWidth()) {
                        return new Operator.Pool(kind, w, ceil, kind == Gathering.AVERAGE);
                    }
                }
            }
            throw new ShapeException("no padding makes " + p.label() + " turn " + x.dim(2) + ", " + x.dim(3)
                    + " into Yp, Xp = " + r.pooledHeight() + ", " + r.pooledWidth());
        }
    }
}
