package knobscape.network;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.network.Operator.Unary;
import knobscape.network.Operator.Unary.Function;
import org.hipparchus.special.Erf;

/// Nodes that together compute a function of each element of one tensor: GELU as the parts that exporters write.
///
/// @param entry the tensor
/// @param nodes in order of execution; the last one makes the function's value. None: the element itself
public record ElementFormula(String entry, List<Node> nodes) {
    private static final int MAX_NODES = 12;
    /// Where two functions are compared: closely where activations bend, and by powers of two far outside, so that a
    /// bound at a large number is seen.
    private static final double[] POINTS = DoubleStream.concat(
                    IntStream.rangeClosed(-48, 48).mapToDouble(i -> i / 4.0),
                    IntStream.rangeClosed(-20, 100)
                            .mapToDouble(i -> Math.scalb(1.0, i))
                            .flatMap(p -> DoubleStream.of(p, -p)))
            .toArray();

    /// Copies the nodes.
    public ElementFormula {
        nodes = List.copyOf(nodes);
    }

    /// The readers of a tensor and what is computed from them, up to where all meet in one tensor again; empty where
    /// there is one reader, or where they need more than `entry` and weights, change its extents or element
    /// type, or are seen elsewhere.
    public static Optional<ElementFormula> meeting(Network network, Wiring wiring, String entry) {
        List<Node> readers = wiring.consumers(entry);
        if (readers.size() < 2 || readers.size() > MAX_NODES) {
            return Optional.empty();
        }
        var inside = new ArrayList<Node>();
        var open = new LinkedHashSet<>(readers);
        var made = new LinkedHashSet<String>();
        made.add(entry);
        while (inside.size() < MAX_NODES) {
            // The first in order of execution: whatever it could wait for has had its turn.
            Node next =
                    open.stream().min(Comparator.comparingInt(wiring::position)).orElseThrow();
            open.remove(next);
            if (!isPart(network, next, entry)
                    || !next.inputs().stream()
                            .allMatch(i -> i.isEmpty()
                                    || made.contains(i)
                                    || network.tensor(i).isWeight())) {
                return Optional.empty();
            }
            inside.add(next);
            made.add(next.output());
            if (open.isEmpty()) {
                return Optional.of(new ElementFormula(entry, inside));
            }
            if (wiring.isResult(next.output())) {
                return Optional.empty();
            }
            open.addAll(wiring.consumers(next.output()));
        }
        return Optional.empty();
    }

    /// True if a node works on each element and keeps the extents of a tensor.
    private static boolean isPart(Network network, Node n, String entry) {
        Optional<Shape> shape = network.tensor(entry).shape();
        return n.operator().isElementwise()
                && !(n.operator() instanceof Operator.Cast)
                && shape.isPresent()
                && shape.equals(network.tensor(n.output()).shape());
    }

    /// The same with the node that alone reads its value, where that needs nothing but weights besides.
    public Optional<ElementFormula> longer(Network network, Wiring wiring) {
        String end = nodes.isEmpty() ? entry : nodes.getLast().output();
        return wiring.onlyConsumer(end)
                .filter(n -> nodes.size() < MAX_NODES
                        && isPart(network, n, entry)
                        && n.inputs().stream()
                                .allMatch(i -> i.equals(end)
                                        || (!i.isEmpty() && network.tensor(i).isWeight())))
                .map(n -> new ElementFormula(
                        entry, Stream.concat(nodes.stream(), Stream.of(n)).toList()));
    }

