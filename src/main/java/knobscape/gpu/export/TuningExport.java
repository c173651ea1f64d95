package knobscape.gpu.export;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import knobscape.gpu.evaluate.device.Measurement;
import knobscape.gpu.source.FusedTail;
import knobscape.gpu.space.operator.ScheduleJson;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.ScheduleSource;
import knobscape.space.Configuration;
import tools.jackson.databind.JsonNode;

/// The results of a tuning run for export: the best schedule of every kernel and all measurements. No device is
/// needed.
public final class TuningExport {
    private static final long LARGEST = 64L << 20;
    private static final int LONGEST_LINE = 1 << 16;
    private final List<Best> kernels;
    private final Supplier<List<TuningRecord>> records;

    /// The best schedule of a kernel with one of its tails.
    ///
    /// @param task name in the network: T1, T2, ...
    /// @param schedule the schedule
    /// @param first whether the tail is the one the schedule was searched with
    public record Best(String task, Schedule schedule, boolean first) {
        /// A name for files: `T1-direct`, with another tail than that of the search
        /// `T1-direct-bias-residual-relu`.
        public String name() {
            return task + "-" + schedule.source().name()
                    + (first ? "" : "-" + schedule.epilogue().id());
        }
    }

    /// The export of a stored run. Throws [UserError] where nothing ran, or where it replayed measured kernels.
    ///
    /// @param run how a person names it
    /// @param rows every measurement
    public static TuningExport of(String run, List<KernelState> states, List<TuningJson.Row> rows) {
        var best = new ArrayList<Best>();
        for (KernelState s : states) {
            for (FusedTail t : s.kernel().tails()) {
                s.with(t)
                        .ifPresent(e -> best.add(new Best(
                                s.kernel().task(),
                                s.kernel().source().orElseThrow().schedule(e.configuration(), t.epilogue()),
                                t.equals(s.kernel().tails().getFirst()))));
            }
        }
        return new TuningExport(
                best,
                run,
                () -> rows.stream()
                        .map(r -> TuningRecord.of(r.kernel(), r.evaluation()))
                        .toList());
    }

    /// True if a folder holds the results of a tuning run, and no runs.
    public static boolean isAlone(Path folder) {
        return isTuning(folder) && Stream.of("runs.db", "tuning.db").noneMatch(f -> Files.exists(folder.resolve(f)));
    }

    /// True if a folder holds the results of the tuning run of this number.
    public static boolean isOf(Path folder, long run) {
        return isTuning(folder)
                && JsonFields.read(folder.resolve("tuning.json"), LARGEST)
                        .node()
                        .path("run")
                        .asString("")
                        .endsWith(":" + run);
    }

    private static boolean isTuning(Path folder) {
        return Files.isRegularFile(folder.resolve("tuning.json"));
    }

    /// Reads the results of a run, `tuning.json` and `log.jsonl`, of a folder; throws [UserError] where there
    /// are none, or nothing is in them.
    public static TuningExport of(Path folder) {
        Path file = folder.resolve("tuning.json");
        if (!isTuning(folder)) {
            throw new UserError(
                    "There is no tuning.json in " + folder + "; name the folder that 'knobscape tune' wrote.");
        }
        var best = new ArrayList<Best>();
        for (JsonNode kernel : JsonFields.read(file, LARGEST).node().path("front")) {
            String task = kernel.path("task").asString("T?").replaceAll("[^A-Za-z0-9_.-]", "_");
            String place = file + ", " + kernel.path("design").asString("");
            if (kernel.has("schedule")) {
                best.add(new Best(task, ScheduleJson.read(kernel.path("schedule"), place), true));
            }
            kernel.path("tails")
                    .valueStream()
                    .skip(1)
                    .filter(t -> t.has("schedule"))
                    .forEach(t -> best.add(new Best(task, ScheduleJson.read(t.path("schedule"), place), false)));
        }
        return new TuningExport(best, file.toString(), () -> records(folder.resolve("log.jsonl"), best));
    }

