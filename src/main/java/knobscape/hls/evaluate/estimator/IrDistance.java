package knobscape.hls.evaluate.estimator;

import java.util.OptionalLong;
import knobscape.compile.analysis.Affine;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IterationCounts.Count;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrOpcode;
import org.jspecify.annotations.Nullable;

/// Iterations from a store to a later load that may read what was stored.
///
/// Addresses are sums of counters and of values that the loop does not change. Where the difference of two is known,
/// the distance follows. Where it holds values of which nothing is known, they meet at those distances that the
/// greatest common divisor of these values' factors allows: `a[i][j]` and `a[k][j]` a row apart, `x[i]` and `x[j]` at
/// once. The tool assumes no less (schedules of public projects, Vitis HLS 2022.2): it does not use that `j < i`.
final class IrDistance {
    /// Distances above make no interval longer.
    private static final long FARTHEST = 256;
    private static final long UNKNOWN = Long.MAX_VALUE / 2;

    private final IrGraphBuilder b;
    private final IrLoop loop;
    private final long trips;

    private IrDistance(IrGraphBuilder b, IrLoop loop) {
        this.b = b;
        this.loop = loop;
        this.trips = b.block.facts().counts().of(loop).map(Count::most).orElse(UNKNOWN);
    }

    /// The smallest distance, 0 for none.
    static long of(IrGraphBuilder b, IrObjects objects, int store, int load) {
        Affine to = b.accesses.bytes(store);
        Affine from = b.accesses.bytes(load);
        if (to == null || from == null || b.block.loop().isEmpty()) {
            return 0;
        }
        if (b.accesses.isAnswered(store)) {
            return 1;
        }
        var d = new IrDistance(b, b.block.loop().get());
        if (d.varies(to) || d.varies(from)) {
            return d.neverMeet(store, load) ? 0 : to.equals(from) ? d.period(to) : 1;
        }
        Affine difference = to.minus(from);
        return !difference.isConstant() && d.neverMeet(store, load)
                ? 0
                : d.nearest(difference, from, objects.get(b.graph.array[load]).elementBytes());
    }

    /// @param difference from the loaded to the stored address in one iteration
    private long nearest(Affine difference, Affine from, long bytes) {
        int own = Affine.iteration(loop.header());
        long step = from.factor(own);
        long c = difference.constant();
        if (difference.isConstant()) {
            long d = step == 0 ? (c == 0 ? 1 : 0) : c % step == 0 ? c / step : 0;
            if (d > 0 && d < trips) {
                return d;
            }
        } else {
            OptionalLong d = search(difference, c, step, bytes, 1, Math.min(FARTHEST, trips - 1));
            if (d.isPresent()) {
                return d.getAsLong();
            }
        }
        if (b.block.over().size() < 2 || trips == UNKNOWN) {
            return 0;
        }
        // The loop around was merged with this one: its next pass follows at once.
        IrLoop outer = b.block.over().get(b.block.over().size() - 2);
        long moved = c - from.factor(Affine.iteration(outer.header()));
        OptionalLong d = search(difference, moved, step, bytes, 1 - trips, Math.min(FARTHEST - trips, trips - 1));
        return d.isPresent() ? d.getAsLong() + trips : 0;
    }

    /// The first distance at which the addresses may meet.
    private OptionalLong search(Affine difference, long c, long step, long bytes, long low, long high) {
        for (long d = low; d <= high; d++) {
            if (meets(difference, c - step * d, bytes)) {
                return OptionalLong.of(d);
            }
        }
        return OptionalLong.empty();
    }

    /// True if two accesses may meet.
    ///
    /// @param rest the constant part of the difference of their addresses
    /// @param bytes that an element takes
    static boolean meets(Affine difference, long rest, long bytes) {
        if (difference.isConstant()) {
            return rest == 0;
        }
        long divisor = difference.divisor(0);
        long left = Math.floorMod(rest, divisor);
        return left < bytes || divisor - left < bytes;
    }

    /// Iterations after which an index comes back: of the low bits of a counter, as many as they can count.
    private long period(Affine a) {
        long longest = 1;
        AffineForms forms = b.block.facts().forms();
        for (int s : a.symbols()) {
            if (forms.varies(s, loop) && s >= 0 && s < forms.code().size()) {
                IrInstruction i = forms.code().get(s);
                long mask = i.opcode() == IrOpcode.AND
                        ? AffineForms.whole(i.operands().get(1)).orElse(0)
                        : 0;
                Affine of = mask > 0 ? forms.of(i.operands().getFirst()) : a;
                boolean counts = Long.bitCount(mask + 1) == 1
                        && of.size() == 1
                        && Math.abs(of.factor(Affine.iteration(loop.header()))) % 2 == 1;
                longest = Math.max(longest, counts ? mask + 1 : 1);
            }
        }
        return longest;
    }

    private boolean varies(Affine a) {
        for (int s : a.symbols()) {
            if (b.block.facts().forms().varies(s, loop)) {
                return true;
            }
        }
        return false;
    }

    private boolean neverMeet(int store, int load) {
        IrPlaces.@Nullable Place x = b.accesses.place(store);
        IrPlaces.@Nullable Place y = b.accesses.place(load);
        return x != null
                && y != null
                && x.bankKnown()
                && y.bankKnown()
                && x.group() == y.group()
                && x.bank() != y.bank();
    }
}
