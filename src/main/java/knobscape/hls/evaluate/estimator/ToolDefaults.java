package knobscape.hls.evaluate.estimator;

/// The defaults of a version of the tool where no directive says anything.
///
/// @param pipelineLoops iterations up to which a loop is written out so that the loop around it is pipelined; longer
/// innermost loops are pipelined themselves; 0 for no automatic pipelining
/// @param partitions whether local arrays are partitioned where a pipeline needs it
/// @param assertsDependence whether DEPENDENCE that says neither true nor false asserts the dependence
public record ToolDefaults(int pipelineLoops, boolean partitions, boolean assertsDependence) {
    /// Nothing but what directives say, as exported scripts ask for.
    public static final ToolDefaults NOTHING = new ToolDefaults(0, false, true);
    /// Vitis HLS 2020.1 to 2022.1.
    public static final ToolDefaults VITIS = new ToolDefaults(64, true, true);

    public ToolDefaults {
        if (pipelineLoops < 0) {
            throw new IllegalArgumentException(
                    "the trip count for automatic pipelining must not be negative, was " + pipelineLoops);
        }
    }
}
