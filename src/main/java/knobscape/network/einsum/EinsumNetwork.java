package knobscape.network.einsum;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import knobscape.evaluate.UserError;
import knobscape.network.ElementType;
import knobscape.network.ImportedNetwork;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.ShapeException;
import knobscape.network.Window;
import knobscape.network.einsum.Einsum.Access;

/// Makes a network of operators written as loops: convolutions where a dimension slides over another, products of
/// matrices, sums, poolings. What is none of these is left out and named; whoever reads it reads an input instead.
final class EinsumNetwork {
    private static final int MOST = 100_000;

    private final List<Einsum> einsums;
    private final NetworkBuilder b;
    private final List<String> notes = new ArrayList<>();
    /// By tensor: the axes that are rows and columns of images.
    private final Map<String, Set<Integer>> spatial = new HashMap<>();
    /// The tensors made so far.
    private final Map<String, LaidTensor> made = new HashMap<>();
    private final Set<String> read = new TreeSet<>();

    /// A tensor of the network, and the axes of the file behind each of its own.
    private record LaidTensor(String name, List<List<Integer>> axes) {}

    private EinsumNetwork(String name, ElementType type, List<Einsum> einsums) {
        this.einsums = einsums;
        b = new NetworkBuilder(name, type);
    }

    /// The network. Throws [UserError] where nothing of it can be used.
    ///
    /// @param file for messages
    static ImportedNetwork of(String file, String name, ElementType type, List<Einsum> einsums, List<String> notes) {
        if (einsums.isEmpty() || einsums.size() > MOST) {
            throw new UserError(file + " has " + (einsums.isEmpty() ? "no layer." : "more than " + MOST + " layers."));
        }
        var reader = new EinsumNetwork(name, type, einsums);
        reader.notes.addAll(notes);
        return reader.run(file);
    }

    private ImportedNetwork run(String file) {
        findImages();
        for (Einsum e : einsums) {
            try {
                add(e);
            } catch (ShapeException | ArithmeticException x) {
                notes.add("'" + e.name() + "' is left out: " + x.getMessage() + ".");
            }
        }
        String[] results = made.values().stream()
                .map(LaidTensor::name)
                .filter(n -> !read.contains(n)
                        && einsums.stream().anyMatch(e -> e.name().equals(n)))
                .sorted()
                .toArray(String[]::new);
        if (results.length == 0) {
            throw new UserError(
                    file + " has no layer that can be read" + (notes.isEmpty() ? "." : ": " + notes.getFirst()));
        }
        return new ImportedNetwork(b.output(results).build(), notes);
    }

    // --- which axes are rows and columns

    private void findImages() {
        boolean more = true;
        while (more) {
            more = false;
            for (Einsum e : einsums) {
                for (Access in : e.inputs()) {
                    for (int i = 0; i < in.axes().size(); i++) {
                        for (String d : in.axes().get(i).keySet()) {
                            int out = e.output().axis(d);
                            if (out < 0 || in.weight()) {
                                continue;
                            }
                            boolean slides = in.axes().get(i).size() > 1
                                    || !in.axes().get(i).equals(Map.of(d, 1));
                            if (slides
                                    || isSpatial(in.tensor(), i)
                                    || isSpatial(e.output().tensor(), out)) {
                                more |= axes(in.tensor()).add(i);
                                more |= axes(e.output().tensor()).add(out);
                            }
                        }
                    }
                }
            }
        }
    }

    private Set<Integer> axes(String tensor) {
        return spatial.computeIfAbsent(tensor, t -> new TreeSet<>());
    }

    private boolean isSpatial(String tensor, int axis) {
        return spatial.getOrDefault(tensor, Set.of()).contains(axis);
    }

    // --- layers

    private void add(Einsum e) {
        Access x = data(e);
        if (e.kind() == Einsum.Kind.SUM) {
            sum(e);
        } else if (!axes(x.tensor()).isEmpty() || !axes(e.output().tensor()).isEmpty()) {
            image(e, x);
        } else if (e.inputs().size() == 2) {
            product(e, x);
        } else if (e.inputs().size() == 1 && x.dims().equals(e.output().dims())) {
            LaidTensor in = source(x, natural(e, x));
            make(e, b.add(e.name(), new Operator.Identity(), in.name()), in.axes());
        } else {
            throw new ShapeException("it is no convolution, product of two matrices, pooling or sum");
        }
    }

