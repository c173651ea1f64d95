package knobscape.gpu.evaluate.model;

import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.space.Configuration;

/// The kernels of the measured sets as the model sees them: tiled matrix products of CLBlast and CLTune, the 15
/// x 15 filter in its versions, dedispersion.
final class MeasuredKernels {
    private static final int LINE = 128;
    private static final int SECTOR = 32;
    private static final int WORD = 4;

    private final GpuSpec gpu;

    MeasuredKernels(GpuSpec gpu) {
        this.gpu = gpu;
    }

    /// The profile of a configuration of an exhaustive set; empty for families the model has no kernel of.
    ///
    /// @param kernel name of the kernel, see [knobscape.gpu.evaluate.replay.SetKind#kernel()]
    Optional<KernelProfile> profile(String kernel, Configuration configuration) {
        Map<String, String> knobs = configuration.toMap();
        return switch (kernel) {
            case "gemm_clblast" -> Optional.of(gemm(new Knobs(knobs), 4096, 32, 2));
            case "gemm_cltune" -> {
                var k = new Knobs(knobs);
                yield Optional.of(gemm(k, 2048, k.of("KWG"), k.of("KWI")));
            }
            case "filter" -> {
                var k = new Knobs(knobs);
                yield Optional.of(filter(
                        k.of("block_size_x"),
                        k.of("block_size_y"),
                        k.of("tile_size_x"),
                        k.of("tile_size_y"),
                        k.of("use_padding") == 1,
                        k.flag("use_shmem", true),
                        k.of("read_only") == 1));
            }
            case "filter_ktt" -> {
                // Its records show that padding was never in effect: shared memory and times are the same with
                // and without.
                var k = new Knobs(knobs);
                yield Optional.of(filter(
                        k.of("BLOCK_SIZE_X"),
                        k.of("BLOCK_SIZE_Y"),
                        k.of("TILE_SIZE_X"),
                        k.of("TILE_SIZE_Y"),
                        false,
                        true,
                        k.of("READ_ONLY") == 1));
            }
            case "dedispersion" -> Optional.of(dedispersion(new Knobs(knobs)));
            default -> Optional.empty();
        };
    }

    private record Knobs(Map<String, String> values) {
        int of(String name) {
            return Integer.parseInt(values.get(name));
        }

        boolean flag(String name, boolean otherwise) {
            return values.containsKey(name) ? of(name) == 1 : otherwise;
        }
    }

    /// C = A B on matrices of `n`: tiles MWG x NWG per block, MDIMC x NDIMC threads, `kwg` steps of the sum
    /// between barriers, A and B in shared memory or not.
    private KernelProfile gemm(Knobs k, int n, int kwg, int kwi) {
        int mdim = k.of("MDIMC");
        int ndim = k.of("NDIMC");
        int threads = mdim * ndim;
        int mwi = k.of("MWG") / mdim;
        int nwi = k.of("NWG") / ndim;
        int vm = k.of("VWM");
        int vn = k.of("VWN");
        boolean strideM = k.values.getOrDefault("STRM", "0").equals("1");
        boolean strideN = k.values.getOrDefault("STRN", "0").equals("1");
        double blocks = (long) (n / k.of("MWG")) * (n / k.of("NWG"));
        int lanes = Math.min(gpu.sm().warp(), threads);
        boolean sa = k.of("SA") == 1;
        boolean sb = k.of("SB") == 1;
        double shared = 0;
        double global = 0;
        double l2 = 0;
        double other = 0;
        Side a = new Side(mwi, vm, strideM, mdim, lane -> lane % mdim, lanes, k.of("MWG"), k.of("MDIMA"), threads);
        Side b = new Side(nwi, vn, strideN, ndim, lane -> lane / mdim, lanes, k.of("NWG"), k.of("NDIMB"), threads);
        for (Side s : new Side[] {a, b}) {
            boolean cached = s == a ? sa : sb;
            if (cached) {
                shared += n * s.sharedPasses();
                double copied = (double) n * s.tile / threads / s.vector;
                shared += copied * Math.max(1, s.vector * lanes / 32.0);
                global += copied * s.copyPieces(n, LINE);
                l2 += blocks * n * s.tile * 4.0 * s.copyWaste(n);
                other += copied * 3;
            } else {
                double loads = (double) n * s.items / s.vector;
                global += n * s.globalPieces(LINE);
                other += loads * 1.5;
                // Threads of the block ask for the same elements; the first cache keeps them where it exists.
                double repeats = gpu.memory().l1Kb() == 0
                        ? threads / (double) s.dim / Math.max(1, lanes / (double) s.distinct(lanes))
                        : 1.3;
                l2 += blocks * n * s.tile * 4.0 * Math.max(1, repeats);
            }
        }
        double fma = (double) n * mwi * nwi;
        double registers = mwi * nwi + mwi + nwi + 26 + (sa || sb ? 4 : 0);
        other += (double) n / kwi * 2 + (double) n / kwg * 12 + mwi * nwi * 3;
        double sharedBytes = (sa ? kwg * k.of("MWG") * 4.0 : 0) + (sb ? kwg * k.of("NWG") * 4.0 : 0);
        double steps = (double) n / kwg;
        double waits = sa || sb ? steps : steps * 0.5;
        if (!sa || !sb) {
            waits += (double) n / kwi * 0.25;
        }
        double concurrent = Math.min(blocks, gpu.sms() * 2.0);
        double dram = 3.0 * n * n * 4 + l2 / Math.max(2, Math.sqrt(concurrent));
        return KernelProfile.of(blocks, threads)
                .resources(registers, sharedBytes)
                .arithmetic(fma, other, mwi * nwi, (double) kwi * mwi * nwi + 40)
                .memory(shared, global + mwi * nwi / (double) vm, l2, dram, waits, sa || sb ? 2 * steps : 0);
    }

