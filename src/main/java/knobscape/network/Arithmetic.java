package knobscape.network;

import java.util.List;
import java.util.stream.Stream;
/// The cost of running a network: multiply-accumulates, floating-point operations, parameters, bytes.
///
/// Convolutions: K C/groups R S multiply-accumulates for each output position and sample; matrix products: M N
/// K. Everything else counts none, as in the published figures (torchvision's `GFLOPS` are these
/// multiply-accumulates). Nodes whose shapes are not known count 0.

public final class Arithmetic {
    private Arithmetic() {}

    /// Multiply-accumulates of one node for the whole batch.
    public static long macs(Network network, Node node) {
        List<Shape> shapes = Stream.concat(node.inputs().stream().limit(2), Stream.of(node.output()))
                .filter(t -> !t.isEmpty())
                .flatMap(t -> network.tensor(t).shape().stream())
                .toList();
        if (shapes.size() < 3) {
            return 0;
        }
        Shape in = shapes.get(0);
        Shape weights = shapes.get(1);
        long out = shapes.get(2).elements();
        return switch (node.operator()) {
            case Operator.Conv _ -> Math.multiplyExact(out, weights.product(1, weights.rank()));
            case Operator.TransposedConv _ -> Math.multiplyExact(in.elements(), weights.product(1, weights.rank()));
            case Operator.Gemm g -> Math.multiplyExact(out, in.dim(g.transposeA() ? 0 : 1));
            case Operator.MatMul _ -> Math.multiplyExact(out, in.dim(-1));
            default -> 0;
        };
    }

    /// Multiply-accumulates of the whole network.
    public static long macs(Network network) {
        long sum = 0;
        for (Node n : network.nodes()) {
            sum = Math.addExact(sum, macs(network, n));
        }
        return sum;
    }
}