    /// The access that slides, else the first that is no weight.
    private static Access data(Einsum e) {
        return e.inputs().stream()
                .filter(a -> a.axes().stream().anyMatch(i -> i.size() > 1))
                .findFirst()
                .or(() -> e.inputs().stream().filter(a -> !a.weight()).findFirst())
                .orElseThrow(() -> new ShapeException("it reads nothing but weights"));
    }

    private void make(Einsum e, String name, List<List<Integer>> axes) {
        made.put(e.output().tensor(), new LaidTensor(name, axes));
    }

    /// The tensor that is read, with the extents wanted; an input where nothing known makes it.
    private LaidTensor source(Access a, Wanted wanted) {
        LaidTensor m = made.get(a.tensor());
        if (m == null) {
            m = new LaidTensor(b.input(a.tensor(), wanted.shape()), wanted.axes());
            made.put(a.tensor(), m);
        } else if (!m.axes().equals(wanted.axes())
                && b.shape(m.name()).elements() == wanted.shape().elements()) {
            String name = m.name() + "." + (read.size() + 1);
            List<Integer> order = wanted.axes().stream().map(m.axes()::indexOf).toList();
            boolean turned = order.stream().distinct().count() == m.axes().size() && !order.contains(-1);
            m = new LaidTensor(
                    b.add(
                            name,
                            turned ? new Operator.Transpose(order) : new Operator.Reshape(wanted.shape()),
                            m.name()),
                    wanted.axes());
        }
        read.add(requireNonNull(made.get(a.tensor())).name());
        return m;
    }

    /// Extents in the order of the network, and the axes of the file behind them.
    private record Wanted(Shape shape, List<List<Integer>> axes) {}

    private static Wanted natural(Einsum e, Access a) {
        return new Wanted(
                Shape.of(a.axes().stream().mapToLong(i -> extent(e, i)).toArray()),
                IntStream.range(0, a.axes().size()).mapToObj(List::of).toList());
    }

    /// How far an axis reaches.
    private static long extent(Einsum e, Map<String, Integer> axis) {
        long reach = 1;
        for (var term : axis.entrySet()) {
            reach += Math.multiplyExact(e.extent(term.getKey()) - 1, (long) term.getValue());
        }
        return reach;
    }

    private static List<Integer> axesOf(Access a, Set<String> dims) {
        return IntStream.range(0, a.axes().size())
                .filter(i -> dims.containsAll(a.axes().get(i).keySet()))
                .boxed()
                .toList();
    }

    // --- images

    /// One of the two axes of a window.
    private record Slide(int kernel, int stride, int dilation, int begin, int end) {
        static final Slide NONE = new Slide(1, 1, 1, 0, 0);
    }

