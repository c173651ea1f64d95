package knobscape.gpu.codegen;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.task.Workload;

/// Holds a result against the [Reference]. The error of an element is its distance from the reference divided
/// by the sum of the magnitudes of its terms.
///
/// The tolerance is 1e-5 for kernels that sum products as they are, which a single missing product of up to
/// some ten thousand exceeds; Winograd's transforms lose more digits the larger their tiles are, see
/// [#tolerance(Schedule)]. Outputs are poisoned with NaN before a run, so every element that was not written is
/// found, also where only a sample is compared with the reference.
///
/// @param error largest error found; infinite where an element is not a number
/// @param tolerance largest error allowed
/// @param compared how many elements were compared with the reference
/// @param where position of the largest error
public record ResultCheck(double error, double tolerance, int compared, int where) {
    /// What an output holds before a run.
    public static final float POISON = Float.NaN;
    private static final long ALL_UP_TO = 1L << 24;
    private static final long ALL_OF_GRAPH = 1L << 20;
    private static final int SAMPLE = 2000;

    /// Whether the result is right.
    public boolean passed() {
        return error <= tolerance;
    }

    /// Largest error allowed for a schedule: 1e-5; for Winograd with input tiles of side 4, 6, 8 and 10 it is
    /// 1e-5, 1e-4, 1e-3 and 1e-2.
    public static double tolerance(Schedule schedule) {
        if (schedule.setup().isEmpty() || !(schedule.source().workload() instanceof Workload.Conv2d c)) {
            return 1e-5;
        }
        int alpha = (c.height() % 8 == 0 ? 4 : 2) + c.kernelHeight() - 1;
        return 1e-5 * Math.pow(10, Math.max(0, Math.ceil((alpha - 4) / 2.0)));
    }

    /// Compares every element where the work has at most 2^24 multiply-accumulates (a graph 2^20 operations),
    /// else the first, the last, and a random sample of 2000.
    public static ResultCheck of(Schedule schedule, Operands operands, float[] output, long seed) {
        for (int i = 0; i < output.length; i++) {
            if (!Float.isFinite(output[i])) {
                return new ResultCheck(Double.POSITIVE_INFINITY, tolerance(schedule), 0, i);
            }
        }
        var reference = new Reference(schedule, operands);
        Workload work = schedule.source().workload();
        // A graph is interpreted, which takes much longer per operation.
        boolean all = output.length <= SAMPLE
                || (work instanceof Workload.Graph ? work.flops() <= ALL_OF_GRAPH : work.macs() <= ALL_UP_TO);
        int count = all ? output.length : SAMPLE;
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        double worst = 0;
        int where = 0;
        for (int i = 0; i < count; i++) {
            int position = all ? i : i == 0 ? 0 : i == 1 ? output.length - 1 : random.nextInt(output.length);
            Reference.Element expected = reference.at(position);
            double distance = Math.abs(output[position] - expected.value());
            double error = distance == 0 ? 0 : distance / expected.scale();
            if (error > worst) {
                worst = error;
                where = position;
            }
        }
        return new ResultCheck(worst, tolerance(schedule), count, where);
    }
}
