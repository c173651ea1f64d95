package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/// A run of tasks that overlap, cycle by cycle where words pass through queues: a task that finds a queue empty or full
/// stands still, with everything in it, until there is a word or room. A word may be taken the cycle after it was put
/// in, and a place may be filled the cycle after it was emptied.
///
/// Where more is put in than taken out or the other way round, as where accesses are guarded by data, what is left over
/// passes without waiting. Of long runs a first part is simulated and the rest taken to go on as the last half of it
/// did.
final class DataflowRun {
    /// Accesses of queues that are simulated.
    private static final long LONGEST = 200_000;

    /// A task.
    ///
    /// @param cycles from start to end where it never waits
    /// @param after numbers of tasks that must have ended before it starts
    /// @param uses of queues between tasks of the run
    record Task(double cycles, List<Integer> after, List<QueueUse> uses) {
        Task {
            after = List.copyOf(after);
            uses = List.copyOf(uses);
        }
    }

    /// A queue in a run.
    ///
    /// @param full cycles in which a task stood still because it was full
    /// @param empty the same because it was empty
    /// @param most words in it at once
    record Queue(double full, double empty, long most) {}

    private final List<Task> tasks;
    private final Map<Integer, Integer> depths;
    final double[] start;
    final double[] end;
    /// Cycles in which each task stood still because a queue was full.
    final double[] full;
    private final Map<Integer, Channel> channels = new HashMap<>();
    private boolean stuck;

    /// @param depths words of the queues, by their number
    DataflowRun(List<Task> tasks, Map<Integer, Integer> depths) {
        this.tasks = tasks;
        this.depths = depths;
        start = new double[tasks.size()];
        end = new double[tasks.size()];
        full = new double[tasks.size()];
        run();
    }

    /// True if tasks wait for one another for ever.
    boolean isStuck() {
        return stuck;
    }

    /// The events in the queues, by their number.
    Map<Integer, Queue> queues() {
        var all = new HashMap<Integer, Queue>();
        channels.forEach((n, c) -> all.put(n, new Queue(c.full, c.empty, c.most())));
        return all;
    }

    /// The words of a queue by the cycles in which they were put in and taken out.
    private static final class Channel {
        double[] written = new double[64];
        double[] taken = new double[64];
        int writes;
        int reads;
        double full;
        double empty;
        /// Words that the tasks put in and take out in all.
        long toWrite;

        long toRead;

        /// Most words in it at once.
        long most() {
            long most = 0;
            int gone = 0;
            for (int k = 0; k < writes; k++) {
                while (gone < reads && taken[gone] < written[k]) {
                    gone++;
                }
                most = Math.max(most, k + 1 - gone);
            }
            return most;
        }

        void write(double cycle) {
            written = writes == written.length ? Arrays.copyOf(written, 2 * writes) : written;
            written[writes++] = cycle;
        }

        void read(double cycle) {
            taken = reads == taken.length ? Arrays.copyOf(taken, 2 * reads) : taken;
            taken[reads++] = cycle;
        }
    }

    /// Where a use is.
    private static final class Cursor {
        final QueueUse use;
        final long words;
        long next;
        double at;

        Cursor(QueueUse use, long words) {
            this.use = use;
            this.words = words;
            at = words > 0 ? use.at(0) : Double.MAX_VALUE;
        }

        boolean advance() {
            next++;
            at = next < words ? use.at(next) : Double.MAX_VALUE;
            return next < words;
        }
    }

    /// A task under way.
    private final class Runner {
        final int number;
        final PriorityQueue<Cursor> waiting = new PriorityQueue<>(
                Comparator.<Cursor>comparingDouble(c -> c.at).thenComparing(c -> c.use.writes()));
        double delay;
        boolean started;
        boolean done;
        /// Own cycle and delay when half of the accesses were done.
        double half;

        double delayAtHalf;
        double last;
        long left;
        final long all;

