package knobscape.gpu.codegen;

import java.util.List;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;

/// Holds a result against the [Reference]. The error of an element is its distance from the reference divided
/// by the sum of the magnitudes of its terms.
///
/// The tolerance is 1e-5 for kernels that sum products as they are, which a single missing product of up to
/// some ten thousand exceeds; Winograd's transforms lose more digits the larger their tiles are, see
/// [#tolerance(Schedule)]. Outputs are poisoned with NaN before a run, so every element that was not written is
/// found, also where only a sample is compared with the reference. Products of 16-bit floats are exact in 32 bits, but
/// tensor cores cut off what they add (Fasi et al. 2021, "Numerical behavior of NVIDIA tensor cores"), so that errors
/// grow
/// with the root of the terms that are summed: 2^-23 times it, at least 1e-5.
///
/// @param error largest error found; infinite where an element is not a number
/// @param tolerance largest error allowed
/// @param compared how many elements were compared with the reference
/// @param where position of the largest error
public record ResultCheck(double error, double tolerance, int compared, int where) {
    /// The content of an output before a run.
    public static final float POISON = Float.NaN;
    /// Elements that a [#sample] takes at each end of each axis.
    public static final int AT_AN_END = 16;

    private static final long ALL_UP_TO = 1L << 24;
    private static final long ALL_OF_GRAPH = 1L << 20;
    private static final int SAMPLE = 2000;

    /// True if the result is right.
    public boolean passed() {
        return error <= tolerance;
    }

    /// Largest error allowed for a schedule: 1e-5; for Winograd with input tiles of side 4, 6, 8 and 10 it is
    /// 1e-5, 1e-4, 1e-3 and 1e-2, and on tensor cores it grows with the length of sums.
    public static double tolerance(Schedule schedule) {
        Workload w = schedule.source().workload();
        if (w.type() == ElementType.FLOAT16) {
            double terms = (double) w.macs() / extents(schedule).stream().reduce(1L, Math::multiplyExact);
            return Math.max(1e-5, 0x1p-23 * Math.sqrt(terms));
        }
        if (schedule.setup().isEmpty() || !(schedule.source().workload() instanceof Workload.Conv2d c)) {
            return 1e-5;
        }
        int alpha = (c.height() % 8 == 0 ? 4 : 2) + c.kernelHeight() - 1;
        return 1e-5 * Math.pow(10, Math.max(0, Math.ceil((alpha - 4) / 2.0)));
    }

    /// True if every element of a piece of work is compared: at most 2000 of them, or at most 2^24 multiply-accumulates
    /// (a graph, which is interpreted: 2^20 operations).
    public static boolean all(Workload work, long elements) {
        return elements <= SAMPLE
                || (work instanceof Workload.Graph ? work.flops() <= ALL_OF_GRAPH : work.macs() <= ALL_UP_TO);
    }

    /// Extents of a schedule's result, outermost first.
    public static List<Long> extents(Schedule schedule) {
        return switch (schedule.source().workload()) {
            case Workload.Conv2d c -> List.of(c.batch(), c.filters(), c.outHeight(), c.outWidth());
            case Workload.Dense d -> List.of(d.m(), d.n());
            case Workload.BatchMatmul b -> List.of(b.batch(), b.m(), b.n());
            case Workload.Graph _ ->
                ((SketchSource) schedule.source())
                        .computation(schedule.epilogue())
                        .output()
                        .result()
                        .shape();
        };
    }

    /// A sample of positions: every corner of the result, for both ends of each axis 16 elements there, and 2000
    /// elsewhere, drawn by a hash over the whole range. The exported check draws the same.
    public static long[] sample(List<Long> extents, long seed) {
        int axes = extents.size();
        int corners = 1 << axes;
        int ends = 2 * axes * AT_AN_END;
        long[] positions = new long[corners + ends + SAMPLE];
        for (int i = 0; i < positions.length; i++) {
            long position = 0;
            for (int a = 0; a < axes; a++) {
                long extent = extents.get(a);
                boolean fixed = i < corners || (i < corners + ends && (i - corners) / AT_AN_END / 2 == a);
                boolean last = i < corners ? (i >> a & 1) == 1 : (i - corners) / AT_AN_END % 2 == 1;
                int h = Operands.hash(Operands.hash((int) seed + i) + a);
                position = position * extent + (fixed ? (last ? extent - 1 : 0) : Integer.toUnsignedLong(h) % extent);
            }
            positions[i] = position;
        }
        return positions;
    }

    private static int integer(Schedule schedule, float[] words, long position) {
        long at = position;
        if (schedule.source().workload() instanceof Workload.Conv2d c) {
            long plane = c.outHeight() * c.outWidth();
            long channel = position / plane;
            at = (channel / 4 * plane + position % plane) * 4 + channel % 4;
        }
        byte b = Reference.integer(words, at);
        return schedule.epilogue()
                        .quantize()
                        .filter(Epilogue.Quantize::unsigned)
                        .isPresent()
                ? b & 0xff
                : b;
    }

    /// Compares every element where [#all] says so, else a [#sample].
    public static ResultCheck of(Schedule schedule, Operands operands, float[] output, long seed) {
        boolean bytes = schedule.epilogue().quantize().isPresent();
        int elements = output.length * (bytes ? Float.BYTES : 1);
        for (int i = 0; i < output.length && !bytes; i++) {
            if (!Float.isFinite(output[i])) {
                return new ResultCheck(Double.POSITIVE_INFINITY, tolerance(schedule), 0, i);
            }
        }
        var reference = new Reference(schedule, operands);
        boolean all = all(schedule.source().workload(), elements);
        long[] sample = all ? new long[0] : sample(extents(schedule), seed);
        int count = all ? elements : sample.length;
        double worst = 0;
        int where = 0;
        for (int i = 0; i < count; i++) {
            int position = all ? i : Math.toIntExact(sample[i]);
            Reference.Element expected = reference.at(position);
            double value = bytes ? integer(schedule, output, position) : output[position];
            // An integer is the nearest one to the reference, or next to it where that lies halfway.
            double distance = Math.max(0, Math.abs(value - expected.value()) - (bytes ? 0.5 : 0));
            double error = distance == 0 ? 0 : distance / expected.scale();
            if (!(error <= worst)) {
                worst = Double.isNaN(error) ? Double.POSITIVE_INFINITY : error;
                where = position;
            }
        }
        return new ResultCheck(worst, tolerance(schedule), count, where);
    }
}
