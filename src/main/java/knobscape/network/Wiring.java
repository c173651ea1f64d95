package knobscape.network;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Who makes and who reads each tensor of a network.
public final class Wiring {
    private final Map<String, Node> producers = new HashMap<>();
    private final Map<String, List<Node>> consumers = new HashMap<>();
    private final Map<String, Integer> positions = new HashMap<>();
    private final Set<String> results;

    private Wiring(Network network) {
        results = new HashSet<>(network.outputs());
        for (Node n : network.nodes()) {
            positions.put(n.name(), positions.size());
            for (String out : n.outputs()) {
                producers.put(out, n);
            }
            for (String in : n.inputs()) {
                List<Node> readers = consumers.computeIfAbsent(in, _ -> new ArrayList<>());
                // A node that reads a tensor twice (x * x) is one reader.
                if (readers.isEmpty() || readers.getLast() != n) {
                    readers.add(n);
                }
            }
        }
    }

    /// Looks at all nodes once.
    public static Wiring of(Network network) {
        return new Wiring(network);
    }

    /// Place of a node in the order of execution, from 0; throws `IllegalArgumentException` for one of another network.
    public int position(Node node) {
        Integer position = positions.get(node.name());
        if (position == null) {
            throw new IllegalArgumentException("no node is named '" + node.name() + "'");
        }
        return position;
    }

    /// The node that makes a tensor; empty for inputs and weights.
    public Optional<Node> producer(String tensor) {
        return Optional.ofNullable(producers.get(tensor));
    }

    /// Nodes that read a tensor, each once, in order.
    public List<Node> consumers(String tensor) {
        return Collections.unmodifiableList(consumers.getOrDefault(tensor, List.of()));
    }

    /// True if a tensor is part of the network's result.
    public boolean isResult(String tensor) {
        return results.contains(tensor);
    }

    /// The only reader of a tensor; empty where there are none or several, or the tensor is itself a result.
    public Optional<Node> onlyConsumer(String tensor) {
        List<Node> readers = consumers.getOrDefault(tensor, List.of());
        return readers.size() == 1 && !isResult(tensor) ? Optional.of(readers.getFirst()) : Optional.empty();
    }
}
