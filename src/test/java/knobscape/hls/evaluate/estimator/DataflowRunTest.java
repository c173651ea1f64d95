package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DataflowRunTest {
    private static QueueUse use(int queue, boolean writes, double first, int times, int apart) {
        return new QueueUse(queue, writes, first, List.of(new QueueUse.Round(times, apart)));
    }

    /// A fork whose long branch holds words back: the short one needs room for them, else all stands still.
    @Test
    void aQueueBesideALongWayMustHoldWhatTheWayHolds() {
        List<DataflowRun.Task> tasks = List.of(
                new DataflowRun.Task(102, List.of(), List.of(use(0, true, 1, 100, 1), use(1, true, 1, 100, 1))),
                new DataflowRun.Task(132, List.of(), List.of(use(0, false, 1, 100, 1), use(2, true, 31, 100, 1))),
                new DataflowRun.Task(102, List.of(), List.of(use(1, false, 1, 100, 1), use(2, false, 1, 100, 1))));
        var shallow = new DataflowRun(tasks, Map.of(0, 2, 1, 2, 2, 2));
        var deep = new DataflowRun(tasks, Map.of(0, 2, 1, 64, 2, 2));
        // a task that waits stands still with all that is in its pipeline
        assertThat(shallow.isStuck()).isTrue();
        assertThat(deep.queues().get(1).full()).isZero();
        assertThat(deep.end[2]).isLessThan(140);
        // as many words as cycles pass on the long way
        assertThat(deep.queues().get(1).most()).isBetween(29L, 34L);
    }

    /// All words of one queue before the first of another, taken in turns: for ever with little room.
    @Test
    void tasksThatWaitForOneAnotherAreFound() {
        List<DataflowRun.Task> tasks = List.of(
                new DataflowRun.Task(201, List.of(), List.of(use(0, true, 1, 100, 1), use(1, true, 101, 100, 1))),
                new DataflowRun.Task(101, List.of(), List.of(use(0, false, 1, 100, 1), use(1, false, 1, 100, 1))));
        assertThat(new DataflowRun(tasks, Map.of(0, 2, 1, 2)).isStuck()).isTrue();
        var enough = new DataflowRun(tasks, Map.of(0, 100, 1, 2));
        assertThat(enough.isStuck()).isFalse();
        assertThat(enough.queues().get(0).most()).isEqualTo(100);
    }

    @Test
    void itRunsAsOneThatLooksAtEveryCycle() {
        var random = new Random(7);
        int stuck = 0;
        for (int n = 0; n < 150; n++) {
            var tasks = new ArrayList<DataflowRun.Task>();
            var uses = new ArrayList<List<QueueUse>>();
            int count = 2 + random.nextInt(3);
            for (int t = 0; t < count; t++) {
                uses.add(new ArrayList<>());
            }
            var depths = new HashMap<Integer, Integer>();
            int queues = 1 + random.nextInt(4);
            for (int q = 0; q < queues; q++) {
                int from = random.nextInt(count - 1);
                int to = from + 1 + random.nextInt(count - from - 1);
                int outer = 1 + random.nextInt(3);
                int inner = 1 + random.nextInt(12);
                uses.get(from).add(any(random, q, true, inner, outer));
                uses.get(to).add(any(random, q, false, outer, inner));
                depths.put(q, 1 + random.nextInt(8));
            }
            for (int t = 0; t < count; t++) {
                double cycles = uses.get(t).stream()
                                .mapToDouble(u -> u.at((long) u.words() - 1))
                                .max()
                                .orElse(5)
                        + 1
                        + random.nextInt(5);
                tasks.add(new DataflowRun.Task(
                        cycles, t > 1 && random.nextInt(4) == 0 ? List.of(random.nextInt(t)) : List.of(), uses.get(t)));
            }
            var run = new DataflowRun(tasks, depths);
            double[] ends = everyCycle(tasks, depths);
            assertThat(run.isStuck()).as(tasks + " " + depths).isEqualTo(ends.length == 0);
            if (ends.length > 0) {
                assertThat(run.end).as(tasks + " " + depths).containsExactly(ends, within(1e-9));
            } else {
                stuck++;
            }
        }
        assertThat(stuck).isBetween(5, 100);
    }

    private static QueueUse any(Random random, int queue, boolean writes, int inner, int outer) {
        int apart = 1 + random.nextInt(3);
        return new QueueUse(
                queue,
                writes,
                random.nextInt(6),
                List.of(
                        new QueueUse.Round(inner, apart),
                        new QueueUse.Round(outer, (double) inner * apart + random.nextInt(5))));
    }

    /// Ends of the tasks, empty where they stand still for ever.
    private static double[] everyCycle(List<DataflowRun.Task> tasks, Map<Integer, Integer> depths) {
        record Event(double at, boolean writes, int queue) {}
        var events = new ArrayList<List<Event>>();
        for (DataflowRun.Task t : tasks) {
            var all = new ArrayList<Event>();
            for (QueueUse u : t.uses()) {
                for (long k = 0; k < u.words(); k++) {
                    all.add(new Event(u.at(k), u.writes(), u.queue()));
                }
            }
            all.sort(Comparator.comparingDouble(Event::at).thenComparing(Event::writes));
            events.add(all);
        }
        double[] ends = new double[tasks.size()];
        int[] done = new int[tasks.size()];
        double[] clock = new double[tasks.size()];
        boolean[] started = new boolean[tasks.size()];
        boolean[] ended = new boolean[tasks.size()];
        var inside = new HashMap<Integer, Integer>();
        for (int now = 0; now < 3_000; now++) {
            int at = now;
            var put = new HashMap<Integer, Integer>();
            var got = new HashMap<Integer, Integer>();
            for (int t = 0; t < tasks.size(); t++) {
                started[t] |= tasks.get(t).after().stream().allMatch(p -> ended[p] && ends[p] <= at);
                if (!started[t] || ended[t]) {
                    continue;
                }
                List<Event> due = new ArrayList<>();
                for (int e = done[t];
                        e < events.get(t).size() && events.get(t).get(e).at() <= clock[t];
                        e++) {
                    due.add(events.get(t).get(e));
                }
                boolean waits = due.stream().anyMatch(e -> {
                    int words = inside.getOrDefault(e.queue(), 0);
                    return e.writes() ? words >= depths.get(e.queue()) : words == 0;
                });
                if (!waits) {
                    due.forEach(e -> (e.writes() ? put : got).merge(e.queue(), 1, Integer::sum));
                    done[t] += due.size();
                }
                if (!waits) {
                    clock[t]++;
                    if (done[t] == events.get(t).size()
                            && clock[t] >= tasks.get(t).cycles()) {
                        ended[t] = true;
                        ends[t] = now + 1.0;
                    }
                }
            }
            put.forEach((q, n) -> inside.merge(q, n, Integer::sum));
            got.forEach((q, n) -> inside.merge(q, -n, Integer::sum));
        }
        for (boolean e : ended) {
            if (!e) {
                return new double[0];
            }
        }
        return ends;
    }
}
