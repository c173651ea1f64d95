package knobscape.hls.evaluate.vendor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.vendor.VendorReport.Figure;
import knobscape.hls.evaluate.vendor.VendorReport.Stage;
import knobscape.hls.evaluate.vendor.VendorReport.VendorLoop;

/// Reads the reports in text: `csynth.rpt` and `TOP_csynth.rpt` of C synthesis, `TOP_cosim.rpt`, `TOP_export.rpt`,
/// `export_syn.rpt`, `export_impl.rpt` and what `report_power`, `report_utilization` and `report_timing_summary` print.
final class ReportText {
    private static final Pattern FIELD =
            Pattern.compile("\\s*(?:[*|]\\s*)?([A-Za-z][^:|]*?)\\s*[:|]\\s*([^|]*?)\\s*\\|?");
    private static final Pattern OF_TOP = Pattern.compile("== .*Report for '(.*)'.*");

    private static final String KNOWN =
            "name csynth.rpt, TOP_csynth.rpt, TOP_cosim.rpt, TOP_export.rpt, export_syn.rpt,"
                    + " export_impl.rpt, a report of report_power, report_utilization or report_timing_summary, or the same in"
                    + " XML.";

    private final List<String> lines;
    private final Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    private final Map<Figure, Double> available = new EnumMap<>(Figure.class);
    private final List<VendorLoop> loops = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private ReportText(String text) {
        lines = text.lines().toList();
    }

    /// Throws [UserError] where it is no such report.
    static VendorReport read(Path file, String text) {
        var r = new ReportText(text);
        if (text.contains("Total On-Chip Power (W)")) {
            return r.power();
        }
        if (text.contains(SynthesisSummary.TITLE)) {
            return SynthesisSummary.read(r.lines, r::field);
        }
        if (text.contains("Simulation tool") && text.contains("+   RTL    +")) {
            return VivadoText.cosimulation(r.lines, r::field);
        }
        if (text.contains("== Performance Estimates") || text.contains("== Utilization Estimates")) {
            return r.synthesis();
        }
        if (text.contains("CP required:") || text.contains("Resource Summary")) {
            return r.vivado(text);
        }
        Optional<String> command = VivadoText.command(r.lines);
        if (command.isPresent()) {
            return switch (command.get()) {
                case "report_utilization" -> VivadoText.utilization(r.lines, r::field);
                case "report_timing_summary" -> VivadoText.timing(r.lines, r::field);
                default ->
                    throw new UserError(file + " was written by Vivado's " + command.get()
                            + ", which says nothing of speed, area or power; " + KNOWN);
            };
        }
        throw new UserError(file + " is no report that is known; " + KNOWN);
    }

    private VendorReport synthesis() {
        String top = lines.stream()
                .map(OF_TOP::matcher)
                .filter(java.util.regex.Matcher::matches)
                .map(m -> m.group(1))
                .findFirst()
                .orElse("");
        for (int i = 0; i < lines.size(); i++) {
            List<String> cells = cells(lines.get(i));
            String first = cells.isEmpty() ? "" : cells.getFirst();
            if (first.equals("Clock")) {
                clock(cells, i);
            } else if (lines.get(i).contains("Latency") && cells.isEmpty() && figures.get(Figure.LATENCY_MAX) == null) {
                latency(i);
            } else if (first.equals("Loop Name")) {
                loops(top, i);
            } else if (first.equals("Name") && cells.contains("LUT") && figures.get(Figure.LUT) == null) {
                area(cells, i);
            }
        }
        return report(Stage.HLS, top);
    }

    private void clock(List<String> header, int at) {
        row(at).ifPresent(row -> {
            for (int c = 1; c < Math.min(header.size(), row.size()); c++) {
                Figure figure = switch (header.get(c)) {
                    case "Target" -> Figure.CLOCK_TARGET;
                    case "Estimated" -> Figure.CLOCK_ESTIMATED;
                    default -> Figure.CLOCK_UNCERTAINTY;
                };
                ReportReader.number(row.get(c).replace("ns", "").strip()).ifPresent(v -> figures.put(figure, v));
            }
        });
    }

    /// The table under `Summary:`: latency in cycles, since 2019 latency in time, interval; each as min and max.
    private void latency(int at) {
        if (at + 1 >= lines.size() || !lines.get(at + 1).contains("Summary")) {
            return;
        }
        for (int i = at + 2; i < Math.min(at + 12, lines.size()); i++) {
            List<String> row = cells(lines.get(i));
            if (row.size() >= 5 && row.getFirst().matches("\\?|\\d+")) {
                int interval = row.size() >= 7 ? 4 : 2;
                number(row.get(0)).ifPresent(v -> figures.put(Figure.LATENCY_MIN, v));
                number(row.get(1)).ifPresent(v -> figures.put(Figure.LATENCY_MAX, v));
                number(row.get(interval)).ifPresent(v -> figures.put(Figure.INTERVAL_MIN, v));
                number(row.get(interval + 1)).ifPresent(v -> figures.put(Figure.INTERVAL_MAX, v));
                if (row.get(1).equals("?")) {
                    notes.add("the latency is undefined: a trip count depends on data and none is stated");
                }
                return;
            }
        }
    }

