package knobscape.hls.evaluate.estimator;

/// Habits in which generations of the vendor's HLS tool differ. Figures were read off published reports of
/// these versions.
public enum ToolProfile {
    /// Vivado HLS 2018.2: 12.5 % clock uncertainty.
    VIVADO_HLS_2018(0.125, 1, 0, 4, 4, false),
    /// Vitis HLS 2022.1, Vivado IP flow: 27 % clock uncertainty, pipelined loops become functions of their own.
    VITIS_HLS_2022(0.27, 2, 2, 4, 1, false),
    /// The same tool, Vitis kernel flow: arguments that are memories are AXI master ports with 64 cycles of latency,
    /// up to 512 bits wide (UG1399, *Default Settings of Vivado/Vitis Flows*).
    VITIS_KERNEL_2022(0.27, 2, 2, 4, 1, true);

    private final double uncertainty;
    private final int pipelineEntryInLoop;
    private final int pipelineEntryInFunction;
    private final int muxSlope;
    private final int muxOffset;
    private final boolean kernelFlow;

    ToolProfile(
            double uncertainty,
            int pipelineEntryInLoop,
            int pipelineEntryInFunction,
            int muxSlope,
            int muxOffset,
            boolean kernelFlow) {
        this.uncertainty = uncertainty;
        this.pipelineEntryInLoop = pipelineEntryInLoop;
        this.pipelineEntryInFunction = pipelineEntryInFunction;
        this.muxSlope = muxSlope;
        this.muxOffset = muxOffset;
        this.kernelFlow = kernelFlow;
    }

    /// Share of the clock period that the scheduler leaves unused.
    public double uncertainty() {
        return uncertainty;
    }

    /// True if a struct that the top function takes becomes one wide word.
    boolean aggregatesStructs() {
        return this != VIVADO_HLS_2018;
    }

    /// True if operations of a pipeline are delayed so that fewer cores serve them.
    boolean delaysToShare() {
        return this == VIVADO_HLS_2018;
    }

    /// True if memories that the top function takes are AXI master ports, and its numbers registers of an AXI slave,
    /// without a pragma.
    boolean isKernelFlow() {
        return kernelFlow;
    }

    /// Cycles of latency of an AXI master port that its pragma does not name (`config_interface -m_axi_latency`).
    int masterLatency() {
        return kernelFlow ? 64 : 0;
    }

    /// Bits up to which accesses to neighbouring elements are joined (`config_interface -m_axi_max_widen_bitwidth`).
    int widestMaster() {
        return kernelFlow ? 512 : 0;
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
