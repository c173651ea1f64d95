package knobscape.gpu.history;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.CsvTable;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import knobscape.gpu.export.AutoTvmLog;
import knobscape.gpu.export.TuningRecord;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.ScheduleKnob;
import knobscape.gpu.space.template.Template;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;
import knobscape.work.history.HistoryRow;
import knobscape.work.history.HistoryTask;
import knobscape.work.history.TuningHistory;

/// Measurements of other programs, for the history: AutoTVM and TopHub logs, records of Ansor and MetaSchedule, Kernel
/// Tuner's caches and T4
/// files, tables of measured kernels, and other histories.
///
/// @param rows by task, in the file's order
/// @param left what was left out and why, one sentence each
public record HistoryImport(Map<HistoryTask, List<HistoryRow>> rows, List<String> left) {
    private static final String TOPHUB = "tophub_version";

    /// Adds a file to a history. Throws [UserError] that says what a file of another kind is.
    ///
    /// @return how many rows were new, and what was left out
    public static ImportCount add(TuningHistory history, Path file) {
        if (file.getFileName().toString().endsWith(".db")) {
            try (TuningHistory other = TuningHistory.existing(file)) {
                int all = other.tasks().stream().mapToInt(t -> (int) t.rows()).sum();
                return new ImportCount(all, history.merge(other), List.of());
            }
        }
        HistoryImport read = read(file);
        int all = read.rows.values().stream().mapToInt(List::size).sum();
        int added = read.rows.entrySet().stream()
                .mapToInt(e -> history.add(e.getKey(), e.getValue()))
                .sum();
        return new ImportCount(all, added, read.left);
    }

    /// The result of adding a file.
    ///
    /// @param read measurements in it
    /// @param added those that the history did not have
    /// @param left what was left out, one sentence each
    public record ImportCount(int read, int added, List<String> left) {}

    /// Reads a file.
    static HistoryImport read(Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        if (name.matches(".*\\.csv(\\.gz)?")) {
            CsvTable table = CsvTable.read(file);
            return table.column(TOPHUB).isPresent() ? tophub(file, table) : set(file, MeasuredSet.open(file));
        }
        String line = firstLine(file);
        if (TvmRecords.recognises(line)) {
            TvmRecords read = TvmRecords.read(file);
            var rows = new LinkedHashMap<HistoryTask, List<HistoryRow>>();
            var left = new ArrayList<>(read.left());
            for (MeasuredSet s : read.sets()) {
                HistoryImport one = set(file, s);
                one.rows.forEach((task, more) ->
                        rows.computeIfAbsent(task, _ -> new ArrayList<>()).addAll(more));
                left.addAll(one.left);
            }
            return new HistoryImport(rows, left);
        }
        return isLog(line) ? log(file) : set(file, MeasuredSet.open(file));
    }

    /// True if the first line is a record of AutoTVM (and no document of several lines).
    private static boolean isLog(String line) {
        return line.contains("\"input\"") || line.contains("\"i\":") || line.contains("\"i\" :");
    }

