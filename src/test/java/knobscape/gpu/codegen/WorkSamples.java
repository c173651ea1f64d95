package knobscape.gpu.codegen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import knobscape.gpu.space.nest.DeviceLimits;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.ScheduleSource;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Window;
import knobscape.network.subgraph.OperatorFusion;
import knobscape.network.subgraph.Subgraph;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// Small pieces of work that exercise every template, and random valid schedules of them.
public final class WorkSamples {
    private static final ElementType F = ElementType.FLOAT32;

    /// The limits of every NVIDIA GPU with tensor cores.
    private static final DeviceLimits LIMITS =
            new DeviceLimits(1024, 1024, 1024, 64, 48 << 10, Integer.MAX_VALUE, 65535, 65535, true);

    private WorkSamples() {}

    /// Work by the name of the template that is tried on it.
    public static Map<String, List<Workload>> work() {
        var all = new LinkedHashMap<String, List<Workload>>();
        all.put(
                "direct",
                List.of(
                        conv(1, 6, 12, 12, 8, 3, 3, 1, 1, 1),
                        conv(2, 4, 9, 11, 6, 3, 5, 2, 1, 1),
                        conv(1, 8, 10, 10, 12, 1, 1, 1, 0, 1),
                        conv(1, 3, 14, 14, 4, 3, 3, 1, 2, 2),
                        new Workload.Conv2d(
                                F,
                                1,
                                4,
                                9,
                                9,
                                4,
                                new Workload.Conv2d.Taps(3, 3, 2, 1, 1, 1),
                                new Workload.Conv2d.Padding(1, 0, 0, 2),
                                1)));
        all.put(
                "depthwise",
                List.of(
                        depthwise(8, 12, 8, 3, 1, 1),
                        depthwise(6, 13, 6, 3, 2, 1),
                        depthwise(4, 10, 8, 5, 1, 2),
                        depthwise(4, 12, 4, 3, 1, 2)));
        all.put(
                "winograd",
                List.of(
                        conv(1, 6, 8, 8, 8, 3, 3, 1, 1, 1),
                        conv(2, 4, 7, 9, 6, 3, 3, 1, 1, 1),
                        conv(1, 4, 10, 10, 4, 5, 5, 1, 2, 1),
                        conv(1, 3, 16, 16, 4, 5, 5, 1, 0, 1),
                        conv(1, 2, 16, 16, 2, 7, 7, 1, 3, 1)));
        all.put(
                "dense-small",
                List.of(
                        new Workload.Dense(F, 1, 10, 60),
                        new Workload.Dense(F, 3, 7, 96),
                        new Workload.Dense(F, 2, 5, 250)));
        all.put(
                "dense-large",
                List.of(
                        new Workload.Dense(F, 32, 24, 36),
                        new Workload.Dense(F, 36, 60, 16),
                        new Workload.Dense(F, 64, 10, 7)));
        all.put(
                "batch-matmul",
                List.of(
                        new Workload.BatchMatmul(F, 3, 12, 20, 18),
                        new Workload.BatchMatmul(F, 1, 16, 16, 16),
                        new Workload.BatchMatmul(F, 2, 7, 30, 5)));
        return all;
    }

    /// Small work on 8-bit integers.
    public static List<Workload> integers() {
        return List.of(
                conv(ElementType.INT8, 1, 8, 10, 8, 3, 1, 1, 0),
                conv(ElementType.UINT8, 2, 4, 9, 12, 3, 2, 1, 0),
                conv(ElementType.UINT8, 1, 12, 8, 4, 3, 1, 1, 117),
                conv(ElementType.INT8, 1, 4, 11, 6, 5, 2, 2, -9),
                conv(ElementType.INT8, 1, 16, 6, 8, 1, 1, 0, 0),
                new Workload.Dense(ElementType.UINT8, 32, 24, 36),
                new Workload.Dense(ElementType.INT8, 40, 12, 64),
                new Workload.Dense(ElementType.UINT8, 3, 8, 96),
                new Workload.Dense(ElementType.INT8, 1, 20, 60));
    }

    /// Small work on 16-bit floats, of extents that are and are not multiples of 16.
    public static List<Workload> halves() {
        ElementType h = ElementType.FLOAT16;
        return List.of(
                new Workload.Dense(h, 48, 64, 32),
                new Workload.Dense(h, 33, 20, 50),
                new Workload.Dense(h, 1, 7, 3),
                new Workload.Dense(h, 70, 130, 200),
                new Workload.BatchMatmul(h, 2, 32, 32, 64),
                new Workload.BatchMatmul(h, 3, 17, 36, 23),
                new Workload.BatchMatmul(h, 1, 5, 97, 40),
                conv(h, 1, 16, 8, 32, 3, 1, 1, 0),
                conv(h, 2, 5, 9, 18, 3, 2, 1, 0),
                conv(h, 2, 24, 7, 20, 1, 1, 0, 0),
                conv(h, 1, 3, 13, 17, 5, 2, 2, 0),
                new Workload.Conv2d(
                        h,
                        1,
                        4,
                        10,
                        12,
                        40,
                        new Workload.Conv2d.Taps(3, 1, 1, 2, 2, 1),
                        new Workload.Conv2d.Padding(1, 0, 2, 1),
                        1));
    }

