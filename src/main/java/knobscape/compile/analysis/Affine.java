package knobscape.compile.analysis;

import java.util.Arrays;

/// A constant and symbols times whole factors. A symbol is a number: of a value that is not analysed further
/// ([AffineForms#symbol]), or `~header` for the number of the iteration, from 0, of the loop with that header.
public final class Affine {
    private static final int[] NONE = {};
    private static final long[] NOTHING = {};

    private final long constant;
    private final int[] symbols;
    private final long[] factors;

    private Affine(long constant, int[] symbols, long[] factors) {
        this.constant = constant;
        this.symbols = symbols;
        this.factors = factors;
    }

    /// A constant.
    public static Affine of(long constant) {
        return new Affine(constant, NONE, NOTHING);
    }

    /// A symbol.
    public static Affine symbol(int symbol) {
        return new Affine(0, new int[] {symbol}, new long[] {1});
    }

    /// The symbol that stands for the iteration number of a loop.
    public static int iteration(int header) {
        return ~header;
    }

    /// The constant added to the symbols.
    public long constant() {
        return constant;
    }

    /// How many symbols have a factor.
    public int size() {
        return symbols.length;
    }

    /// The symbols, ascending; not to be changed.
    public int[] symbols() {
        return symbols;
    }

    /// The factor of the `k`-th symbol.
    public long factorAt(int k) {
        return factors[k];
    }

    /// The factor of a symbol, 0 where it does not occur.
    public long factor(int symbol) {
        int k = Arrays.binarySearch(symbols, symbol);
        return k < 0 ? 0 : factors[k];
    }

    /// Greatest common divisor of a number and the factors of the symbols; 0 of 0 and none.
    public long divisor(long with) {
        long divisor = with;
        for (int k = 0; k < size(); k++) {
            long rest = Math.abs(factorAt(k));
            while (rest != 0) {
                long next = divisor % rest;
                divisor = rest;
                rest = next;
            }
        }
        return divisor;
    }

    /// True if no symbol occurs.
    public boolean isConstant() {
        return symbols.length == 0;
    }

    /// The sum with another times a factor.
    public Affine plus(Affine other, long times) {
        if (times == 0) {
            return this;
        }
        if (other.symbols.length == 0) {
            return new Affine(constant + times * other.constant, symbols, factors);
        }
        int[] s = new int[symbols.length + other.symbols.length];
        long[] f = new long[s.length];
        int n = 0;
        int i = 0;
        int k = 0;
        while (i < symbols.length || k < other.symbols.length) {
            boolean mine = k == other.symbols.length || (i < symbols.length && symbols[i] <= other.symbols[k]);
            boolean theirs = i == symbols.length || (k < other.symbols.length && other.symbols[k] <= symbols[i]);
            s[n] = mine ? symbols[i] : other.symbols[k];
            f[n] = (mine ? factors[i] : 0) + (theirs ? times * other.factors[k] : 0);
            i += mine ? 1 : 0;
            k += theirs ? 1 : 0;
            n += f[n] != 0 ? 1 : 0;
        }
        return new Affine(constant + times * other.constant, Arrays.copyOf(s, n), Arrays.copyOf(f, n));
    }

    /// The difference.
    public Affine minus(Affine other) {
        return plus(other, -1);
    }

    /// The sum with a constant.
    public Affine plus(long c) {
        return c == 0 ? this : new Affine(constant + c, symbols, factors);
    }

    /// Times a constant.
    public Affine times(long c) {
        return c == 1 ? this : of(0).plus(this, c);
    }

    /// The same without its constant.
    public Affine moving() {
        return constant == 0 ? this : new Affine(0, symbols, factors);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Affine a
                && constant == a.constant
                && Arrays.equals(symbols, a.symbols)
                && Arrays.equals(factors, a.factors);
    }

    @Override
    public int hashCode() {
        return (Long.hashCode(constant) * 31 + Arrays.hashCode(symbols)) * 31 + Arrays.hashCode(factors);
    }

    @Override
    public String toString() {
        var out = new StringBuilder().append(constant);
        for (int k = 0; k < symbols.length; k++) {
            out.append(' ').append(factors[k]).append('*');
            out.append(symbols[k] < 0 ? "k" + ~symbols[k] : "v" + symbols[k]);
        }
        return out.toString();
    }
}
