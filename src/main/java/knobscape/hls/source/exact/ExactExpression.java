package knobscape.hls.source.exact;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/// A value, and the effects of computing it. Operands are computed from left to right unless said otherwise.
public sealed interface ExactExpression {

    /// Type of the value.
    ExactType type();

    /// An integer, an address or the bits of a fixed-point number.
    record Whole(BigInteger value, ExactType type) implements ExactExpression {
        /// A number that fits 64 bits.
        public static Whole of(long value, ExactType type) {
            return new Whole(BigInteger.valueOf(value), type);
        }
    }

    /// A floating-point number; of type `float` it is one of its values.
    record Floating(double value, ExactType type) implements ExactExpression {}

    /// What stands in a place. Of a structure: the structure.
    record Load(ExactPlace place) implements ExactExpression {
        @Override
        public ExactType type() {
            return place.type();
        }
    }

    /// The address of a place, which is not [ExactPlace.Bits].
    record AddressOf(ExactPlace place, ExactType type) implements ExactExpression {}

    /// Assigns a value of the place's type (for bits: of any integer); first the value is computed, then the
    /// place. Its value is what the place holds then.
    record Store(ExactPlace place, ExactExpression value) implements ExactExpression {
        @Override
        public ExactType type() {
            return place.type();
        }
    }

    /// `place op= operand`, `++` and `--`: the operand and the place are computed once, in this order; the old
    /// value is converted to `left`, combined to `result`, and converted back.
    ///
    /// @param old whether the value is the one before (`x++`)
    record Update(
            ExactPlace place, Operator operator, ExactExpression operand, ExactType left, ExactType result, boolean old)
            implements ExactExpression {
        @Override
        public ExactType type() {
            return place.type();
        }
    }

    /// Operators of one operand.
    enum Sign {
        /// `-`
        NEGATE,
        /// `~`
        INVERT,
        /// `!`, of a truth value
        NOT
    }

    /// An operator of one operand, which has the type of the result (for `ap_int` and `ap_fixed` its own).
    record Unary(Sign operator, ExactExpression operand, ExactType type) implements ExactExpression {}

    /// Operators of two operands.
    enum Operator {
        ADD,
        SUBTRACT,
        MULTIPLY,
        DIVIDE,
        REMAINDER,
        SHIFT_LEFT,
        SHIFT_RIGHT,
        AND,
        OR,
        XOR,
        LESS,
        LESS_EQUAL,
        GREATER,
        GREATER_EQUAL,
        EQUAL,
        NOT_EQUAL;

        /// Whether the result is a truth value.
        public boolean compares() {
            return ordinal() >= LESS.ordinal();
        }

        /// Whether it is a shift.
        public boolean shifts() {
            return this == SHIFT_LEFT || this == SHIFT_RIGHT;
        }
    }

    /// An operator of two operands. Both have one type of C, that of the result; operands of a comparison have
    /// one type and give a truth value; the amount of a shift is any integer; operands that are `ap_int` or
    /// `ap_fixed` keep their types, and the result is the exact number in `type`.
    record Binary(Operator operator, ExactExpression left, ExactExpression right, ExactType type)
            implements ExactExpression {}

    /// An address some elements further.
    ///
    /// @param elements any integer of C, with its sign
    record Moved(ExactExpression address, ExactExpression elements, ExactType type) implements ExactExpression {}

    /// Elements between two addresses.
    record Distance(ExactExpression to, ExactExpression from, int elementSize) implements ExactExpression {
        @Override
        public ExactType type() {
            return new ExactType.Int(64, true);
        }
    }

    /// The value converted as C does (to a truth value: whether it is not 0).
    record Convert(ExactExpression value, ExactType type) implements ExactExpression {}

    /// `&&` or `||` of truth values; the right one is computed only where it is needed.
    record Both(boolean and, ExactExpression left, ExactExpression right) implements ExactExpression {
        @Override
        public ExactType type() {
            return ExactType.BOOL;
        }
    }

    /// `condition ? then : otherwise`; one of the two is computed.
    record Choice(ExactExpression condition, ExactExpression then, ExactExpression otherwise, ExactType type)
            implements ExactExpression {}

    /// Computes the first for its effects, then the second.
    record Sequence(ExactExpression first, ExactExpression second) implements ExactExpression {
        @Override
        public ExactType type() {
            return second.type();
        }
    }

    /// A call of a function of the program.
    ///
    /// @param function index in [ExactProgram#functions()]
    /// @param arguments of the parameters' types; a structure is copied
    /// @param room variable that a returned structure is copied to
    record Call(int function, List<ExactExpression> arguments, Optional<ExactPlace.Local> room, ExactType type)
            implements ExactExpression {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    /// A function of the C library.
    ///
    /// @param name as in C (`sqrtf`, `memcpy`)
    record Library(String name, List<ExactExpression> arguments, ExactType type) implements ExactExpression {
        public Library {
            arguments = List.copyOf(arguments);
        }
    }

    /// Operations of a stream.
    enum Channel {
        READ,
        WRITE,
        EMPTY,
        SIZE
    }

    /// An operation of a stream.
    ///
    /// @param stream place of the stream
    /// @param argument what is written, or where (an address) a value that was read is put
    record StreamCall(Channel operation, ExactPlace stream, Optional<ExactExpression> argument, ExactType type)
            implements ExactExpression {}
}
