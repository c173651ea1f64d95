package knobscape.gpu.codegen;

import java.util.Optional;
import knobscape.gpu.space.sketch.GraphFormulas;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;

/// Output elements computed as the work is defined, in double precision, one at a time; slow and plain.
public final class Reference {
    private final Workload workload;
    private final Epilogue epilogue;
    private final Operands operands;
    private final float[] data;
    private final float[] weight;
    private final Optional<ComputationReference> graph;
    private double sum;
    private double scale;

    /// The reference of a schedule's work with its epilogue.
    public Reference(Schedule schedule, Operands operands) {
        this.workload = schedule.source().workload();
        this.epilogue = schedule.epilogue();
        this.operands = operands;
        graph = schedule.source() instanceof SketchSource s && workload instanceof Workload.Graph
                ? Optional.of(new ComputationReference(s.computation(epilogue), operands))
                : Optional.empty();
        data = operands.of(schedule, Schedule.Role.DATA);
        weight = operands.of(schedule, Schedule.Role.WEIGHT);
    }

    /// An output element.
    ///
    /// @param value its value
    /// @param scale sum of the magnitudes of everything that was added up for it: what rounding errors are in
    /// proportion to
    public record Element(double value, double scale) {}

    /// The element at a flat position of the output.
    public Element at(int position) {
        sum = 0;
        scale = 0;
        if (graph.isPresent()) {
            return graph.get().at(position);
        }
        long channel = switch (workload) {
            case Workload.Conv2d c -> convolve(c, position);
            case Workload.Dense d -> {
                long row = position / d.n();
                long column = position % d.n();
                for (long k = 0; k < d.k(); k++) {
                    add(data(row * d.k() + k) * weight(column * d.k() + k));
                }
                yield column;
            }
            case Workload.BatchMatmul b -> {
                long column = position % b.n();
                long row = position / b.n();
                long batch = row / b.m();
                for (long k = 0; k < b.k(); k++) {
                    add(data(row * b.k() + k) * weight((batch * b.k() + k) * b.n() + column));
                }
                yield column;
            }
            case Workload.Graph _ -> throw new IllegalStateException();
        };
        for (Epilogue.Step step : epilogue.steps()) {
            switch (step) {
                case Epilogue.Rescale _ -> {
                    double factor = operands.of("scale")[(int) channel];
                    sum *= factor;
                    scale *= Math.abs(factor);
                }
                case Epilogue.Quantize q -> sum = Math.clamp(sum, q.low(), q.high());
                case Epilogue.Bias _ -> add(operands.of("bias")[(int) channel]);
                case Epilogue.Residual _ -> add(operands.of("residual")[position]);
                case Epilogue.Clamp c -> sum = Math.min(Math.max(sum, c.low()), c.high());
                case Epilogue.Linear l -> {
                    sum = l.factor() * sum + l.shift();
                    scale = Math.abs(l.factor()) * scale + Math.abs(l.shift());
                }
                case Epilogue.Activation a -> {
                    double element = sum;
                    sum = GraphFormulas.ofElement(a.function()).evaluate(_ -> element);
                    scale += Math.abs(sum);
                }
            }
        }
        return new Element(sum, scale);
    }

    private double data(long at) {
        return workload.type() == ElementType.UINT8 ? (integer(data, at) & 0xff) - 128 : element(data, at);
    }

    private double weight(long at) {
        return element(weight, at);
    }

    private double element(float[] words, long at) {
        return workload.type().isIntegral()
                ? integer(words, at)
                : workload.type() == ElementType.FLOAT16 ? half(words, at) : words[(int) at];
    }

    /// A 16-bit float among words.
    private static double half(float[] words, long at) {
        return Float.float16ToFloat((short) (Float.floatToRawIntBits(words[(int) (at / 2)]) >> (at % 2 * Short.SIZE)));
    }

    /// A signed 8-bit integer among words.
    static byte integer(float[] words, long at) {
        return (byte) (Float.floatToRawIntBits(words[(int) (at / 4)]) >> (at % 4 * Byte.SIZE));
    }

    private void add(double term) {
        sum += term;
        scale += Math.abs(term);
    }

    private long convolve(Workload.Conv2d c, int position) {
        long x = position % c.outWidth();
        long y = position / c.outWidth() % c.outHeight();
        long k = position / (c.outWidth() * c.outHeight()) % c.filters();
        long n = position / (c.outWidth() * c.outHeight() * c.filters());
        long perGroup = c.channels() / c.groups();
        long firstChannel = k / (c.filters() / c.groups()) * perGroup;
        for (long ch = 0; ch < perGroup; ch++) {
            for (int r = 0; r < c.kernelHeight(); r++) {
                long row = y * c.strideHeight() + (long) r * c.dilationHeight() - c.padTop();
                for (int s = 0; s < c.kernelWidth(); s++) {
                    long column = x * c.strideWidth() + (long) s * c.dilationWidth() - c.padLeft();
                    if (row >= 0 && row < c.height() && column >= 0 && column < c.width()) {
                        add(data(place(c, n, firstChannel + ch, row, column))
                                * weight(place(c, k, perGroup, ch, r, s)));
                    } else if (c.type().isIntegral()) {
                        int fill = c.padding().fill() - (c.type() == ElementType.UINT8 ? 128 : 0);
                        add(fill * weight(place(c, k, perGroup, ch, r, s)));
                    }
                }
            }
        }
        return k;
    }

    private static long place(Workload.Conv2d c, long n, long channel, long row, long column) {
        return c.type().isIntegral()
                ? ((n * (c.channels() / 4) + channel / 4) * c.height() + row) * c.width() * 4 + column * 4 + channel % 4
                : ((n * c.channels() + channel) * c.height() + row) * c.width() + column;
    }

    private static long place(Workload.Conv2d c, long k, long perGroup, long ch, long r, long s) {
        long taps = (long) c.kernelHeight() * c.kernelWidth();
        long tap = r * c.kernelWidth() + s;
        return c.type().isIntegral()
                ? ((k * (perGroup / 4) + ch / 4) * taps + tap) * 4 + ch % 4
                : (k * perGroup + ch) * taps + tap;
    }
}
