package knobscape.gpu.search;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.CsvTable;
import knobscape.gpu.space.feature.SubgraphFeatures;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.ScheduleKnob;
import knobscape.gpu.space.template.ScheduleSpace;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;
import knobscape.space.Sha256;

/// Measured sketches that others published, as samples.
public final class SketchTrace {
    private SketchTrace() {}

    /// The measured trace of one sketch of a matrix product by Ansor on a GPU (columns i0 .. i4, j0 .. j4, k0
    /// .. k2, split_a, split_b, unroll, status, time_ms): the function of each element behind the product is
    /// not modelled, and vector splits are taken as the nearest that our sketches have. Throws [UserError]
    /// where the file is no such trace.
    public static SketchSamples read(Path file, long m, long n, long k) {
        SketchSource source = SketchSource.of(new Workload.Dense(ElementType.FLOAT32, m, n, k))
                .orElseThrow();
        var rows = new ArrayList<RunRecords.Row>();
        CsvTable table = CsvTable.read(file);
        if (!table.header().containsAll(List.of("i0", "j4", "k2", "split_a", "unroll", "status", "time_ms"))) {
            throw new UserError(file + ": line 1: this is no trace of a sketch of a matrix product.");
        }
        for (int row = 0; row < table.rowCount(); row++) {
            var r = new HashMap<String, String>();
            for (int c = 0; c < table.header().size(); c++) {
                r.put(table.header().get(c), table.cell(row, c));
            }
            Optional<Configuration> c = configuration(source.space(), r);
            if (c.isPresent() && "ok".equals(r.get("status"))) {
                double ms = Double.parseDouble(r.getOrDefault("time_ms", "NaN"));
                rows.add(new RunRecords.Row(ScheduleFeatures.of(source.schedule(c.get())), 1 / ms, ms));
            }
        }
        return new SketchSamples(
                List.of(new SketchSamples.Kernel(
                        file.getFileName().toString(), SubgraphFeatures.of(source.computation(Epilogue.NONE)), rows)),
                Sha256.of(file.toString() + rows.size()));
    }

    private static Optional<Configuration> configuration(ScheduleSpace space, Map<String, String> row) {
        int[] levels = new int[space.knobs().size()];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = switch (space.scheduleKnobs().get(i)) {
                case ScheduleKnob.Split s -> {
                    String axis = s.name().equals("tile_y") ? "i" : s.name().equals("tile_x") ? "j" : "k";
                    yield s.levelOf(IntStream.range(0, s.parts())
                            .mapToLong(p -> Long.parseLong(row.getOrDefault(axis + p, "0")))
                            .toArray());
                }
                case ScheduleKnob.Option o -> {
                    int value = Integer.parseInt(row.getOrDefault(
                            switch (o.name()) {
                                case "unroll" -> "unroll";
                                case "vector_data" -> "split_a";
                                default -> "split_b";
                            },
                            "0"));
                    yield IntStream.range(0, o.values().size())
                            .boxed()
                            .min(Comparator.comparingInt(l -> Math.abs(o.value(l) - value)))
                            .orElseThrow();
                }
            };
            if (levels[i] < 0) {
                return Optional.empty();
            }
        }
        Configuration c = Configuration.of(space.knobs(), levels);
        return space.contains(c) ? Optional.of(c) : Optional.empty();
    }

    /// Every second measurement of every kernel, from the first or from the second on.
    public static SketchSamples everySecond(SketchSamples of, int from) {
        return new SketchSamples(
                of.kernels().stream()
                        .map(k -> new SketchSamples.Kernel(
                                k.name(),
                                k.graph(),
                                IntStream.range(0, k.rows().size())
                                        .filter(i -> i % 2 == from)
                                        .mapToObj(k.rows()::get)
                                        .toList()))
                        .toList(),
                of.fingerprint() + " from " + from);
    }

    /// Measurements in all.
    public static int size(SketchSamples of) {
        return of.kernels().stream().mapToInt(k -> k.rows().size()).sum();
    }
}
