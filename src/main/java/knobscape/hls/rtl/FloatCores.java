package knobscape.hls.rtl;

import static knobscape.hls.rtl.Expr.bits;
import static knobscape.hls.rtl.Expr.concat;

import java.util.List;
import knobscape.hls.rtl.StagedCore.StepWires;

/// Operators on IEEE single precision, round to nearest even. A number below the least normal one counts as zero of
/// its sign, as operand and as result; every result that is no number is the quiet one `7fc00000`.
public final class FloatCores {
    private static final int WIDTH = 32;
    private static final int MANTISSA = 23;
    private static final int EXPONENT = 8;
    private static final long BIAS = 127;
    private static final long FULL = 0xFF;
    private static final long QUIET = 0x7FC00000L;
    private static final Expr.Ref A = new Expr.Ref("a", WIDTH);
    private static final Expr.Ref B = new Expr.Ref("b", WIDTH);

    private FloatCores() {}

    private static Expr exponent(Expr x) {
        return x.part(MANTISSA, EXPONENT);
    }

    private static Expr fraction(Expr x) {
        return x.part(0, MANTISSA);
    }

    private static Expr magnitude(Expr x) {
        return x.part(0, WIDTH - 1);
    }

    /// 1 if it counts as zero.
    private static Expr zero(Expr x) {
        return exponent(x).is(0);
    }

    private static Expr special(Expr x) {
        return exponent(x).is(FULL);
    }

    private static Expr noNumber(Expr x) {
        return special(x).and(fraction(x).any());
    }

    /// Zeros above the highest 1; the width of the value where there is none.
    private static Expr leadingZeros(Expr x, int width) {
        Expr e = bits(x.width(), width);
        for (int i = 0; i < x.width(); i++) {
            e = x.bit(i).select(bits(x.width() - 1 - i, width), e);
        }
        return e;
    }

    /// Sum.
    public static StagedCore add() {
        var s0 = new StepWires();
        Expr swap = s0.put("sw", magnitude(A).less(magnitude(B)));
        Expr x = s0.put("x", swap.select(B, A));
        Expr y = s0.put("y", swap.select(A, B));
        var s1 = new StepWires();
        Expr differ = s1.put("sb", x.sign().xor(y.sign()));
        Expr mx = s1.put("mx", zero(x).select(bits(0, 24), concat(bits(1, 1), fraction(x))));
        Expr my = s1.put("my", zero(y).select(bits(0, 24), concat(bits(1, 1), fraction(y))));
        Expr far = s1.put("dd", exponent(x).minus(exponent(y)));
        Expr by = s1.put("sh", bits(27, 8).less(far).select(bits(27, 5), far.part(0, 5)));
        var s2 = new StepWires();
        Expr aligned = s2.put("al", concat(my, bits(0, 30)).shiftRight(by));
        Expr ya = s2.put(
                "ya",
                concat(
                        aligned.part(28, 26),
                        aligned.bit(27).or(aligned.part(0, 27).any())));
        var s3 = new StepWires();
        Expr wide = concat(bits(0, 1), mx, bits(0, 3));
        Expr sum = s3.put("sm", differ.select(wide.minus(ya.zeros(28)), wide.plus(ya.zeros(28))));
        var s4 = new StepWires();
        Expr lz = s4.put("lz", leadingZeros(sum.part(0, 27), 5));
        var s5 = new StepWires();
        Expr carry = sum.bit(27);
        Expr n = s5.put(
                "nn",
                carry.select(
                        concat(sum.part(2, 26), sum.bit(1).or(sum.bit(0))),
                        sum.part(0, 27).shiftLeft(lz)));
        Expr e = s5.put(
                "ee", exponent(x).zeros(10).plus(carry.zeros(10)).minus(carry.select(bits(0, 10), lz.zeros(10))));
        Expr nothing = s5.put("zz", sum.any().not());
        var s6 = new StepWires();
        Expr up = n.bit(2).and(n.bit(1).or(n.bit(0)).or(n.bit(3)));
        Expr r = s6.put("rr", n.part(3, 24).zeros(25).plus(up.zeros(25)));
        Range range = range(s6, e);
        Expr none = s6.put(
                "nan",
                special(x).and(fraction(x).any().or(special(y).and(differ))).or(noNumber(y)));
        Expr infinite = s6.put("xi", special(x));
        var s7 = new StepWires();
        Expr more = r.bit(24);
        Expr under = s7.put("un", more.select(range.underMore(), range.under()));
        Expr over = s7.put("ov", more.select(range.overMore(), range.over()).or(infinite));
        Expr empty = s7.put("em", nothing.and(infinite.not()).or(under));
        Expr sign = s7.put("sg", nothing.select(x.sign().and(y.sign()), x.sign()));
        s7.put(
                "o",
                none.select(
                        bits(QUIET, WIDTH),
                        concat(
                                sign,
                                over.select(
                                        bits(FULL, 8),
                                        empty.select(
                                                bits(0, 8),
                                                more.select(range.next(), e).part(0, 8))),
                                over.or(empty).select(bits(0, MANTISSA), r.part(0, MANTISSA)))));
        return new StagedCore(
                "fadd",
                List.of(A, B),
                List.of(
                        s0.of(5.4),
                        s1.of(4.2),
                        s2.of(6.0),
                        s3.of(3.8),
                        s4.of(4.6),
                        s5.of(5.5),
                        s6.of(4.6),
                        s7.of(3.0)));
    }

