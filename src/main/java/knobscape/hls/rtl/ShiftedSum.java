package knobscape.hls.rtl;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// A sum of products by constants without a multiplier: shifted copies of the other factors, by the constants' digits
/// +1 and -1 of which no two stand side by side, added in a tree. (Reitwieser, Binary arithmetic, 1960.)
public final class ShiftedSum {
    /// Bits of how far a copy is shifted.
    private static final int SHIFT_BITS = 7;

    private final int width;
    private final List<Term> terms = new ArrayList<>();

    /// @param width bits of the sum and of what is summed
    public ShiftedSum(int width) {
        this.width = width;
    }

    private record Digit(int shift, boolean negative) {}

    private record Term(Expr value, boolean negative) {
        Term with(Term other) {
            return negative == other.negative
                    ? new Term(value.plus(other.value), negative)
                    : new Term(negative ? other.value.minus(value) : value.minus(other.value), false);
        }
    }

    private static List<Digit> digits(long constant) {
        var digits = new ArrayList<Digit>();
        long rest = constant;
        for (int k = 0; rest != 0; k++) {
            if ((rest & 1) != 0) {
                boolean negative = (rest & 3) == 3;
                digits.add(new Digit(k, negative));
                rest += negative ? 1 : -1;
            }
            rest >>= 1;
        }
        return digits;
    }

    /// Copies that a product by a constant is the sum of.
    public static int copies(long factor) {
        return digits(factor).size();
    }

    /// Carry chains on the longest path of a sum.
    ///
    /// @param factors of all that is summed; 1 for what is no product
    public static int chains(List<Long> factors) {
        List<Digit> all = factors.stream().flatMap(f -> digits(f).stream()).toList();
        int levels = all.size() < 2 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(all.size() - 1);
        return levels + (!all.isEmpty() && all.stream().allMatch(Digit::negative) ? 1 : 0);
    }

    /// A product by a constant, as wide as the other factor.
    public static Expr product(Expr x, long factor) {
        return new ShiftedSum(x.width()).plus(x, factor).value();
    }

    /// Adds a product by a constant.
    public ShiftedSum plus(Expr x, long factor) {
        for (Digit d : digits(factor)) {
            if (d.shift() < width) {
                terms.add(new Term(d.shift() == 0 ? x : x.shiftLeft(Expr.bits(d.shift(), SHIFT_BITS)), d.negative()));
            }
        }
        return this;
    }

    /// Low bits of the sum.
    public Expr value() {
        List<Term> left = terms;
        while (left.size() > 1) {
            List<Term> pairs = left;
            left = IntStream.range(0, (pairs.size() + 1) / 2)
                    .mapToObj(k ->
                            2 * k + 1 < pairs.size() ? pairs.get(2 * k).with(pairs.get(2 * k + 1)) : pairs.get(2 * k))
                    .toList();
        }
        Expr none = Expr.bits(0, width);
        return left.isEmpty()
                ? none
                : left.getFirst().negative()
                        ? none.minus(left.getFirst().value())
                        : left.getFirst().value();
    }
}
