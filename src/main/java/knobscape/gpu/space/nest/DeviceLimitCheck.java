package knobscape.gpu.space.nest;

import java.util.List;
import java.util.Optional;

/// The check before the compiler: what a device would refuse whatever the compiler does. Registers are not
/// among it; they show when the kernel is compiled or launched.
///
/// The rules are those by which AutoTVM rejects (threads per block in all and in each dimension, shared
/// buffers), and the size of the grid, which it leaves to the launch.
public final class DeviceLimitCheck {
    /// Why a device without tensor cores cannot run a kernel that uses them, as the end of a sentence.
    public static final String NEEDS_TENSOR_CORES =
            "needs tensor cores, which NVIDIA's GPUs have from compute capability 7.0 on and only CUDA kernels use";

    private DeviceLimitCheck() {}

    /// The first reason why one of `kernels` cannot run, as a sentence with the numbers, if there is one.
    public static Optional<String> check(List<LoopNest> kernels, DeviceLimits limits) {
        return kernels.stream().flatMap(k -> check(k, limits).stream()).findFirst();
    }

    private static Optional<String> check(LoopNest k, DeviceLimits l) {
        if (k.hasFragments() && !l.tensorCores()) {
            return Optional.of("Kernel " + k.name() + " " + NEEDS_TENSOR_CORES + ".");
        }
        return threads(k, "per block", k.threads(), l.maxThreadsPerBlock())
                .or(() -> threads(k, "in dimension x", k.extent(Axis.Binding.THREAD_X), l.maxThreadsX()))
                .or(() -> threads(k, "in dimension y", k.extent(Axis.Binding.THREAD_Y), l.maxThreadsY()))
                .or(() -> threads(k, "in dimension z", k.extent(Axis.Binding.THREAD_Z), l.maxThreadsZ()))
                .or(() -> reason(
                        k,
                        k.sharedBytes(),
                        l.sharedBytesPerBlock(),
                        "needs %d bytes of shared memory per block, the device has %d"))
                .or(() -> blocks(k, "x", k.extent(Axis.Binding.BLOCK_X), l.maxBlocksX()))
                .or(() -> blocks(k, "y", k.extent(Axis.Binding.BLOCK_Y), l.maxBlocksY()))
                .or(() -> blocks(k, "z", k.extent(Axis.Binding.BLOCK_Z), l.maxBlocksZ()));
    }

    private static Optional<String> threads(LoopNest k, String where, long threads, long limit) {
        return reason(k, threads, limit, "asks for %d threads " + where + ", the device allows %d");
    }

    private static Optional<String> blocks(LoopNest k, String dimension, long blocks, long limit) {
        return reason(k, blocks, limit, "asks for %d blocks in dimension " + dimension + ", the device allows %d");
    }

    private static Optional<String> reason(LoopNest k, long asked, long limit, String words) {
        return asked <= limit
                ? Optional.empty()
                : Optional.of("Kernel " + k.name() + " " + words.formatted(asked, limit) + ".");
    }
}
