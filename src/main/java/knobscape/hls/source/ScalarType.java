package knobscape.hls.source;

/// Scalar type of a value, array element or operation, resolved through typedefs and macros.
///
/// @param kind family of the type
/// @param bits total width in bits
/// @param fraction fractional bits of a fixed-point type, else 0
/// @param signed whether negative values exist
/// @param spelling as written in the source (`TYPE`, `ap_int<12>`)
public record ScalarType(Kind kind, int bits, int fraction, boolean signed, String spelling) {

    /// Families of scalar types.
    public enum Kind {
        BOOL,
        INTEGER,
        FIXED,
        HALF,
        FLOAT,
        DOUBLE,
        STRUCT,
        UNKNOWN
    }

    /// A 32-bit signed integer.
    public static final ScalarType INT = new ScalarType(Kind.INTEGER, 32, 0, true, "int");
}
