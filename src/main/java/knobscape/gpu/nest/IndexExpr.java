package knobscape.gpu.nest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToLongFunction;

/// An integer expression over axes: a constant plus multiples of atoms, an atom being an axis or a quotient or remainder of a non-negative
/// expression by a positive constant. Immutable; sums, quotients and remainders are simplified by the ranges of their parts, so an axis of extent 1 does not occur.
public final class IndexExpr {
    /// Zero.
    public static final IndexExpr ZERO = new IndexExpr(List.of(), 0);

    private final List<Term> terms;
    private final long constant;
    private final long min;
    private final long max;

    /// A part of an expression that is not negative.
    public sealed interface Atom permits Axis, Quotient, Remainder {
        /// Largest value.
        long max();
    }

    /// Whole part of a division.
    ///
    /// @param of dividend, never negative
    /// @param by divisor, positive
    public record Quotient(IndexExpr of, long by) implements Atom {
        @Override
        public long max() {
            return of.max() / by;
        }
    }

    /// Rest of a division.
    ///
    /// @param of dividend, never negative
    /// @param by divisor, positive
    public record Remainder(IndexExpr of, long by) implements Atom {
        @Override
        public long max() {
            return Math.min(by - 1, of.max());
        }
    }

    /// A multiple of an atom.
    ///
    /// @param atom the atom
    /// @param factor how often, not 0
    public record Term(Atom atom, long factor) {
    }

    private IndexExpr(List<Term> terms, long constant) {
        this.terms = terms;
        this.constant = constant;
        long low = constant;
        long high = constant;
        for (Term t : terms) {
            long end = Math.multiplyExact(t.factor(), t.atom().max());
            low = Math.addExact(low, Math.min(0, end));
            high = Math.addExact(high, Math.max(0, end));
        }
        min = low;
        max = high;
    }

    /// A constant.
    public static IndexExpr of(long constant) {
        return constant == 0 ? ZERO : new IndexExpr(List.of(), constant);
    }

    /// The value of an axis.
    public static IndexExpr of(Axis axis) {
        return axis.extent() == 1 ? ZERO : new IndexExpr(List.of(new Term(axis, 1)), 0);
    }

    /// The atom itself.
    private static IndexExpr of(Atom atom) {
        return atom.max() == 0 ? ZERO : new IndexExpr(List.of(new Term(atom, 1)), 0);
    }

    /// The terms, in the order in which they were added.
    public List<Term> terms() {
        return Collections.unmodifiableList(terms);
    }

    /// The constant part.
    public long constant() {
        return constant;
    }

    /// A lower bound of the value; exact where every axis occurs once.
    public long min() {
        return min;
    }

    /// An upper bound of the value; exact where every axis occurs once.
    public long max() {
        return max;
    }

    /// Sum of both.
    public IndexExpr plus(IndexExpr other) {
        if (other.terms.isEmpty()) {
            return plus(other.constant);
        }
        if (terms.isEmpty()) {
            return other.plus(constant);
        }
        var sum = new ArrayList<Term>(terms.size() + other.terms.size());
        sum.addAll(terms);
        for (Term t : other.terms) {
            int at = -1;
            for (int i = 0; i < sum.size() && at < 0; i++) {
                at = sum.get(i).atom().equals(t.atom()) ? i : -1;
            }
            if (at < 0) {
                sum.add(t);
            } else if (sum.get(at).factor() + t.factor() == 0) {
                sum.remove(at);
            } else {
                sum.set(at, new Term(t.atom(), sum.get(at).factor() + t.factor()));
            }
        }
        return new IndexExpr(sum, constant + other.constant);
    }

    /// Sum with an axis.
    public IndexExpr plus(Axis axis) {
        return plus(of(axis));
    }

    /// Sum with a constant.
    public IndexExpr plus(long other) {
        return other == 0 ? this : new IndexExpr(terms, constant + other);
    }

    /// A multiple.
    public IndexExpr times(long factor) {
        if (factor == 1) {
            return this;
        }
        if (factor == 0) {
            return ZERO;
        }
        // Plain loops here and below: a search lowers tens of thousands of configurations a second.
        var scaled = new ArrayList<Term>(terms.size());
        for (Term t : terms) {
            scaled.add(new Term(t.atom(), Math.multiplyExact(t.factor(), factor)));
        }
        return new IndexExpr(scaled, Math.multiplyExact(constant, factor));
    }

