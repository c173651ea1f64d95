package knobscape.network;

import java.util.Locale;

/// Type of the elements of a tensor.
public enum ElementType {
    /// IEEE 754 single precision.
    FLOAT32(32, true),
    /// IEEE 754 double precision.
    FLOAT64(64, true),
    /// IEEE 754 half precision.
    FLOAT16(16, true),
    /// The upper half of a single-precision number.
    BFLOAT16(16, true),
    /// Any of the 8-bit floating-point formats.
    FLOAT8(8, true),
    /// Any of the 4-bit floating-point formats.
    FLOAT4(4, true),
    /// Signed 8-bit integer.
    INT8(8, false),
    /// Unsigned 8-bit integer.
    UINT8(8, false),
    /// Signed 16-bit integer.
    INT16(16, false),
    /// Unsigned 16-bit integer.
    UINT16(16, false),
    /// Signed 32-bit integer.
    INT32(32, false),
    /// Unsigned 32-bit integer.
    UINT32(32, false),
    /// Signed 64-bit integer.
    INT64(64, false),
    /// Unsigned 64-bit integer.
    UINT64(64, false),
    /// Signed 4-bit integer.
    INT4(4, false),
    /// Unsigned 4-bit integer.
    UINT4(4, false),
    /// Truth value, stored in a byte.
    BOOL(8, false),
    /// Anything else (texts, complex numbers, sequences), or not known; no size.
    OTHER(0, false);

    private final int bits;
    private final boolean floating;

    ElementType(int bits, boolean floating) {
        this.bits = bits;
        this.floating = floating;
    }

    /// Bits of one element in memory; 0 where that is not known.
    public int bits() {
        return bits;
    }

    /// True if elements are floating-point numbers.
    public boolean isFloating() {
        return floating;
    }

    /// True if elements are integers or truth values.
    public boolean isIntegral() {
        return !floating && this != OTHER;
    }

    /// Bytes that `elements` of this type take, rounded up to whole bytes.
    public long bytes(long elements) {
        return Math.ceilDiv(Math.multiplyExact(elements, bits), 8);
    }

    /// The name in files and on screen, for example `float32`.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
