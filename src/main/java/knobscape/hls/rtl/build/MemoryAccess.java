package knobscape.hls.rtl.build;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import knobscape.hls.rtl.Expr;
import knobscape.hls.rtl.ShiftedSum;
import knobscape.hls.rtl.build.ValueFacts.Range;
import knobscape.hls.rtl.build.ValueFacts.Remainder;
import knobscape.hls.space.Directive.PartitionType;
import org.jspecify.annotations.Nullable;

/// Where a load or store goes: the index as a sum, the banks it may meet, and how bank and word are computed.
final class MemoryAccess {
    /// Bits above those of an index, for sums on the way to it.
    private static final int MARGIN = 2;
    /// Bits of the widest product of a division.
    private static final int MOST_BITS = 60;
    /// ns of one.
    private static final double DIVISION = 7;
    /// ns of a sum of addresses.
    private static final double SUM = 2.4;

    final MemoryPlan memory;
    /// Number of the element.
    final SumForm<DataOp> index;
    /// Ports by bank.
    final Map<Integer, Integer> ports = new HashMap<>();

    private final ValueFacts facts;
    private final List<SumForm<DataOp>> subscripts = new ArrayList<>();
    private final List<Integer> fixed = new ArrayList<>();
    private OptionalInt bank = OptionalInt.of(0);
    private boolean divides;
    private @Nullable DataOp own;
    /// True if the subscripts are not known as sums, and the number of the element is divided instead.
    private boolean isTakenApart;

    /// Throws [NotBuildable] where the bank cannot be computed.
    MemoryAccess(MemoryPlan memory, SumForm<DataOp> index, ValueFacts facts) {
        this.memory = memory;
        this.index = index;
        this.facts = facts;
        if (memory.isDivided()) {
            split();
            banks();
        }
    }

    /// Values that the access waits for: its address where that is an operation of its own, else what it is computed
    /// from.
    Set<DataOp> reads() {
        return own == null ? sources() : Set.of(own);
    }

    /// Values that the address is computed from.
    Set<DataOp> sources() {
        var all = new LinkedHashSet<>(index.factors().keySet());
        subscripts.forEach(s -> all.addAll(s.factors().keySet()));
        return all;
    }

    /// The index as one subscript a dimension, where each is proven to stay in its dimension.
    private void split() {
        int n = memory.dims.size();
        long[] size = new long[n];
        size[n - 1] = 1;
        for (int d = n - 2; d >= 0; d--) {
            size[d] = size[d + 1] * memory.dims.get(d + 1);
        }
        for (int d = 0; d < n; d++) {
            subscripts.add(SumForm.of(0));
        }
        index.each((v, factor) -> {
            long rest = factor;
            for (int d = 0; d < n && rest != 0; d++) {
                long q = rest / size[d];
                if (q != 0) {
                    subscripts.set(d, subscripts.get(d).plus(v.sum(), q));
                    rest -= q * size[d];
                }
            }
        });
        long constant = index.constant();
        for (int d = 0; d < n; d++) {
            // What the inner dimensions are at least decides where the constant belongs.
            long low = 0;
            for (int k = d + 1; k < n; k++) {
                Range r = facts.range(subscripts.get(k));
                low += Math.max(r.low(), -memory.dims.get(k)) * size[k];
            }
            long q = d == n - 1 ? constant : Math.floorDiv(constant + low, size[d]);
            subscripts.set(d, subscripts.get(d).plus(q));
            constant -= q * size[d];
        }
        for (int d = 1; d < n; d++) {
            Range r = facts.range(subscripts.get(d));
            if (r.low() < 0 || r.high() >= memory.dims.get(d)) {
                isTakenApart = true;
            }
        }
        if (isTakenApart) {
            divides = true;
            for (int d = 0; d < n; d++) {
                dividable(memory.elements(), size[d]);
                dividable(memory.elements(), memory.dims.get(d));
            }
        }
    }

    /// One subscript.
    private Expr subscript(int d, int width, BiFunction<DataOp, Integer, Expr> read) {
        if (!isTakenApart) {
            return value(subscripts.get(d), width, read);
        }
        long below = 1;
        for (int k = d + 1; k < memory.dims.size(); k++) {
            below *= memory.dims.get(k);
        }
        Expr whole = quotient(value(index, full(memory.elements()), read), below);
        return (d == 0 ? whole : remainder(whole, memory.dims.get(d))).fit(width);
    }

