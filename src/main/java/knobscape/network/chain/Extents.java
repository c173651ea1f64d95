package knobscape.network.chain;

import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Window;
import knobscape.network.subgraph.Subgraph;

/// The letters of the layer table (see [ChainLayer]) for one layer.
record Extents(
        ChainLayer.Type type,
        long outChannels,
        long inChannels,
        long height,
        long width,
        int kernelHeight,
        int kernelWidth,
        int strideHeight,
        int strideWidth,
        int padHeight,
        int padWidth,
        int groups,
        long outHeight,
        long outWidth) {

    /// Axes but the last are taken together as height, so that K Yo Xo R S C / groups are the
    /// multiply-accumulates for any number of spatial axes.
    static Extents of(Subgraph s, Shape in, Shape weight, Shape out, long batch) {
        return switch (s.anchor().operator()) {
            case Operator.Conv c -> {
                ChainLayer.Type type = s.kind() == Subgraph.Kind.CONV
                        ? ChainLayer.Type.CONV
                        : s.kind() == Subgraph.Kind.DEPTHWISE_CONV ? ChainLayer.Type.DWCONV : ChainLayer.Type.GROUPCONV;
                yield spatial(type, s.window().orElseThrow(), in, out, c.groups());
            }
            case Operator.TransposedConv c -> spatial(ChainLayer.Type.TCONV, c.window(), in, out, c.groups());
            case Operator.Gemm g -> matrix(s, g.transposeA() ? in.dim(0) : in.dim(1), out, batch);
            default -> matrix(s, in.dim(-1), out, batch);
        };
    }

    private static Extents spatial(ChainLayer.Type type, Window w, Shape in, Shape out, int groups) {
        int last = w.rank() - 1;
        boolean flat = last == 0;
        int rows = 1;
        for (int i = 0; i < last; i++) {
            rows *= w.kernel().get(i);
        }
        return new Extents(
                type,
                out.dim(1),
                in.dim(1),
                in.product(2, in.rank() - 1),
                in.dim(-1),
                rows,
                w.kernel().get(last),
                flat ? 1 : w.strides().getFirst(),
                w.strides().get(last),
                flat ? 0 : w.padBegin().getFirst(),
                w.padBegin().get(last),
                groups,
                out.product(2, out.rank() - 1),
                out.dim(-1));
    }

    /// A fully connected layer has extents of 1; further rows for one sample (the words of a sentence) are its
    /// height.
    private static Extents matrix(Subgraph s, long k, Shape out, long batch) {
        long n = out.rank() == 0 ? 1 : out.dim(-1);
        long rows = Math.ceilDiv(out.elements(), Math.max(1, n) * batch);
        ChainLayer.Type type = s.kind() == Subgraph.Kind.DENSE ? ChainLayer.Type.FC : ChainLayer.Type.MATMUL;
        return new Extents(type, n, k, rows, 1, 1, 1, 1, 1, 0, 0, 1, rows, 1);
    }
}
