package knobscape.gpu.feature;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.explore.tuning.TuningFeatures;
import knobscape.gpu.nest.Access;
import knobscape.gpu.nest.Axis;
import knobscape.gpu.nest.Buffer;
import knobscape.gpu.nest.LoopNest;
import knobscape.gpu.nest.Statement;
import knobscape.gpu.nest.UnrollPlan;
import knobscape.gpu.nest.Value;
import knobscape.gpu.template.ScheduleKnob;
import knobscape.gpu.template.ScheduleSpace;
import knobscape.gpu.template.Template;
import knobscape.space.Configuration;

/// AutoTVM's features of the loop nest of a template's main kernel (Chen et al., NeurIPS 2018, as released), in two forms:
///
/// - *itervar*: for every loop its length, nest level, product from the outside in and from the inside out, kind (one-hot of 11), operations in it, and for every buffer touched in
///   it how the flat index moves: stride, modulus, elements touched, reuse, and both per thread. Options of the template follow. All on the scale `sign(x) log2(|x| + 1)`.
/// - *curve*: for every buffer how reuse and the product from outside go with the elements touched, each curve read off at 20 points, which does not depend on the structure of the nest.
///
/// All configurations of a template have features of one length. Thread-safe.
public final class LoopFeatures implements TuningFeatures {
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

    private final Template template;
    private final Form form;
    private final int axes;
    /// Slot of a (loop, buffer), by loop times buffers plus buffer; -1 where the loop does not touch it.
    private final int[] slot;
    private final List<String> buffers;
    private final int touches;
    private final int options;
    private final int length;

    /// Features of a template.
    public LoopFeatures(Template template, Form form) {
        this.template = template;
        this.form = form;
        LoopNest nest = template.schedule(template.space().at(0)).main();
        axes = nest.axes().size();
        var names = nest.accesses().stream().map(a -> a.buffer().name()).distinct().sorted().toList();
        buffers = List.copyOf(names);
        slot = new int[axes * names.size()];
        java.util.Arrays.fill(slot, -1);
        int n = 0;
        for (Access a : nest.accesses()) {
            for (Axis axis : a.loops()) {
                int at = nest.axes().indexOf(axis) * names.size() + names.indexOf(a.buffer().name());
                if (slot[at] < 0) {
                    slot[at] = n++;
                }
            }
        }
        touches = n;
        options = (int) template.space().scheduleKnobs().stream().filter(ScheduleKnob.Option.class::isInstance).count();
        length = options + (form == Form.ITERVAR ? axes * LOOP + touches * TOUCH : names.size() * CURVES * SAMPLES * 2);
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void write(Configuration configuration, float[] to, int at) {
        java.util.Arrays.fill(to, at, at + length, 0f);
        LoopNest nest = template.schedule(configuration).main();
        int next = options(configuration, to, at);
        if (form == Form.ITERVAR) {
            itervar(nest, to, next);
        } else {
            curves(nest, to, next);
        }
    }

    private int options(Configuration configuration, float[] to, int at) {
        ScheduleSpace space = template.space();
        int next = at;
        for (int i = 0; i < space.scheduleKnobs().size(); i++) {
            if (space.scheduleKnobs().get(i) instanceof ScheduleKnob.Option o) {
                to[next++] = o.value(configuration.level(i));
            }
        }
        return next;
    }

    private void itervar(LoopNest nest, float[] to, int at) {
        var position = new HashMap<Axis, Integer>();
        for (int i = 0; i < axes; i++) {
            position.put(nest.axes().get(i), i);
        }
        loops(nest, UnrollPlan.of(nest), position, to, at);
        boolean[] done = new boolean[touches];
        int base = at + axes * LOOP;
        for (Access a : nest.accesses()) {
            int buffer = buffers.indexOf(a.buffer().name());
            List<Axis> around = a.loops();
            double count = 1;
            double reuse = 1;
            double countBelow = 1;
            double reuseBelow = 1;
            int level = 0;
            for (int i = around.size() - 1; i >= 0; i--) {
                Axis axis = around.get(i);
                int own = axis.binding().isBlock() ? 2 : axis.binding().isThread() ? 1 : 0;
                if (own > level) {
                    countBelow = count;
                    reuseBelow = reuse;
                    level = own;
                }
                if (a.index().uses(axis)) {
                    count *= axis.extent();
                } else {
                    reuse *= axis.extent();
                }
                int s = slot[position.get(axis) * buffers.size() + buffer];
                if (!done[s]) {
                    done[s] = true;
                    int f = base + s * TOUCH;
                    to[f] = log(axis.extent() == 1 ? 0 : a.index().stride(axis));
                    to[f + 1] = log(-1);
                    to[f + 2] = log(count);
                    to[f + 3] = log(reuse);
                    if (own > 0) {
                        to[f + 4] = log(count / countBelow);
                        to[f + 5] = log(reuse / reuseBelow);
                    }
                }
            }
        }
    }

    private static void loops(LoopNest nest, UnrollPlan plan, Map<Axis, Integer> position, float[] to, int at) {
        visit(nest.body(), plan, position, to, at, 0, 1);
    }

    /// Operations in a piece of text and the largest product of the loops in it.
    private record Inside(int add, int multiply, double product) { }

    private static Inside visit(Statement s, UnrollPlan plan, Map<Axis, Integer> position, float[] to, int at, int level, double topDown) {
        return switch (s) {
            case Statement.Loop l -> {
                Axis a = l.axis();
                Inside in = all(l.body(), plan, position, to, at, level + 1, topDown * a.extent());
                int f = at + position.get(a) * LOOP;
                to[f] = log(a.extent());
                to[f + 1] = level;
                to[f + 2] = log(topDown * a.extent());
                to[f + 3] = log(in.product * a.extent());
                to[f + 4 + kind(a, plan)] = 1;
                to[f + 4 + KINDS] = log(in.add);
                to[f + 5 + KINDS] = log(in.multiply);
                yield new Inside(in.add, in.multiply, in.product * a.extent());
            }
            case Statement.Guard g -> all(g.body(), plan, position, to, at, level, topDown);
            case Statement.Pragma p -> all(p.body(), plan, position, to, at, level, topDown);
            case Statement.Barrier b -> new Inside(0, 0, 1);
            case Statement.Store store -> new Inside((store.accumulate() ? 1 : 0) + operations(store.value(), Value.Operator.ADD) + operations(store.value(), Value.Operator.SUBTRACT),
                    operations(store.value(), Value.Operator.MULTIPLY), 1);
        };
    }

    private static Inside all(List<Statement> body, UnrollPlan plan, Map<Axis, Integer> position, float[] to, int at, int level, double topDown) {
        int add = 0;
        int multiply = 0;
        double product = 1;
        for (Statement s : body) {
            Inside in = visit(s, plan, position, to, at, level, topDown);
            add += in.add;
            multiply += in.multiply;
            product = Math.max(product, in.product);
        }
        return new Inside(add, multiply, product);
    }

    private static int operations(Value v, Value.Operator operator) {
        return v instanceof Value.Binary b ? (b.operator() == operator ? 1 : 0) + operations(b.left(), operator) + operations(b.right(), operator) : 0;
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
            case VTHREAD -> 10;
            case SERIAL -> plan.isUnrolled(a) ? 6 : 9;
        };
    }

