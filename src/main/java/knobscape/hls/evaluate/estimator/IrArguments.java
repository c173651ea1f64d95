package knobscape.hls.evaluate.estimator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.ir.IrInstruction;

/// The numbers that calls hand to functions whose loops run as often as their arguments say.
final class IrArguments {
    /// A function as it is called.
    ///
    /// @param numbers its arguments as far as they are known; none where no loop needs them
    record Call(String function, List<OptionalLong> numbers) {
        /// A name of its own.
        String name() {
            return numbers.isEmpty() ? function : function + numbers;
        }
    }

    private final Map<String, FunctionFacts> facts;
    private final Map<String, Boolean> needs = new HashMap<>();

    /// @param facts of the functions that are reached, by name
    IrArguments(Map<String, FunctionFacts> facts) {
        this.facts = facts;
    }

    /// A call that stands in a function with such arguments.
    Call of(FunctionFacts caller, IrInstruction call, List<OptionalLong> given) {
        String callee = call.callee().orElseThrow();
        if (!needs(callee)) {
            return new Call(callee, List.of());
        }
        List<OptionalLong> numbers = call.operands().stream()
                .map(o -> caller.counts().number(o, given))
                .toList();
        return new Call(callee, numbers.stream().allMatch(OptionalLong::isEmpty) ? List.of() : numbers);
    }

    /// True if a loop of the function, or of one that it calls, has no count of its own.
    private boolean needs(String function) {
        Boolean known = needs.get(function);
        if (known == null) {
            needs.put(function, false);
            FunctionFacts f = facts.get(function);
            known = f != null
                    && (f.loops().all().stream().anyMatch(l -> f.counts().of(l).isEmpty())
                            || f.forms().code().stream()
                                    .map(IrInstruction::callee)
                                    .flatMap(Optional::stream)
                                    .anyMatch(this::needs));
            needs.put(function, known);
        }
        return known;
    }
}
