package knobscape.hls.rtl.build;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

/// A whole number as a constant and values times constant factors.
final class SumForm {
    static final SumForm ZERO = new SumForm(Map.of(), 0);

    private final Map<DataOp, Long> factors;
    private final long constant;

    private SumForm(Map<DataOp, Long> factors, long constant) {
        this.factors = factors;
        this.constant = constant;
    }

    static SumForm of(long constant) {
        return new SumForm(Map.of(), constant);
    }

    static SumForm of(DataOp value) {
        return value.isConstant() ? of(value.value) : new SumForm(Map.of(value, 1L), 0);
    }

    long constant() {
        return constant;
    }

    boolean isConstant() {
        return factors.isEmpty();
    }

    Map<DataOp, Long> factors() {
        return factors;
    }

    long factor(DataOp value) {
        return factors.getOrDefault(value, 0L);
    }

    void each(BiConsumer<DataOp, Long> to) {
        factors.forEach(to);
    }

    SumForm plus(SumForm other, long times) {
        var sum = new LinkedHashMap<>(factors);
        other.factors.forEach((v, c) -> sum.merge(v, c * times, Long::sum));
        sum.values().removeIf(c -> c == 0);
        return new SumForm(sum, constant + other.constant * times);
    }

    SumForm plus(long c) {
        return new SumForm(factors, constant + c);
    }

    SumForm times(long c) {
        return ZERO.plus(this, c);
    }

    /// Exactly divided; the caller has looked.
    SumForm dividedBy(long c) {
        var all = new LinkedHashMap<DataOp, Long>();
        factors.forEach((v, f) -> all.put(v, f / c));
        return new SumForm(all, constant / c);
    }

    boolean isMultipleOf(long c) {
        return constant % c == 0 && factors.values().stream().allMatch(f -> f % c == 0);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof SumForm f && f.constant == constant && f.factors.equals(factors);
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
