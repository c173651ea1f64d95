package knobscape.fusion.source.rows;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.fusion.source.rows.RowNode.Loops;
import knobscape.fusion.source.rows.RowNode.Work;
import knobscape.network.Arithmetic;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Window;
import knobscape.network.subgraph.OperatorFusion;
import knobscape.network.subgraph.Subgraph;

/// Reads a network as rows and edges.
///
/// Rows of images run down (axis 2 of N x C x H x W), rows of sentences are tokens (axis 1 of N x S x D). Where every
/// input is a matrix of several rows, its rows are rows; they are no samples. In an attention without weights, whose
/// tensors are N x heads x S x d, heads are samples; query heads that share K and V stand behind one another as rows.
/// Weights that are picked by what a layer computes are those of experts: as many count as can be active at once.
public final class RowReader {
    /// Elements of a row of scores that an online softmax takes at once, for each head.
    private static final int BLOCK = 16;
    /// Numbers of each row that an online softmax carries from block to block: the largest score and the sum.
    private static final int STATISTICS = 2;
    /// Mixtures of experts of ONNX Runtime, and which of their inputs are weights of all experts.
    private static final Map<String, List<Integer>> MIXTURES =
            Map.of("MoE", List.of(2, 4, 6), "QMoE", List.of(2, 5, 8));
    /// Inputs are numbered from here until it is known how many there are.
    private static final int INPUTS = 1 << 28;

    private final Network network;
    private final List<Subgraph> subgraphs;
    private final List<RowNode> inputs = new ArrayList<>();
    private final List<RowNode> layers = new ArrayList<>();
    private final Map<String, RowView> views = new HashMap<>();
    private final Map<String, Integer> readers = new HashMap<>();
    private final Set<Integer> results = new HashSet<>();
    /// Layers that make scores, until it is known that a softmax and a product follow.
    private final Set<Integer> scores = new HashSet<>();
    private final Set<Integer> softened = new HashSet<>();
    /// Tensors that a softmax over whole rows makes.
    private final Set<String> soft = new HashSet<>();
    /// Tensors whose rows are lines of an image.
    private final Set<Integer> pictures = new HashSet<>();
    /// Tensors of experts' weights, picked by a router, and their elements: those of every expert that can be active.
    private final Map<String, Long> experts = new HashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final RowAxes axes;

    private RowReader(Network network, int image) {
        this.network = network;
        subgraphs = OperatorFusion.subgraphs(network);
        for (Subgraph s : subgraphs) {
            s.inputs().forEach(i -> readers.merge(i, 1, Integer::sum));
        }
        axes = RowAxes.of(network, subgraphs, image);
    }

    /// The network as rows.
    ///
    /// @param notes sentences on what is left out
    public record Rows(RowGraph graph, List<String> notes) {
        /// Copies the notes.
        public Rows {
            notes = List.copyOf(notes);
        }
    }

    /// Reads a network. Throws [UserError] where it has no layer.
    public static Rows of(Network network) {
        Rows rows = new RowReader(network, RowAxes.DOWN).read();
        boolean images = network.nodes().stream()
                .anyMatch(
                        n -> n.operator() instanceof Operator.Conv || n.operator() instanceof Operator.TransposedConv);
        return images ? new Rows(new RowReader(network, RowAxes.ACROSS).columns(rows.graph()), rows.notes()) : rows;
    }

    /// Adds columns to a graph: the rows of the same network with its pictures turned.
    private RowGraph columns(RowGraph g) {
        RowGraph turned = read().graph();
        return ImageColumns.of(
                g, turned, pictures.stream().map(p -> place(p, inputs.size())).collect(Collectors.toSet()));
    }

    private Rows read() {
        for (String in : network.inputs()) {
            source(in);
        }
        for (Subgraph s : subgraphs) {
            Optional<String> missing = Stream.concat(s.outputs().stream(), s.inputs().stream())
                    .filter(t -> network.tensor(t).shape().isEmpty())
                    .findFirst();
            if (missing.isPresent()) {
                if (s.kind().isCompute()) {
                    notes.add("'" + s.name() + "' is left out: the shape of '" + missing.get()
                            + "' is not known; export the network with its shapes, unless they depend on data.");
                }
                continue;
            }
            add(s);
        }
        for (String out : network.outputs()) {
            Optional.ofNullable(views.get(out)).ifPresent(v -> v.parts().forEach(p -> results.add(p.from())));
        }
        return new Rows(graph(), notes);
    }

