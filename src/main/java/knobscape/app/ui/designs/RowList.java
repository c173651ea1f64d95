package knobscape.app.ui.designs;

import java.util.List;
import javafx.collections.ObservableListBase;

/// Rows that are replaced as a whole without being copied.
final class RowList extends ObservableListBase<Integer> {
    private List<Integer> rows = List.of();

    void replace(List<Integer> fresh) {
        beginChange();
        List<Integer> old = rows;
        rows = fresh;
        nextReplace(0, fresh.size(), old);
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
