package knobscape.hls.space;

/// The names of HLS knobs: `<word>@<location>`, where a location is a loop id (`gemm/inner`), a function name,
/// or an array id with a 1-based dimension (`gemm/m1#1`).
public final class KnobNames {
    private KnobNames() {}

    /// Loop pipelining; categories `off`, `on` (tool's choice of interval) or `ii=N`.
    public static String pipeline(String loopId) {
        return "pipeline@" + loopId;
    }

    /// Loop unroll factor; factors, the trip count itself means complete.
    public static String unroll(String loopId) {
        return "unroll@" + loopId;
    }

    /// Partition type of an array's dimension: `none`, `cyclic`, `block`, `complete`.
    public static String partitionType(String arrayId, int dimension) {
        return "partition_type@" + arrayId + "#" + dimension;
    }

    /// Partition factor; 1 with `none`, the dimension's size with `complete`.
    public static String partitionFactor(String arrayId, int dimension) {
        return "partition_factor@" + arrayId + "#" + dimension;
    }

    /// Reshape factor (cyclic) of an array's dimension, 1 = none.
    public static String reshape(String arrayId, int dimension) {
        return "reshape@" + arrayId + "#" + dimension;
    }

    /// Function inlining, `off` or `on`.
    public static String inline(String function) {
        return "inline@" + function;
    }

    /// Loop flattening, `off` or `on`.
    public static String flatten(String loopId) {
        return "flatten@" + loopId;
    }

    /// Dataflow of a function or loop body, `off` or `on`.
    public static String dataflow(String scope) {
        return "dataflow@" + scope;
    }

    /// Binding of a function's multipliers: `auto`, `dsp`, `fabric`.
    public static String multiplier(String function) {
        return "multiplier@" + function;
    }

    /// The change of the source: `none`, or a rewrite in words.
    public static String transform(String top) {
        return "transform@" + top;
    }

    /// The clock period of a design; ns.
    public static String clock(String top) {
        return "clock@" + top;
    }

    /// Binding of an array's storage: `auto`, `bram_1p`, `bram_2p`, `lutram`, `uram`.
    public static String storage(String arrayId) {
        return "storage@" + arrayId;
    }

    /// Pipelining of a function.
    public static String functionPipeline(String function) {
        return KnobKind.FUNCTION_PIPELINE.at(function);
    }

    /// AXI master port of an argument of the top function.
    public static String bundle(String arrayId) {
        return KnobKind.BUNDLE.at(arrayId);
    }

    /// Longest burst of an argument behind an AXI master port: `auto`, or words.
    public static String burst(String arrayId) {
        return KnobKind.BURST.at(arrayId);
    }

    /// Outstanding requests of an argument behind an AXI master port: `auto`, or a number.
    public static String outstanding(String arrayId) {
        return KnobKind.OUTSTANDING.at(arrayId);
    }

    /// True if a knob decides over a part of an AXI master port's pragma.
    public static boolean isOfMasterPort(String knob) {
        return knob.startsWith(bundle("")) || knob.startsWith(burst("")) || knob.startsWith(outstanding(""));
    }

    /// Depth of a queue: `auto`, or words.
    public static String fifo(String arrayId) {
        return KnobKind.FIFO.at(arrayId);
    }

    /// Most multipliers of a function: `auto`, or a number.
    public static String allocation(String function) {
        return KnobKind.ALLOCATION.at(function);
    }
}
