package knobscape.network.task;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Window;
import knobscape.network.subgraph.OperatorFusion;
import knobscape.network.subgraph.Subgraph;

/// The tuning tasks of a network: distinct workloads of its convolutions and matrix products with their counts.
///
/// @param others work that has no template, each with the reason
public record TuningTasks(String network, List<TuningTask> tasks, List<Untunable> others) {
    public TuningTasks {
        tasks = List.copyOf(tasks);
        others = List.copyOf(others);
    }

    /// Work that is not tuned.
    ///
    /// @param reason why, as a clause
    public record Untunable(Subgraph subgraph, String reason) {}

    /// Tasks of a network; possibly none.
    public static TuningTasks of(Network network) {
        return of(network, OperatorFusion.subgraphs(network));
    }

    /// Tasks of a network whose subgraphs are at hand.
    public static TuningTasks of(Network network, List<Subgraph> subgraphs) {
        return of(network, subgraphs, _ -> Optional.empty(), _ -> Optional.empty());
    }

    /// The same where some subgraphs are tuned as they stand, whatever kind they are of.
    ///
    /// @param whole the work of such a subgraph, its tail included; empty for one whose convolution or product
    /// is tuned
    /// @param integers how convolutions and products are quantised that are tuned on 8-bit integers
    public static TuningTasks of(
            Network network,
            List<Subgraph> subgraphs,
            Function<Subgraph, Optional<Workload.Graph>> whole,
            Function<Subgraph, Optional<Quantization>> integers) {
        var places = new LinkedHashMap<Workload, List<Subgraph>>();
        var others = new ArrayList<Untunable>();
        for (Subgraph s : subgraphs) {
            Optional<Workload.Graph> graph = whole.apply(s);
            if (graph.isPresent()) {
                places.computeIfAbsent(graph.get(), _ -> new ArrayList<>()).add(s);
                continue;
            }
            if (!s.kind().isCompute()) {
                continue;
            }
            Optional<String> obstacle = whyNot(network, s);
            if (obstacle.isPresent()) {
                others.add(new Untunable(s, obstacle.get()));
            } else {
                places.computeIfAbsent(workload(network, s, integers.apply(s)), _ -> new ArrayList<>())
                        .add(s);
            }
        }
        var tasks = new ArrayList<TuningTask>();
        for (Map.Entry<Workload, List<Subgraph>> e : places.entrySet()) {
            tasks.add(new TuningTask("T" + (tasks.size() + 1), e.getKey(), e.getValue()));
        }
        return new TuningTasks(network.name(), tasks, others);
    }

    /// Only the convolutions, which are what the papers tune; names are kept.
    public List<TuningTask> convolutions() {
        return tasks.stream()
                .filter(t -> t.workload() instanceof Workload.Conv2d)
                .toList();
    }

    /// Why a convolution or product is no workload, as a clause; empty where it is one.
    public static Optional<String> whyNot(Network network, Subgraph s) {
        Node n = s.anchor();
        if (n.inputs().stream().limit(2).anyMatch(i -> network.tensor(i).shape().isEmpty())
                || network.tensor(n.output()).shape().isEmpty()) {
            return Optional.of("its shape is not known");
        }
        if (network.tensor(n.output()).elements() == 0) {
            return Optional.of("it makes no element");
        }
        return switch (s.kind()) {
            case TRANSPOSED_CONV -> Optional.of("there is no template for transposed convolutions");
            case CONV, DEPTHWISE_CONV, GROUPED_CONV ->
                s.window()
                        .filter(w -> w.rank() > 2)
                        .map(w -> "there is no template for convolutions over " + w.rank() + " axes");
            default -> Optional.empty();
        };
    }

    /// The work of a convolution or product.
    ///
    /// @param integers how it is quantised; empty where it is to be computed on the network's own numbers
    public static Workload workload(Network network, Subgraph s, Optional<Quantization> integers) {
        Node n = s.anchor();
        ElementType type = integers.map(Quantization::type)
                .orElse(network.tensor(n.input()).type());
        int fill = integers.map(Quantization::zero).orElse(0);
        Shape a = network.tensor(
                        n.operator() instanceof Operator.Conv
                                ? s.nodes().getFirst().input()
                                : n.input())
                .shape()
                .orElseThrow();
        Shape b = network.tensor(n.inputs().get(1)).shape().orElseThrow();
        Shape out = network.tensor(n.output()).shape().orElseThrow();
        return switch (n.operator()) {
            case Operator.Conv c -> conv(type, a, b, s.window().orElseThrow(), c.groups(), fill);
            case Operator.Gemm g -> {
                long k = network.tensor(n.input()).shape().orElseThrow().dim(g.transposeA() ? 0 : 1);
                yield s.kind() == Subgraph.Kind.DENSE
                        ? new Workload.Dense(type, out.dim(0), out.dim(1), k)
                        : new Workload.BatchMatmul(type, 1, out.dim(0), out.dim(1), k);
            }
            case Operator.MatMul _ -> matMul(type, s.kind(), a, b, out);
            default ->
                throw new IllegalStateException("no workload of " + n.operator().label());
        };
    }

    private static Workload conv(ElementType type, Shape x, Shape w, Window window, int groups, int fill) {
        boolean flat = window.rank() == 1;
        int r = flat ? 1 : window.kernel().getFirst();
        int last = window.rank() - 1;
        return new Workload.Conv2d(
                type,
                x.dim(0),
                x.dim(1),
                flat ? 1 : x.dim(2),
                x.dim(-1),
                w.dim(0),
                new Workload.Conv2d.Taps(
                        r,
                        window.kernel().get(last),
                        flat ? 1 : window.strides().getFirst(),
                        window.strides().get(last),
                        flat ? 1 : window.dilations().getFirst(),
                        window.dilations().get(last)),
                new Workload.Conv2d.Padding(
                        flat ? 0 : window.padBegin().getFirst(),
                        window.padBegin().get(last),
                        flat ? 0 : window.padEnd().getFirst(),
                        window.padEnd().get(last),
                        isPadded(window) ? fill : 0),
                groups);
    }

    private static boolean isPadded(Window w) {
        return Stream.concat(w.padBegin().stream(), w.padEnd().stream()).anyMatch(p -> p > 0);
    }

    /// Weights shared by all rows make one tall product; otherwise every leading index is a product of its own.
    private static Workload matMul(ElementType type, Subgraph.Kind kind, Shape a, Shape b, Shape out) {
        long k = a.dim(-1);
        long n = b.rank() == 1 ? 1 : b.dim(-1);
        if (kind == Subgraph.Kind.DENSE) {
            return new Workload.Dense(type, a.elements() / k, n, k);
        }
        long m = a.rank() == 1 ? 1 : a.dim(-2);
        return new Workload.BatchMatmul(type, out.elements() / (m * n), m, n, k);
    }
}