    /// One operand of a product.
    private record Side(
            int items,
            int vector,
            boolean strided,
            int dim,
            java.util.function.IntUnaryOperator place,
            int lanes,
            int tile,
            int copyDim,
            int threads) {
        int word(int lane) {
            return strided ? place.applyAsInt(lane) * vector : place.applyAsInt(lane) * items;
        }

        int distinct(int count) {
            return (int) IntStream.range(0, count).map(place).distinct().count();
        }

        /// Passes of shared memory per step of the sum and warp.
        double sharedPasses() {
            return (double) items / vector * WarpAccess.bankPasses(lanes, this::word, vector);
        }

        /// Passes of the first cache likewise.
        double globalPieces(int bytes) {
            return (double) items / vector * WarpAccess.pieces(lanes, this::word, vector, bytes);
        }

        /// Lines a warp touches in one load of the cooperative copy.
        double copyPieces(int n, int bytes) {
            int per = tile / copyDim / vector;
            return WarpAccess.pieces(
                    lanes,
                    lane -> lane % copyDim * (strided ? vector : per * vector) + lane / copyDim * n,
                    vector,
                    bytes);
        }

        double copyWaste(int n) {
            double sectors = copyPieces(n, SECTOR) * SECTOR;
            double wanted = lanes * vector * 4.0;
            // What a load leaves of a sector is asked for again by the next; the first cache keeps most of it.
            return 1 + 0.25 * Math.max(0, sectors / wanted - 1);
        }
    }

    private KernelProfile filter(int bx, int by, int tx, int ty, boolean padded, boolean sharedTile, boolean readOnly) {
        int size = 4096;
        int taps = 15;
        int threads = bx * by;
        int lanes = Math.min(gpu.sm().warp(), threads);
        double blocks = Math.ceil(size / (double) (bx * tx)) * Math.ceil(size / (double) (by * ty));
        int width = bx * tx + taps - 1;
        int height = by * ty + taps - 1;
        int pitch = padded && bx % 32 != 0 ? width + Math.floorMod(bx - width, 32) : width;
        double outputs = (double) tx * ty;
        double fma = taps * taps * outputs;
        // Unrolled, the same element serves all outputs and taps that meet in it.
        long rows = IntStream.range(0, ty)
                .flatMap(t -> IntStream.range(0, taps).map(i -> t * by + i))
                .distinct()
                .count();
        long columns = IntStream.range(0, tx)
                .flatMap(t -> IntStream.range(0, taps).map(j -> t * bx + j))
                .distinct()
                .count();
        double unique = (double) rows * columns;
        double reads = Math.sqrt(unique * fma);
        // Where blocks do not divide the image, AMD's compiler leaves a few accumulators in memory instead of
        // registers (many it does unroll).
        boolean divides = size % (bx * tx) == 0 && size % (by * ty) == 0;
        boolean inMemory = gpu.driver().compiler() == GpuSpec.Compiler.HIP && !divides && outputs > 1 && outputs < 12;
        double scratch = inMemory ? fma : 0;
        double copyRows = WarpAccess.pieces(lanes, lane -> lane % bx + lane / bx * 4112, 1, LINE);
        double l2 = blocks
                * width
                * height
                * 4.0
                * (WarpAccess.pieces(lanes, lane -> lane % bx + lane / bx * 4112, 1, SECTOR)
                                * SECTOR
                                / (lanes * 4.0)
                                * 0.3
                        + 0.7);
        double dram = 2.0 * size * size * 4;
        double copySteps = Math.ceil(width / (double) bx) * Math.ceil(height / (double) by);
        if (sharedTile) {
            double passes = WarpAccess.bankPasses(lanes, lane -> lane % bx + lane / bx * pitch, 1);
            return KernelProfile.of(blocks, threads)
                    .resources(18 + outputs * 1.6 + Math.min(60, 2 * (tx + ty)), (double) pitch * height * 4)
                    .arithmetic(fma, copySteps * 5 + outputs * 4 + 60, outputs, fma + 40)
                    .memory(
                            reads * passes + copySteps,
                            copySteps * copyRows + outputs + 6 * scratch,
                            l2 + scratch * blocks * threads * 0.5,
                            dram,
                            2 + copySteps * 0.15 + scratch * 0.05,
                            1);
        }
        double lines = WarpAccess.pieces(lanes, lane -> lane % bx + lane / bx * 4112 + 7, 1, LINE);
        // The first cache of AMD's units is narrow: a line takes two passes and more.
        double passes = gpu.driver().compiler() == GpuSpec.Compiler.HIP
                ? 80.0 / gpu.memory().l1Kb()
                : 1;
        double repeats = gpu.memory().l1Kb() >= 96 ? 1.2 : gpu.memory().l1Kb() >= 24 ? 3 : 8;
        return KernelProfile.of(blocks, threads)
                .resources(20 + outputs * 1.6, 0)
                .arithmetic(fma, reads * 0.4 + outputs * 4 + 40, outputs, fma + 40)
                .memory(
                        0,
                        passes
                                        * reads
                                        * lines
                                        * (readOnly && gpu.driver().compiler() == GpuSpec.Compiler.CUDA ? 1.5 : 1)
                                + outputs
                                + 6 * scratch,
                        l2 * repeats + scratch * blocks * threads * 0.5,
                        dram,
                        6 + 0.02 * reads + scratch * 0.05,
                        0);
    }

