package knobscape.compile.analysis;

import java.util.ArrayList;
import java.util.List;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrValue;

/// Everything that is known about one function with a body.
///
/// @param function the function
/// @param loops its loops and control flow
/// @param forms its integers and addresses
/// @param counts how often its loops run
/// @param widths bits of its values
/// @param users instructions that read the result of each instruction
public record FunctionFacts(
        IrFunction function,
        IrLoops loops,
        AffineForms forms,
        IterationCounts counts,
        Widths widths,
        List<List<IrInstruction>> users) {
    public FunctionFacts {
        users = List.copyOf(users);
    }

    /// Finds them.
    public static FunctionFacts of(IrFunction function) {
        IrLoops loops = IrLoops.of(function);
        var forms = new AffineForms(function, loops);
        var counts = new IterationCounts(forms, loops);
        forms.bound(l -> counts.of(l).map(IterationCounts.Count::most).orElse(0L));
        List<List<IrInstruction>> users = new ArrayList<>();
        forms.code().forEach(_ -> users.add(new ArrayList<>(2)));
        for (IrInstruction i : forms.code()) {
            for (IrValue o : i.operands()) {
                if (o instanceof IrValue.Result r) {
                    users.get(r.instruction()).add(i);
                }
            }
        }
        return new FunctionFacts(function, loops, forms, counts, new Widths(forms, loops, counts, users), users);
    }

    /// Names of the variables that the result of an instruction is a value of.
    public List<String> variables(int instruction) {
        return function.variables().stream()
                .filter(v -> !v.address() && v.value() instanceof IrValue.Result r && r.instruction() == instruction)
                .map(IrFunction.IrVariable::name)
                .distinct()
                .toList();
    }

    /// The control flow.
    public FlowGraph flow() {
        return loops.flow();
    }

    /// Instructions of a block.
    public List<IrInstruction> block(int index) {
        return function.blocks().get(index).instructions();
    }
}
