package knobscape.network.subgraph;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.network.ElementFormula;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Tensor;
import knobscape.network.Window;
import knobscape.network.Wiring;
import org.jspecify.annotations.Nullable;

/// Groups the nodes of a network into [Subgraph]s.
///
/// A function of each element joins the group that makes its input, if nobody else reads that input and the
/// extents stay: convolution or matrix product + bias or batch normalisation + activation + residual addition
/// ... Where an addition could join two groups (the main path and the projection of a residual block) it joins
/// the one with more multiply-accumulating nodes behind it, so that the projection is done first. Formulas of
/// one tensor written in several nodes (`x * sigmoid(x)`, GELU) join as a whole. Views join whatever makes
/// their input. A margin of zeros goes into the convolution behind it.
///
/// Because inner tensors of a group are read inside it only, groups never wait for one another in a circle, and
/// the order of their last nodes is an order of execution.
public final class OperatorFusion {
    private final Network network;
    private final Wiring wiring;
    private final IdentityHashMap<Node, Group> groups = new IdentityHashMap<>();
    private final IdentityHashMap<Node, Formula> formulas = new IdentityHashMap<>();
    /// For each tensor the longest chain of multiply-accumulating nodes that leads to it.
    private final Map<String, Integer> depth = new HashMap<>();

    private OperatorFusion(Network network) {
        this.network = network;
        this.wiring = Wiring.of(network);
    }

    /// The subgraphs of a network in an order of execution; every node is in exactly one.
    public static List<Subgraph> subgraphs(Network network) {
        return new OperatorFusion(network).run();
    }

    /// A group while it grows.
    private static final class Group {
        private Subgraph.Kind kind;
        private Node anchor;
        private final List<Node> nodes = new ArrayList<>();
        private final List<Tail> tail = new ArrayList<>();
        private Optional<Window> window;
        /// The tensor that what comes next would read.
        private String end;

        Group(Subgraph.Kind kind, Node first, Optional<Window> window) {
            this.kind = kind;
            this.anchor = first;
            this.window = window;
            this.end = first.output();
            nodes.add(first);
        }

        void join(Node n) {
            nodes.add(n);
            end = n.output();
        }

        /// A bias behind a bias is one bias.
        void bias() {
            if (tail.isEmpty() || !(tail.getLast() instanceof Tail.Bias)) {
                tail.add(new Tail.Bias());
            }
        }
    }

    /// Nodes that together compute a function of one tensor.
    private static final class Formula {
        private final ElementFormula is;
        private @Nullable Group owner;

        Formula(ElementFormula is) {
            this.is = is;
        }
    }

    private List<Subgraph> run() {
        List<Node> nodes = network.nodes();
        for (Node n : nodes) {
            depth(n);
            n.outputs().stream().filter(o -> !o.isEmpty()).forEach(this::findFormula);
        }
        var all = new ArrayList<Group>();
        for (Node n : nodes) {
            Group g = place(n);
            groups.put(n, g);
            if (g.nodes.getFirst() == n) {
                all.add(g);
            }
        }
        all.sort(Comparator.comparingInt(g -> wiring.position(g.nodes.getLast())));
        var result = new ArrayList<Subgraph>();
        for (Group g : all) {
            result.add(subgraph(result.size(), g));
        }
        return result;
    }

    private void depth(Node n) {
        int before = n.inputs().stream()
                .mapToInt(i -> depth.getOrDefault(i, 0))
                .max()
                .orElse(0);
        int after = before + (kind(n).isCompute() ? 1 : 0);
        n.outputs().forEach(o -> depth.put(o, after));
    }

    private Subgraph.Kind kind(Node n) {
        return switch (n.operator()) {
            case Operator.Conv c when c.groups() == 1 -> Subgraph.Kind.CONV;
            case Operator.Conv c ->
                network.tensor(n.input())
                                .shape()
                                .filter(s -> s.dim(1) == c.groups())
                                .isPresent()
                        ? Subgraph.Kind.DEPTHWISE_CONV
                        : Subgraph.Kind.GROUPED_CONV;
            case Operator.TransposedConv _ -> Subgraph.Kind.TRANSPOSED_CONV;
            case Operator.Gemm _, Operator.MatMul _ -> {
                Tensor b = network.tensor(n.inputs().get(1));
                yield b.isWeight() && b.shape().filter(s -> s.rank() == 2).isPresent()
                        ? Subgraph.Kind.DENSE
                        : Subgraph.Kind.BATCH_MATMUL;
            }
            case Operator.Pool _, Operator.GlobalPool _ -> Subgraph.Kind.POOL;
            case Operator.Reduce r
            when (r.function().equals("Mean") || r.function().equals("Max")) && reducesPositions(n, r) ->
                Subgraph.Kind.POOL;
            case Operator.Opaque _ -> Subgraph.Kind.OPAQUE;
            case Operator o when o.isView() -> Subgraph.Kind.VIEW;
            case Operator o when o.isElementwise() -> Subgraph.Kind.ELEMENTWISE;
            default -> Subgraph.Kind.OTHER;
        };
    }

