package knobscape.network.onnx;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import knobscape.network.ElementFormula;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.onnx.NormFormula.NormMatch;

/// Computes nodes and the layer normalisation that they may be for a few drawn rows: whether both come to the same.
final class NormValues {
    /// Factors of the drawn rows: of the last one the variance is as small as what is added to it.
    private static final double[] SPREADS = {1, 30, 2e-3};

    private final Map<String, Double> constants;

    /// @param constants values of the weights of one element that are known, by name
    NormValues(Map<String, Double> constants) {
        this.constants = constants;
    }

    /// True if the last node's result is the operator's.
    ///
    /// @param length elements normalised over
    /// @param tolerance relative to one and the value
    boolean agree(NormMatch f, int length, double tolerance) {
        var random = new Random(length);
        return DoubleStream.of(SPREADS).allMatch(spread -> {
            var env = new HashMap<String, double[]>();
            env.put(f.inputs().getFirst(), drawn(random, length, spread));
            f.inputs().stream().skip(1).forEach(w -> env.put(w, drawn(random, length, 1)));
            f.nodes().stream()
                    .flatMap(n -> n.inputs().stream())
                    .filter(constants::containsKey)
                    .forEach(c -> env.put(c, new double[] {constants.getOrDefault(c, Double.NaN)}));
            double[] expected = norm(f, env);
            double[] values = value(f.nodes(), env);
            return values.length == length
                    && IntStream.range(0, length)
                            .allMatch(
                                    i -> Math.abs(values[i] - expected[i]) <= tolerance * (1 + Math.abs(expected[i])));
        });
    }

    private static double[] drawn(Random random, int length, double spread) {
        return random.doubles(length).map(d -> spread * (d - 0.3)).toArray();
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(0);
    }

    private static double[] norm(NormMatch f, Map<String, double[]> env) {
        double[] x = of(env, f.inputs().getFirst());
        double[] scale = of(env, f.inputs().get(1));
        double[] shift = f.inputs().size() > 2 ? of(env, f.inputs().get(2)) : new double[x.length];
        double mean = mean(x);
        double root = Math.sqrt(
                mean(Arrays.stream(x).map(v -> (v - mean) * (v - mean)).toArray())
                        + f.operator().epsilon());
        return IntStream.range(0, x.length)
                .mapToDouble(i -> (x[i] - mean) / root * scale[i] + shift[i])
                .toArray();
    }

    private static double[] of(Map<String, double[]> env, String name) {
        return Optional.ofNullable(env.get(name)).orElseThrow();
    }

    /// The last node's value for a row; not a number where something is not known.
    private static double[] value(List<Node> nodes, Map<String, double[]> env) {
        double[] v = {};
        for (Node n : nodes) {
            List<double[]> in = n.inputs().stream()
                    .filter(env::containsKey)
                    .map(i -> of(env, i))
                    .toList();
            v = switch (n.operator()) {
                case Operator.Reshape _, Operator.Expand _ -> in.getFirst();
                case Operator.Reduce r
                when r.function().equals("Sum") ->
                    new double[] {Arrays.stream(in.getFirst()).sum()};
                case Operator o when !o.isElementwise() -> new double[] {mean(in.getFirst())};
                case Operator o ->
                    IntStream.range(0, in.stream().mapToInt(a -> a.length).max().orElse(0))
                            .mapToDouble(i -> ElementFormula.of(
                                    o,
                                    in.stream()
                                            .mapToDouble(a -> a[a.length == 1 ? 0 : i])
                                            .toArray()))
                            .toArray();
            };
            env.put(n.output(), v);
        }
        return v;
    }
}
