package knobscape.hls.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import knobscape.hls.source.LinearForm.Applied;
import knobscape.hls.source.LinearForm.Atom;
import knobscape.hls.source.LinearForm.LoopValue;
import knobscape.hls.source.LinearForm.Operator;
import knobscape.hls.source.LinearForm.Ranges;
import knobscape.hls.source.LinearForm.Unknown;

/// Integer arithmetic on [LinearForm]s: what can be folded is folded, and only where the result is proven.
public final class LinearForms {
    private LinearForms() {}

    /// `operator` on `operands`; empty where a number leaves 64 bits, a divisor is 0, or the formula grows too
    /// large.
    public static Optional<LinearForm> apply(Operator operator, List<LinearForm> operands, Ranges ranges) {
        List<Long> numbers = new ArrayList<>();
        for (LinearForm o : operands) {
            o.number().ifPresent(numbers::add);
        }
        if (numbers.size() == operands.size()) {
            OptionalLong v = compute(operator, numbers);
            return v.isPresent() ? Optional.of(LinearForm.of(v.getAsLong())) : Optional.empty();
        }
        Optional<LinearForm> folded = switch (operator) {
            case MULTIPLY -> multiply(operands.get(0), operands.get(1));
            case SHIFT_LEFT ->
                operands.get(1).number().isPresent()
                        ? shiftLeft(operands.get(0), operands.get(1).constant())
                        : Optional.empty();
            case DIVIDE, REMAINDER -> divide(operator, operands.get(0), operands.get(1), ranges);
            case SHIFT_RIGHT -> shiftRight(operands.get(0), operands.get(1), ranges);
            case AND -> and(operands.get(0), operands.get(1), ranges);
            case OR, XOR ->
                operands.get(0).is(0)
                        ? Optional.of(operands.get(1))
                        : operands.get(1).is(0) ? Optional.of(operands.get(0)) : Optional.empty();
            case MIN -> extremum(operands.get(0), operands.get(1), ranges, true);
            case MAX -> extremum(operands.get(0), operands.get(1), ranges, false);
            case LESS, EQUAL -> compare(operator, operands.get(0), operands.get(1), ranges);
            case SELECT -> select(operands, ranges);
        };
        if (folded.isPresent()) {
            return folded.filter(f -> !f.tooLarge());
        }
        return Optional.of(LinearForm.of(new Applied(operator, operands))).filter(f -> !f.tooLarge());
    }

    private static Optional<LinearForm> multiply(LinearForm a, LinearForm b) {
        if (a.number().isPresent()) {
            return b.times(a.constant());
        }
        return b.number().isPresent() ? a.times(b.constant()) : Optional.empty();
    }

    private static Optional<LinearForm> shiftLeft(LinearForm a, long bits) {
        return bits >= 0 && bits < 62 ? a.times(1L << bits) : Optional.empty();
    }

    /// Truncating division. Exact where all terms are multiples; else the terms that are multiples leave, where
    /// the rest stays in [0, divisor).
    private static Optional<LinearForm> divide(Operator operator, LinearForm a, LinearForm b, Ranges ranges) {
        if (b.number().isEmpty() || b.constant() <= 0) {
            return Optional.empty();
        }
        long d = b.constant();
        boolean quotient = operator == Operator.DIVIDE;
        if (a.divisibleBy(d)) {
            return Optional.of(quotient ? a.dividedBy(d) : LinearForm.ZERO);
        }
        if (a.range(ranges).min() < 0) {
            return Optional.empty();
        }
        var multiple = new java.util.LinkedHashMap<Atom, Long>();
        var rest = new java.util.LinkedHashMap<Atom, Long>();
        a.terms().forEach((atom, c) -> (c % d == 0 ? multiple : rest).put(atom, c));
        long constantRest = Math.floorMod(a.constant(), d);
        LinearForm high = new LinearForm(multiple, a.constant() - constantRest);
        LinearForm low = new LinearForm(rest, constantRest);
        if (new Range(0, d - 1).contains(low.range(ranges))) {
            return Optional.of(quotient ? high.dividedBy(d) : low);
        }
        return Optional.empty();
    }

    private static Optional<LinearForm> shiftRight(LinearForm a, LinearForm b, Ranges ranges) {
        if (b.number().isEmpty() || b.constant() < 0 || b.constant() >= 62) {
            return Optional.empty();
        }
        long d = 1L << b.constant();
        return a.divisibleBy(d) ? Optional.of(a.dividedBy(d)) : divide(Operator.DIVIDE, a, LinearForm.of(d), ranges);
    }