    private boolean reducesPositions(Node n, Operator.Reduce r) {
        int rank = network.tensor(n.input()).shape().map(Shape::rank).orElse(0);
        return rank > 2 && r.axes().equals(IntStream.range(2, rank).boxed().toList());
    }

    // --- formulas

    /// Looks for nodes that compute a function of `entry` alone and meet again in one tensor.
    private void findFormula(String entry) {
        List<Node> readers = wiring.consumers(entry);
        if (!wiring.isResult(entry) && readers.stream().noneMatch(formulas::containsKey)) {
            ElementFormula.meeting(network, wiring, entry).ifPresent(f -> {
                var formula = new Formula(f);
                f.nodes().forEach(n -> formulas.put(n, formula));
            });
        }
    }

    private boolean sameShape(String a, String b) {
        Optional<Shape> shape = network.tensor(a).shape();
        return shape.isPresent() && shape.equals(network.tensor(b).shape());
    }

    // --- groups

    private Group place(Node n) {
        Formula formula = formulas.get(n);
        if (formula != null) {
            return formulaPart(n, formula);
        }
        Subgraph.Kind kind = kind(n);
        return switch (kind) {
            case ELEMENTWISE -> best(n).map(g -> joined(g, n)).orElseGet(() -> fresh(kind, n));
            case VIEW ->
                maker(n.input())
                        .filter(g -> wiring.onlyConsumer(n.input()).isPresent())
                        .map(g -> {
                            g.join(n);
                            return g;
                        })
                        .orElseGet(() -> fresh(kind, n));
            case CONV, DEPTHWISE_CONV, GROUPED_CONV ->
                margin(n)
                        .map(g -> {
                            Operator.Pad pad = (Operator.Pad) g.anchor.operator();
                            g.kind = kind;
                            g.anchor = n;
                            g.window = Optional.of(widened(((Operator.Conv) n.operator()).window(), pad));
                            g.join(n);
                            ownBias(g, n);
                            return g;
                        })
                        .orElseGet(() -> fresh(kind, n));
            default -> fresh(kind, n);
        };
    }

    private Group fresh(Subgraph.Kind kind, Node n) {
        Optional<Window> window = switch (n.operator()) {
            case Operator.Conv c -> Optional.of(c.window());
            case Operator.TransposedConv c -> Optional.of(c.window());
            case Operator.Pool p -> Optional.of(p.window());
            default -> Optional.empty();
        };
        var g = new Group(kind, n, window);
        if (kind.isCompute()) {
            ownBias(g, n);
        }
        return g;
    }

    private static void ownBias(Group g, Node n) {
        if (n.inputs().size() > 2 && !n.inputs().get(2).isEmpty()) {
            g.bias();
        }
    }

    private Group formulaPart(Node n, Formula f) {
        if (n == f.is.nodes().getFirst()) {
            f.owner = maker(f.is.entry())
                    .filter(g -> takesElementwise(g) && sameShape(g.anchor.output(), f.is.entry()))
                    .orElse(null);
            if (f.owner == null) {
                f.owner = fresh(Subgraph.Kind.ELEMENTWISE, n);
                return f.owner;
            }
        }
        Group owner = requireNonNull(f.owner);
        owner.join(n);
        if (n == f.is.nodes().getLast()) {
            owner.tail.add(f.is.known(Map.of(), network.tensor(f.is.entry()).type())
                    .<Tail>map(Tail.Activation::new)
                    .orElseGet(() -> new Tail.Formula(f.is.nodes())));
        }
        return owner;
    }

    /// The group whose only end is a tensor.
    private Optional<Group> maker(String tensor) {
        return wiring.producer(tensor)
                .map(groups::get)
                .filter(g -> g.end.equals(tensor) && g.anchor.outputs().size() == 1);
    }

    private static boolean takesElementwise(Group g) {
        return g.kind.isCompute() || g.kind == Subgraph.Kind.ELEMENTWISE;
    }

    /// The group an elementwise node joins: of those it could, the one with the longest chain of work behind
    /// it, and among equals the later one.
    private Optional<Group> best(Node n) {
        if (n.operator() instanceof Operator.Cast) {
            return Optional.empty();
        }
        return candidates(n)
                .max(Comparator.<String>comparingInt(t -> depth.getOrDefault(t, 0))
                        .thenComparingInt(
                                t -> wiring.position(wiring.producer(t).orElseThrow())))
                .flatMap(this::maker);
    }

