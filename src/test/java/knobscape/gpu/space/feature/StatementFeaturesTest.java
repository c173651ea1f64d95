package knobscape.gpu.space.feature;

import static knobscape.gpu.space.feature.StatementFeatures.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Axis.Binding;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.Buffer.Scope;
import knobscape.gpu.space.nest.IndexBound;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.nest.UnrollPolicy;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import org.junit.jupiter.api.Test;

/// Three small nests computed by hand, and what features must not depend on.
class StatementFeaturesTest {
    private static final double NONE = 0;

    /// The raw values of a statement, in the order of the features; `log` is applied as 7.5 says.
    private static double[] expected(
            double[] operations,
            double[] launch,
            double[][] accesses,
            double[] intensity,
            double[] allocation,
            double[] scope) {
        double[] all = new double[StatementFeatures.LENGTH];
        int at = 0;
        for (double o : operations) {
            all[at++] = log(o);
        }
        for (int annotation = 0; annotation < 3; annotation++) {
            // Number, product and length are 0, the position is the first of eight: none.
            all[at + 3] = 1;
            at += 11;
        }
        all[at++] = 1;
        for (double l : launch) {
            all[at++] = log(l);
        }
        for (double[] a : accesses) {
            for (int k = 0; k < 18; k++) {
                boolean oneHot = k < 3 || (k >= 7 && k < 10);
                all[at + k] = oneHot ? a[k] : log(a[k]);
            }
            at += 18;
        }
        at += (5 - accesses.length) * 18;
        for (double v : intensity) {
            all[at++] = v;
        }
        for (double v : allocation) {
            all[at++] = log(v);
        }
        for (double v : scope) {
            all[at++] = log(v);
        }
        return all;
    }

    /// Float: multiply-add, add, multiply, divide, compare, function, other; the same of integers; bool, select.
    private static double[] operations(double times, double... counts) {
        return Arrays.stream(counts).map(c -> c * times).toArray();
    }

    private static double[] access(
            int type,
            double bytes,
            double unique,
            double lines,
            double uniqueLines,
            int reuse,
            double iterations,
            double distance,
            double count,
            double stride) {
        double d = count > 0 ? 1 / count : 2;
        double[] a = new double[18];
        a[type] = 1;
        a[3] = bytes;
        a[4] = unique;
        a[5] = lines;
        a[6] = uniqueLines;
        a[7 + reuse] = 1;
        a[10] = iterations;
        a[11] = distance;
        a[12] = count;
        a[13] = bytes * d;
        a[14] = unique * d;
        a[15] = lines * d;
        a[16] = uniqueLines * d;
        a[17] = stride;
        return a;
    }

    private static double log2(double x) {
        return Math.log(x) / Math.log(2);
    }

    /// Interpolated between the levels of (operations, bytes), innermost first.
    private static double[] curve(double[]... levels) {
        double[] curve = new double[10];
        double most = log2(levels[levels.length - 1][0]);
        for (int s = 0; s < 10; s++) {
            double x = most * (s + 1) / 10;
            int at = 0;
            while (at < levels.length - 1 && log2(levels[at][0]) < x) {
                at++;
            }
            double there = log2(levels[at][0]) / log2(levels[at][1]);
            if (at == 0) {
                curve[s] = there;
            } else {
                double before = log2(levels[at - 1][0]) / log2(levels[at - 1][1]);
                double share = (x - log2(levels[at - 1][0])) / (log2(levels[at][0]) - log2(levels[at - 1][0]));
                curve[s] = before + share * (there - before);
            }
        }
        return curve;
    }

    private static void assertRow(double[] actual, double[] expected) {
        assertThat(actual).hasSize(StatementFeatures.LENGTH);
        for (int i = 0; i < actual.length; i++) {
            assertThat(actual[i]).as("feature " + i).isCloseTo(expected[i], within(1e-9));
        }
    }

    private static Buffer global(String name, long elements) {
        return new Buffer(name, Scope.GLOBAL, elements);
    }

    @Test
    void sumOfTwoVectors() {
        var b = new Axis("b", 4, Binding.BLOCK_X);
        var t = new Axis("t", 32, Binding.THREAD_X);
        Buffer x = global("x", 128);
        Buffer y = global("y", 128);
        Buffer z = global("z", 128);
        IndexExpr i = IndexExpr.of(b).times(32).plus(t);
        var nest = new LoopNest(
                "sum",
                List.of(x, y, z),
                List.of(),
                NestStatement.nested(
                        List.of(b, t),
                        List.of(new NestStatement.Store(
                                z, i, NestValue.add(new NestValue.Load(x, i), new NestValue.Load(y, i)), false))));

        List<double[]> rows = StatementFeatures.rows(List.of(nest));

        assertThat(rows).hasSize(1);
        assertRow(
                rows.getFirst(),
                expected(
                        operations(128, 0, 1, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0),
                        new double[] {4, 1, 1, 32, 1, 1, 1},
                        new double[][] {
                            access(0, 512, 512, 8, 8, 2, NONE, NONE, NONE, 1),
                            access(0, 512, 512, 8, 8, 2, NONE, NONE, NONE, 1),
                            access(1, 512, 512, 8, 8, 2, NONE, NONE, NONE, 1)
                        },
                        curve(new double[] {32, 384}, new double[] {128, 1536}),
                        new double[] {512, 128, 1, 128},
                        new double[] {128, 2, 0}));
    }