    /// A mask of low bits is a remainder.
    private static Optional<LinearForm> and(LinearForm a, LinearForm b, Ranges ranges) {
        if (a.number().isPresent()) {
            return and(b, a, ranges);
        }
        if (b.is(0)) {
            return Optional.of(LinearForm.ZERO);
        }
        long mask = b.number().orElse(-1);
        if (mask > 0 && (mask & (mask + 1)) == 0 && mask < Long.MAX_VALUE) {
            return divide(Operator.REMAINDER, a, LinearForm.of(mask + 1), ranges);
        }
        return Optional.empty();
    }

    private static Optional<LinearForm> extremum(LinearForm a, LinearForm b, Ranges ranges, boolean least) {
        Optional<Range> difference = a.minus(b).map(d -> d.range(ranges));
        if (difference.isPresent() && difference.get().max() <= 0) {
            return Optional.of(least ? a : b);
        }
        if (difference.isPresent() && difference.get().min() >= 0) {
            return Optional.of(least ? b : a);
        }
        return Optional.empty();
    }

    private static Optional<LinearForm> compare(Operator operator, LinearForm a, LinearForm b, Ranges ranges) {
        Range d = a.minus(b).map(x -> x.range(ranges)).orElse(Range.ALL);
        if (operator == Operator.LESS) {
            return d.max() < 0
                    ? Optional.of(LinearForm.of(1))
                    : d.min() >= 0 ? Optional.of(LinearForm.ZERO) : Optional.empty();
        }
        return d.equals(Range.of(0))
                ? Optional.of(LinearForm.of(1))
                : d.contains(0) ? Optional.empty() : Optional.of(LinearForm.ZERO);
    }

    private static Optional<LinearForm> select(List<LinearForm> o, Ranges ranges) {
        if (o.get(1).equals(o.get(2))) {
            return Optional.of(o.get(1));
        }
        Range condition = o.get(0).range(ranges);
        if (!condition.contains(0)) {
            return Optional.of(o.get(1));
        }
        return condition.equals(Range.of(0)) ? Optional.of(o.get(2)) : Optional.empty();
    }

    /// Value of an operation.
    static OptionalLong value(Applied applied, Function<Atom, OptionalLong> values) {
        // Only the chosen side of a selection need be known.
        if (applied.operator() == Operator.SELECT) {
            OptionalLong condition = applied.operands().get(0).value(values);
            return condition.isEmpty()
                    ? condition
                    : applied.operands().get(condition.getAsLong() != 0 ? 1 : 2).value(values);
        }
        var numbers = new ArrayList<Long>();
        for (LinearForm o : applied.operands()) {
            OptionalLong v = o.value(values);
            if (v.isEmpty()) {
                return v;
            }
            numbers.add(v.getAsLong());
        }
        return compute(applied.operator(), numbers);
    }

    private static OptionalLong compute(Operator operator, List<Long> n) {
        long a = n.get(0);
        long b = n.size() > 1 ? n.get(1) : 0;
        try {
            return switch (operator) {
                case MULTIPLY -> OptionalLong.of(Math.multiplyExact(a, b));
                case DIVIDE -> b == 0 ? OptionalLong.empty() : OptionalLong.of(Math.divideExact(a, b));
                case REMAINDER -> b == 0 ? OptionalLong.empty() : OptionalLong.of(a % b);
                case SHIFT_LEFT ->
                    b < 0 || b > 62 ? OptionalLong.empty() : OptionalLong.of(Math.multiplyExact(a, 1L << b));
                case SHIFT_RIGHT -> b < 0 || b > 63 ? OptionalLong.empty() : OptionalLong.of(a >> b);
                case AND -> OptionalLong.of(a & b);
                case OR -> OptionalLong.of(a | b);
                case XOR -> OptionalLong.of(a ^ b);
                case MIN -> OptionalLong.of(Math.min(a, b));
                case MAX -> OptionalLong.of(Math.max(a, b));
                case LESS -> OptionalLong.of(a < b ? 1 : 0);
                case EQUAL -> OptionalLong.of(a == b ? 1 : 0);
                case SELECT -> OptionalLong.of(a != 0 ? b : n.get(2));
            };
        } catch (ArithmeticException e) {
            return OptionalLong.empty();
        }
    }

    /// Values that `atom` can have.
    static Range range(Atom atom, Ranges ranges) {
        return switch (atom) {
            case LoopValue v -> ranges.of(v);
            case Unknown u -> u.range();
            case Applied a -> range(a, ranges);
        };
    }

