package knobscape.compile.ir;

/// An operand.
public sealed interface IrValue permits IrConstant, IrValue.Result, IrValue.Argument, IrValue.Other {
    /// Its type.
    IrType type();

    /// The result of an instruction of the same function.
    ///
    /// @param instruction [IrInstruction#id()]
    record Result(int instruction, IrType type) implements IrValue {}

    /// A formal argument of the function.
    ///
    /// @param index position in [IrFunction#arguments()]
    record Argument(int index, IrType type) implements IrValue {}

    /// The address of a global or a function.
    ///
    /// @param name the linker's name
    record Symbol(String name) implements IrConstant {
        private static final IrType ADDRESS = new IrType.Pointer();

        @Override
        public IrType type() {
            return ADDRESS;
        }
    }

    /// Inline assembly, metadata, addresses of blocks.
    record Other(String text, IrType type) implements IrValue {}
}
