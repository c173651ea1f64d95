package knobscape.compile.ir;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// An instruction.
///
/// @param id position in the function, counted over all its blocks
/// @param name LLVM's name of the result, may be empty
/// @param opcode what it does
/// @param type of the result
/// @param operands values read: `store` has value then address, `getelementptr` base then indices, `call` the
/// arguments,
/// `br` the condition or nothing, `switch` the value and then one constant a case, `phi` one value a predecessor
/// @param blocks indices of blocks: of `br` the true one first, of `switch` the default first and then one a case, of
/// `phi` the predecessors in the order of its operands
/// @param detail what else the opcode needs
/// @param flags as LLVM gives them
/// @param location in the source, where known
public record IrInstruction(
        int id,
        String name,
        IrOpcode opcode,
        IrType type,
        List<IrValue> operands,
        List<Integer> blocks,
        Detail detail,
        Set<Flag> flags,
        Optional<IrLocation> location) {
    public IrInstruction {
        operands = List.copyOf(operands);
        blocks = List.copyOf(blocks);
        flags = Set.copyOf(flags);
    }

    /// The value that it makes.
    public IrValue result() {
        return new IrValue.Result(id, type);
    }

    /// The linker's name of the function that a call reaches, empty for other instructions and calls through a pointer.
    public Optional<String> callee() {
        return detail instanceof Detail.Callee(IrValue.Symbol(String symbol)) ? Optional.of(symbol) : Optional.empty();
    }

    /// Properties of an instruction that LLVM proved or the source said.
    public enum Flag {
        /// The result does not leave the signed range.
        NO_SIGNED_WRAP,
        /// The result does not leave the unsigned range.
        NO_UNSIGNED_WRAP,
        /// A division or right shift without a rest.
        EXACT,
        /// The operands of an `or` share no bit: it is an addition.
        DISJOINT,
        /// An access that may not be left out or moved.
        VOLATILE,
        /// The address stays in the object.
        IN_BOUNDS
    }

    /// The details that some opcodes need beside operands.
    public sealed interface Detail {
        /// Nothing.
        record None() implements Detail {}

        /// Of `icmp` and `fcmp`.
        record Comparison(IrPredicate predicate) implements Detail {}

        /// Of `getelementptr` the type that the indices walk through, of `alloca` what is allocated.
        record Element(IrType type) implements Detail {}

        /// Of `call` the function.
        record Callee(IrValue function) implements Detail {}

        /// Of `extractvalue` and `insertvalue` the path into the aggregate, of `shufflevector` the mask.
        record Indices(List<Integer> indices) implements Detail {
            public Indices {
                indices = List.copyOf(indices);
            }
        }
    }
}
