package knobscape.network.table;

import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Tensor;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes any network as the JSON graph that [NetworkJson] reads.
public final class NetworkJsonWriter {
    private NetworkJsonWriter() {}

    /// The whole document.
    public static String write(Network network) {
        var mapper = NetworkJson.mapper();
        ObjectNode root = mapper.createObjectNode()
                .put("format", NetworkJson.FORMAT)
                .put("formatVersion", NetworkJson.VERSION)
                .put("name", network.name());
        ArrayNode inputs = root.putArray("inputs");
        network.inputs().forEach(i -> tensor(inputs.addObject().put("name", i), network.tensor(i)));
        ArrayNode weights = root.putArray("weights");
        network.tensors().values().stream()
                .filter(Tensor::isWeight)
                .forEach(w -> tensor(weights.addObject().put("name", w.name()), w));
        ArrayNode nodes = root.putArray("nodes");
        for (Node n : network.nodes()) {
            ObjectNode node = nodes.addObject().put("name", n.name());
            node.set("operator", mapper.valueToTree(n.operator()));
            n.inputs().forEach(node.putArray("inputs")::add);
            n.outputs().forEach(node.putArray("outputs")::add);
            boolean unknownInput = n.inputs().stream()
                    .anyMatch(i -> !i.isEmpty() && network.tensor(i).shape().isEmpty());
            if (n.operator() instanceof Operator.Opaque || unknownInput) {
                ArrayNode results = node.putArray("results");
                n.outputs().forEach(o -> {
                    ObjectNode result = results.addObject();
                    if (!o.isEmpty()) {
                        tensor(result, network.tensor(o));
                    }
                });
            }
        }
        network.outputs().forEach(root.putArray("outputs")::add);
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    }

    private static void tensor(ObjectNode to, Tensor t) {
        to.put("type", t.type().label());
        t.shape().ifPresent(s -> s.dims().forEach(to.putArray("shape")::add));
    }
}
