package knobscape.hls.source;

import java.util.List;
import java.util.OptionalLong;

/// Header of a counting loop: `for (v = first; v + shift REL limit && ...; v = v STEP amount)`.
///
/// @param loop loop id
/// @param first value of the variable in the first iteration
/// @param tests conditions on the variable, all of which must hold to continue
/// @param step how the variable moves
/// @param amount by how much; the same in every iteration
/// @param testedFirst whether the tests are made before the first iteration (not so for `do`)
/// @param values values the variable's type can hold
/// @param wraps whether the type wraps around (unsigned)
public record LoopShape(
        String loop,
        LinearForm first,
        List<Test> tests,
        Step step,
        LinearForm amount,
        boolean testedFirst,
        Range values,
        boolean wraps) {
    /// Loops that multiply or shift are followed value by value; they end soon or never.
    private static final int MAX_FOLLOWED = 256;

    public LoopShape {
        tests = List.copyOf(tests);
    }

    /// How the variable moves.
    public enum Step {
        ADD,
        MULTIPLY,
        DIVIDE,
        SHIFT_LEFT,
        SHIFT_RIGHT
    }

    /// Comparison of the variable with the limit.
    public enum Relation {
        LESS,
        LESS_EQUAL,
        GREATER,
        GREATER_EQUAL,
        NOT_EQUAL
    }

    /// A condition `variable REL limit`.
    public record Test(Relation relation, LinearForm limit) {}

    /// Added in every iteration where that is one number, else 0.
    public long constantStep() {
        return step == Step.ADD ? amount.number().orElse(0) : 0;
    }

    /// A condition with numbers.
    record NumericTest(Relation relation, long limit) {
        boolean holds(long v) {
            return switch (relation) {
                case LESS -> v < limit;
                case LESS_EQUAL -> v <= limit;
                case GREATER -> v > limit;
                case GREATER_EQUAL -> v >= limit;
                case NOT_EQUAL -> v != limit;
            };
        }
    }

    /// Iterations from `first` with these limits; empty where the loop never ends or the arithmetic leaves 64
    /// bits.
    OptionalLong count(long start, long by, List<NumericTest> limits) {
        OptionalLong n = OptionalLong.empty();
        for (NumericTest t : limits) {
            OptionalLong c = step == Step.ADD ? added(start, by, t) : followed(start, by, t);
            if (c.isPresent() && (n.isEmpty() || c.getAsLong() < n.getAsLong())) {
                n = c;
            }
        }
        return n.isPresent() && !testedFirst ? OptionalLong.of(Math.max(1, n.getAsLong())) : n;
    }

    private OptionalLong added(long start, long amount, NumericTest test) {
        if (!test.holds(start)) {
            return OptionalLong.of(0);
        }
        if (amount == 0) {
            return OptionalLong.empty();
        }
        try {
            long limit = test.limit();
            long n = switch (test.relation()) {
                case LESS ->
                    amount > 0 ? ceil(Math.subtractExact(limit, start), amount) : towardsWrap(start, amount, test);
                case LESS_EQUAL ->
                    amount > 0
                            ? ceil(Math.addExact(Math.subtractExact(limit, start), 1), amount)
                            : towardsWrap(start, amount, test);
                case GREATER ->
                    amount < 0 ? ceil(Math.subtractExact(start, limit), -amount) : towardsWrap(start, amount, test);
                case GREATER_EQUAL ->
                    amount < 0
                            ? ceil(Math.addExact(Math.subtractExact(start, limit), 1), -amount)
                            : towardsWrap(start, amount, test);
                case NOT_EQUAL -> {
                    long gap = Math.subtractExact(limit, start);
                    yield gap % amount == 0 && gap / amount > 0 ? gap / amount : -1;
                }
            };
            // The value that ends the loop must exist in the variable's type, else the test never fails.
            if (n >= 0
                    && !values.contains(Math.addExact(start, Math.multiplyExact(n, amount)))
                    && !leavesByWrapping(start, amount, n, test)) {
                n = -1;
            }
            return n < 0 ? OptionalLong.empty() : OptionalLong.of(n);
        } catch (ArithmeticException e) {
            return OptionalLong.empty();
        }
    }

    /// Counting away from the limit ends where an unsigned variable wraps around.
    private long towardsWrap(long start, long amount, NumericTest test) {
        if (!wraps || !values.bounded()) {
            return -1;
        }
        long n = amount < 0
                ? ceil(Math.addExact(Math.subtractExact(start, values.min()), 1), -amount)
                : ceil(Math.addExact(Math.subtractExact(values.max(), start), 1), amount);
        return leavesByWrapping(start, amount, n, test) ? n : -1;
    }

    private boolean leavesByWrapping(long start, long amount, long n, NumericTest test) {
        if (!wraps || !values.bounded()) {
            return false;
        }
        long beyond = start + n * amount;
        boolean below = beyond < values.min();
        long size = values.max() - values.min() + 1;
        long wrapped = below ? beyond + size : beyond > values.max() ? beyond - size : beyond;
        return values.contains(wrapped) && !test.holds(wrapped);
    }

    private static long ceil(long a, long b) {
        return Math.ceilDiv(a, b);
    }

    private OptionalLong followed(long start, long amount, NumericTest test) {
        long v = start;
        for (int n = 0; n <= MAX_FOLLOWED; n++) {
            if (!test.holds(v)) {
                return OptionalLong.of(n);
            }
            OptionalLong next = next(v, amount);
            if (next.isEmpty() || next.getAsLong() == v) {
                return OptionalLong.empty();
            }
            v = next.getAsLong();
        }
        return OptionalLong.empty();
    }

    /// The value after `v`; empty where it leaves the type.
    OptionalLong next(long v, long amount) {
        try {
            long next = switch (step) {
                case ADD -> Math.addExact(v, amount);
                case MULTIPLY -> Math.multiplyExact(v, amount);
                case DIVIDE -> amount == 0 ? v : v / amount;
                case SHIFT_LEFT -> amount < 0 || amount > 62 ? v : Math.multiplyExact(v, 1L << amount);
                case SHIFT_RIGHT -> amount < 0 || amount > 62 ? v : v >> amount;
            };
            return values.contains(next) ? OptionalLong.of(next) : OptionalLong.empty();
        } catch (ArithmeticException e) {
            return OptionalLong.empty();
        }
    }

    /// The value after `iterations` from `start`; empty where it leaves the type or the step is not a number.
    public OptionalLong after(long start, long iterations) {
        if (amount.number().isEmpty()) {
            return OptionalLong.empty();
        }
        long by = amount.constant();
        try {
            if (step == Step.ADD) {
                long v = Math.addExact(start, Math.multiplyExact(iterations, by));
                return values.contains(v) ? OptionalLong.of(v) : OptionalLong.empty();
            }
        } catch (ArithmeticException e) {
            return OptionalLong.empty();
        }
        OptionalLong v = OptionalLong.of(start);
        for (long i = 0; i < Math.min(iterations, MAX_FOLLOWED + 1) && v.isPresent(); i++) {
            v = next(v.getAsLong(), by);
        }
        return v;
    }
}
