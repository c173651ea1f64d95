package knobscape.gpu.space.feature;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.BufferAccess;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.nest.UnrollPlan;
import knobscape.gpu.space.template.ScheduleKnob;
import knobscape.gpu.space.template.ScheduleSource;
import knobscape.gpu.space.template.ScheduleSpace;
import knobscape.space.Configuration;
import knobscape.space.Encoder;

/// AutoTVM's features of the loop nest of a template's main kernel (Chen et al., NeurIPS 2018, as released), in
/// two forms:
///
/// - *itervar*: for every loop its length, nest level, product from the outside in and from the inside out,
///   kind (one-hot of 11), operations in it, and for every buffer touched in it how the flat index moves:
///   stride, modulus, elements touched, reuse, and both per thread. Options of the template follow. All on the
///   scale `sign(x) log2(|x| + 1)`.
/// - *curve*: for every buffer how reuse and the product from outside go with the elements touched, each curve
///   read off at 20 points, which does not depend on the structure of the nest.
///
/// All configurations of a template have features of one length. Thread-safe.
public final class LoopFeatures implements Encoder {
    private static final int KINDS = 11;
    private static final int LOOP = 4 + KINDS + 3;
    private static final int TOUCH = 6;
    private static final int SAMPLES = 20;
    private static final int CURVES = 4;

    /// Which form.
    public enum Form {
        /// Loop by loop.
        ITERVAR,
        /// Relations between loops.
        CURVE
    }

    private final ScheduleSource template;
    private final Form form;
    /// Names of the axes in order of first appearance, and where each stands.
    private final List<String> axes;
    private final Map<String, Integer> places;
    /// Slot of a (loop, buffer), by loop times buffers plus buffer; -1 where the loop does not touch it.
    private final int[] slot;
    private final String[] buffers;
    private final int touches;
    private final int options;
    private final int length;

    /// Features of a template.
    public LoopFeatures(ScheduleSource template, Form form) {
        this.template = template;
        this.form = form;
        // The first configuration leaves everything outside: it has every loop that any other has.
        LoopNest nest = template.schedule(template.space().at(0)).main();
        axes = nest.axes().stream().map(Axis::name).toList();
        places = new HashMap<>();
        axes.forEach(a -> places.put(a, places.size()));
        buffers = nest.accesses().stream()
                .map(a -> a.buffer().name())
                .distinct()
                .sorted()
                .toArray(String[]::new);
        slot = new int[axes.size() * buffers.length];
        Arrays.fill(slot, -1);
        int n = 0;
        for (BufferAccess a : nest.accesses()) {
            for (Axis axis : a.loops()) {
                int at = requireNonNull(places.get(axis.name())) * buffers.length + buffer(a.buffer());
                if (slot[at] < 0) {
                    slot[at] = n++;
                }
            }
        }
        touches = n;
        options = (int) template.space().scheduleKnobs().stream()
                .filter(ScheduleKnob.Option.class::isInstance)
                .count();
        length = options
                + (form == Form.ITERVAR ? axes.size() * LOOP + touches * TOUCH : buffers.length * CURVES * SAMPLES * 2);
    }

