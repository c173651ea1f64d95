package knobscape.gpu.space.nest;

import java.util.ArrayList;
import java.util.List;

/// `0 <= index < limit`.
///
/// @param index what is tested
/// @param limit first value that fails above
public record IndexBound(IndexExpr index, long limit) {
    /// True if it holds whatever the axes are.
    public boolean isAlwaysTrue() {
        return index.min() >= 0 && index.max() < limit;
    }

    /// Those of `conditions` that do not always hold.
    static List<IndexBound> open(List<IndexBound> conditions) {
        var open = new ArrayList<IndexBound>(conditions.size());
        for (IndexBound c : conditions) {
            if (!c.isAlwaysTrue()) {
                open.add(c);
            }
        }
        return List.copyOf(open);
    }
}
