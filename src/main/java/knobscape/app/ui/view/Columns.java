package knobscape.app.ui.view;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.value.ObservableValue;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.control.Tooltip;
import org.jspecify.annotations.Nullable;

/// Fills columns of tables whose widths, headings and styles stand in FXML. A column of the style
/// `number-column` has figures that are aligned on the right.
public final class Columns {
    /// Of a vertical scroll bar.
    private static final double BAR_WIDTH = 16;

    private Columns() {}

    /// Adds to what a cell shows: a tooltip, a colour.
    public interface Dresser<R> {
        /// Called whenever the cell shows another row; `row` is null while it shows none.
        void dress(TableCell<R, R> cell, @Nullable R row);
    }

    /// Shows a text made of the whole row.
    public static <R> void show(
            TableColumn<R, R> column,
            Comparator<? super R> order,
            Function<? super R, String> text,
            Dresser<R> dresser) {
        column.setCellValueFactory(d -> new ReadOnlyObjectWrapper<>(d.getValue()));
        column.setComparator(order::compare);
        column.setCellFactory(c -> {
            var cell = new TableCell<R, R>() {
                @Override
                protected void updateItem(R item, boolean empty) {
                    super.updateItem(item, empty);
                    setText(empty || item == null ? null : text.apply(item));
                    dresser.dress(this, empty ? null : item);
                }
            };
            if (column.getStyleClass().contains("number-column")) {
                cell.getStyleClass().add("number-cell");
            }
            return cell;
        });
    }

    /// Shows as many columns of a table as it has room for; the last ones go first.
    ///
    /// @param byWorth columns, the one that matters most first
    public static <R> void fit(TableView<R> table, List<TableColumn<R, R>> byWorth) {
        fit(table, new SimpleObjectProperty<>(byWorth));
    }

    /// Shows as many columns of a table as it has room for; the last ones go first.
    ///
    /// @param byWorth columns that have something to show, the one that matters most first; followed
    public static <R> void fit(TableView<R> table, ObservableValue<List<TableColumn<R, R>>> byWorth) {
        Runnable fit = () -> {
            double left = table.getWidth() - BAR_WIDTH;
            List<TableColumn<R, R>> wanted = byWorth.getValue();
            for (TableColumn<R, R> c : wanted) {
                left -= c.getMinWidth();
                c.setVisible(left >= 0 || c == wanted.getFirst());
            }
            table.getColumns().forEach(c -> c.setVisible(c.isVisible() && wanted.contains(c)));
        };
        table.widthProperty().subscribe(fit);
        byWorth.subscribe(_ -> fit.run());
    }

    /// Shows a text made of the whole row.
    public static <R> void show(
            TableColumn<R, R> column, Comparator<? super R> order, Function<? super R, String> text) {
        show(column, order, text, (cell, row) -> {});
    }

    /// Adds a column of words to a table, in alphabetical order; a cell shows all of them under the mouse.
    ///
    /// @param width least and first one, in pixels
    public static <R> TableColumn<R, R> words(
            TableView<R> table, String title, double width, Function<? super R, String> text) {
        return add(
                table,
                title,
                width,
                Comparator.<R, String>comparing(text::apply),
                text,
                (cell, row) -> cell.setTooltip(row == null ? null : new Tooltip(text.apply(row))));
    }

    /// Adds a column of figures to a table, on the right of it.
    ///
    /// @param width least and first one, in pixels
    public static <R> TableColumn<R, R> figures(
            TableView<R> table,
            String title,
            double width,
            ToDoubleFunction<? super R> order,
            Function<? super R, String> text) {
        TableColumn<R, R> column =
                add(table, title, width, Comparator.<R>comparingDouble(order::applyAsDouble), text, (cell, row) -> {});
        column.getStyleClass().add("number-column");
        return column;
    }

    private static <R> TableColumn<R, R> add(
            TableView<R> table,
            String title,
            double width,
            Comparator<? super R> order,
            Function<? super R, String> text,
            Dresser<R> dresser) {
        var column = new TableColumn<R, R>(title);
        column.setMinWidth(width);
        column.setPrefWidth(width);
        show(column, order, text, dresser);
        table.getColumns().add(column);
        return column;
    }
}
