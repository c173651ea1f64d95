package knobscape.network;

/// What a network costs to run: multiply-accumulates, floating-point operations, parameters, bytes.
///
/// Convolutions: K C/groups R S multiply-accumulates for each output position and sample; matrix products: M N
/// K. Everything else counts none, as in the published figures (torchvision's `GFLOPS` are these
/// multiply-accumulates). Nodes whose shapes are not known count 0.
public final class Arithmetic {
    private Arithmetic() {}

    /// Multiply-accumulates of one node for the whole batch.
    public static long macs(Network network, Node node) {
        return switch (node.operator()) {
            case Operator.Conv _ ->
                known(network, node, 2)
                        ? Math.multiplyExact(
                                out(network, node).elements(),
                                weights(network, node)
                                        .product(1, weights(network, node).rank()))
                        : 0;
            case Operator.TransposedConv _ ->
                known(network, node, 2)
                        ? Math.multiplyExact(
                                in(network, node).elements(),
                                weights(network, node)
                                        .product(1, weights(network, node).rank()))
                        : 0;
            case Operator.Gemm g ->
                known(network, node, 2)
                        ? Math.multiplyExact(
                                out(network, node).elements(), in(network, node).dim(g.transposeA() ? 0 : 1))
                        : 0;
            case Operator.MatMul _ ->
                known(network, node, 2)
                        ? Math.multiplyExact(
                                out(network, node).elements(), in(network, node).dim(-1))
                        : 0;
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

    private static boolean known(Network network, Node node, int inputs) {
        return node.inputs().stream()
                        .limit(inputs)
                        .allMatch(i -> network.tensor(i).shape().isPresent())
                && network.tensor(node.output()).shape().isPresent();
    }

    private static Shape in(Network network, Node node) {
        return network.tensor(node.input()).shape().orElseThrow();
    }

    private static Shape weights(Network network, Node node) {
        return network.tensor(node.inputs().get(1)).shape().orElseThrow();
    }

    private static Shape out(Network network, Node node) {
        return network.tensor(node.output()).shape().orElseThrow();
    }
}
