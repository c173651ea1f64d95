package knobscape.network.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import knobscape.network.ElementType;
import knobscape.network.Operator;

/// Convolutions and products of 8-bit integers: those that are one node in a file become what they stand for, the
/// operator of real numbers between `DequantizeLinear` and `QuantizeLinear`; and the facts of these two are kept.
final class QuantizedOperators {
    private QuantizedOperators() {}

    /// The nodes that a node stands for; itself where it is none of these.
    static List<RawNode> unfolded(RawNode n) {
        String plain = switch (n.domain() + n.type()) {
            case "QLinearConv" -> "Conv";
            case "QLinearMatMul" -> "MatMul";
            case "com.microsoftQGemm" -> "Gemm";
            default -> "";
        };
        if (plain.isEmpty()
                || n.inputs().size() < (plain.equals("Gemm") ? 9 : 8)
                || n.outputs().isEmpty()) {
            return List.of(n);
        }
        String out = n.outputs().getFirst();
        var nodes = new ArrayList<RawNode>();
        var reads = new ArrayList<>(List.of(
                from(n, nodes, n.inputs().subList(0, 3)),
                from(n, nodes, n.inputs().subList(3, 6))));
        int bias = plain.equals("Gemm") ? 6 : 8;
        int result = plain.equals("Gemm") ? 7 : 6;
        if (n.inputs().size() > bias && !n.inputs().get(bias).isEmpty()) {
            reads.add(from(n, nodes, List.of(n.inputs().get(bias), n.inputs().get(4))));
        }
        nodes.add(new RawNode(n.name(), plain, "", reads, List.of(out + ":real"), n.attributes(), n.opset()));
        nodes.add(new RawNode(
                n.name() + ":out",
                "QuantizeLinear",
                "",
                List.of(out + ":real", n.inputs().get(result), n.inputs().get(result + 1)),
                List.of(out),
                List.of(),
                n.opset()));
        return nodes;
    }

    private static String from(RawNode n, List<RawNode> nodes, List<String> inputs) {
        String name = n.outputs().getFirst() + ":in" + nodes.size();
        nodes.add(new RawNode(
                n.name() + ":in" + nodes.size(), "DequantizeLinear", "", inputs, List.of(name), List.of(), n.opset()));
        return name;
    }

    /// The attributes of a node, with the scale and zero point of one that makes integers or takes them, where they
    /// are one number each.
    static Map<String, String> attributes(RawNode n, List<Optional<KnownTensor>> in, Map<String, String> attributes) {
        if ((!n.type().equals("QuantizeLinear") && !n.type().equals("DequantizeLinear")) || in.size() < 2) {
            return attributes;
        }
        var all = new TreeMap<>(attributes);
        var given = new NodeInputs(in);
        given.number(1).ifPresent(s -> all.put(Operator.Opaque.SCALE, s.toString()));
        (in.size() > 2 && !n.inputs().get(2).isEmpty() ? given.number(2) : Optional.of(0.0))
                .ifPresent(z -> all.put(Operator.Opaque.ZERO, z.toString()));
        return all;
    }

    /// The type of a weight that a folded node made: that of the integers, where 0 stands for 0.
    static ElementType folded(RawNode n, List<Optional<KnownTensor>> in, ElementType made) {
        boolean bytes = n.type().equals("DequantizeLinear")
                && in.getFirst()
                        .filter(t -> t.tensor().type() == ElementType.INT8)
                        .isPresent();
        boolean zeros = in.size() < 3
                || n.inputs().get(2).isEmpty()
                || in.get(2)
                        .flatMap(KnownTensor::constant)
                        .filter(c -> c.integral() && Arrays.stream(c.ints()).allMatch(z -> z == 0))
                        .isPresent();
        return bytes && zeros ? ElementType.INT8 : made;
    }
}
