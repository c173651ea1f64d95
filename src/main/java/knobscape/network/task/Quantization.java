package knobscape.network.task;

import java.util.Optional;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Wiring;
import knobscape.network.subgraph.Subgraph;

/// A convolution or product of a file that computes with 8-bit integers, said by the nodes around it: its data come
/// from a `DequantizeLinear`, and so did its weights, whose zero point is 0.
///
/// @param type of the data
/// @param zero the integer that stands for 0 in the data
/// @param result how its result becomes integers; empty where it does not, or not right behind it
public record Quantization(ElementType type, int zero, Optional<Result> result) {
    /// Integers `round(x / scale) + zero`.
    ///
    /// @param unsigned whether they go from 0 to 255
    public record Result(double scale, int zero, boolean unsigned) {}

    /// The quantisation of a subgraph that computes, if it has one.
    ///
    /// @param network the file's, in which weights that were integers still have that type
    public static Optional<Quantization> of(Network network, Wiring wiring, Subgraph s) {
        Node n = s.anchor();
        if (!s.kind().isCompute() || n.inputs().size() < 2) {
            return Optional.empty();
        }
        Optional<Node> from = wiring.producer(n.input()).filter(p -> isOf(p, "DequantizeLinear"));
        Optional<Double> zero = from.flatMap(p -> number(p, Operator.Opaque.ZERO));
        ElementType type = from.map(p -> network.tensor(p.input()).type()).orElse(ElementType.OTHER);
        if (!isByte(type)
                || zero.isEmpty()
                || !network.tensor(n.inputs().get(1)).isWeight()
                || network.tensor(n.inputs().get(1)).type() != ElementType.INT8) {
            return Optional.empty();
        }
        return Optional.of(new Quantization(type, zero.get().intValue(), result(network, wiring, s)));
    }

    private static Optional<Result> result(Network network, Wiring wiring, Subgraph s) {
        Optional<Node> to = wiring.onlyConsumer(s.output()).filter(p -> isOf(p, "QuantizeLinear"));
        Optional<Double> scale =
                to.flatMap(p -> number(p, Operator.Opaque.SCALE)).filter(x -> x > 0);
        Optional<Double> zero = to.flatMap(p -> number(p, Operator.Opaque.ZERO));
        ElementType type = to.map(p -> network.tensor(p.output()).type()).orElse(ElementType.OTHER);
        return isByte(type) && scale.isPresent() && zero.isPresent()
                ? Optional.of(new Result(scale.get(), zero.get().intValue(), type == ElementType.UINT8))
                : Optional.empty();
    }

    private static boolean isByte(ElementType type) {
        return type == ElementType.INT8 || type == ElementType.UINT8;
    }

    private static boolean isOf(Node n, String type) {
        return n.operator() instanceof Operator.Opaque o && o.type().equals(type);
    }

    private static Optional<Double> number(Node n, String attribute) {
        return n.operator() instanceof Operator.Opaque o && o.attributes().containsKey(attribute)
                ? Optional.of(Double.parseDouble(o.attributes().get(attribute)))
                : Optional.empty();
    }
}