    private static Workload conv(
            ElementType type, int n, int c, int size, int k, int r, int stride, int pad, int fill) {
        return new Workload.Conv2d(
                type,
                n,
                c,
                size,
                size + 1,
                k,
                new Workload.Conv2d.Taps(r, r, stride, stride, 1, 1),
                new Workload.Conv2d.Padding(pad, pad, pad, pad, fill),
                1);
    }

    /// Tails that occur behind sums of integers, those that make integers last.
    public static List<Epilogue> integerEpilogues(Workload work) {
        var relu = new Epilogue.Clamp(0, Double.POSITIVE_INFINITY);
        var silu = new Epilogue.Activation(new Operator.Unary(Operator.Unary.Function.SWISH, 1, 0));
        List<Epilogue> all = List.of(
                Epilogue.NONE,
                new Epilogue(List.of(new Epilogue.Rescale(), new Epilogue.Bias(), relu)),
                new Epilogue(List.of(
                        new Epilogue.Rescale(),
                        new Epilogue.Bias(),
                        relu,
                        new Epilogue.Linear(50, 3),
                        new Epilogue.Quantize(true))),
                new Epilogue(List.of(
                        new Epilogue.Rescale(),
                        new Epilogue.Bias(),
                        silu,
                        new Epilogue.Linear(70, -20),
                        new Epilogue.Quantize(false))));
        boolean words = !(work instanceof Workload.Conv2d c) || c.filters() % 4 == 0;
        return all.subList(0, words ? 4 : 2);
    }

    /// Small work of every kind that sketches compute.
    public static List<Workload> sketched() {
        var all = new ArrayList<Workload>();
        work().values().forEach(all::addAll);
        all.add(new Workload.Conv2d(
                F,
                2,
                8,
                9,
                9,
                12,
                new Workload.Conv2d.Taps(3, 3, 2, 2, 1, 1),
                new Workload.Conv2d.Padding(1, 1, 1, 1),
                4));
        all.add(new Workload.Dense(F, 1, 12, 256));
        all.addAll(graphs());
        return all.stream().distinct().toList();
    }

