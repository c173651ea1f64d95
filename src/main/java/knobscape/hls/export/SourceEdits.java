package knobscape.hls.export;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Insertions and deletions collected for one text and carried out together, so that every offset is one of the
/// original.
final class SourceEdits {
    private record Edit(int offset, int deleted, String inserted, int order, int sequence) {}

    private final List<Edit> edits = new ArrayList<>();

    /// Inserts; among insertions at one place the smaller `order` comes first, then the earlier call.
    void insert(int offset, String inserted, int order) {
        edits.add(new Edit(offset, 0, inserted, order, edits.size()));
    }

    /// Replaces `from .. to-1`.
    void replace(int from, int to, String inserted) {
        edits.add(new Edit(from, to - from, inserted, Integer.MAX_VALUE, edits.size()));
    }

    boolean isEmpty() {
        return edits.isEmpty();
    }

    /// The changed text. Throws `IllegalStateException` where two deletions overlap.
    String apply(String text) {
        var sorted = new ArrayList<>(edits);
        sorted.sort(Comparator.comparingInt(Edit::offset)
                .thenComparingInt(Edit::order)
                .thenComparingInt(Edit::sequence));
        var result = new StringBuilder(text.length() + 256);
        int at = 0;
        for (Edit e : sorted) {
            if (e.offset() < at) {
                throw new IllegalStateException("two changes of the source overlap at character " + e.offset());
            }
            result.append(text, at, e.offset()).append(e.inserted());
            at = e.offset() + e.deleted();
        }
        return result.append(text, at, text.length()).toString();
    }
}