    private void image(Einsum e, Access x) {
        List<Integer> places = List.copyOf(axes(x.tensor()));
        List<Integer> results = List.copyOf(axes(e.output().tensor()));
        if (places.size() > 2 || results.size() > 2) {
            throw new ShapeException("it slides over more than two axes");
        }
        Set<String> weights = e.inputs().stream()
                .filter(a -> a != x)
                .map(Access::dims)
                .collect(TreeSet::new, Set::addAll, Set::addAll);
        var rows = new TreeSet<String>();
        places.forEach(i -> rows.addAll(x.axes().get(i).keySet()));
        var channels = new TreeSet<String>();
        var samples = new TreeSet<String>();
        for (String d : x.dims()) {
            if (!rows.contains(d)) {
                boolean apart = e.inputs().size() > 1
                        ? weights.contains(d)
                        : x.axis(d) >= 0 && (x.axis(d) == 1 || e.kind() != Einsum.Kind.POOL);
                (apart ? channels : samples).add(d);
            }
        }
        if (e.inputs().size() == 1) {
            splitPooled(x, channels, samples);
        }
        long[] extents = new long[4];
        extents[0] = e.product(samples);
        extents[1] = e.product(channels);
        extents[2] = places.isEmpty() ? 1 : extent(e, x.axes().get(places.getFirst()));
        extents[3] = places.size() < 2 ? 1 : extent(e, x.axes().get(places.get(1)));
        var layout = List.of(
                axesOf(x, samples),
                axesOf(x, channels),
                places.isEmpty() ? List.<Integer>of() : List.of(places.getFirst()),
                places.size() < 2 ? List.<Integer>of() : List.of(places.get(1)));
        LaidTensor in = imageSource(x, new Wanted(Shape.of(extents), layout), e);
        Shape have = b.shape(in.name());
        var slides = new ArrayList<Slide>();
        for (int axis = 0; axis < 2; axis++) {
            slides.add(
                    axis < places.size() ? slide(e, x.axes().get(places.get(axis)), have.dim(2 + axis)) : Slide.NONE);
        }
        var window = new Window(
                slides.stream().map(Slide::kernel).toList(),
                slides.stream().map(Slide::stride).toList(),
                slides.stream().map(Slide::begin).toList(),
                slides.stream().map(Slide::end).toList(),
                slides.stream().map(Slide::dilation).toList());
        Set<String> out = e.output().dims();
        String y;
        if (e.inputs().size() == 1) {
            y = b.add(
                    e.name(),
                    window.kernel().equals(List.of(1, 1))
                            ? new Operator.Identity()
                            : new Operator.Pool(Operator.Gathering.MAX, window, false, true),
                    in.name());
        } else {
            var groups = new TreeSet<>(channels);
            groups.retainAll(out);
            var inner = new TreeSet<>(channels);
            inner.removeAll(out);
            var made = new TreeSet<>(out);
            made.retainAll(weights);
            made.removeAll(x.dims());
            long g = e.product(groups);
            long k = Math.multiplyExact(g, e.product(made));
            String w = b.weight(
                    e.name() + ".weight",
                    k,
                    e.product(inner),
                    slides.getFirst().kernel(),
                    slides.get(1).kernel());
            y = b.add(e.name(), new Operator.Conv(window, Math.toIntExact(g)), in.name(), w);
        }
        var outer = new TreeSet<>(out);
        results.forEach(i -> outer.removeAll(e.output().axes().get(i).keySet()));
        outer.removeAll(samples);
        make(
                e,
                y,
                List.of(
                        axesOf(e.output(), samples),
                        axesOf(e.output(), outer),
                        results.isEmpty() ? List.of() : List.of(results.getFirst()),
                        results.size() < 2 ? List.of() : List.of(results.get(1))));
    }

    /// Of an operator without weights the first axis counts samples where there are two beside rows and columns.
    private static void splitPooled(Access x, Set<String> channels, Set<String> samples) {
        channels.addAll(samples);
        samples.clear();
        if (channels.size() > 1) {
            String first = x.axes().stream()
                    .flatMap(a -> a.keySet().stream())
                    .filter(channels::contains)
                    .findFirst()
                    .orElseThrow();
            channels.remove(first);
            samples.add(first);
        }
    }

    /// The image that is read; its rows may be fewer than the window reaches over, or a few more.
    private LaidTensor imageSource(Access x, Wanted wanted, Einsum e) {
        LaidTensor m = made.get(x.tensor());
        if (m != null) {
            Shape s = b.shape(m.name());
            if (s.rank() == 4 && s.dim(1) == wanted.shape().dim(1)) {
                read.add(m.name());
                return m;
            }
            if (s.elements() != wanted.shape().elements()) {
                notes.add("'" + e.name() + "' reads '" + x.tensor() + "' with other extents than it is made with ("
                        + wanted.shape() + ", not " + s + "): it reads an input of its own.");
                return new LaidTensor(b.input(e.name() + ".input", wanted.shape()), wanted.axes());
            }
        }
        return source(x, wanted);
    }