    /// The range of an exponent before rounding, with and without a carry out of the rounding.
    private record Range(Expr next, Expr under, Expr underMore, Expr over, Expr overMore) {}

    private static Range range(StepWires s, Expr e) {
        Expr negative = e.bit(9);
        return new Range(
                s.put("ep", e.plus(bits(1, 10))),
                s.put("u0", negative.or(e.is(0))),
                s.put("u1", negative),
                s.put("v0", negative.not().and(bits(FULL - 1, 10).less(e))),
                s.put("v1", negative.not().and(bits(FULL - 2, 10).less(e))));
    }

    /// Product.
    public static StagedCore multiply() {
        var s0 = new StepWires();
        Expr al = A.part(0, 17);
        Expr ah = concat(bits(1, 1), A.part(17, 6));
        Expr bl = B.part(0, 17);
        Expr bh = concat(bits(1, 1), B.part(17, 6));
        Expr ll = s0.put("ll", al.zeros(34).times(bl.zeros(34)));
        Expr lh = s0.put("lh", al.zeros(24).times(bh.zeros(24)));
        Expr hl = s0.put("hl", ah.zeros(24).times(bl.zeros(24)));
        Expr hh = s0.put("hh", ah.zeros(14).times(bh.zeros(14)));
        var s1 = new StepWires();
        Expr middle = s1.put("md", lh.zeros(25).plus(hl.zeros(25)));
        Expr e0 = s1.put("e0", exponent(A).zeros(10).plus(exponent(B).zeros(10)).minus(bits(BIAS, 10)));
        var s2 = new StepWires();
        Expr p = s2.put(
                "p", ll.zeros(48).plus(concat(middle, bits(0, 17)).zeros(48)).plus(concat(hh, bits(0, 34))));
        var s3 = new StepWires();
        Expr high = p.bit(47);
        Expr rest = high.select(
                p.bit(23).and(p.part(0, 23).any().or(p.bit(24))),
                p.bit(22).and(p.part(0, 22).any().or(p.bit(23))));
        Expr r = s3.put(
                "r", high.select(p.part(24, 24), p.part(23, 24)).zeros(25).plus(rest.zeros(25)));
        Expr e = s3.put("e1", e0.plus(high.zeros(10)));
        Range range = range(s3, e0.plus(high.zeros(10)));
        Expr empty = s3.put("z", zero(A).or(zero(B)));
        Expr infinite = s3.put("inf", special(A).or(special(B)));
        Expr none = s3.put(
                "nan",
                noNumber(A)
                        .or(noNumber(B))
                        .or(special(A).and(zero(B)))
                        .or(special(B).and(zero(A))));
        var s4 = new StepWires();
        Expr more = r.bit(24);
        Expr under = s4.put("un", more.select(range.underMore(), range.under()).or(empty));
        Expr over = s4.put(
                "ov",
                more.select(range.overMore(), range.over()).and(empty.not()).or(infinite));
        s4.put(
                "o",
                none.select(
                        bits(QUIET, WIDTH),
                        concat(
                                A.sign().xor(B.sign()),
                                over.select(
                                        bits(FULL, 8),
                                        under.select(
                                                bits(0, 8),
                                                more.select(range.next(), e).part(0, 8))),
                                over.or(under).select(bits(0, MANTISSA), r.part(0, MANTISSA)))));
        return new StagedCore(
                "fmul", List.of(A, B), List.of(s0.of(6.2), s1.of(3.4), s2.of(3.8), s3.of(5.6), s4.of(3.0)));
    }