    /// Every thread sums bytes of 1536 channels for `tx` x `ty` pairs of delay (x) and sample (y); bytes become
    /// floats, which takes a pipe of a quarter of the width.
    private KernelProfile dedispersion(Knobs k) {
        int bx = k.of("block_size_x");
        int by = k.of("block_size_y");
        int tx = k.of("tile_size_x");
        int ty = k.of("tile_size_y");
        int channels = 1536;
        int threads = bx * by;
        int lanes = Math.min(gpu.sm().warp(), threads);
        double blocks = Math.ceil(2048.0 / (bx * tx)) * Math.ceil(25_000.0 / (by * ty));
        double outputs = (double) tx * ty;
        int stepX = k.of("tile_stride_x") == 1 ? 1 : tx;
        int stepY = k.of("tile_stride_y") == 1 ? 1 : ty;
        // Byte addresses; neighbouring delays differ by about one sample.
        double lines = pieces(lanes, lane -> lane / bx * stepY + lane % bx * stepX, 64);
        // Outputs of a thread read places far apart and push one another out of the first cache, the sooner the
        // smaller it is.
        double crowding = gpu.driver().compiler() == GpuSpec.Compiler.HIP
                ? 0.04
                : 0.7 / gpu.memory().l1Kb();
        double reads = channels * outputs;
        double rows = Math.ceil((by * ty + bx * tx) / (double) LINE + 1) * LINE;
        // Sums of neighbouring samples lie side by side, those of neighbouring delays a row apart: what a warp
        // writes of a piece of memory fills it only in part.
        double run = WORD * Math.max(1.0, stepY == 1 ? (double) lanes / bx : 1);
        double written = 25_000.0
                * 2048
                * WORD
                * Math.max(1, (gpu.driver().compiler() == GpuSpec.Compiler.HIP ? 64 : SECTOR) / run);
        double l2 = blocks * channels * rows * (outputs > 8 ? 1 + outputs / 32 : 1) + written;
        // A sum and a part of its address in registers: blocks of 1024 threads with 32 sums each run on every
        // device, which leaves at most 64.
        return KernelProfile.of(blocks, threads)
                .resources(24 + outputs * 1.2, 0)
                .arithmetic(reads, reads * 4 + channels, outputs, outputs * 8)
                .memory(
                        0,
                        reads * (10 + lines) * (1 + crowding * outputs),
                        l2,
                        25_000.0 * channels + written,
                        channels * 0.2 + reads * 0.01,
                        0);
    }

    private static double pieces(int lanes, java.util.function.IntUnaryOperator address, int bytes) {
        return IntStream.range(0, lanes)
                .map(address)
                .map(a -> Math.floorDiv(a, bytes))
                .distinct()
                .count();
    }
}