    private void banks() {
        for (int d = 0; d < memory.dims.size(); d++) {
            int f = memory.factor(d);
            SumForm<DataOp> s = subscripts.get(d);
            int here = -1;
            if (f == 1) {
                here = 0;
            } else if (isTakenApart) {
                dividable(memory.dims.get(d), memory.type(d) == PartitionType.BLOCK ? memory.local(d) : f);
            } else if (memory.type(d) == PartitionType.BLOCK) {
                Range r = facts.range(s);
                long size = memory.local(d);
                if (r.low() >= 0 && r.low() / size == r.high() / size) {
                    here = (int) (r.low() / size);
                } else {
                    dividable(memory.dims.get(d), size);
                }
            } else {
                Remainder r = facts.remainder(s);
                if (r.modulus() % f == 0) {
                    here = (int) Math.floorMod(r.rest(), (long) f);
                } else if (memory.type(d) == PartitionType.CYCLIC) {
                    dividable(memory.dims.get(d), f);
                }
                if (here >= 0 && !s.plus(-here).isMultipleOf(f) && memory.type(d) == PartitionType.CYCLIC) {
                    dividable(memory.dims.get(d), f);
                }
            }
            fixed.add(here);
            bank = here < 0 || bank.isEmpty() ? OptionalInt.empty() : OptionalInt.of(bank.getAsInt() * f + here);
        }
    }

    private void dividable(long below, long by) {
        if (Long.bitCount(by) != 1) {
            divides = true;
            if (full(below) + Reciprocal.of(full(below), by).width() > MOST_BITS) {
                throw new NotBuildable("the bank of " + memory.name + " is known only at run time, and the array is too"
                        + " large to be divided by " + by);
            }
        }
    }

    /// Division by a constant as a product: the whole part of `n * factor / 2^shift` for every `n` of so many bits.
    /// (Granlund and Montgomery, Division by invariant integers using multiplication, 1994.)
    private record Reciprocal(long factor, int shift) {
        static Reciprocal of(int bits, long by) {
            int shift = bits + Long.SIZE - Long.numberOfLeadingZeros(by - 1);
            return new Reciprocal(shift > MOST_BITS ? -1L >>> 1 : Math.ceilDiv(1L << shift, by), shift);
        }

        int width() {
            return Long.SIZE - Long.numberOfLeadingZeros(factor);
        }
    }

    /// A subscript divided by a constant, without remainder; subscripts below 0 give anything.
    private static Expr quotient(Expr x, long by) {
        if (Long.bitCount(by) == 1) {
            return x.shiftRight(Expr.bits(Long.numberOfTrailingZeros(by), 6));
        }
        Reciprocal r = Reciprocal.of(x.width(), by);
        int width = x.width() + r.width();
        return x.zeros(width)
                .times(Expr.bits(r.factor(), width))
                .shiftRight(Expr.bits(r.shift(), 6))
                .part(0, x.width());
    }

    private static Expr remainder(Expr x, long by) {
        return Long.bitCount(by) == 1
                ? x.and(Expr.bits(by - 1, x.width()))
                : x.minus(ShiftedSum.product(quotient(x, by), by));
    }

    /// The bank where it is always the same.
    OptionalInt bank() {
        return bank;
    }

    /// Banks that it may meet.
    List<Integer> met() {
        if (bank.isPresent()) {
            return List.of(bank.getAsInt());
        }
        return IntStream.range(0, memory.banks)
                .filter(b -> {
                    int rest = b;
                    for (int d = fixed.size() - 1; d >= 0; d--) {
                        int here = rest % memory.factor(d);
                        rest /= memory.factor(d);
                        if (fixed.get(d) >= 0 && fixed.get(d) != here) {
                            return false;
                        }
                    }
                    return true;
                })
                .boxed()
                .toList();
    }

    /// ns from what it waits for to the memory.
    double delay() {
        return own == null ? sumDelay() : 0;
    }

    /// ns to compute the address.
    double sumDelay() {
        var factors = new ArrayList<>(index.factors().values());
        if (index.constant() != 0) {
            factors.add(1L);
        }
        return SUM * (ShiftedSum.chains(factors) + (memory.isDivided() ? 1 : 0))
                + (divides ? DIVISION : 0)
                + (isTakenApart ? DIVISION : 0);
    }

    /// Lets the address be an operation of its own; not where the bank is known only at run time.
    void addressedBy(DataOp own) {
        this.own = own;
    }

    /// Address of the word.
    ///
    /// @param read a value at a width
    Expr address(BiFunction<DataOp, Integer, Expr> read) {
        return own == null ? sum(read) : read.apply(own, memory.addressWidth());
    }

    /// Address of the word from what it is computed from.
    Expr sum(BiFunction<DataOp, Integer, Expr> read) {
        int width = memory.addressWidth();
        if (!memory.isDivided()) {
            return value(index, width, read);
        }
        Expr sum = null;
        for (int d = 0; d < fixed.size(); d++) {
            if (memory.local(d) > 1) {
                Expr word = local(d, width, read);
                long step = memory.step(d);
                sum = sum(sum, ShiftedSum.product(word, step));
            }
        }
        return sum == null ? Expr.bits(0, width) : sum;
    }

