package knobscape.network.chain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.network.Arithmetic;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.chain.ChainEdge.Role;
import knobscape.network.subgraph.OperatorFusion;
import knobscape.network.subgraph.Subgraph;
import knobscape.network.subgraph.Tail;

/// Lays a network out as a row of layers.
///
/// Every convolution and matrix product becomes a layer, in the order of execution of [OperatorFusion].
/// Exceptions are 1 x 1 convolutions on the skip of a residual block, whose result is added to another layer's
/// and read by nobody else: they belong to the edge. Pooling that alone reads a layer's result belongs to that
/// layer. All other nodes (concatenation, pooling of shared tensors, normalisation, views ...) are transparent:
/// an edge goes from the layer that made the data through them to the layer that reads it, with the data as its
/// maker left it.
public final class Linearization {
    /// In names of operators that multiply matrices or convolve.
    private static final Pattern PRODUCT = Pattern.compile("Conv|MatMul|Gemm|Attention|LSTM|GRU|RNN");
    private final Network network;
    private final List<Subgraph> subgraphs;
    private final long batch;
    private final Map<String, Subgraph> producers = new HashMap<>();
    private final Map<String, List<Subgraph>> readers = new HashMap<>();
    /// Projections by the tensor they make.
    private final Map<String, Subgraph> projections = new HashMap<>();
    /// For each tensor the layers its data comes from, with the elements of each.
    private final Map<String, Map<Integer, Long>> sources = new HashMap<>();
    private final Set<String> results;

    private Linearization(Network network) {
        this.network = network;
        this.subgraphs = OperatorFusion.subgraphs(network);
        this.batch = network.batch();
        this.results = new HashSet<>(network.outputs());
        for (Subgraph s : subgraphs) {
            s.outputs().forEach(o -> producers.put(o, s));
            s.inputs()
                    .forEach(i ->
                            readers.computeIfAbsent(i, _ -> new ArrayList<>()).add(s));
        }
    }

    /// The chain of a network. Throws [UserError] where the network has no layer, or one of unknown shape.
    public static LayerChain of(Network network) {
        return new Linearization(network).chain();
    }

    /// `21 ConvInteger, MatMulInteger`.
    private String unreadProducts() {
        return Operator.counted(network.nodes().stream()
                        .map(Node::operator)
                        .flatMap(o -> o instanceof Operator.Opaque opaque ? Stream.of(opaque.type()) : Stream.empty())
                        .filter(PRODUCT.asPredicate()))
                .collect(Collectors.joining(", "));
    }

    private LayerChain chain() {
        for (Subgraph s : subgraphs) {
            if (isProjection(s)) {
                projections.put(s.output(), s);
            }
        }
        for (String in : network.inputs()) {
            sources.put(in, Map.of(0, perSample(in)));
        }
        var layers = new ArrayList<ChainLayer>();
        var edges = new ArrayList<ChainEdge>();
        for (Subgraph s : subgraphs) {
            if (projections.get(s.output()) == s) {
                continue;
            }
            if (!s.kind().isCompute()) {
                transparent(s);
                continue;
            }
            int index = layers.size() + 1;
            edges.addAll(edges(index, s));
            layers.add(layer(index, s));
        }
        if (layers.isEmpty()) {
            String unread = unreadProducts();
            throw new UserError("The network '" + network.name() + "' has no layer to fuse: "
                    + (unread.isEmpty()
                            ? "it has no convolution and no matrix product; name another network."
                            : "its convolutions and products are operators that are not read (" + unread
                                    + "); name the network as it was before it was quantised or optimised."));
        }
        return new LayerChain(
                network.name(),
                network.inputs().stream().mapToLong(this::perSample).sum(),
                layers,
                edges);
    }

    private long perSample(String tensor) {
        return Math.ceilDiv(network.tensor(tensor).elements(), batch);
    }

    // --- projections

    /// A 1 x 1 convolution without activation whose result only one other layer reads, to add it to its own,
    /// and which does not itself add anything.
    private boolean isProjection(Subgraph s) {
        if (s.kind() != Subgraph.Kind.CONV
                || !s.window().orElseThrow().isPointwise()
                || !s.tail().stream().allMatch(t -> t instanceof Tail.Bias)
                || results.contains(s.output())) {
            return false;
        }
        List<Subgraph> by = readers.getOrDefault(s.output(), List.of());
        return by.size() == 1
                && by.getFirst().kind().isCompute()
                && !data(by.getFirst()).contains(s.output())
                && by.getFirst().tail().contains(new Tail.Residual(s.output()));
    }

    /// Tensors that the anchor works on.
    private Set<String> data(Subgraph s) {
        var data = new LinkedHashSet<String>();
        data.add(s.nodes().getFirst().input());
        s.anchor().inputs().stream().limit(2).forEach(data::add);
        data.retainAll(s.inputs());
        return data;
    }

    // --- edges

    private List<ChainEdge> edges(int index, Subgraph s) {
        var inputs = new TreeMap<Integer, Long>();
        for (String in : data(s)) {
            from(in).forEach((q, elements) -> inputs.merge(q, elements, Math::max));
        }
        var skips = new ArrayList<ChainEdge>();
        for (Tail t : s.tail()) {
            switch (t) {
                case Tail.Residual r -> skips.addAll(skips(index, r.tensor()));
                case Tail.Combine c
                when !c.tensor().equals(s.output()) && s.inputs().contains(c.tensor()) ->
                    skips.addAll(skips(index, c.tensor()));
                default -> {
                    // Reads nothing but weights and the layer's own result.
                }
            }
        }
        skips.sort(Comparator.comparingInt(ChainEdge::from));
        var edges = new ArrayList<ChainEdge>();
        inputs.forEach((q, elements) -> edges.add(new ChainEdge(q, index, Role.INPUT, elements, 0, 0)));
        edges.addAll(skips);
        return edges;
    }

