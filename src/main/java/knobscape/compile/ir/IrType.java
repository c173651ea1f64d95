package knobscape.compile.ir;

import java.util.List;

/// A type of LLVM. Equal types are equal records.
public sealed interface IrType {
    /// Bytes that one takes in memory, with what pads it (the 64-bit target of the compiler).
    long bytes();

    /// No value.
    record Void() implements IrType {
        @Override
        public long bytes() {
            return 0;
        }
    }

    /// An integer of any width.
    ///
    /// @param bits its width
    record Int(int bits) implements IrType {
        private static final int WORD = 64;
        private static final int WIDE = 128;

        @Override
        public long bytes() {
            int least = (bits + Byte.SIZE - 1) / Byte.SIZE;
            return bits > WORD
                    ? (bits + WIDE - 1L) / WIDE * (WIDE / Byte.SIZE)
                    : least <= 1 ? 1 : Long.highestOneBit(least - 1L) << 1;
        }
    }

    /// A floating-point number.
    ///
    /// @param bits 16 (IEEE), 32, 64 or 128
    record Real(int bits) implements IrType {
        @Override
        public long bytes() {
            return bits / Byte.SIZE;
        }
    }

    /// An address.
    record Pointer() implements IrType {
        @Override
        public long bytes() {
            return Long.BYTES;
        }
    }

    /// Elements in a row.
    record Array(long length, IrType element) implements IrType {
        @Override
        public long bytes() {
            return length * element.bytes();
        }
    }

    /// A vector of the machine.
    record Vector(int length, IrType element) implements IrType {
        @Override
        public long bytes() {
            return length * element.bytes();
        }
    }

    /// Members one behind the other.
    ///
    /// @param name LLVM's, may be empty
    /// @param members their types
    /// @param offsets bytes from the start to each member
    /// @param bytes of the whole
    record Struct(String name, List<IrType> members, List<Long> offsets, long bytes) implements IrType {
        public Struct {
            members = List.copyOf(members);
            offsets = List.copyOf(offsets);
        }
    }

    /// Labels, metadata and what else is no value of a program.
    record Other(String text) implements IrType {
        @Override
        public long bytes() {
            return 0;
        }
    }
}
