package knobscape.hls.evaluate.estimator;

/// The defaults of a version of the tool where no directive says anything.
///
/// @param pipelineLoops iterations up to which a loop is written out so that the loop around it is pipelined; longer
/// innermost loops are pipelined themselves; 0 for no automatic pipelining
/// @param partitions whether local arrays are partitioned where a pipeline needs it
/// @param assertsDependence whether DEPENDENCE that says neither true nor false asserts the dependence
/// @param year of the version, 0 where it is not known
public record ToolDefaults(int pipelineLoops, boolean partitions, boolean assertsDependence, int year) {
    /// Nothing but what directives say, as exported scripts ask for.
    public static final ToolDefaults NOTHING = new ToolDefaults(0, false, true, 0);
    /// Vitis HLS 2022.1.
    public static final ToolDefaults VITIS = new ToolDefaults(64, true, true, 2022);

    public ToolDefaults {
        if (pipelineLoops < 0) {
            throw new IllegalArgumentException(
                    "the trip count for automatic pipelining must not be negative, was " + pipelineLoops);
        }
    }

    /// Instructions up to which a function is inlined in every call: the front end of Vitis HLS is a compiler and
    /// counts as one (its log says *Inlining function*, HLS 214-178); 225 is that compiler's limit, 5 for each.
    int inlined() {
        return pipelineLoops > 0 ? 225 / 5 : 0;
    }

    /// True if a value that is stored is kept with its address, so that a load of the next iteration need not wait for
    /// the memory (`reuse_reg` in the schedules of Vitis HLS 2022.2).
    boolean keepsStored() {
        return pipelineLoops > 0;
    }
}
