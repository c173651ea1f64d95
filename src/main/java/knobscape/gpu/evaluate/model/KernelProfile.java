package knobscape.gpu.evaluate.model;

/// The profile of a kernel on a GPU; the part of the model that knows templates and other kernels makes it. Counts
/// are per thread of the whole kernel unless said otherwise; a "transaction" is one pass of a warp's access
/// through the memory pipe of its multiprocessor.
///
/// @param blocks blocks of the grid
/// @param threads per block
public record KernelProfile(double blocks, int threads, Resources resources, Arithmetic arithmetic, Memory memory) {
    /// Resources per block.
    ///
    /// @param registers wanted per thread
    /// @param sharedBytes shared memory per block
    public record Resources(double registers, double sharedBytes) {}

    /// Instructions per thread.
    ///
    /// @param fma multiply-adds
    /// @param other other instructions: addresses, loop counters, comparisons
    /// @param independent multiply-adds per thread that do not wait for one another
    /// @param code instructions of the innermost unrolled loop
    public record Arithmetic(double fma, double other, double independent, double code) {}

    /// Accesses to memory.
    ///
    /// @param shared transactions of shared memory, bank conflicts included
    /// @param global transactions of loads and stores that pass the first cache, per thread's warp
    /// @param l2Bytes bytes asked of the second cache by the whole grid
    /// @param dramBytes bytes asked of the memory by the whole grid
    /// @param phases how often a thread waits for global memory with nothing else to do
    /// @param barriers barriers per block
    public record Memory(
            double shared, double global, double l2Bytes, double dramBytes, double phases, double barriers) {}

    /// A builder's start: everything zero but what must not be.
    public static KernelProfile of(double blocks, int threads) {
        return new KernelProfile(
                blocks, threads, new Resources(32, 0), new Arithmetic(0, 0, 1, 32), new Memory(0, 0, 0, 0, 1, 0));
    }

    /// The same with other resources.
    public KernelProfile resources(double registers, double sharedBytes) {
        return new KernelProfile(blocks, threads, new Resources(registers, sharedBytes), arithmetic, memory);
    }

    /// The same with other instructions.
    public KernelProfile arithmetic(double fma, double other, double independent, double code) {
        return new KernelProfile(blocks, threads, resources, new Arithmetic(fma, other, independent, code), memory);
    }

    /// The same with other accesses.
    public KernelProfile memory(
            double shared, double global, double l2Bytes, double dramBytes, double phases, double barriers) {
        return new KernelProfile(
                blocks,
                threads,
                resources,
                arithmetic,
                new Memory(shared, global, l2Bytes, dramBytes, phases, barriers));
    }
}
