package knobscape.hls.evaluate.estimator;

/// The estimate of one loop.
///
/// @param loop loop id
/// @param function function it stands in
/// @param state what became of it
/// @param trip iterations per entry after unrolling and flattening, on average
/// @param unroll copies of the body
/// @param interval initiation interval in cycles, 0 where not pipelined
/// @param depth states of one iteration
/// @param latency cycles per entry, on average
/// @param limit what keeps the interval from being smaller, or why a directive had no effect; empty where
/// nothing does
public record LoopEstimate(
        String loop,
        String function,
        State state,
        double trip,
        int unroll,
        int interval,
        int depth,
        double latency,
        String limit) {

    /// The resulting state of a loop.
    public enum State {
        /// One iteration after the other.
        SEQUENTIAL,
        /// A new iteration every interval.
        PIPELINED,
        /// Written out completely; no loop is left.
        UNROLLED,
        /// Merged with the loop inside it.
        FLATTENED
    }
}