    private RowGraph graph() {
        if (layers.stream().allMatch(l -> l.work().macs() == 0)) {
            throw new UserError("The network '" + network.name() + "' has no convolution and no matrix product"
                    + (notes.isEmpty() ? "." : " of known shape: " + notes.getFirst()));
        }
        int shift = inputs.size();
        var all = new ArrayList<>(inputs);
        for (int i = 0; i < layers.size(); i++) {
            RowNode n = layers.get(i);
            List<RowEdge> edges = n.edges().stream()
                    .map(e -> new RowEdge(place(e.from(), shift), e.kind(), e.kernel(), e.stride(), e.pad(), e.up()))
                    .distinct()
                    .toList();
            long block = softened.contains(i) ? Math.min(n.block(), n.elements()) : n.elements();
            all.add(new RowNode(
                    n.name(), n.rows(), n.elements(), block, n.work(), n.glued(), results.contains(i), edges));
        }
        return new RowGraph(network.name(), all, shift, axes.samples());
    }

    /// Inputs are numbered from [#INPUTS] while the network is read.
    private static int place(int node, int shift) {
        return node >= INPUTS ? node - INPUTS : node + shift;
    }

    // --- tensors

    /// A tensor as rows; what nothing known makes is an input.
    private RowView view(String tensor) {
        RowView known = views.get(tensor);
        return known != null ? known : source(tensor);
    }

    private Shape shape(String tensor) {
        return network.tensor(tensor).shape().orElseThrow();
    }

    private RowView source(String tensor) {
        Shape s = network.tensor(tensor).shape().orElse(Shape.of(1));
        int axis = axes.inputAxis(tensor, s);
        int rows = axes.rows(s, axis);
        inputs.add(RowNode.input(tensor, rows, axes.elements(s, rows)));
        picture(INPUTS + inputs.size() - 1, s, axis);
        RowView v = RowView.of(INPUTS + inputs.size() - 1, axis, rows);
        views.put(tensor, v);
        return v;
    }

    private void picture(int tensor, Shape s, int axis) {
        if (s.rank() > RowAxes.ACROSS && axis == axes.image()) {
            pictures.add(tensor);
        }
    }

    /// Adds a layer that makes a tensor.
    private int layer(String name, Shape s, int axis, Work work, List<RowEdge> edges) {
        int rows = axes.rows(s, axis);
        layers.add(RowNode.layer(name, rows, axes.elements(s, rows), work, edges));
        picture(layers.size() - 1, s, axis);
        return layers.size() - 1;
    }

    private RowView made(int layer, Shape s, int axis) {
        return RowView.of(layer, axis, axes.rows(s, axis));
    }

    private boolean isWeight(String tensor) {
        return tensor.isEmpty() || network.tensor(tensor).isWeight() || experts.containsKey(tensor);
    }

    // --- subgraphs

    private void add(Subgraph s) {
        switch (s.kind()) {
            case CONV, DEPTHWISE_CONV, GROUPED_CONV, TRANSPOSED_CONV -> compute(s, convolution(s));
            case DENSE, BATCH_MATMUL -> compute(s, product(s));
            case POOL -> {
                pool(s);
                s.nodes().stream().skip(1).forEach(this::pass);
            }
            case ELEMENTWISE -> elementwise(s);
            case VIEW, OTHER, OPAQUE -> s.nodes().forEach(this::pass);
        }
    }

    /// A layer without what is combined with its result.
    private record Anchor(int axis, Work work, List<RowEdge> edges) {}

