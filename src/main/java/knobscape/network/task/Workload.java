package knobscape.network.task;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import knobscape.network.Arithmetic;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Tensor;
import knobscape.network.subgraph.Subgraph;
import knobscape.space.Sha256;

/// A piece of multiply-accumulate work, given by its extents alone. Two places of a network with equal
/// workloads can share a kernel.
public sealed interface Workload {
    /// Element type of the data.
    ElementType type();

    /// Multiply-accumulates.
    long macs();

    /// Floating-point operations, two for each multiply-accumulate; a Winograd kernel is measured by this count
    /// too.
    default long flops() {
        return Math.multiplyExact(2, macs());
    }

    /// A stable text of the extents, fit for file names, for example `conv2d_1x64x56x56_k64_3x3_s1_p1`.
    String id();

    /// Convolution over two spatial axes; a one-dimensional one has a height of 1.
    ///
    /// @param batch N
    /// @param channels C, input channels
    /// @param height H, input height without padding
    /// @param width W, input width without padding
    /// @param filters K, output channels
    record Conv2d(
            ElementType type,
            long batch,
            long channels,
            long height,
            long width,
            long filters,
            Taps taps,
            Padding padding,
            int groups)
            implements Workload {
        /// The kernel: R and S, and the distances from one output and from one tap to the next.
        public record Taps(
                int kernelHeight,
                int kernelWidth,
                int strideHeight,
                int strideWidth,
                int dilationHeight,
                int dilationWidth) {}

        /// Rows and columns around the input.
        ///
        /// @param fill what stands there: 0, or of 8-bit integers what stands for 0
        public record Padding(int top, int left, int bottom, int right, int fill) {
            /// Rows and columns of zeros.
            public Padding(int top, int left, int bottom, int right) {
                this(top, left, bottom, right, 0);
            }
        }

        /// R.
        public int kernelHeight() {
            return taps.kernelHeight;
        }

        /// S.
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

        /// Rows between taps.
        public int dilationHeight() {
            return taps.dilationHeight;
        }

        /// Columns between taps.
        public int dilationWidth() {
            return taps.dilationWidth;
        }

        /// Rows of zeros above.
        public int padTop() {
            return padding.top;
        }

        /// Columns of zeros on the left.
        public int padLeft() {
            return padding.left;
        }

        /// Rows of zeros below.
        public int padBottom() {
            return padding.bottom;
        }

        /// Columns of zeros on the right.
        public int padRight() {
            return padding.right;
        }

        /// OH, output height.
        public long outHeight() {
            return (height + padTop() + padBottom() - dilationHeight() * (kernelHeight() - 1L) - 1) / strideHeight()
                    + 1;
        }

        /// OW, output width.
        public long outWidth() {
            return (width + padLeft() + padRight() - dilationWidth() * (kernelWidth() - 1L) - 1) / strideWidth() + 1;
        }

        /// True if every channel is a group of its own.
        public boolean isDepthwise() {
            return groups == channels && groups > 1;
        }

        /// True if a Winograd kernel can compute it: one group, stride and dilation of 1, a square kernel of 3
        /// to 7.
        public boolean isWinogradEligible() {
            return groups == 1
                    && strideHeight() == 1
                    && strideWidth() == 1
                    && dilationHeight() == 1
                    && dilationWidth() == 1
                    && kernelHeight() == kernelWidth()
                    && kernelHeight() > 2
                    && kernelHeight() < 8;
        }

        @Override
        public long macs() {
            return Math.multiplyExact(
                    Math.multiplyExact(batch * outHeight() * outWidth(), filters),
                    channels / groups * kernelHeight() * kernelWidth());
        }

        @Override
        public String id() {
            return (isDepthwise() ? "depthwise_conv2d_" : groups > 1 ? "grouped_conv2d_" : "conv2d_") + batch + "x"
                    + channels + "x" + height + "x" + width + "_k" + filters + "_"
                    + kernelHeight() + "x" + kernelWidth() + "_s" + pair(strideHeight(), strideWidth()) + "_p" + pads()
                    + (dilationHeight() * dilationWidth() > 1 ? "_d" + pair(dilationHeight(), dilationWidth()) : "")
                    + (groups > 1 && !isDepthwise() ? "_g" + groups : "")
                    + (padding.fill == 0 ? "" : "_z" + padding.fill) + suffix(type);
        }

        private String pads() {
            return padTop() == padBottom() && padLeft() == padRight()
                    ? pair(padTop(), padLeft())
                    : padTop() + "-" + padLeft() + "-" + padBottom() + "-" + padRight();
        }

        private static String pair(int a, int b) {
            return a == b ? String.valueOf(a) : a + "-" + b;
        }
    }

    /// Matrix of activations `M x K` by a matrix of weights `K x N`.
    record Dense(ElementType type, long m, long n, long k) implements Workload {
        @Override
        public long macs() {
            return Math.multiplyExact(Math.multiplyExact(m, n), k);
        }

