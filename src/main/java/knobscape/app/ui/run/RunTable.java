package knobscape.app.ui.run;

import java.util.List;
import java.util.function.Function;
import javafx.beans.Observable;
import javafx.beans.value.ObservableValue;
import knobscape.project.RunRecord;

/// What an area's table of runs says besides what all runs have.
///
/// @param columns of the area, in order
/// @param ticks which runs are drawn beside the one shown
/// @param words above the table
/// @param changes when the columns are to be read again
public record RunTable(List<Column> columns, Ticks ticks, ObservableValue<String> words, List<Observable> changes) {
    /// A column.
    ///
    /// @param width at first, in pixels
    /// @param isNumber whether it is aligned to the right
    public record Column(String title, double width, boolean isNumber, Function<RunRecord, String> words) {}

    public RunTable {
        columns = List.copyOf(columns);
        changes = List.copyOf(changes);
    }
}
