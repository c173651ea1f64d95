package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import knobscape.compile.analysis.Affine;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;

/// The reads and writes of a task of a dataflow region, and how tasks overlap.
final class IrTasks {
    private final Map<String, FunctionFacts> facts;
    private final IrObjects objects;
    private final Set<Part> reads = new LinkedHashSet<>();
    private final Set<Part> writes = new LinkedHashSet<>();
    /// Functions that were touched.
    private final Set<String> walked = new java.util.HashSet<>();

    /// @param facts of the functions that are reached, by name
    IrTasks(Map<String, FunctionFacts> facts, IrObjects objects) {
        this.facts = facts;
        this.objects = objects;
    }

    /// A memory or a piece of one: a memory that is divided completely is as many memories.
    ///
    /// @param memory its number
    /// @param piece index in the first dimension, -1 for the whole
    record Part(int memory, long piece) {
        boolean meets(Part o) {
            return memory == o.memory && (piece == o.piece || piece < 0 || o.piece < 0);
        }

        boolean meetsAny(Collection<Part> others) {
            return others.stream().anyMatch(this::meets);
        }
    }

    /// A task.
    ///
    /// @param fill states until it has put its first word into a queue
    record Task(Set<Part> reads, Set<Part> writes, Region region, double fill) {}

    Task task(Region region, double fill) {
        return new Task(reads, writes, region, fill);
    }

    /// An instruction of the task; a call stands for all of its function.
    void touch(FunctionFacts f, IrInstruction i) {
        touch(f, i, Map.of());
    }

    /// @param passed what stands behind the function's arguments, by their number
    private void touch(FunctionFacts f, IrInstruction i, Map<Integer, Part> passed) {
        if (i.callee().filter(facts::containsKey).isPresent()) {
            FunctionFacts callee = requireNonNull(facts.get(i.callee().orElseThrow()));
            if (walked.add(callee.function().name())) {
                var handed = new HashMap<Integer, Part>();
                for (int k = 0; k < i.operands().size(); k++) {
                    if (i.operands().get(k).type() instanceof IrType.Pointer) {
                        handed.put(k, part(f, i.operands().get(k), passed));
                    }
                }
                callee.forms().code().forEach(c -> touch(callee, c, handed));
            }
        } else if (i.opcode() == IrOpcode.LOAD || i.opcode() == IrOpcode.STORE) {
            touch(f, IrCalls.address(i).orElseThrow(), i.opcode() == IrOpcode.LOAD, passed);
        } else if (IrCalls.isTransfer(i)) {
            List<IrValue> ends = IrCalls.ends(i);
            for (int k = 0; k < ends.size(); k++) {
                touch(f, ends.get(k), k > 0, passed);
            }
        } else if (IrCalls.isQueue(i)) {
            touch(f, i.operands().getFirst(), !IrCalls.isQueueWrite(i), passed);
        }
    }

    /// Objects that a called function keeps to itself are no business of other tasks.
    private void touch(FunctionFacts f, IrValue address, boolean reading, Map<Integer, Part> passed) {
        Part part = part(f, address, passed);
        if (!walked.contains(objects.get(part.memory()).store().source().function())) {
            (reading ? reads : writes).add(part);
        }
    }

    private Part part(FunctionFacts f, IrValue address, Map<Integer, Part> passed) {
        AffineForms.Pointer p = f.forms().pointer(address);
        Part given = p.root() instanceof IrValue.Argument a ? passed.get(a.index()) : null;
        if (given != null) {
            return given;
        }
        IrObjects.Located at = objects.locate(f.function().name(), p);
        IrObjects.Memory m = objects.get(at.memory());
        Layout l = m.layout();
        boolean apart = l.dims > 1 && l.factor[0] == m.store().dims()[0];
        Affine first = apart ? IrPlaces.indices(m, at.bytes())[0] : Affine.symbol(0);
        return new Part(at.memory(), first.isConstant() ? first.constant() : -1);
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
        if (!haveOneWriterEach(tasks, layouts, function)) {
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
                for (Part w : tasks.get(p).writes()) {
                    int m = w.memory();
                    if (!w.meetsAny(task.reads()) || !isChannel(layouts[m], function)) {
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

    private static boolean haveOneWriterEach(List<Task> tasks, Layout[] layouts, String function) {
        var written = new ArrayList<Part>();
        for (Task t : tasks) {
            List<Part> own = t.writes().stream()
                    .filter(w -> isChannel(layouts[w.memory()], function)
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

    private static boolean isChannel(Layout memory, String function) {
        String home = memory.array.source().function();
        return memory.array.fifo() || home.isEmpty() || home.equals(function);
    }
}
