package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The tasks of a dataflow region as they overlap: words pass through queues one by one ([DataflowRun]), and a task
/// that
/// reads a memory starts when the one that fills it has ended.
///
/// Tasks that write one memory both run one after the other: the tool wants one writer (UG1399). What the function was
/// given by its caller is no channel: the tool starts its tasks without looking at it.
final class IrOverlap {
    /// Waiting that is not worth a word.
    private static final double LITTLE = 0.02;

    private final List<IrTasks.Task> tasks;
    private final Layout[] layouts;
    private final String function;
    private final Set<String> notes = new LinkedHashSet<>();
    private final List<QueueUse> outside = new ArrayList<>();
    /// Words that stand for the start of tasks behind queues of which nothing else is known, by producer.
    private final Map<Integer, List<QueueUse>> signals = new HashMap<>();

    private double latency;
    private double interval = 1;

    /// @param function in which they run
    /// @param doubled filled with memories that are handed over in two copies
    IrOverlap(List<IrTasks.Task> tasks, Layout[] layouts, String function, BitSet doubled) {
        this.tasks = tasks;
        this.layouts = layouts;
        this.function = function;
        Set<Integer> inside = inside();
        if (!haveOneWriterEach()) {
            oneAfterTheOther(inside);
            return;
        }
        List<DataflowRun.Task> all = new ArrayList<>();
        for (int k = 0; k < tasks.size(); k++) {
            all.add(task(k, inside, doubled));
        }
        signals.forEach((p, words) -> {
            DataflowRun.Task t = all.get(p);
            var uses = new ArrayList<>(t.uses());
            uses.addAll(words);
            all.set(p, new DataflowRun.Task(t.cycles(), t.after(), uses));
        });
        Map<Integer, Integer> depths = new HashMap<>();
        inside.forEach(q -> depths.put(q, (int) Math.min(Integer.MAX_VALUE, layouts[q % layouts.length].depth)));
        var run = new DataflowRun(all, depths);
        for (int k = 0; k < tasks.size(); k++) {
            latency = Math.max(latency, run.end[k]);
            interval = Math.max(interval, tasks.get(k).region().interval() + run.full[k]);
            double begins = run.start[k];
            tasks.get(k).region().queues().stream()
                    .filter(u -> !inside.contains(u.queue()))
                    .forEach(u -> outside.add(u.later(begins)));
        }
        if (run.isStuck()) {
            outside.clear();
            oneAfterTheOther(inside);
        }
        say(run, all, inside);
    }

    private void oneAfterTheOther(Set<Integer> inside) {
        double begins = 0;
        for (IrTasks.Task t : tasks) {
            double at = begins;
            t.region().queues().stream()
                    .filter(u -> !inside.contains(u.queue()))
                    .forEach(u -> outside.add(u.later(at)));
            begins += t.region().cycles();
        }
        latency = begins;
        interval = begins;
    }

    double latency() {
        return latency;
    }

    /// Cycles between two starts.
    double interval() {
        return interval;
    }

    /// Where tasks wait for room in a queue, a sentence each.
    Set<String> notes() {
        return notes;
    }

    /// Accesses of queues that lead out of the region.
    List<QueueUse> outside() {
        return outside;
    }

    /// Queues that one task fills and another empties, with known times on both sides.
    private Set<Integer> inside() {
        Map<Integer, Set<Integer>> writers = new HashMap<>();
        Map<Integer, Set<Integer>> readers = new HashMap<>();
        for (int k = 0; k < tasks.size(); k++) {
            for (QueueUse u : tasks.get(k).region().queues()) {
                (u.writes() ? writers : readers)
                        .computeIfAbsent(u.queue(), _ -> new HashSet<>())
                        .add(k);
            }
        }
        Set<Integer> all = new HashSet<>(writers.keySet());
        all.retainAll(readers.keySet());
        all.removeIf(q -> requireNonNull(writers.get(q)).size() > 1
                || requireNonNull(readers.get(q)).size() > 1
                || writers.get(q).equals(readers.get(q)));
        return all;
    }

