package knobscape.hls.evaluate.vendor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.vendor.VendorReport.Figure;
import knobscape.hls.evaluate.vendor.VendorReport.Stage;
import knobscape.hls.evaluate.vendor.VendorReport.VendorLoop;

/// Reads the synthesis summary that Vitis HLS writes since 2020.2 (`csynth.rpt`): one table of modules (`+`) and loops
/// (`o`), set in by one blank a level, then tables of pragmas. It prints the largest latency and interval only, and no
/// clock.
final class SynthesisSummary {
    static final String TITLE = "== Synthesis Summary Report of '";
    private static final Pattern TOP = Pattern.compile(Pattern.quote(TITLE) + "(.*)'.*");
    private static final Pattern ROW = Pattern.compile("(\\s*)([+o])\\s+(.*?)(\\*?)\\s*");
    /// `15518 (193%)`, `408 (~0%)`.
    private static final Pattern AMOUNT = Pattern.compile("(\\d+)\\s*(?:\\(.*\\))?");

    private final List<String> lines;
    private final Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    private final List<VendorLoop> loops = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private SynthesisSummary(List<String> lines) {
        this.lines = lines;
    }

    /// @param field value of a line `* NAME: value`
    static VendorReport read(List<String> lines, java.util.function.Function<String[], String> field) {
        var r = new SynthesisSummary(lines);
        String top = lines.stream()
                .map(TOP::matcher)
                .filter(Matcher::matches)
                .map(m -> m.group(1))
                .findFirst()
                .orElse("");
        r.performance();
        r.pragmas();
        Optional<String> part =
                Optional.of(field.apply(new String[] {"Target device"})).filter(p -> !p.isEmpty());
        return new VendorReport(
                Stage.HLS,
                Optional.of(field.apply(new String[] {"Version"}))
                        .filter(v -> !v.isEmpty())
                        .map(ReportReader::version),
                Optional.of(top).filter(t -> !t.isEmpty()),
                part,
                r.figures,
                part.map(SynthesisSummary::available).orElse(Map.of()),
                r.loops,
                r.notes);
    }

    /// The resources of the part, by the table of parts: the report states percentages alone.
    private static Map<Figure, Double> available(String name) {
        try {
            Part.Choice choice = Part.nearest(name);
            if (choice.note().isPresent()) {
                return Map.of();
            }
            Part p = choice.part();
            return Map.of(
                    Figure.LUT, (double) p.lut(),
                    Figure.FF, (double) p.ff(),
                    Figure.DSP, (double) p.dsp(),
                    Figure.BRAM, (double) p.bram(),
                    Figure.URAM, (double) p.uram());
        } catch (knobscape.evaluate.UserError e) {
            return Map.of(); // Not a part of this vendor's names.
        }
    }

    private record Open(int indent, boolean module, String name) {}

    private void performance() {
        int at = 0;
        while (at < lines.size() && !lines.get(at).contains("Performance & Resource Estimates")) {
            at++;
        }
        var header = new LinkedHashMap<Integer, String>();
        Deque<Open> open = new ArrayDeque<>();
        boolean top = true;
        for (int i = at + 1; i < lines.size() && !lines.get(i).startsWith("== "); i++) {
            String[] raw = raw(lines.get(i));
            if (raw.length < 10) {
                continue;
            }
            Matcher row = ROW.matcher(raw[0]);
            if (!row.matches()) {
                // The heading stands in two lines: the words of a column are joined.
                for (int c = 0; c < raw.length; c++) {
                    header.merge(c, raw[c].strip(), (a, b) -> (a + " " + b).strip());
                }
                continue;
            }
            var cells = new HashMap<String, String>();
            header.forEach((c, name) -> {
                if (c < raw.length) {
                    cells.put(name, raw[c].strip());
                }
            });
            int indent = row.group(1).length();
            boolean module = row.group(2).equals("+");
            while (!open.isEmpty() && open.peek().indent() >= indent) {
                open.pop();
            }
            if (module && top) {
                top(cells);
                top = false;
            } else if (!module) {
                loop(row.group(3), open, cells);
            }
            open.push(new Open(indent, module, row.group(3)));
        }
    }

    private void top(Map<String, String> cells) {
        put(Figure.LATENCY_MAX, cells.getOrDefault("Latency (cycles)", ""));
        put(Figure.INTERVAL_MAX, cells.getOrDefault("Interval", ""));
        for (String name : List.of("BRAM", "DSP", "FF", "LUT", "URAM")) {
            Figure figure = Figure.resource(name);
            if (figure != null && cells.containsKey(name)) {
                Matcher m = AMOUNT.matcher(cells.get(name));
                // A dash is none of it; a resource is never unknown in this table.
                figures.put(figure, m.matches() ? Double.parseDouble(m.group(1)) : 0.0);
            }
        }
        if (figures.get(Figure.LATENCY_MAX) == null) {
            notes.add("the latency is undefined: a trip count depends on data and none is stated");
        }
        ReportReader.number(cells.getOrDefault("Slack", ""))
                .filter(s -> s < 0 && cells.getOrDefault("Issue Type", "").contains("Timing"))
                .ifPresent(s -> notes.add("the estimated clock misses its target by " + -s + " ns"));
    }

    private void put(Figure figure, String cell) {
        ReportReader.number(cell).ifPresent(v -> figures.put(figure, v));
    }

    private void loop(String name, Deque<Open> open, Map<String, String> cells) {
        int depth = 0;
        String module = "";
        for (Open o : open) {
            if (o.module()) {
                module = o.name();
                break;
            }
            depth++;
        }
        var found = new HashMap<String, Double>();
        Map<String, String> keys = Map.of(
                "Latency (cycles)", "latency max", "Iteration Latency", "iteration latency", "Interval", "interval");
        keys.forEach((column, key) ->
                ReportReader.number(cells.getOrDefault(column, "")).ifPresent(v -> found.put(key, v)));
        ReportReader.number(cells.getOrDefault("Trip Count", "")).ifPresent(v -> {
            found.put("trip min", v);
            found.put("trip max", v);
        });
        String issue = cells.getOrDefault("Issue Type", "");
        loops.add(new VendorLoop(
                module,
                name,
                depth,
                ReportReader.line(name),
                Optional.of(cells.getOrDefault("Pipelined", ""))
                        .filter(p -> !p.isEmpty())
                        .map(p -> p.equals("yes")),
                found));
        if (issue.contains("II") && found.containsKey("interval")) {
            notes.add("loop " + name + " reaches an initiation interval of " + Math.round(found.get("interval"))
                    + ", which misses its target");
        }
    }

    /// Pragmas that the tool did not take, and why.
    private void pragmas() {
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.equals("* Pragmas with Warnings") && !line.equals("* Ignored Pragmas")) {
                continue;
            }
            for (int j = i + 1; j < lines.size() && lines.get(j).strip().matches("[+|].*"); j++) {
                String[] c = raw(lines.get(j));
                if (c.length >= 4 && !c[0].strip().equals("Type")) {
                    notes.add(("pragma " + c[0].strip() + " " + c[1].strip()).strip() + " at " + c[2].strip()
                            + " has no effect: " + c[3].strip());
                }
            }
        }
    }

    /// Cells of a row with the blanks around them; none of another line.
    private static String[] raw(String line) {
        String s = line.strip();
        return s.startsWith("|") && s.endsWith("|") && s.length() > 1
                ? s.substring(1, s.length() - 1).split("\\|", -1)
                : new String[0];
    }
}