    private void loops(String top, int at) {
        for (int i = at + 1; i < lines.size() && lines.get(i).matches(".*(\\||\\+--).*"); i++) {
            String line = lines.get(i);
            List<String> row = cells(line);
            if (row.size() < 8 || !row.getFirst().matches("[-+o*] .*")) {
                continue;
            }
            String name = row.getFirst().substring(1).strip();
            // Inner loops are set in by one blank per level, after the bar.
            int depth = Math.max(
                    0,
                    line.substring(line.indexOf('|') + 1).indexOf(row.getFirst().charAt(0)));
            var found = new HashMap<String, Double>();
            String[] keys = {"latency min", "latency max", "iteration latency", "interval", "target interval"};
            for (int c = 0; c < keys.length; c++) {
                String key = keys[c];
                number(row.get(c + 1)).ifPresent(v -> found.put(key, v));
            }
            String[] trip = row.get(6).split("~", 2);
            number(trip[0]).ifPresent(v -> found.put("trip min", v));
            number(trip[trip.length - 1]).ifPresent(v -> found.put("trip max", v));
            loops.add(new VendorLoop(
                    top,
                    name,
                    depth,
                    ReportReader.line(name),
                    Optional.of(row.get(7).startsWith("yes")),
                    found));
        }
    }

    private void area(List<String> header, int at) {
        for (int i = at + 1; i < Math.min(at + 40, lines.size()); i++) {
            List<String> row = cells(lines.get(i));
            if (row.isEmpty() || row.size() != header.size()) {
                continue;
            }
            Map<Figure, Double> to = row.getFirst().equals("Total")
                    ? figures
                    : row.getFirst().startsWith("Available") && available.isEmpty() ? available : null;
            for (int c = 1; to != null && c < row.size(); c++) {
                Figure figure = Figure.resource(header.get(c));
                if (figure != null) {
                    var target = to;
                    number(row.get(c)).ifPresent(v -> target.put(figure, v));
                }
            }
            if (row.getFirst().startsWith("Utilization")) {
                return;
            }
        }
    }

    /// Text of Vivado: `LUT: 478` and the clock either as `CP achieved post-synthesis:` or as a table. The table of
    /// 2022.1 calls the last clock "Post-Route" also after synthesis.
    private VendorReport vivado(String text) {
        boolean routed = text.contains("Place & Route Resource Summary")
                || text.contains("Post-Implementation Resource usage")
                || text.contains("CP achieved post-implementation");
        for (String line : lines) {
            var m = FIELD.matcher(line);
            if (!m.matches()) {
                continue;
            }
            Optional<Double> value = ReportReader.number(m.group(2));
            Figure figure = switch (m.group(1)) {
                case "CP required", "Target" -> Figure.CLOCK_TARGET;
                case "CP achieved post-synthesis", "Post-Synthesis" -> Figure.CLOCK_SYN;
                case "CP achieved post-implementation" -> Figure.CLOCK_IMPL;
                case "Post-Route" -> routed ? Figure.CLOCK_IMPL : Figure.CLOCK_SYN;
                default -> Figure.resource(m.group(1));
            };
            if (figure != null) {
                value.ifPresent(v -> figures.putIfAbsent(figure, v));
            }
        }
        if (text.toLowerCase(java.util.Locale.ROOT).contains("timing not met") || text.contains("Timing was not met")) {
            notes.add("timing was not met");
        }
        return report(routed ? Stage.IMPL : Stage.SYN, "");
    }

    private VendorReport power() {
        number(field("Total On-Chip Power (W)")).ifPresent(v -> figures.put(Figure.POWER, v));
        number(field("Dynamic (W)")).ifPresent(v -> figures.put(Figure.POWER_DYNAMIC, v));
        number(field("Device Static (W)")).ifPresent(v -> figures.put(Figure.POWER_STATIC, v));
        Optional.of(field("Confidence Level"))
                .filter(c -> !c.isEmpty())
                .ifPresent(c -> notes.add("confidence of the power: " + c));
        boolean routed =
                field("Design State").toLowerCase(java.util.Locale.ROOT).startsWith("routed");
        return report(routed ? Stage.IMPL : Stage.SYN, field("Design"));
    }

    private VendorReport report(Stage stage, String top) {
        return new VendorReport(
                stage,
                Optional.of(field("Version", "Tool Version", "Implementation tool"))
                        .filter(v -> !v.isEmpty())
                        .map(ReportReader::version),
                Optional.of(top).filter(t -> !t.isEmpty()),
                Optional.of(field("Target device", "Device target", "Device")).filter(p -> !p.isEmpty()),
                figures,
                available,
                loops,
                notes);
    }

    /// The value of `NAME: value` or `| NAME | value |`, empty where there is none.
    private String field(String... names) {
        return lines.stream()
                .map(FIELD::matcher)
                .filter(java.util.regex.Matcher::matches)
                .filter(m -> Arrays.asList(names).contains(m.group(1)))
                .map(m -> m.group(2))
                .findFirst()
                .orElse("");
    }

    /// The first row of figures under a header.
    private Optional<List<String>> row(int header) {
        return lines.stream()
                .skip(header + 1L)
                .limit(4)
                .map(ReportText::cells)
                .filter(r -> r.size() > 1)
                .findFirst();
    }

    private static Optional<Double> number(String cell) {
        return ReportReader.number(cell);
    }

    /// Cells of a table's row; none of another line.
    static List<String> cells(String line) {
        String s = line.strip();
        if (!s.startsWith("|") || !s.endsWith("|") || s.length() < 2) {
            return List.of();
        }
        return Arrays.stream(s.substring(1, s.length() - 1).split("\\|", -1))
                .map(String::strip)
                .toList();
    }
}
