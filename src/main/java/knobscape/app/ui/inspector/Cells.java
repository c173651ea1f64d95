package knobscape.app.ui.inspector;

import java.util.List;
import java.util.stream.Stream;
import javafx.geometry.HPos;
import javafx.scene.control.Label;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.text.TextAlignment;
import knobscape.app.ui.view.Glossary;
import knobscape.app.ui.view.NodePool;

/// A table of words in a grid: the first column grows, the others stand at the right.
final class Cells {
    private final NodePool<Label> labels = new NodePool<>(() -> Glossary.explain(new Label()));
    private List<Double> widths = List.of();

    /// @param grid holds these words and nothing else, and is always the same one
    /// @param first least width of the first column in pixels
    /// @param others least widths of the others in pixels
    void show(GridPane grid, double first, List<Double> others, List<Cell> cells) {
        List<Double> wanted = Stream.concat(Stream.of(first), others.stream()).toList();
        if (!wanted.equals(widths)) {
            widths = wanted;
            grid.getColumnConstraints()
                    .setAll(Stream.concat(
                                    Stream.of(growing(first)), others.stream().map(Cells::right))
                            .toList());
        }
        labels.show(grid, cells, Cells::fill);
    }

    private static ColumnConstraints growing(double width) {
        var c = new ColumnConstraints();
        c.setHgrow(Priority.ALWAYS);
        c.setMinWidth(width);
        return c;
    }

    private static ColumnConstraints right(double width) {
        var c = new ColumnConstraints();
        c.setHalignment(HPos.RIGHT);
        c.setMinWidth(width);
        return c;
    }

    private static void fill(Label label, Cell cell) {
        GridPane.setConstraints(label, cell.column(), cell.row(), cell.span(), 1);
        if (!cell.text().equals(label.getText())) {
            label.setText(cell.text());
            label.setTooltip(null);
        }
        List<String> classes =
                Stream.concat(Stream.of("label"), cell.styles().stream()).toList();
        if (!label.getStyleClass().equals(classes)) {
            label.getStyleClass().setAll(classes);
        }
        label.setWrapText(cell.wraps());
        label.setMinWidth(cell.whole() ? Region.USE_PREF_SIZE : Region.USE_COMPUTED_SIZE);
        label.setMinHeight(cell.wraps() ? Region.USE_PREF_SIZE : Region.USE_COMPUTED_SIZE);
        label.setTextAlignment(
                cell.wraps() && cell.styles().contains("figure") ? TextAlignment.RIGHT : TextAlignment.LEFT);
    }

    /// Words of the table.
    ///
    /// @param column from 0
    /// @param row from 0
    /// @param span columns that it takes
    /// @param text the words
    /// @param styles style classes
    /// @param wraps whether it takes more than one line rather than being cut
    /// @param whole whether the column is at least as wide as it
    record Cell(int column, int row, int span, String text, List<String> styles, boolean wraps, boolean whole) {
        static Cell plain(int column, int row, String text, String style) {
            return plain(column, row, text, List.of(style));
        }

        static Cell plain(int column, int row, String text, List<String> styles) {
            return new Cell(column, row, 1, text, styles, false, false);
        }

        static Cell heading(int column, String text) {
            return whole(column, 0, text, List.of("secondary"));
        }

        static Cell whole(int column, int row, String text, List<String> styles) {
            return new Cell(column, row, 1, text, styles, false, true);
        }

        static Cell wrapped(int column, int row, String text, String style) {
            return new Cell(column, row, 1, text, List.of(style), true, false);
        }

        static Cell across(int columns, int row, String text) {
            return new Cell(0, row, columns, text, List.of("secondary"), false, false);
        }
    }
}
