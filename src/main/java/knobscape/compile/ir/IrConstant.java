package knobscape.compile.ir;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// A value known when compiling.
public sealed interface IrConstant extends IrValue
        permits IrConstant.Whole,
                IrConstant.Floating,
                IrConstant.Zero,
                IrConstant.Undefined,
                IrConstant.Aggregate,
                IrConstant.Table,
                IrConstant.Computed,
                IrValue.Symbol {

    /// An integer.
    ///
    /// @param value in two's complement of the type's width (signed)
    record Whole(BigInteger value, IrType type) implements IrConstant {
        /// The value where 64 bits hold it.
        public OptionalLong asLong() {
            return value.bitLength() < Long.SIZE ? OptionalLong.of(value.longValue()) : OptionalLong.empty();
        }
    }

    /// A floating-point number.
    record Floating(double value, IrType type) implements IrConstant {}

    /// All bits 0: the null pointer, an aggregate of zeros.
    record Zero(IrType type) implements IrConstant {}

    /// Any value will do (`undef`, `poison`).
    record Undefined(IrType type) implements IrConstant {}

    /// One constant a member.
    record Aggregate(List<IrConstant> members, IrType type) implements IrConstant {
        public Aggregate {
            members = List.copyOf(members);
        }
    }

    /// An array or vector of plain numbers.
    ///
    /// @param bits of each element, floating-point ones as IEEE bits of their own width
    /// @param type the array's
    record Table(long[] bits, IrType type) implements IrConstant {
        /// Type of the elements.
        public IrType element() {
            return switch (type) {
                case IrType.Array a -> a.element();
                case IrType.Vector v -> v.element();
                default -> throw new IllegalStateException("a table of type " + type);
            };
        }
    }

    /// An address or number computed from constants.
    ///
    /// @param element the type that indices walk through, of `getelementptr`
    record Computed(IrOpcode opcode, List<IrConstant> operands, Optional<IrType> element, IrType type)
            implements IrConstant {
        public Computed {
            operands = List.copyOf(operands);
        }
    }
}
