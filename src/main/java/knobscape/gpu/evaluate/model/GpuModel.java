package knobscape.gpu.evaluate.model;

/// From a [KernelProfile] to a time. The stages: how many blocks a multiprocessor holds (registers, shared
/// memory, threads); how long these take together, bound by the busiest of its pipes or, with too few warps to
/// cover them, by latencies; how many rounds of blocks there are, the last one perhaps not full; and not faster
/// than the second cache and the memory deliver.
public final class GpuModel {
    private static final double ALU_LATENCY = 4.5;
    private static final double SHARED_LATENCY = 25;
    private static final double GLOBAL_LATENCY = 420;
    private static final double BARRIER = 30;
    /// Share of uses of a spilled register that go to memory.
    private static final double SPILL_USES = 0.8;
    private static final int CODE_CACHE = 1500;
    private static final double BUSY_SHARE = 0.25;

    private final GpuSpec gpu;

    /// @param gpu the device
    public GpuModel(GpuSpec gpu) {
        this.gpu = gpu;
    }

    /// The device.
    public GpuSpec gpu() {
        return gpu;
    }

    /// The model's estimate.
    ///
    /// @param milliseconds time of one launch
    /// @param occupancy resident threads over the most there can be
    /// @param bound the busiest resource
    /// @param blocksPerSm resident blocks
    /// @param limit what keeps a multiprocessor from holding more blocks (`registers`)
    /// @param waves times that all multiprocessors are filled with blocks until the grid is done
    /// @param registers wanted per thread
    public record Estimate(
            double milliseconds,
            double occupancy,
            String bound,
            int blocksPerSm,
            String limit,
            double waves,
            double registers) {}

    /// Blocks a multiprocessor holds at once.
    ///
    /// @param blocks how many, 0 where it cannot hold one
    /// @param limit what keeps it from holding more
    public record Residency(int blocks, String limit) {}

    /// Blocks a multiprocessor holds at once; 0 where it cannot hold one.
    public int resident(KernelProfile k) {
        return residency(k).blocks();
    }

    /// Blocks a multiprocessor holds at once, and why not more.
    public Residency residency(KernelProfile k) {
        int warps = Math.ceilDiv(k.threads(), gpu.sm().warp());
        double registers = Math.min(k.resources().registers(), gpu.sm().registersPerThread());
        double perWarp = Math.ceil(registers / 8) * 8 * gpu.sm().warp();
        int byThreads = gpu.sm().threads() / (warps * gpu.sm().warp());
        int byRegisters = (int) (gpu.sm().registers() / (perWarp * warps));
        int byShared = k.resources().sharedBytes() <= 0
                ? Integer.MAX_VALUE
                : k.resources().sharedBytes() > gpu.sm().sharedPerBlockKb() * 1024.0
                        ? 0
                        : (int) (gpu.sm().sharedKb() * 1024.0 / k.resources().sharedBytes());
        int most = Math.min(
                Math.min(byThreads, byRegisters), Math.min(byShared, gpu.sm().blocks()));
        return new Residency(
                most,
                most == byShared
                        ? "shared memory"
                        : most == byRegisters ? "registers" : most == byThreads ? "threads" : "blocks");
    }

    /// The time of one launch; infinite where a block does not fit.
    public Estimate estimate(KernelProfile k) {
        Residency held = residency(k);
        int resident = held.blocks();
        if (resident == 0) {
            return new Estimate(
                    Double.POSITIVE_INFINITY,
                    0,
                    "does not fit",
                    0,
                    held.limit(),
                    0,
                    k.resources().registers());
        }
        double perSm = Math.max(1, Math.min(resident, Math.ceil(k.blocks() / gpu.sms())));
        int warps = Math.ceilDiv(k.threads(), gpu.sm().warp());
        double spilled = Math.max(0, k.resources().registers() - gpu.sm().registersPerThread());
        // A multiply-add whose accumulator lives in memory reads and writes it there; what the first cache
        // cannot hold of these goes further.
        double spills = k.arithmetic().fma()
                * 2
                * SPILL_USES
                * Math.min(1, spilled / Math.max(8, k.arithmetic().independent()));
        double spillFootprint = perSm * k.threads() * spilled * 4;
        double missed = spilled == 0 ? 0 : Math.max(0, 1 - Math.max(gpu.memory().l1Kb(), 16) * 1024.0 / spillFootprint);
        double spillBytes = spills * 4 * k.threads() * k.blocks() * missed;
        double fma = k.arithmetic().fma() * gpu.sm().warp() / gpu.sm().lanes();
        double issue = (k.arithmetic().fma()
                        + k.arithmetic().other()
                        + k.memory().shared()
                        + k.memory().global()
                        + spills)
                / gpu.sm().schedulers();
        double memory = k.memory().shared() + k.memory().global() + spills;
        double fetch = k.arithmetic().code() > CODE_CACHE ? k.arithmetic().code() / CODE_CACHE : 1;
        double busiest = Math.max(Math.max(fma, issue), memory);
        double sum = fma + issue + memory;
        // Cycles of one block if it had the multiprocessor to itself and enough warps.
        double throughput = warps * (busiest + BUSY_SHARE * (sum - busiest)) * (1 + 0.3 * (fetch - 1));
        // One warp from begin to end: what must follow one another.
        double chain =
                k.arithmetic().fma() * ALU_LATENCY / Math.min(k.arithmetic().independent(), 8)
                        + k.arithmetic().other() * 0.5 * ALU_LATENCY
                        + k.memory().shared()
                                * SHARED_LATENCY
                                / Math.clamp(k.arithmetic().independent(), 1, 6)
                        + k.memory().phases() * GLOBAL_LATENCY
                        + k.memory().barriers() * BARRIER;
        double latency = Math.max(chain, throughput / warps);
        // Warps of other blocks fill the gaps of one.
        double together = Math.max(perSm * throughput, latency) + 0.15 * Math.min(perSm * throughput, latency);
        double rounds = k.blocks() / (gpu.sms() * perSm);
        double whole = Math.ceil(rounds - 1e-9);
        // Blocks end at different times, so that a last round that is not full costs less than a full one, but
        // not nothing.
        double effective = Math.max(1, 0.5 * rounds + 0.5 * whole);
        double cycles = together * effective;
        double ms = cycles / (gpu.clockGhz() * 1e6);
        double l2 = (k.memory().l2Bytes() + spillBytes) / (gpu.memory().l2Gbs() * 1e6);
        double beyond = Math.max(0, 1 - gpu.memory().l2Mb() * (1 << 20) / Math.max(1, spillFootprint * gpu.sms()));
        double dram =
                (k.memory().dramBytes() + spillBytes * beyond) / (gpu.memory().dramGbs() * 0.85 * 1e6);
        double most = Math.max(ms, Math.max(l2, dram));
        double total = most + 0.3 * (ms + l2 + dram - most) + gpu.driver().launchUs() / 1000;
        String bound = most == dram
                ? "memory"
                : most == l2
                        ? "second cache"
                        : latency > perSm * throughput
                                ? "latency"
                                : busiest == memory ? "shared memory" : busiest == fma ? "arithmetic" : "instructions";
        return new Estimate(
                total,
                (double) resident * warps * gpu.sm().warp() / gpu.sm().threads(),
                bound,
                resident,
                held.limit(),
                k.blocks() / ((double) gpu.sms() * resident),
                k.resources().registers());
    }
}