    /// Small subgraphs that are no convolution or product with a plain tail.
    public static List<Workload> graphs() {
        var all = new ArrayList<Workload>();
        graph(all, b -> b.add("y", new Operator.Softmax(2, false, false), b.input("x", Shape.of(2, 3, 40))));
        graph(all, b -> b.add("y", new Operator.Softmax(1, false, true), b.input("x", Shape.of(2, 9, 5))));
        graph(all, b -> b.add("y", new Operator.Softmax(1, true, false), b.input("x", Shape.of(3, 4, 10))));
        graph(
                all,
                b -> b.add(
                        "y",
                        new Operator.LayerNorm(2, 1e-5),
                        b.input("x", Shape.of(2, 5, 48)),
                        b.weight("g", 48),
                        b.weight("s", 48)));
        graph(
                all,
                b -> b.add("y", new Operator.LayerNorm(1, 1e-5), b.input("x", Shape.of(3, 4, 6)), b.weight("g", 4, 6)));
        graph(all, b -> {
            String p = b.add(
                    "pool", pool(Operator.Gathering.MAX, 3, 2, 1, false, false), b.input("x", Shape.of(1, 4, 11, 11)));
            return b.add("y", new Operator.Identity(), p);
        });
        graph(
                all,
                b -> b.add(
                        "y",
                        pool(Operator.Gathering.AVERAGE, 3, 2, 1, true, false),
                        b.input("x", Shape.of(2, 3, 10, 10))));
        graph(
                all,
                b -> b.add(
                        "y",
                        pool(Operator.Gathering.AVERAGE, 2, 2, 0, false, true),
                        b.input("x", Shape.of(2, 3, 10, 10))));
        graph(
                all,
                b -> b.add("y", pool(Operator.Gathering.LP, 2, 1, 0, false, true), b.input("x", Shape.of(1, 3, 6, 6))));
        graph(
                all,
                b -> b.add(
                        "y", new Operator.GlobalPool(Operator.Gathering.AVERAGE), b.input("x", Shape.of(2, 6, 7, 7))));
        graph(all, b -> b.add("y", new Operator.Reduce("Max", List.of(1), true), b.input("x", Shape.of(4, 50, 3))));
        graph(
                all,
                b -> b.add(
                        "y", new Operator.Reduce("SumSquare", List.of(0, 2), false), b.input("x", Shape.of(4, 5, 12))));
        graph(all, b -> {
            String x = b.input("x", Shape.of(2, 6, 7));
            String y = b.add("a", new Operator.Elementwise(Operator.Elementwise.Function.ADD), x, b.weight("w", 7));
            y = b.add(
                    "m",
                    new Operator.Elementwise(Operator.Elementwise.Function.DIV),
                    y,
                    b.input("z", Shape.of(2, 1, 1)));
            return b.add("g", new Operator.Unary(Operator.Unary.Function.GELU), y);
        });
        graph(all, b -> {
            String y = b.add(
                    "up",
                    new Operator.TransposedConv(Window.square(3, 2, 1), 1, List.of(1, 1)),
                    b.input("x", Shape.of(1, 6, 5, 5)),
                    b.weight("w", 6, 8, 3, 3),
                    b.weight("b", 8));
            return b.add("relu", new Operator.Unary(Operator.Unary.Function.RELU), y);
        });
        graph(
                all,
                b -> b.add(
                        "up",
                        new Operator.TransposedConv(Window.square(2, 2, 0), 1, List.of(0, 0)),
                        b.input("x", Shape.of(2, 4, 4, 6)),
                        b.weight("w", 4, 3, 2, 2)));
        graph(
                all,
                b -> swish(
                        b,
                        b.add(
                                "c",
                                new Operator.Conv(Window.square(3, 1, 1), 1),
                                b.input("x", Shape.of(1, 6, 8, 8)),
                                b.weight("w", 8, 6, 3, 3),
                                b.weight("b", 8))));
        graph(
                all,
                b -> b.add(
                        "h",
                        new Operator.Unary(Operator.Unary.Function.HARD_SWISH),
                        b.add(
                                "c",
                                new Operator.Conv(Window.square(3, 2, 1), 8),
                                b.input("x", Shape.of(1, 8, 9, 9)),
                                b.weight("w", 8, 1, 3, 3))));
        graph(
                all,
                b -> swish(
                        b,
                        b.add(
                                "c",
                                new Operator.Conv(Window.square(1, 1, 0), 2),
                                b.input("x", Shape.of(1, 8, 6, 6)),
                                b.weight("w", 12, 4, 1, 1))));
        graph(all, b -> {
            String y = b.add("p", new Operator.MatMul(), b.input("x", Shape.of(2, 9, 16)), b.weight("w", 16, 24));
            y = b.add("a", new Operator.Elementwise(Operator.Elementwise.Function.ADD), y, b.weight("b", 24));
            return b.add("g", new Operator.Unary(Operator.Unary.Function.GELU), y);
        });
        graph(
                all,
                b -> b.add(
                        "t",
                        new Operator.Unary(Operator.Unary.Function.TANH),
                        b.add(
                                "p",
                                new Operator.Gemm(false, true, 0.5, 2),
                                b.input("x", Shape.of(3, 20)),
                                b.weight("w", 12, 20),
                                b.weight("c", 12))));
        graph(
                all,
                b -> b.add("y", new Operator.LocalResponseNorm(5, 1e-2, 0.75, 1), b.input("x", Shape.of(1, 12, 4, 4))));
        graph(all, b -> b.add("y", new Operator.Transpose(List.of(2, 0, 1)), b.input("x", Shape.of(4, 5, 6))));
        graph(
                all,
                b -> b.add(
                        "y", new Operator.Concat(1), b.input("x", Shape.of(2, 3, 5)), b.input("z", Shape.of(2, 4, 5))));
        graph(
                all,
                b -> b.add(
                        "y",
                        new Operator.BatchNorm(1e-5),
                        b.input("x", Shape.of(2, 6, 5)),
                        b.weight("s", 6),
                        b.weight("h", 6),
                        b.weight("m", 6),
                        b.weight("v", 6)));
        graph(
                all,
                b -> b.add(
                        "relu",
                        new Operator.Unary(Operator.Unary.Function.RELU),
                        b.add(
                                "volume",
                                new Operator.Conv(cube(3, 2, 1), 1),
                                b.input("x", Shape.of(1, 4, 5, 6, 7)),
                                b.weight("w", 6, 4, 3, 3, 3),
                                b.weight("b", 6))));
        graph(
                all,
                b -> b.add(
                        "volumes",
                        new Operator.Conv(cube(2, 1, 0), 3),
                        b.input("x", Shape.of(2, 6, 4, 5, 3)),
                        b.weight("w", 9, 2, 2, 2, 2)));
        graph(
                all,
                b -> b.add(
                        "up",
                        new Operator.TransposedConv(Window.square(3, 2, 1), 2, List.of(1, 1)),
                        b.input("x", Shape.of(1, 6, 4, 5)),
                        b.weight("w", 6, 4, 3, 3),
                        b.weight("b", 8)));
        graph(
                all,
                b -> b.add(
                        "up",
                        new Operator.TransposedConv(cube(2, 2, 0), 1, List.of(0, 0, 0)),
                        b.input("x", Shape.of(1, 4, 3, 2, 4)),
                        b.weight("w", 4, 3, 2, 2, 2)));
        return all;
    }

