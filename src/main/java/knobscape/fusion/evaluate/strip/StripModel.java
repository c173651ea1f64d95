package knobscape.fusion.evaluate.strip;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import knobscape.fusion.source.StripMachine;
import knobscape.fusion.source.rows.RowEdge;
import knobscape.fusion.source.rows.RowGraph;
import knobscape.fusion.source.rows.RowNode;

/// A network on an accelerator for a batch, with the sizes that every group needs. Immutable.
///
/// The machine: groups run one after another and exchange whole tensors through the off-chip memory. In a group, blocks
/// of m samples go through all layers in stripes of columns, and these in strips of t rows. Rows that later strips need
/// stay on chip, or are made and loaded again; what two stripes need always is. Live rows, weights, K and V share one
/// buffer. What of the weights does not fit is loaded again
/// at every launch. Layers that have nothing to do with one another are in no common group.
public final class StripModel {
    /// Rows of K or V, and elements of a row of scores, that an online softmax takes at once.
    static final int BLOCK = 16;

    private final RowGraph graph;
    private final StripMachine machine;
    private final long samples;
    final int[] rows;
    final long[] rowBytes;
    final long[] blockBytes;
    final long[] weightBytes;
    final double[] macSeconds;
    final RowEdge[][] edges;
    private final boolean[] cached;
    /// Columns of every tensor, 0 where its rows cannot be cut, and their edges.
    final int[] columns;
    final RowEdge[][] across;
    /// Rows and columns of every layer that the array works on at once; 1 where its shape does not matter.
    final int[] rowsAtOnce;
    final int[] columnsAtOnce;
    /// The last layer that reads a tensor; the graph's size for a result, 0 for one that nobody reads.
    final int[] lastUse;
    /// For each layer the first of the unbroken row of layers before it that have to do with one another.
    final int[] connectedFrom;

    /// @param batch runs of the network, each of [RowGraph#samples()] samples
    public StripModel(RowGraph graph, StripMachine machine, long batch) {
        if (batch < 1) {
            throw new IllegalArgumentException("the batch must be 1 or more, not " + batch);
        }
        this.graph = graph;
        this.machine = machine;
        this.samples = Math.multiplyExact(batch, graph.samples());
        int n = graph.nodes().size();
        rows = new int[n];
        rowBytes = new long[n];
        blockBytes = new long[n];
        weightBytes = new long[n];
        macSeconds = new double[n];
        edges = new RowEdge[n][];
        columns = new int[n];
        across = new RowEdge[n][];
        rowsAtOnce = new int[n];
        columnsAtOnce = new int[n];
        lastUse = new int[n];
        StripMachine.Widths w = machine.widths();
        cached = cached(graph);
        for (int i = 0; i < n; i++) {
            RowNode node = graph.node(i);
            int bits = cached[i] ? w.cache() : w.activation();
            rows[i] = node.rows();
            rowBytes[i] = StripMachine.Widths.bytes(node.elements(), bits);
            blockBytes[i] =
                    machine.counting().onlineSoftmax() ? StripMachine.Widths.bytes(node.block(), bits) : rowBytes[i];
            weightBytes[i] = StripMachine.Widths.bytes(node.work().weights(), w.weight());
            macSeconds[i] = seconds(node.work()) * samples;
            edges[i] = node.edges().toArray(RowEdge[]::new);
            columns[i] = graph.columns(i).count();
            across[i] = graph.columns(i).edges().toArray(RowEdge[]::new);
            RowNode.Loops l = node.work().loops();
            rowsAtOnce[i] = l.y() == rows[i]
                    ? machine.array().map(StripMachine.Unrolling::y).orElse(1)
                    : 1;
            columnsAtOnce[i] = l.x() == columns[i]
                    ? machine.array().map(StripMachine.Unrolling::x).orElse(1)
                    : 1;
            for (RowEdge e : edges[i]) {
                lastUse[e.from()] = Math.max(lastUse[e.from()], i);
            }
        }
        connectedFrom = connected(edges, graph.inputs());
        for (int i = graph.inputs(); i < n; i++) {
            if (graph.node(i).result() || lastUse[i] == 0) {
                lastUse[i] = n;
            }
        }
    }

