package knobscape.evaluate.replay;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;

/// The log of Helion's autotuner (`HELION_AUTOTUNE_LOG`): CSV with a row per configuration, which is one cell of
/// Python, `helion.Config(block_sizes=[64, 32], num_warps=4)`. A list is a parameter for each place.
final class HelionLog {
    private static final Set<String> COLUMNS = Set.of("status", "perf_ms", "compile_time_s", "config");
    private static final String ABSENT = "none";

    private HelionLog() {}

    /// True if a table with this header is such a log.
    static boolean isOne(List<String> header) {
        return header.containsAll(COLUMNS);
    }

    /// Its measurements; a row that only says that a configuration was begun is left out. Throws [UserError] with the
    /// line of a configuration that cannot be read.
    static KernelTunerFile read(Path file, CsvTable table) {
        int status = table.column("status").orElseThrow();
        int time = table.column("perf_ms").orElseThrow();
        int compile = table.column("compile_time_s").orElseThrow();
        int config = table.column("config").orElseThrow();
        var configurations = new ArrayList<Map<String, String>>();
        var rows = new ArrayList<Integer>();
        var knobs = new LinkedHashSet<String>();
        for (int r = 0; r < table.rowCount(); r++) {
            if (!table.cell(r, status).equals("started")) {
                Map<String, String> c = configuration(file, table.line(r), table.cell(r, config));
                knobs.addAll(c.keySet());
                configurations.add(c);
                rows.add(r);
            }
        }
        var cells = new ArrayList<String[]>();
        for (int i = 0; i < rows.size(); i++) {
            Map<String, String> c = configurations.get(i);
            double ms = CsvTable.number(table.cell(rows.get(i), time));
            double seconds = CsvTable.number(table.cell(rows.get(i), compile));
            boolean ran = ms > 0 && Double.isFinite(ms);
            String said = table.cell(rows.get(i), status);
            cells.add(Stream.concat(
                            knobs.stream().map(k -> c.getOrDefault(k, ABSENT)),
                            Stream.of(
                                    ran ? "ok" : said.equals("timeout") ? "run_timeout" : "run_failed",
                                    ran ? Double.toString(ms) : "",
                                    seconds > 0 ? Double.toString(1000 * seconds) : "",
                                    ""))
                    .toArray(String[]::new));
        }
        if (cells.isEmpty() || knobs.isEmpty()) {
            throw new UserError(file + " is a log of Helion that holds no measurement.");
        }
        var header = new ArrayList<>(knobs);
        header.addAll(KernelTunerFile.RESULTS);
        return new KernelTunerFile("Helion", "", "", CsvTable.of(file.toString(), header, cells));
    }

    /// Names and values between the outer brackets, split at commas that no inner bracket or quote holds.
    private static Map<String, String> configuration(Path file, int line, String text) {
        int open = text.indexOf('(');
        int close = text.lastIndexOf(')');
        var all = new LinkedHashMap<String, String>();
        for (String part : open < 0 || close < open ? List.<String>of() : split(text.substring(open + 1, close))) {
            String[] sides = part.split("=", 2);
            if (sides.length < 2) {
                all.clear();
                break;
            }
            String value = sides[1].strip();
            if (value.startsWith("[") && value.endsWith("]")) {
                List<String> inner = split(value.substring(1, value.length() - 1));
                for (int i = 0; i < inner.size(); i++) {
                    all.put(sides[0].strip() + "[" + i + "]", plain(inner.get(i)));
                }
            } else {
                all.put(sides[0].strip(), plain(value));
            }
        }
        if (all.isEmpty()) {
            throw new UserError(file + ":" + line + ": '" + text.substring(0, Math.min(60, text.length()))
                    + "' is no configuration of Helion, such as helion.Config(num_warps=4).");
        }
        return all;
    }

    private static String plain(String value) {
        String v = value.strip();
        return v.length() > 1 && v.charAt(0) == v.charAt(v.length() - 1) && (v.charAt(0) == '\'' || v.charAt(0) == '"')
                ? v.substring(1, v.length() - 1)
                : v;
    }

    private static List<String> split(String text) {
        var parts = new ArrayList<String>();
        int depth = 0;
        char quote = 0;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if ("([{".indexOf(c) >= 0) {
                depth++;
            } else if (")]}".indexOf(c) >= 0) {
                depth--;
            } else if (c == ',' && depth == 0) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts.stream().filter(p -> !p.isBlank()).toList();
    }
}
