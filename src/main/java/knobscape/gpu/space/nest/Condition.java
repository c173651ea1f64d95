package knobscape.gpu.space.nest;

import java.util.ArrayList;
import java.util.List;

/// `0 <= index < limit`.
///
/// @param index what is tested
/// @param limit first value that fails above
public record Condition(IndexExpr index, long limit) {
    /// Whether it holds whatever the axes are.
    public boolean isAlwaysTrue() {
        return index.min() >= 0 && index.max() < limit;
    }

    /// Those of `conditions` that do not always hold.
    static List<Condition> open(List<Condition> conditions) {
        var open = new ArrayList<Condition>(conditions.size());
        for (Condition c : conditions) {
            if (!c.isAlwaysTrue()) {
                open.add(c);
            }
        }
        return List.copyOf(open);
    }
}
