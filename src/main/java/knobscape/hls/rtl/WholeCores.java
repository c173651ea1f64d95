package knobscape.hls.rtl;

import static knobscape.hls.rtl.Expr.bits;
import static knobscape.hls.rtl.Expr.concat;

import java.util.ArrayList;
import java.util.List;
import knobscape.hls.rtl.StagedCore.Step;
import knobscape.hls.rtl.StagedCore.StepWires;

/// Multiplication and division of whole numbers.
public final class WholeCores {
    /// Widest signed operand of one multiplier of the family.
    private static final int MULTIPLIER = 18;
    private static final int WORD = 32;
    private static final int HALF = 16;

    private WholeCores() {}

    /// Low bits of the product of two signed numbers.
    ///
    /// @param width of the product
    /// @param first width of the first operand, at most `width`
    /// @param second of the second one
    public static StagedCore multiply(int width, int first, int second) {
        var a = new Expr.Ref("a", first);
        var b = new Expr.Ref("b", second);
        String name = "mul" + width + "_" + first + "_" + second;
        var s0 = new StepWires();
        if (width > WORD || (first <= MULTIPLIER && second <= MULTIPLIER)) {
            s0.put("o", a.signedTimes(b, width));
            return new StagedCore(
                    name, List.of(a, b), List.of(s0.of(first <= MULTIPLIER && second <= MULTIPLIER ? 6.0 : 9.5)));
        }
        Expr x = s0.put("x", a.signs(WORD));
        Expr y = s0.put("y", b.signs(WORD));
        Expr ll = s0.put("ll", x.part(0, HALF).zeros(WORD).times(y.part(0, HALF).zeros(WORD)));
        Expr lh = s0.put("lh", x.part(0, HALF).times(y.part(HALF, HALF)));
        Expr hl = s0.put("hl", x.part(HALF, HALF).times(y.part(0, HALF)));
        var s1 = new StepWires();
        s1.put("o", ll.plus(concat(lh.plus(hl), bits(0, HALF))).part(0, width));
        return new StagedCore(name, List.of(a, b), List.of(s0.of(6.0), s1.of(4.6)));
    }

    /// Quotient, towards zero, or remainder of two numbers, one bit of the quotient a step. A division by zero has no
    /// meaning in C.
    ///
    /// @param signed whether the operands have signs
    /// @param remainder whether it is the result
    public static StagedCore divide(int width, boolean signed, boolean remainder) {
        var a = new Expr.Ref("a", width);
        var b = new Expr.Ref("b", width);
        var steps = new ArrayList<Step>();
        var first = new StepWires();
        Expr sa = first.put("sa", signed ? a.sign() : bits(0, 1));
        Expr sb = first.put("sb", signed ? b.sign() : bits(0, 1));
        Expr rest = first.put("n0", sa.select(bits(0, width).minus(a), a));
        Expr by = first.put("d", sb.select(bits(0, width).minus(b), b));
        Expr left = first.put("r0", bits(0, width));
        steps.add(first.of(2.0 + .035 * width));
        for (int i = 1; i <= width; i++) {
            var s = new StepWires();
            Expr next = s.put("x" + i, concat(left, rest.sign()));
            Expr minus = s.put("y" + i, next.minus(by.zeros(width + 1)));
            Expr bit = s.put("b" + i, next.less(by.zeros(width + 1)).not());
            left = s.put("r" + i, bit.select(minus, next).part(0, width));
            rest = s.put("n" + i, width == 1 ? bit : concat(rest.part(0, width - 1), bit));
            steps.add(s.of(3.2 + .035 * width));
        }
        var last = new StepWires();
        Expr negative = remainder ? sa : sa.xor(sb);
        Expr result = remainder ? left : rest;
        last.put("o", negative.select(bits(0, width).minus(result), result));
        steps.add(last.of(2.0 + .035 * width));
        return new StagedCore((signed ? "s" : "u") + (remainder ? "rem" : "div") + width, List.of(a, b), steps);
    }
}