    private static Window cube(int size, int stride, int pad) {
        List<Integer> pads = List.of(pad, pad, pad);
        return new Window(List.of(size, size, size), List.of(stride, stride, stride), pads, pads, List.of(1, 1, 1));
    }

    private static Operator pool(
            Operator.Gathering kind, int size, int stride, int pad, boolean ceil, boolean counted) {
        return new Operator.Pool(kind, Window.square(size, stride, pad), ceil, counted);
    }

    private static String swish(NetworkBuilder b, String x) {
        String gate = b.add("gate", new Operator.Unary(Operator.Unary.Function.SIGMOID), x);
        return b.add("swish", new Operator.Elementwise(Operator.Elementwise.Function.MUL), x, gate);
    }

    private static void graph(List<Workload> all, Function<NetworkBuilder, String> made) {
        var b = new NetworkBuilder("sample", F);
        b.output(made.apply(b));
        Network n = b.build();
        List<Subgraph> subgraphs = OperatorFusion.subgraphs(n);
        all.add(Workload.Graph.of(n, subgraphs.getFirst()));
    }

    private static Workload conv(int n, int c, int h, int w, int k, int r, int s, int stride, int pad, int dilation) {
        return new Workload.Conv2d(
                F,
                n,
                c,
                h,
                w,
                k,
                new Workload.Conv2d.Taps(r, s, stride, stride, dilation, dilation),
                new Workload.Conv2d.Padding(pad, pad, pad, pad),
                1);
    }

    private static Workload depthwise(int c, int size, int k, int r, int stride, int pad) {
        return new Workload.Conv2d(
                F,
                2,
                c,
                size,
                size,
                k,
                new Workload.Conv2d.Taps(r, r, stride, stride, 1, 1),
                new Workload.Conv2d.Padding(pad, pad, pad, pad),
                c);
    }

    /// Tails that occur behind convolutions.
    public static List<Epilogue> epilogues() {
        return List.of(
                Epilogue.NONE,
                new Epilogue(List.of(new Epilogue.Bias())),
                new Epilogue(List.of(new Epilogue.Bias(), new Epilogue.Clamp(0, 6))),
                new Epilogue(List.of(
                        new Epilogue.Bias(), new Epilogue.Residual(), new Epilogue.Clamp(0, Double.POSITIVE_INFINITY))),
                new Epilogue(List.of(new Epilogue.Clamp(-1, 1), new Epilogue.Residual())),
                new Epilogue(List.of(new Epilogue.Linear(0.125, 0), new Epilogue.Bias(), new Epilogue.Linear(-3, 0.5))),
                new Epilogue(List.of(
                        new Epilogue.Bias(),
                        new Epilogue.Activation(new Operator.Unary(Operator.Unary.Function.SWISH, 1, 0)),
                        new Epilogue.Residual())));
    }

    /// Tails that the kernels of some work can have.
    public static List<Epilogue> epilogues(Workload work) {
        return work instanceof Workload.Graph ? List.of(Epilogue.NONE) : epilogues();
    }

    /// A random member that passes the check and whose text is short, so that a CPU's compiler is done with it
    /// in a second or two.
    public static Schedule brief(ScheduleSource template, Epilogue epilogue, Random random) {
        while (true) {
            Schedule s = valid(template, epilogue, random);
            if (KernelPrinter.source(s.main(), s.main().hasFragments() ? KernelLanguage.CUDA : KernelLanguage.OPENCL)
                            .length()
                    < 6000) {
                return s;
            }
        }
    }

    /// A random member that passes the check.
    public static Schedule valid(ScheduleSource source, Epilogue epilogue, Random random) {
        while (true) {
            Configuration c = source.space().draw(random.nextInt(source.space().alternatives()), random);
            if (source.obstacle(c).isEmpty()) {
                Schedule s = source.schedule(c, epilogue);
                if (s.check(LIMITS).isEmpty()) {
                    return s;
                }
            }
        }
    }
}