    private List<ChainEdge> skips(int index, String tensor) {
        Subgraph projection = projections.get(tensor);
        String read =
                projection == null ? tensor : projection.nodes().getFirst().input();
        long weights = projection == null
                ? 0
                : network.tensor(projection.anchor().inputs().get(1)).elements();
        long macs = projection == null ? 0 : Math.ceilDiv(Arithmetic.macs(network, projection.anchor()), batch);
        var skips = new ArrayList<ChainEdge>();
        for (Map.Entry<Integer, Long> e : from(read).entrySet()) {
            // Where the projection reads several layers at once its work is counted with the first.
            boolean first = skips.isEmpty();
            skips.add(new ChainEdge(e.getKey(), index, Role.SKIP, e.getValue(), first ? weights : 0, first ? macs : 0));
        }
        return skips;
    }

    private Map<Integer, Long> from(String tensor) {
        return sources.getOrDefault(tensor, Map.of());
    }

    /// Data passes through: what comes out comes from wherever what goes in came from; a slice passes on its
    /// share.
    private void transparent(Subgraph s) {
        var merged = new TreeMap<Integer, Long>();
        long elements = 0;
        for (String in : s.inputs()) {
            from(in).forEach((q, e) -> merged.merge(q, e, Math::max));
            elements += perSample(in);
        }
        boolean cuts = switch (s.anchor().operator()) {
            case Operator.Slice _, Operator.Split _, Operator.Gather _ -> true;
            default -> false;
        };
        for (String out : s.outputs()) {
            // Pooling that belongs to the layer before it has been placed with that layer.
            if (!sources.containsKey(out)) {
                var passed = new TreeMap<>(merged);
                if (cuts && perSample(out) < elements) {
                    double share = (double) perSample(out) / elements;
                    passed.replaceAll((_, e) -> Math.max(1, Math.round(e * share)));
                }
                sources.put(out, passed);
            }
        }
    }

    // --- layers

    private ChainLayer layer(int index, Subgraph s) {
        Node n = s.anchor();
        String x = s.nodes().getFirst().input();
        String weight = n.inputs().get(1);
        if (Stream.of(x, weight, n.output())
                .anyMatch(t -> network.tensor(t).shape().isEmpty())) {
            throw new UserError(
                    "The shape of layer '" + n.name() + "' of network '" + network.name()
                            + "' is not known, so that nothing can be said about fusing it; export the network with its shapes.");
        }
        Extents e = Extents.of(s, shape(x), shape(n.output()), batch);

        var poolings = new ArrayList<Pooling>();
        String last = pooled(index, s, poolings);
        Shape end = shape(last);
        return new ChainLayer(
                index,
                n.name(),
                e,
                new ChainLayer.Pooled(
                        poolings,
                        poolings.isEmpty() ? e.outHeight() : end.rank() > 3 ? end.dim(2) : 1,
                        poolings.isEmpty() ? e.outWidth() : end.rank() > 2 ? end.dim(-1) : 1),
                Math.ceilDiv(Arithmetic.macs(network, n), batch),
                network.tensor(weight).isWeight() ? shape(weight).elements() : 0,
                data(s).stream().mapToLong(this::perSample).sum(),
                perSample(n.output()),
                perSample(last));
    }

    private Shape shape(String tensor) {
        return network.tensor(tensor).shape().orElseThrow();
    }

    /// Follows what alone reads a layer's result: poolings, and what leaves every element in its place. All of
    /// it up to the last pooling belongs to the layer.
    ///
    /// @return the tensor the last pooling makes; the anchor's result where there is none
    private String pooled(int index, Subgraph layer, List<Pooling> poolings) {
        String last = layer.anchor().output();
        var passed = new ArrayList<String>();
        var owned = new ArrayList<>(List.of(layer.output()));
        String at = layer.output();
        while (true) {
            List<Subgraph> by = readers.getOrDefault(at, List.of());
            if (by.size() != 1 || results.contains(at) || by.getFirst().inputs().size() != 1) {
                break;
            }
            Subgraph next = by.getFirst();
            Optional<Pooling> pooling = pooling(next);
            at = next.output();
            passed.add(at);
            if (pooling.isPresent()) {
                poolings.add(pooling.get());
                last = next.anchor().output();
                owned.addAll(passed);
                passed.clear();
            } else if (next.kind() != Subgraph.Kind.ELEMENTWISE
                    && !(next.anchor().operator() instanceof Operator.LocalResponseNorm)) {
                break;
            }
        }
        long reduced = perSample(last);
        owned.forEach(t -> sources.put(t, Map.of(index, reduced)));
        return last;
    }

    /// The pooling a subgraph does; empty for other work and for windows that are not square.
    private static Optional<Pooling> pooling(Subgraph s) {
        if (s.kind() != Subgraph.Kind.POOL) {
            return Optional.empty();
        }
        return switch (s.anchor().operator()) {
            case Operator.GlobalPool p -> label(p.kind()).map(kind -> new Pooling(kind, true, 0, 0));
            case Operator.Reduce r -> Optional.of(new Pooling(r.function().equals("Mean") ? "avg" : "max", true, 0, 0));
            case Operator.Pool p
            when p.window().isSquare() ->
                label(p.kind())
                        .map(kind -> new Pooling(
                                kind,
                                false,
                                p.window().kernel().getFirst(),
                                p.window().strides().getFirst()));
            default -> Optional.empty();
        };
    }

    private static Optional<String> label(Operator.Gathering kind) {
        return switch (kind) {
            case MAX -> Optional.of("max");
            case AVERAGE -> Optional.of("avg");
            case LP -> Optional.empty();
        };
    }
}
