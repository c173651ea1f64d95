package knobscape.gpu.space.nest;

/// The limits of a device for a kernel. Read from the device at run time, or data of a model.
///
/// @param maxThreadsPerBlock most threads per block
/// @param maxThreadsX most threads in the first dimension
/// @param maxThreadsY in the second
/// @param maxThreadsZ in the third
/// @param sharedBytesPerBlock shared memory per block, in bytes
/// @param maxBlocksX most blocks in the first dimension of the grid
/// @param maxBlocksY in the second
/// @param maxBlocksZ in the third
/// @param tensorCores whether it multiplies fragments of 16-bit floats: NVIDIA's from compute capability 7.0 on, by
/// CUDA
public record DeviceLimits(
        long maxThreadsPerBlock,
        long maxThreadsX,
        long maxThreadsY,
        long maxThreadsZ,
        long sharedBytesPerBlock,
        long maxBlocksX,
        long maxBlocksY,
        long maxBlocksZ,
        boolean tensorCores) {
    /// The limits of every NVIDIA GPU since Maxwell for a kernel that asks for nothing special: 1024 threads (64 in
    /// the third dimension), 48 KiB of shared memory, no tensor cores.
    public static final DeviceLimits NVIDIA =
            new DeviceLimits(1024, 1024, 1024, 64, 48 << 10, Integer.MAX_VALUE, 65535, 65535, false);
}
