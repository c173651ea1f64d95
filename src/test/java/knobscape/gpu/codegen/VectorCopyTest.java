package knobscape.gpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.IndexBound;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.task.Workload;
import org.junit.jupiter.api.Test;

/// One access of several words stands only for a loop that does the same.
class VectorCopyTest {
    private static final Buffer FROM = new Buffer("from", Buffer.Scope.GLOBAL, 4096);
    private static final Buffer TO = new Buffer("to", Buffer.Scope.SHARED, 4096);
    private final Axis lane = new Axis("lane", 4, Axis.Binding.VECTORIZED);
    private final Axis thread = new Axis("thread", 32, Axis.Binding.THREAD_X);

    private boolean isOne(IndexExpr at, IndexExpr from, IndexBound... guards) {
        var store = new NestStatement.Store(TO, at, new NestValue.Load(FROM, from), false);
        List<NestStatement> body =
                guards.length == 0 ? List.of(store) : List.of(new NestStatement.Guard(List.of(guards), List.of(store)));
        return VectorCopy.of(new NestStatement.Loop(lane, body), UnaryOperator.identity())
                .isPresent();
    }

    private IndexExpr position() {
        return IndexExpr.of(thread).times(4).plus(lane);
    }

    @Test
    void neighboursAtAMultipleOfTheLanesAreOneAccess() {
        IndexExpr rows = position().dividedBy(16).times(64).plus(position().modulo(16));

        assertThat(isOne(position(), rows)).isTrue();
        assertThat(isOne(position(), rows, new IndexBound(position(), 100))).isTrue();
        assertThat(isOne(position(), rows.plus(8))).isTrue();
    }

    @Test
    void othersStayALoop() {
        assertThat(isOne(position(), position().times(2))).as("a stride").isFalse();
        assertThat(isOne(position(), position().plus(1))).as("not aligned").isFalse();
        assertThat(isOne(
                        position(),
                        position().dividedBy(6).times(64).plus(position().modulo(6))))
                .as("rows that end between the lanes")
                .isFalse();
        assertThat(isOne(
                        position(),
                        position().dividedBy(16).times(66).plus(position().modulo(16))))
                .as("rows that do not begin aligned")
                .isFalse();
        assertThat(isOne(position(), position(), new IndexBound(position(), 102)))
                .as("a bound between the lanes")
                .isFalse();
        assertThat(isOne(position(), IndexExpr.of(thread).times(4)))
                .as("one for all")
                .isFalse();
    }

    @Test
    void inSketchesEveryLaneIsWhereTheLoopHasIt() {
        var random = new Random(3);
        int found = 0;
        for (Workload w : WorkSamples.sketched()) {
            SketchSource source = SketchSource.of(w).orElseThrow();
            for (int i = 0; i < 8; i++) {
                Schedule s = WorkSamples.valid(source, WorkSamples.epilogues(w).getFirst(), random);
                for (LoopNest nest : s.all()) {
                    var loops = new ArrayList<NestStatement.Loop>();
                    collect(nest.body(), loops);
                    for (NestStatement.Loop l : loops) {
                        var copy = VectorCopy.of(l, UnaryOperator.identity());
                        found += copy.isPresent() ? 1 : 0;
                        copy.ifPresent(c -> check(nest, l, c, random));
                    }
                }
            }
        }
        assertThat(found).isGreaterThan(10);
    }

    private static void collect(NestStatement s, List<NestStatement.Loop> loops) {
        switch (s) {
            case NestStatement.Loop l -> {
                loops.add(l);
                l.body().forEach(b -> collect(b, loops));
            }
            case NestStatement.Guard g -> g.body().forEach(b -> collect(b, loops));
            case NestStatement.Pragma p -> p.body().forEach(b -> collect(b, loops));
            case NestStatement.Store _, NestStatement.Barrier _, NestStatement.Fragment _ -> {}
        }
    }

    private static void check(LoopNest nest, NestStatement.Loop loop, VectorCopy copy, Random random) {
        boolean guarded = loop.body().getFirst() instanceof NestStatement.Guard;
        List<IndexBound> guards = guarded ? ((NestStatement.Guard) loop.body().getFirst()).conditions() : List.of();
        var store = (NestStatement.Store)
                (guarded
                        ? ((NestStatement.Guard) loop.body().getFirst()).body().getFirst()
                        : loop.body().getFirst());
        var load = (NestValue.Load) store.value();
        for (int k = 0; k < 20; k++) {
            Map<Axis, Long> at = new HashMap<>();
            nest.axes().forEach(a -> at.put(a, random.nextLong(a.extent())));
            at.put(loop.axis(), 0L);
            long to = copy.at().value(at::get);
            long from = copy.first().value(at::get);
            assertThat(to % copy.lanes()).isZero();
            assertThat(from % copy.lanes()).isZero();
            boolean runs = holds(copy.conditions(), at);
            for (long v = 0; v < copy.lanes(); v++) {
                at.put(loop.axis(), v);
                assertThat(store.index().value(at::get)).isEqualTo(to + v);
                assertThat(load.index().value(at::get)).isEqualTo(from + v);
                assertThat(holds(guards, at)).isEqualTo(runs);
            }
        }
    }

    private static boolean holds(List<IndexBound> conditions, Map<Axis, Long> at) {
        return conditions.stream().allMatch(c -> {
            long v = c.index().value(at::get);
            return v >= 0 && v < c.limit();
        });
    }
}
