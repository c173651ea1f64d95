package knobscape.gpu.codegen;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Schedule.Role;

/// Inputs of a schedule.
///
/// @param arrays by the names of the buffers
public record Operands(Map<String, float[]> arrays) {
    /// Nothing.
    public static final Operands NONE = new Operands(Map.of());

    /// Random inputs: magnitudes in [0.5, 1), signs by chance, so that a single product that is missing or
    /// counted twice shows; positive where a logarithm, root or power needs it.
    public static Operands random(Schedule schedule, long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        boolean positive = isPositive(schedule);
        var arrays = new HashMap<String, float[]>();
        schedule.arguments().stream()
                .filter(a -> a.role().isInput())
                .sorted(Comparator.comparing(Schedule.Argument::role))
                .forEach(a -> arrays.put(a.buffer().name(), random(a.buffer(), positive, random)));
        return new Operands(arrays);
    }

    /// Whether inputs must be positive for the result to be a number.
    public static boolean isPositive(Schedule schedule) {
        return schedule.source() instanceof SketchSource s
                && s.computation(schedule.epilogue()).needsPositive();
    }

    private static float[] random(Buffer buffer, boolean positive, RandomGenerator random) {
        float[] values = new float[Math.toIntExact(buffer.elements())];
        for (int i = 0; i < values.length; i++) {
            float magnitude = 0.5f + 0.5f * random.nextFloat();
            values[i] = random.nextBoolean() || positive ? magnitude : -magnitude;
        }
        return values;
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
