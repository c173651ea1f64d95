package knobscape.network.chain;

import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Window;
import knobscape.network.subgraph.Subgraph;

/// Kind and extents of a layer for one sample, with the letters of the layer table: K and C (output and input
/// channels; features of a fully connected layer), Y and X of the input, R and S of the kernel, strides, padding
/// above and on the left, groups, Yo and Xo of the output before pooling.
public record Extents(
        ChainLayer.Type type, long outChannels, long inChannels, Size input, Taps taps, int groups, Size output) {
    /// Rows and columns.
    public record Size(long height, long width) {}

    /// The places of the input that an output is made of.
    public record Taps(
            int kernelHeight, int kernelWidth, int strideHeight, int strideWidth, int padHeight, int padWidth) {}

    /// Rows of the input.
    public long height() {
        return input.height;
    }

    /// Columns of the input.
    public long width() {
        return input.width;
    }

    /// Rows of the kernel.
    public int kernelHeight() {
        return taps.kernelHeight;
    }

    /// Columns of the kernel.
    public int kernelWidth() {
        return taps.kernelWidth;
    }

    /// Rows from one output to the next.
    public int strideHeight() {
        return taps.strideHeight;
    }

    /// Columns from one output to the next.
    public int strideWidth() {
        return taps.strideWidth;
    }

    /// Rows of padding above.
    public int padHeight() {
        return taps.padHeight;
    }

    /// Columns of padding on the left.
    public int padWidth() {
        return taps.padWidth;
    }

    /// Rows of the output before pooling.
    public long outHeight() {
        return output.height;
    }

    /// Columns of the output before pooling.
    public long outWidth() {
        return output.width;
    }

    /// A fully connected layer; further rows for one sample (the words of a sentence) are its height.
    public static Extents dense(ChainLayer.Type type, long out, long in, long rows) {
        return new Extents(
                type,
                out,
                in,
                new Extents.Size(rows, 1),
                new Extents.Taps(1, 1, 1, 1, 0, 0),
                1,
                new Extents.Size(rows, 1));
    }

    /// A convolution with a square kernel, stride and padding on square images.
    public static Extents square(
            ChainLayer.Type type, long out, long in, long size, int kernel, int stride, int pad, int groups) {
        long made = (size + 2L * pad - kernel) / stride + 1;
        return new Extents(
                type,
                out,
                in,
                new Extents.Size(size, size),
                new Extents.Taps(kernel, kernel, stride, stride, pad, pad),
                groups,
                new Extents.Size(made, made));
    }

    /// Axes but the last are taken together as height, so that K Yo Xo R S C / groups are the
    /// multiply-accumulates for any number of spatial axes.
    static Extents of(Subgraph s, Shape in, Shape out, long batch) {
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
        int rows = w.kernel().subList(0, last).stream().reduce(1, (a, b) -> a * b);
        return new Extents(
                type,
                out.dim(1),
                in.dim(1),
                new Extents.Size(in.product(2, in.rank() - 1), in.dim(-1)),
                new Extents.Taps(
                        rows,
                        w.kernel().get(last),
                        flat ? 1 : w.strides().getFirst(),
                        w.strides().get(last),
                        flat ? 0 : w.padBegin().getFirst(),
                        w.padBegin().get(last)),
                groups,
                new Extents.Size(out.product(2, out.rank() - 1), out.dim(-1)));
    }

    private static Extents matrix(Subgraph s, long k, Shape out, long batch) {
        long n = out.rank() == 0 ? 1 : out.dim(-1);
        ChainLayer.Type type = s.kind() == Subgraph.Kind.DENSE ? ChainLayer.Type.FC : ChainLayer.Type.MATMUL;
        return dense(type, n, k, Math.ceilDiv(out.elements(), Math.max(1, n) * batch));
    }
}
