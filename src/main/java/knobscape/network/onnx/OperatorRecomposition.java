package knobscape.network.onnx;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.network.ElementFormula;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Operator.Elementwise;
import knobscape.network.Operator.Unary;
import knobscape.network.Tensor;
import knobscape.network.Wiring;

/// Puts together what exporters write out in several nodes because the operator set of the file has no operator for
/// it: layer normalisation (before 17), and activations with constants such as GELU (before 20) or hard swish. The one
/// node has the name of the last of them. Formulas without constants (`x * sigmoid(x)`) are left to operator fusion.
/// Products and sums with a number, such as the scale of attention's scores, become functions of one element.
final class OperatorRecomposition {
    /// A factor and a sum, as in `(x + 3) / 6`, and a bound.
    private static final int MOST_BEHIND = 3;

    private final Network network;
    private final Map<String, Double> constants;
    private final Wiring wiring;
    private final Set<Node> gone = Collections.newSetFromMap(new IdentityHashMap<>());
    private final IdentityHashMap<Node, Node> put = new IdentityHashMap<>();

    private OperatorRecomposition(Network network, Map<String, Double> constants) {
        this.network = network;
        this.constants = constants;
        wiring = Wiring.of(network);
    }

    /// The network with one node for each.
    ///
    /// @param constants values of the weights of one element that are known, by name
    /// @param notes takes a sentence that says how many were found
    static Network together(Network network, Map<String, Double> constants, List<String> notes) {
        var w = new OperatorRecomposition(network, constants);
        network.nodes().stream()
                .flatMap(n -> NormFormula.from(network, w.wiring, constants, n).stream())
                .forEach(f -> w.replace(f.nodes(), f.nodes().getLast(), f.operator(), f.inputs()));
        network.inputs().forEach(w::activation);
        network.nodes().stream()
                .flatMap(n -> n.outputs().stream())
                .filter(o -> !o.isEmpty())
                .forEach(w::activation);
        List<Node> whole = List.copyOf(w.put.values());
        network.nodes().forEach(w::linear);
        if (w.put.isEmpty()) {
            return network;
        }
        if (whole.isEmpty()) {
            return w.rest();
        }
        notes.add("Operators exported as several nodes, recognised as one: "
                + whole.stream()
                        .collect(Collectors.groupingBy(n -> n.operator().label(), TreeMap::new, Collectors.counting()))
                        .entrySet()
                        .stream()
                        .map(e -> e.getValue() + " " + e.getKey())
                        .collect(Collectors.joining(", "))
                + ".");
        return w.rest();
    }

    private Network rest() {
        List<Node> nodes = network.nodes().stream()
                .filter(n -> !gone.contains(n) || put.containsKey(n))
                .map(n -> put.getOrDefault(n, n))
                .toList();
        Set<String> named = Stream.of(
                        network.inputs().stream(),
                        network.outputs().stream(),
                        nodes.stream().flatMap(n -> Stream.concat(n.inputs().stream(), n.outputs().stream())))
                .flatMap(s -> s)
                .collect(Collectors.toSet());
        var tensors = new LinkedHashMap<String, Tensor>(network.tensors());
        tensors.keySet().retainAll(named);
        return new Network(network.name(), nodes, tensors, network.inputs(), network.outputs());
    }

    private void replace(Collection<Node> nodes, Node last, Operator operator, List<String> inputs) {
        if (nodes.stream().noneMatch(gone::contains)) {
            gone.addAll(nodes);
            put.put(last, new Node(last.name(), operator, inputs, last.outputs()));
        }
    }

    private void activation(String entry) {
        Optional<ElementFormula> formula = ElementFormula.meeting(network, wiring, entry)
                .or(() -> new ElementFormula(entry, List.of()).longer(network, wiring));
        for (int i = 0; i <= MOST_BEHIND && formula.isPresent(); i++) {
            ElementFormula f = formula.get();
            Optional<Unary> known =
                    f.nodes().stream().flatMap(n -> n.inputs().stream()).anyMatch(constants::containsKey)
                            ? f.known(constants, network.tensor(entry).type())
                            : Optional.empty();
            if (known.isPresent()) {
                replace(f.nodes(), f.nodes().getLast(), known.get(), List.of(entry));
                return;
            }
            formula = f.longer(network, wiring);
        }
    }

    // --- numbers

    /// A product, quotient, sum or difference with a number that is known is a function of the other operand.
    private void linear(Node n) {
        if (!(n.operator() instanceof Elementwise e) || n.inputs().size() != 2) {
            return;
        }
        boolean first = constants.containsKey(n.input());
        String x = n.inputs().get(first ? 1 : 0);
        Optional<Double> number = Optional.ofNullable(constants.get(n.inputs().get(first ? 0 : 1)));
        Tensor element = network.tensor(x);
        if (number.isEmpty()
                || element.isWeight()
                || !element.type().isFloating()
                || element.shape().isEmpty()
                || !element.shape().equals(network.tensor(n.output()).shape())) {
            return;
        }
        double c = number.get();
        Unary u = switch (e.function()) {
            case MUL -> new Unary(Unary.Function.LINEAR, c, 0);
            case ADD -> new Unary(Unary.Function.LINEAR, 1, c);
            case SUB -> new Unary(Unary.Function.LINEAR, first ? -1 : 1, first ? c : -c);
            case DIV -> new Unary(Unary.Function.LINEAR, first ? Double.NaN : 1 / c, 0);
            default -> new Unary(Unary.Function.LINEAR, Double.NaN, 0);
        };
        if (Double.isFinite(u.alpha()) && Double.isFinite(u.beta())) {
            replace(List.of(n), n, u, List.of(x));
        }
    }
}
