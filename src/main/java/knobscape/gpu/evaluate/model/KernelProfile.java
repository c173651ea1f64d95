package knobscape.gpu.evaluate.model;

/// The profile of a kernel on a GPU; the part of the model that knows templates and other kernels makes it. Counts
/// are per thread of the whole kernel unless said otherwise; a "transaction" is one pass of a warp's access
/// through the memory pipe of its multiprocessor.
///
/// @param blocks blocks of the grid
/// @param threads per block
/// @param registers wanted per thread
/// @param sharedBytes shared memory per block
/// @param fma multiply-adds
/// @param other other instructions: addresses, loop counters, comparisons
/// @param shared transactions of shared memory, bank conflicts included
/// @param global transactions of loads and stores that pass the first cache, per thread's warp
/// @param l2Bytes bytes asked of the second cache by the whole grid
/// @param dramBytes bytes asked of the memory by the whole grid
/// @param independent multiply-adds per thread that do not wait for one another
/// @param phases how often a thread waits for global memory with nothing else to do
/// @param barriers barriers per block
/// @param code instructions of the innermost unrolled loop
public record KernelProfile(
        double blocks,
        int threads,
        double registers,
        double sharedBytes,
        double fma,
        double other,
        double shared,
        double global,
        double l2Bytes,
        double dramBytes,
        double independent,
        double phases,
        double barriers,
        double code) {

    /// A builder's start: everything zero but what must not be.
    public static KernelProfile of(double blocks, int threads) {
        return new KernelProfile(blocks, threads, 32, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 32);
    }

    /// Resources per block.
    public KernelProfile resources(double registersPerThread, double sharedBytesPerBlock) {
        return new KernelProfile(
                blocks,
                threads,
                registersPerThread,
                sharedBytesPerBlock,
                fma,
                other,
                shared,
                global,
                l2Bytes,
                dramBytes,
                independent,
                phases,
                barriers,
                code);
    }

    /// Instructions per thread.
    public KernelProfile arithmetic(double multiplyAdds, double others, double independentOnes, double innerCode) {
        return new KernelProfile(
                blocks,
                threads,
                registers,
                sharedBytes,
                multiplyAdds,
                others,
                shared,
                global,
                l2Bytes,
                dramBytes,
                independentOnes,
                phases,
                barriers,
                innerCode);
    }

    /// Accesses to memory.
    public KernelProfile memory(
            double sharedTransactions,
            double globalTransactions,
            double bytesOfL2,
            double bytesOfDram,
            double waits,
            double barriersPerBlock) {
        return new KernelProfile(
                blocks,
                threads,
                registers,
                sharedBytes,
                fma,
                other,
                sharedTransactions,
                globalTransactions,
                bytesOfL2,
                bytesOfDram,
                independent,
                waits,
                barriersPerBlock,
                code);
    }
}
