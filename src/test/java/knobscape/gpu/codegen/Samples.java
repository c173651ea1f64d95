package knobscape.gpu.codegen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import knobscape.gpu.space.nest.DeviceLimits;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.ScheduleSource;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// Small pieces of work that exercise every template, and random valid schedules of them.
public final class Samples {
    private static final ElementType F = ElementType.FLOAT32;

    private Samples() {}

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
                        new Workload.Conv2d(F, 1, 4, 9, 9, 4, 3, 3, 2, 1, 1, 0, 0, 2, 1, 1, 1)));
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

    /// Small work of every kind that sketches compute.
    public static List<Workload> sketched() {
        var all = new ArrayList<Workload>();
        work().values().forEach(all::addAll);
        all.add(new Workload.Conv2d(F, 2, 8, 9, 9, 12, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1, 4));
        all.add(new Workload.Dense(F, 1, 12, 256));
        return all.stream().distinct().toList();
    }

    private static Workload conv(int n, int c, int h, int w, int k, int r, int s, int stride, int pad, int dilation) {
        return new Workload.Conv2d(F, n, c, h, w, k, r, s, stride, stride, pad, pad, pad, pad, dilation, dilation, 1);
    }

    private static Workload depthwise(int c, int size, int k, int r, int stride, int pad) {
        return new Workload.Conv2d(F, 2, c, size, size, k, r, r, stride, stride, pad, pad, pad, pad, 1, 1, c);
    }

    /// Tails that occur behind convolutions.
    public static List<Epilogue> epilogues() {
        return List.of(
                Epilogue.NONE,
                new Epilogue(List.of(new Epilogue.Bias())),
                new Epilogue(List.of(new Epilogue.Bias(), new Epilogue.Clamp(0, 6))),
                new Epilogue(List.of(
                        new Epilogue.Bias(), new Epilogue.Residual(), new Epilogue.Clamp(0, Double.POSITIVE_INFINITY))),
                new Epilogue(List.of(new Epilogue.Clamp(-1, 1), new Epilogue.Residual())));
    }

    /// Tails that the kernels of some work can have.
    public static List<Epilogue> epilogues(Workload work) {
        return epilogues();
    }

    /// A random member that passes the check and whose text is short, so that a CPU's compiler is done with it
    /// in a second or two.
    public static Schedule brief(ScheduleSource template, Epilogue epilogue, Random random) {
        while (true) {
            Schedule s = valid(template, epilogue, random);
            if (KernelPrinter.source(s.main(), Dialect.OPENCL).length() < 6000) {
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
                if (s.check(DeviceLimits.NVIDIA).isEmpty()) {
                    return s;
                }
            }
        }
    }
}
