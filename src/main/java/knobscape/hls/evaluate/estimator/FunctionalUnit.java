package knobscape.hls.evaluate.estimator;

/// A hardware unit for one kind of operation at one width, clock and part.
///
/// @param id index in its [OperatorLibrary]
/// @param name as shown in reports (`fadd.float`, `mul.32`)
/// @param states clock states it occupies, at least 1; with 1 it is combinational and may be chained
/// @param stageNs delay of its slowest stage, ns
/// @param pathNs slowest register-to-register path inside it after logic synthesis, ns
/// @param area what one of it takes
/// @param bits width of the result
/// @param sharing index among the operators of which the tool shares one unit between operations in different
/// states, -1 for the others
/// @param initiation states between two operations on one unit
record FunctionalUnit(
        int id,
        String name,
        int states,
        double stageNs,
        double pathNs,
        Area area,
        int bits,
        int sharing,
        int initiation) {
    /// Resources of one unit.
    ///
    /// @param dsp DSP blocks
    /// @param reportedFf flip-flops as the HLS report books them
    /// @param reportedLut look-up tables as the HLS report books them
    /// @param realFf flip-flops after logic synthesis
    /// @param realLut look-up tables after logic synthesis
    record Area(int dsp, double reportedFf, double reportedLut, double realFf, double realLut) {
        static final Area NONE = new Area(0, 0, 0, 0, 0);
    }

    /// True if a chain of them may be balanced into a tree (integers only).
    boolean associative() {
        return name.startsWith("add.") || name.startsWith("logic.") || name.startsWith("minmax.");
    }
}
