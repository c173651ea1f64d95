package knobscape.evaluate.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;

/// Designs as comma-separated values after RFC 4180 (lines end in CR LF, fields with commas, quotes or line
/// breaks are quoted; control characters stand as escapes): one line per design, one column per knob, and for every
/// fidelity the outcome, each
/// metric with its unit, the time that it took and where the numbers come from; last the notes, where there are some.
public final class DesignCsv {
    private static final String FORMULA = "=+-@\t\r";
    private static final Pattern NUMBER = Pattern.compile("[+-]?(Infinity|(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?)");

    private DesignCsv() {}

    /// The whole file, header line first. Numbers have a decimal point and full precision; what was not
    /// reported is empty.
    public static String write(DesignTable table) {
        List<String> knobs = table.knobNames();
        var b = new StringBuilder();
        line(b, header(table, knobs));
        for (DesignTable.Row row : table.designs()) {
            var fields = new ArrayList<String>();
            fields.add(Integer.toString(row.number()));
            fields.add(row.id());
            fields.add(row.front() ? "yes" : "no");
            knobs.forEach(k -> fields.add(row.knobs().getOrDefault(k, "")));
            for (String fidelity : table.fidelities()) {
                stage(fields, table, row, fidelity);
            }
            if (!table.notes().isEmpty()) {
                fields.add(table.notes().getOrDefault(row.number(), ""));
            }
            line(b, fields);
        }
        return b.toString();
    }

    private static List<String> header(DesignTable table, List<String> knobs) {
        var header = new ArrayList<>(List.of("number", "design", "front"));
        header.addAll(knobs);
        for (String f : table.fidelities()) {
            header.add(f + " outcome");
            for (Metric m : table.metrics()) {
                header.add(f + " " + m.name() + (m.unit().isEmpty() ? "" : " [" + m.unit() + "]"));
            }
            header.add(f
                    + " "
                    + table.designs().stream()
                            .flatMap(row -> row.at(f).stream())
                            .findFirst()
                            .map(s -> s.provenance().source())
                            .orElse(Provenance.Source.MEASURED)
                            .spent()
                    + " time [s]");
            header.add(f + " source");
        }
        if (!table.notes().isEmpty()) {
            header.add("note");
        }
        return header;
    }

    private static void stage(List<String> fields, DesignTable table, DesignTable.Row row, String fidelity) {
        var stage = row.at(fidelity);
        if (stage.isEmpty()) {
            table.metrics().forEach(m -> fields.add(""));
            fields.addAll(List.of("", "", ""));
            return;
        }
        Outcome outcome = stage.get().outcome();
        fields.add(outcome instanceof Outcome.Failure f ? f.kind().status() + ": " + f.reason() : "ok");
        for (Metric m : table.metrics()) {
            fields.add(
                    outcome instanceof Outcome.Measured v && v.value(m.name()).isPresent()
                            ? number(v.value(m.name()).getAsDouble())
                            : "");
        }
        fields.add(number(stage.get().costSeconds()));
        var p = stage.get().provenance();
        fields.add(p.source().words() + ": " + p.toolchain() + " " + p.version()
                + (p.seed() == 0 ? "" : ", seed " + p.seed()));
    }

    /// Shortest text that reads back as the same number, without an exponent for whole numbers.
    private static String number(double v) {
        return v == Math.rint(v) && Math.abs(v) < 1e15 ? Long.toString((long) v) : Double.toString(v);
    }

    private static void line(StringBuilder b, List<String> fields) {
        for (int i = 0; i < fields.size(); i++) {
            b.append(i == 0 ? "" : ",").append(cell(fields.get(i)));
        }
        b.append("\r\n");
    }

    /// A text as a cell of a CSV row, quoted where it has to be (RFC 4180). A text that a spreadsheet would run
    /// as a formula gets an apostrophe in front, which [#text] takes away; numbers stay as they are.
    public static String cell(String told) {
        String value = Printable.text(told);
        String text = isFormula(value) && !NUMBER.matcher(value).matches() ? "'" + value : value;
        boolean quote = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n')
                || !text.equals(text.strip());
        return quote ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    /// The text behind a cell that [#cell] wrote and that was read without its quotes.
    public static String text(String cell) {
        return cell.startsWith("'") && isFormula(cell) ? cell.substring(1) : cell;
    }

    /// True if a text, after apostrophes, begins with what starts a formula and has more behind it.
    private static boolean isFormula(String text) {
        int i = 0;
        while (i < text.length() && text.charAt(i) == '\'') {
            i++;
        }
        return i < text.length() - 1 && FORMULA.indexOf(text.charAt(i)) >= 0;
    }
}