    /// The first line that is no comment; empty where there is none.
    private static String firstLine(Path file) {
        InputFile.requireRegular(file);
        try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            String line = in.readLine();
            while (line != null && (line.isBlank() || line.startsWith("#"))) {
                line = in.readLine();
            }
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new UserError("'" + file + "' cannot be read.", e);
        }
    }

    private static HistoryImport log(Path file) {
        AutoTvmLog.LogContent read = AutoTvmLog.read(file);
        var rows = new LinkedHashMap<HistoryTask, List<HistoryRow>>();
        var tasks = new HashMap<String, HistoryTask>();
        for (TuningRecord r : read.records()) {
            String key = r.source().id() + "\n" + r.origin();
            HistoryTask task = tasks.computeIfAbsent(
                    key,
                    _ -> HistoryTasks.of(
                            r.source(),
                            r.origin().tail(),
                            NetworkKernel.words(r.source().workload()),
                            HistoryTasks.ofTarget(r.origin().target()),
                            ("TVM " + r.origin().target().split("\\s+")[0]).strip(),
                            r.origin().model()));
            rows.computeIfAbsent(task, _ -> new ArrayList<>())
                    .add(new HistoryRow(
                            r.configuration().text(),
                            ScheduleEvaluator.outcome(
                                    r.measurement(), r.source().workload().flops()),
                            r.measurement().costSeconds(),
                            r.seconds(),
                            file.getFileName().toString()));
        }
        return new HistoryImport(
                rows,
                read.left().stream()
                        .map(l -> l.count() + " lines of " + file.getFileName() + " are left out: line " + l.line()
                                + " " + l.reason() + ".")
                        .toList());
    }

    private static HistoryImport set(Path file, MeasuredSet set) {
        Evaluator oracle = set.evaluator();
        var rows = new ArrayList<HistoryRow>();
        var cancel = new CancellationSignal();
        set.space().enumerate().forEach(c -> {
            Evaluation e = oracle.evaluate(c, oracle.info().top(), cancel).getFirst();
            rows.add(new HistoryRow(
                    c.text(),
                    e.outcome(),
                    e.costSeconds(),
                    0,
                    file.getFileName().toString()));
        });
        return new HistoryImport(
                Map.of(HistoryTasks.of(set), rows),
                set.repeated() == 0
                        ? List.of()
                        : List.of(set.repeated() + " rows repeat the knobs of an earlier row; the first one counts."));
    }

    /// Best records of many layers, the layer being part of the row; the device and template are in the file's
    /// name.
    private static HistoryImport tophub(Path file, CsvTable table) {
        String stem = file.getFileName().toString().replaceFirst("\\.csv(\\.gz)?$", "");
        String device = stem.replaceFirst("_.*", "");
        String kind = stem.substring(Math.min(stem.length(), device.length() + 1));
        var rows = new LinkedHashMap<HistoryTask, List<HistoryRow>>();
        int left = 0;
        for (int r = 0; r < table.rowCount(); r++) {
            int row = r;
            try {
                Workload w = workload(kind, column -> number(table, row, column));
                Template t = Templates.of(w).stream()
                        .filter(x -> x.autoTvmName().equals(kind + ".cuda"))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("no template"));
                Configuration c = configuration(t, table, r);
                HistoryTask task = HistoryTasks.of(
                        t,
                        "bare",
                        NetworkKernel.words(w),
                        HistoryTasks.device(device.replace("-opencl", "")),
                        device.endsWith("-opencl") ? "TVM opencl" : "TVM",
                        false);
                double ms =
                        Double.parseDouble(table.cell(r, table.column("time_ms").orElseThrow()));
                rows.computeIfAbsent(task, _ -> new ArrayList<>())
                        .add(new HistoryRow(
                                c.text(),
                                new Outcome.Measured(Map.of("time", ms, "gflops", w.flops() / (ms * 1e6))),
                                0,
                                0,
                                file.getFileName().toString()));
            } catch (IllegalArgumentException | ArithmeticException e) {
                left++;
            }
        }
        if (rows.isEmpty()) {
            throw new UserError(file
                    + " holds no record of a template that is known; keep the file's name, for example"
                    + " 1080ti_conv2d_nchw.csv.gz.");
        }
        return new HistoryImport(
                rows, left == 0 ? List.of() : List.of(left + " rows of " + file.getFileName() + " fit no template."));
    }

    private interface Extents {
        int of(String column);
    }

    private static int number(CsvTable table, int row, String column) {
        return Integer.parseInt(table.cell(
                row, table.column(column).orElseThrow(() -> new IllegalArgumentException("no column " + column))));
    }

    private static Workload workload(String kind, Extents e) {
        if (kind.equals("batch_matmul")) {
            return new Workload.BatchMatmul(ElementType.FLOAT32, e.of("batch"), e.of("M"), e.of("N"), e.of("K"));
        }
        return new Workload.Conv2d(
                ElementType.FLOAT32,
                e.of("N"),
                e.of("C"),
                e.of("H"),
                e.of("W"),
                e.of("K"),
                new Workload.Conv2d.Taps(e.of("R"), e.of("S"), e.of("stride_h"), e.of("stride_w"), 1, 1),
                new Workload.Conv2d.Padding(e.of("pad_t"), e.of("pad_l"), e.of("pad_b"), e.of("pad_r")),
                e.of("groups"));
    }

    private static Configuration configuration(Template t, CsvTable table, int row) {
        List<ScheduleKnob> knobs = t.space().scheduleKnobs();
        int[] levels = new int[knobs.size()];
        for (int i = 0; i < levels.length; i++) {
            ScheduleKnob k = knobs.get(i);
            levels[i] = switch (k) {
                case ScheduleKnob.Split s -> {
                    long[] factors = new long[s.parts()];
                    for (int p = 0; p < factors.length; p++) {
                        factors[p] = number(table, row, k.name() + "_" + p);
                    }
                    yield s.levelOf(factors);
                }
                case ScheduleKnob.Option o -> o.values().indexOf(number(table, row, k.name()));
            };
            if (levels[i] < 0) {
                throw new IllegalArgumentException("another value of " + k.name());
            }
        }
        return Configuration.of(t.space().knobs(), levels);
    }
}
