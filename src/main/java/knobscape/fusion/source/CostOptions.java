package knobscape.fusion.source;

/// The options of the cost model, where there is more than one sensible answer. The defaults reproduce the figures
/// of the DNNFuser paper best.
public record CostOptions(
        MemoryTime memoryTime,
        LastMicroBatch lastMicroBatch,
        NetworkInput networkInput,
        Residuals residuals,
        Execution execution) {

    /// How the times of the two memories add up.
    public enum MemoryTime {
        /// Off-chip time plus on-chip time.
        SERIAL,
        /// Both work at once, and whatever comes from off chip passes the on-chip memory too.
        OVERLAP
    }

    /// The cost of a batch that is no multiple of the micro-batch.
    public enum LastMicroBatch {
        /// The last micro-batch holds the samples left.
        SHORT,
        /// The last micro-batch is filled up: compute and traffic of activations count `ceil(B/m) * m` samples.
        /// A first layer that is alone works in micro-batches of the strategy's entry 0.
        PADDED
    }

    /// The room that the network's input takes on chip.
    public enum NetworkInput {
        /// It streams through.
        FREE,
        /// The strategy's entry 0 times its size counts in the first group.
        COUNTED
    }

    /// The room on chip of data that waits for a residual addition.
    public enum Residuals {
        /// It shares the buffer of the layer that made it, as the paper's own strategies need in order to be
        /// valid.
        FREE,
        /// The largest micro-batch on the way times its size counts in its group.
        STAGED
    }

    /// How the layers of a group share the accelerator.
    public enum Execution {
        /// All processing elements work for one layer at a time; the micro-batches of the layers take turns.
        INTERLEAVED,
        /// Layers share the processing elements and work at the same time, once the pipeline is filled.
        SPATIAL
    }

    /// Serial memory time, short last micro-batch, input and residuals free, interleaved.
    public static CostOptions defaults() {
        return new CostOptions(
                MemoryTime.SERIAL, LastMicroBatch.SHORT, NetworkInput.FREE, Residuals.FREE, Execution.INTERLEAVED);
    }
}
