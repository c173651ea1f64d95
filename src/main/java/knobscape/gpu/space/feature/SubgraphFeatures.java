package knobscape.gpu.space.feature;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.sketch.Computation;
import knobscape.gpu.space.sketch.Stage;
import knobscape.gpu.space.sketch.TensorExpression;
import knobscape.gpu.space.sketch.TensorRef;
import knobscape.gpu.space.template.Schedule;
import knobscape.surrogate.graph.GraphArchitecture;
import knobscape.surrogate.graph.NodeGraph;

/// The graph of a subgraph for GTuner's model: a node for each input and each stage, an edge where one is read by
/// another. The layout of a node's features is in the decision "The graph attention model". Names do not count.
public final class SubgraphFeatures {
    private static final List<String> OPERATORS = List.of(
            "pad",
            "dilate",
            "conv2d",
            "depthwise_conv2d",
            "grouped_conv2d",
            "conv2d_transpose",
            "dense",
            "batch_matmul",
            "pool",
            "max",
            "min",
            "sum",
            "mean",
            "exp",
            "add",
            "sub",
            "mul",
            "div",
            "bias",
            "residual",
            "clamp",
            "relu",
            "sqrt",
            "pow",
            "tanh",
            "sigmoid",
            "erf",
            "log",
            "abs",
            "affine",
            "elementwise",
            "copy");
    private static final List<Schedule.Role> ROLES =
            List.of(Schedule.Role.DATA, Schedule.Role.WEIGHT, Schedule.Role.BIAS, Schedule.Role.RESIDUAL);
    private static final int RANK = 8;
    private static final int REDUCED = 6;
    private static final int WINDOW = 6;
    private static final int READS = 5;
    private static final int GATHERED = 4;

    private final Computation computation;
    private final List<TensorRef> tensors = new ArrayList<>();
    private final Map<TensorRef, Integer> nodes;
    private final List<List<Integer>> reads = new ArrayList<>();
    private final double work;

    private SubgraphFeatures(Computation computation) {
        this.computation = computation;
        tensors.addAll(computation.inputs());
        computation.stages().forEach(s -> tensors.add(s.result()));
        nodes = IntStream.range(0, tensors.size()).boxed().collect(Collectors.toMap(tensors::get, i -> i, (a, _) -> a));
        computation.inputs().forEach(_ -> reads.add(List.of()));
        computation
                .stages()
                .forEach(s -> reads.add(s.reads().stream()
                        .filter(nodes::containsKey)
                        .map(t -> nodes.getOrDefault(t, 0))
                        .toList()));
        work = computation.stages().stream().mapToDouble(SubgraphFeatures::work).sum();
    }

    /// The graph of a subgraph.
    public static NodeGraph of(Computation computation) {
        return new SubgraphFeatures(computation).graph();
    }

    private NodeGraph graph() {
        var edges = new ArrayList<NodeGraph.Edge>();
        for (int i = 0; i < tensors.size(); i++) {
            for (int from : reads.get(i)) {
                edges.add(new NodeGraph.Edge(from, i));
            }
        }
        return new NodeGraph(
                IntStream.range(0, tensors.size()).mapToObj(this::node).toArray(double[][]::new), edges);
    }

    private static double work(Stage s) {
        return (double) s.spaceExtent() * s.reduceExtent() * Math.max(1, operations(s.value()));
    }

    private static int operations(TensorExpression e) {
        return switch (e) {
            case TensorExpression.Load _, TensorExpression.Constant _ -> 0;
            case TensorExpression.Binary b -> 1 + operations(b.left()) + operations(b.right());
            case TensorExpression.Unary u -> 1 + operations(u.of());
            case TensorExpression.Select s -> 1 + operations(s.then()) + operations(s.otherwise());
        };
    }

    /// Writes features one after the other.
    private static final class Writer {
        private final double[] to = new double[GraphArchitecture.NODE];
        private int next;

        void put(double value) {
            to[next++] = StatementFeatures.log(value);
        }

        void oneHot(int at, int width) {
            if (at >= 0) {
                to[next + at] = 1;
            }
            next += width;
        }

        /// The last `width` of some extents, the last one last.
        void lengths(List<Long> extents, int width) {
            for (int i = 0; i < width; i++) {
                int k = extents.size() - width + i;
                put(k < 0 ? 0 : extents.get(k));
            }
        }

        /// How often two divides an extent, and what is left.
        void factors(List<Long> extents, int width) {
            for (int i = 0; i < width; i++) {
                int k = extents.size() - width + i;
                long extent = k < 0 ? 1 : extents.get(k);
                put(Long.numberOfTrailingZeros(extent));
                put(extent >> Long.numberOfTrailingZeros(extent));
            }
        }
    }

