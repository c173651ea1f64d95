package knobscape.fusion.evaluate;

/// The cost of a strategy, or of one group of it.
///
/// @param seconds time for the whole batch
/// @param peakBytes most activations staged on chip at once
/// @param offChipBytes bytes to and from off-chip memory for the whole batch
/// @param onChipBytes bytes to and from the on-chip buffer for the whole batch
public record Cost(double seconds, long peakBytes, long offChipBytes, long onChipBytes) {
    /// True if the staged activations fit.
    public boolean fits(long budgetBytes) {
        return peakBytes <= budgetBytes;
    }
}
