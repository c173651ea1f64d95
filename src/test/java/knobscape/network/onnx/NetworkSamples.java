package knobscape.network.onnx;

import java.util.List;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Operator.Elementwise;
import knobscape.network.Operator.Gathering;
import knobscape.network.Operator.Unary;
import knobscape.network.Shape;
import knobscape.network.Window;

/// Networks for tests.
public final class NetworkSamples {
    private NetworkSamples() {}

    /// A network with every operator that can be written, once.
    public static Network operators() {
        var b = new NetworkBuilder("operators", ElementType.FLOAT32);
        String x = b.input("x", Shape.of(2, 8, 13, 13));
        String y = b.add(
                "conv",
                new Operator.Conv(
                        new Window(List.of(3, 5), List.of(2, 1), List.of(0, 1), List.of(1, 2), List.of(1, 2)), 4),
                x,
                b.weight("conv.w", 12, 2, 3, 5),
                b.weight("conv.b", 12));
        y = b.add(
                "bn",
                new Operator.BatchNorm(1e-5),
                y,
                b.weight("bn.s", 12),
                b.weight("bn.b", 12),
                b.weight("bn.m", 12),
                b.weight("bn.v", 12));
        for (Unary.Function f : Unary.Function.values()) {
            Unary u = switch (f) {
                case LEAKY_RELU -> new Unary(f, 0.1, 0);
                case ELU, CELU -> new Unary(f, 0.5, 0);
                case SELU -> new Unary(f, 1.5, 1.1);
                case HARD_SIGMOID -> new Unary(f, 0.25, 0.5);
                default -> new Unary(f);
            };
            // A file has no operator of its own for LINEAR: it is made of a product or sum with a known number.
            if (f != Unary.Function.NOT && f != Unary.Function.SWISH && f != Unary.Function.LINEAR) {
                y = b.add("unary." + f, u, y);
            }
        }
        y = b.add("clip", new Operator.Clip(Double.NEGATIVE_INFINITY, 1.25), y);
        y = b.add("prelu", new Elementwise(Elementwise.Function.PRELU), y, b.weight("prelu.w", 12, 1, 1));
        for (Elementwise.Function f : Elementwise.Function.values()) {
            if (f != Elementwise.Function.PRELU
                    && f != Elementwise.Function.WHERE
                    && f != Elementwise.Function.LOGICAL
                    && f != Elementwise.Function.MOD) {
                y = b.add("elementwise." + f, new Elementwise(f), y, b.weight("elementwise.w" + f, 12, 1, 1));
            }
        }
        y = b.add("lrn", new Operator.LocalResponseNorm(5, 2e-4, 0.75, 2), y);
        y = b.add("max", new Operator.Pool(Gathering.MAX, Window.square(3, 2, 1), true, false), y);
        y = b.add("average", new Operator.Pool(Gathering.AVERAGE, Window.square(2, 1, 0), false, true), y);
        y = b.add("pad", new Operator.Pad(List.of(0L, 0L, 1L, 0L), List.of(0L, 0L, 0L, 2L), "constant", 0.5), y);
        y = b.add(
                "up",
                new Operator.TransposedConv(Window.square(4, 2, 1), 1, List.of(0, 0)),
                y,
                b.weight("up.w", 12, 6, 4, 4),
                b.weight("up.b", 6));
        Shape s = b.shape(y);
        y = b.add("resize", new Operator.Resize("nearest", s.with(2, 8).with(3, 8)), y);
        String d = b.add("todepth", new Operator.DepthSpace(2, false, false), y);
        y = b.add("tospace", new Operator.DepthSpace(2, true, true), d);
        List<String> parts =
                b.add("split", new Operator.Split(1, List.of(2L, 4L)), List.of("part0", "part1"), List.of(y));
        String z = b.add(
                "slice",
                new Operator.Slice(List.of(2, 3), List.of(7L, 1L), List.of(-3L, 2L), List.of(3L, 3L)),
                parts.getFirst());
        String w = b.add(
                "slice2",
                new Operator.Slice(List.of(2, 3), List.of(0L, 0L), List.of(1L, 1L), List.of(3L, 3L)),
                parts.getLast());
        y = b.add("concat", new Operator.Concat(1), z, w);
        y = b.add("transpose", new Operator.Transpose(List.of(0, 2, 3, 1)), y);
        y = b.add("layernorm", new Operator.LayerNorm(3, 1e-6), y, b.weight("ln.s", 6), b.weight("ln.b", 6));
        y = b.add("softmax", new Operator.Softmax(3, false, false), y);
        y = b.add("logsoftmax", new Operator.Softmax(1, false, true), y);
        y = b.add("reduce", new Operator.Reduce("Mean", List.of(1), false), y);
        y = b.add("reshape", new Operator.Reshape(Shape.of(2, 9, 2, 1)), y);
        y = b.add("expand", new Operator.Expand(Shape.of(2, 9, 2, 3)), y);
        y = b.add("global", new Operator.GlobalPool(Gathering.MAX), y);
        y = b.add(
                "flatten",
                new Operator.Flatten(1),
                b.add("identity", new Operator.Identity(), b.add("dropout", new Operator.Dropout(0.2), y)));
        y = b.add("gemm", new Operator.Gemm(false, false, 0.5, 1), y, b.weight("gemm.w", 9, 4), b.weight("gemm.b", 4));
        y = b.add("matmul", new Operator.MatMul(), y, b.weight("matmul.w", 4, 3));
        return b.output(b.add("cast", new Operator.Cast(ElementType.FLOAT64), y))
                .build();
    }
}
