package knobscape.hls.source;

/// Inclusive interval of integers. `Long.MIN_VALUE` and `Long.MAX_VALUE` stand for "no bound"; sums and
/// products that would overflow lose their bound instead.
///
/// @param min smallest value
/// @param max largest value
public record Range(long min, long max) {
    /// Every integer.
    public static final Range ALL = new Range(Long.MIN_VALUE, Long.MAX_VALUE);

    public Range {
        if (min > max) {
            throw new IllegalArgumentException("empty range " + min + ".." + max);
        }
    }

    /// One value.
    public static Range of(long value) {
        return new Range(value, value);
    }

    /// Whether both ends are known.
    public boolean bounded() {
        return min != Long.MIN_VALUE && max != Long.MAX_VALUE;
    }

    /// Whether every value of `inner` is in this range.
    public boolean contains(Range inner) {
        return min <= inner.min && inner.max <= max;
    }

    /// Whether `value` is in this range.
    public boolean contains(long value) {
        return min <= value && value <= max;
    }

    /// Smallest range with both.
    public Range hull(Range other) {
        return new Range(Math.min(min, other.min), Math.max(max, other.max));
    }

    /// Range of sums.
    public Range plus(Range other) {
        return new Range(add(min, other.min, Long.MIN_VALUE), add(max, other.max, Long.MAX_VALUE));
    }

    /// Range of products with `factor`.
    public Range times(long factor) {
        if (factor == 0) {
            return of(0);
        }
        long a = scale(factor > 0 ? min : max, factor, Long.MIN_VALUE);
        long b = scale(factor > 0 ? max : min, factor, Long.MAX_VALUE);
        return new Range(a, b);
    }

    private static long add(long a, long b, long unbounded) {
        if (a == unbounded || b == unbounded) {
            return unbounded;
        }
        long sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0 ? unbounded : sum;
    }

    private static long scale(long end, long factor, long unbounded) {
        if (end == Long.MIN_VALUE || end == Long.MAX_VALUE) {
            return unbounded;
        }
        try {
            return Math.multiplyExact(end, factor);
        } catch (ArithmeticException e) {
            return unbounded;
        }
    }
}