    private void compute(Subgraph s, Anchor a) {
        Shape out = shape(s.anchor().output());
        int rows = axes.rows(out, a.axis());
        var edges = new ArrayList<>(a.edges());
        Set<String> data = new HashSet<>(s.anchor().inputs());
        data.add(s.nodes().getFirst().input());
        for (String in : s.inputs()) {
            if (!data.contains(in) || s.anchor().inputs().indexOf(in) > 1) {
                edges.addAll(view(in).beside(rows));
            }
        }
        if (edges.isEmpty()) {
            edges.addAll(view(s.anchor().name() + ".data").parts());
        }
        int layer = layer(s.name(), out, a.axis(), a.work(), edges);
        if (s.kind() == Subgraph.Kind.BATCH_MATMUL && out.rank() > 1) {
            scores.add(layer);
            layers.set(
                    layer, layers.get(layer).online(layers.get(layer).elements() / out.dim(-1) * (BLOCK + STATISTICS)));
        }
        views.put(s.anchor().output(), made(layer, out, a.axis()));
        s.nodes().stream().skip(s.nodes().indexOf(s.anchor()) + 1L).forEach(n -> {
            if (n.operator().isView()) {
                pass(n);
            } else {
                views.put(n.output(), made(layer, shape(n.output()), a.axis()));
            }
        });
    }

    private Work work(Node n, long weights, Loops loops) {
        return new Work(Math.ceilDiv(Arithmetic.macs(network, n), axes.copies()), weights, loops);
    }

    private Anchor convolution(Subgraph s) {
        Node n = s.anchor();
        Shape out = shape(n.output());
        Shape w = shape(n.inputs().get(1));
        Window window = s.window().orElseThrow();
        RowView x = view(s.nodes().getFirst().input());
        int axis = axes.lines(out);
        RowEdge edge = RowAxes.edge(window, axis);
        int groups = n.operator() instanceof Operator.Conv c ? c.groups() : 1;
        if (n.operator() instanceof Operator.TransposedConv t) {
            edge = RowEdge.transposed(0, edge.kernel(), edge.stride(), edge.pad());
            groups = t.groups();
        }
        if (x.axis() != axis) {
            edge = RowEdge.full(0);
        }
        long inner = Math.max(1, shape(s.nodes().getFirst().input()).dim(1) / groups);
        return new Anchor(
                axis,
                work(
                        n,
                        isWeight(n.inputs().get(1)) ? w.elements() : 0,
                        new Loops(out.dim(1) / groups, inner, out.product(3, out.rank()), out.dim(2))),
                x.read(edge));
    }

    private Anchor product(Subgraph s) {
        Node n = s.anchor();
        Shape out = shape(n.output());
        String a = n.input();
        String b = n.inputs().get(1);
        int rank = shape(a).rank();
        var edges = new ArrayList<RowEdge>();
        int axis = Math.max(-1, out.rank() - 2);
        if (!isWeight(a)) {
            RowView x = view(a);
            boolean across = n.operator() instanceof Operator.Gemm g && g.transposeA();
            if (x.axis() < 0 || x.rows() == 1) {
                axis = x.axis() < 0 && x.rows() == 1 && out.rank() <= 2 ? -1 : axis;
                edges.addAll(x.read(RowEdge.full(0)));
            } else if (!across && x.axis() < rank - 1) {
                axis = x.axis() + out.rank() - rank;
                edges.addAll(x.read(RowEdge.same(0)));
            } else {
                edges.addAll(x.read(RowEdge.full(0)));
            }
            if (soft.contains(a)) {
                x.parts().stream().map(RowEdge::from).filter(scores::contains).forEach(softened::add);
            }
        }
        long weights = Stream.of(a, b)
                .filter(this::isWeight)
                .mapToLong(t -> experts.getOrDefault(t, shape(t).elements()))
                .sum();
        if (!isWeight(b)) {
            RowView y = view(b);
            boolean together = y.axis() >= 0
                    && y.axis() < shape(b).rank() - 2
                    && y.axis() + out.rank() - shape(b).rank() == axis
                    && y.rows() == axes.rows(out, axis);
            edges.addAll(y.read(together ? RowEdge.same(0) : RowEdge.full(0)));
        }
        long columns = out.rank() == 0 ? 1 : out.dim(-1);
        return new Anchor(axis, work(n, weights, new Loops(columns, shape(a).dim(-1), 1, axes.rows(out, axis))), edges);
    }

