package knobscape.hls.evaluate.estimator;

import java.util.HashMap;
import java.util.Map;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.hls.source.OperationKind;

/// Loops that fill a memory with what depends on their counter alone, and that nothing else writes: the tool computes
/// the values and makes a ROM of them (UG1399, *Initializing and Implementing ROMs*).
final class FilledTables {
    private final IrObjects objects;
    /// Instructions that write each memory.
    private final Map<Integer, Integer> writers = new HashMap<>();

    /// @param facts of the functions that are reached, by name
    FilledTables(Map<String, FunctionFacts> facts, IrObjects objects) {
        this.objects = objects;
        facts.values()
                .forEach(f -> f.forms().code().forEach(i -> {
                    if (i.opcode() == IrOpcode.STORE || objects.isWord(i) || objects.isTransfer(i)) {
                        IrValue to = i.opcode() == IrOpcode.STORE
                                ? i.operands().get(1)
                                : i.operands().getFirst();
                        writers.merge(memory(f, to), 1, Integer::sum);
                    }
                }));
    }

    private int memory(FunctionFacts f, IrValue address) {
        return objects.of(f.function().name(), f.forms().pointer(address));
    }

    /// True if a loop fills a table and does nothing else.
    boolean fills(FunctionFacts f, IrLoop loop) {
        if (!loop.children().isEmpty()
                || loop.parent().isPresent()
                || f.counts().of(loop).isEmpty()) {
            return false;
        }
        var stored = new HashMap<Integer, Integer>();
        for (int b = loop.blocks().nextSetBit(0); b >= 0; b = loop.blocks().nextSetBit(b + 1)) {
            for (IrInstruction i : f.block(b)) {
                if (i.opcode() == IrOpcode.STORE) {
                    if (!(i.operands().getFirst() instanceof IrValue.Result)) {
                        return false;
                    }
                    stored.merge(memory(f, i.operands().get(1)), 1, Integer::sum);
                } else if (i.opcode() == IrOpcode.LOAD || (i.opcode() == IrOpcode.CALL && !isPure(i))) {
                    return false;
                }
                if (!i.operands().stream().allMatch(o -> isKnown(f, loop, o))) {
                    return false;
                }
            }
        }
        return !stored.isEmpty()
                && stored.entrySet().stream().allMatch(e -> {
                    Layout l = objects.get(e.getKey()).layout();
                    return !l.array.external()
                            && !l.channels
                            && l.array.source().elements() > 1
                            && e.getValue().equals(writers.get(e.getKey()));
                });
    }

    private static boolean isPure(IrInstruction call) {
        String name = call.callee().orElse("");
        return IrCalls.isNothing(call)
                || (name.startsWith("llvm.") && !IrCalls.isTransfer(call) && !(call.type() instanceof IrType.Void))
                || OperationKind.ofCall(name) != OperationKind.OTHER;
    }

    /// True if a value is a constant, an address, or computed in the loop.
    private static boolean isKnown(FunctionFacts f, IrLoop loop, IrValue v) {
        if (v.type() instanceof IrType.Pointer) {
            return true;
        }
        return switch (v) {
            case IrValue.Result(int id, IrType _) -> loop.contains(f.forms().blockOf(id));
            case IrValue.Argument _ -> false;
            default -> true;
        };
    }
}
