package knobscape.app.ui.designs;

import java.util.stream.IntStream;
import javafx.collections.ObservableListBase;

/// Rows that are replaced as a whole without being copied. Where the old ones are only followed by more, that is all
/// that is told.
final class RowList extends ObservableListBase<Integer> {
    private Order rows = Order.of(IntStream.empty());

    void replace(Order fresh) {
        beginChange();
        Order old = rows;
        rows = fresh;
        if (!old.isStartOf(fresh)) {
            nextReplace(0, fresh.size(), old);
        } else if (old.size() < fresh.size()) {
            nextAdd(old.size(), fresh.size());
        }
        endChange();
    }

    @Override
    public Integer get(int index) {
        return rows.get(index);
    }

    @Override
    public int size() {
        return rows.size();
    }
}
