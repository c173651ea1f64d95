package knobscape.app.ui.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class TaskTest {

    /// Time that a test moves by hand.
    private static final class Clockwork implements Background {
        private final Queue<Runnable> now = new ConcurrentLinkedQueue<>();
        private final List<Long> delays = new ArrayList<>();
        private final List<Runnable> waiting = new ArrayList<>();

        @Override
        public <T> void compute(Callable<T> work, Consumer<? super T> then, Consumer<? super Exception> failed) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void away(Runnable action) {
            now.add(action);
        }

        @Override
        public void onScreen(Runnable action) {
            action.run();
        }

        @Override
        public void later(long millis, Runnable action) {
            delays.add(millis);
            waiting.add(action);
        }

        void tick() {
            List<Runnable> due = List.copyOf(waiting);
            waiting.clear();
            due.forEach(Runnable::run);
        }

        void work() {
            for (Runnable r = now.poll(); r != null; r = now.poll()) {
                r.run();
            }
        }
    }

    @Test
    void aHundredThousandEventsInOneIntervalAreOneBatch() {
        var clock = new Clockwork();
        var batches = new ArrayList<List<Integer>>();
        var batch = new EventBatch<Integer>(clock, b -> () -> batches.add(b));
        for (int i = 0; i < 100_000; i++) {
            batch.add(i);
        }
        assertThat(clock.waiting).hasSize(1);
        clock.tick();
        assertThat(batches).hasSize(1);
        assertThat(batches.getFirst()).hasSize(100_000).startsWith(0, 1, 2);
        clock.work();
        assertThat(clock.waiting).isEmpty();
        assertThat(clock.delays).allMatch(d -> d * 30 >= 1000);
    }

    @Test
    void eventsThatArriveWhileABatchIsHandledMakeTheNextOne() {
        var clock = new Clockwork();
        var batches = new ArrayList<List<Integer>>();
        var holder = new ArrayList<EventBatch<Integer>>();
        holder.add(new EventBatch<>(clock, b -> {
            batches.add(b);
            if (b.getFirst() == 1) {
                holder.getFirst().add(2);
                holder.getFirst().add(3);
            }
            return () -> {};
        }));
        holder.getFirst().add(1);
        clock.tick();
        assertThat(clock.waiting).isEmpty();
        clock.work();
        assertThat(clock.waiting).hasSize(1);
        clock.tick();
        assertThat(batches).containsExactly(List.of(1), List.of(2, 3));
    }

    @Test
    void theLongerTheScreenIsBusyTheLongerTheNextBatchWaits() {
        var clock = new Clockwork();
        long[] nanos = {0};
        long[] busyMillis = {100};
        var shown = new ArrayList<List<Integer>>();
        var batch = new EventBatch<Integer>(
                clock,
                b -> () -> {
                    shown.add(b);
                    nanos[0] += busyMillis[0] * 1_000_000;
                },
                () -> nanos[0]);
        for (int i = 0; i < 3; i++) {
            batch.add(i);
            clock.tick();
            batch.add(10 + i);
            clock.work();
            busyMillis[0] *= 1_000;
        }
        assertThat(clock.delays).containsExactly(34L, 400L, 1_000L, 1_000L);
        assertThat(shown).containsExactly(List.of(0), List.of(10, 1), List.of(11, 2));
    }

    @Test
    void aFoldThatFailsDoesNotEndTheBatches() {
        var clock = new Clockwork();
        var shown = new ArrayList<List<Integer>>();
        var batch = new EventBatch<Integer>(clock, b -> {
            if (b.contains(1)) {
                throw new IllegalStateException("no");
            }
            return () -> shown.add(b);
        });
        batch.add(1);
        org.assertj.core.api.Assertions.assertThatIllegalStateException().isThrownBy(clock::tick);
        batch.add(2);
        clock.tick();
        assertThat(shown).containsExactly(List.of(2));
    }

    @Test
    void onlyTheNewestRequestIsWorkedOn() {
        var clock = new Clockwork();
        var done = new ArrayList<Integer>();
        var made = new ArrayList<Integer>();
        var latest = new LatestTask<Integer>(clock, done::add, e -> {});
        for (int i = 0; i < 50; i++) {
            int request = i;
            latest.submit(() -> {
                made.add(request);
                return request;
            });
        }
        clock.work();
        assertThat(made).containsExactly(49);
        assertThat(done).containsExactly(49);
        latest.submit(() -> 50);
        clock.work();
        assertThat(done).containsExactly(49, 50);
    }

    @Test
    void failedRequestIsToldAndTheNextOneStillWorks() {
        var clock = new Clockwork();
        var done = new ArrayList<Integer>();
        var failed = new ArrayList<Exception>();
        var latest = new LatestTask<Integer>(clock, done::add, failed::add);
        latest.submit(() -> {
            throw new IllegalStateException("no");
        });
        clock.work();
        latest.submit(() -> 1);
        clock.work();
        assertThat(failed).singleElement().satisfies(e -> assertThat(e).hasMessage("no"));
        assertThat(done).containsExactly(1);
    }

    @Test
    void stoppedRequestIsNoFailure() {
        var clock = new Clockwork();
        var done = new ArrayList<Integer>();
        var failed = new ArrayList<Exception>();
        var latest = new LatestTask<Integer>(clock, done::add, failed::add);
        latest.submit(() -> {
            throw new CancellationException("the window closes");
        });
        clock.work();
        latest.submit(() -> 1);
        clock.work();
        assertThat(failed).isEmpty();
        assertThat(done).containsExactly(1);
    }
}