    /// A point of a curve, both coordinates in log2.
    private record Point(double x, double y) { }

    private void curves(LoopNest nest, float[] to, int at) {
        var relations = new HashMap<String, List<List<Point>>>();
        for (Access a : nest.accesses()) {
            if (a.buffer().scope() == Buffer.Scope.LOCAL && !a.write()) {
                continue;
            }
            var points = relations.computeIfAbsent(a.buffer().name(), k -> {
                var four = new ArrayList<List<Point>>();
                for (int i = 0; i < CURVES; i++) {
                    four.add(new ArrayList<>());
                }
                return four;
            });
            double total = 1;
            for (Axis axis : a.loops()) {
                total *= axis.extent();
            }
            double count = 1;
            double reuse = 1;
            double inside = 1;
            for (Axis axis : a.loops().reversed()) {
                if (a.index().uses(axis)) {
                    count *= axis.extent();
                } else {
                    reuse *= axis.extent();
                }
                double topDown = total / inside;
                inside *= axis.extent();
                points.get(0).add(new Point(log(count), log(reuse)));
                points.get(1).add(new Point(log(reuse), log(count)));
                points.get(2).add(new Point(log(count), log(topDown)));
                points.get(3).add(new Point(log(topDown), log(count)));
            }
        }
        int f = at;
        for (String name : buffers) {
            List<List<Point>> four = relations.get(name);
            for (int c = 0; c < CURVES; c++) {
                List<Point> curve = four == null ? List.of() : four.get(c).stream().sorted(java.util.Comparator.comparingDouble(Point::x).thenComparingDouble(Point::y)).toList();
                int i = -1;
                for (int x = 0; x < SAMPLES; x++) {
                    while (i + 1 < curve.size() && curve.get(i + 1).x <= x) {
                        i++;
                    }
                    to[f++] = i < 0 ? 0 : (float) curve.get(i).y;
                    to[f++] = i < 0 ? x : (float) (x - curve.get(i).x);
                }
            }
        }
    }

    private static float log(double x) {
        return (float) (Math.signum(x) * Math.log(Math.abs(x) + 1) * INVERSE_LN_2);
    }

    private static final double INVERSE_LN_2 = 1 / Math.log(2);
}
