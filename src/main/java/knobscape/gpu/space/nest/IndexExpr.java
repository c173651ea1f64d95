package knobscape.gpu.space.nest;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/// An integer expression over axes: a constant plus multiples of atoms, an atom being an axis or a quotient or
/// remainder of a non-negative expression by a positive constant. Immutable; sums, quotients and remainders are
/// simplified by the ranges of their parts, so an axis of extent 1 does not occur.
public final class IndexExpr {
    private static final Atom[] NO_ATOMS = {};
    private static final long[] NO_FACTORS = {};
    /// Zero.
    public static final IndexExpr ZERO = new IndexExpr(NO_ATOMS, NO_FACTORS, 0);

    // Arrays with ranges that are carried along, not lists: a search lowers tens of thousands of configurations
    // a second, and most of that is spent here.
    private final Atom[] atoms;
    /// How often each atom occurs, none of them 0.
    private final long[] factors;
    private final long constant;
    private final long min;
    private final long max;
    /// The value where every axis is 0.
    private final long origin;
    /// True if a virtual axis occurs.
    private final boolean virtual;

    /// A part of an expression that is not negative.
    public sealed interface Atom permits Axis, Division {
        /// Largest value.
        long max();
    }

    /// Whole part or rest of a division.
    ///
    /// @param of dividend, never negative
    /// @param by divisor, positive
    /// @param rest whether it is the rest
    public record Division(IndexExpr of, long by, boolean rest) implements Atom {
        @Override
        public long max() {
            return rest ? Math.min(by - 1, of.max) : of.max / by;
        }

        private long value(long dividend) {
            return rest ? dividend % by : dividend / by;
        }

        /// How far the value moves where the dividend moves by `step` from where every axis is 0.
        private long move(long step) {
            return step == 0 ? 0 : value(of.origin + step) - value(of.origin);
        }

        /// The same of another dividend.
        private IndexExpr with(IndexExpr dividend) {
            return rest ? dividend.modulo(by) : dividend.dividedBy(by);
        }

        /// As in C.
        ///
        /// @param dividend its text
        public String text(String dividend) {
            return "(" + dividend + ")" + (rest ? " % " : " / ") + by;
        }
    }

    /// A multiple of an atom.
    ///
    /// @param atom the atom
    /// @param factor how often, not 0
    public record Term(Atom atom, long factor) {}

    private IndexExpr(Atom[] atoms, long[] factors, long constant, long min, long max, long origin, boolean virtual) {
        this.atoms = atoms;
        this.factors = factors;
        this.constant = constant;
        this.min = min;
        this.max = max;
        this.origin = origin;
        this.virtual = virtual;
    }

    private IndexExpr(Atom[] atoms, long[] factors, long constant) {
        this.atoms = atoms;
        this.factors = factors;
        this.constant = constant;
        long low = constant;
        long high = constant;
        long zero = constant;
        boolean any = false;
        for (int i = 0; i < factors.length; i++) {
            long end = Math.multiplyExact(factors[i], atoms[i].max());
            low = Math.addExact(low, Math.min(0, end));
            high = Math.addExact(high, Math.max(0, end));
            zero += factors[i] * origin(atoms[i]);
            any |= isVirtual(atoms[i]);
        }
        min = low;
        max = high;
        origin = zero;
        virtual = any;
    }

    private static long origin(Atom atom) {
        return switch (atom) {
            case Axis _ -> 0;
            case Division d -> d.value(d.of.origin);
        };
    }

    private static boolean isVirtual(Atom atom) {
        return switch (atom) {
            case Axis a -> a.binding() == Axis.Binding.VTHREAD;
            case Division d -> d.of.virtual;
        };
    }

    /// A constant.
    public static IndexExpr of(long constant) {
        return constant == 0 ? ZERO : new IndexExpr(NO_ATOMS, NO_FACTORS, constant);
    }

    /// The value of an axis.
    public static IndexExpr of(Axis axis) {
        return of((Atom) axis);
    }

    /// The atom itself.
    private static IndexExpr of(Atom atom) {
        long most = atom.max();
        return most == 0
                ? ZERO
                : new IndexExpr(new Atom[] {atom}, new long[] {1}, 0, 0, most, origin(atom), isVirtual(atom));
    }

