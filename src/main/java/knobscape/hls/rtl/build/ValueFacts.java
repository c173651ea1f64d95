package knobscape.hls.rtl.build;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import knobscape.hls.rtl.build.DataOp.Kind;

/// Facts of integers: sums they are, ranges they stay in, remainders they leave, and the bits that anything reads.
/// Every
/// fact holds for the value as a signed number, wrap-around included.
final class ValueFacts {
    /// A range, both ends included.
    record Range(long low, long high) {
        boolean isWithin(Range other) {
            return low >= other.low && high <= other.high;
        }

        boolean isNatural() {
            return low >= 0;
        }

        Range with(Range other) {
            return new Range(Math.min(low, other.low), Math.max(high, other.high));
        }
    }

    /// `rest` modulo `modulus`; modulus 0 is exactly `rest`.
    record Remainder(long modulus, long rest) {}

    private static final Remainder UNKNOWN = new Remainder(1, 0);
    private static final int WIDE = 62;

    private final Map<DataOp, SumForm<DataOp>> sums = new HashMap<>();
    private final Map<DataOp, Range> ranges = new HashMap<>();
    private final Map<DataOp, Remainder> remainders = new HashMap<>();
    private final Map<DataOp, Integer> demanded = new HashMap<>();

    static Range full(int width) {
        return width >= Long.SIZE
                ? new Range(Long.MIN_VALUE, Long.MAX_VALUE)
                : new Range(-(1L << (width - 1)), (1L << (width - 1)) - 1);
    }

    // ---- sums

    /// The sum that a value is.
    SumForm<DataOp> sum(DataOp v) {
        if (v.isConstant()) {
            return SumForm.of(v.value);
        }
        SumForm<DataOp> known = sums.get(v);
        if (known != null) {
            return known;
        }
        sums.put(v, v.sum());
        SumForm<DataOp> made = v.real ? v.sum() : sumOf(v).orElse(v.sum());
        sums.put(v, made);
        return made;
    }

    private boolean staysExact(DataOp v) {
        return v.exact
                || v.width >= Long.SIZE
                || unwrapped(v).filter(r -> r.isWithin(full(v.width))).isPresent();
    }

