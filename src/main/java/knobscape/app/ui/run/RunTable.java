package knobscape.app.ui.run;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javafx.beans.Observable;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.value.ObservableValue;
import knobscape.project.RunRecord;

/// The area's part of the table of runs, besides what all runs have.
///
/// @param columns of the area, in order
/// @param ticks which runs are drawn beside the one shown
/// @param words above the table
/// @param changes when the columns are to be read again
public record RunTable(
        List<Column> columns, ComparedRuns ticks, ObservableValue<String> words, List<Observable> changes) {
    /// A column.
    ///
    /// @param width at first, in pixels
    /// @param isNumber whether it is aligned to the right
    public record Column(String title, double width, boolean isNumber, Function<RunRecord, String> words) {
        /// A figure that is not known of every run.
        ///
        /// @param of what is known of a run
        /// @param words the figure, where that has it
        public static <T> Column figure(
                String title,
                double width,
                Function<RunRecord, Optional<T>> of,
                Function<? super T, Optional<String>> words) {
            return new Column(
                    title, width, true, r -> of.apply(r).flatMap(words).orElse("\u2013"));
        }
    }

    /// A table without words above it.
    public RunTable(List<Column> columns, ComparedRuns ticks, List<Observable> changes) {
        this(columns, ticks, new ReadOnlyStringWrapper(""), changes);
    }

    public RunTable {
        columns = List.copyOf(columns);
        changes = List.copyOf(changes);
    }
}
