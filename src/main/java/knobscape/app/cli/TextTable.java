package knobscape.app.cli;

import java.util.ArrayList;
import java.util.List;
import knobscape.evaluate.report.Printable;

/// Columns of text under their headings: numbers right, words left.
public final class TextTable {
    private final List<String> headings;
    private final List<Boolean> right;
    private final List<List<String>> rows = new ArrayList<>();

    /// @param headings one per column; one that starts with `>` is set right, as are its cells
    public TextTable(String... headings) {
        this(List.of(headings));
    }

    /// @param headings one per column; one that starts with `>` is set right, as are its cells
    public TextTable(List<String> headings) {
        this.right = headings.stream().map(h -> h.startsWith(">")).toList();
        this.headings = headings.stream()
                .map(h -> h.startsWith(">") ? h.substring(1) : h)
                .toList();
    }

    /// Adds a row; throws where it has not as many cells as there are columns.
    public void add(List<String> cells) {
        if (cells.size() != headings.size()) {
            throw new IllegalArgumentException("expected " + headings.size() + " cells, was " + cells.size());
        }
        rows.add(cells.stream().map(Printable::line).toList());
    }

    /// Adds a row; throws where it has not as many cells as there are columns.
    public void add(String... cells) {
        add(List.of(cells));
    }

    /// All lines, each ending in a line feed.
    public String text() {
        int[] widths = new int[headings.size()];
        var all = new ArrayList<List<String>>();
        all.add(headings);
        all.addAll(rows);
        for (List<String> row : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        var b = new StringBuilder();
        for (List<String> row : all) {
            var line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String pad = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? "" : "  ").append(right.get(i) ? pad + row.get(i) : row.get(i) + pad);
            }
            b.append(line.toString().stripTrailing()).append('\n');
        }
        return b.toString();
    }
}
