package knobscape.gpu.space.nest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IndexExprTest {
    private final List<Axis> axes = List.of(
            new Axis("a", 3, Axis.Binding.SERIAL),
            new Axis("b", 4, Axis.Binding.SERIAL),
            new Axis("c", 1, Axis.Binding.SERIAL),
            new Axis("d", 5, Axis.Binding.SERIAL));

    /// An expression and the same computed without simplification.
    private record Both(IndexExpr expr, java.util.function.ToLongFunction<Map<Axis, Long>> plain) {}

    private Both random(Random random, int depth) {
        if (depth == 0) {
            if (random.nextInt(4) == 0) {
                long k = random.nextInt(7);
                return new Both(IndexExpr.of(k), _ -> k);
            }
            Axis a = axes.get(random.nextInt(axes.size()));
            return new Both(IndexExpr.of(a), m -> m.get(a));
        }
        Both x = random(random, depth - 1);
        Both y = random(random, depth - 1);
        long k = 1L + random.nextInt(6);
        return switch (random.nextInt(5)) {
            case 0, 1 -> new Both(x.expr.plus(y.expr), m -> x.plain.applyAsLong(m) + y.plain.applyAsLong(m));
            case 2 -> new Both(x.expr.times(k), m -> x.plain.applyAsLong(m) * k);
            case 3 -> new Both(x.expr.dividedBy(k), m -> x.plain.applyAsLong(m) / k);
            default -> new Both(x.expr.modulo(k), m -> x.plain.applyAsLong(m) % k);
        };
    }

    /// Simplification changes no value, bounds hold, substitution is substitution, and a stride is a
    /// difference.
    @Test
    void simplificationKeepsEveryValue() {
        var random = new Random(8);
        for (int i = 0; i < 3000; i++) {
            Both e = random(random, 1 + random.nextInt(4));
            for (int k = 0; k < 12; k++) {
                var at = new HashMap<Axis, Long>();
                axes.forEach(a -> at.put(a, random.nextLong(a.extent())));
                long expected = e.plain.applyAsLong(at);
                assertThat(e.expr.value(at::get))
                        .as(e.expr::toString)
                        .isEqualTo(expected)
                        .isBetween(e.expr.min(), e.expr.max());
                Axis some = axes.get(random.nextInt(axes.size()));
                assertThat(e.expr.with(some, at.get(some)).value(at::get)).isEqualTo(expected);
                assertThat(e.expr.with(some, at.get(some)).uses(some)).isFalse();
            }
            var zero = new HashMap<Axis, Long>();
            axes.forEach(a -> zero.put(a, 0L));
            for (Axis a : axes) {
                if (a.extent() > 1) {
                    var one = new HashMap<>(zero);
                    one.put(a, 1L);
                    assertThat(e.expr.stride(a))
                            .as(e.expr + " along " + a)
                            .isEqualTo(e.plain.applyAsLong(one) - e.plain.applyAsLong(zero));
                }
            }
        }
    }

    @Test
    void whatIsAlwaysExactIsSimplified() {
        Axis i = axes.get(0);
        Axis j = axes.get(1);
        IndexExpr flat = IndexExpr.of(i).times(4).plus(j);

        assertThat(flat.dividedBy(4)).isEqualTo(IndexExpr.of(i));
        assertThat(flat.modulo(4)).isEqualTo(IndexExpr.of(j));
        assertThat(IndexExpr.of(axes.get(2))).isEqualTo(IndexExpr.ZERO);
        assertThat(IndexExpr.of(i).plus(IndexExpr.of(i).times(-1))).isEqualTo(IndexExpr.ZERO);
        assertThatThrownBy(() -> IndexExpr.of(i).plus(-1).dividedBy(2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void loopsAreUnrolledByTheRule() {
        Axis o = new Axis("o", 10, Axis.Binding.SERIAL);
        Axis m = new Axis("m", 4, Axis.Binding.SERIAL);
        Axis n = new Axis("n", 8, Axis.Binding.SERIAL);
        Axis t = new Axis("t", 32, Axis.Binding.THREAD_X);
        var sum = new Buffer("sum", Buffer.Scope.LOCAL, 32);
        var out = new Buffer("out", Buffer.Scope.GLOBAL, 32);
        IndexExpr at = IndexExpr.of(m).times(8).plus(n);
        NestStatement store = new NestStatement.Store(sum, at, new NestValue.Constant(1), true);
        for (int step : new int[] {0, 7, 8, 31, 32, 319, 320, 1500}) {
            NestStatement body = new NestStatement.Pragma(
                    new UnrollPolicy(step, true), List.of(NestStatement.nested(List.of(o, m, n), List.of(store))));
            UnrollPlan plan = UnrollPlan.of(
                    new LoopNest("k", List.of(out), List.of(sum), NestStatement.nested(List.of(t), List.of(body))));

            assertThat(plan.isUnrolled(n)).as("n at " + step).isEqualTo(step >= 8);
            assertThat(plan.isUnrolled(m)).as("m at " + step).isEqualTo(step >= 32);
            assertThat(plan.isUnrolled(o)).as("o at " + step).isEqualTo(step >= 320);
            assertThat(plan.isWrittenOut(n)).isEqualTo(step >= 8);
            assertThat(plan.isUnrolled(t)).isFalse();
        }
    }

    @Test
    void anAxisIsOneLoop() {
        Axis n = new Axis("n", 8, Axis.Binding.SERIAL);
        var out = new Buffer("out", Buffer.Scope.GLOBAL, 8);
        NestStatement store = new NestStatement.Store(out, IndexExpr.of(n), new NestValue.Constant(1), false);
        NestStatement twice = new NestStatement.Pragma(
                UnrollPolicy.NONE,
                List.of(new NestStatement.Loop(n, List.of(store)), new NestStatement.Loop(n, List.of(store))));

        assertThatThrownBy(() -> new LoopNest("k", List.of(out), List.of(), twice))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("n is looped over twice");
    }

    /// Against rules written out again, on random launches around the limits.
    @Test
    void validityAgreesWithThePlainRules() {
        var random = new Random(6);
        var rejections = new java.util.ArrayList<String>();
        DeviceLimits l = DeviceLimits.NVIDIA;
        int rejected = 0;
        for (int i = 0; i < 2000; i++) {
            long x = 1L << random.nextInt(12);
            long y = 1L << random.nextInt(4);
            long z = 1L << random.nextInt(8);
            long floats = random.nextInt(16000) + 1L;
            long blocks = random.nextInt(3) == 0 ? 70000 : 3;
            List<Axis> nest = List.of(
                    new Axis("bz", blocks, Axis.Binding.BLOCK_Z),
                    new Axis("tx", x, Axis.Binding.THREAD_X),
                    new Axis("ty", y, Axis.Binding.THREAD_Y),
                    new Axis("tz", z, Axis.Binding.THREAD_Z));
            var out = new Buffer("out", Buffer.Scope.GLOBAL, 1);
            var kernel = new LoopNest(
                    "k",
                    List.of(out),
                    List.of(new Buffer("s", Buffer.Scope.SHARED, floats)),
                    NestStatement.nested(
                            nest,
                            List.of(new NestStatement.Store(out, IndexExpr.ZERO, new NestValue.Constant(0), false))));
            boolean fine =
                    x * y * z <= 1024 && x <= 1024 && y <= 1024 && z <= 64 && floats * 4 <= 49152 && blocks <= 65535;
            assertThat(DeviceLimitCheck.check(List.of(kernel), l).isEmpty()).isEqualTo(fine);
            DeviceLimitCheck.check(List.of(kernel), l).ifPresent(rejections::add);
            rejected += fine ? 0 : 1;
        }
        assertThat(rejections).hasSize(rejected);
        assertThat(rejections)
                .extracting(r -> r.replaceAll("\\d+", "N"))
                .containsOnly(
                        "Kernel k asks for N threads per block, the device allows N.",
                        "Kernel k asks for N threads in dimension z, the device allows N.",
                        "Kernel k needs N bytes of shared memory per block, the device has N.",
                        "Kernel k asks for N blocks in dimension z, the device allows N.");
    }
}
