package knobscape.hls.source.exact;

import java.util.List;

/// A type with its layout in memory: that of 64-bit Linux, where C compilers agree.
public sealed interface ExactType {
    /// A truth value of one byte, 0 or 1.
    ExactType BOOL = new Bool();

    /// `int`.
    Int INT = new Int(32, true);

    /// `size_t`.
    Int SIZE = new Int(64, false);

    /// No value.
    ExactType NOTHING = new Nothing();

    /// Bytes of a value in memory.
    int size();

    /// Its address is a multiple of this.
    int alignment();

    /// Bits of an integer or fixed-point value; 64 for an address.
    default int bits() {
        return size() * 8;
    }

    /// Whether the bits of an integer or fixed-point value are read as a two's complement number.
    default boolean signed() {
        return false;
    }

    /// Bits behind the binary point.
    default int fraction() {
        return 0;
    }

    /// Whether it is a number without binary point: truth values, C's integers, `ap_int`.
    default boolean isInteger() {
        return this instanceof Bool || this instanceof Int || (this instanceof Arbitrary a && !a.fixed());
    }

    /// Whether values do not fit 64 bits.
    default boolean isWide() {
        return this instanceof Arbitrary a && a.bits() > 64;
    }

    /// Whether it consists of others and lives only in memory.
    default boolean isAggregate() {
        return this instanceof Array || this instanceof Struct;
    }

    /// `void`.
    record Nothing() implements ExactType {
        @Override
        public int size() {
            return 1;
        }

        @Override
        public int alignment() {
            return 1;
        }
    }

    /// `bool`.
    record Bool() implements ExactType {
        @Override
        public int size() {
            return 1;
        }

        @Override
        public int alignment() {
            return 1;
        }

        @Override
        public int bits() {
            return 1;
        }
    }

    /// An integer of C.
    ///
    /// @param bits 8, 16, 32 or 64
    record Int(int bits, boolean signed) implements ExactType {
        @Override
        public int size() {
            return bits / 8;
        }

        @Override
        public int alignment() {
            return size();
        }
    }

    /// A floating-point number by IEEE 754.
    ///
    /// @param bits 32 or 64
    record Real(int bits) implements ExactType {
        @Override
        public int size() {
            return bits / 8;
        }

        @Override
        public int alignment() {
            return size();
        }

        @Override
        public boolean signed() {
            return true;
        }
    }

    /// How a fixed-point number loses bits below its last.
    enum Quantization {
        RND,
        RND_ZERO,
        RND_MIN_INF,
        RND_INF,
        RND_CONV,
        TRN,
        TRN_ZERO
    }

    /// What a fixed-point number does with values beyond its range.
    enum Overflow {
        SAT,
        SAT_ZERO,
        SAT_SYM,
        WRAP,
        WRAP_SM
    }

    /// A number of any width: `ap_int`, `ap_uint`, `ap_fixed`, `ap_ufixed`.
    ///
    /// @param bits all bits, up to 4096
    /// @param fraction bits behind the binary point, negative where the last bits before it are missing
    /// @param fixed whether it is one of the fixed-point types, also with no fraction
    record Arbitrary(
            int bits, int fraction, boolean signed, boolean fixed, Quantization quantization, Overflow overflow)
            implements ExactType {
        /// An integer.
        public static Arbitrary integer(int bits, boolean signed) {
            return new Arbitrary(bits, 0, signed, false, Quantization.TRN, Overflow.WRAP);
        }

        /// A fixed-point number as arithmetic makes them.
        public static Arbitrary fixed(int bits, int fraction, boolean signed) {
            return new Arbitrary(bits, fraction, signed, true, Quantization.TRN, Overflow.WRAP);
        }

        @Override
        public int size() {
            return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : (bits + 63) / 64 * 8;
        }

        @Override
        public int alignment() {
            return Math.min(8, size());
        }
    }

    /// An address.
    record Pointer(ExactType target) implements ExactType {
        @Override
        public int size() {
            return 8;
        }

        @Override
        public int alignment() {
            return 8;
        }
    }

    /// Elements one after another.
    record Array(ExactType element, int length) implements ExactType {
        /// Throws [ArithmeticException] where the array has more than 2^31 bytes.
        public Array {
            Math.multiplyExact(element.size(), length);
        }

        @Override
        public int size() {
            return element.size() * length;
        }

        @Override
        public int alignment() {
            return element.alignment();
        }
    }

    /// A structure, class or union.
    ///
    /// @param fields with their places; those of a union all at 0
    record Struct(String name, List<Field> fields, int size, int alignment) implements ExactType {
        public Struct {
            fields = List.copyOf(fields);
        }
    }

    /// A member.
    ///
    /// @param offset bytes from the start of the structure
    record Field(String name, ExactType type, int offset) {}

    /// The type of this name, whose contents are not needed here (the target of a pointer in itself).
    record Named(String name) implements ExactType {
        @Override
        public int size() {
            return 1;
        }

        @Override
        public int alignment() {
            return 1;
        }
    }

    /// A first-in first-out channel; in memory its number.
    record Stream(ExactType element) implements ExactType {
        @Override
        public int size() {
            return 8;
        }

        @Override
        public int alignment() {
            return 8;
        }
    }
}