    private void pool(Subgraph s) {
        Node n = s.anchor();
        Shape out = shape(n.output());
        RowView x = view(n.input());
        RowEdge edge = s.window().map(w -> RowAxes.edge(w, axes.lines(out))).orElse(RowEdge.accumulating(0));
        int axis = out.rank() > RowAxes.DOWN ? axes.lines(out) : -1;
        node(n, n.input(), x, x.axis() == axes.lines(out) ? edge : RowEdge.full(0), axis);
    }

    /// A layer without multiply-accumulates, as a tail of the layer before it where nobody else reads that.
    private void node(Node n, String input, RowView x, RowEdge edge, int axis) {
        Shape out = shape(n.output());
        int layer = layer(n.name(), out, axis, Work.NONE, x.read(edge));
        boolean tail = x.parts().size() == 1
                && layer > 0
                && x.parts().getFirst().from() == layer - 1
                && readers.getOrDefault(input, 0) == 1
                && !network.outputs().contains(input);
        if (tail) {
            layers.set(layer, layers.get(layer).asTail());
        }
        views.put(n.output(), made(layer, out, axis));
    }

    private void elementwise(Subgraph s) {
        List<String> read = s.inputs().stream().filter(i -> !isWeight(i)).toList();
        Shape out = shape(s.outputs().getFirst());
        if (read.size() < 2) {
            s.nodes().forEach(this::pass);
            return;
        }
        RowView main = read.stream()
                .map(this::view)
                .max(Comparator.comparingInt(RowView::rows))
                .orElseGet(() -> view(s.outputs().getFirst()));
        int rows = axes.rows(out, main.axis());
        var edges = new LinkedHashSet<RowEdge>();
        read.forEach(i -> edges.addAll(view(i).beside(rows)));
        if (edges.isEmpty()) {
            return;
        }
        int layer = layer(s.name(), out, main.axis(), Work.NONE, List.copyOf(edges));
        s.nodes()
                .forEach(n -> n.outputs().stream()
                        .filter(o -> !o.isEmpty())
                        .forEach(o -> views.put(o, made(layer, shape(o), main.axis()))));
    }

    // --- nodes that compute nothing that matters

    private void pass(Node n) {
        List<String> read = n.inputs().stream().filter(i -> !isWeight(i)).toList();
        if (n.outputs().stream()
                .filter(o -> !o.isEmpty())
                .anyMatch(o -> network.tensor(o).shape().isEmpty())) {
            return;
        }
        if (read.isEmpty()) {
            // What is made of experts' weights alone stays weights.
            n.inputs().stream()
                    .filter(experts::containsKey)
                    .mapToLong(experts::get)
                    .max()
                    .ifPresent(e -> experts.put(n.output(), e));
            return;
        }
        String input = read.getFirst();
        RowView x = view(input);
        Shape in = network.tensor(input).shape().orElse(Shape.of(1));
        Shape out = shape(n.output());
        if (soft.contains(input) && n.operator().isElementwise()) {
            soft.add(n.output());
        }
        switch (n.operator()) {
            case Operator.Reshape _, Operator.Flatten _, Operator.Expand _ ->
                views.put(n.output(), reshaped(x, in, out));
            case Operator.Transpose t ->
                views.put(
                        n.output(),
                        new RowView(x.parts(), x.axis() < 0 ? -1 : t.order().indexOf(x.axis()), x.rows()));
            case Operator.Concat c -> concat(n, read, c.axis());
            case Operator.Slice _, Operator.Split _ -> cut(n, x, in);
            case Operator.Gather g -> gather(n, g, x);
            case Operator.Pad p -> {
                int axis = x.axis();
                long begin = axis < 0 ? 0 : p.begin().get(axis);
                views.put(n.output(), x.through(RowEdge.window(0, 1, 1, (int) begin), axis, axes.rows(out, axis)));
            }
            case Operator.Resize r -> resize(n, x, in, out, r.mode());
            case Operator.DepthSpace d -> {
                RowEdge edge = d.toSpace()
                        ? RowEdge.transposed(0, d.block(), d.block(), 0)
                        : RowEdge.window(0, d.block(), d.block(), 0);
                views.put(n.output(), x.through(edge, axes.image(), axes.rows(out, axes.image())));
            }
            case Operator.Softmax f -> {
                if (f.axis() == x.axis()) {
                    node(n, input, x, RowEdge.full(0), x.axis());
                } else {
                    views.put(n.output(), x);
                    if (f.axis() == in.rank() - 1
                            && readers.getOrDefault(input, 0) == 1
                            && readers.getOrDefault(n.output(), 0) == 1) {
                        soft.add(n.output());
                    }
                }
            }
            case Operator.LayerNorm l -> {
                if (x.axis() >= l.axis() && x.rows() > 1) {
                    node(n, input, x, RowEdge.full(0), x.axis());
                } else {
                    views.put(n.output(), x);
                }
            }
            case Operator.Reduce r -> {
                if (r.axes().contains(x.axis())) {
                    node(n, input, x, RowEdge.accumulating(0), -1);
                } else {
                    long gone = r.keepDims()
                            ? 0
                            : r.axes().stream().filter(a -> a < x.axis()).count();
                    views.put(n.output(), new RowView(x.parts(), x.axis() - (int) gone, x.rows()));
                }
            }
            case Operator.Opaque o
            when MIXTURES.containsKey(o.type()) && o.domain().equals("com.microsoft") -> mixture(n, o, x);
            case Operator.Opaque o -> {
                if (x.isKeptByTopK(o, in)) {
                    n.outputs().stream().filter(t -> !t.isEmpty()).forEach(t -> views.put(t, x));
                } else {
                    opaque(n, read);
                }
            }
            default -> {
                RowView all = x;
                for (String other : read.subList(1, read.size())) {
                    RowView v = view(other);
                    all = all.with(v.rows() == all.rows() ? v : v.through(RowEdge.full(0), all.axis(), all.rows()));
                }
                views.put(n.output(), all);
            }
        }
    }

