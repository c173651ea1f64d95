package knobscape.hls.evaluate.estimator;

/// Habits in which generations of the vendor's HLS tool differ. Figures were read off published reports of
/// these versions.
public enum ToolProfile {
    /// Vivado HLS 2018.2: 12.5 % clock uncertainty, never pipelines by itself.
    VIVADO_HLS_2018(0.125, 1, 0, 4, 4),
    /// Vitis HLS 2022.1: 27 % clock uncertainty, pipelined loops become functions of their own.
    VITIS_HLS_2022(0.27, 2, 2, 4, 1);

    private final double uncertainty;
    private final int pipelineEntryInLoop;
    private final int pipelineEntryInFunction;
    private final int muxSlope;
    private final int muxOffset;

    ToolProfile(double uncertainty, int pipelineEntryInLoop, int pipelineEntryInFunction, int muxSlope, int muxOffset) {
        this.uncertainty = uncertainty;
        this.pipelineEntryInLoop = pipelineEntryInLoop;
        this.pipelineEntryInFunction = pipelineEntryInFunction;
        this.muxSlope = muxSlope;
        this.muxOffset = muxOffset;
    }

    /// Share of the clock period that the scheduler leaves unused.
    public double uncertainty() {
        return uncertainty;
    }

    /// Whether a struct that the top function takes becomes one wide word.
    boolean aggregatesStructs() {
        return this == VITIS_HLS_2022;
    }

    /// Cycles that entering a pipelined loop costs beyond depth + (trip-1) x II.
    int pipelineEntry(boolean insideLoop) {
        return insideLoop ? pipelineEntryInLoop : pipelineEntryInFunction;
    }

    /// LUTs the report books for a multiplexer of `inputs` inputs; the report does not multiply by the width.
    double reportedMux(double inputs) {
        return inputs <= 1 ? 0 : muxSlope * inputs + muxOffset;
    }
}