    /// The terms, in the order in which they were added.
    public List<Term> terms() {
        return IntStream.range(0, factors.length)
                .mapToObj(i -> new Term(atoms[i], factors[i]))
                .toList();
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
        int own = factors.length;
        int more = other.factors.length;
        if (more == 0) {
            return plus(other.constant);
        }
        if (own == 0) {
            return other.plus(constant);
        }
        Atom[] sum = Arrays.copyOf(atoms, own + more);
        long[] times = Arrays.copyOf(factors, own + more);
        int n = own;
        boolean merged = false;
        for (int k = 0; k < more; k++) {
            Atom atom = other.atoms[k];
            int at = position(sum, n, atom);
            if (at < 0) {
                sum[n] = atom;
                times[n++] = other.factors[k];
                continue;
            }
            merged = true;
            times[at] += other.factors[k];
            if (times[at] == 0) {
                n--;
                System.arraycopy(sum, at + 1, sum, at, n - at);
                System.arraycopy(times, at + 1, times, at, n - at);
            }
        }
        return merged
                ? new IndexExpr(Arrays.copyOf(sum, n), Arrays.copyOf(times, n), constant + other.constant)
                : new IndexExpr(
                        sum,
                        times,
                        constant + other.constant,
                        Math.addExact(min, other.min),
                        Math.addExact(max, other.max),
                        origin + other.origin,
                        virtual || other.virtual);
    }

    private static int position(Atom[] atoms, int n, Atom atom) {
        for (int i = 0; i < n; i++) {
            // Axes are equal only to themselves; comparing quotients is the expensive case, and rare.
            if (atoms[i] == atom || (!(atom instanceof Axis) && atoms[i].equals(atom))) {
                return i;
            }
        }
        return -1;
    }

    /// Sum with an axis.
    public IndexExpr plus(Axis axis) {
        return plus(of(axis));
    }

    /// Sum with a constant.
    public IndexExpr plus(long other) {
        return other == 0
                ? this
                : new IndexExpr(
                        atoms,
                        factors,
                        constant + other,
                        Math.addExact(min, other),
                        Math.addExact(max, other),
                        origin + other,
                        virtual);
    }

    /// A multiple.
    public IndexExpr times(long factor) {
        if (factor == 1) {
            return this;
        }
        if (factor == 0 || (factors.length == 0 && constant == 0)) {
            return ZERO;
        }
        long[] scaled = new long[factors.length];
        for (int i = 0; i < scaled.length; i++) {
            scaled[i] = Math.multiplyExact(factors[i], factor);
        }
        long low = Math.multiplyExact(min, factor);
        long high = Math.multiplyExact(max, factor);
        return new IndexExpr(
                atoms,
                scaled,
                Math.multiplyExact(constant, factor),
                Math.min(low, high),
                Math.max(low, high),
                origin * factor,
                virtual);
    }

    /// Whole part of the division by a positive constant; throws `IllegalArgumentException` where the value may
    /// be negative.
    public IndexExpr dividedBy(long by) {
        requireNonNegative(by);
        if (by == 1) {
            return this;
        }
        IndexExpr rest = rest(by);
        if (rest.min < 0) {
            return of(new Division(this, by, false));
        }
        IndexExpr quotient = this;
        if (rest != this) {
            int n = factors.length - rest.factors.length;
            Atom[] chosen = new Atom[n];
            long[] divided = new long[n];
            for (int i = 0, k = 0; k < n; i++) {
                if (factors[i] % by == 0) {
                    chosen[k] = atoms[i];
                    divided[k++] = factors[i] / by;
                }
            }
            quotient = new IndexExpr(chosen, divided, Math.floorDiv(constant, by));
        } else {
            quotient = ZERO;
        }
        return rest.max < by ? quotient : quotient.plus(of(new Division(rest, by, false)));
    }

    /// Rest of the division by a positive constant; throws `IllegalArgumentException` where the value may be
    /// negative.
    public IndexExpr modulo(long by) {
        requireNonNegative(by);
        if (by == 1) {
            return ZERO;
        }
        IndexExpr rest = rest(by);
        if (rest.min < 0) {
            return of(new Division(this, by, true));
        }
        return rest.max < by ? rest : of(new Division(rest, by, true));
    }

    private void requireNonNegative(long by) {
        if (by < 1 || min < 0) {
            throw new IllegalArgumentException("cannot divide " + this + " by " + by);
        }
    }