    private static Slide slide(Einsum e, Map<String, Integer> axis, long have) {
        String moves = axis.keySet().stream()
                .filter(e.output().dims()::contains)
                .findFirst()
                .orElse("");
        long positions = moves.isEmpty() ? 1 : e.extent(moves);
        int stride = moves.isEmpty() ? 1 : requireNonNull(axis.get(moves));
        List<String> taps = axis.keySet().stream().filter(d -> !d.equals(moves)).toList();
        if (taps.size() > 1) {
            throw new ShapeException("an index adds up more than two dimensions");
        }
        long kernel = taps.isEmpty() ? 1 : e.extent(taps.getFirst());
        int dilation = taps.isEmpty() ? 1 : requireNonNull(axis.get(taps.getFirst()));
        long reach = (positions - 1) * stride + (kernel - 1) * dilation + 1;
        long margin = Math.max(0, reach - have);
        long most = 2 * ((kernel - 1) * dilation);
        if (margin > most || (have - reach) / stride > 0) {
            throw new ShapeException("it needs " + reach + " rows or columns where " + have + " are made");
        }
        int begin = Math.toIntExact(e.centred() ? margin / 2 : 0);
        return new Slide(
                Math.toIntExact(kernel), Math.max(1, stride), Math.max(1, dilation), begin, (int) margin - begin);
    }

    // --- products and sums

    private void product(Einsum e, Access a) {
        Access w = e.inputs().stream().filter(i -> i != a).findFirst().orElseThrow();
        Set<String> out = e.output().dims();
        var together = new TreeSet<>(a.dims());
        together.retainAll(w.dims());
        var inner = new TreeSet<>(together);
        inner.removeAll(out);
        together.retainAll(out);
        var rows = new TreeSet<>(a.dims());
        rows.removeAll(w.dims());
        var columns = new TreeSet<>(w.dims());
        columns.removeAll(a.dims());
        if (!out.containsAll(rows) || !out.containsAll(columns)) {
            throw new ShapeException("a dimension of one operand is in nothing else");
        }
        if (inner.isEmpty()) {
            if (!rows.isEmpty() || !columns.isEmpty() || w.weight()) {
                throw new ShapeException("it multiplies without adding up");
            }
            elementwise(e, Operator.Elementwise.Function.MUL);
            return;
        }
        boolean batched = !together.isEmpty();
        LaidTensor x = source(a, matrix(e, a, batched, together, rows, inner));
        String y;
        if (w.weight()) {
            long[] dims = batched
                    ? new long[] {1, e.product(together), e.product(inner), e.product(columns)}
                    : new long[] {e.product(inner), e.product(columns)};
            y = b.weight(e.name() + ".weight", dims);
        } else {
            y = source(w, matrix(e, w, batched, together, inner, columns)).name();
        }
        make(
                e,
                b.add(e.name(), new Operator.MatMul(), x.name(), y),
                matrix(e, e.output(), batched, together, rows, columns).axes());
    }

    private static Wanted matrix(
            Einsum e, Access a, boolean batched, Set<String> together, Set<String> rows, Set<String> columns) {
        var axes = new ArrayList<List<Integer>>();
        axes.add(List.of());
        if (batched) {
            axes.add(axesOf(a, together));
        }
        axes.add(axesOf(a, rows));
        axes.add(axesOf(a, columns));
        long r = e.product(rows);
        long c = e.product(columns);
        return new Wanted(
                Shape.of(batched ? LongStream.of(1, e.product(together), r, c).toArray() : new long[] {r, c}), axes);
    }

    private void sum(Einsum e) {
        elementwise(e, Operator.Elementwise.Function.ADD);
    }

    private void elementwise(Einsum e, Operator.Elementwise.Function function) {
        List<Access> data = e.inputs().stream().filter(i -> !i.weight()).toList();
        if (data.size() != 2) {
            throw new ShapeException("it does not combine two tensors");
        }
        var sources = new LinkedHashMap<String, LaidTensor>();
        LaidTensor first = made.get(data.getFirst().tensor());
        for (Access a : data) {
            LaidTensor m = made.get(a.tensor());
            Wanted wanted = first == null ? natural(e, a) : new Wanted(b.shape(first.name()), first.axes());
            sources.put(a.tensor(), m == null ? source(a, wanted) : m);
            read.add(requireNonNull(sources.get(a.tensor())).name());
        }
        List<String> names = data.stream()
                .map(a -> requireNonNull(sources.get(a.tensor())).name())
                .toList();
        make(
                e,
                b.add(e.name(), new Operator.Elementwise(function), names.getFirst(), names.getLast()),
                requireNonNull(sources.get(data.getFirst().tensor())).axes());
    }
}
