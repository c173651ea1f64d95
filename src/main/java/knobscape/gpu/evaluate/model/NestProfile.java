package knobscape.gpu.evaluate.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.BufferAccess;
import knobscape.gpu.space.nest.IndexBound;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.nest.UnrollPlan;

/// A loop nest as the model sees it.
///
/// An access is made once for every iteration of the loops around it, but for those that do not move its index
/// and that the compiler can see through: unrolled loops, virtual threads, and rolled loops innermost around
/// it. How the threads per warp share what they touch is found by looking at the addresses of the first warp.
final class NestProfile {
    private static final int LINE = 128;
    private static final int SECTOR = 32;
    private static final int WORD = 4;
    /// Loops of at most this many iterations are unrolled by the device's compiler without being told.
    private static final int SMALL_LOOP = 4;

    private final GpuSpec gpu;
    private final LoopNest nest;
    private final UnrollPlan plan;
    private final int lanes;
    private final double blocks;
    private final int threads;
    /// For each thread axis where the first warp's threads stand on it.
    private final Map<Axis, long[]> places = new HashMap<>();

    private double fma;
    private double other;
    private double shared;
    private double global;
    private double l2;
    private double loads;
    private double rolledLoads;
    private double barriers;
    private double code;

    private NestProfile(GpuSpec gpu, LoopNest nest) {
        this.gpu = gpu;
        this.nest = nest;
        plan = UnrollPlan.of(nest);
        threads = (int) nest.threads();
        lanes = Math.min(gpu.sm().warp(), threads);
        blocks = nest.blocks();
        nest.axes().stream().filter(a -> a.binding().isThread()).forEach(a -> places.put(a, places(a)));
    }

    static KernelProfile of(GpuSpec gpu, LoopNest nest) {
        return new NestProfile(gpu, nest).profile();
    }

    private KernelProfile profile() {
        visit(nest.body(), 1, 1);
        for (BufferAccess a : nest.accesses()) {
            access(a);
        }
        double unique = 0;
        for (Buffer b : nest.parameters()) {
            unique += b.bytes();
        }
        double beyond = Math.max(0, 1 - gpu.memory().l2Mb() * (1 << 20) / Math.max(1, unique));
        double dram = Math.min(unique, Math.max(l2, 1)) + Math.max(0, l2 - unique) * (0.05 + 0.5 * beyond);
        double local = nest.localFloats();
        double registers = local + Math.min(40, Math.sqrt(local) * 2) + 22;
        double waits = barriers / 2 + 1 + rolledLoads / 4 + loads / 16;
        return KernelProfile.of(blocks, threads)
                .resources(registers, nest.sharedBytes())
                .arithmetic(fma, other, Math.max(1, local), code)
                .memory(shared, global, l2, dram, waits, barriers);
    }

    /// Arithmetic, loop counters and barriers.
    ///
    /// @param times how often one thread comes here
    /// @param copies how often the text stands in the unrolled code
    private void visit(NestStatement s, double times, double copies) {
        switch (s) {
            case NestStatement.Loop l -> {
                Axis a = l.axis();
                boolean parallel =
                        a.binding().isBlock() || a.binding().isThread() || a.binding() == Axis.Binding.VTHREAD;
                double n = parallel ? 1 : a.extent();
                boolean rolled = !parallel && !unrolled(a);
                if (rolled) {
                    other += times * n * 3;
                    code = Math.max(code, 16);
                }
                for (NestStatement b : l.body()) {
                    visit(b, times * n, rolled || parallel ? copies : copies * n);
                }
            }
            case NestStatement.Guard g -> {
                other += times * 2 * g.conditions().size();
                g.body().forEach(b -> visit(b, times, copies));
            }
            case NestStatement.Pragma p -> p.body().forEach(b -> visit(b, times, copies));
            case NestStatement.Barrier b -> barriers += times;
            case NestStatement.Fragment f -> fragment(f, times, copies);
            case NestStatement.Store store -> {
                double repeated = nest.repeats(store, List.of());
                boolean product = store.accumulate()
                        && store.value() instanceof NestValue.Binary b
                        && b.operator() == NestValue.Operator.MULTIPLY;
                boolean dot = store.value() instanceof NestValue.Binary d && d.operator() == NestValue.Operator.DOT;
                fma += times
                        * repeated
                        * (dot ? dotCycles() : 1)
                        * (product || dot
                                ? 1
                                : Math.max(
                                        store.accumulate() ? 1 : 0,
                                        store.value().operations()));
                code = Math.max(code, copies * repeated * 2);
            }
        }
    }

    /// A product is counted as the multiply-adds of floats that take as long. Matrices go through shared memory
    /// in pieces of 16 bytes, eight rows at a time, which meet in one bank where their pitch is 128 bytes.
    private void fragment(NestStatement.Fragment f, double times, double copies) {
        double side = NestStatement.Fragment.SIDE;
        switch (f.action()) {
            case CLEAR -> {}
            case MULTIPLY -> {
                fma += times
                        * side
                        * side
                        * side
                        / Math.max(1, gpu.driver().products())
                        * gpu.sm().lanes()
                        / gpu.sm().warp();
                code = Math.max(code, copies * 2);
            }
            case LOAD -> shared += times * 4 * conflicts(f.pitch() / 8);
            case STORE -> shared += times * 8 * conflicts(f.pitch() / 4);
        }
    }

