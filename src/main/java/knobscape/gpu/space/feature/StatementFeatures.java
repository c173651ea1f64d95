package knobscape.gpu.space.feature;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.IndexBound;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;

/// Ansor's statistics of a schedule (Zheng et al., OSDI 2020, as released with TVM 0.8): [#LENGTH] numbers for each
/// buffer that a kernel writes, of the last statement that writes it.
///
/// In order: 57 of the computation (operations, vectorized, unrolled and parallel loops, the launch), 5 x 18 of the
/// buffers accessed, those with the most cache lines first, 10 of the arithmetic intensity, 4 of the written buffer's
/// allocation, 3 of the loops around. Loops of one iteration do not exist; blocks, threads and virtual threads are
/// loops. Indices are flat: elements touched are counted by the strides with which loops move them. A buffer is
/// allocated inside the loops that all its accesses share.
public final class StatementFeatures {
    /// Statistics of a statement.
    public static final int LENGTH = 164;
    /// Statements of a schedule that [#joined] takes.
    public static final int STATEMENTS = 4;
    /// Counts changes of what the numbers mean.
    public static final int VERSION = 1;

    /// Groups of the statistics of a statement, in order, with the length of each.
    public enum Group {
        /// Operations, loops and launch.
        COMPUTATION("computation", 57),
        /// Buffers accessed.
        ACCESS("buffer access", 90),
        /// Operations by bytes over the loop levels.
        INTENSITY("arithmetic intensity", 10),
        /// The buffer written.
        ALLOCATION("allocation", 4),
        /// Loops around.
        SCOPE("outer scope", 3);

        private final String label;
        private final int size;

        Group(String label, int size) {
            this.label = label;
            this.size = size;
        }

        /// In words.
        public String label() {
            return label;
        }

        /// Number of statistics.
        public int size() {
            return size;
        }
    }

    private static final int BUFFERS = 5;
    private static final int ACCESS = 18;
    private static final int SAMPLES = 10;
    private static final int LINE = 64;
    /// Kinds of operations of each number type: multiply-add (never found), add, multiply, divide, compare, function,
    /// other call.
    private static final int KINDS = 7;

    private static final int ADD = 1;
    private static final int MULTIPLY = 2;
    private static final int DIVIDE = 3;
    private static final int COMPARE = 4;
    private static final int FUNCTION = 5;
    private static final int BOOLEAN = 2 * KINDS;
    private static final int SELECT = BOOLEAN + 1;

    private StatementFeatures() {}

    /// The statistics of every written buffer, in the order in which kernels first write them.
    public static List<double[]> rows(List<LoopNest> kernels) {
        return kernels.stream().flatMap(k -> new Walk(k).rows().stream()).toList();
    }