    private void opaque(Node n, List<String> read) {
        Shape out = shape(n.output());
        int axis = out.rank() > 3 ? axes.image() : out.rank() == 3 ? 1 : -1;
        List<RowEdge> edges = read.stream()
                .flatMap(i -> view(i).read(RowEdge.full(0)).stream())
                .distinct()
                .toList();
        notes.add("'" + n.name() + "' is an operator that is not known ("
                + n.operator().label() + "): it reads all of its input before it makes a row, and computes nothing.");
        int layer = layer(n.name(), out, axis, Work.NONE, edges);
        n.outputs().stream().filter(o -> !o.isEmpty()).forEach(o -> views.put(o, made(layer, shape(o), axis)));
    }

    private RowView reshaped(RowView x, Shape in, Shape out) {
        int rank = out.rank();
        int next = rank > 3 ? axes.image() : rank == 3 ? 1 : -1;
        return x.reshaped(in, out).orElseGet(() -> x.through(RowEdge.full(0), next, axes.rows(out, next)));
    }

    private void concat(Node n, List<String> read, int axis) {
        Shape out = shape(n.output());
        RowView first = view(read.getFirst());
        int rowAxis =
                read.stream().map(this::view).mapToInt(RowView::axis).max().orElse(-1);
        int rows = axes.rows(out, rowAxis);
        var parts = new ArrayList<RowEdge>();
        int offset = 0;
        for (String in : n.inputs()) {
            int extent = rowAxis >= 0 && rowAxis < shape(in).rank() ? axes.rows(shape(in), rowAxis) : 1;
            if (!isWeight(in)) {
                RowView v = view(in);
                if (axis == rowAxis) {
                    parts.addAll(v.read(RowEdge.window(0, 1, 1, offset)));
                } else {
                    parts.addAll(v.beside(rows));
                }
            }
            offset += extent;
        }
        views.put(n.output(), new RowView(parts, rowAxis < 0 ? first.axis() : rowAxis, rows));
    }

    private void cut(Node n, RowView x, Shape in) {
        long at = 0;
        for (String o : n.outputs()) {
            if (o.isEmpty()) {
                continue;
            }
            Shape out = shape(o);
            RowEdge edge = RowEdge.same(0);
            switch (n.operator()) {
                case Operator.Split p
                when p.axis() == x.axis() -> {
                    edge = RowEdge.window(0, 1, 1, (int) -at);
                    at += out.dim(p.axis());
                }
                case Operator.Slice c
                when c.axes().contains(x.axis()) -> {
                    int i = c.axes().indexOf(x.axis());
                    edge = c.steps().get(i) > 0
                            ? RowEdge.window(0, 1, c.steps().get(i).intValue(), (int)
                                    -c.starts().get(i))
                            : RowEdge.full(0);
                }
                default -> {
                    // Rows stay as they are.
                }
            }
            int axis = out.rank() == in.rank() ? x.axis() : -1;
            views.put(o, x.through(edge, axis, axis < 0 ? 1 : axes.rows(out, axis)));
        }
    }