    /// @param pitch in pieces of 16 bytes
    private static double conflicts(long pitch) {
        return Math.max(1, Math.min(8, Long.lowestOneBit(pitch)));
    }

    /// Time of a dot product of words in multiply-adds of floats.
    private double dotCycles() {
        int dots = gpu.driver().dots();
        return dots == 0 ? GpuSpec.DOT_IN_PARTS : (double) gpu.sm().lanes() / dots;
    }

    private boolean unrolled(Axis a) {
        return plan.isUnrolled(a) || a.extent() <= SMALL_LOOP;
    }

    private void access(BufferAccess a) {
        if (a.buffer().scope() == Buffer.Scope.LOCAL || a.ofWarp()) {
            return;
        }
        double count = 1;
        boolean innermost = true;
        boolean rolledAround = false;
        double run = 1;
        // Neighbouring 16-bit floats that one access takes.
        long wide = 1;
        int bytesEach = a.buffer().format().bytes();
        for (Axis axis : a.loops().reversed()) {
            if (axis.extent() == 1 || axis.binding().isBlock() || axis.binding().isThread()) {
                continue;
            }
            boolean moves = moves(a, axis);
            if (axis.binding() == Axis.Binding.VECTORIZED && a.buffer().format() == Buffer.Format.HALF) {
                wide *= axis.extent();
                continue;
            }
            boolean free = axis.binding() == Axis.Binding.VTHREAD || unrolled(axis);
            if (moves || (!free && !innermost)) {
                count *= axis.extent();
            }
            if (moves
                    && axis.binding() != Axis.Binding.VTHREAD
                    && Math.abs(a.index().stride(axis)) == 1) {
                run = Math.max(run, axis.extent());
            }
            rolledAround |= moves && !free;
            innermost &= !moves;
        }
        long[] address = addresses(a.index());
        // An address in a rolled loop is computed each time; a copy's fused index needs quotients and
        // remainders.
        double parts = a.index().terms().stream()
                .filter(t -> !(t.atom() instanceof Axis))
                .count();
        other += count * ((rolledAround ? 1 : 0.15) + parts * 4 + a.conditions().size() * 2);
        if (a.buffer().scope() == Buffer.Scope.SHARED) {
            int words = (int) Math.ceilDiv(wide * bytesEach, WORD);
            shared += count * WarpAccess.bankPasses(lanes, lane -> (int) (address[lane] * bytesEach / WORD), words);
            return;
        }
        double lines = pieces(address, bytesEach, LINE);
        double sectors = pieces(address, bytesEach, SECTOR);
        global += count * lines;
        if (!a.write()) {
            loads += count;
            rolledLoads += rolledAround ? count : 0;
        }
        // Neighbouring elements of a thread's own run come from the sector it has just fetched.
        double fresh = gpu.memory().l1Kb() == 0 ? 1 : 1 / Math.min(run, (double) SECTOR / bytesEach);
        double wanted = (double) lanes * wide * bytesEach;
        double bytes = Math.max(wanted * Math.min(1, sectors * SECTOR / wanted), sectors * SECTOR * fresh);
        l2 += count * bytes * Math.ceilDiv(threads, gpu.sm().warp()) * blocks;
    }

    private static boolean moves(BufferAccess a, Axis axis) {
        if (a.index().uses(axis)) {
            return true;
        }
        for (IndexBound c : a.conditions()) {
            if (c.index().uses(axis)) {
                return true;
            }
        }
        return false;
    }

    /// Flat indices of the first warp's threads, every other axis being 0.
    private long[] addresses(IndexExpr index) {
        long[] address = new long[lanes];
        for (int lane = 0; lane < lanes; lane++) {
            int l = lane;
            address[lane] = index.value(axis -> {
                long[] values = places.get(axis);
                return values == null ? 0 : values[l];
            });
        }
        return address;
    }

    /// Where the first warp's threads stand on an axis of the block.
    private long[] places(Axis axis) {
        long nx = nest.extent(Axis.Binding.THREAD_X);
        long ny = nest.extent(Axis.Binding.THREAD_Y);
        long step = nest.digit(axis);
        return LongStream.range(0, lanes)
                .map(lane -> switch (axis.binding()) {
                    case THREAD_X -> lane % nx;
                    case THREAD_Y -> lane / nx % ny;
                    default -> lane / (nx * ny);
                })
                .map(i -> i / step % axis.extent())
                .toArray();
    }

    private static double pieces(long[] address, int bytesEach, int bytes) {
        Set<Long> pieces = new HashSet<>();
        for (long a : address) {
            pieces.add(Math.floorDiv(a * bytesEach, bytes));
        }
        return pieces.size();
    }
}
