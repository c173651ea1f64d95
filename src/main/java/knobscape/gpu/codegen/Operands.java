package knobscape.gpu.codegen;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.sketch.Computation;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.sketch.Stage;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Schedule.Role;
import knobscape.network.task.Workload;

/// Inputs of a schedule.
///
/// @param arrays by the names of the buffers
public record Operands(Map<String, float[]> arrays) {
    /// Nothing.
    public static final Operands NONE = new Operands(Map.of());

    private static final int GOLDEN = 0x9E3779B9;
    /// The variance of evenly spread 8-bit integers.
    private static final double VARIANCE = 5461;
    private static final double[] FACTORS = {2, 8, 0.5};

    /// How large the values of an input are: a magnitude of [0.5, 1) times `gain`, and, where it is uneven, times 2, 8
    /// and 0.5 by turns, a turn being `run` neighbours, so that results lie on all sides of where a tail bends.
    ///
    /// @param gain the inverse of the root of the number of products in a sum, for one of two factors
    /// @param run neighbours that share a factor; 0 where all factors are 1
    /// @param turns how many runs there are before they begin again
    public record Range(double gain, long run, long turns) {
        private static final Range PLAIN = new Range(1, 0, 1);

        double of(long index) {
            return run == 0 ? gain : gain * FACTORS[(int) (index / run % turns % FACTORS.length)];
        }
    }

    /// Inputs that are the same for the same seed: magnitudes of their [Range], signs from the highest bit of a hash of
    /// the place, so that a single product that is missing or counted twice shows; positive where a logarithm, root
    /// or power needs it. The exported check makes the same.
    public static Operands random(Schedule schedule, long seed) {
        boolean positive = isPositive(schedule);
        var arrays = new HashMap<String, float[]>();
        for (int b = 0; b < schedule.arguments().size(); b++) {
            Schedule.Argument a = schedule.arguments().get(b);
            if (a.role().isInput()) {
                arrays.put(a.buffer().name(), values(a.buffer(), range(schedule, a), (int) seed + b, positive));
            }
        }
        return new Operands(arrays);
    }

    /// True if inputs must be positive for the result to be a number.
    public static boolean isPositive(Schedule schedule) {
        return schedule.source() instanceof SketchSource s
                && s.computation(schedule.epilogue()).needsPositive();
    }

    /// How large the values of an argument are.
    public static Range range(Schedule schedule, Schedule.Argument argument) {
        Role role = argument.role();
        if (schedule.source().workload().type().isIntegral()) {
            return ofIntegers(schedule, role);
        }
        Range range = ofFloats(schedule, argument);
        return argument.buffer().format() == Buffer.Format.HALF
                ? new Range(Math.scalb(1, Math.getExponent(range.gain)), range.run, range.turns)
                : range;
    }

    private static Range ofFloats(Schedule schedule, Schedule.Argument argument) {
        Role role = argument.role();
        return switch (schedule.source().workload()) {
            case Workload.Conv2d c
            when role == Role.WEIGHT -> {
                long terms = c.channels() / c.groups() * c.kernelHeight() * c.kernelWidth();
                yield new Range(1 / Math.sqrt(terms), terms, c.filters());
            }
            case Workload.Dense d when role == Role.WEIGHT -> new Range(1 / Math.sqrt(d.k()), d.k(), d.n());
            case Workload.BatchMatmul b when role == Role.WEIGHT -> new Range(1 / Math.sqrt(b.k()), 1, b.n());
            case Workload.Graph _ when schedule.source() instanceof SketchSource s -> ofGraph(s, schedule, argument);
            default -> Range.PLAIN;
        };
    }

    /// Of sums of products of evenly spread 8-bit integers, results are about 1, or, where they are rounded, 50.
    private static Range ofIntegers(Schedule schedule, Role role) {
        Workload w = schedule.source().workload();
        double factor = 1;
        for (Epilogue.Step s : schedule.epilogue().steps()) {
            factor = switch (s) {
                case Epilogue.Linear l -> factor / Math.max(Math.abs(l.factor()), Double.MIN_NORMAL);
                case Epilogue.Quantize _ -> 50 * factor;
                default -> factor;
            };
        }
        double terms =
                (double) w.macs() / ResultCheck.extents(schedule).stream().reduce(1L, Math::multiplyExact);
        return role == Role.SCALE
                ? new Range(factor / (VARIANCE * Math.sqrt(terms)), 1, Long.MAX_VALUE)
                : new Range(factor, 0, 1);
    }

    /// Of a subgraph, which may multiply any two inputs, each takes half of a sum's gain; the rows of the first one
    /// differ.
    private static Range ofGraph(SketchSource source, Schedule schedule, Schedule.Argument argument) {
        Computation c = source.computation(schedule.epilogue());
        if (c.needsPositive() || c.stages().stream().anyMatch(s -> s.gather() == NestValue.Operator.MULTIPLY)) {
            return Range.PLAIN;
        }
        long terms = c.stages().stream()
                .filter(s -> s.isReduction() && s.gather() == NestValue.Operator.ADD)
                .mapToLong(Stage::reduceExtent)
                .max()
                .orElse(1);
        double gain = 1 / Math.sqrt(Math.sqrt(terms));
        List<Long> shape = c.inputs().getFirst().shape();
        return c.inputs().getFirst().name().equals(argument.buffer().name())
                ? new Range(gain, shape.isEmpty() ? 1 : shape.getLast(), Long.MAX_VALUE)
                : new Range(gain, 0, 1);
    }

    private static float[] values(Buffer buffer, Range range, int seed, boolean positive) {
        float[] values = new float[Math.toIntExact(buffer.words())];
        int start = hash(seed);
        for (int i = 0; i < values.length; i++) {
            if (buffer.format() == Buffer.Format.HALF) {
                values[i] = halves(range, 2 * i, start);
                continue;
            }
            int h = hash(i * GOLDEN + start);
            if (buffer.format() != Buffer.Format.FLOAT) {
                values[i] = Float.intBitsToFloat(h);
                continue;
            }
            double magnitude = (0.5 + (h >>> 8 & 0x7fffff) * 0x1p-24) * range.of(i);
            values[i] = (float) (h >= 0 || positive ? magnitude : -magnitude);
        }
        return values;
    }

    /// Two 16-bit floats in a word, the first in the lower bits: magnitudes of ten digits, so that none is rounded
    /// where
    /// the range's gain is a power of two.
    private static float halves(Range range, int first, int start) {
        int word = 0;
        for (int i = 1; i >= 0; i--) {
            int h = hash((first + i) * GOLDEN + start);
            double magnitude = (0.5 + (h >>> 8 & 0x3ff) * 0x1p-11) * range.of(first + i);
            word = word << Short.SIZE | (Float.floatToFloat16((float) (h >= 0 ? magnitude : -magnitude)) & 0xffff);
        }
        return Float.intBitsToFloat(word);
    }

    /// A number of 32 bits, each of which depends on every bit of another one.
    static int hash(int x) {
        int h = (x ^ x >>> 16) * 0x7feb352d;
        h = (h ^ h >>> 15) * 0x846ca68b;
        return h ^ h >>> 16;
    }

    /// The array of an input.
    public float[] of(Buffer buffer) {
        return of(buffer.name());
    }

    /// The array of an input by its name.
    public float[] of(String name) {
        return requireNonNull(arrays.get(name), name);
    }

    /// The array of a role that an input has alone; empty where no input has it.
    public float[] of(Schedule schedule, Role role) {
        return schedule.buffer(role).map(this::of).orElseGet(() -> new float[0]);
    }
}