    /// Slices picked from weights are an input of their own: the words of a sentence.
    private void gather(Node n, Operator.Gather g, RowView indices) {
        Shape out = shape(n.output());
        if (isWeight(n.input())) {
            if (indices.parts().stream().anyMatch(p -> p.from() < INPUTS)) {
                pickExperts(n, g);
                return;
            }
            int axis = Math.min(indices.axis(), out.rank() - 1);
            int rows = axes.rows(out, axis);
            inputs.add(RowNode.input(n.output(), rows, axes.elements(out, rows)));
            views.put(n.output(), RowView.of(INPUTS + inputs.size() - 1, axis, rows));
            return;
        }
        RowView x = view(n.input());
        Shape in = shape(n.input());
        if (g.axis() == x.axis()) {
            int axis = out.rank() == in.rank() ? x.axis() : -1;
            views.put(n.output(), x.through(RowEdge.full(0), axis, axis < 0 ? 1 : axes.rows(out, axis)));
        } else {
            int lost = in.rank() - out.rank();
            views.put(n.output(), new RowView(x.parts(), g.axis() < x.axis() ? x.axis() - lost : x.axis(), x.rows()));
        }
    }

    /// A mixture of experts in one operator of ONNX Runtime: each row goes through the experts that are picked for it.
    private void mixture(Node n, Operator.Opaque o, RowView x) {
        List<String> weights = requireNonNull(MIXTURES.get(o.type())).stream()
                .filter(i -> i < n.inputs().size() && !n.inputs().get(i).isEmpty())
                .map(i -> n.inputs().get(i))
                .toList();
        long packed = o.type().startsWith("Q") ? Math.max(1, 8 / o.count("expert_weight_bits", 4)) : 1;
        long all = weights.isEmpty() ? 1 : shape(weights.getFirst()).dim(0);
        long one = packed * weights.stream().mapToLong(w -> shape(w).elements()).sum() / all;
        Shape out = shape(n.output());
        long picked = Math.multiplyExact(out.elements() / out.dim(-1), o.count("k", 1));
        long active = Math.min(all, picked);
        Work work = new Work(
                Math.multiplyExact(picked, one),
                active * one,
                new Loops(one / out.dim(-1), out.dim(-1), 1, axes.rows(out, x.axis())));
        int layer = layer(n.name(), out, x.axis(), work, x.read(RowEdge.same(0)));
        views.put(n.output(), made(layer, out, x.axis()));
        notes.add("'" + n.name() + "' picks experts: of " + all + " at most " + active
                + " are active at once, and the weights of these count.");
    }

    private void pickExperts(Node n, Operator.Gather g) {
        Shape all = shape(n.input());
        long active = Math.min(all.dim(g.axis()), shape(n.inputs().get(1)).elements());
        experts.put(n.output(), active * (all.elements() / all.dim(g.axis())));
        notes.add("'" + n.name() + "' picks experts: of " + all.dim(g.axis()) + " at most " + active
                + " are active at once, and the weights of these count.");
    }

    private void resize(Node n, RowView x, Shape in, Shape out, String mode) {
        int axis = x.axis();
        if (axis < 0 || out.dim(axis) == in.dim(axis)) {
            views.put(n.output(), x);
            return;
        }
        boolean whole = out.dim(axis) % in.dim(axis) == 0;
        int up = (int) Math.max(1, out.dim(axis) / in.dim(axis));
        if (whole && mode.equals("nearest")) {
            views.put(n.output(), x.through(RowEdge.transposed(0, up, up, 0), axis, axes.rows(out, axis)));
        } else if (whole) {
            // Each row is made from the nearest two.
            node(n, n.input(), x, RowEdge.transposed(0, 2 * up, up, up), axis);
        } else {
            node(n, n.input(), x, RowEdge.full(0), axis);
        }
    }
}
