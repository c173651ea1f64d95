package knobscape.hls.rtl.build;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

/// A whole number as a constant and values times constant factors.
///
/// @param <V> the values, compared by `equals`
final class SumForm<V> {
    private final Map<V, Long> factors;
    private final long constant;

    private SumForm(Map<V, Long> factors, long constant) {
        this.factors = factors;
        this.constant = constant;
    }

    static <V> SumForm<V> of(long constant) {
        return new SumForm<>(Map.of(), constant);
    }

    /// One value that is not known.
    static <V> SumForm<V> term(V value) {
        return new SumForm<>(Map.of(value, 1L), 0);
    }

    long constant() {
        return constant;
    }

    boolean isConstant() {
        return factors.isEmpty();
    }

    Map<V, Long> factors() {
        return factors;
    }

    long factor(V value) {
        return factors.getOrDefault(value, 0L);
    }

    void each(BiConsumer<V, Long> to) {
        factors.forEach(to);
    }

    SumForm<V> plus(SumForm<V> other, long times) {
        var sum = new LinkedHashMap<>(factors);
        other.factors.forEach((v, c) -> sum.merge(v, c * times, Long::sum));
        sum.values().removeIf(c -> c == 0);
        return new SumForm<>(sum, constant + other.constant * times);
    }

    SumForm<V> plus(long c) {
        return new SumForm<>(factors, constant + c);
    }

    SumForm<V> times(long c) {
        return SumForm.<V>of(0).plus(this, c);
    }

    /// Exactly divided; the caller has looked.
    SumForm<V> dividedBy(long c) {
        var all = new LinkedHashMap<V, Long>();
        factors.forEach((v, f) -> all.put(v, f / c));
        return new SumForm<>(all, constant / c);
    }

    boolean isMultipleOf(long c) {
        return constant % c == 0 && factors.values().stream().allMatch(f -> f % c == 0);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof SumForm<?> f && f.constant == constant && f.factors.equals(factors);
    }

    @Override
    public int hashCode() {
        return Objects.hash(factors, constant);
    }

    @Override
    public String toString() {
        return factors + "+" + constant;
    }
}