    /// Quotient, one bit a step.
    public static StagedCore divide() {
        var steps = new java.util.ArrayList<StagedCore.Step>();
        var s0 = new StepWires();
        Expr rest = s0.put("n0", concat(bits(0, 2), bits(1, 1), fraction(A)).part(0, 25));
        Expr by = s0.put("d", concat(bits(1, 1), fraction(B)).zeros(25));
        Expr e0 =
                s0.put("e0", exponent(A).zeros(10).minus(exponent(B).zeros(10)).plus(bits(BIAS, 10)));
        Expr empty = s0.put("z", zero(A).or(special(B)));
        Expr infinite = s0.put("inf", special(A).or(zero(B)));
        Expr none = s0.put(
                "nan",
                noNumber(A).or(noNumber(B)).or(special(A).and(special(B))).or(zero(A).and(zero(B))));
        Expr negative = s0.put("sg", A.sign().xor(B.sign()));
        steps.add(s0.of(1.5));
        Expr q = bits(0, 1);
        int bitsOfQuotient = 27;
        for (int i = 1; i <= bitsOfQuotient; i++) {
            var s = new StepWires();
            Expr bit = s.put("b" + i, rest.less(by).not());
            Expr left = s.put("m" + i, bit.select(rest.minus(by), rest));
            rest = s.put("n" + i, concat(left.part(0, 24), bits(0, 1)));
            q = s.put("q" + i, i == 1 ? bit : concat(q, bit));
            steps.add(s.of(4.2));
        }
        var s1 = new StepWires();
        Expr high = q.bit(26);
        Expr sticky = rest.any();
        Expr round = high.select(
                q.bit(2).and(q.part(0, 2).any().or(sticky).or(q.bit(3))),
                q.bit(1).and(q.bit(0).or(sticky).or(q.bit(2))));
        Expr r = s1.put("r", high.select(q.part(3, 24), q.part(2, 24)).zeros(25).plus(round.zeros(25)));
        Expr e = s1.put("e1", e0.minus(high.not().zeros(10)));
        Range range = range(s1, e0.minus(high.not().zeros(10)));
        steps.add(s1.of(5.6));
        var s2 = new StepWires();
        Expr more = r.bit(24);
        Expr under = s2.put(
                "un",
                more.select(range.underMore(), range.under())
                        .and(infinite.not())
                        .or(empty));
        Expr over = s2.put(
                "ov",
                more.select(range.overMore(), range.over()).and(empty.not()).or(infinite));
        s2.put(
                "o",
                none.select(
                        bits(QUIET, WIDTH),
                        concat(
                                negative,
                                over.select(
                                        bits(FULL, 8),
                                        under.select(
                                                bits(0, 8),
                                                more.select(range.next(), e).part(0, 8))),
                                over.or(under).select(bits(0, MANTISSA), r.part(0, MANTISSA)))));
        steps.add(s2.of(3.0));
        return new StagedCore("fdiv", List.of(A, B), steps);
    }

    /// Square root, one bit of it a step; of a negative number none.
    public static StagedCore squareRoot() {
        var steps = new java.util.ArrayList<StagedCore.Step>();
        var s0 = new StepWires();
        Expr odd = exponent(A).bit(0).not();
        Expr mantissa = concat(bits(1, 1), fraction(A));
        // Two bits of the radicand a step; an odd exponent lends it one.
        Expr left = s0.put("x0", odd.select(concat(mantissa, bits(0, 2)), concat(bits(0, 1), mantissa, bits(0, 1))));
        Expr e = s0.put("e", exponent(A).zeros(9).plus(bits(BIAS, 9)).part(1, EXPONENT));
        Expr none = s0.put("nan", noNumber(A).or(A.sign().and(zero(A).not())));
        Expr infinite = s0.put("inf", special(A));
        Expr empty = s0.put("z", zero(A));
        Expr negative = s0.put("sg", A.sign());
        steps.add(s0.of(2.4));
        int width = MANTISSA + 5;
        int digits = MANTISSA + 2;
        Expr rest = bits(0, width);
        Expr root = bits(0, digits);
        for (int i = 1; i <= digits; i++) {
            var s = new StepWires();
            Expr next = concat(rest.part(0, width - 2), left.width() > 1 ? left.part(left.width() - 2, 2) : bits(0, 2));
            Expr by = concat(bits(0, width - digits - 2), root, bits(1, 2));
            Expr bit = s.put("b" + i, next.less(by).not());
            rest = s.put("n" + i, bit.select(next.minus(by), next));
            root = s.put("q" + i, concat(root.part(0, digits - 1), bit));
            left = left.width() > 2 ? s.put("x" + i, left.part(0, left.width() - 2)) : bits(0, 1);
            steps.add(s.of(4.2));
        }
        var s1 = new StepWires();
        // A root never lies half-way between two numbers, and never rounds up to a power of two.
        Expr r = root.part(1, MANTISSA).plus(root.bit(0).zeros(MANTISSA));
        s1.put(
                "o",
                none.select(
                        bits(QUIET, WIDTH),
                        concat(
                                negative,
                                infinite.select(bits(FULL, EXPONENT), empty.select(bits(0, EXPONENT), e)),
                                infinite.or(empty).select(bits(0, MANTISSA), r))));
        steps.add(s1.of(4.0));
        return new StagedCore("fsqrt", List.of(A), steps);
    }