    /// Whole part of the division by a positive constant; throws `IllegalArgumentException` where the value may be negative.
    public IndexExpr dividedBy(long by) {
        requireNonNegative(by);
        if (by == 1) {
            return this;
        }
        IndexExpr whole = part(by, true);
        IndexExpr rest = part(by, false);
        if (rest.min < 0) {
            return of(new Quotient(this, by));
        }
        var divided = new ArrayList<Term>(whole.terms.size());
        for (Term t : whole.terms) {
            divided.add(new Term(t.atom(), t.factor() / by));
        }
        IndexExpr quotient = new IndexExpr(divided, whole.constant / by);
        return rest.max < by ? quotient : quotient.plus(of(new Quotient(rest, by)));
    }

    /// Rest of the division by a positive constant; throws `IllegalArgumentException` where the value may be negative.
    public IndexExpr modulo(long by) {
        requireNonNegative(by);
        if (by == 1) {
            return ZERO;
        }
        IndexExpr rest = part(by, false);
        if (rest.min < 0) {
            return of(new Remainder(this, by));
        }
        return rest.max < by ? rest : of(new Remainder(rest, by));
    }

    private void requireNonNegative(long by) {
        if (by < 1 || min < 0) {
            throw new IllegalArgumentException("cannot divide " + this + " by " + by);
        }
    }

    /// The terms that `by` divides, or the others; the constant is shared out likewise.
    private IndexExpr part(long by, boolean divisible) {
        var chosen = new ArrayList<Term>(terms.size());
        for (Term t : terms) {
            if (t.factor() % by == 0 == divisible) {
                chosen.add(t);
            }
        }
        return new IndexExpr(chosen, divisible ? Math.floorDiv(constant, by) * by : Math.floorMod(constant, by));
    }

    /// The value where every axis has the value that `axes` gives.
    public long value(ToLongFunction<Axis> axes) {
        long sum = constant;
        for (Term t : terms) {
            sum += t.factor() * switch (t.atom()) {
                case Axis a -> axes.applyAsLong(a);
                case Quotient q -> q.of().value(axes) / q.by();
                case Remainder r -> r.of().value(axes) % r.by();
            };
        }
        return sum;
    }

    /// How far the value moves when `axis` goes from 0 to 1 while every other axis is 0: the coefficient of an affine expression.
    public long stride(Axis axis) {
        long sum = 0;
        for (Term t : terms) {
            sum += t.factor() * switch (t.atom()) {
                case Axis a -> a == axis ? 1 : 0;
                case Quotient q -> (q.of().origin() + q.of().stride(axis)) / q.by() - q.of().origin() / q.by();
                case Remainder r -> (r.of().origin() + r.of().stride(axis)) % r.by() - r.of().origin() % r.by();
            };
        }
        return sum;
    }

    /// The value where every axis is 0.
    private long origin() {
        return value(_ -> 0);
    }

    /// Whether `axis` occurs.
    public boolean uses(Axis axis) {
        for (Term t : terms) {
            boolean found = switch (t.atom()) {
                case Axis a -> a == axis;
                case Quotient q -> q.of().uses(axis);
                case Remainder r -> r.of().uses(axis);
            };
            if (found) {
                return true;
            }
        }
        return false;
    }

    /// The expression with `axis` replaced by a constant.
    public IndexExpr with(Axis axis, long value) {
        if (!uses(axis)) {
            return this;
        }
        IndexExpr sum = of(constant);
        for (Term t : terms) {
            IndexExpr atom = switch (t.atom()) {
                case Axis a -> a == axis ? of(value) : of(a);
                case Quotient q -> q.of().with(axis, value).dividedBy(q.by());
                case Remainder r -> r.of().with(axis, value).modulo(r.by());
            };
            sum = sum.plus(atom.times(t.factor()));
        }
        return sum;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IndexExpr e && e.constant == constant && e.terms.equals(terms);
    }

    @Override
    public int hashCode() {
        return terms.hashCode() * 31 + Long.hashCode(constant);
    }

    @Override
    public String toString() {
        var b = new StringBuilder();
        for (Term t : terms) {
            b.append(b.isEmpty() ? "" : " + ").append(switch (t.atom()) {
                case Axis a -> a.name();
                case Quotient q -> "(" + q.of() + ") / " + q.by();
                case Remainder r -> "(" + r.of() + ") % " + r.by();
            });
            if (t.factor() != 1) {
                b.append(" * ").append(t.factor());
            }
        }
        return b.isEmpty() ? String.valueOf(constant) : constant == 0 ? b.toString() : b.append(" + ").append(constant).toString();
    }
}
