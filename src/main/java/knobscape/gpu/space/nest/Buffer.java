package knobscape.gpu.space.nest;

/// An array of 32-bit floats that a nest reads or writes through flat indices.
///
/// @param name unique in its schedule and an identifier in C
/// @param scope where it lives
/// @param elements number of floats; in local memory, of one virtual thread
public record Buffer(String name, Scope scope, long elements) {
    /// Bytes of an element.
    public static final int ELEMENT_BYTES = 4;

    /// Where a buffer lives.
    public enum Scope {
        /// In the device's memory.
        GLOBAL,
        /// In the memory that the threads per block share.
        SHARED,
        /// In registers (or, where they run out, local memory) of a thread.
        LOCAL
    }

    /// Size in bytes.
    public long bytes() {
        return Math.multiplyExact(elements, ELEMENT_BYTES);
    }
}