    /// The activation that it is: the one whose values are the formula's, however that is written.
    ///
    /// @param constants values of the weights of one element that are known, by name
    /// @param type of the elements; the constants of a formula are rounded to it
    /// @return empty where a weight's value is not known, or it is no activation that has a name
    public Optional<Unary> known(Map<String, Double> constants, ElementType type) {
        var env = new HashMap<>(constants);
        double[] values = DoubleStream.of(POINTS).map(x -> value(env, x)).toArray();
        double tolerance = type.bytes(1) < 4 ? 2e-4 : 1e-6;
        List<Double> own = nodes.stream()
                .flatMap(n -> n.inputs().stream())
                .map(constants::get)
                .filter(Objects::nonNull)
                .filter(c -> c != 0)
                .distinct()
                .toList();
        double atZero = value(env, 0);
        return Stream.of(
                        Stream.of(Function.GELU, Function.GELU_TANH, Function.HARD_SWISH, Function.MISH)
                                .map(Unary::new),
                        Stream.concat(Stream.of(1.0), own.stream()).map(a -> new Unary(Function.SWISH, a, 0)),
                        own.stream()
                                .flatMap(c -> Stream.of(c, 1 / c))
                                .map(a -> new Unary(Function.HARD_SIGMOID, a, atZero)))
                .flatMap(s -> s)
                .filter(u -> agrees(values, x -> of(u, x), tolerance))
                .findFirst();
    }

    private static boolean agrees(double[] values, DoubleUnaryOperator f, double tolerance) {
        return IntStream.range(0, POINTS.length).allMatch(i -> {
            double expected = f.applyAsDouble(POINTS[i]);
            return Math.abs(values[i] - expected) <= tolerance * (1 + Math.abs(expected));
        });
    }

    /// Its value for an element; not a number where a value that it needs is not known.
    private double value(Map<String, Double> env, double x) {
        env.put(entry, x);
        double v = x;
        for (Node n : nodes) {
            double[] in = n.inputs().stream()
                    .mapToDouble(i -> env.getOrDefault(i, Double.NaN))
                    .toArray();
            v = of(n.operator(), in);
            env.put(n.output(), v);
        }
        return v;
    }

    /// The value of an operator that works on each element; not a number for functions that formulas are not made of.
    ///
    /// @param in an element of each input
    public static double of(Operator operator, double... in) {
        return switch (operator) {
            case Unary u -> of(u, in[0]);
            case Operator.Clip c -> Math.min(c.max(), Math.max(c.min(), in[0]));
            case Operator.Elementwise e -> combined(e.function(), in);
            case Operator.Identity _, Operator.Dropout _ -> in[0];
            default -> Double.NaN;
        };
    }

    private static double combined(Operator.Elementwise.Function f, double[] in) {
        return switch (f) {
            case ADD -> DoubleStream.of(in).sum();
            case MUL -> DoubleStream.of(in).reduce(1, (a, b) -> a * b);
            case MIN -> DoubleStream.of(in).reduce(Double.POSITIVE_INFINITY, Math::min);
            case MAX -> DoubleStream.of(in).reduce(Double.NEGATIVE_INFINITY, Math::max);
            case SUB -> in[0] - in[1];
            case DIV -> in[0] / in[1];
            case POW -> Math.pow(in[0], in[1]);
            case MOD, MEAN, PRELU, WHERE, LOGICAL -> Double.NaN;
        };
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    /// Values of the functions that formulas are made of; not a number for the others.
    private static double of(Unary u, double x) {
        return switch (u.function()) {
            case RELU -> Math.max(x, 0);
            case SIGMOID -> sigmoid(x);
            case HARD_SIGMOID -> Math.clamp(u.alpha() * x + u.beta(), 0, 1);
            case HARD_SWISH -> x * Math.clamp(x / 6 + 0.5, 0, 1);
            case SWISH -> x * sigmoid(u.alpha() * x);
            case TANH -> Math.tanh(x);
            case GELU -> x / 2 * (1 + Erf.erf(x * Math.sqrt(0.5)));
            case GELU_TANH -> x / 2 * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
            case MISH -> x * Math.tanh(softplus(x));
            case SOFTPLUS -> softplus(x);
            case ERF -> Erf.erf(x);
            case EXP -> Math.exp(x);
            case SQRT -> Math.sqrt(x);
            case RECIPROCAL -> 1 / x;
            case LINEAR -> u.alpha() * x + u.beta();
            case ABS -> Math.abs(x);
            case NEG -> -x;
            default -> Double.NaN;
        };
    }

    private static double softplus(double x) {
        return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
    }
}
