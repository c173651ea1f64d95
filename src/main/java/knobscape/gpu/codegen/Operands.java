package knobscape.gpu.codegen;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Schedule.Role;

/// Inputs of a schedule. Arrays that a schedule has no use for are empty.
///
/// @param data activations or first matrix
/// @param weight weights or second matrix
/// @param bias one value for each output channel or column
/// @param residual of the output's shape
public record Operands(float[] data, float[] weight, float[] bias, float[] residual) {

    /// Random inputs: magnitudes in [0.5, 1), signs by chance, so that a single product that is missing or
    /// counted twice shows.
    public static Operands random(Schedule schedule, long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        return new Operands(
                random(schedule, Role.DATA, random),
                random(schedule, Role.WEIGHT, random),
                random(schedule, Role.BIAS, random),
                random(schedule, Role.RESIDUAL, random));
    }

    private static float[] random(Schedule schedule, Role role, RandomGenerator random) {
        float[] values = new float
                [Math.toIntExact(schedule.buffer(role).map(Buffer::elements).orElse(0L))];
        for (int i = 0; i < values.length; i++) {
            float magnitude = 0.5f + 0.5f * random.nextFloat();
            values[i] = random.nextBoolean() ? magnitude : -magnitude;
        }
        return values;
    }

    /// The array of a role that is an input; throws `IllegalArgumentException` for another.
    public float[] of(Role role) {
        return switch (role) {
            case DATA -> data;
            case WEIGHT -> weight;
            case BIAS -> bias;
            case RESIDUAL -> residual;
            case OUTPUT, PREPARED, WORKSPACE -> throw new IllegalArgumentException(role + " is not an input");
        };
    }
}