    private Optional<SumForm<DataOp>> sumOf(DataOp v) {
        return switch (v.kind) {
            case ADD -> staysExact(v) ? Optional.of(sum(v.arg(0)).plus(sum(v.arg(1)), 1)) : Optional.empty();
            case SUB -> staysExact(v) ? Optional.of(sum(v.arg(0)).plus(sum(v.arg(1)), -1)) : Optional.empty();
            case MUL ->
                v.arg(1).isConstant() && staysExact(v)
                        ? Optional.of(sum(v.arg(0)).times(v.arg(1).value))
                        : Optional.empty();
            case SHL ->
                v.arg(1).isConstant() && v.arg(1).value < WIDE && staysExact(v)
                        ? Optional.of(sum(v.arg(0)).times(1L << v.arg(1).value))
                        : Optional.empty();
            case SEXT -> Optional.of(sum(v.arg(0)));
            case ZEXT -> range(v.arg(0)).isNatural() ? Optional.of(sum(v.arg(0))) : Optional.empty();
            case COPY ->
                v.width >= v.arg(0).width || range(v.arg(0)).isWithin(full(v.width))
                        ? Optional.of(sum(v.arg(0)))
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    // ---- steps of loops

    /// The growth of a value of a loop's header each time around; empty where that is not constant.
    OptionalLong step(DataOp phi) {
        CodeLoop loop = loopOf(phi);
        if (loop == null) {
            return OptionalLong.empty();
        }
        OptionalLong step = OptionalLong.empty();
        for (int i = 0; i < phi.args.size(); i++) {
            if (loop.contains(phi.from.get(i))) {
                OptionalLong here = distance(phi.arg(i), phi);
                if (here.isEmpty() || (step.isPresent() && step.getAsLong() != here.getAsLong())) {
                    return OptionalLong.empty();
                }
                step = here;
            }
        }
        return step;
    }

    /// `v` minus `base` where that is constant, wrap-around aside.
    private static OptionalLong distance(DataOp v, DataOp base) {
        long sum = 0;
        DataOp at = v;
        while (at != base) {
            if ((at.kind == Kind.ADD || at.kind == Kind.SUB) && at.arg(1).isConstant()) {
                sum += at.kind == Kind.ADD ? at.arg(1).value : -at.arg(1).value;
            } else if (at.kind != Kind.COPY || at.width != at.arg(0).width) {
                return OptionalLong.empty();
            }
            at = at.arg(0);
        }
        return OptionalLong.of(sum);
    }

    static @org.jspecify.annotations.Nullable CodeLoop loopOf(DataOp phi) {
        CodeBlock b = phi.block;
        return phi.kind == Kind.PHI && b != null && b.loop != null && b.loop.header == b ? b.loop : null;
    }

    // ---- ranges

    /// Where a value stays.
    Range range(DataOp v) {
        if (v.isConstant()) {
            return v.width == 1 ? new Range(-(v.value & 1), -(v.value & 1)) : new Range(v.value, v.value);
        }
        Range known = ranges.get(v);
        if (known != null) {
            return known;
        }
        Range full = full(v.width);
        ranges.put(v, full);
        if (v.real || v.width == 1) {
            return full;
        }
        Range made = unwrapped(v).filter(r -> r.isWithin(full)).orElse(full);
        ranges.put(v, made);
        return made;
    }

    /// The range before anything wraps around; empty where it is not known or too large.
    private Optional<Range> unwrapped(DataOp v) {
        return switch (v.kind) {
            case PHI -> phi(v);
            case ADD -> sum(range(v.arg(0)), range(v.arg(1)), 1);
            case SUB -> sum(range(v.arg(0)), range(v.arg(1)), -1);
            case MUL -> product(range(v.arg(0)), range(v.arg(1)));
            case SHL ->
                v.arg(1).isConstant() && v.arg(1).value < WIDE
                        ? product(range(v.arg(0)), new Range(1L << v.arg(1).value, 1L << v.arg(1).value))
                        : Optional.empty();
            case ASHR -> {
                Range r = range(v.arg(0));
                yield v.arg(1).isConstant() && v.arg(1).value < Long.SIZE
                        ? Optional.of(new Range(r.low() >> v.arg(1).value, r.high() >> v.arg(1).value))
                        : Optional.of(new Range(Math.min(r.low(), 0), Math.max(r.high(), 0)));
            }
            case LSHR -> shiftedRight(v);
            case AND -> and(range(v.arg(0)), range(v.arg(1)));
            case OR, XOR -> {
                Range a = range(v.arg(0));
                Range b = range(v.arg(1));
                yield a.isNatural() && b.isNatural()
                        ? Optional.of(new Range(0, ones(Math.max(a.high(), b.high()))))
                        : Optional.empty();
            }
            case ZEXT -> Optional.of(natural(range(v.arg(0)), v.arg(0).width));
            case SEXT, COPY -> Optional.of(range(v.arg(0)));
            case SELECT -> Optional.of(range(v.arg(1)).with(range(v.arg(2))));
            case UREM, SREM -> {
                Range a = range(v.arg(0));
                Range b = range(v.arg(1));
                yield a.isNatural() && b.low() > 0
                        ? Optional.of(new Range(0, Math.min(a.high(), b.high() - 1)))
                        : Optional.empty();
            }
            case UDIV, SDIV -> {
                Range a = range(v.arg(0));
                Range b = range(v.arg(1));
                yield a.isNatural() && b.low() > 0 ? Optional.of(new Range(0, a.high() / b.low())) : Optional.empty();
            }
            default -> Optional.empty();
        };
    }

    private static long ones(long high) {
        return high == 0 ? 0 : (Long.highestOneBit(high) << 1) - 1;
    }

    /// The same bits as a number without sign.
    private static Range natural(Range r, int width) {
        return r.isNatural() || width >= Long.SIZE ? r : new Range(0, (1L << width) - 1);
    }

    private static Optional<Range> sum(Range a, Range b, int times) {
        long low = times > 0 ? b.low() : b.high();
        long high = times > 0 ? b.high() : b.low();
        if (isLarge(a.low()) || isLarge(a.high()) || isLarge(low) || isLarge(high)) {
            return Optional.empty();
        }
        return Optional.of(new Range(a.low() + times * low, a.high() + times * high));
    }

    private static boolean isLarge(long x) {
        return x > (1L << (WIDE - 1)) || x < -(1L << (WIDE - 1));
    }

    private static Optional<Range> product(Range a, Range b) {
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (long x : new long[] {a.low(), a.high()}) {
            for (long y : new long[] {b.low(), b.high()}) {
                if (Math.multiplyHigh(x, y) != (x * y) >> (Long.SIZE - 1)) {
                    return Optional.empty();
                }
                low = Math.min(low, x * y);
                high = Math.max(high, x * y);
            }
        }
        return Optional.of(new Range(low, high));
    }

    private Optional<Range> shiftedRight(DataOp v) {
        Range r = range(v.arg(0));
        if (!v.arg(1).isConstant()) {
            return r.isNatural() ? Optional.of(new Range(0, r.high())) : Optional.empty();
        }
        long by = v.arg(1).value;
        if (by >= v.width) {
            return Optional.empty();
        }
        return r.isNatural()
                ? Optional.of(new Range(r.low() >> by, r.high() >> by))
                : by == 0 ? Optional.of(r) : Optional.of(new Range(0, (1L << Math.min(WIDE, v.width - by)) - 1));
    }

    private static Optional<Range> and(Range a, Range b) {
        return a.isNatural() && b.isNatural()
                ? Optional.of(new Range(0, Math.min(a.high(), b.high())))
                : a.isNatural()
                        ? Optional.of(new Range(0, a.high()))
                        : b.isNatural() ? Optional.of(new Range(0, b.high())) : Optional.empty();
    }

    private Optional<Range> phi(DataOp v) {
        CodeLoop loop = loopOf(v);
        OptionalLong step = step(v);
        if (loop == null || step.isEmpty()) {
            Range all = range(v.arg(0));
            for (DataOp a : v.args) {
                all = all.with(range(a));
            }
            return Optional.of(all);
        }
        Optional<Range> start = Optional.empty();
        for (int i = 0; i < v.args.size(); i++) {
            if (!loop.contains(v.from.get(i))) {
                Range r = range(v.arg(i));
                start = Optional.of(start.map(s -> s.with(r)).orElse(r));
            }
        }
        long by = step.getAsLong();
        if (start.isEmpty() || by == 0) {
            return start;
        }
        Optional<Range> best = Optional.empty();
        for (CodeBlock b : loop.latches) {
            Optional<Range> r = counted(v, by, start.get(), loop, b);
            if (loop.latches.size() == 1) {
                best = r;
            }
        }
        return best.map(r -> aligned(r, v));
    }

    /// From the comparison that ends the loop at its latch: each value but the first passed it.
    private Optional<Range> counted(DataOp v, long step, Range start, CodeLoop loop, CodeBlock latch) {
        if (latch.next.size() != 2 || latch.condition == null) {
            return Optional.empty();
        }
        boolean stays = loop.contains(latch.next.get(0));
        DataOp c = latch.condition;
        while (c.kind == Kind.NOT) {
            c = c.arg(0);
            stays = !stays;
        }
        if (c.kind != Kind.EQ && c.kind != Kind.SLT && c.kind != Kind.ULT) {
            return Optional.empty();
        }
        boolean left = distance(c.arg(0), v).isPresent();
        DataOp tested = c.arg(left ? 0 : 1);
        Range bound = range(c.arg(left ? 1 : 0));
        OptionalLong offset = distance(tested, v);
        if (offset.isEmpty() || tested.width != v.width || isLarge(bound.low()) || isLarge(bound.high())) {
            return Optional.empty();
        }
        // The value that is tested is the next one, or lags behind it.
        long behind = step - offset.getAsLong();
        if ((behind < 0 && step > 0) || (behind > 0 && step < 0)) {
            return Optional.empty();
        }
        if (c.kind == Kind.EQ && stays) {
            // It goes on from the bound only: what LLVM makes of a loop of two iterations.
            return Optional.of(start.with(new Range(bound.low() + behind, bound.high() + behind)));
        }
        if (c.kind == Kind.EQ) {
            // Passing means not equal: the values come exactly to the bound where they divide evenly.
            boolean exact = behind == 0
                    && start.low() == start.high()
                    && bound.low() == bound.high()
                    && (bound.low() - start.low()) % step == 0
                    && (bound.low() - start.low()) / step > 0;
            boolean unit = behind == 0
                    && Math.abs(step) == 1
                    && (step > 0 ? bound.low() > start.high() : bound.high() < start.low());
            if (!exact && !unit) {
                return Optional.empty();
            }
            return Optional.of(
                    step > 0
                            ? new Range(start.low(), bound.high() - step)
                            : new Range(bound.low() - step, start.high()));
        }
        if (c.kind == Kind.ULT && !(start.isNatural() && bound.isNatural())) {
            return Optional.empty();
        }
        // v < bound, bound < v, and their opposites.
        boolean upper = left == stays;
        int strict = stays ? 1 : 0;
        if (step > 0 && upper) {
            long most = bound.high() - strict + behind;
            return most > full(v.width).high() - step
                    ? Optional.empty()
                    : Optional.of(new Range(start.low(), Math.max(start.high(), most)));
        }
        if (step < 0 && !upper && c.kind == Kind.SLT) {
            long least = bound.low() + strict + behind;
            return least < full(v.width).low() - step
                    ? Optional.empty()
                    : Optional.of(new Range(Math.min(start.low(), least), start.high()));
        }
        return Optional.empty();
    }

    private Range aligned(Range r, DataOp v) {
        Remainder m = remainder(v);
        return m.modulus() > 1
                ? new Range(
                        r.low() + Math.floorMod(m.rest() - r.low(), m.modulus()),
                        r.high() - Math.floorMod(r.high() - m.rest(), m.modulus()))
                : r;
    }

    /// Where a sum stays.
    Range range(SumForm<DataOp> f) {
        Optional<Range> all = Optional.of(new Range(f.constant(), f.constant()));
        for (var e : f.factors().entrySet()) {
            Optional<Range> one = product(range(e.getKey()), new Range(e.getValue(), e.getValue()));
            all = all.flatMap(a -> one.flatMap(b -> sum(a, b, 1)));
        }
        return all.orElse(new Range(Long.MIN_VALUE, Long.MAX_VALUE));
    }

    // ---- remainders

    /// The remainder of a value when divided.
    Remainder remainder(DataOp v) {
        if (v.isConstant()) {
            return new Remainder(0, v.value);
        }
        Remainder known = remainders.get(v);
        if (known != null) {
            return known;
        }
        remainders.put(v, UNKNOWN);
        Remainder made = UNKNOWN;
        CodeLoop loop = loopOf(v);
        OptionalLong step = step(v);
        if (loop != null && step.isPresent()) {
            long m = Math.abs(step.getAsLong());
            boolean first = true;
            long rest = 0;
            for (int i = 0; i < v.args.size(); i++) {
                if (!loop.contains(v.from.get(i))) {
                    Remainder r = remainder(v.arg(i));
                    m = gcd(m, r.modulus());
                    m = first ? m : gcd(m, Math.abs(r.rest() - rest));
                    rest = first ? r.rest() : rest;
                    first = false;
                }
            }
            // A step that wraps around keeps remainders of powers of two only.
            long safe = Long.lowestOneBit(m);
            m = range(v).equals(full(v.width)) ? safe : m;
            made = m == 0 ? new Remainder(0, rest) : new Remainder(m, Math.floorMod(rest, m));
        } else {
            SumForm<DataOp> s = sum(v);
            if (s.factor(v) == 0) {
                made = remainder(s);
            }
        }
        remainders.put(v, made);
        return made;
    }

    Remainder remainder(SumForm<DataOp> f) {
        long m = 0;
        long rest = f.constant();
        for (var e : f.factors().entrySet()) {
            Remainder r = remainder(e.getKey());
            m = gcd(m, Math.abs(r.modulus() * e.getValue()));
            rest += r.rest() * e.getValue();
        }
        return m == 0 ? new Remainder(0, rest) : new Remainder(m, Math.floorMod(rest, m));
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    // ---- widths

    /// Bits that a value needs: all that its range has, or the low ones that anything reads.
    int width(DataOp v) {
        if (v.real || v.width == 1) {
            return v.width;
        }
        Range r = range(v);
        int needed = 1 + Math.max(bits(r.low()), bits(r.high()));
        return Math.max(1, Math.min(Math.min(v.width, needed), demanded.getOrDefault(v, v.width)));
    }

    private static int bits(long x) {
        return Long.SIZE - Long.numberOfLeadingZeros(x < 0 ? ~x : x);
    }

    /// Finds the low bits of every value that anything reads, backwards.
    ///
    /// @param ops all of them
    /// @param whole values that are read whole: conditions, results
    void demand(List<DataOp> ops, List<DataOp> whole) {
        var bitsRead = new HashMap<DataOp, Integer>();
        whole.forEach(v -> bitsRead.put(v, v.width));
        boolean changed = true;
        while (changed) {
            changed = false;
            for (DataOp v : ops) {
                changed |= read(v, bitsRead);
            }
        }
        demanded.putAll(bitsRead);
    }

    private boolean read(DataOp v, Map<DataOp, Integer> bits) {
        int d = v.real ? v.width : bits.getOrDefault(v, 0);
        boolean changed = false;
        for (int i = 0; i < v.args.size(); i++) {
            DataOp a = v.args.get(i);
            int n = switch (v.kind) {
                case PHI, ADD, SUB, MUL, OR, XOR, NOT, COPY, ZEXT, SEXT -> d;
                case SHL ->
                    i == 0 && v.arg(1).isConstant()
                            ? (int) Math.max(0, d - Math.max(0, v.arg(1).value))
                            : i == 0 ? d : a.width;
                case AND -> {
                    DataOp other = v.arg(1 - i);
                    yield other.isConstant() && other.value >= 0 ? Math.min(d, bits(other.value)) : d;
                }
                case SELECT -> i == 0 ? 1 : d;
                default -> a.width;
            };
            changed |= raise(a, n, bits);
        }
        if (v.access != null) {
            for (DataOp a : v.access.reads()) {
                changed |= raise(a, a.width, bits);
            }
        }
        return changed;
    }

    private static boolean raise(DataOp a, int n, Map<DataOp, Integer> bits) {
        if (a.isConstant() || a.real || a.width == 1) {
            return false;
        }
        int now = Math.min(n, a.width);
        if (now > bits.getOrDefault(a, 0)) {
            bits.put(a, now);
            return true;
        }
        return false;
    }

    /// Iterations of a loop at most, as its counters tell.
    ///
    /// @param unknown where none does
    double iterations(CodeLoop l, double unknown) {
        double least = unknown;
        for (DataOp phi : l.header.phis) {
            long step = step(phi).orElse(0);
            Range r = range(phi);
            if (step != 0 && !r.equals(full(phi.width))) {
                least = Math.min(least, ((double) r.high() - r.low()) / Math.abs(step) + 1);
            }
        }
        return least;
    }
}