    private static Expr sum(@Nullable Expr a, Expr b) {
        return a == null ? b : a.plus(b);
    }

    /// Bits of a number below another one with those of sums on the way.
    private static int full(long below) {
        return Long.SIZE - Long.numberOfLeadingZeros(below) + MARGIN;
    }

    private Expr local(int d, int width, BiFunction<DataOp, Integer, Expr> read) {
        int f = memory.factor(d);
        SumForm<DataOp> s = subscripts.get(d);
        int here = fixed.get(d);
        if (f == 1) {
            return subscript(d, width, read);
        }
        if (memory.type(d) == PartitionType.BLOCK) {
            long size = memory.local(d);
            return here >= 0
                    ? value(s.plus(-here * size), width, read)
                    : remainder(subscript(d, full(memory.dims.get(d)), read), size)
                            .fit(width);
        }
        return here >= 0 && s.plus(-here).isMultipleOf(f)
                ? value(s.plus(-here).dividedBy(f), width, read)
                : quotient(subscript(d, full(memory.dims.get(d)), read), f).fit(width);
    }

    /// Number of the bank, where it is known only at run time.
    Expr bankNumber(BiFunction<DataOp, Integer, Expr> read) {
        int width = Integer.SIZE - Integer.numberOfLeadingZeros(memory.banks);
        Expr sum = Expr.bits(0, width);
        for (int d = 0; d < fixed.size(); d++) {
            int f = memory.factor(d);
            if (f == 1) {
                continue;
            }
            int here = fixed.get(d);
            Expr one = here >= 0
                    ? Expr.bits(here, width)
                    : memory.type(d) == PartitionType.COMPLETE
                            ? subscript(d, width, read)
                            : memory.type(d) == PartitionType.CYCLIC
                                    ? remainder(subscript(d, full(memory.dims.get(d)), read), f)
                                            .fit(width)
                                    : quotient(subscript(d, full(memory.dims.get(d)), read), memory.local(d))
                                            .fit(width);
            sum = ShiftedSum.product(sum, f).plus(one);
        }
        return sum;
    }

    private static Expr value(SumForm<DataOp> s, int width, BiFunction<DataOp, Integer, Expr> read) {
        var sum = new ShiftedSum(width);
        s.factors().forEach((v, factor) -> sum.plus(read.apply(v, width), factor));
        if (Expr.mask(s.constant(), width) != 0) {
            sum.plus(Expr.bits(s.constant(), width), 1);
        }
        return sum.value();
    }

    /// True if two accesses may meet in one iteration.
    boolean meets(MemoryAccess other) {
        if (bank.isPresent() && other.bank.isPresent() && bank.getAsInt() != other.bank.getAsInt()) {
            return false;
        }
        SumForm<DataOp> d = index.plus(other.index, -1);
        if (d.isConstant()) {
            return d.constant() == 0;
        }
        Remainder r = facts.remainder(d);
        if (r.modulus() == 0 ? r.rest() != 0 : r.rest() % r.modulus() != 0) {
            return false;
        }
        Range range = facts.range(d);
        return range.low() <= 0 && range.high() >= 0;
    }

    /// The least number of iterations after which another access may meet this one; empty where it never does.
    OptionalLong meetsLater(MemoryAccess other, CodeLoop loop) {
        if (bank.isPresent() && other.bank.isPresent() && bank.getAsInt() != other.bank.getAsInt()) {
            return OptionalLong.empty();
        }
        OptionalLong mine = growth(index, loop);
        OptionalLong its = other.growth(other.index, loop);
        SumForm<DataOp> d = index.plus(other.index, -1);
        if (mine.isEmpty() || its.isEmpty() || !d.isConstant()) {
            return OptionalLong.of(1);
        }
        long step = its.getAsLong();
        if (step == 0) {
            return d.constant() == 0 ? OptionalLong.of(1) : OptionalLong.empty();
        }
        if (d.constant() % step != 0) {
            return OptionalLong.empty();
        }
        long k = d.constant() / step;
        return k >= 1 ? OptionalLong.of(k) : OptionalLong.empty();
    }

    /// The growth of a sum in an iteration; empty where that is not constant.
    private OptionalLong growth(SumForm<DataOp> s, CodeLoop loop) {
        long sum = 0;
        for (var e : s.factors().entrySet()) {
            DataOp v = e.getKey();
            if (v.block != null && loop.contains(v.block)) {
                OptionalLong step = v.block == loop.header ? facts.step(v) : OptionalLong.empty();
                // A counter that may wrap around steps back.
                if (step.isEmpty() || facts.range(v).equals(ValueFacts.full(v.width))) {
                    return OptionalLong.empty();
                }
                sum += step.getAsLong() * e.getValue();
            }
        }
        return OptionalLong.of(sum);
    }
}
