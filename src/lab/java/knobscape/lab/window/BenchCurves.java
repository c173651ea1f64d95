package knobscape.lab.window;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import knobscape.app.ui.plot.Lines;
import knobscape.app.ui.task.ScreenThread;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.CsvTable;

/// Curves that benches leave in `curves.csv`: subject, method, seed, and two figures, one of which falls while
/// the other grows. By subject one line per method, the mean over the seeds that have begun.
final class BenchCurves {
    /// Name of the file in a bench's folder.
    static final String FILE = "curves.csv";
    private static final int COLUMNS = 5;

    private BenchCurves() {}

    /// The curves in a folder by subject; none where the bench leaves none. Throws [UserError] where the file
    /// is not what a bench writes.
    static Map<String, Lines> read(Path folder) {
        ScreenThread.mustNotBe("reading curves");
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            return Map.of();
        }
        CsvTable table = CsvTable.read(file);
        if (table.header().size() != COLUMNS) {
            throw new UserError(
                    file + ":1: " + COLUMNS + " columns are expected (subject, method, seed, hours, value), there are "
                            + table.header().size() + ".");
        }
        var points = new LinkedHashMap<String, Map<String, Map<String, TreeMap<Double, Double>>>>();
        for (int r = 0; r < table.rowCount(); r++) {
            points.computeIfAbsent(table.cell(r, 0), s -> new LinkedHashMap<>())
                    .computeIfAbsent(table.cell(r, 1), m -> new LinkedHashMap<>())
                    .computeIfAbsent(table.cell(r, 2), s -> new TreeMap<>())
                    .put(number(table, r, 3), number(table, r, 4));
        }
        var all = new LinkedHashMap<String, Lines>();
        points.forEach((subject, methods) -> {
            var lines = new ArrayList<Lines.Line>();
            methods.forEach((method, seeds) -> lines.add(mean(method, List.copyOf(seeds.values()))));
            all.put(
                    subject,
                    new Lines(
                            capitalised(table.header().get(3)),
                            table.header().get(4) + ", mean over seeds",
                            false,
                            false,
                            lines));
        });
        return all;
    }

    private static String capitalised(String text) {
        return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    private static double number(CsvTable table, int row, int column) {
        try {
            return Double.parseDouble(table.cell(row, column));
        } catch (NumberFormatException e) {
            throw new UserError(
                    table.file() + ":" + table.line(row) + ": '" + table.cell(row, column) + "' is not a number.", e);
        }
    }

    /// Stairs from the moment on at which every seed has a value.
    private static Lines.Line mean(String method, List<TreeMap<Double, Double>> seeds) {
        var times = new TreeSet<Double>();
        seeds.forEach(s -> times.addAll(s.keySet()));
        double all = seeds.stream().mapToDouble(TreeMap::firstKey).max().orElse(0);
        double[] x =
                times.tailSet(all).stream().mapToDouble(Double::doubleValue).toArray();
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            double at = x[i];
            y[i] = seeds.stream()
                    .mapToDouble(s -> s.floorEntry(at).getValue())
                    .average()
                    .orElse(Double.NaN);
        }
        return new Lines.Line(method, x, y, Lines.Form.STAIRS);
    }
}