        Runner(int number, double share) {
            this.number = number;
            long sum = 0;
            for (QueueUse u : tasks.get(number).uses()) {
                long words = (long) Math.ceil(u.words() * share);
                if (words > 0) {
                    waiting.add(new Cursor(u, words));
                    sum += words;
                    Channel q = channels.computeIfAbsent(u.queue(), _ -> new Channel());
                    q.toWrite += u.writes() ? words : 0;
                    q.toRead += u.writes() ? 0 : words;
                }
            }
            all = sum;
            left = sum;
        }

        /// The accesses of the next cycle that has any: they happen all or none.
        private List<Cursor> together() {
            var all = new ArrayList<Cursor>();
            all.add(waiting.poll());
            while (!waiting.isEmpty() && Math.floor(waiting.peek().at) <= Math.floor(all.getFirst().at)) {
                all.add(waiting.poll());
            }
            return all;
        }

        /// First cycle in which all of them can be; -1 where that is not known yet.
        private double ready(List<Cursor> together) {
            double at = start[number] + together.getFirst().at + delay;
            double all = at;
            for (Cursor c : together) {
                Channel q = requireNonNull(channels.get(c.use.queue()));
                int room = q.writes - depths.getOrDefault(c.use.queue(), 2);
                boolean free = c.use.writes() ? room < 0 || room >= q.toRead : q.reads >= q.toWrite;
                boolean known = c.use.writes() ? room < q.reads : q.reads < q.writes;
                if (!free && !known) {
                    return -1;
                }
                all = free ? all : Math.max(all, (c.use.writes() ? q.taken[room] : q.written[q.reads]) + 1);
            }
            for (Cursor c : together) {
                Channel q = requireNonNull(channels.get(c.use.queue()));
                int room = q.writes - depths.getOrDefault(c.use.queue(), 2);
                if (c.use.writes() && room >= 0 && room < q.reads) {
                    double own = Math.max(0, q.taken[room] + 1 - at);
                    q.full += own;
                    full[number] += own;
                } else if (!c.use.writes() && q.reads < q.writes) {
                    q.empty += Math.max(0, q.written[q.reads] + 1 - at);
                }
            }
            return all;
        }

        /// Goes on until it must wait; true if it moved at all.
        boolean step() {
            if (done) {
                return false;
            }
            Task task = tasks.get(number);
            if (!started) {
                double begins = 0;
                for (int before : task.after()) {
                    if (!runners.get(before).done) {
                        return false;
                    }
                    begins = Math.max(begins, end[before]);
                }
                start[number] = begins;
                started = true;
            }
            boolean moved = false;
            while (!waiting.isEmpty()) {
                List<Cursor> together = together();
                double ready = ready(together);
                if (ready < 0) {
                    waiting.addAll(together);
                    return moved;
                }
                last = together.getFirst().at;
                delay = Math.max(delay, ready - start[number] - last);
                for (Cursor c : together) {
                    Channel q = requireNonNull(channels.get(c.use.queue()));
                    if (c.use.writes()) {
                        q.write(start[number] + last + delay);
                    } else {
                        q.read(start[number] + last + delay);
                    }
                    if (c.advance()) {
                        waiting.add(c);
                    }
                }
                moved = true;
                boolean before = left > all / 2;
                left -= together.size();
                if (before && left <= all / 2) {
                    half = last;
                    delayAtHalf = delay;
                }
            }
            double rest = Math.max(0, task.cycles() - last);
            boolean cut = rest > 0 && last > half && all > 0 && share < 1;
            double slower = cut ? (delay - delayAtHalf) / (last - half) : 0;
            end[number] = start[number] + task.cycles() + delay + slower * rest;
            done = true;
            return true;
        }
    }

    private final List<Runner> runners = new ArrayList<>();
    private double share = 1;

    private void run() {
        double accesses = tasks.stream()
                .flatMap(t -> t.uses().stream())
                .mapToDouble(QueueUse::words)
                .sum();
        share = accesses > LONGEST ? LONGEST / accesses : 1;
        for (int t = 0; t < tasks.size(); t++) {
            runners.add(new Runner(t, share));
        }
        boolean moved = true;
        while (moved) {
            moved = false;
            for (Runner r : runners) {
                moved |= r.step();
            }
        }
        stuck = runners.stream().anyMatch(r -> !r.done);
    }
}
