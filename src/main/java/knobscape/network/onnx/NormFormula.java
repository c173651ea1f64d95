package knobscape.network.onnx;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Operator.Elementwise;
import knobscape.network.Shape;
import knobscape.network.Wiring;

/// Layer normalisation written out in nodes, recognised by its values: with a square root and a quotient (PyTorch),
/// with the reciprocal root times the scale (Flax, Keras), its variance as the mean square of the differences or as a
/// difference of means, these with or without the axes that they are taken over.
///
/// The nodes that need nothing but a tensor, its mean, known numbers and weights of the extents normalised over are
/// taken one by one in order of execution; wherever all that they make comes to one tensor, that is computed for a few
/// drawn rows and compared.
final class NormFormula {
    private static final int MOST_NODES = 32;
    /// Longer rows than networks normalise over are not computed.
    private static final long LONGEST = 1 << 16;

    /// The recognised formula.
    ///
    /// @param nodes in order of execution; the last one makes the result
    /// @param inputs of the operator
    record NormMatch(List<Node> nodes, Operator.LayerNorm operator, List<String> inputs) {}

    private final Network network;
    private final Wiring wiring;
    private final Map<String, Double> constants;
    private final Node mean;
    private final String x;
    private final int axis;
    private final List<Long> full;
    private final List<Long> last;
    /// Of a number for each row, with axes of extent 1 and without.
    private final List<Long> kept;

    private final List<Long> flat;
    private final Set<String> made = new HashSet<>();
    private final List<Node> inside = new ArrayList<>();

    private NormFormula(Network network, Wiring wiring, Map<String, Double> constants, Node mean, int axis) {
        this.network = network;
        this.wiring = wiring;
        this.constants = constants;
        this.mean = mean;
        this.x = mean.input();
        this.axis = axis;
        this.full = dims(x);
        this.last = full.subList(axis, full.size());
        this.flat = full.subList(0, axis);
        this.kept = IntStream.range(0, full.size())
                .mapToObj(i -> i < axis ? full.get(i) : Long.valueOf(1))
                .toList();
    }

    /// The normalisation that begins with a node; empty where that is no mean over the last axes, or what follows is
    /// none.
    ///
    /// @param constants values of the weights of one element that are known, by name
    static Optional<NormMatch> from(Network network, Wiring wiring, Map<String, Double> constants, Node mean) {
        String x = mean.inputs().isEmpty() ? "" : mean.input();
        int rank = x.isEmpty() ? 0 : network.tensor(x).shape().map(Shape::rank).orElse(0);
        int axis = firstOfMean(mean.operator(), rank);
        if (axis >= rank) {
            return Optional.empty();
        }
        var f = new NormFormula(network, wiring, constants, mean, axis);
        long length = f.last.stream().reduce(1L, (a, b) -> a * b);
        return length < 2 || length > LONGEST ? Optional.empty() : f.search((int) length);
    }

    /// The axis from which on a mean or sum is taken; `rank` for what is none over the last axes.
    private static int firstOfMean(Operator mean, int rank) {
        return switch (mean) {
            case Operator.GlobalPool p when p.kind() == Operator.Gathering.AVERAGE -> Math.min(2, rank);
            case Operator.Reduce r
            when (r.function().equals("Mean") || r.function().equals("Sum"))
                    && r.axes()
                            .equals(IntStream.range(rank - r.axes().size(), rank)
                                    .boxed()
                                    .toList()) -> rank - r.axes().size();
            default -> rank;
        };
    }

    private List<Long> dims(String tensor) {
        return network.tensor(tensor).shape().map(Shape::dims).orElse(List.of());
    }

    private Optional<NormMatch> search(int length) {
        Optional<NormMatch> found = Optional.empty();
        made.add(x);
        var open = new LinkedHashSet<Node>();
        take(mean, open);
        // A mean of squares less the square of the mean: the squares need no mean before them.
        wiring.consumers(x).stream().filter(this::isSquare).forEach(open::add);
        while (!open.isEmpty() && inside.size() < MOST_NODES) {
            Node next =
                    open.stream().min(Comparator.comparingInt(wiring::position)).orElseThrow();
            open.remove(next);
            if (isPart(next)) {
                take(next, open);
                if (isClosed()) {
                    Optional<NormMatch> before = found;
                    found = recognised(length).or(() -> before);
                }
            }
        }
        return found;
    }

