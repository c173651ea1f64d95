package knobscape.compile.ir;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A function.
///
/// @param name the linker's name
/// @param sourceName as the source calls it, without class and arguments of its template's name; the linker's name
/// where
/// the source has none
/// @param result type of what it returns
/// @param arguments in order, as the target passes them (an aggregate by pointer)
/// @param blocks the first is the entry; empty for a function that is only declared
/// @param variables of the source, as far as the passes left them
/// @param labels of the source
/// @param attributes names of LLVM's attributes that it has (`alwaysinline`, `noinline`, ...)
/// @param location of its definition, where known
public record IrFunction(
        String name,
        String sourceName,
        IrType result,
        List<IrArgument> arguments,
        List<IrBlock> blocks,
        List<IrVariable> variables,
        List<IrLabel> labels,
        Set<String> attributes,
        Optional<IrLocation> location) {
    public IrFunction {
        arguments = List.copyOf(arguments);
        blocks = List.copyOf(blocks);
        variables = List.copyOf(variables);
        labels = List.copyOf(labels);
        attributes = Set.copyOf(attributes);
    }

    /// True if it has no body here.
    public boolean isDeclaration() {
        return blocks.isEmpty();
    }

    /// All instructions in order; [IrInstruction#id()] is the index.
    public List<IrInstruction> instructions() {
        return blocks.stream().flatMap(b -> b.instructions().stream()).toList();
    }

    /// A formal argument.
    ///
    /// @param name as in the source where that is known, else empty
    /// @param type as passed
    /// @param pointee what a pointer that passes an aggregate by value points to
    public record IrArgument(String name, IrType type, Optional<IrType> pointee) {}

    /// A label of the source.
    ///
    /// @param name as written
    /// @param location of the label
    public record IrLabel(String name, IrLocation location) {}

    /// A variable of the source at a place of the function.
    ///
    /// @param name as written
    /// @param argument 1-based position among the arguments, where the result goes among them; 0 for a local
    /// @param type in the source
    /// @param value where it is kept ([#address()]), or what it is from here on
    /// @param address whether `value` is its address
    /// @param before id of the instruction before which this holds
    /// @param location of its declaration
    public record IrVariable(
            String name,
            int argument,
            IrDebugType type,
            IrValue value,
            boolean address,
            int before,
            IrLocation location) {}
}
