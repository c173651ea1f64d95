package knobscape.hls.evaluate.vendor;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.hls.evaluate.vendor.VendorReport.Figure;
import knobscape.hls.evaluate.vendor.VendorReport.Stage;

/// Reads what Vivado prints by `report_utilization` and `report_timing_summary`, and the report of co-simulation.
final class VivadoText {
    private static final Pattern COMMAND = Pattern.compile("\\|\\s*Command\\s*:\\s*(report_\\w+)(.*)");
    private static final Pattern SITE = Pattern.compile(
            "(Slice LUTs|CLB LUTs|LUTs|Slice Registers|CLB Registers|Registers|DSPs|DSP Slices|Block RAM Tile|URAM)\\*?");

    private VivadoText() {}

    /// The command that wrote a report (`report_drc`), where one did.
    static Optional<String> command(List<String> lines) {
        return lines.stream()
                .limit(30)
                .map(COMMAND::matcher)
                .filter(Matcher::matches)
                .map(m -> m.group(1))
                .findFirst();
    }

    /// By the state of the design; reports of timing before 2020 tell it by the name of their file alone.
    private static Stage stage(java.util.function.Function<String[], String> field) {
        String state = field.apply(new String[] {"Design State"});
        String told = state.isEmpty() ? field.apply(new String[] {"Command"}) : state;
        return told.toLowerCase(Locale.ROOT).matches("(?s).*(rout|plac|phys).*") ? Stage.IMPL : Stage.SYN;
    }

    /// LUT, FF, DSP, BRAM and URAM, used and available.
    static VendorReport utilization(List<String> lines, java.util.function.Function<String[], String> field) {
        Map<Figure, Double> used = new EnumMap<>(Figure.class);
        Map<Figure, Double> available = new EnumMap<>(Figure.class);
        int at = -1;
        int of = -1;
        for (String line : lines) {
            List<String> cells = ReportText.cells(line);
            if (!cells.isEmpty() && cells.getFirst().equals("Site Type")) {
                at = cells.indexOf("Used");
                of = cells.indexOf("Available");
            }
            if (cells.isEmpty() || at < 0 || !SITE.matcher(cells.getFirst()).matches()) {
                continue;
            }
            String site = cells.getFirst();
            Figure figure = site.contains("LUT")
                    ? Figure.LUT
                    : site.contains("Registers")
                            ? Figure.FF
                            : site.contains("DSP") ? Figure.DSP : site.startsWith("Block") ? Figure.BRAM : Figure.URAM;
            // A tile holds two block RAMs of 18 Kbit.
            double scale = figure == Figure.BRAM ? 2 : 1;
            put(used, figure, cells, at, scale);
            put(available, figure, cells, of, scale);
        }
        return report(stage(field), field, used, available, List.of());
    }

    private static void put(Map<Figure, Double> to, Figure figure, List<String> cells, int at, double scale) {
        if (at >= 0 && at < cells.size()) {
            ReportReader.number(cells.get(at)).ifPresent(v -> to.putIfAbsent(figure, scale * v));
        }
    }

    /// The period of the first clock, and what the slowest path needs: the period less its slack.
    static VendorReport timing(List<String> lines, java.util.function.Function<String[], String> field) {
        Stage stage = stage(field);
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        Optional<Double> slack = below(lines, "WNS(ns)", 0);
        Optional<Double> period = below(lines, "Period(ns)", -2);
        period.ifPresent(p -> figures.put(Figure.CLOCK_TARGET, p));
        if (period.isPresent() && slack.isPresent()) {
            figures.put(stage == Stage.IMPL ? Figure.CLOCK_IMPL : Figure.CLOCK_SYN, period.get() - slack.get());
        }
        return report(
                stage,
                field,
                figures,
                Map.of(),
                slack.filter(s -> s < 0)
                        .map(s -> List.of("timing was not met: slack of " + s + " ns"))
                        .orElse(List.of()));
    }

    /// A word of the first line of figures under a heading, counted from its front or, if negative, from its end.
    private static Optional<Double> below(List<String> lines, String heading, int word) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(heading) && i + 2 < lines.size()) {
                String[] words = lines.get(i + 2).strip().split("\\s+");
                int at = word < 0 ? words.length + word : word;
                return at >= 0 && at < words.length ? ReportReader.number(words[at]) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /// Cycles of the simulated hardware on the testbench's inputs: of the language that passed.
    static VendorReport cosimulation(List<String> lines, java.util.function.Function<String[], String> field) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        var notes = new java.util.ArrayList<String>();
        Figure[] order = {
            Figure.LATENCY_MIN, Figure.LATENCY_AVG, Figure.LATENCY_MAX, Figure.INTERVAL_MIN, null, Figure.INTERVAL_MAX
        };
        for (String line : lines) {
            List<String> cells = ReportText.cells(line);
            if (cells.size() < 8 || !cells.getFirst().matches("VHDL|Verilog")) {
                continue;
            }
            String status = cells.get(1);
            if (status.equalsIgnoreCase("Pass") && figures.isEmpty()) {
                for (int c = 0; c < order.length; c++) {
                    Figure figure = order[c];
                    if (figure != null) {
                        ReportReader.number(cells.get(c + 2)).ifPresent(v -> figures.put(figure, v));
                    }
                }
            } else if (status.toLowerCase(Locale.ROOT).startsWith("fail")) {
                notes.add("co-simulation in " + cells.getFirst()
                        + " failed: the hardware computes something else than the C program");
            }
        }
        if (figures.isEmpty() && notes.isEmpty()) {
            notes.add("no language was simulated to its end");
        }
        return report(Stage.COSIM, field, figures, Map.of(), notes);
    }

    private static VendorReport report(
            Stage stage,
            java.util.function.Function<String[], String> field,
            Map<Figure, Double> figures,
            Map<Figure, Double> available,
            List<String> notes) {
        return new VendorReport(
                stage,
                Optional.of(field.apply(new String[] {"Tool Version", "Version"}))
                        .filter(v -> !v.isEmpty())
                        .map(ReportReader::version),
                Optional.of(field.apply(new String[] {"Design"})).filter(v -> !v.isEmpty()),
                Optional.of(field.apply(new String[] {"Device", "Target device"}))
                        .filter(v -> !v.isEmpty()),
                figures,
                available,
                List.of(),
                notes);
    }
}
