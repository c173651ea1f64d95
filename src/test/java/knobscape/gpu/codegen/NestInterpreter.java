package knobscape.gpu.codegen;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Axis.Binding;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.IndexBound;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.template.Schedule;

/// Runs loop nests as they are defined, thread by thread between barriers, without printing or compiling them.
/// Complains of indices out of bounds, of elements read before they are written, and of races: two threads of a
/// block that touch one shared element between the same barriers, one of them writing.
final class NestInterpreter {
    private final LoopNest nest;
    private final Map<Buffer, float[]> memory;
    private final IdentityHashMap<Axis, Long> at = new IdentityHashMap<>();
    private final List<Axis> virtual = new ArrayList<>();
    /// Of the block: shared arrays, and which thread wrote and read each element in which interval between
    /// barriers.
    private final Map<Buffer, float[]> shared = new HashMap<>();
    private final Map<Buffer, long[]> writer = new HashMap<>();
    private final Map<Buffer, long[]> reader = new HashMap<>();
    private List<Map<Buffer, Map<List<Long>, float[]>>> local = new ArrayList<>();
    private long interval;
    private int thread;

    static float[] run(Schedule schedule, Operands operands) {
        var memory = new HashMap<Buffer, float[]>();
        for (Schedule.Argument a : schedule.arguments()) {
            memory.put(
                    a.buffer(),
                    switch (a.role()) {
                        case DATA, WEIGHT, SCALE, BIAS, RESIDUAL, INPUT -> operands.of(a.buffer());
                        case OUTPUT, PREPARED, WORKSPACE -> {
                            float[] poisoned = new float[(int) a.buffer().words()];
                            Arrays.fill(poisoned, ResultCheck.POISON);
                            yield poisoned;
                        }
                    });
        }
        schedule.setup().forEach(n -> new NestInterpreter(n, memory).run());
        schedule.kernels().forEach(n -> new NestInterpreter(n, memory).run());
        return memory.get(schedule.buffer(Schedule.Role.OUTPUT).orElseThrow());
    }

    private NestInterpreter(LoopNest nest, Map<Buffer, float[]> memory) {
        this.nest = nest;
        this.memory = memory;
        nest.axes().stream().filter(a -> a.binding() == Binding.VTHREAD).forEach(virtual::add);
    }

    private void run() {
        List<Axis> threads =
                nest.axes().stream().filter(a -> a.binding().isThread()).toList();
        each(nest.axes().stream().filter(a -> a.binding().isBlock()).toList(), 0, () -> block(threads));
    }

    private void each(List<Axis> axes, int i, Runnable body) {
        if (i == axes.size()) {
            body.run();
            return;
        }
        for (long v = 0; v < axes.get(i).extent(); v++) {
            at.put(axes.get(i), v);
            each(axes, i + 1, body);
        }
    }

    private void block(List<Axis> threads) {
        shared.clear();
        writer.clear();
        reader.clear();
        interval = 1;
        local = new ArrayList<>();
        for (int t = 0; t < nest.threads(); t++) {
            local.add(new HashMap<>());
        }
        for (Buffer b : nest.allocations()) {
            if (b.scope() == Buffer.Scope.SHARED) {
                shared.put(b, poisoned(b));
                writer.put(b, new long[(int) b.elements()]);
                reader.put(b, new long[(int) b.elements()]);
            }
        }
        inStep(List.of(inside(nest.body())), threads);
    }

    /// What is inside the block, virtual and thread axes.
    private static NestStatement inside(NestStatement s) {
        NestStatement current = s;
        while (current instanceof NestStatement.Loop l
                && l.axis().binding() != Binding.SERIAL
                && l.axis().binding() != Binding.UNROLLED) {
            if (l.body().size() > 1) {
                return new NestStatement.Pragma(knobscape.gpu.space.nest.UnrollPolicy.NONE, l.body());
            }
            current = l.body().getFirst();
        }
        return current;
    }

    private static float[] poisoned(Buffer b) {
        float[] a = new float[(int) b.words()];
        Arrays.fill(a, ResultCheck.POISON);
        return a;
    }

    /// All threads go through statements that hold barriers together, and through others one after the other.
    private void inStep(List<NestStatement> body, List<Axis> threads) {
        for (NestStatement s : body) {
            if (!hasBarrier(s)) {
                thread = 0;
                each(threads, 0, () -> {
                    execute(s, List.of());
                    thread++;
                });
                continue;
            }
            switch (s) {
                case NestStatement.Barrier _ -> interval++;
                case NestStatement.Pragma p -> inStep(p.body(), threads);
                case NestStatement.Loop l -> {
                    for (long v = 0; v < l.axis().extent(); v++) {
                        at.put(l.axis(), v);
                        inStep(l.body(), threads);
                    }
                }
                case NestStatement.Guard _ -> throw new AssertionError("a barrier under a condition");
                case NestStatement.Store _, NestStatement.Fragment _ -> throw new AssertionError();
            }
        }
    }

    private static boolean hasBarrier(NestStatement s) {
        return switch (s) {
            case NestStatement.Barrier _ -> true;
            case NestStatement.Store _, NestStatement.Fragment _ -> false;
            case NestStatement.Loop l -> l.body().stream().anyMatch(NestInterpreter::hasBarrier);
            case NestStatement.Pragma p -> p.body().stream().anyMatch(NestInterpreter::hasBarrier);
            case NestStatement.Guard g -> g.body().stream().anyMatch(NestInterpreter::hasBarrier);
        };
    }