    private static Range range(Applied applied, Ranges ranges) {
        List<Range> o = applied.operands().stream().map(f -> f.range(ranges)).toList();
        Range a = o.get(0);
        Range b = o.size() > 1 ? o.get(1) : Range.ALL;
        return switch (applied.operator()) {
            case LESS, EQUAL -> new Range(0, 1);
            case SELECT -> o.get(1).hull(o.get(2));
            case MIN -> new Range(Math.min(a.min(), b.min()), Math.min(a.max(), b.max()));
            case MAX -> new Range(Math.max(a.min(), b.min()), Math.max(a.max(), b.max()));
            case AND -> and(a, b);
            case OR, XOR ->
                a.min() >= 0 && b.min() >= 0 && a.bounded() && b.bounded()
                        ? new Range(0, bitsOf(Math.max(a.max(), b.max())))
                        : Range.ALL;
            case REMAINDER -> remainder(a, b);
            case DIVIDE ->
                a.min() >= 0 && b.min() >= 1
                        ? new Range(
                                a.bounded() && b.bounded() ? a.min() / b.max() : 0,
                                a.bounded() ? a.max() / b.min() : Long.MAX_VALUE)
                        : Range.ALL;
            case SHIFT_RIGHT ->
                a.min() >= 0
                        ? new Range(0, b.min() >= 0 && b.min() < 63 && a.bounded() ? a.max() >> b.min() : a.max())
                        : Range.ALL;
            case MULTIPLY ->
                a.bounded() && b.bounded()
                        ? hull(a.times(b.min()), a.times(b.max()))
                        : a.min() >= 0 && b.min() >= 0 ? new Range(0, Long.MAX_VALUE) : Range.ALL;
            case SHIFT_LEFT ->
                a.min() >= 0 && a.bounded() && b.min() >= 0 && b.max() < 62
                        ? new Range(
                                a.times(1L << b.min()).min(),
                                a.times(1L << b.max()).max())
                        : Range.ALL;
        };
    }

    private static Range hull(Range a, Range b) {
        return a.hull(b);
    }

    private static Range and(Range a, Range b) {
        if (a.min() >= 0 && b.min() >= 0) {
            return new Range(0, Math.min(a.max(), b.max()));
        }
        if (b.min() >= 0) {
            return new Range(0, b.max());
        }
        return a.min() >= 0 ? new Range(0, a.max()) : Range.ALL;
    }

    private static Range remainder(Range a, Range b) {
        if (b.min() < 1 || !b.bounded()) {
            return Range.ALL;
        }
        long most = b.max() - 1;
        return a.min() >= 0 ? new Range(0, Math.min(most, a.max())) : new Range(-most, a.max() <= 0 ? 0 : most);
    }

    private static long bitsOf(long value) {
        return value <= 0
                ? 0
                : Long.highestOneBit(value) == 1L << 62 ? Long.MAX_VALUE : (Long.highestOneBit(value) << 1) - 1;
    }

    /// The index form of a formula: affine where every term is a loop value.
    public static IndexForm index(LinearForm formula) {
        return index(formula, 1);
    }

    /// The index form of `formula / divisor`, the division being exact.
    public static IndexForm index(LinearForm formula, long divisor) {
        var coefficients = new java.util.TreeMap<String, Long>();
        for (Map.Entry<Atom, Long> e : formula.terms().entrySet()) {
            switch (e.getKey()) {
                case LoopValue v -> coefficients.put(v.loop(), e.getValue());
                case Unknown u -> {
                    return new IndexForm.NonAffine(u.reason());
                }
                case Applied a -> {
                    return new IndexForm.NonAffine(reason(a));
                }
            }
        }
        return new IndexForm.Affine(coefficients, formula.constant(), divisor);
    }

    private static String reason(Applied applied) {
        for (LinearForm o : applied.operands()) {
            for (Atom leaf : o.leaves()) {
                if (leaf instanceof Unknown u) {
                    return u.reason();
                }
            }
        }
        return switch (applied.operator()) {
            case MULTIPLY -> "product of loop variables";
            case DIVIDE -> "division of a loop variable";
            case REMAINDER -> "remainder of a loop variable";
            case SHIFT_LEFT, SHIFT_RIGHT -> "shift of or by a loop variable";
            case AND, OR, XOR -> "bit operation on a loop variable";
            case MIN, MAX -> "minimum or maximum of loop variables";
            case LESS, EQUAL -> "comparison of loop variables";
            case SELECT -> "chosen by a condition on loop variables";
        };
    }
}