    /// The statistics of [#STATEMENTS] statements one after the other: of more those with the most iterations,
    /// in their order; where there are fewer, zeros follow.
    ///
    /// @param rows as [#rows] gives them
    public static float[] joined(List<double[]> rows) {
        int loops = LENGTH - Group.SCOPE.size;
        int[] kept = IntStream.range(0, rows.size())
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -rows.get(i)[loops]))
                .limit(STATEMENTS)
                .mapToInt(i -> i)
                .sorted()
                .toArray();
        float[] all = new float[STATEMENTS * LENGTH];
        for (int s = 0; s < kept.length; s++) {
            for (int j = 0; j < LENGTH; j++) {
                all[s * LENGTH + j] = (float) rows.get(kept[s])[j];
            }
        }
        return all;
    }

    /// Signed binary logarithm of one plus the size.
    static double log(double x) {
        return Math.signum(x) * Math.log(Math.abs(x) + 1) / Math.log(2);
    }

    /// All of a buffer that one statement accesses.
    private static final class Touch {
        private final Buffer buffer;
        private final List<IndexExpr> indices = new ArrayList<>();
        private boolean writes;
        private boolean reads;
        /// By loop around, outermost first: whether it moves an index, and how far it moves the first.
        private boolean[] moves = new boolean[0];
        private long[] strides = new long[0];
        /// Loops that move the first index, those with small strides first.
        private int[] order = new int[0];

        private int different;

        Touch(Buffer buffer) {
            this.buffer = buffer;
        }

        void look(Axis[] loops) {
            moves = new boolean[loops.length];
            strides = new long[loops.length];
            long[] unused = new long[loops.length];
            for (int i = 0; i < indices.size(); i++) {
                indices.get(i).strides(loops, loops.length, moves, i == 0 ? strides : unused);
            }
            order = new int[loops.length];
            int n = 0;
            for (int i = 0; i < loops.length; i++) {
                if (moves[i] && strides[i] != 0) {
                    int at = n++;
                    for (; at > 0 && Math.abs(strides[order[at - 1]]) > Math.abs(strides[i]); at--) {
                        order[at] = order[at - 1];
                    }
                    order[at] = i;
                }
            }
            order = Arrays.copyOf(order, n);
            different = (int) indices.stream().distinct().count();
        }

        /// Elements touched by the loops from one on inwards, and how many of them lie side by side. Loops whose
        /// strides interlock (a window sliding over an image) count as one dimension.
        private record Region(double elements, double continuous) {}

        Region region(Axis[] loops, int from) {
            double elements = 1;
            double continuous = 1;
            long step = 1;
            double run = 1;
            for (int i : order) {
                if (i < from) {
                    continue;
                }
                long stride = Math.abs(strides[i]);
                double steps = (double) stride / step;
                if (stride % step == 0 && steps <= run) {
                    run += steps * (loops[i].extent() - 1);
                } else {
                    continuous = step == 1 ? run : continuous;
                    elements *= run;
                    step = stride;
                    run = loops[i].extent();
                }
            }
            continuous = step == 1 ? run : continuous;
            elements *= run;
            for (int i = from; i < loops.length; i++) {
                elements *= moves[i] && strides[i] == 0 ? loops[i].extent() : 1;
            }
            elements *= different;
            return new Region(Math.min(buffer.elements(), elements), Math.min(buffer.elements(), continuous));
        }
    }

    /// One walk over a kernel.
    private static final class Walk {
        private final LoopNest nest;
        private final List<Axis> around = new ArrayList<>();
        private final Map<Buffer, List<Axis>> allocated = new LinkedHashMap<>();
        /// By loop the bytes touched in it so far, by buffer and access.
        private final Map<Axis, Map<Buffer, List<Double>>> touched = new HashMap<>();

        private final Map<Buffer, double[]> rows = new LinkedHashMap<>();
        private int unrollStep;

        Walk(LoopNest nest) {
            this.nest = nest;
            nest.accesses()
                    .forEach(a -> allocated.merge(
                            a.buffer(),
                            a.loops().stream().filter(x -> x.extent() > 1).toList(),
                            Walk::common));
            visit(nest.body());
        }

        private static List<Axis> common(List<Axis> a, List<Axis> b) {
            int n = 0;
            while (n < Math.min(a.size(), b.size()) && a.get(n) == b.get(n)) {
                n++;
            }
            return a.subList(0, n);
        }

        List<double[]> rows() {
            return List.copyOf(rows.values());
        }

        private void visit(NestStatement s) {
            switch (s) {
                case NestStatement.Loop l -> {
                    boolean exists = l.axis().extent() > 1;
                    if (exists) {
                        around.add(l.axis());
                    }
                    l.body().forEach(this::visit);
                    if (exists) {
                        around.removeLast();
                    }
                }
                case NestStatement.Guard g -> g.body().forEach(this::visit);
                case NestStatement.Pragma p -> {
                    int outside = unrollStep;
                    unrollStep = p.policy().maxStep();
                    p.body().forEach(this::visit);
                    unrollStep = outside;
                }
                // Sketches have no fragments.
                case NestStatement.Barrier _, NestStatement.Fragment _ -> {}
                case NestStatement.Store store -> {
                    double[] row = new double[LENGTH];
                    new Row(row, store).fill();
                    rows.put(store.buffer(), row);
                }
            }
        }

        /// The statistics of one statement.
        private final class Row {
            private final double[] to;
            private final NestStatement.Store store;
            private final Axis[] loops = around.toArray(Axis[]::new);
            private final double product = product(around);
            private final double[] operations = new double[2 * KINDS + 2];
            private final Map<Buffer, Touch> touches = new LinkedHashMap<>();
            private int next;

            Row(double[] to, NestStatement.Store store) {
                this.to = to;
                this.store = store;
            }

            private void put(double value) {
                to[next++] = value;
            }

            void fill() {
                touch(store.buffer(), store.index(), true);
                if (store.accumulate()) {
                    touch(store.buffer(), store.index(), false);
                    operations[ADD]++;
                }
                read(store.value());
                touches.values().forEach(t -> t.look(loops));
                computation();
                double[] intensity = intensityAndRegions();
                accesses();
                for (double v : intensity) {
                    put(v);
                }
                double outside = product(requireNonNull(allocated.get(store.buffer())));
                if (store.buffer().scope() == Buffer.Scope.GLOBAL) {
                    outside = 1;
                }
                put(log(store.buffer().bytes()));
                put(log(store.buffer().elements() * outside));
                put(log(outside));
                put(log(product / outside));
                put(log(product));
                put(log(loops.length));
                put(log(unrollStep));
            }

            private void touch(Buffer buffer, IndexExpr index, boolean writes) {
                Touch t = touches.computeIfAbsent(buffer, Touch::new);
                t.indices.add(index);
                t.writes |= writes;
                t.reads |= !writes;
            }

            private void read(NestValue v) {
                switch (v) {
                    case NestValue.Load l -> {
                        touch(l.buffer(), l.index(), false);
                        count(l.index());
                        if (!l.conditions().isEmpty()) {
                            operations[FUNCTION]++;
                            conditions(l.conditions());
                        }
                    }
                    case NestValue.Binary b -> {
                        operations[
                                switch (b.operator()) {
                                    case ADD, SUBTRACT -> ADD;
                                    case MULTIPLY, DOT -> MULTIPLY;
                                    case DIVIDE -> DIVIDE;
                                    case POWER -> FUNCTION;
                                    case MAX, MIN -> COMPARE;
                                }]++;
                        read(b.left());
                        read(b.right());
                    }
                    case NestValue.Unary u -> {
                        operations[FUNCTION]++;
                        read(u.of());
                    }
                    case NestValue.Select choice -> {
                        operations[SELECT]++;
                        conditions(choice.conditions());
                        read(choice.then());
                        read(choice.otherwise());
                    }
                    case NestValue.Constant _ -> {}
                }
            }

            /// Both bounds of each.
            private void conditions(List<IndexBound> conditions) {
                operations[KINDS + COMPARE] += 2 * conditions.size();
                operations[BOOLEAN] += 2 * conditions.size() - 1;
                conditions.forEach(c -> count(c.index()));
            }

            private void count(IndexExpr index) {
                List<IndexExpr.Term> terms = index.terms();
                operations[KINDS + ADD] += Math.max(0, terms.size() + (index.constant() == 0 ? 0 : 1) - 1);
                for (IndexExpr.Term t : terms) {
                    operations[KINDS + MULTIPLY] += t.factor() == 1 ? 0 : 1;
                    if (t.atom() instanceof IndexExpr.Division d) {
                        operations[KINDS + DIVIDE]++;
                        count(d.of());
                    }
                }
            }

            private void computation() {
                for (double o : operations) {
                    put(log(o * product));
                }
                loops(Axis.Binding.VECTORIZED);
                loops(Axis.Binding.UNROLLED);
                // No loop of a GPU's kernel is parallel but its blocks and threads.
                annotation(List.of());
                put(1);
                for (Axis.Binding b : List.of(
                        Axis.Binding.BLOCK_X,
                        Axis.Binding.BLOCK_Y,
                        Axis.Binding.BLOCK_Z,
                        Axis.Binding.THREAD_X,
                        Axis.Binding.THREAD_Y,
                        Axis.Binding.THREAD_Z)) {
                    put(log(nest.extent(b)));
                }
                put(log(product(Arrays.stream(loops)
                        .filter(a -> a.binding() == Axis.Binding.VTHREAD)
                        .toList())));
            }

            private void loops(Axis.Binding binding) {
                annotation(
                        Arrays.stream(loops).filter(a -> a.binding() == binding).toList());
            }

            /// Number, product, innermost length; eight positions, of which only "none" and "mixed" are known.
            private void annotation(List<Axis> annotated) {
                boolean none = annotated.isEmpty();
                put(log(annotated.size()));
                put(none ? 0 : log(product(annotated)));
                put(none ? 0 : log(annotated.getLast().extent()));
                to[next + (none ? 0 : 7)] = 1;
                next += 8;
            }

            /// Counts what each loop touches; the curve of operations by bytes.
            private double[] intensityAndRegions() {
                double work = Arrays.stream(operations, 0, KINDS).sum();
                double[] ops = new double[loops.length];
                double[] ratio = new double[loops.length];
                for (int i = loops.length - 1, k = 0; i >= 0; i--, k++) {
                    Map<Buffer, List<Double>> known = touched.computeIfAbsent(loops[i], _ -> new LinkedHashMap<>());
                    double bytes = 0;
                    for (Touch t : touches.values()) {
                        double own = t.region(loops, i).elements() * Buffer.ELEMENT_BYTES;
                        known.computeIfAbsent(t.buffer, _ -> new ArrayList<>()).add(own);
                        bytes += own;
                    }
                    work *= loops[i].extent();
                    ops[k] = Math.log(work) / Math.log(2);
                    ratio[k] = ops[k] * Math.log(2) / Math.log(bytes);
                }
                double[] curve = new double[SAMPLES];
                if (work <= 0 || loops.length == 0) {
                    return curve;
                }
                int at = 0;
                for (int s = 0; s < SAMPLES; s++) {
                    double x = ops[ops.length - 1] * (s + 1) / SAMPLES;
                    while (at < ops.length - 1 && ops[at] < x) {
                        at++;
                    }
                    curve[s] = at == 0
                            ? ratio[0]
                            : ratio[at - 1] + (ratio[at] - ratio[at - 1]) / (ops[at] - ops[at - 1]) * (x - ops[at - 1]);
                }
                return curve;
            }

            private void accesses() {
                List<double[]> all = touches.values().stream()
                        .map(this::access)
                        .sorted(BY_LINES)
                        .limit(BUFFERS)
                        .toList();
                int from = next;
                all.forEach(a -> {
                    System.arraycopy(a, 0, to, next, ACCESS);
                    next += ACCESS;
                });
                next = from + BUFFERS * ACCESS;
            }

            private double[] access(Touch t) {
                double[] a = new double[ACCESS];
                a[t.writes && t.reads ? 2 : t.writes ? 1 : 0] = 1;
                double bytes = product * Buffer.ELEMENT_BYTES;
                Touch.Region all = t.region(loops, 0);
                double unique = all.elements * Buffer.ELEMENT_BYTES;
                int i = loops.length - 1;
                double repeated = 1;
                while (i >= 0 && t.strides[i] == 0) {
                    repeated *= loops[i].extent();
                    i--;
                }
                double stride = i < 0 ? 0 : Math.abs(t.strides[i]);
                double lines = Math.max(1, product / repeated * Math.min(1, stride * Buffer.ELEMENT_BYTES / LINE));
                double uniqueLines = Math.max(1, unique / Math.min(all.continuous * Buffer.ELEMENT_BYTES, LINE));
                Reuse reuse = reuse(t);
                a[7 + reuse.kind.ordinal()] = 1;
                double[] sizes = {bytes, unique, lines, uniqueLines};
                for (int k = 0; k < sizes.length; k++) {
                    a[3 + k] = log(sizes[k]);
                    a[13 + k] = log(reuse.count > 0.5 ? sizes[k] / reuse.count : sizes[k] * 2);
                }
                a[10] = log(reuse.iterations);
                a[11] = log(reuse.bytes);
                a[12] = log(reuse.count);
                a[17] = log(i == loops.length - 1 ? stride : 0);
                return a;
            }

            private Reuse reuse(Touch t) {
                double iterations = 1;
                double bytes = -1;
                for (int i = loops.length - 1; i >= 0; i--) {
                    Map<Buffer, List<Double>> known = requireNonNull(touched.get(loops[i]));
                    double extent = loops[i].extent();
                    if (!t.moves[i]) {
                        // In the innermost loop an iteration is one element of each access.
                        double distance = bytes >= 0
                                ? bytes
                                : known.values().stream().mapToInt(List::size).sum() * (double) Buffer.ELEMENT_BYTES;
                        return new Reuse(Reuse.Kind.LOOP, iterations, distance, extent);
                    }
                    iterations *= extent;
                    bytes = known.values().stream()
                            .flatMap(List::stream)
                            .mapToDouble(b -> b)
                            .sum();
                    List<Double> own = requireNonNull(known.get(t.buffer));
                    if (own.size() > 1) {
                        double least = own.stream().mapToDouble(b -> b).min().orElseThrow() / Buffer.ELEMENT_BYTES;
                        return new Reuse(Reuse.Kind.SERIAL, least / extent, bytes / extent, own.size() - 1.0);
                    }
                }
                return new Reuse(Reuse.Kind.NONE, 0, 0, 0);
            }
        }

        private static double product(List<Axis> axes) {
            double product = 1;
            for (Axis a : axes) {
                product *= a.extent();
            }
            return product;
        }
    }

    /// How soon a statement comes back to the same elements.
    ///
    /// @param iterations between two uses
    /// @param bytes touched between two uses
    /// @param count of uses
    private record Reuse(Kind kind, double iterations, double bytes, double count) {
        enum Kind {
            LOOP,
            SERIAL,
            NONE
        }
    }

    /// Most lines first, then most bytes, then whatever else differs, so that the order of buffers in the text
    /// does not count.
    private static final Comparator<double[]> BY_LINES = Comparator.<double[]>comparingDouble(a -> -a[5])
            .thenComparingDouble(a -> -a[3])
            .thenComparing((a, b) -> Arrays.compare(b, a));
}
