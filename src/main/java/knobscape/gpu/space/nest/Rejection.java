package knobscape.gpu.space.nest;

/// Why a kernel cannot run on a device, found before anything is compiled.
public sealed interface Rejection {
    /// Short name of the reason, the same for every size; rejections are counted by it.
    default String reason() {
        return switch (this) {
            case TooManyThreads _ -> "threads per block";
            case ThreadDimension t -> "threads in dimension " + t.dimension;
            case SharedMemory _ -> "shared memory";
            case GridDimension g -> "blocks in dimension " + g.dimension;
            case Recorded r -> "rejected before, reason " + r.why;
        };
    }

    /// One sentence with the numbers.
    default String sentence() {
        return switch (this) {
            case TooManyThreads t ->
                "Kernel " + t.kernel + " asks for " + t.threads + " threads per block, the device allows " + t.limit
                        + ".";
            case ThreadDimension t ->
                "Kernel " + t.kernel + " asks for " + t.threads + " threads in dimension " + t.dimension
                        + ", the device allows " + t.limit + ".";
            case SharedMemory m ->
                "Kernel " + m.kernel + " needs " + m.bytes + " bytes of shared memory per block, the device has "
                        + m.limit + ".";
            case GridDimension g ->
                "Kernel " + g.kernel + " asks for " + g.blocks + " blocks in dimension " + g.dimension
                        + ", the device allows " + g.limit + ".";
            case Recorded r -> "It was rejected before it was compiled, for a reason " + r.why + ".";
        };
    }

    /// A block has too many threads in all.
    ///
    /// @param kernel the kernel
    /// @param threads threads per block
    /// @param limit most the device allows
    record TooManyThreads(String kernel, long threads, long limit) implements Rejection {}

    /// A block has too many threads in one dimension.
    ///
    /// @param kernel the kernel
    /// @param dimension x, y or z
    /// @param threads threads in that dimension
    /// @param limit most the device allows
    record ThreadDimension(String kernel, char dimension, long threads, long limit) implements Rejection {}

    /// The shared buffers of a block are too large.
    ///
    /// @param kernel the kernel
    /// @param bytes what a block needs
    /// @param limit most the device allows
    record SharedMemory(String kernel, long bytes, long limit) implements Rejection {}

    /// The grid has too many blocks in one dimension.
    ///
    /// @param kernel the kernel
    /// @param dimension x, y or z
    /// @param blocks blocks in that dimension
    /// @param limit most the device allows
    record GridDimension(String kernel, char dimension, long blocks, long limit) implements Rejection {}

    /// A log says that it was rejected, and no more.
    ///
    /// @param why what the log says
    record Recorded(String why) implements Rejection {}
}
