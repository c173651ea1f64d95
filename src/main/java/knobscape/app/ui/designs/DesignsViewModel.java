package knobscape.app.ui.designs;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleObjectProperty;
import knobscape.app.ui.designs.Results.VisibleDesigns;
import knobscape.app.ui.designs.TableColumns.Column;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.LatestTask;

/// The table of designs: which columns, which rows in which order, and how many of how many. Sorting happens
/// away from the screen.
public final class DesignsViewModel {

    /// How the table is sorted.
    ///
    /// @param columnId the column
    /// @param ascending smallest first
    public record Sorting(String columnId, boolean ascending) {}

    /// The table's content, consistent in itself.
    ///
    /// @param set the designs
    /// @param columns the columns
    /// @param order indexes into `set` from top to bottom
    /// @param by what they were filtered and sorted by
    public record Rows(DesignSet set, List<Column> columns, RowOrder order, Object by) {}

    private final Results results;
    private final LatestTask<Rows> sorting;
    private final ReadOnlyObjectWrapper<Rows> rows =
            new ReadOnlyObjectWrapper<>(new Rows(DesignSet.none(), List.of(), RowOrder.of(IntStream.empty()), ""));
    private final ObjectProperty<Optional<Sorting>> sort = new SimpleObjectProperty<>(Optional.empty());
    private final ReadOnlyStringWrapper count = new ReadOnlyStringWrapper("");

    /// @param background where sorting happens
    /// @param results the designs shared by the window
    public DesignsViewModel(Background background, Results results) {
        this.results = results;
        this.sorting = new LatestTask<>(background, this::take, e -> {
            throw new IllegalStateException("sorting failed", e);
        });
        results.shown().addListener((o, was, is) -> refresh());
        sort.addListener((o, was, is) -> refresh());
        refresh();
    }

    private void refresh() {
        VisibleDesigns shown = results.shown().get();
        Optional<Sorting> by = sort.get();
        sorting.submit(() -> arrange(shown, by));
    }

    private static Rows arrange(VisibleDesigns shown, Optional<Sorting> by) {
        List<Column> columns = TableColumns.of(shown.set());
        IntStream kept = shown.matching().stream();
        Optional<Sorting> wanted =
                by.or(() -> shown.filter().best().map(b -> new Sorting("metric:" + b.metric(), !b.largest())));
        Optional<Column> column = wanted.flatMap(
                s -> columns.stream().filter(c -> c.id().equals(s.columnId())).findFirst());
        IntStream order = column.isPresent()
                ? kept.boxed()
                        .sorted(TableColumns.order(
                                shown.set(), column.get(), wanted.orElseThrow().ascending()))
                        .mapToInt(i -> i)
                : kept;
        return new Rows(shown.set(), columns, RowOrder.of(order), List.of(shown.filter(), wanted));
    }

    private void take(Rows fresh) {
        count.set(words(fresh.order().size(), fresh.set().size()));
        rows.set(fresh);
    }

    /// `137 of 4 812 designs`, `4 812 designs`, or nothing before a run.
    static String words(int shown, int all) {
        if (all == 0) {
            return "";
        }
        String noun = all == 1 ? " design" : " designs";
        return shown == all ? Quantity.count(all) + noun : Quantity.count(shown) + " of " + Quantity.count(all) + noun;
    }

    /// The table's content.
    public ReadOnlyObjectProperty<Rows> rows() {
        return rows.getReadOnlyProperty();
    }

    /// How it is sorted; where empty by the goal, else by number.
    public ObjectProperty<Optional<Sorting>> sort() {
        return sort;
    }

    /// How many of how many designs are shown, in words.
    public ReadOnlyStringProperty count() {
        return count.getReadOnlyProperty();
    }

    /// The results that the window shares.
    public Results results() {
        return results;
    }

    /// The rows as tab-separated text with headings, for the clipboard.
    public String asText() {
        Rows r = rows.get();
        String head = r.columns().stream().map(Column::title).collect(Collectors.joining("\t"));
        return head + "\n"
                + r.order().stream()
                        .map(i -> r.columns().stream()
                                .map(c -> c.text().of(r.set(), i))
                                .collect(Collectors.joining("\t")))
                        .collect(Collectors.joining("\n"));
    }

    /// Row of the selected design, -1 where it is not shown.
    public int selectedRow() {
        var index = results.set().indexOf(results.selected().get());
        return index.isEmpty() ? -1 : rows.get().order().indexOf(index.getAsInt());
    }
}
