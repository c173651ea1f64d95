package knobscape.work.device;

/// The limits of a multiprocessor of an NVIDIA GPU, by which the occupancy of a kernel is counted as NVIDIA's
/// calculator does: warps of 32 threads, registers given out to a warp by 256 and to groups of four warps at a time.
///
/// @param threads most threads
/// @param blocks most blocks
/// @param registers 32-bit registers
/// @param sharedBytes shared memory
/// @param reservedBytes shared memory that the system takes of each block
/// @param sharedUnit bytes by which shared memory is given out: 256, from compute capability 8.0 on 128
public record OccupancyLimits(
        long threads, long blocks, long registers, long sharedBytes, long reservedBytes, long sharedUnit) {
    private static final long WARP = 32;
    private static final long REGISTER_UNIT = 256;
    private static final long WARP_GROUP = 4;

    /// The share of the most threads that are resident, from 0 to 1; 0 where not one block fits.
    ///
    /// @param block threads of a block
    /// @param perThread registers of a thread
    /// @param shared bytes of shared memory of a block
    public double occupancy(long block, long perThread, long shared) {
        long warps = Math.ceilDiv(block, WARP);
        long byThreads = threads / WARP / warps;
        long perWarp = Math.ceilDiv(Math.max(1, perThread) * WARP, REGISTER_UNIT) * REGISTER_UNIT;
        long byRegisters = registers / perWarp / WARP_GROUP * WARP_GROUP / warps;
        long perBlock = Math.ceilDiv(shared + reservedBytes, sharedUnit) * sharedUnit;
        long byShared = perBlock == 0 ? Long.MAX_VALUE : sharedBytes / perBlock;
        long resident = Math.min(Math.min(blocks, byThreads), Math.min(byRegisters, byShared));
        return (double) (resident * warps * WARP) / threads;
    }
}
