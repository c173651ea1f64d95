package knobscape.network.onnx;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.network.ElementFormula;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Operator.Elementwise;
import knobscape.network.Operator.Unary;
import knobscape.network.Shape;
import knobscape.network.Tensor;
import knobscape.network.Wiring;

/// Puts together what exporters write out in several nodes because the operator set of the file has no operator for
/// it: layer normalisation (before 17), and activations with constants such as GELU (before 20) or hard swish. The one
/// node has the name of the last of them. Formulas without constants (`x * sigmoid(x)`) are left to operator fusion.
/// Products and sums with a number, such as the scale of attention's scores, become functions of one element.
final class WrittenOut {
    /// A factor and a sum, as in `(x + 3) / 6`, and a bound.
    private static final int MOST_BEHIND = 3;

    private final Network network;
    private final Map<String, Double> constants;
    private final Wiring wiring;
    private final Set<Node> gone = Collections.newSetFromMap(new IdentityHashMap<>());
    private final IdentityHashMap<Node, Node> put = new IdentityHashMap<>();

    private WrittenOut(Network network, Map<String, Double> constants) {
        this.network = network;
        this.constants = constants;
        wiring = Wiring.of(network);
    }

    /// The network with one node for each.
    ///
    /// @param constants values of the weights of one element that are known, by name
    /// @param notes takes a sentence that says how many were found
    static Network together(Network network, Map<String, Double> constants, List<String> notes) {
        var w = new WrittenOut(network, constants);
        network.nodes().forEach(w::layerNorm);
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
        notes.add("Written out in several nodes each, and read as one: "
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

    // --- layer normalisation

    /// Follows tensors that one node reads.
    private final class Path {
        private final List<Node> nodes = new ArrayList<>();
        private Optional<Node> end;

        Path(Node first) {
            end = Optional.of(first);
            nodes.add(first);
        }

        Path next(Predicate<Node> wanted) {
            return to(end.flatMap(n -> wiring.onlyConsumer(n.output())).filter(wanted));
        }

        Path to(Optional<Node> node) {
            end = node;
            end.ifPresent(nodes::add);
            return this;
        }
    }

    /// From the node of the mean on: `d = x - mean; d / sqrt(mean(d^2) + epsilon) * scale + shift`.
    private void layerNorm(Node mean) {
        String x = mean.inputs().isEmpty() ? "" : mean.input();
        List<Long> dims = x.isEmpty()
                ? List.of()
                : network.tensor(x).shape().map(Shape::dims).orElse(List.of());
        int axis = firstOfMean(mean.operator(), dims.size());
        if (axis >= dims.size()) {
            return;
        }
        List<Long> last = dims.subList(axis, dims.size());
        var path = new Path(mean).next(n -> is(n, Elementwise.Function.SUB, x, mean.output()));
        String centred = path.end.map(Node::output).orElse("");
        List<Node> readers = wiring.consumers(centred);
        if (readers.size() != 2 || wiring.isResult(centred)) {
            return;
        }
        path.to(readers.stream().filter(n -> isSquare(n, centred)).findFirst())
                .next(n -> n.operator().equals(mean.operator()))
                .next(n -> is(n, Elementwise.Function.ADD) && constant(n).isPresent());
        double epsilon = path.end.flatMap(this::constant).orElse(Double.NaN);
        path.next(n -> n.operator().equals(new Unary(Unary.Function.SQRT)));
        String root = path.end.map(Node::output).orElse("");
        path.next(n -> is(n, Elementwise.Function.DIV, centred, root))
                .next(n -> is(n, Elementwise.Function.MUL) && weight(n, last).isPresent());
        if (path.end.isEmpty()) {
            return;
        }
        Node scaled = path.end.get();
        var inputs = new ArrayList<>(List.of(x));
        weight(scaled, last).ifPresent(inputs::add);
        path.next(n -> is(n, Elementwise.Function.ADD) && weight(n, last).isPresent());
        path.end.flatMap(n -> weight(n, last)).ifPresent(inputs::add);
        replace(path.nodes, path.end.orElse(scaled), new Operator.LayerNorm(axis, epsilon), inputs);
    }

    /// The axis from which on a mean is taken; `rank` for what is no mean over the last axes.
    private static int firstOfMean(Operator mean, int rank) {
        return switch (mean) {
            case Operator.GlobalPool p when p.kind() == Operator.Gathering.AVERAGE -> Math.min(2, rank);
            case Operator.Reduce r
            when r.function().equals("Mean")
                    && r.keepDims()
                    && r.axes()
                            .equals(IntStream.range(rank - r.axes().size(), rank)
                                    .boxed()
                                    .toList()) -> rank - r.axes().size();
            default -> rank;
        };
    }

    private static boolean is(Node n, Elementwise.Function function, String... inputs) {
        return n.operator().equals(new Elementwise(function))
                && (inputs.length == 0 || n.inputs().equals(List.of(inputs)));
    }

    private boolean isSquare(Node n, String tensor) {
        return is(n, Elementwise.Function.MUL, tensor, tensor)
                || (is(n, Elementwise.Function.POW)
                        && n.input().equals(tensor)
                        && constant(n).filter(c -> c == 2).isPresent());
    }

    /// The known value that a node reads besides a tensor.
    private Optional<Double> constant(Node n) {
        return n.inputs().stream()
                .filter(constants::containsKey)
                .map(constants::get)
                .findFirst();
    }

    /// The weights of some extents that a node reads.
    private Optional<String> weight(Node n, List<Long> dims) {
        return n.inputs().stream()
                .filter(i -> network.tensor(i).isWeight()
                        && network.tensor(i)
                                .shape()
                                .map(Shape::dims)
                                .filter(dims::equals)
                                .isPresent())
                .findFirst();
    }
}