    private TuningExport(List<Best> kernels, String run, Supplier<List<TuningRecord>> records) {
        if (kernels.isEmpty()) {
            throw new UserError(
                    run
                            + " holds no schedule: the run found nothing that runs, or replayed measured kernels, of which there is no source.");
        }
        this.kernels = List.copyOf(kernels);
        this.records = records;
    }

    /// All kernels, or those of one task (`T1`), template (its full name) or one kernel (`T1-direct`,
    /// `T1-direct-bias-residual-relu`); throws [UserError] where it names none.
    public List<Best> kernels(Optional<String> design) {
        if (design.isEmpty()) {
            return kernels;
        }
        String d = design.get();
        List<Best> chosen = kernels.stream()
                .filter(k -> k.task().equals(d)
                        || k.name().equals(d)
                        || k.schedule().source().id().equals(d))
                .toList();
        if (chosen.isEmpty()) {
            throw new UserError("The run has no tuned kernel '" + d + "'; it has "
                    + kernels.stream().map(Best::name).collect(Collectors.joining(", ")) + ".");
        }
        return chosen;
    }

    /// Every measurement of the kernels that have a best. What a damaged file holds outside of a kernel's space is
    /// none.
    public List<TuningRecord> records() {
        Set<String> ids = kernels.stream().map(k -> k.schedule().source().id()).collect(Collectors.toSet());
        return records.get().stream()
                .filter(r -> ids.contains(r.source().id()) && r.source().space().contains(r.configuration()))
                .toList();
    }

    private static List<TuningRecord> records(Path log, List<Best> kernels) {
        Map<String, ScheduleSource> sources = new LinkedHashMap<>();
        kernels.forEach(
                k -> sources.put(k.schedule().source().id(), k.schedule().source()));
        Map<String, String> tails = new LinkedHashMap<>();
        kernels.stream()
                .filter(Best::first)
                .forEach(k -> tails.put(
                        k.schedule().source().id(), k.schedule().epilogue().id()));
        InputFile.requireRegular(log);
        var records = new ArrayList<TuningRecord>();
        try (BufferedReader reader = Files.newBufferedReader(log, StandardCharsets.UTF_8)) {
            String line = reader.readLine();
            for (int number = 1; line != null; number++, line = reader.readLine()) {
                if (line.length() > LONGEST_LINE) {
                    throw new UserError(log + ": line " + number + " is longer than 64 KiB, which no measurement is.");
                }
                JsonNode node = JsonFields.parse(log + ": line " + number, line).node();
                ScheduleSource t = sources.get(node.path("kernel").asString(""));
                if (t != null) {
                    records.add(record(t, requireNonNull(tails.get(t.id())), node, log + ": line " + number));
                }
            }
        } catch (IOException e) {
            throw new UserError(log + " cannot be read.", e);
        }
        return records;
    }

    private static TuningRecord record(ScheduleSource t, String tail, JsonNode node, String place) {
        String text = node.path("knobs").properties().stream()
                .map(e -> e.getKey() + "=" + e.getValue().asString(""))
                .collect(Collectors.joining(";"));
        Configuration c;
        try {
            c = Configuration.parse(t.space().knobs(), text);
        } catch (IllegalArgumentException e) {
            throw new UserError(place + ": " + e.getMessage() + ".", e);
        }
        double cost = Math.max(0, node.path("costSeconds").asDouble(0));
        double seconds = node.path("time").asDouble(0) * 1e-3;
        String reason = node.path("reason").asString("not said");
        String status = node.path("status").asString("");
        Measurement m = status.equals("ok") && seconds > 0
                ? new Measurement.Timed(seconds, 0, List.of(seconds), false, cost)
                : TuningRecord.failed(status, reason, cost);
        return new TuningRecord(
                t,
                c,
                m,
                0,
                new TuningRecord.Origin(
                        "", tail, node.path("source").asString("").equals(Provenance.Source.MODEL.words())));
    }
}
