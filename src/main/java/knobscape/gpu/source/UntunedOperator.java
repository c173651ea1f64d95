package knobscape.gpu.source;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.network.Arithmetic;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.subgraph.Subgraph;
import knobscape.network.task.TuningTask;
import knobscape.network.task.TuningTasks;
import knobscape.network.task.Workload;

/// A node that does the network's work, or may do some of it, and is not tuned.
///
/// @param node its name
/// @param operator what it is: `grouped convolution`, or the file's word for it
/// @param reason why it is not tuned, as a clause
/// @param flops floating-point operations; empty where they are not known
/// @param share of the network's known operations, 0 where they are not known
public record UntunedOperator(String node, String operator, String reason, OptionalLong flops, double share) {
    private static final String NO_MEANING = "this program has no meaning for the operator, so there is no template";
    /// Names that a sentence gives before it only counts.
    private static final int NAMED = 12;
    private static final String INTEGERS =
            "the file computes it in 8-bit integers, for which there is no kernel of its kind; what is tuned is the"
                    + " same work in 32-bit floats";

    private record UntunedNode(String node, String operator, String reason, OptionalLong flops) {}

    /// The operators of a network that are not tuned, in order of execution.
    ///
    /// @param sketches whether sketches alone are tuned; else they stand in where there is no template
    static List<UntunedOperator> of(Network network, List<Subgraph> subgraphs, TuningTasks tasks, boolean sketches) {
        Map<Subgraph, String> reasons = new LinkedHashMap<>();
        Set<Subgraph> integers = tasks.tasks().stream()
                .filter(t -> t.workload().type().isIntegral())
                .flatMap(t -> t.subgraphs().stream())
                .collect(Collectors.toSet());
        tasks.others().forEach(o -> reasons.put(o.subgraph(), o.reason()));
        for (TuningTask t : tasks.tasks()) {
            Workload w = t.workload();
            Optional<String> why = sketches
                    ? SketchSource.whyNone(w)
                    : Templates.obstacle(w).filter(_ -> SketchSource.whyNone(w).isPresent());
            why.ifPresent(reason -> t.subgraphs().forEach(s -> reasons.put(s, reason)));
        }
        Set<String> dequantized = network.nodes().stream()
                .filter(n ->
                        n.operator() instanceof Operator.Opaque o && o.type().equals("DequantizeLinear"))
                .map(Node::output)
                .collect(Collectors.toSet());
        long total = 2 * Arithmetic.macs(network);
        var found = new ArrayList<UntunedNode>();
        for (Subgraph s : subgraphs) {
            for (Node n : s.nodes()) {
                if (n.operator() instanceof Operator.Opaque o) {
                    OptionalLong flops = flops(network, n, o);
                    total += flops.orElse(0);
                    found.add(new UntunedNode(n.name(), o.type() + inside(o), NO_MEANING, flops));
                }
            }
            if (!reasons.containsKey(s)
                    && !integers.contains(s)
                    && s.kind().isCompute()
                    && dequantized.contains(s.nodes().getFirst().input())) {
                reasons.put(s, INTEGERS);
            }
            if (reasons.containsKey(s)) {
                long macs = Arithmetic.macs(network, s.anchor());
                found.add(new UntunedNode(
                        s.name(),
                        words(s),
                        reasons.get(s),
                        macs > 0 || !s.kind().isCompute() ? OptionalLong.of(2 * macs) : OptionalLong.empty()));
            }
        }
        double all = Math.max(1, total);
        return found.stream()
                .map(f -> new UntunedOperator(f.node, f.operator, f.reason, f.flops, f.flops.orElse(0) / all))
                .toList();
    }

    private static String words(Subgraph s) {
        return switch (s.kind()) {
            case CONV -> "convolution";
            case DEPTHWISE_CONV -> "depthwise convolution";
            case GROUPED_CONV -> "grouped convolution";
            case TRANSPOSED_CONV -> "transposed convolution";
            case DENSE -> "dense layer";
            case BATCH_MATMUL -> "matrix product";
            default -> s.anchor().operator().label();
        };
    }

    /// The contents of graphs inside of it (`If`, `Loop`, `Scan`).
    private static String inside(Operator.Opaque o) {
        List<String> graphs = o.attributes().entrySet().stream()
                .filter(a -> a.getValue().startsWith(Operator.Opaque.GRAPH))
                .sorted(Map.Entry.comparingByKey())
                .map(a -> a.getKey() + ": " + a.getValue().substring(Operator.Opaque.GRAPH.length()))
                .toList();
        return graphs.isEmpty() ? "" : " (" + String.join("; ", graphs) + ")";
    }