        @Override
        public String id() {
            return "dense_" + m + "x" + n + "x" + k + suffix(type);
        }
    }

    /// A batch of products of matrices `M x K` and `K x N`.
    ///
    /// @param k extent summed over
    record BatchMatmul(ElementType type, long batch, long m, long n, long k) implements Workload {
        @Override
        public long macs() {
            return Math.multiplyExact(Math.multiplyExact(batch * m, n), k);
        }

        @Override
        public String id() {
            return "batch_matmul_" + batch + "x" + m + "x" + n + "x" + k + suffix(type);
        }
    }

    /// Nodes of a network that are computed together: everything that is none of the others, or whose tail the others
    /// cannot take. Nodes and tensors have names of their own, so that equal work is equal wherever it stands.
    ///
    /// @param network the nodes, with one result
    record Graph(Network network) implements Workload {
        /// The nodes of a subgraph; throws `IllegalArgumentException` where a shape is not known.
        public static Graph of(Network network, Subgraph s) {
            var names = new HashMap<String, String>();
            var tensors = new LinkedHashMap<String, Tensor>();
            var inputs = new ArrayList<String>();
            var nodes = new ArrayList<Node>();
            for (Node n : s.nodes()) {
                for (String in : n.inputs()) {
                    if (!in.isEmpty() && !names.containsKey(in)) {
                        Tensor t = network.tensor(in);
                        String name = (t.isWeight() ? "w" : "in") + names.size();
                        names.put(in, name);
                        tensors.put(
                                name,
                                new Tensor(name, t.type(), known(t), t.isWeight() ? t.role() : Tensor.Role.INPUT));
                        if (!t.isWeight()) {
                            inputs.add(name);
                        }
                    }
                }
                for (String out : n.outputs()) {
                    if (!out.isEmpty()) {
                        Tensor t = network.tensor(out);
                        String name = "t" + names.size();
                        names.put(out, name);
                        tensors.put(name, new Tensor(name, t.type(), known(t), Tensor.Role.ACTIVATION));
                    }
                }
                nodes.add(new Node(
                        "n" + nodes.size(),
                        n.operator(),
                        n.inputs().stream().map(i -> names.getOrDefault(i, "")).toList(),
                        n.outputs().stream().map(o -> names.getOrDefault(o, "")).toList()));
            }
            return new Graph(new Network(
                    Operator.words(s.kind().name()).equals("Other") || s.kind() == Subgraph.Kind.ELEMENTWISE
                            ? s.anchor().operator().label()
                            : Operator.words(s.kind().name()),
                    nodes,
                    tensors,
                    inputs,
                    List.of(names.getOrDefault(s.output(), ""))));
        }

        private static Shape known(Tensor t) {
            return t.shape()
                    .orElseThrow(() -> new IllegalArgumentException("the shape of '" + t.name() + "' is not known"));
        }

        /// The type that all its tensors have; [ElementType#OTHER] where they differ.
        @Override
        public ElementType type() {
            List<ElementType> types = network.tensors().values().stream()
                    .map(Tensor::type)
                    .distinct()
                    .toList();
            return types.size() == 1 ? types.getFirst() : ElementType.OTHER;
        }

        @Override
        public long macs() {
            return Arithmetic.macs(network);
        }

        /// Twice the multiply-accumulates; of every other node one operation for each element that it makes, or, where
        /// it gathers, reads under its window (five of a softmax's, eight of a layer normalisation's).
        @Override
        public long flops() {
            long sum = Math.multiplyExact(2, macs());
            for (Node n : network.nodes()) {
                long in = n.inputs().isEmpty() ? 0 : network.tensor(n.input()).elements();
                long out = network.tensor(n.output()).elements();
                sum = Math.addExact(
                        sum,
                        switch (n.operator()) {
                            case Operator.Conv _, Operator.TransposedConv _, Operator.Gemm _, Operator.MatMul _ -> 0;
                            case Operator.Pool p -> out * p.window().kernelElements();
                            case Operator.GlobalPool _, Operator.Reduce _ -> in;
                            case Operator.Softmax _ -> 5 * in;
                            case Operator.LayerNorm _ -> 8 * in;
                            case Operator.LocalResponseNorm l -> in * (l.size() + 3L);
                            case Operator o when o.isView() -> 0;
                            default -> out;
                        });
            }
            return sum;
        }

        /// Kind, shape of the first input, and a part of the nodes' hash.
        @Override
        public String id() {
            String first = network.inputs().isEmpty()
                    ? "constant"
                    : network.tensor(network.inputs().getFirst())
                            .shape()
                            .orElseThrow()
                            .toString();
            String words = network.name().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
            return words.replaceAll("[^a-z0-9_]", "") + "_" + first + "_"
                    + Sha256.of(network.nodes() + "\n" + new TreeMap<>(network.tensors()))
                            .substring(0, 8) + suffix(type());
        }
    }

    private static String suffix(ElementType type) {
        return type == ElementType.FLOAT32 ? "" : "_" + type.label();
    }
}
