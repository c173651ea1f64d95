package knobscape.gpu.space.nest;

import java.util.List;
import java.util.Optional;

/// The check before the compiler: what a device would refuse whatever the compiler does. Registers are not
/// among it; they show when the kernel is compiled or launched.
///
/// The rules are those by which AutoTVM rejects (threads per block in all and in each dimension, shared
/// buffers), and the size of the grid, which it leaves to the launch.
public final class Validity {
    private Validity() {}

    /// The first reason why one of `kernels` cannot run, if there is one.
    public static Optional<Rejection> check(List<LoopNest> kernels, DeviceLimits limits) {
        return kernels.stream().flatMap(k -> check(k, limits).stream()).findFirst();
    }

    /// The first reason why the kernel cannot run, if there is one.
    public static Optional<Rejection> check(LoopNest kernel, DeviceLimits limits) {
        if (kernel.threads() > limits.maxThreadsPerBlock()) {
            return Optional.of(
                    new Rejection.TooManyThreads(kernel.name(), kernel.threads(), limits.maxThreadsPerBlock()));
        }
        return thread(kernel, 'x', Axis.Binding.THREAD_X, limits.maxThreadsX())
                .or(() -> thread(kernel, 'y', Axis.Binding.THREAD_Y, limits.maxThreadsY()))
                .or(() -> thread(kernel, 'z', Axis.Binding.THREAD_Z, limits.maxThreadsZ()))
                .or(() -> shared(kernel, limits))
                .or(() -> grid(kernel, 'x', Axis.Binding.BLOCK_X, limits.maxBlocksX()))
                .or(() -> grid(kernel, 'y', Axis.Binding.BLOCK_Y, limits.maxBlocksY()))
                .or(() -> grid(kernel, 'z', Axis.Binding.BLOCK_Z, limits.maxBlocksZ()));
    }

    private static Optional<Rejection> thread(LoopNest kernel, char dimension, Axis.Binding binding, long limit) {
        long threads = kernel.extent(binding);
        return threads > limit
                ? Optional.of(new Rejection.ThreadDimension(kernel.name(), dimension, threads, limit))
                : Optional.empty();
    }

    private static Optional<Rejection> shared(LoopNest kernel, DeviceLimits limits) {
        long bytes = kernel.sharedBytes();
        return bytes > limits.sharedBytesPerBlock()
                ? Optional.of(new Rejection.SharedMemory(kernel.name(), bytes, limits.sharedBytesPerBlock()))
                : Optional.empty();
    }

    private static Optional<Rejection> grid(LoopNest kernel, char dimension, Axis.Binding binding, long limit) {
        long blocks = kernel.extent(binding);
        return blocks > limit
                ? Optional.of(new Rejection.GridDimension(kernel.name(), dimension, blocks, limit))
                : Optional.empty();
    }
}
