package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrValue;

/// What a task of a dataflow region reads and writes, and how tasks overlap.
final class IrTasks {
    private final Map<String, FunctionFacts> facts;
    private final IrObjects objects;
    private final Set<Integer> reads = new LinkedHashSet<>();
    private final Set<Integer> writes = new LinkedHashSet<>();
    /// Functions that were touched.
    private final Set<String> walked = new java.util.HashSet<>();

    /// @param facts of the functions that are reached, by name
    IrTasks(Map<String, FunctionFacts> facts, IrObjects objects) {
        this.facts = facts;
        this.objects = objects;
    }

    /// A task.
    ///
    /// @param reads memories
    /// @param writes memories
    /// @param fill states until it has put its first word into a queue
    record Task(Set<Integer> reads, Set<Integer> writes, Region region, double fill) {}

    Task task(Region region, double fill) {
        return new Task(reads, writes, region, fill);
    }

    /// An instruction of the task; a call stands for all of its function.
    void touch(FunctionFacts f, IrInstruction i) {
        if (i.callee().filter(facts::containsKey).isPresent()) {
            FunctionFacts callee = requireNonNull(facts.get(i.callee().orElseThrow()));
            if (walked.add(callee.function().name())) {
                callee.forms().code().forEach(c -> touch(callee, c));
            }
        } else if (i.opcode() == IrOpcode.LOAD || i.opcode() == IrOpcode.STORE) {
            touch(f, IrCalls.address(i).orElseThrow(), i.opcode() == IrOpcode.LOAD);
        } else if (IrCalls.isTransfer(i)) {
            List<IrValue> ends = IrCalls.ends(i);
            for (int k = 0; k < ends.size(); k++) {
                touch(f, ends.get(k), k > 0);
            }
        } else if (IrCalls.isQueue(i)) {
            touch(f, i.operands().getFirst(), !IrCalls.isQueueWrite(i));
        }
    }

    /// What a function that is called keeps to itself is no business of other tasks.
    private void touch(FunctionFacts f, IrValue address, boolean reading) {
        int memory = objects.of(f.function().name(), f.forms().pointer(address));
        if (!walked.contains(objects.get(memory).store().source().function())) {
            (reading ? reads : writes).add(memory);
        }
    }

    /// Latency and interval of tasks that overlap: one that reads a queue starts once its producer has filled it,
    /// one that reads a memory when its producer has ended.
    ///
    /// Tasks that write one memory both run one after the other: the tool wants one writer (UG1399). What the
    /// function was given by its caller is no channel: the tool starts its tasks without looking at it.
    ///
    /// @param function in which they run
    /// @param doubled filled with memories that are handed over in two copies
    static double[] overlap(List<Task> tasks, Layout[] layouts, String function, BitSet doubled) {
        Set<Integer> written = new LinkedHashSet<>();
        if (!tasks.stream()
                .allMatch(t -> t.writes().stream()
                        .filter(m -> isChannel(layouts[m], function) && !isScalar(layouts[m]) && !isRow(layouts[m]))
                        .allMatch(written::add))) {
            double all = tasks.stream().mapToDouble(t -> t.region().cycles()).sum();
            return new double[] {all, all};
        }
        double[] start = new double[tasks.size()];
        double[] end = new double[tasks.size()];
        double longest = 1;
        double latency = 0;
        for (int k = 0; k < tasks.size(); k++) {
            Task task = tasks.get(k);
            for (int p = 0; p < k; p++) {
                for (int m : tasks.get(p).writes()) {
                    if (!task.reads().contains(m) || !isChannel(layouts[m], function)) {
                        continue;
                    }
                    boolean queue = layouts[m].array.fifo();
                    double filled = Math.min(tasks.get(p).fill(), end[p] - start[p]);
                    start[k] = Math.max(start[k], queue ? start[p] + filled : end[p]);
                    end[k] = queue ? Math.max(end[k], end[p] + 2) : end[k];
                    if (!queue && !layouts[m].array.external()) {
                        doubled.set(m);
                    }
                }
            }
            end[k] = Math.max(end[k], start[k] + task.region().cycles());
            longest = Math.max(longest, task.region().interval());
            latency = Math.max(latency, end[k]);
        }
        return new double[] {latency, longest};
    }

    /// A number or struct: a task that writes what it was handed writes a copy of its own.
    private static boolean isScalar(Layout memory) {
        return memory.registers && memory.array.dims()[0] == 1;
    }

    /// Several queues: each may have a writer of its own.
    private static boolean isRow(Layout memory) {
        return memory.array.fifo() && memory.array.dims().length > 1;
    }

    private static boolean isChannel(Layout memory, String function) {
        String home = memory.array.source().function();
        return memory.array.fifo() || home.isEmpty() || home.equals(function);
    }
}
