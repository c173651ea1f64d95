package knobscape.network;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The graph of a trained network: nodes in an order in which they can run, and the tensors between them.
///
/// @param nodes in an order in which every node stands behind those it reads from; the order of the source
/// wherever that is possible
/// @param tensors every tensor named by a node, an input or an output, by name, in order of first appearance
/// @param inputs names of the tensors given at run time
/// @param outputs names of the tensors that are the result
public record Network(
        String name, List<Node> nodes, Map<String, Tensor> tensors, List<String> inputs, List<String> outputs) {
    /// Checks the graph. Throws [IllegalArgumentException] where a tensor is missing or made twice, two nodes
    /// share a name, or the order is wrong.
    public Network {
        nodes = List.copyOf(nodes);
        tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        var ready = new HashSet<String>();
        for (Tensor t : tensors.values()) {
            if (t.role() != Tensor.Role.ACTIVATION) {
                ready.add(t.name());
            }
        }
        var names = new HashSet<String>();
        for (Node n : nodes) {
            if (!names.add(n.name())) {
                throw new IllegalArgumentException("two nodes are named '" + n.name() + "'");
            }
            for (String in : n.inputs()) {
                if (!in.isEmpty() && !ready.contains(in)) {
                    throw new IllegalArgumentException(
                            "node '" + n.name() + "' reads '" + in + "', which nothing before it makes");
                }
            }
            for (String out : n.outputs()) {
                if (!out.isEmpty() && (!tensors.containsKey(out) || !ready.add(out))) {
                    throw new IllegalArgumentException(
                            "tensor '" + out + "' of node '" + n.name() + "' is made twice or not described");
                }
            }
        }
        requireAll(ready, inputs);
        requireAll(ready, outputs);
    }

    private static void requireAll(Set<String> ready, List<String> wanted) {
        for (String w : wanted) {
            if (!ready.contains(w)) {
                throw new IllegalArgumentException("tensor '" + w + "' is an input or output and nothing makes it");
            }
        }
    }

    /// The tensor of a name; throws [IllegalArgumentException] where there is none.
    public Tensor tensor(String name) {
        Tensor t = tensors.get(name);
        if (t == null) {
            throw new IllegalArgumentException("no tensor is named '" + name + "'");
        }
        return t;
    }

    /// Samples that one run takes: the first extent of the first input; 1 where that is not known.
    public long batch() {
        return inputs.isEmpty()
                ? 1
                : tensor(inputs.getFirst())
                        .shape()
                        .filter(s -> s.rank() > 0)
                        .map(s -> s.dim(0))
                        .orElse(1L);
    }
}
