package knobscape.compile.ir;

import java.util.List;
import java.util.Optional;

/// A basic block.
///
/// @param index position among the function's blocks
/// @param name LLVM's name, may be empty
/// @param instructions the last one is the terminator
/// @param loop set where the terminator is the back edge of a loop that carries a mark
public record IrBlock(int index, String name, List<IrInstruction> instructions, Optional<IrLoopMark> loop) {
    public IrBlock {
        instructions = List.copyOf(instructions);
    }

    /// The instruction that leaves the block.
    public IrInstruction terminator() {
        return instructions.getLast();
    }

    /// Indices of the blocks that follow.
    public List<Integer> successors() {
        return terminator().blocks();
    }
}
