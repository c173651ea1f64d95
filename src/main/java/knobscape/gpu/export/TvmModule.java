package knobscape.gpu.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.ScheduleKnob;
import knobscape.gpu.space.template.ScheduleSpace;
import knobscape.network.task.Workload;

/// Tuned kernels as a Python module for TVM 0.27: a `ScheduleFnDatabase` whose function tiles each of them as its
/// template does. Its JSON database is bound to one version of TVM by hashes; schedule functions are not.
public final class TvmModule {
    private TvmModule() {}

    /// A module.
    ///
    /// @param text of the module
    /// @param left kernels that it has no place for, one sentence each
    public record ModuleText(String text, List<String> left) {}

    /// The module of some kernels. Throws [UserError] where it has a place for none.
    ///
    /// @param title its first line: of which run it is
    public static ModuleText write(String title, List<TuningExport.Best> kernels) {
        var left = new ArrayList<String>();
        var lines = new ArrayList<String>();
        for (TuningExport.Best k : kernels) {
            if (k.first()) {
                kernel(k)
                        .ifPresentOrElse(
                                lines::add,
                                () -> left.add(k.name() + " is left out: TVM's schedules have no form of "
                                        + k.schedule().source().name() + "."));
            }
        }
        if (lines.isEmpty()) {
            throw new UserError(
                    "No kernel of the run has a form that TVM's schedules can take: " + String.join(" ", left));
        }
        return new ModuleText(
                GpuExporter.resource("schedules.py")
                        .formatted(title.replaceAll("[\"\\\\\\p{Cntrl}]", " "), String.join("", lines)),
                List.copyOf(left));
    }

    private static Optional<String> kernel(TuningExport.Best best) {
        Schedule s = best.schedule();
        Stream<long[]> whole;
        List<String> results;
        List<String> sums;
        switch (s.source().workload()) {
            case Workload.Conv2d c
            when List.of("direct", "depthwise").contains(s.source().name()) -> {
                whole = Stream.of(new long[] {c.batch()});
                results = List.of("tile_f", "tile_y", "tile_x");
                sums = c.isDepthwise() ? List.of() : List.of("tile_rc", "tile_ry", "tile_rx");
            }
            case Workload.Dense _
            when s.source().name().equals("dense-large") -> {
                whole = Stream.of();
                results = List.of("tile_x", "tile_y");
                sums = List.of("tile_k");
            }
            case Workload.BatchMatmul b -> {
                whole = Stream.of(new long[] {b.batch()});
                results = List.of("tile_y", "tile_x");
                sums = List.of("tile_k");
            }
            default -> {
                return Optional.empty();
            }
        }
        ScheduleSpace space = s.source().space();
        String axes = Stream.concat(whole, results.stream().map(n -> space.factors(s.configuration(), n)))
                .map(TvmModule::ofResult)
                .collect(Collectors.joining(", "));
        String reduced = s.source().workload() instanceof Workload.Conv2d c && sums.isEmpty()
                ? "[1, %d], [1, %d]".formatted(c.kernelHeight(), c.kernelWidth())
                : sums.stream()
                        .map(n -> list(space.factors(s.configuration(), n)))
                        .collect(Collectors.joining(", "));
        return Optional.of(
                "    {\"name\": \"%s\", \"results\": [%s], \"sums\": [%s], \"unroll\": %d, \"explicit\": %d},%n"
                        .formatted(
                                best.name(),
                                axes,
                                reduced,
                                option(s, "auto_unroll_max_step"),
                                option(s, "unroll_explicit")));
    }

    /// Four factors: of an axis that has one only the blocks, without virtual threads where it has three.
    private static String ofResult(long[] f) {
        return list(
                switch (f.length) {
                    case 1 -> new long[] {f[0], 1, 1, 1};
                    case 3 -> new long[] {f[0], 1, f[1], f[2]};
                    default -> f;
                });
    }

    private static String list(long[] factors) {
        return LongStream.of(factors).mapToObj(Long::toString).collect(Collectors.joining(", ", "[", "]"));
    }

    private static int option(Schedule s, String name) {
        return s.source().space().scheduleKnobs().stream()
                        .filter(ScheduleKnob.Option.class::isInstance)
                        .anyMatch(k -> k.name().equals(name))
                ? s.source().space().option(s.configuration(), name)
                : 0;
    }
}
