package knobscape.hls.rtl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.LongBinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Operators give what Java's arithmetic gives, at every clock, on random and on awkward operands.
class OperatorCoresTest {
    private static final int VECTORS = 20_000;
    private static final long[] AWKWARD = {
        0,
        0x80000000L,
        0x3F800000,
        0xBF800000L,
        0x7F800000,
        0xFF800000L,
        0x7FC00000,
        0x7F7FFFFF,
        0xFF7FFFFFL,
        0x00800000,
        0x80800000L,
        0x00FFFFFF,
        0x00000001,
        0x807FFFFFL,
        0x4B800000,
        0x4B7FFFFF,
        0x34000000,
        0x33800000,
        0x3F7FFFFF
    };

    private record Case(StagedCore core, LongBinaryOperator expected, boolean real) {}

    @TestFactory
    Stream<DynamicTest> everyClock() {
        return Stream.of(
                        new Case(FloatCores.add(), reals((a, b) -> (double) a + b), true),
                        new Case(FloatCores.multiply(), reals((a, b) -> (double) a * b), true),
                        new Case(FloatCores.divide(), reals((a, b) -> (double) a / b), true),
                        new Case(FloatCores.squareRoot(), reals((a, _) -> Math.sqrt(a)), true),
                        new Case(FloatCores.fromWhole(true), (a, _) -> bits((int) a), true),
                        new Case(FloatCores.fromWhole(false), (a, _) -> bits(a & 0xFFFFFFFFL), true),
                        new Case(
                                FloatCores.toWhole(),
                                (a, _) -> (int) Float.intBitsToFloat((int) a) & 0xFFFFFFFFL,
                                true),
                        new Case(WholeCores.multiply(32, 32, 32), (a, b) -> a * b, false),
                        new Case(WholeCores.multiply(24, 12, 18), (a, b) -> signed(a, 12) * signed(b, 18), false),
                        new Case(WholeCores.multiply(64, 33, 40), (a, b) -> signed(a, 33) * signed(b, 40), false),
                        new Case(WholeCores.divide(32, true, false), (a, b) -> (int) a / divisor(b), false),
                        new Case(WholeCores.divide(32, true, true), (a, b) -> (int) a % divisor(b), false),
                        new Case(WholeCores.divide(9, false, false), (a, b) -> (a & 511) / Math.max(1, b & 511), false),
                        new Case(WholeCores.divide(9, false, true), (a, b) -> (a & 511) % Math.max(1, b & 511), false))
                .flatMap(c -> Stream.of(5.4, 8.4, 18.4)
                        .map(t -> DynamicTest.dynamicTest(c.core().name() + " at " + t, () -> check(c, t))));
    }

    private static int divisor(long b) {
        return (int) b == 0 ? 1 : (int) b;
    }

    private static long signed(long x, int width) {
        return x << (64 - width) >> (64 - width);
    }

    private interface Real {
        double of(float a, float b);
    }

    private static LongBinaryOperator reals(Real f) {
        // What is below the least normal number after rounding counts as zero; rounding twice is exact here.
        return (a, b) -> {
            double exact = f.of(flushed(a), flushed(b));
            boolean tiny = Math.abs((float) (exact * 0x1p64)) < 0x1p-62F;
            return bits(tiny ? Math.copySign(0F, (float) exact) : (float) exact);
        };
    }

    private static float flushed(long bits) {
        return (bits & 0x7F800000) == 0
                ? Float.intBitsToFloat((int) bits & 0x80000000)
                : Float.intBitsToFloat((int) bits);
    }

    private static long bits(float x) {
        int b = Float.floatToIntBits(x);
        return ((b & 0x7F800000) == 0 ? b & 0x80000000 : b) & 0xFFFFFFFFL;
    }

    private static void check(Case c, double budget) {
        StagedCore.Timing timing = c.core().timing(budget);
        var s = new RtlSimulator(c.core().module("core", timing));
        int latency = timing.latency();
        var random = new SplittableRandom(7);
        long[] expected = new long[VECTORS + latency];
        boolean two = c.core().inputs().size() == 2;
        boolean divides = c.core().name().contains("div") || c.core().name().contains("rem");
        for (int i = 0; i < VECTORS + latency; i++) {
            long a = operand(random, c.real(), i);
            long b = operand(random, c.real(), i / AWKWARD.length);
            if (!c.real() && divides) {
                int w = c.core().inputs().get(1).width();
                b = Expr.mask(b, w) == 0 ? 1 : b >>> random.nextInt(w);
                b = Expr.mask(b, w) == 0 ? 1 : b;
            }
            if (c.core().name().equals("fptosi") && !(Math.abs(Float.intBitsToFloat((int) a)) < 0x1p31F)) {
                a = 0xBFC00000L;
            }
            s.set("a", a);
            if (two) {
                s.set("b", b);
            }
            expected[i] = Expr.mask(c.expected().applyAsLong(a, b), c.core().width());
            if (i >= latency) {
                assertThat(s.get(StagedCore.RESULT))
                        .as("%s of vector %d", c.core().name(), i - latency)
                        .isEqualTo(expected[i - latency]);
            }
            s.clock();
        }
    }

    private static long operand(SplittableRandom random, boolean real, int i) {
        if (!real) {
            return random.nextLong() >> random.nextInt(64);
        }
        if (i < AWKWARD.length * AWKWARD.length) {
            return AWKWARD[i % AWKWARD.length];
        }
        // Exponents near one another, so that sums cancel and round.
        int exponent = random.nextInt(4) == 0 ? random.nextInt(256) : 120 + random.nextInt(16);
        return (random.nextInt() & 0x807FFFFFL) | (long) exponent << 23;
    }
}