    private static int[] connected(RowEdge[][] edges, int first) {
        int[] part = new int[edges.length];
        for (int i = 0; i < part.length; i++) {
            part[i] = i;
            for (RowEdge e : edges[i]) {
                part[root(part, e.from())] = root(part, i);
            }
        }
        int[] from = new int[part.length];
        for (int i = first; i < part.length; i++) {
            from[i] = i > first && root(part, i) == root(part, i - 1) ? from[i - 1] : i;
        }
        return from;
    }

    private static int root(int[] part, int of) {
        int i = of;
        while (part[i] != i) {
            part[i] = part[part[i]];
            i = part[i];
        }
        return i;
    }

    /// Tensors that only products without weights read, whole: K and V.
    private static boolean[] cached(RowGraph graph) {
        boolean[] full = new boolean[graph.nodes().size()];
        boolean[] other = new boolean[full.length];
        for (RowNode reader : graph.nodes()) {
            boolean product = reader.work().macs() > 0 && reader.work().weights() == 0;
            for (RowEdge e : reader.edges()) {
                boolean whole = product
                        && e.kind() == RowEdge.Kind.FULL
                        && graph.node(e.from()).rows() > 1;
                (whole ? full : other)[e.from()] = true;
            }
        }
        for (int i = 0; i < full.length; i++) {
            full[i] &= !other[i];
        }
        return full;
    }

    /// Seconds of one sample's multiply-accumulates, idle processing elements included.
    private double seconds(RowNode.Work work) {
        double full = work.macs() / machine.macRate();
        return machine.array().map(a -> full / utilisation(work.loops(), a)).orElse(full);
    }

    /// The share of an array that a layer keeps busy.
    static double utilisation(RowNode.Loops l, StripMachine.Unrolling a) {
        return used(l.k(), a.k()) * used(l.c(), a.c()) * used(l.x(), a.x()) * used(l.y(), a.y());
    }

    private static double used(long extent, int unrolled) {
        return (double) extent / (Math.ceilDiv(extent, unrolled) * (double) unrolled);
    }

    /// Steps of the array in which a layer makes its output channels in so many parts, over those for all at once.
    double work(int layer, long parts) {
        long k = graph.node(layer).work().loops().k();
        int atOnce = machine.array().map(StripMachine.Unrolling::k).orElse(1);
        long part = Math.ceilDiv(k, parts);
        long steps = k / part * Math.ceilDiv(part, atOnce) + Math.ceilDiv(k % part, atOnce);
        return (double) steps / Math.ceilDiv(k, atOnce);
    }

    /// The same with another buffer.
    public StripModel withBuffer(long bytes) {
        return bytes == machine.buffer()
                ? this
                : new StripModel(graph, machine.withBuffer(bytes), samples / graph.samples());
    }

    /// The network.
    public RowGraph graph() {
        return graph;
    }

    /// The accelerator.
    public StripMachine machine() {
        return machine;
    }

    /// Independent samples, those of all runs together.
    public long samples() {
        return samples;
    }

    /// Index of the first layer.
    public int first() {
        return graph.inputs();
    }

    /// Index behind the last layer.
    public int end() {
        return rows.length;
    }

    /// True if a group may begin with a layer.
    public boolean begins(int layer) {
        return !graph.node(layer).glued();
    }

    /// True if layers have to do with one another, so that they can be a group.
    public boolean isConnected(int firstLayer, int lastLayer) {
        return firstLayer >= connectedFrom[lastLayer];
    }

    /// Bytes of a tensor for one sample.
    public long bytes(int tensor) {
        return rows[tensor] * rowBytes[tensor];
    }

