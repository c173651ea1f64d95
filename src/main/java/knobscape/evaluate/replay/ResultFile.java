package knobscape.evaluate.replay;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import knobscape.evaluate.InputFile;
import tools.jackson.databind.JsonNode;

/// A file of results as a table, whatever program wrote it: CSV, rows as JSON ([JsonRows]), a storage of Optuna
/// (SQLite), or what a tuner of kernels measured ([KernelTunerFile]).
///
/// @param table its cells
/// @param readings what the columns are for as far as the file says so itself, the first where nothing is chosen: one
/// for each study of a storage, one for a cache, none for CSV
record ResultFile(CsvTable table, List<Reading> readings) {
    /// Endings of files of results, after which a mapping is looked for.
    static final String ENDING = "\\.((csv|json)(\\.gz)?|db|sqlite3?)$";

    private static final byte[] SQLITE = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
    private static final int GLANCE = 1 << 16;

    /// One way to read the table.
    ///
    /// @param name of the study
    /// @param mapping what its columns are for
    record Reading(String name, ReplayMapping.Text mapping) {}

    ResultFile {
        readings = List.copyOf(readings);
    }

    /// Reads a file. Throws [knobscape.evaluate.UserError] that names file and line where it is none of these.
    static ResultFile read(Path file) {
        String name = file.getFileName() == null ? "" : file.getFileName().toString();
        if (startsWithSqlite(file)) {
            return OptunaStorage.read(file);
        }
        if (name.toLowerCase(Locale.ROOT).matches(".*\\.json(\\.gz)?")) {
            JsonNode root = KernelTunerFile.document(file);
            return JsonRows.of(file, root)
                    .map(rows -> new ResultFile(rows, List.of()))
                    .orElseGet(() -> of(KernelTunerFile.of(file, root)));
        }
        CsvTable table = CsvTable.read(file);
        return HelionLog.isOne(table.header()) ? of(HelionLog.read(file, table)) : new ResultFile(table, List.of());
    }

    private static ResultFile of(KernelTunerFile read) {
        return new ResultFile(read.table(), List.of(new Reading(read.kernel(), mapping(read))));
    }

    /// True if a file that is not CSV looks like one of these; reads its beginning.
    static boolean recognises(Path file) {
        if (startsWithSqlite(file)) {
            return OptunaStorage.recognises(file);
        }
        String text = new String(glance(file), StandardCharsets.UTF_8);
        return text.matches(JsonRows.BEGINNING)
                || text.contains("\"tune_params_keys\"")
                || text.contains("\"configs_timings\"")
                || text.contains("\"clblast_device_name\"")
                || (text.contains("\"Results\"") && text.contains("\"TotalDuration\""))
                || (text.contains("\"results\"") && text.contains("\"invalidity\""));
    }

    private static boolean startsWithSqlite(Path file) {
        byte[] begin = glance(file);
        return begin.length >= SQLITE.length
                && java.util.Arrays.equals(begin, 0, SQLITE.length, SQLITE, 0, SQLITE.length);
    }

    /// Nothing of what cannot be read: whoever reads it whole says why.
    private static byte[] glance(Path file) {
        if (!Files.isRegularFile(file)) {
            return new byte[0];
        }
        InputFile.requireRegular(file);
        try (var raw = Files.newInputStream(file);
                InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
            return in.readNBytes(GLANCE);
        } catch (IOException e) {
            return new byte[0];
        }
    }

    /// A configuration without a time was refused; one that was compiled and run cost that.
    private static ReplayMapping.Text mapping(KernelTunerFile file) {
        List<String> header = file.table().header();
        int first = header.indexOf(KernelTunerFile.RESULTS.getFirst());
        var metrics = new LinkedHashMap<String, ReplayMapping.MetricEntry>();
        metrics.put("time", new ReplayMapping.MetricEntry("Time", "ms", null, "minimise"));
        var formulas = new LinkedHashMap<String, String>();
        formulas.put("time", "`time_ms`");
        header.subList(first + KernelTunerFile.RESULTS.size(), header.size()).forEach(m -> {
            metrics.put(m, new ReplayMapping.MetricEntry(m, "", null, "neutral"));
            formulas.put(m, "`" + m + "`");
        });
        var words = new ArrayList<String>();
        words.add("Configurations measured with " + file.program());
        if (!file.kernel().isEmpty()) {
            words.add("of the kernel " + file.kernel());
        }
        if (!file.device().isEmpty()) {
            words.add("on " + file.device());
        }
        return ReplayMapping.Text.of(
                "the file itself",
                new ReplayMapping(
                        1,
                        file.kernel().isEmpty() ? "kernel" : file.kernel(),
                        String.join(" ", words) + ".",
                        ReplayMapping.Rows.ALL,
                        new ReplayMapping.Knobs(header.subList(0, first), List.of(), List.of(), Map.of()),
                        metrics,
                        List.of(new ReplayMapping.Stage(
                                "measured",
                                "(first(`compile_ms`, 0) + first(`bench_ms`, 0)) / 1000",
                                "first(`time_ms` * 0 + 1, 0)",
                                formulas)),
                        new LinkedHashMap<>(),
                        List.of("time")));
    }
}
