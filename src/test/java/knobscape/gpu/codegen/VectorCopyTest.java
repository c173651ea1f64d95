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
import knobscape.gpu.space.nest.Condition;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.Statement;
import knobscape.gpu.space.nest.Value;
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

    private boolean isOne(IndexExpr at, IndexExpr from, Condition... guards) {
        var store = new Statement.Store(TO, at, new Value.Load(FROM, from), false);
        List<Statement> body =
                guards.length == 0 ? List.of(store) : List.of(new Statement.Guard(List.of(guards), List.of(store)));
        return VectorCopy.of(new Statement.Loop(lane, body), UnaryOperator.identity())
                .isPresent();
    }

    private IndexExpr position() {
        return IndexExpr.of(thread).times(4).plus(lane);
    }

    @Test
    void neighboursAtAMultipleOfTheLanesAreOneAccess() {
        IndexExpr rows = position().dividedBy(16).times(64).plus(position().modulo(16));

        assertThat(isOne(position(), rows)).isTrue();
        assertThat(isOne(position(), rows, new Condition(position(), 100))).isTrue();
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
        assertThat(isOne(position(), position(), new Condition(position(), 102)))
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
        for (Workload w : Samples.sketched()) {
            SketchSource source = SketchSource.of(w).orElseThrow();
            for (int i = 0; i < 8; i++) {
                Schedule s = Samples.valid(source, Samples.epilogues(w).getFirst(), random);
                for (LoopNest nest : s.all()) {
                    var loops = new ArrayList<Statement.Loop>();
                    collect(nest.body(), loops);
                    for (Statement.Loop l : loops) {
                        var copy = VectorCopy.of(l, UnaryOperator.identity());
                        found += copy.isPresent() ? 1 : 0;
                        copy.ifPresent(c -> check(nest, l, c, random));
                    }
                }
            }
        }
        assertThat(found).isGreaterThan(10);
    }

    private static void collect(Statement s, List<Statement.Loop> loops) {
        switch (s) {
            case Statement.Loop l -> {
                loops.add(l);
                l.body().forEach(b -> collect(b, loops));
            }
            case Statement.Guard g -> g.body().forEach(b -> collect(b, loops));
            case Statement.Pragma p -> p.body().forEach(b -> collect(b, loops));
            case Statement.Store _, Statement.Barrier _ -> {}
        }
    }

    private static void check(LoopNest nest, Statement.Loop loop, VectorCopy copy, Random random) {
        boolean guarded = loop.body().getFirst() instanceof Statement.Guard;
        List<Condition> guards = guarded ? ((Statement.Guard) loop.body().getFirst()).conditions() : List.of();
        var store = (Statement.Store)
                (guarded
                        ? ((Statement.Guard) loop.body().getFirst()).body().getFirst()
                        : loop.body().getFirst());
        var load = (Value.Load) store.value();
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

    private static boolean holds(List<Condition> conditions, Map<Axis, Long> at) {
        return conditions.stream().allMatch(c -> {
            long v = c.index().value(at::get);
            return v >= 0 && v < c.limit();
        });
    }
}