    private DataflowRun.Task task(int k, Set<Integer> inside, BitSet doubled) {
        IrTasks.Task task = tasks.get(k);
        var after = new ArrayList<Integer>();
        var uses = new ArrayList<QueueUse>();
        task.region().queues().stream().filter(u -> inside.contains(u.queue())).forEach(uses::add);
        for (int p = 0; p < tasks.size(); p++) {
            IrTasks.Task other = tasks.get(p);
            for (IrTasks.Part w : other.writes()) {
                int m = w.memory();
                boolean queue = layouts[m].array.fifo();
                if (p == k || !w.meetsAny(task.reads()) || !isChannel(layouts[m])) {
                    continue;
                }
                if (!queue && p < k) {
                    after.add(p);
                    if (!layouts[m].array.external()) {
                        doubled.set(m);
                    }
                } else if (queue && p < k && inside.stream().noneMatch(q -> q % layouts.length == m)) {
                    // When its words pass is not known: the first is there once the producer's loop is full.
                    double filled = Math.min(other.fill(), other.region().cycles());
                    uses.add(new QueueUse(signal(p, k), false, 0, List.of()));
                    signals.computeIfAbsent(p, _ -> new ArrayList<>())
                            .add(new QueueUse(signal(p, k), true, Math.max(0, filled - 1), List.of()));
                }
            }
        }
        return new DataflowRun.Task(task.region().cycles(), after, uses);
    }

    private static int signal(int producer, int consumer) {
        return -1 - (producer << 10) - consumer;
    }

    private void say(DataflowRun run, List<DataflowRun.Task> all, Set<Integer> inside) {
        boolean waits = run.queues().entrySet().stream()
                .anyMatch(e -> inside.contains(e.getKey()) && e.getValue().full() > LITTLE * latency);
        if (!waits && !run.isStuck()) {
            return;
        }
        var without = new DataflowRun(all, deep(inside));
        for (int q : inside.stream().sorted().toList()) {
            DataflowRun.Queue here = run.queues().get(q);
            DataflowRun.Queue there = without.queues().get(q);
            Layout l = layouts[q % layouts.length];
            if (here == null || there == null || there.most() <= l.depth) {
                continue;
            }
            String name = "queue " + l.array.source().id() + " of depth " + l.depth;
            if (run.isStuck()) {
                notes.add(name + " may stop the tasks around it for ever; a depth of " + there.most()
                        + " is never full. The tasks are taken to run one after the other");
            } else if (here.full() > LITTLE * latency) {
                notes.add(name + " is full and stops the task that fills it for " + Math.round(here.full())
                        + " cycles in all; a depth of " + there.most() + " is never full");
            }
        }
    }

    private static Map<Integer, Integer> deep(Set<Integer> queues) {
        var all = new HashMap<Integer, Integer>();
        queues.forEach(q -> all.put(q, Integer.MAX_VALUE));
        return all;
    }

    private boolean haveOneWriterEach() {
        var written = new ArrayList<IrTasks.Part>();
        for (IrTasks.Task t : tasks) {
            List<IrTasks.Part> own = t.writes().stream()
                    .filter(w -> isChannel(layouts[w.memory()])
                            && !isScalar(layouts[w.memory()])
                            && !isRow(layouts[w.memory()]))
                    .toList();
            if (own.stream().anyMatch(w -> w.meetsAny(written))) {
                return false;
            }
            written.addAll(own);
        }
        return true;
    }

    /// A number or struct: a task that writes what it was handed writes a copy of its own.
    private static boolean isScalar(Layout memory) {
        return memory.registers && memory.array.dims()[0] == 1;
    }

    /// Several queues: each may have a writer of its own.
    private static boolean isRow(Layout memory) {
        return memory.array.fifo() && memory.array.dims().length > 1;
    }

    private boolean isChannel(Layout memory) {
        String home = memory.array.source().function();
        return memory.array.fifo() || home.isEmpty() || home.equals(function);
    }
}
