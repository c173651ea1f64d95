package knobscape.app.ui.designs;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.RandomAccess;
import java.util.stream.IntStream;

/// Indexes of designs from top to bottom; cannot be changed. A table of 100 000 rows is searched for one of them at
/// every input, which a list of objects takes long for.
public final class RowOrder extends AbstractList<Integer> implements RandomAccess {
    private final int[] indexes;

    private RowOrder(int[] indexes) {
        this.indexes = indexes;
    }

    static RowOrder of(IntStream indexes) {
        return new RowOrder(indexes.toArray());
    }

    /// True if `other` begins with all of this.
    boolean isStartOf(RowOrder other) {
        return size() <= other.size() && Arrays.mismatch(indexes, 0, size(), other.indexes, 0, size()) < 0;
    }

    @Override
    public Integer get(int row) {
        return indexes[row];
    }

    @Override
    public int size() {
        return indexes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowOrder o ? Arrays.equals(indexes, o.indexes) : super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }

    @Override
    public int indexOf(Object index) {
        if (index instanceof Integer wanted) {
            for (int i = 0; i < indexes.length; i++) {
                if (indexes[i] == wanted) {
                    return i;
                }
            }
        }
        return -1;
    }
}