    /// Bytes of a layer's weights.
    public long weightBytes(int layer) {
        return weightBytes[layer];
    }

    /// Weights of a layer that stream at once: those of an output channel, or what fills the array where that is more,
    /// and
    /// the next ones where buffers are double.
    long tile(int layer) {
        long channel = Math.ceilDiv(
                weightBytes[layer], Math.max(1, graph.node(layer).work().loops().k()));
        long fill = machine.array()
                .map(a -> StripMachine.Widths.bytes(
                        (long) a.k() * a.c(), machine.widths().weight()))
                .orElse(1L);
        return Math.max(channel, fill) * (machine.counting().doubleBuffered() ? 2 : 1);
    }

    /// Bytes of K and V that come from off chip, of all samples.
    public long cacheBytes() {
        long sum = 0;
        for (int x = 0; x < graph.inputs(); x++) {
            sum += cached[x] ? bytes(x) * samples : 0;
        }
        return sum;
    }

    /// Bytes of an input that its readers read, for one sample: without rows and columns that windows leap over.
    private long read(int input, List<Integer> readers) {
        int wide = Math.max(1, columns[input]);
        var down = new ArrayList<BitSet>();
        var across = new ArrayList<BitSet>();
        for (int i : readers) {
            List<RowEdge> by = from(input, edges[i]);
            List<RowEdge> beside = columns[input] > 0 && columns[i] > 0 ? from(input, this.across[i]) : List.of();
            for (int e = 0; e < by.size(); e++) {
                down.add(by.get(e).reads(rows[i], rows[input]));
                var places = new BitSet();
                if (beside.size() == by.size()) {
                    places.or(beside.get(e).reads(columns[i], wide));
                } else {
                    places.set(0, wide);
                }
                across.add(places);
            }
        }
        long places = 0;
        var line = new BitSet();
        for (int r = 0; r < rows[input]; r++) {
            line.clear();
            for (int e = 0; e < down.size(); e++) {
                if (down.get(e).get(r)) {
                    line.or(across.get(e));
                }
            }
            places += line.cardinality();
        }
        return places * rowBytes[input] / wide;
    }

    private static List<RowEdge> from(int tensor, RowEdge[] edges) {
        return Arrays.stream(edges).filter(e -> e.from() == tensor).toList();
    }

    /// The least possible: what is read of every input, every result and every weight crosses the border of the chip
    /// once, every multiply-accumulate is done once at the array's full rate.
    public Bound bound() {
        var readers = new ArrayList<List<Integer>>();
        for (int x = 0; x < graph.inputs(); x++) {
            readers.add(new ArrayList<>());
        }
        for (int i = graph.inputs(); i < rows.length; i++) {
            for (RowEdge e : edges[i]) {
                if (e.from() < graph.inputs() && !readers.get(e.from()).contains(i)) {
                    readers.get(e.from()).add(i);
                }
            }
        }
        long in = 0;
        for (int x = 0; x < graph.inputs(); x++) {
            in += read(x, readers.get(x));
        }
        long out = 0;
        for (int i = graph.inputs(); i < rows.length; i++) {
            out += lastUse[i] == rows.length ? bytes(i) : 0;
        }
        long bytes = (in + out) * samples + Arrays.stream(weightBytes).sum();
        double compute = Arrays.stream(macSeconds).sum() + machine.launchSeconds() * graph.layers();
        double joules = graph.macs() * samples * machine.energy().mac()
                + bytes * machine.energy().offByte();
        return new Bound(bytes, compute, Math.max(compute, bytes / machine.offBandwidth()), joules);
    }

    /// The bounds that nothing goes below.
    ///
    /// @param offChip bytes: inputs, results and weights once
    /// @param computeSeconds time of the multiply-accumulates
    /// @param seconds the larger of that and the time of the bytes
    public record Bound(long offChip, double computeSeconds, double seconds, double joules) {}
}
