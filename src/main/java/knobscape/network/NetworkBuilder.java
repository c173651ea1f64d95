package knobscape.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Puts a network together node by node; shapes are inferred on the way. Throws [ShapeException] as soon as
/// something does not fit.
public final class NetworkBuilder {
    private final String name;
    private final ElementType type;
    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();
    private final List<String> inputs = new ArrayList<>();
    private final List<String> outputs = new ArrayList<>();

    /// @param type element type of inputs and weights
    public NetworkBuilder(String name, ElementType type) {
        this.name = name;
        this.type = type;
    }

    /// Declares an input and returns its name.
    public String input(String tensor, Shape shape) {
        put(new Tensor(tensor, type, shape, Tensor.Role.INPUT));
        inputs.add(tensor);
        return tensor;
    }

    /// Declares a weight and returns its name.
    public String weight(String tensor, long... dims) {
        put(new Tensor(tensor, type, Shape.of(dims), Tensor.Role.WEIGHT));
        return tensor;
    }

    /// Adds a node with one output, which is named like the node, and returns that name.
    public String add(String node, Operator operator, String... reads) {
        return add(node, operator, List.of(node), Arrays.asList(reads)).getFirst();
    }

    /// Adds a node and returns the names of its outputs.
    public List<String> add(String node, Operator operator, List<String> makes, List<String> reads) {
        List<Optional<Tensor>> given = reads.stream()
                .map(r -> r.isEmpty() ? Optional.<Tensor>empty() : Optional.of(tensor(r)))
                .toList();
        ShapeInference.outputs(operator, given, makes).stream()
                .filter(t -> !t.name().isEmpty())
                .forEach(this::put);
        nodes.add(new Node(node, operator, reads, makes));
        return makes;
    }

    /// Declares tensors to be the result.
    public NetworkBuilder output(String... results) {
        outputs.addAll(List.of(results));
        return this;
    }

    /// Shape of a tensor made so far; throws [ShapeException] where it is not known.
    public Shape shape(String tensor) {
        return tensor(tensor)
                .shape()
                .orElseThrow(() -> new ShapeException("the shape of '" + tensor + "' is not known"));
    }

    /// The network.
    public Network build() {
        return new Network(name, nodes, tensors, inputs, outputs);
    }

    private Tensor tensor(String wanted) {
        Tensor t = tensors.get(wanted);
        if (t == null) {
            throw new IllegalArgumentException("no tensor is named '" + wanted + "'");
        }
        return t;
    }

    private void put(Tensor t) {
        if (tensors.put(t.name(), t) != null) {
            throw new IllegalArgumentException("two tensors are named '" + t.name() + "'");
        }
    }
}