    /// A whole number of 32 bits as a floating-point one.
    ///
    /// @param signed whether the operand has a sign
    public static StagedCore fromWhole(boolean signed) {
        var s0 = new StepWires();
        Expr sign = s0.put("s", signed ? A.sign() : bits(0, 1));
        Expr m = s0.put("m", sign.select(bits(0, WIDTH).minus(A), A));
        var s1 = new StepWires();
        Expr lz = s1.put("lz", leadingZeros(m, 6));
        var s2 = new StepWires();
        Expr n = s2.put("n", m.shiftLeft(lz));
        var s3 = new StepWires();
        Expr up = n.bit(7).and(n.part(0, 7).any().or(n.bit(8)));
        Expr r = s3.put("r", n.part(8, 24).zeros(25).plus(up.zeros(25)));
        Expr e =
                s3.put("e", bits(BIAS + 31, 8).minus(lz.zeros(8)).plus(r.bit(24).zeros(8)));
        s3.put("o", lz.is(WIDTH).select(bits(0, WIDTH), concat(sign, e, r.part(0, MANTISSA))));
        return new StagedCore(
                signed ? "sitofp" : "uitofp", List.of(A), List.of(s0.of(3.6), s1.of(4.8), s2.of(5.2), s3.of(5.6)));
    }

    /// A floating-point number as a whole one of 32 bits, towards zero. What does not fit has no meaning in C.
    public static StagedCore toWhole() {
        var s0 = new StepWires();
        Expr e = s0.put("e", exponent(A).zeros(9).minus(bits(BIAS, 9)));
        Expr small = s0.put("sm", e.bit(8));
        var s1 = new StepWires();
        Expr u = s1.put(
                "u",
                concat(bits(0, 31), bits(1, 1), fraction(A))
                        .shiftLeft(e.part(0, 5))
                        .part(MANTISSA, WIDTH));
        var s2 = new StepWires();
        s2.put("o", small.select(bits(0, WIDTH), A.sign().select(bits(0, WIDTH).minus(u), u)));
        return new StagedCore("fptosi", List.of(A), List.of(s0.of(3.0), s1.of(5.2), s2.of(4.4)));
    }

    /// One bit: whether one operand is not a number.
    public static Expr unordered(Expr a, Expr b) {
        return noNumber(a).or(noNumber(b));
    }

    /// One bit: whether two numbers are equal.
    public static Expr equal(Expr a, Expr b) {
        return a.equal(b).or(zero(a).and(zero(b))).and(unordered(a, b).not());
    }

    /// One bit: whether both are numbers and the first is less.
    public static Expr less(Expr a, Expr b) {
        Expr below =
                zero(a).select(zero(b).not(), magnitude(a).less(magnitude(b)).and(zero(b).not()));
        Expr above =
                zero(b).select(zero(a).not(), magnitude(b).less(magnitude(a)).and(zero(a).not()));
        Expr signs = a.sign().and(b.sign().not());
        Expr positive = a.sign().not().and(b.sign().not()).and(below);
        Expr negative = a.sign().and(b.sign()).and(above);
        return unordered(a, b)
                .not()
                .and(zero(a).and(zero(b)).not())
                .and(signs.or(positive).or(negative));
    }
}
