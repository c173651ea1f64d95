package knobscape.lab.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.DesignCsv;
import knobscape.project.NumberFormats;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The table of a bench, and which of its aims are met.
///
/// @param title what the table shows, one sentence
/// @param rows cells by column; texts or numbers
/// @param aims everything the bench is held to
/// @param notes how to read it, a sentence each
public record BenchReport(
        String bench, String title, List<Column> columns, List<List<Cell>> rows, List<Aim> aims, List<String> notes) {
    public BenchReport {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        aims = List.copyOf(aims);
        notes = List.copyOf(notes);
        for (List<Cell> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(
                        "a row has " + row.size() + " cells under " + columns.size() + " columns");
            }
        }
    }

    private static final long LARGEST = 64L << 20;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /// A column.
    ///
    /// @param key name in JSON and CSV
    /// @param heading for a person, with the unit
    public record Column(String key, String heading) {
        /// Columns from keys and headings in turn.
        static List<Column> list(String... words) {
            return IntStream.range(0, words.length / 2)
                    .mapToObj(i -> new Column(words[2 * i], words[2 * i + 1]))
                    .toList();
        }
    }

    /// A cell.
    public sealed interface Cell {
        /// Words.
        record Text(String text) implements Cell {}

        /// A number; NaN where there is none.
        record Number(double value) implements Cell {}

        /// Words as a cell.
        static Cell of(String text) {
            return new Text(text);
        }

        /// A number as a cell.
        static Cell of(double value) {
            return new Number(value);
        }

        /// As a person reads it.
        default String shown() {
            return switch (this) {
                case Text t -> t.text();
                case Number n -> NumberFormats.shortest(n.value());
            };
        }
    }

    /// Something promised.
    ///
    /// @param value what was reached, NaN where it could not be measured
    /// @param target what it is held against, in words with its relation (`at most 0.75`)
    /// @param met whether it is reached
    public record Aim(String name, double value, String target, boolean met) {
        static Aim atLeast(String name, double value, double target) {
            return new Aim(name, value, "at least " + plain(target), value >= target);
        }

        static Aim atMost(String name, double value, double target) {
            return new Aim(name, value, "at most " + plain(target), value <= target);
        }

        static Aim below(String name, double value, double target) {
            return new Aim(name, value, "below " + plain(target), value < target);
        }

        private static String plain(double target) {
            return target == Math.rint(target) ? Long.toString((long) target) : Double.toString(target);
        }
    }

    /// `{"bench", "columns": [{"key", "heading"}], "rows": [..], "aims": [{"name", "value", "target", "met"}],
    /// "notes"}`.
    public ObjectNode json() {
        ObjectNode root = JSON.createObjectNode().put("bench", bench).put("title", title);
        root.set("columns", JSON.valueToTree(columns));
        var list = root.putArray("rows");
        for (List<Cell> row : rows) {
            ObjectNode node = list.addObject();
            for (int i = 0; i < row.size(); i++) {
                String key = columns.get(i).key();
                switch (row.get(i)) {
                    case Cell.Text t -> node.put(key, t.text());
                    case Cell.Number n -> put(node, key, n.value());
                }
            }
        }
        var targets = root.putArray("aims");
        for (Aim a : aims) {
            ObjectNode node = targets.addObject().put("name", a.name());
            put(node, "value", a.value()).put("target", a.target()).put("met", a.met());
        }
        root.set("notes", JSON.valueToTree(notes));
        return root;
    }

    private static ObjectNode put(ObjectNode node, String key, double value) {
        return Double.isFinite(value) ? node.put(key, value) : node.putNull(key);
    }

    /// Reads what [#json()] wrote. Throws [UserError] where the file is none of it.
    public static BenchReport read(Path file) {
        try {
            JsonNode root = JSON.readTree(InputFile.text(file, LARGEST));
            List<Column> columns = List.of(JSON.treeToValue(root.required("columns"), Column[].class));
            var rows = new ArrayList<List<Cell>>();
            for (JsonNode row : root.required("rows")) {
                rows.add(columns.stream()
                        .map(c -> row.path(c.key()))
                        .map(v -> v.isString()
                                ? Cell.of(v.stringValue())
                                : Cell.of(v.isNumber() ? v.doubleValue() : Double.NaN))
                        .toList());
            }
            var aims = new ArrayList<Aim>();
            root.required("aims")
                    .forEach(a -> aims.add(new Aim(
                            a.required("name").stringValue(),
                            a.path("value").isNumber() ? a.path("value").doubleValue() : Double.NaN,
                            a.required("target").stringValue(),
                            a.required("met").booleanValue())));
            var notes = new ArrayList<String>();
            root.path("notes").forEach(n -> notes.add(n.stringValue()));
            return new BenchReport(
                    root.required("bench").stringValue(),
                    root.required("title").stringValue(),
                    columns,
                    rows,
                    aims,
                    notes);
        } catch (IOException | JacksonException e) {
            throw new UserError(file + " is not the table of a bench: " + UserError.reason(e) + ".", e);
        }
    }

    /// RFC 4180, header first, numbers with full precision.
    public String csv() {
        var b = new StringBuilder(
                        columns.stream().map(c -> DesignCsv.cell(c.key())).collect(Collectors.joining(",")))
                .append("\r\n");
        for (List<Cell> row : rows) {
            b.append(row.stream()
                            .map(c -> switch (c) {
                                case Cell.Text t -> DesignCsv.cell(t.text());
                                case Cell.Number n -> Double.isFinite(n.value()) ? Double.toString(n.value()) : "";
                            })
                            .collect(Collectors.joining(",")))
                    .append("\r\n");
        }
        return b.toString();
    }

    /// A document with the table, the aims and the notes.
    public String markdown() {
        var b = new StringBuilder("# bench " + bench + "\n\n" + title + "\n\n| ")
                .append(columns.stream()
                        .map(c -> c.heading().replace("|", "\\|"))
                        .collect(Collectors.joining(" | ")))
                .append(" |\n|");
        for (int i = 0; i < columns.size(); i++) {
            b.append(isNumeric(i) ? "---:|" : "---|");
        }
        b.append('\n');
        for (List<Cell> row : rows) {
            b.append("| ")
                    .append(row.stream().map(c -> c.shown().replace("|", "\\|")).collect(Collectors.joining(" | ")))
                    .append(" |\n");
        }
        b.append("\n## Aims\n\n| aim | value | target | met |\n|---|---:|---|---|\n");
        for (Aim a : aims) {
            b.append("| %s | %s | %s | %s |\n"
                    .formatted(a.name(), NumberFormats.shortest(a.value()), a.target(), a.met() ? "yes" : "no"));
        }
        if (!notes.isEmpty()) {
            b.append('\n');
            notes.forEach(n -> b.append("- ").append(n).append('\n'));
        }
        return b.toString();
    }

    /// True if a column holds numbers only.
    public boolean isNumeric(int column) {
        return !rows.isEmpty() && rows.stream().allMatch(r -> r.get(column) instanceof Cell.Number);
    }

    /// A row that begins with words.
    static List<Cell> row(List<String> words, double... numbers) {
        var cells = new ArrayList<Cell>();
        words.forEach(w -> cells.add(Cell.of(w)));
        for (double n : numbers) {
            cells.add(Cell.of(n));
        }
        return cells;
    }

    /// `0.123 +- 0.045` style numbers of the notes.
    static String decimals(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
