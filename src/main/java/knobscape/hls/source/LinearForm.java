package knobscape.hls.source;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/// An integer value of the kernel as `sum(coefficient * atom) + constant`, exact: what cannot be written so is
/// an atom of its own. Equal formulas always have equal values at one moment of the execution.
///
/// @param terms atom to its coefficient, never 0
/// @param constant the rest
public record LinearForm(Map<Atom, Long> terms, long constant) {
    /// Larger formulas become unknown, so that substitution cannot blow up.
    private static final int MAX_SIZE = 200;

    /// The value 0.
    public static final LinearForm ZERO = of(0);

    public LinearForm {
        terms = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(terms));
    }

    /// Something a formula is built from.
    public sealed interface Atom {}

    /// Value of a loop's induction variable in its body.
    ///
    /// @param loop loop id
    public record LoopValue(String loop) implements Atom {}

    /// A value that is not known, the same wherever the same atom stands.
    ///
    /// @param id number that tells it from others
    /// @param reason why it is not known, in words that fit behind "not affine:"
    /// @param within ids of the loops in which it may change from one iteration to the next
    /// @param range values it can have
    public record Unknown(int id, String reason, Set<String> within, Range range) implements Atom {
        public Unknown {
            within = Set.copyOf(within);
        }
    }

    /// A non-linear operation.
    ///
    /// @param operator which
    /// @param operands its operands
    public record Applied(Operator operator, List<LinearForm> operands) implements Atom {
        public Applied {
            operands = List.copyOf(operands);
        }
    }

    /// Integer operators of C; comparisons and logic give 0 or 1. [#SELECT] takes condition, then, else.
    public enum Operator {
        MULTIPLY,
        DIVIDE,
        REMAINDER,
        SHIFT_LEFT,
        SHIFT_RIGHT,
        AND,
        OR,
        XOR,
        MIN,
        MAX,
        LESS,
        EQUAL,
        SELECT
    }

    /// Values that atoms can have.
    public interface Ranges {
        /// Range of `atom`.
        Range of(Atom atom);
    }

    /// A number.
    public static LinearForm of(long value) {
        return new LinearForm(Map.of(), value);
    }

    /// An atom.
    public static LinearForm of(Atom atom) {
        return new LinearForm(Map.of(atom, 1L), 0);
    }

    /// The number it is, where it is one.
    public OptionalLong number() {
        return terms.isEmpty() ? OptionalLong.of(constant) : OptionalLong.empty();
    }

    /// Whether it is the number `value`.
    public boolean is(long value) {
        return terms.isEmpty() && constant == value;
    }

    /// Sum; empty where a number leaves 64 bits.
    public Optional<LinearForm> plus(LinearForm other) {
        try {
            var sum = new LinkedHashMap<>(terms);
            for (var e : other.terms.entrySet()) {
                long c = Math.addExact(sum.getOrDefault(e.getKey(), 0L), e.getValue());
                if (c == 0) {
                    sum.remove(e.getKey());
                } else {
                    sum.put(e.getKey(), c);
                }
            }
            return Optional.of(new LinearForm(sum, Math.addExact(constant, other.constant)));
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }

    /// Product with a number; empty where a number leaves 64 bits.
    public Optional<LinearForm> times(long factor) {
        if (factor == 0) {
            return Optional.of(ZERO);
        }
        try {
            var product = new LinkedHashMap<Atom, Long>();
            for (var e : terms.entrySet()) {
                product.put(e.getKey(), Math.multiplyExact(e.getValue(), factor));
            }
            return Optional.of(new LinearForm(product, Math.multiplyExact(constant, factor)));
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }

    /// Difference; empty where a number leaves 64 bits.
    public Optional<LinearForm> minus(LinearForm other) {
        return other.times(-1).flatMap(this::plus);
    }

    /// Whether every coefficient and the constant are multiples of `divisor`.
    public boolean divisibleBy(long divisor) {
        return constant % divisor == 0 && terms.values().stream().allMatch(c -> c % divisor == 0);
    }

    /// Quotient of an exact division.
    public LinearForm dividedBy(long divisor) {
        var quotient = new LinkedHashMap<Atom, Long>();
        terms.forEach((a, c) -> quotient.put(a, c / divisor));
        return new LinearForm(quotient, constant / divisor);
    }

    /// The indices of the element it counts off, over all rows of an array: `16 * i + j` is `[i][j]` of rows of 16
    /// where `j` stays in its row.
    ///
    /// @param dims extents, outermost first
    /// @return as many formulas; empty where it cannot be told by whole terms
    public Optional<List<LinearForm>> split(List<Long> dims, Ranges ranges) {
        var indices = new ArrayList<LinearForm>();
        LinearForm rest = this;
        for (int d = dims.size() - 1; d > 0; d--) {
            long extent = dims.get(d);
            if (extent <= 0) {
                return Optional.empty();
            }
            var inside = new LinkedHashMap<Atom, Long>();
            var rows = new LinkedHashMap<Atom, Long>();
            rest.terms.forEach((a, c) -> (c % extent == 0 ? rows : inside).put(a, c));
            long within = Math.floorMod(rest.constant, extent);
            var index = new LinearForm(inside, within);
            Range range = index.range(ranges);
            if (range.min() < 0 || range.max() >= extent) {
                return Optional.empty();
            }
            indices.addFirst(index);
            rest = new LinearForm(rows, rest.constant - within).dividedBy(extent);
        }
        indices.addFirst(rest);
        return Optional.of(indices);
    }

    /// Interval of its values.
    public Range range(Ranges ranges) {
        Range sum = Range.of(constant);
        for (var e : terms.entrySet()) {
            sum = sum.plus(LinearForms.range(e.getKey(), ranges).times(e.getValue()));
        }
        return sum;
    }

    /// Its value where `values` knows every loop value and unknown in it; empty otherwise and for divisions by
    /// zero and overflows.
    public OptionalLong value(Function<Atom, OptionalLong> values) {
        try {
            long sum = constant;
            for (var e : terms.entrySet()) {
                OptionalLong v =
                        e.getKey() instanceof Applied a ? LinearForms.value(a, values) : values.apply(e.getKey());
                if (v.isEmpty()) {
                    return v;
                }
                sum = Math.addExact(sum, Math.multiplyExact(e.getValue(), v.getAsLong()));
            }
            return OptionalLong.of(sum);
        } catch (ArithmeticException e) {
            return OptionalLong.empty();
        }
    }

    /// The same with atoms replaced where `replacement` says so; empty where the result does not fit.
    public Optional<LinearForm> substitute(Function<Atom, Optional<LinearForm>> replacement, Ranges ranges) {
        LinearForm sum = of(constant);
        for (var e : terms.entrySet()) {
            Optional<LinearForm> r = replacement.apply(e.getKey());
            if (r.isEmpty() && e.getKey() instanceof Applied a) {
                var operands = new java.util.ArrayList<LinearForm>();
                for (LinearForm operand : a.operands()) {
                    Optional<LinearForm> o = operand.substitute(replacement, ranges);
                    if (o.isEmpty()) {
                        return Optional.empty();
                    }
                    operands.add(o.get());
                }
                r = LinearForms.apply(a.operator(), operands, ranges);
                if (r.isEmpty()) {
                    return r;
                }
            }
            Optional<LinearForm> next =
                    r.orElseGet(() -> of(e.getKey())).times(e.getValue()).flatMap(sum::plus);
            if (next.isEmpty()) {
                return next;
            }
            sum = next.get();
        }
        return Optional.of(sum);
    }

    /// Loop values and unknowns in it, also inside operations.
    public Set<Atom> leaves() {
        var found = new LinkedHashSet<Atom>();
        leaves(found);
        return found;
    }

    private void leaves(Set<Atom> found) {
        for (Atom a : terms.keySet()) {
            if (a instanceof Applied applied) {
                applied.operands().forEach(o -> o.leaves(found));
            } else {
                found.add(a);
            }
        }
    }

    /// Whether it may change from one iteration of the loop to the next.
    public boolean variesIn(String loop) {
        return leaves().stream()
                .anyMatch(a -> (a instanceof LoopValue v && v.loop().equals(loop))
                        || (a instanceof Unknown u && u.within().contains(loop)));
    }

    /// Whether it has grown beyond what is worth carrying along.
    boolean tooLarge() {
        return size(0) > MAX_SIZE;
    }

    private int size(int depth) {
        int n = 1;
        for (Iterator<Atom> i = terms.keySet().iterator(); i.hasNext() && n <= MAX_SIZE; ) {
            n++;
            if (i.next() instanceof Applied a) {
                if (depth > 12) {
                    return MAX_SIZE + 1;
                }
                for (LinearForm o : a.operands()) {
                    n += o.size(depth + 1);
                }
            }
        }
        return n;
    }
}
