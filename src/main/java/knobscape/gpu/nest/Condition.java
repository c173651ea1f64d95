package knobscape.gpu.nest;

/// `0 <= index < limit`.
///
/// @param index what is tested
/// @param limit first value that fails above
public record Condition(IndexExpr index, long limit) {
    /// Whether it holds whatever the axes are.
    public boolean isAlwaysTrue() {
        return index.min() >= 0 && index.max() < limit;
    }

    /// The condition with an axis replaced by a constant.
    public Condition with(Axis axis, long value) {
        return new Condition(index.with(axis, value), limit);
    }
}
