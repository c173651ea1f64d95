package knobscape.hls.source.exact;

/// Something that can be read, assigned, or whose address can be taken.
public sealed interface ExactPlace {

    /// Type of what is there.
    ExactType type();

    /// A variable of the function.
    ///
    /// @param index in [ExactFunction#variables()]
    record Local(int index, ExactType type) implements ExactPlace {}

    /// A variable of the program.
    ///
    /// @param index in [ExactProgram#globals()]
    record Global(int index, ExactType type) implements ExactPlace {}

    /// What an address leads to.
    record Pointee(ExactExpression address, ExactType type) implements ExactPlace {}

    /// An element of an array.
    ///
    /// @param index any integer of C
    record Element(ExactPlace array, ExactExpression index, ExactType type) implements ExactPlace {}

    /// A member of a structure.
    record Member(ExactPlace owner, ExactType.Field field) implements ExactPlace {
        @Override
        public ExactType type() {
            return field.type();
        }
    }

    /// Some bits of an `ap_int` or `ap_fixed`.
    ///
    /// @param whole the number they are of
    /// @param high number of the highest bit, an `int`
    /// @param low number of the lowest bit, an `int`
    /// @param type what the bits are when read: an unsigned integer as wide as the whole
    record Bits(ExactPlace whole, ExactExpression high, ExactExpression low, ExactType type) implements ExactPlace {}
}
