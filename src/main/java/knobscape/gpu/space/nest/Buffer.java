package knobscape.gpu.space.nest;

/// An array that a nest reads or writes through flat indices. Hosts see all of them as 32-bit words.
///
/// @param name unique in its schedule and an identifier in C
/// @param scope where it lives
/// @param elements how many; in local memory, of one virtual thread
/// @param format of an element
public record Buffer(String name, Scope scope, long elements, Format format) {
    /// Bytes of a word.
    public static final int ELEMENT_BYTES = 4;

    /// An array of 32-bit floats.
    public Buffer(String name, Scope scope, long elements) {
        this(name, scope, elements, Format.FLOAT);
    }

    /// Where a buffer lives.
    public enum Scope {
        /// In the device's memory.
        GLOBAL,
        /// In the memory that the threads per block share.
        SHARED,
        /// In registers (or, where they run out, local memory) of a thread.
        LOCAL
    }

    /// Formats of an element.
    public enum Format {
        /// A 32-bit float.
        FLOAT("float", ELEMENT_BYTES),
        /// A 32-bit integer: a sum, or four integers of 8 bits, the first in the lowest bits.
        WORD("int", ELEMENT_BYTES),
        /// An integer of 8 bits.
        BYTE("signed char", 1),
        /// A 16-bit float.
        HALF("__half", 2),
        /// A fragment of a left factor whose elements lie row by row: 16 halves in each lane of a warp.
        LEFT("ks_left", NestStatement.Fragment.BYTES),
        /// A fragment of a right factor whose elements lie row by row.
        RIGHT("ks_right", NestStatement.Fragment.BYTES),
        /// A fragment of a right factor whose elements lie column by column.
        TURNED("ks_turned", NestStatement.Fragment.BYTES),
        /// A fragment of a sum: 8 floats in each lane.
        SUM("ks_sum", NestStatement.Fragment.BYTES);

        private final String c;
        private final int bytes;

        Format(String c, int bytes) {
            this.c = c;
            this.bytes = bytes;
        }

        /// True if an element is a [NestStatement.Fragment].
        public boolean isFragment() {
            return ordinal() >= LEFT.ordinal();
        }

        /// Bytes of an element; of a fragment, in one lane.
        public int bytes() {
            return bytes;
        }

        /// Its name in C.
        public String c() {
            return c;
        }
    }

    /// Size in bytes, of whole words.
    public long bytes() {
        return Math.multiplyExact(words(), ELEMENT_BYTES);
    }

    /// Size in words.
    public long words() {
        return Math.ceilDiv(Math.multiplyExact(elements, format.bytes), ELEMENT_BYTES);
    }
}
