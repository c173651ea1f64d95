package knobscape.app.ui.designs;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import javafx.collections.ListChangeListener;
import javafx.collections.ObservableList;
import javafx.collections.ObservableListBase;

/// Rows that are replaced as a whole without being copied. Where the old ones are only followed by more, that is all
/// that is told.
final class RowList extends ObservableListBase<Integer> {
    private RowOrder rows = RowOrder.of(IntStream.empty());

    void replace(RowOrder fresh) {
        RowOrder old = rows;
        rows = fresh;
        if (!old.isStartOf(fresh)) {
            fireChange(new Replaced(this, 0, old));
        } else if (old.size() < fresh.size()) {
            fireChange(new Replaced(this, old.size(), List.of()));
        }
    }

    /// All rows from one on are others. The base class would make an object of every row that is gone.
    private static final class Replaced extends ListChangeListener.Change<Integer> {
        private final int from;
        private final int to;
        private final List<Integer> removed;
        private boolean begun;

        Replaced(ObservableList<Integer> list, int from, List<Integer> removed) {
            super(list);
            this.from = from;
            this.to = list.size();
            this.removed = Collections.unmodifiableList(removed);
        }

        @Override
        public boolean next() {
            boolean first = !begun;
            begun = true;
            return first;
        }

        @Override
        public void reset() {
            begun = false;
        }

        @Override
        public int getFrom() {
            return from;
        }

        @Override
        public int getTo() {
            return to;
        }

        @Override
        public List<Integer> getRemoved() {
            return removed;
        }

        @Override
        protected int[] getPermutation() {
            return new int[0];
        }
    }

    @Override
    public Integer get(int index) {
        return rows.get(index);
    }

    /// The table asks at every replacement; the base class would make an object of every row.
    @Override
    public int indexOf(Object index) {
        return rows.indexOf(index);
    }

    @Override
    public int size() {
        return rows.size();
    }
}
