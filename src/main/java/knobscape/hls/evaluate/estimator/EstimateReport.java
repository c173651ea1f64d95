package knobscape.hls.evaluate.estimator;

import java.util.List;

/// Why a configuration comes out as it does: for the inspector and for `--json`.
///
/// @param stages figures at `hls`, `syn` and `impl`, in that order; shorter where a stage cannot be reached
/// @param loops what became of every loop
/// @param arrays how every array is stored
/// @param operators shared operators
/// @param notes assumptions behind the figures, one sentence each
/// @param costs what every loop costs, the dearest first; empty where that is not known
/// @param interval cycles between two starts of the kernel, 0 where that is not known
public record EstimateReport(
        List<StageFigures> stages,
        List<LoopEstimate> loops,
        List<ArrayEstimate> arrays,
        List<OperatorEstimate> operators,
        List<String> notes,
        List<LoopCost> costs,
        double interval) {
    public EstimateReport {
        stages = List.copyOf(stages);
        loops = List.copyOf(loops);
        arrays = List.copyOf(arrays);
        operators = List.copyOf(operators);
        notes = List.copyOf(notes);
        costs = List.copyOf(costs);
    }

    /// Without costs of loops.
    EstimateReport(
            List<StageFigures> stages,
            List<LoopEstimate> loops,
            List<ArrayEstimate> arrays,
            List<OperatorEstimate> operators,
            List<String> notes) {
        this(stages, loops, arrays, operators, notes, List.of(), 0);
    }

    /// Of a design that the tool would not build, with the reason.
    static EstimateReport refused(String reason, List<String> notes) {
        return new EstimateReport(List.of(StageFigures.none(60, reason)), List.of(), List.of(), List.of(), notes);
    }

    /// An array's storage.
    ///
    /// @param array array id
    /// @param storage `external`, `AXI` with the name of the port, `BRAM`, `LUTRAM`, `URAM`, `registers` or `FIFO`
    /// @param banks number of banks
    /// @param depth words of a bank
    /// @param wordBits bits of a word
    /// @param bram block RAMs, all banks together
    public record ArrayEstimate(String array, String storage, int banks, long depth, int wordBits, long bram) {}

    /// A kind of operator that several operations share.
    ///
    /// @param name `dmul`, `mul.32x32.dsp`, ...
    /// @param units instances
    /// @param operations operations that run on them
    /// @param states clock states of one operation
    /// @param dsp DSP blocks of one instance
    public record OperatorEstimate(String name, long units, long operations, int states, int dsp) {}
}