    private void execute(NestStatement s, List<IndexBound> conditions) {
        switch (s) {
            case NestStatement.Loop l -> {
                for (long v = 0; v < l.axis().extent(); v++) {
                    at.put(l.axis(), v);
                    l.body().forEach(b -> execute(b, conditions));
                }
            }
            case NestStatement.Pragma p -> p.body().forEach(b -> execute(b, conditions));
            case NestStatement.Guard g -> {
                var both = new ArrayList<>(conditions);
                both.addAll(g.conditions());
                g.body().forEach(b -> execute(b, both));
            }
            case NestStatement.Store store -> {
                virtual.forEach(v -> at.put(v, 0L));
                each(nest.virtualAxes(store, conditions), 0, () -> {
                    if (conditions.stream().allMatch(this::holds)) {
                        store(store);
                    }
                });
            }
            case NestStatement.Barrier _ -> throw new AssertionError();
            case NestStatement.Fragment _ -> throw new AssertionError("fragments run on the emulated device");
        }
    }

    private boolean holds(IndexBound c) {
        long v = c.index().value(at::get);
        assert c.index().min() <= v && v <= c.index().max();
        return v >= 0 && v < c.limit();
    }

    private void store(NestStatement.Store s) {
        double value = value(s.value());
        int i = (int) s.index().value(at::get);
        float[] array = array(s.buffer());
        check(s.buffer(), i);
        if (s.buffer().scope() == Buffer.Scope.SHARED) {
            long mark = interval * nest.threads() + thread + 1;
            race(s.buffer(), writer.get(s.buffer())[i], i);
            race(s.buffer(), reader.get(s.buffer())[i], i);
            writer.get(s.buffer())[i] = mark;
        }
        if (s.accumulate() && isPoison(s.buffer(), array[i])) {
            throw new AssertionError("adds to " + s.buffer().name() + "[" + i + "], which holds nothing");
        }
        switch (s.buffer().format()) {
            case FLOAT -> array[i] = (float) (s.accumulate() ? array[i] + value : value);
            case WORD ->
                array[i] = Float.intBitsToFloat((s.accumulate() ? Float.floatToRawIntBits(array[i]) : 0) + (int) value);
            case BYTE -> {
                int shift = i % 4 * Byte.SIZE;
                array[i / 4] = Float.intBitsToFloat(
                        (Float.floatToRawIntBits(array[i / 4]) & ~(0xff << shift)) | (((int) value & 0xff) << shift));
            }
        }
    }

    private void race(Buffer b, long mark, int i) {
        if (mark != 0 && (mark - 1) / nest.threads() == interval && (mark - 1) % nest.threads() != thread) {
            throw new AssertionError("two threads touch " + b.name() + "[" + i + "] without a barrier between");
        }
    }

    private static boolean isPoison(Buffer b, float x) {
        return b.format() == Buffer.Format.FLOAT
                ? Float.isNaN(x)
                : Float.floatToRawIntBits(x) == Float.floatToRawIntBits(ResultCheck.POISON);
    }

    private double value(NestValue v) {
        return switch (v) {
            case NestValue.Constant c -> (float) c.value();
            case NestValue.Load l -> {
                if (!l.conditions().stream().allMatch(this::holds)) {
                    yield 0;
                }
                int i = (int) l.index().value(at::get);
                check(l.buffer(), i);
                float x = array(l.buffer())[i];
                if (isPoison(l.buffer(), x)) {
                    throw new AssertionError("reads " + l.buffer().name() + "[" + i + "], which holds nothing");
                }
                if (l.buffer().scope() == Buffer.Scope.SHARED) {
                    race(l.buffer(), writer.get(l.buffer())[i], i);
                    reader.get(l.buffer())[i] = interval * nest.threads() + thread + 1;
                }
                yield l.buffer().format() == Buffer.Format.FLOAT ? x : Float.floatToRawIntBits(x);
            }
            case NestValue.Binary(var o, var left, var right)
            when o == NestValue.Operator.DOT -> o.of(value(left), value(right));
            case NestValue.Unary(var f, var of) when f.isOfWords() -> f.of(value(of));
            case NestValue.Binary b -> (float) b.operator().of(value(b.left()), value(b.right()));
            case NestValue.Unary u -> (float) u.function().of(value(u.of()));
            case NestValue.Select s ->
                s.conditions().stream().allMatch(this::holds) ? value(s.then()) : value(s.otherwise());
        };
    }

    private static void check(Buffer b, int i) {
        if (i < 0 || i >= b.elements()) {
            throw new AssertionError(b.name() + "[" + i + "] is outside " + b.elements());
        }
    }

    private float[] array(Buffer b) {
        return switch (b.scope()) {
            case GLOBAL -> memory.get(b);
            case SHARED -> shared.get(b);
            case LOCAL ->
                local.get(thread)
                        .computeIfAbsent(b, _ -> new HashMap<>())
                        .computeIfAbsent(
                                nest.virtualAxes(b).stream().map(at::get).toList(), _ -> poisoned(b));
        };
    }
}