    /// The rest without the multiples of `by`: the terms that it does not divide, and the constant's
    /// remainder.
    private IndexExpr rest(long by) {
        int n = 0;
        for (long f : factors) {
            n += f % by == 0 ? 0 : 1;
        }
        long left = Math.floorMod(constant, by);
        if (n == factors.length && left == constant) {
            return this;
        }
        Atom[] chosen = new Atom[n];
        long[] kept = new long[n];
        for (int i = 0, k = 0; k < n; i++) {
            if (factors[i] % by != 0) {
                chosen[k] = atoms[i];
                kept[k++] = factors[i];
            }
        }
        return new IndexExpr(chosen, kept, left);
    }

    /// The value where every axis has the value that `axes` gives.
    public long value(ToLongFunction<Axis> axes) {
        long sum = constant;
        for (int i = 0; i < factors.length; i++) {
            sum += factors[i]
                    * switch (atoms[i]) {
                        case Axis a -> axes.applyAsLong(a);
                        case Division d -> d.value(d.of.value(axes));
                    };
        }
        return sum;
    }

    /// How far the value moves when `axis` goes from 0 to 1 while every other axis is 0: the coefficient of an
    /// affine expression.
    public long stride(Axis axis) {
        long sum = 0;
        for (int i = 0; i < factors.length; i++) {
            sum += switch (atoms[i]) {
                case Axis a -> a == axis ? factors[i] : 0;
                case Division d -> factors[i] * d.move(d.of.stride(axis));
            };
        }
        return sum;
    }

    /// [#uses] and [#stride] of several axes in one go.
    ///
    /// @param axes which, the first `count` of them
    /// @param moves set where the axis occurs, by its place in `axes`; false before
    /// @param strides the stride is added, by its place in `axes`; 0 before
    public void strides(Axis[] axes, int count, boolean[] moves, long[] strides) {
        for (int i = 0; i < factors.length; i++) {
            switch (atoms[i]) {
                case Axis a -> {
                    for (int k = 0; k < count; k++) {
                        if (axes[k] == a) {
                            moves[k] = true;
                            strides[k] += factors[i];
                        }
                    }
                }
                case Division d -> {
                    long[] inside = new long[count];
                    d.of.strides(axes, count, moves, inside);
                    for (int k = 0; k < count; k++) {
                        strides[k] += factors[i] * d.move(inside[k]);
                    }
                }
            }
        }
    }

    /// True if a virtual axis (of extent above 1) occurs.
    boolean isVirtual() {
        return virtual;
    }

    /// True if `axis` occurs.
    public boolean uses(Axis axis) {
        for (Atom atom : atoms) {
            boolean found = switch (atom) {
                case Axis a -> a == axis;
                case Division d -> d.of.uses(axis);
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
        for (int i = 0; i < factors.length; i++) {
            IndexExpr atom = switch (atoms[i]) {
                case Axis a -> a == axis ? of(value) : of(a);
                case Division d -> d.with(d.of.with(axis, value));
            };
            sum = sum.plus(atom.times(factors[i]));
        }
        return sum;
    }

    /// The expression with axes replaced by other expressions.
    ///
    /// @param by what replaces an axis
    public IndexExpr substitute(Function<Axis, IndexExpr> by) {
        IndexExpr sum = of(constant);
        for (int i = 0; i < factors.length; i++) {
            IndexExpr atom = switch (atoms[i]) {
                case Axis a -> by.apply(a);
                case Division d -> d.with(d.of.substitute(by));
            };
            sum = sum.plus(atom.times(factors[i]));
        }
        return sum;
    }

    /// True if it has no quotients or remainders.
    public boolean isAffine() {
        return Arrays.stream(atoms).allMatch(Axis.class::isInstance);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IndexExpr e
                && (e == this
                        || (e.constant == constant
                                && Arrays.equals(e.factors, factors)
                                && Arrays.equals(e.atoms, atoms)));
    }

    @Override
    public int hashCode() {
        return (Arrays.hashCode(atoms) * 31 + Arrays.hashCode(factors)) * 31 + Long.hashCode(constant);
    }

    @Override
    public String toString() {
        var b = new StringBuilder();
        for (Term t : terms()) {
            b.append(b.isEmpty() ? "" : " + ")
                    .append(
                            switch (t.atom()) {
                                case Axis a -> a.name();
                                case Division d -> d.text(d.of.toString());
                            });
            if (t.factor() != 1) {
                b.append(" * ").append(t.factor());
            }
        }
        return b.isEmpty()
                ? String.valueOf(constant)
                : constant == 0
                        ? b.toString()
                        : b.append(" + ").append(constant).toString();
    }
}