    private int buffer(Buffer buffer) {
        for (int i = 0; i < buffers.length; i++) {
            if (buffers[i].equals(buffer.name())) {
                return i;
            }
        }
        throw new IllegalStateException(
                "buffer " + buffer.name() + " is in no access of the first configuration of " + template.id());
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public double[] encode(Configuration configuration) {
        double[] to = new double[length];
        LoopNest nest = template.schedule(configuration).main();
        int next = options(configuration, to);
        if (form == Form.ITERVAR) {
            new LoopWalk(nest, to, next).all(List.of(nest.body()), 0, 1);
        } else {
            var walk = new CurveWalk();
            walk.visit(nest.body());
            walk.sample(to, next);
        }
        return to;
    }

    private int options(Configuration configuration, double[] to) {
        ScheduleSpace space = template.space();
        int next = 0;
        for (int i = 0; i < space.scheduleKnobs().size(); i++) {
            if (space.scheduleKnobs().get(i) instanceof ScheduleKnob.Option o) {
                to[next++] = o.value(configuration.level(i));
            }
        }
        return next;
    }

    /// The loops around a place of the text, outermost first. A search asks for the features of tens of
    /// thousands of configurations per plan, so that one walk over the nest has to do, without lists of
    /// accesses and with a logarithm only where a product has changed.
    private abstract static class Walk {
        private static final int DEEPEST = 64;
        final Axis[] around = new Axis[DEEPEST];
        /// How the axes of [#around] move the index looked up last.
        final boolean[] moves = new boolean[DEEPEST];
        final long[] strides = new long[DEEPEST];
        int depth;

        final void look(IndexExpr index) {
            Arrays.fill(moves, 0, depth, false);
            Arrays.fill(strides, 0, depth, 0);
            index.strides(around, depth, moves, strides);
        }

        /// A place that reads or writes a buffer inside of the first [#depth] loops of [#around].
        abstract void access(Buffer buffer, IndexExpr index, boolean write);

        final void fragment(NestStatement.Fragment f) {
            f.from().forEach(p -> access(p.buffer(), p.index(), false));
            access(f.to().buffer(), f.to().index(), true);
        }

        final void reads(NestValue v) {
            switch (v) {
                case NestValue.Load l -> access(l.buffer(), l.index(), false);
                case NestValue.Binary b -> {
                    reads(b.left());
                    reads(b.right());
                }
                case NestValue.Unary u -> reads(u.of());
                case NestValue.Select s -> {
                    reads(s.then());
                    reads(s.otherwise());
                }
                case NestValue.Constant _ -> {}
            }
        }
    }

    /// Writes the features loop by loop.
    private final class LoopWalk extends Walk {
        private final UnrollPlan plan;
        private final double[] to;
        private final int at;
        private final int[] place = new int[Walk.DEEPEST];
        private final boolean[] done = new boolean[touches];
        private int met;
        private int add;
        private int multiply;

        LoopWalk(LoopNest nest, double[] to, int at) {
            this.plan = UnrollPlan.of(nest);
            this.to = to;
            this.at = at;
        }

        /// The largest product of the loops in a piece of text; [#add] and [#multiply] go up by the operations
        /// in it.
        ///
        /// @param level loops around it
        /// @param topDown their product
        private double visit(NestStatement s, int level, double topDown) {
            return switch (s) {
                case NestStatement.Loop l -> loop(l, level, topDown);
                case NestStatement.Guard g -> all(g.body(), level, topDown);
                case NestStatement.Pragma p -> all(p.body(), level, topDown);
                case NestStatement.Barrier _ -> 1;
                case NestStatement.Fragment f -> {
                    boolean adds = f.action() == NestStatement.Fragment.Action.MULTIPLY;
                    add += adds ? 1 : 0;
                    multiply += adds ? 1 : 0;
                    fragment(f);
                    yield 1;
                }
                case NestStatement.Store store -> {
                    add += store.accumulate() ? 1 : 0;
                    operations(store.value());
                    reads(store.value());
                    access(store.buffer(), store.index(), true);
                    yield 1;
                }
            };
        }

        private double loop(NestStatement.Loop l, int level, double topDown) {
            Axis a = l.axis();
            double outside = topDown * a.extent();
            // Axes come in the order of the template, but for loops that a configuration does without.
            int p = met < axes.size() && axes.get(met).equals(a.name()) ? met : requireNonNull(places.get(a.name()));
            met = p + 1;
            around[depth] = a;
            place[depth++] = p;
            int addBefore = add;
            int multiplyBefore = multiply;
            double inside = all(l.body(), level + 1, outside) * a.extent();
            depth--;
            int f = at + p * LOOP;
            to[f] = log(a.extent());
            to[f + 1] = level;
            to[f + 2] = log(outside);
            to[f + 3] = log(inside);
            to[f + 4 + kind(a, plan)] = 1;
            to[f + 4 + KINDS] = log(add - addBefore);
            to[f + 5 + KINDS] = log(multiply - multiplyBefore);
            return inside;
        }

        private double all(List<NestStatement> body, int level, double topDown) {
            double product = 1;
            for (NestStatement s : body) {
                product = Math.max(product, visit(s, level, topDown));
            }
            return product;
        }

        private void operations(NestValue v) {
            if (v instanceof NestValue.Binary b) {
                add += b.operator() == NestValue.Operator.ADD || b.operator() == NestValue.Operator.SUBTRACT ? 1 : 0;
                multiply +=
                        b.operator() == NestValue.Operator.MULTIPLY || b.operator() == NestValue.Operator.DOT ? 1 : 0;
                operations(b.left());
                operations(b.right());
            }
        }

        @Override
        void access(Buffer buffer, IndexExpr index, boolean write) {
            int column = buffer(buffer);
            int base = at + axes.size() * LOOP;
            look(index);
            double count = 1;
            double reuse = 1;
            double countBelow = 1;
            double reuseBelow = 1;
            float logCount = LOG_1;
            float logReuse = LOG_1;
            int level = 0;
            for (int i = depth - 1; i >= 0; i--) {
                Axis axis = around[i];
                int own = axis.binding().isBlock() ? 2 : axis.binding().isThread() ? 1 : 0;
                if (own > level) {
                    countBelow = count;
                    reuseBelow = reuse;
                    level = own;
                }
                if (moves[i]) {
                    count *= axis.extent();
                    logCount = log(count);
                } else if (axis.extent() > 1) {
                    reuse *= axis.extent();
                    logReuse = log(reuse);
                }
                int s = slot[place[i] * buffers.length + column];
                if (!done[s]) {
                    done[s] = true;
                    int f = base + s * TOUCH;
                    to[f] = log(strides[i]);
                    to[f + 1] = LOG_MINUS_1;
                    to[f + 2] = logCount;
                    to[f + 3] = logReuse;
                    if (own > 0) {
                        to[f + 4] = log(count / countBelow);
                        to[f + 5] = log(reuse / reuseBelow);
                    }
                }
            }
        }
    }

    /// Block x, y, z; thread x, y, z; unrolled; vectorized; parallel; serial; virtual thread.
    private static int kind(Axis a, UnrollPlan plan) {
        return switch (a.binding()) {
            case BLOCK_X -> 0;
            case BLOCK_Y -> 1;
            case BLOCK_Z -> 2;
            case THREAD_X -> 3;
            case THREAD_Y -> 4;
            case THREAD_Z -> 5;
            case UNROLLED -> 6;
            case VECTORIZED -> 7;
            case VTHREAD -> 10;
            case SERIAL -> plan.isUnrolled(a) ? 6 : 9;
        };
    }

    /// Gathers the curves. A curve is read off at whole numbers, so that of the points between two of these
    /// only the last one (by x, then y) is kept.
    private final class CurveWalk extends Walk {
        /// By buffer, curve and sample.
        private final float[] xs = new float[buffers.length * CURVES * SAMPLES];
        private final float[] ys = new float[xs.length];

        CurveWalk() {
            Arrays.fill(xs, Float.NEGATIVE_INFINITY);
        }

        void visit(NestStatement s) {
            switch (s) {
                case NestStatement.Loop l -> {
                    around[depth++] = l.axis();
                    l.body().forEach(this::visit);
                    depth--;
                }
                case NestStatement.Guard g -> g.body().forEach(this::visit);
                case NestStatement.Pragma p -> p.body().forEach(this::visit);
                case NestStatement.Barrier _ -> {}
                case NestStatement.Fragment f -> fragment(f);
                case NestStatement.Store store -> {
                    reads(store.value());
                    access(store.buffer(), store.index(), true);
                }
            }
        }

        @Override
        void access(Buffer buffer, IndexExpr index, boolean write) {
            if (buffer.scope() == Buffer.Scope.LOCAL && !write) {
                return;
            }
            int first = buffer(buffer) * CURVES;
            look(index);
            double total = 1;
            for (int i = 0; i < depth; i++) {
                total *= around[i].extent();
            }
            double count = 1;
            double reuse = 1;
            double inside = 1;
            float logCount = LOG_1;
            float logReuse = LOG_1;
            float logTopDown = log(total);
            boolean fresh = true;
            for (int i = depth - 1; i >= 0; i--) {
                Axis axis = around[i];
                if (axis.extent() == 1 && !fresh) {
                    // The same points as one further in.
                    continue;
                }
                fresh = false;
                if (moves[i]) {
                    count *= axis.extent();
                    logCount = log(count);
                } else if (axis.extent() > 1) {
                    reuse *= axis.extent();
                    logReuse = log(reuse);
                }
                point(first, logCount, logReuse);
                point(first + 1, logReuse, logCount);
                point(first + 2, logCount, logTopDown);
                point(first + 3, logTopDown, logCount);
                if (axis.extent() > 1) {
                    inside *= axis.extent();
                    logTopDown = log(total / inside);
                    fresh = true;
                }
            }
        }

        private void point(int curve, float x, float y) {
            int sample = (int) Math.ceil(x);
            if (sample >= SAMPLES) {
                return;
            }
            int i = curve * SAMPLES + sample;
            if (x > xs[i] || (x == xs[i] && y > ys[i])) {
                xs[i] = x;
                ys[i] = y;
            }
        }

        void sample(double[] to, int at) {
            int f = at;
            for (int c = 0; c < buffers.length * CURVES; c++) {
                int last = -1;
                for (int x = 0; x < SAMPLES; x++) {
                    int i = c * SAMPLES + x;
                    last = xs[i] > Float.NEGATIVE_INFINITY ? i : last;
                    to[f++] = last < 0 ? 0 : ys[last];
                    to[f++] = last < 0 ? x : (float) ((double) x - xs[last]);
                }
            }
        }
    }

    private static float log(double x) {
        int small = (int) x;
        return small == x && small >= 0 && small < SMALL.length ? SMALL[small] : exact(x);
    }

    private static float exact(double x) {
        return (float) (Math.signum(x) * Math.log(Math.abs(x) + 1) * INVERSE_LN_2);
    }

    private static final double INVERSE_LN_2 = 1 / Math.log(2);
    private static final float[] SMALL = new float[1024];
    private static final float LOG_1 = exact(1);
    private static final float LOG_MINUS_1 = exact(-1);

    static {
        for (int i = 0; i < SMALL.length; i++) {
            SMALL[i] = exact(i);
        }
    }
}
