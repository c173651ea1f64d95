package knobscape.hls.evaluate.estimator;

/// The cost of a loop by itself in one run of the kernel, without the loops and calls inside it.
///
/// @param loop loop id, or the name of a function that is pipelined as a whole
/// @param cycles all entries together
/// @param cause what keeps its iterations from following each other faster
/// @param through array, variable or port of that cause, empty for none
public record LoopCost(String loop, double cycles, Cause cause, String through) {
    /// The cause that limits an interval.
    public enum Cause {
        /// Nothing does.
        NONE,
        /// Accesses of one memory in one cycle.
        PORTS,
        /// Requests on one AXI port in one cycle.
        BUS,
        /// A value that one iteration needs from an earlier one.
        RECURRENCE
    }
}
