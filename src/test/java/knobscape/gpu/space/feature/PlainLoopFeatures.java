package knobscape.gpu.space.feature;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.BufferAccess;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.nest.UnrollPlan;
import knobscape.gpu.space.template.ScheduleKnob;
import knobscape.gpu.space.template.Template;
import knobscape.space.Configuration;

/// AutoTVM's loop features written down as they are defined, from the lists that a nest gives of its axes and
/// accesses: what the quick extraction is held against.
final class PlainLoopFeatures {
    private static final int SAMPLES = 20;
    private static final int CURVES = 4;
    private static final int LOOP = 18;
    private static final int TOUCH = 6;

    private final Template template;
    /// Of the first configuration, which has every loop.
    private final List<String> axes;
    private final List<String> buffers;
    private final Map<String, Integer> slots = new HashMap<>();

    PlainLoopFeatures(Template template) {
        this.template = template;
        LoopNest nest = template.schedule(template.space().at(0)).main();
        axes = nest.axes().stream().map(Axis::name).toList();
        buffers = nest.accesses().stream()
                .map(a -> a.buffer().name())
                .distinct()
                .sorted()
                .toList();
        for (BufferAccess a : nest.accesses()) {
            a.loops().forEach(l -> slots.putIfAbsent(slot(l, a), slots.size()));
        }
    }

    private static String slot(Axis axis, BufferAccess access) {
        return axis.name() + " " + access.buffer().name();
    }

    private int options(Configuration c, List<Float> to) {
        for (int i = 0; i < template.space().scheduleKnobs().size(); i++) {
            if (template.space().scheduleKnobs().get(i) instanceof ScheduleKnob.Option o) {
                to.add((float) o.value(c.level(i)));
            }
        }
        return to.size();
    }

    private static float[] array(List<Float> values) {
        float[] a = new float[values.size()];
        for (int i = 0; i < a.length; i++) {
            a[i] = values.get(i);
        }
        return a;
    }

    float[] itervar(Configuration c) {
        LoopNest nest = template.schedule(c).main();
        var to = new ArrayList<Float>();
        int at = options(c, to);
        float[] row = java.util.Arrays.copyOf(array(to), at + axes.size() * LOOP + slots.size() * TOUCH);
        loops(List.of(nest.body()), UnrollPlan.of(nest), row, at, 0, 1);
        var done = new java.util.HashSet<Integer>();
        for (BufferAccess a : nest.accesses()) {
            List<Axis> around = a.loops();
            for (int i = 0; i < around.size(); i++) {
                int s = slots.get(slot(around.get(i), a));
                if (!done.add(s)) {
                    continue;
                }
                Axis axis = around.get(i);
                int f = at + axes.size() * LOOP + s * TOUCH;
                List<Axis> inside = around.subList(i, around.size());
                row[f] = log(axis.extent() == 1 ? 0 : a.index().stride(axis));
                row[f + 1] = log(-1);
                row[f + 2] = log(product(inside, a, true));
                row[f + 3] = log(product(inside, a, false));
                if (level(axis) > 0) {
                    // The part below the block/thread or thread/serial boundary.
                    int from = i;
                    while (from < around.size() && level(around.get(from)) >= level(axis)) {
                        from++;
                    }
                    List<Axis> below = around.subList(from, around.size());
                    row[f + 4] = log(product(inside, a, true) / product(below, a, true));
                    row[f + 5] = log(product(inside, a, false) / product(below, a, false));
                }
            }
        }
        return row;
    }

    private static int level(Axis a) {
        return a.binding().isBlock() ? 2 : a.binding().isThread() ? 1 : 0;
    }

    /// Product of the extents of the axes that move the index of an access, or of the others.
    private static double product(List<Axis> axes, BufferAccess access, boolean moving) {
        return axes.stream()
                .filter(x -> access.index().uses(x) == moving)
                .mapToDouble(Axis::extent)
                .reduce(1, (a, b) -> a * b);
    }

    private record Inside(int add, int multiply, double product) {}

