package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

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

/// The reads and writes of a task of a dataflow region.
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

    /// The memories that a call hands over, by the numbers of the memories that stand for it in the function.
    Map<Integer, Part> parts(FunctionFacts caller, IrInstruction call) {
        FunctionFacts callee = requireNonNull(facts.get(call.callee().orElseThrow()));
        var all = new HashMap<Integer, Part>();
        for (int k = 0;
                k < call.operands().size() && k < callee.function().arguments().size();
                k++) {
            if (call.operands().get(k).type() instanceof IrType.Pointer) {
                int own = objects.of(
                        callee.function().name(),
                        new AffineForms.Pointer(
                                new IrValue.Argument(k, call.operands().get(k).type()), Affine.of(0)));
                all.put(own, part(caller, call.operands().get(k), Map.of()));
            }
        }
        return all;
    }
}