    private double[] node(int i) {
        int stage = i - computation.inputs().size();
        TensorRef tensor = tensors.get(i);
        var w = new Writer();
        w.oneHot(stage < 0 ? 0 : 1, 2);
        int role = ROLES.indexOf(tensor.role());
        w.oneHot(stage >= 0 ? -1 : role < 0 ? ROLES.size() : role, ROLES.size() + 1);
        int operator = stage < 0
                ? -1
                : OPERATORS.indexOf(computation.stages().get(stage).operator());
        w.oneHot(stage >= 0 && operator < 0 ? OPERATORS.size() : operator, OPERATORS.size() + 1);
        // 32-bit floats, the only type that sketches compute, 16-bit floats, others.
        w.oneHot(0, 3);
        w.lengths(tensor.shape(), RANK);
        w.put(tensor.shape().size());
        w.put(tensor.elements());
        w.factors(tensor.shape(), GATHERED);
        w.put(depth(i));
        w.put(height(i));
        w.put(reads.get(i).size());
        int own = i;
        w.put(reads.stream().filter(r -> r.contains(own)).count());
        w.oneHot(tensor.role() == Schedule.Role.OUTPUT ? 0 : -1, 1);
        w.put(tensors.size());
        w.put(work);
        if (stage >= 0) {
            stage(w, computation.stages().get(stage));
        }
        return w.to;
    }

    private void stage(Writer w, Stage s) {
        List<Long> reduced = s.reduce().stream().map(Axis::extent).toList();
        w.oneHot(
                !s.isReduction()
                        ? 0
                        : switch (s.gather()) {
                            case ADD -> 1;
                            case MAX -> 2;
                            case MIN -> 3;
                            default -> 4;
                        },
                5);
        w.lengths(reduced, REDUCED);
        w.put(s.reduceExtent());
        w.factors(reduced, 3);
        for (int k = 0; k < WINDOW; k++) {
            w.put(k < s.window().size() ? s.window().get(k) : 0);
        }
        double[] kinds = new double[6];
        count(s.value(), kinds);
        for (double k : kinds) {
            w.put(k);
        }
        w.put(work(s));
        reads(w, s);
    }

    /// Of the tensors read, the largest first: elements, number of axes of the result that do not move it, stride of
    /// the result's last axis, stride of the last axis gathered over.
    private static void reads(Writer w, Stage s) {
        var loads = new ArrayList<double[]>();
        s.value().loads(l -> {
            IndexExpr flat = l.tensor().flat(l.at());
            loads.add(new double[] {
                l.tensor().elements(),
                s.space().stream().filter(a -> a.extent() > 1 && !flat.uses(a)).count(),
                s.space().isEmpty() ? 0 : flat.stride(s.space().getLast()),
                s.reduce().isEmpty() ? 0 : flat.stride(s.reduce().getLast())
            });
        });
        loads.sort((a, b) -> Arrays.compare(b, a));
        for (int k = 0; k < READS; k++) {
            for (int j = 0; j < GATHERED; j++) {
                w.put(k < loads.size() ? loads.get(k)[j] : 0);
            }
        }
    }

    /// Sums and differences, products, quotients, comparisons, functions, choices.
    private static void count(TensorExpression e, double[] kinds) {
        switch (e) {
            case TensorExpression.Load _, TensorExpression.Constant _ -> {}
            case TensorExpression.Binary b -> {
                kinds[kind(b.operator())]++;
                count(b.left(), kinds);
                count(b.right(), kinds);
            }
            case TensorExpression.Unary u -> {
                kinds[4]++;
                count(u.of(), kinds);
            }
            case TensorExpression.Select c -> {
                kinds[5]++;
                count(c.then(), kinds);
                count(c.otherwise(), kinds);
            }
        }
    }

    private static int kind(NestValue.Operator operator) {
        return switch (operator) {
            case ADD, SUBTRACT -> 0;
            case MULTIPLY, DOT -> 1;
            case DIVIDE -> 2;
            case MAX, MIN -> 3;
            case POWER -> 4;
        };
    }

    /// Longest way from an input.
    private int depth(int i) {
        return reads.get(i).stream().mapToInt(j -> depth(j) + 1).max().orElse(0);
    }

    /// Longest way to the output.
    private int height(int i) {
        return IntStream.range(0, tensors.size())
                .filter(j -> reads.get(j).contains(i))
                .map(j -> height(j) + 1)
                .max()
                .orElse(0);
    }
}