    private Stream<String> candidates(Node n) {
        return n.inputs().stream()
                .filter(t -> wiring.onlyConsumer(t).isPresent())
                .filter(t -> maker(t).filter(g -> takesElementwise(g) && sameShape(g.anchor.output(), n.output()))
                        .isPresent());
    }

    private Group joined(Group g, Node n) {
        String own = g.end;
        switch (n.operator()) {
            case Operator.BatchNorm _ -> {
                boolean intoWeights = g.kind.isCompute()
                        && g.kind != Subgraph.Kind.BATCH_MATMUL
                        && g.tail.stream().allMatch(t -> t instanceof Tail.Bias);
                if (intoWeights) {
                    g.bias();
                } else {
                    g.tail.add(new Tail.Affine());
                }
            }
            case Operator.Elementwise e -> combine(g, n, e, own);
            case Operator.Identity _, Operator.Dropout _ -> {
                // Nothing is computed.
            }
            default -> g.tail.add(new Tail.Activation(n.operator()));
        }
        g.join(n);
        return g;
    }

    private void combine(Group g, Node n, Operator.Elementwise e, String own) {
        boolean first = n.input().equals(own);
        for (String other : n.inputs()) {
            if (other.equals(own)) {
                continue;
            }
            Tensor t = network.tensor(other);
            if (e.function() == Operator.Elementwise.Function.ADD && !t.isWeight() && sameShape(other, n.output())) {
                g.tail.add(new Tail.Residual(other));
            } else if (e.function() == Operator.Elementwise.Function.ADD && t.isWeight() && perChannel(g, t, n)) {
                g.bias();
            } else {
                g.tail.add(new Tail.Combine(e.function(), other, first));
            }
        }
        // x * x and the like: combined with itself.
        if (n.inputs().stream().allMatch(own::equals)) {
            g.tail.add(new Tail.Combine(e.function(), own, true));
        }
    }

    /// True if a weight has one element for each output channel: the last axis of a matrix product, the second
    /// of a convolution.
    private boolean perChannel(Group g, Tensor t, Node n) {
        Shape out = network.tensor(n.output()).shape().orElseThrow();
        Shape w = t.shape().orElse(Shape.of());
        boolean matrix = g.kind == Subgraph.Kind.DENSE || g.kind == Subgraph.Kind.BATCH_MATMUL;
        int axis = matrix ? -1 : 1 - out.rank();
        return g.kind.isCompute() && w.rank() >= -axis && w.dim(axis) == w.elements() && w.elements() == out.dim(axis);
    }

    // --- margins

    /// The group of a margin of zeros that only this convolution reads.
    private Optional<Group> margin(Node conv) {
        if (wiring.onlyConsumer(conv.input()).isEmpty()) {
            return Optional.empty();
        }
        return maker(conv.input())
                .filter(g -> g.nodes.size() == 1
                        && g.anchor.operator() instanceof Operator.Pad p
                        && p.mode().equals("constant")
                        && p.value() == 0
                        && p.begin().subList(0, 2).equals(List.of(0L, 0L))
                        && p.end().subList(0, 2).equals(List.of(0L, 0L))
                        && Stream.of(p.begin(), p.end())
                                .flatMap(Collection::stream)
                                .allMatch(v -> v >= 0 && v < 1 << 20));
    }

    private static Window widened(Window w, Operator.Pad p) {
        return new Window(
                w.kernel(), w.strides(), sum(w.padBegin(), p.begin()), sum(w.padEnd(), p.end()), w.dilations());
    }

    private static List<Integer> sum(List<Integer> pads, List<Long> margin) {
        var all = new ArrayList<Integer>();
        for (int i = 0; i < pads.size(); i++) {
            all.add(pads.get(i) + margin.get(i + 2).intValue());
        }
        return all;
    }

    private Subgraph subgraph(int index, Group g) {
        var inputs = new LinkedHashSet<String>();
        var weights = new LinkedHashSet<String>();
        var inner = new LinkedHashSet<String>();
        for (Node n : g.nodes) {
            for (String in : n.inputs()) {
                if (!in.isEmpty() && !inner.contains(in)) {
                    (network.tensor(in).isWeight() ? weights : inputs).add(in);
                }
            }
            inner.addAll(n.outputs());
        }
        List<String> outputs = g.nodes.size() == 1
                ? g.anchor.outputs().stream().filter(o -> !o.isEmpty()).toList()
                : List.of(g.end);
        return new Subgraph(
                index, g.kind, g.anchor, g.nodes, g.tail, g.window, List.copyOf(inputs), List.copyOf(weights), outputs);
    }
}