    /// Operations of convolutions and products of other number types or domains, from the shapes of their
    /// weights, none of operators that only move, count or map elements; empty for others.
    private static OptionalLong flops(Network network, Node n, Operator.Opaque o) {
        if (Set.of("LSTM", "GRU", "RNN", "DynamicQuantizeLSTM").contains(o.type())) {
            return recurrent(network, n, o.type().startsWith("Dynamic"));
        }
        Optional<Integer> weight = switch (o.type()) {
            case "QLinearConv", "QGemm", "QLinearMatMul" -> Optional.of(3);
            case "ConvInteger", "MatMulInteger", "FusedConv", "FusedGemm", "FusedMatMul", "QAttention" ->
                Optional.of(1);
            case "QLinearAdd",
                    "QLinearMul",
                    "QLinearGlobalAveragePool",
                    "QLinearAveragePool",
                    "QLinearConcat",
                    "QLinearSigmoid",
                    "QLinearLeakyRelu",
                    "QLinearSoftmax",
                    "QuantizeLinear",
                    "DequantizeLinear",
                    "DynamicQuantizeLinear",
                    "Cast",
                    "Concat",
                    "Constant",
                    "ConstantOfShape",
                    "Expand",
                    "Flatten",
                    "Gather",
                    "GatherElements",
                    "GatherND",
                    "Identity",
                    "NonZero",
                    "Range",
                    "Reshape",
                    "Shape",
                    "Size",
                    "Slice",
                    "Split",
                    "Squeeze",
                    "Tile",
                    "Transpose",
                    "Unsqueeze" -> Optional.of(-1);
            default -> Optional.empty();
        };
        if (weight.isEmpty()) {
            return OptionalLong.empty();
        }
        if (weight.get() < 0) {
            return OptionalLong.of(0);
        }
        Optional<Shape> w = n.inputs().size() > weight.get()
                ? network.tensor(n.inputs().get(weight.get())).shape()
                : Optional.empty();
        Optional<Shape> out = network.tensor(n.output()).shape();
        if (w.isEmpty() || out.isEmpty() || w.get().rank() < 2) {
            return OptionalLong.empty();
        }
        // A convolution sums over all but the first extent of its weights, a product over the last but one.
        boolean convolution = o.type().contains("Conv");
        long summed = convolution ? w.get().product(1, w.get().rank()) : w.get().dim(-2);
        return OptionalLong.of(2 * Math.multiplyExact(out.get().elements(), summed));
    }

    /// Of a recurrent layer: for each step, sample and direction a product of the input and one of the state with all
    /// gates at once.
    ///
    /// @param turned whether the gates are the last axis of the weights, not the second
    private static OptionalLong recurrent(Network network, Node n, boolean turned) {
        if (n.inputs().size() < 3) {
            return OptionalLong.empty();
        }
        Optional<Shape> x = network.tensor(n.input()).shape().filter(s -> s.rank() == 3);
        Optional<Shape> w = network.tensor(n.inputs().get(1)).shape().filter(s -> s.rank() == 3);
        Optional<Shape> r = network.tensor(n.inputs().get(2)).shape().filter(s -> s.rank() == 3);
        if (x.isEmpty() || w.isEmpty() || r.isEmpty()) {
            return OptionalLong.empty();
        }
        int gates = turned ? 2 : 1;
        int summed = turned ? 1 : 2;
        long each = Math.multiplyExact(
                w.get().dim(gates), w.get().dim(summed) + r.get().dim(summed));
        return OptionalLong.of(Math.multiplyExact(
                2 * each, x.get().dim(0) * x.get().dim(1) * w.get().dim(0)));
    }

    /// One sentence per kind and reason, the largest share first.
    static List<String> sentences(List<UntunedOperator> untuned) {
        Map<String, List<UntunedOperator>> groups = new LinkedHashMap<>();
        for (UntunedOperator u : untuned) {
            if (u.flops.isEmpty() || u.flops.getAsLong() > 0) {
                groups.computeIfAbsent(u.operator + "\n" + u.reason, _ -> new ArrayList<>())
                        .add(u);
            }
        }
        Function<List<UntunedOperator>, Double> share =
                g -> g.stream().mapToDouble(UntunedOperator::share).sum();
        return groups.values().stream()
                .sorted(Comparator.comparing(share).reversed())
                .map(g -> sentence(g, share.apply(g)))
                .toList();
    }

    private static String sentence(List<UntunedOperator> group, double share) {
        UntunedOperator first = group.getFirst();
        boolean known = group.stream().allMatch(u -> u.flops.isPresent());
        String nodes = String.join(
                ", ",
                group.stream()
                        .limit(NAMED)
                        .map(u -> "'" + u.node + "'"
                                + (group.size() > 1 && u.share > 0
                                        ? String.format(Locale.ROOT, " %.1f %%", 100 * u.share)
                                        : ""))
                        .toList());
        return "Not tuned: " + group.size() + " " + first.operator
                + (group.size() > 1 && !first.operator.endsWith(")") ? "s" : "") + " with "
                + (known
                        ? String.format(Locale.ROOT, "%.1f %% of the network's FLOP", 100 * share)
                        : "a share of the network's FLOP that is not known")
                + " (" + nodes + (group.size() > NAMED ? " and " + (group.size() - NAMED) + " more" : "") + "): "
                + first.reason + ".";
    }
}
