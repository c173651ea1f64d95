package knobscape.app.ui.designs;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyIntegerWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.Latest;
import knobscape.app.ui.undo.UndoStack;
import knobscape.project.Design;

/// What all views of results share: the designs, one filter, one selection, up to five pins. Views listen to
/// [#shown()], which always pairs a set of designs with what the filter lets through of that very set. Used from the
/// JavaFX thread; filtering happens away from it.
public final class Results {
    /// Most designs that can be pinned.
    public static final int MAX_PINS = 5;
    /// The number that means "no design".
    public static final int NOTHING = -1;
    /// The number of the baseline.
    public static final int BASELINE = 0;

    /// A set of designs and what the filter makes of it.
    ///
    /// @param set the designs
    /// @param filter the filter applied
    /// @param matching indexes that pass
    /// @param count how many pass
    public record Shown(DesignSet set, DesignFilter filter, BitSet matching, int count) {
        /// Whether the design at `index` passes.
        public boolean matches(int index) {
            return matching.get(index);
        }
    }

    private static final Shown NOTHING_SHOWN = new Shown(DesignSet.none(), DesignFilter.none(), new BitSet(), 0);

    private final UndoStack undo;
    private final Latest<Shown> filtering;
    private final ReadOnlyObjectWrapper<Shown> shown = new ReadOnlyObjectWrapper<>(NOTHING_SHOWN);
    private final ReadOnlyObjectWrapper<DesignFilter> filter = new ReadOnlyObjectWrapper<>(DesignFilter.none());
    private final ReadOnlyIntegerWrapper selected = new ReadOnlyIntegerWrapper(NOTHING);
    private final ObservableList<Integer> pins = FXCollections.observableArrayList();
    private final ObservableList<Integer> readOnlyPins = FXCollections.unmodifiableObservableList(pins);
    private DesignSet newest = DesignSet.none();

    /// @param background where filtering happens
    /// @param undo takes pins and filters back
    public Results(Background background, UndoStack undo) {
        this.undo = undo;
        this.filtering = new Latest<>(background, shown::set, e -> {
            throw new IllegalStateException("filtering failed", e);
        });
    }

    /// The designs with what the filter lets through.
    public ReadOnlyObjectProperty<Shown> shown() {
        return shown.getReadOnlyProperty();
    }

    /// The designs as last filtered.
    public DesignSet set() {
        return shown.get().set();
    }

    /// Takes a newer state of the same run.
    public void update(DesignSet set) {
        newest = set;
        refilter();
    }

    /// Shows another run, or none: selection, filter and pins start afresh.
    public void open(DesignSet set) {
        newest = set;
        filter.set(DesignFilter.none());
        selected.set(NOTHING);
        pins.clear();
        refilter();
    }

    private void refilter() {
        DesignSet set = newest;
        DesignFilter f = filter.get();
        filtering.submit(() -> apply(set, f));
    }

    private static Shown apply(DesignSet set, DesignFilter filter) {
        var matching = new BitSet(set.size());
        if (filter.isNone()) {
            matching.set(0, set.size());
        } else {
            IntPredicate test = filter.over(set);
            for (int i = 0; i < set.size(); i++) {
                matching.set(i, test.test(i));
            }
        }
        return new Shown(set, filter, matching, matching.cardinality());
    }

    /// The filter as asked for; [#shown()] follows it a moment later.
    public ReadOnlyObjectProperty<DesignFilter> filter() {
        return filter.getReadOnlyProperty();
    }

    /// Changes the filter; can be undone. Changes made in one gesture carry an equal `key` and are undone
    /// together.
    public void setFilter(DesignFilter next, Object key) {
        DesignFilter before = filter.get();
        if (next.equals(before)) {
            return;
        }
        undo.perform(new UndoStack.Edit("filter", () -> putFilter(next), () -> putFilter(before)), key);
    }

    /// Changes the filter; can be undone.
    public void setFilter(DesignFilter next) {
        setFilter(next, new Object());
    }

    private void putFilter(DesignFilter next) {
        filter.set(next);
        refilter();
    }

    /// Number of the selected design, [#NOTHING] where there is none, [#BASELINE] for the baseline.
    public ReadOnlyIntegerProperty selected() {
        return selected.getReadOnlyProperty();
    }

    /// The selected design.
    public Optional<Design> selectedDesign() {
        return selected.get() == NOTHING ? Optional.empty() : newest.byNumber(selected.get());
    }

    /// Selects a design everywhere; an unknown number selects nothing.
    public void select(int number) {
        selected.set(newest.byNumber(number).isPresent() ? number : NOTHING);
    }

    /// Numbers of the pinned designs in the order of their slots.
    public ObservableList<Integer> pins() {
        return readOnlyPins;
    }

    /// Slot of a pinned design, 1 to 5, or 0.
    public int pinOf(int number) {
        return pins.indexOf(number) + 1;
    }

    /// Pins a design or takes its pin away; can be undone. Where five are pinned already, nothing changes and
    /// false is returned.
    public boolean togglePin(int number) {
        if (number == NOTHING || newest.byNumber(number).isEmpty()) {
            return false;
        }
        List<Integer> before = List.copyOf(pins);
        if (before.contains(number)) {
            var after = before.stream().filter(n -> n != number).toList();
            undo.perform(
                    new UndoStack.Edit("unpin " + title(number), () -> pins.setAll(after), () -> pins.setAll(before)));
            return true;
        }
        if (before.size() == MAX_PINS) {
            return false;
        }
        var after = java.util.stream.Stream.concat(before.stream(), java.util.stream.Stream.of(number))
                .collect(Collectors.toUnmodifiableList());
        undo.perform(new UndoStack.Edit("pin " + title(number), () -> pins.setAll(after), () -> pins.setAll(before)));
        return true;
    }

    /// How a design is called.
    public static String title(int number) {
        return number == BASELINE ? "baseline" : "design #" + number;
    }

    /// Walks the front, sorted by one metric: selects the next member in `direction` (+1 or -1) from the
    /// selected design, or the first.
    public void walkFront(String metric, int direction) {
        DesignSet set = set();
        List<Integer> front = java.util.stream.IntStream.range(0, set.size())
                .filter(i -> set.standing(i) == Standing.FRONT && shown.get().matches(i))
                .boxed()
                .sorted(java.util.Comparator.comparingDouble(
                                (Integer i) -> set.shownValue(i, metric).orElse(Double.NaN))
                        .thenComparing(i -> i))
                .toList();
        if (front.isEmpty()) {
            return;
        }
        int at = set.indexOf(selected.get()).isPresent()
                ? front.indexOf(set.indexOf(selected.get()).getAsInt())
                : -1;
        int next = at < 0 ? direction > 0 ? 0 : front.size() - 1 : Math.clamp(at + direction, 0, front.size() - 1);
        select(front.get(next) + 1);
    }
}