    @Test
    void matrixTimesVector() {
        var t = new Axis("t", 8, Binding.THREAD_X);
        var k = new Axis("k", 16, Binding.SERIAL);
        Buffer a = global("a", 128);
        Buffer w = global("w", 16);
        Buffer out = global("out", 8);
        var acc = new Buffer("acc", Scope.LOCAL, 1);
        IndexExpr zero = IndexExpr.ZERO;
        var update = new NestStatement.Store(
                acc,
                zero,
                NestValue.multiply(
                        new NestValue.Load(a, IndexExpr.of(t).times(16).plus(k)),
                        new NestValue.Load(w, IndexExpr.of(k))),
                true);
        var nest = new LoopNest(
                "gemv",
                List.of(a, w, out),
                List.of(acc),
                new NestStatement.Loop(
                        t,
                        List.of(
                                new NestStatement.Store(acc, zero, new NestValue.Constant(0), false),
                                new NestStatement.Pragma(
                                        new UnrollPolicy(16, true),
                                        List.of(new NestStatement.Loop(k, List.of(update)))),
                                new NestStatement.Store(
                                        out,
                                        IndexExpr.of(t),
                                        new NestValue.Binary(
                                                NestValue.Operator.MAX,
                                                new NestValue.Load(acc, zero),
                                                new NestValue.Constant(0)),
                                        false))));

        List<double[]> rows = StatementFeatures.rows(List.of(nest));

        assertThat(rows).hasSize(2);
        assertRow(
                rows.getFirst(),
                expected(
                        operations(128, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0),
                        new double[] {1, 1, 1, 8, 1, 1, 1},
                        new double[][] {
                            access(0, 512, 512, 8, 8, 2, NONE, NONE, NONE, 1),
                            access(0, 512, 64, 8, 1, 0, 16, 132, 8, 1),
                            access(2, 512, 4, 1, 1, 0, 1, 12, 16, 0)
                        },
                        curve(new double[] {32, 132}, new double[] {256, 580}),
                        new double[] {4, 8, 8, 16},
                        new double[] {128, 2, 16}));
        assertRow(
                rows.getLast(),
                expected(
                        operations(8, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                        new double[] {1, 1, 1, 8, 1, 1, 1},
                        new double[][] {
                            access(0, 32, 4, 1, 1, 0, 1, 24, 8, 0), access(1, 32, 32, 1, 1, 2, NONE, NONE, NONE, 1)
                        },
                        curve(new double[] {8, 36}),
                        new double[] {32, 8, 1, 8},
                        new double[] {8, 1, 0}));
    }

    @Test
    void slidingWindowWithPadding() {
        var b = new Axis("b", 2, Binding.BLOCK_X);
        var v = new Axis("v", 2, Binding.VTHREAD);
        var t = new Axis("t", 4, Binding.THREAD_X);
        var x = new Axis("x", 2, Binding.SERIAL);
        var r = new Axis("r", 3, Binding.SERIAL);
        Buffer d = global("d", 32);
        Buffer y = global("y", 32);
        IndexExpr at = IndexExpr.of(b)
                .times(16)
                .plus(IndexExpr.of(v).times(8))
                .plus(IndexExpr.of(t).times(2))
                .plus(x);
        IndexExpr from = at.plus(r).plus(-1);
        var nest = new LoopNest(
                "window",
                List.of(d, y),
                List.of(),
                NestStatement.nested(
                        List.of(b, v, t, x, r),
                        List.of(new NestStatement.Store(
                                y, at, new NestValue.Load(d, from, List.of(new IndexBound(from, 32))), true))));

        List<double[]> rows = StatementFeatures.rows(List.of(nest));

        assertRow(
                rows.getFirst(),
                expected(
                        operations(96, 0, 1, 0, 0, 0, 1, 0, 0, 10, 6, 0, 2, 0, 0, 1, 0),
                        new double[] {2, 1, 1, 4, 1, 1, 2},
                        new double[][] {
                            access(0, 384, 128, 6, 2, 2, NONE, NONE, NONE, 1), access(2, 384, 128, 2, 2, 0, 1, 8, 3, 0)
                        },
                        curve(
                                new double[] {6, 16},
                                new double[] {12, 24},
                                new double[] {48, 72},
                                new double[] {96, 136},
                                new double[] {192, 256}),
                        new double[] {128, 32, 1, 96},
                        new double[] {96, 5, 0}));
    }

    private static Stream<LoopNest> drawn(int count) {
        var work = new Workload.Dense(ElementType.FLOAT32, 48, 96, 64);
        SketchSource source = SketchSource.of(work).orElseThrow();
        var random = new SplittableRandom(3);
        return Stream.generate(
                        () -> source.schedule(source.space().draw(random)).main())
                .limit(count);
    }

    @Test
    void namesAndTheOrderOfBuffersDoNotCount() {
        drawn(40).forEach(nest -> {
            LoopNest other = new Renamed().of(nest);
            List<double[]> expected = StatementFeatures.rows(List.of(nest));
            List<double[]> actual = StatementFeatures.rows(List.of(other));
            assertThat(actual).hasSameSizeAs(expected);
            for (int i = 0; i < actual.size(); i++) {
                assertRow(actual.get(i), expected.get(i));
            }
        });
    }

    @Test
    void fourStatementsStandOneAfterTheOther() {
        drawn(5).forEach(nest -> {
            List<double[]> rows = StatementFeatures.rows(List.of(nest));
            float[] joined = StatementFeatures.joined(rows);
            assertThat(joined).hasSize(656);
            assertThat(rows).hasSizeLessThanOrEqualTo(4);
            for (int i = 0; i < joined.length; i++) {
                int row = i / StatementFeatures.LENGTH;
                assertThat(joined[i])
                        .isEqualTo(row < rows.size() ? (float) rows.get(row)[i % StatementFeatures.LENGTH] : 0);
            }
        });
    }

    /// A nest with other names, its buffers listed backwards, sums and products with their operands exchanged.
    private static final class Renamed {
        private final IdentityHashMap<Axis, Axis> axes = new IdentityHashMap<>();
        private final Map<Buffer, Buffer> buffers = new HashMap<>();

        LoopNest of(LoopNest nest) {
            return new LoopNest(
                    "other",
                    nest.parameters().reversed().stream().map(this::buffer).toList(),
                    nest.allocations().reversed().stream().map(this::buffer).toList(),
                    statement(nest.body()));
        }

        private Buffer buffer(Buffer b) {
            return buffers.computeIfAbsent(b, _ -> new Buffer("z" + (99 - buffers.size()), b.scope(), b.elements()));
        }

        private Axis axis(Axis a) {
            return axes.computeIfAbsent(a, _ -> new Axis("q" + (999 - axes.size()), a.extent(), a.binding()));
        }

        private IndexExpr index(IndexExpr e) {
            return e.substitute(a -> IndexExpr.of(axis(a)));
        }

        private List<IndexBound> conditions(List<IndexBound> all) {
            return all.stream()
                    .map(c -> new IndexBound(index(c.index()), c.limit()))
                    .toList();
        }

        private List<NestStatement> body(List<NestStatement> all) {
            return all.stream().map(this::statement).toList();
        }

        private NestStatement statement(NestStatement s) {
            return switch (s) {
                case NestStatement.Loop l -> new NestStatement.Loop(axis(l.axis()), body(l.body()));
                case NestStatement.Guard g -> new NestStatement.Guard(conditions(g.conditions()), body(g.body()));
                case NestStatement.Pragma p -> new NestStatement.Pragma(p.policy(), body(p.body()));
                case NestStatement.Barrier b -> b;
                case NestStatement.Fragment _ -> throw new AssertionError("sketches have no fragments");
                case NestStatement.Store st ->
                    new NestStatement.Store(buffer(st.buffer()), index(st.index()), value(st.value()), st.accumulate());
            };
        }

        private NestValue value(NestValue v) {
            return switch (v) {
                case NestValue.Load l ->
                    new NestValue.Load(buffer(l.buffer()), index(l.index()), conditions(l.conditions()));
                case NestValue.Constant c -> c;
                case NestValue.Unary u -> new NestValue.Unary(u.function(), value(u.of()));
                case NestValue.Select s ->
                    new NestValue.Select(conditions(s.conditions()), value(s.then()), value(s.otherwise()));
                case NestValue.Binary b ->
                    b.operator() == NestValue.Operator.SUBTRACT
                            ? new NestValue.Binary(b.operator(), value(b.left()), value(b.right()))
                            : new NestValue.Binary(b.operator(), value(b.right()), value(b.left()));
            };
        }
    }
}