    private Inside loops(List<NestStatement> body, UnrollPlan plan, float[] row, int at, int level, double topDown) {
        int add = 0;
        int multiply = 0;
        double product = 1;
        for (NestStatement s : body) {
            Inside in = switch (s) {
                case NestStatement.Loop l -> {
                    Axis a = l.axis();
                    Inside deep = loops(l.body(), plan, row, at, level + 1, topDown * a.extent());
                    float[] own = {log(a.extent()), level, log(topDown * a.extent()), log(deep.product * a.extent())};
                    int f = at + axes.indexOf(a.name()) * LOOP;
                    System.arraycopy(own, 0, row, f, own.length);
                    row[f + own.length + kind(a, plan)] = 1;
                    row[f + 15] = log(deep.add);
                    row[f + 16] = log(deep.multiply);
                    yield new Inside(deep.add, deep.multiply, deep.product * a.extent());
                }
                case NestStatement.Guard g -> loops(g.body(), plan, row, at, level, topDown);
                case NestStatement.Pragma p -> loops(p.body(), plan, row, at, level, topDown);
                case NestStatement.Barrier _, NestStatement.Fragment _ -> new Inside(0, 0, 1);
                case NestStatement.Store store ->
                    new Inside(
                            (store.accumulate() ? 1 : 0)
                                    + operations(store.value(), NestValue.Operator.ADD)
                                    + operations(store.value(), NestValue.Operator.SUBTRACT),
                            operations(store.value(), NestValue.Operator.MULTIPLY),
                            1);
            };
            add += in.add;
            multiply += in.multiply;
            product = Math.max(product, in.product);
        }
        return new Inside(add, multiply, product);
    }

    private static int operations(NestValue v, NestValue.Operator operator) {
        return v instanceof NestValue.Binary b
                ? (b.operator() == operator ? 1 : 0) + operations(b.left(), operator) + operations(b.right(), operator)
                : 0;
    }

    private static int kind(Axis a, UnrollPlan plan) {
        List<Axis.Binding> order = List.of(
                Axis.Binding.BLOCK_X,
                Axis.Binding.BLOCK_Y,
                Axis.Binding.BLOCK_Z,
                Axis.Binding.THREAD_X,
                Axis.Binding.THREAD_Y,
                Axis.Binding.THREAD_Z,
                Axis.Binding.UNROLLED);
        return a.binding() == Axis.Binding.VTHREAD
                ? 10
                : a.binding() != Axis.Binding.SERIAL ? order.indexOf(a.binding()) : plan.isUnrolled(a) ? 6 : 9;
    }

    private record Point(double x, double y) {}

    float[] curves(Configuration c) {
        LoopNest nest = template.schedule(c).main();
        var row = new ArrayList<Float>();
        options(c, row);
        for (String name : buffers) {
            List<BufferAccess> of = nest.accesses().stream()
                    .filter(a ->
                            a.buffer().name().equals(name) && (a.buffer().scope() != Buffer.Scope.LOCAL || a.write()))
                    .toList();
            for (int curve = 0; curve < CURVES; curve++) {
                var points = new ArrayList<Point>();
                for (BufferAccess a : of) {
                    for (int i = 0; i < a.loops().size(); i++) {
                        List<Axis> inside = a.loops().subList(i, a.loops().size());
                        double count = log(product(inside, a, true));
                        double reuse = log(product(inside, a, false));
                        double topDown = log(a.loops().subList(0, i + 1).stream()
                                .mapToDouble(Axis::extent)
                                .reduce(1, (x, y) -> x * y));
                        points.add(
                                switch (curve) {
                                    case 0 -> new Point(count, reuse);
                                    case 1 -> new Point(reuse, count);
                                    case 2 -> new Point(count, topDown);
                                    default -> new Point(topDown, count);
                                });
                    }
                }
                points.sort(Comparator.comparingDouble(Point::x).thenComparingDouble(Point::y));
                for (int x = 0; x < SAMPLES; x++) {
                    double sample = x;
                    List<Point> upTo =
                            points.stream().filter(p -> p.x <= sample).toList();
                    row.add(upTo.isEmpty() ? 0 : (float) upTo.getLast().y);
                    row.add(upTo.isEmpty() ? x : (float) (x - upTo.getLast().x));
                }
            }
        }
        return array(row);
    }

    private static float log(double x) {
        return (float) (Math.signum(x) * Math.log(Math.abs(x) + 1) * (1 / Math.log(2)));
    }
}