    private boolean isSquare(Node n) {
        return (n.operator().equals(new Elementwise(Elementwise.Function.MUL))
                        && n.inputs().equals(List.of(x, x)))
                || (n.operator().equals(new Elementwise(Elementwise.Function.POW))
                        && n.input().equals(x)
                        && Objects.equals(constants.get(n.inputs().get(1)), 2.0));
    }

    private void take(Node n, Set<Node> open) {
        inside.add(n);
        made.add(n.output());
        open.addAll(wiring.consumers(n.output()));
        open.removeAll(inside);
    }

    private boolean isPart(Node n) {
        if (n.outputs().size() != 1
                || !n.inputs().stream().allMatch(i -> made.contains(i) || constants.containsKey(i) || isWeight(i))) {
            return false;
        }
        List<Long> to = dims(n.output());
        List<Long> from = dims(n.input());
        return switch (n.operator()) {
            case Operator.Cast _ -> false;
            case Operator o
            when o.isElementwise() -> n.inputs().stream().allMatch(i -> constants.containsKey(i) || reaches(i, to));
            case Operator.Reshape _, Operator.Expand _ ->
                made.contains(n.input())
                        && (from.equals(to)
                                || (isOfRow(from) && (isOfRow(to) || (from.equals(kept) && to.equals(full)))));
            case Operator o -> from.equals(full) && firstOfMean(o, full.size()) == axis;
        };
    }

    private boolean isOfRow(List<Long> dims) {
        return dims.equals(kept) || dims.equals(flat);
    }

    /// True if every element of some extents sees its own row's, or its own place's, of a tensor.
    private boolean reaches(String tensor, List<Long> to) {
        List<Long> dims = dims(tensor);
        return to.equals(full)
                ? dims.equals(full) || dims.equals(kept) || isWeight(tensor)
                : made.contains(tensor) && isOfRow(to) && dims.equals(to);
    }

    /// True if it has one element for each that is normalised over.
    private boolean isWeight(String tensor) {
        if (tensor.isEmpty() || !network.tensor(tensor).isWeight()) {
            return false;
        }
        List<Long> dims = dims(tensor);
        int more = dims.size() - last.size();
        return more >= 0
                && dims.size() <= full.size()
                && dims.subList(0, more).stream().allMatch(d -> d == 1)
                && dims.subList(more, dims.size()).equals(last);
    }

    /// True if all that is made comes to the last node's result, of which alone others know.
    private boolean isClosed() {
        Node end = inside.getLast();
        return dims(end.output()).equals(full)
                && inside.stream()
                        .limit(inside.size() - 1L)
                        .map(Node::output)
                        .allMatch(o -> !wiring.isResult(o) && inside.containsAll(wiring.consumers(o)));
    }

    private Optional<NormMatch> recognised(int length) {
        List<String> weights = inside.stream()
                .flatMap(n -> n.inputs().stream())
                .filter(this::isWeight)
                .filter(w -> !constants.containsKey(w))
                .distinct()
                .toList();
        List<Double> added = inside.stream()
                .flatMap(n -> n.inputs().stream())
                .map(constants::get)
                .filter(Objects::nonNull)
                .filter(c -> c > 0)
                .distinct()
                .toList();
        var values = new NormValues(constants);
        double tolerance = network.tensor(x).type().bytes(1) < 4 ? 2e-3 : 1e-5;
        List<List<String>> orders = switch (weights.size()) {
            case 1 -> List.of(weights);
            case 2 -> List.of(weights, weights.reversed());
            default -> List.of();
        };
        return orders.stream()
                .flatMap(order -> Stream.concat(added.stream(), Stream.of(0.0))
                        .map(e -> new NormMatch(
                                inside.stream()
                                        .sorted(Comparator.comparingInt(wiring::position))
                                        .toList(),
                                new Operator.LayerNorm(axis, e),
                                Stream.concat(Stream.of(x), order.stream()).toList())))
                .filter(f -> values.agree(f, length, tolerance))
                .findFirst();
    }
}
