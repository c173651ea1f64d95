package knobscape.hls.source.cdt;

import java.util.HashSet;
import java.util.Set;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.ScalarType.Kind;

/// Types of results: C's standard arithmetic conversions for its own types, the growth rules of
/// arbitrary-precision types (UG1399, "Arbitrary precision data types": a product has the sum of the widths, a
/// sum one bit more than the wider).
final class Widths {
    static final ScalarType BOOL = new ScalarType(Kind.BOOL, 1, 0, false, "bool");
    static final ScalarType LONG = new ScalarType(Kind.INTEGER, 64, 0, true, "long");
    static final ScalarType UNSIGNED = new ScalarType(Kind.INTEGER, 32, 0, false, "unsigned int");
    private static final int MAX_BITS = 4096;

    /// Names of typedefs and macros that stand for arbitrary-precision types.
    private final Set<String> arbitraryNames = new HashSet<>();

    /// Tells that a type so spelled follows the rules of arbitrary precision.
    void isArbitrary(String spelling) {
        arbitraryNames.add(spelling);
    }

    ScalarType binary(OperationKind kind, ScalarType a, ScalarType b) {
        if (kind == OperationKind.COMPARE
                || (kind == OperationKind.LOGIC && a.kind() == Kind.BOOL && b.kind() == Kind.BOOL)) {
            return BOOL;
        }
        if (a.isFloating() || b.isFloating()) {
            return wider(a, b);
        }
        if (kind == OperationKind.SHIFT_CONSTANT || kind == OperationKind.SHIFT_VARIABLE) {
            return promoted(a);
        }
        if (a.kind() == Kind.FIXED || b.kind() == Kind.FIXED) {
            return fixed(kind, a, b);
        }
        if (a.kind() == Kind.UNKNOWN || a.kind() == Kind.STRUCT) {
            return b.kind() == Kind.INTEGER && isOrdinary(b) ? a : b.kind() == Kind.UNKNOWN ? a : b;
        }
        if (b.kind() == Kind.UNKNOWN || b.kind() == Kind.STRUCT) {
            return isOrdinary(a) ? b : a;
        }
        if (isOrdinary(a) && isOrdinary(b)) {
            ScalarType x = promoted(a);
            ScalarType y = promoted(b);
            int bits = Math.max(x.bits(), y.bits());
            boolean signed =
                    x.bits() == y.bits() ? x.signed() && y.signed() : x.bits() > y.bits() ? x.signed() : y.signed();
            return new ScalarType(
                    Kind.INTEGER,
                    bits,
                    0,
                    signed,
                    (signed ? "" : "unsigned ") + (bits == 32 ? "int" : bits == 64 ? "long" : "__int128"));
        }
        boolean signed = a.signed() || b.signed();
        int bits = switch (kind) {
            case MULTIPLY -> a.bits() + b.bits();
            case ADD, SUBTRACT -> Math.max(a.bits(), b.bits()) + 1;
            case DIVIDE -> a.bits() + (b.signed() ? 1 : 0);
            case REMAINDER -> Math.min(a.bits(), b.bits());
            default -> Math.max(a.bits(), b.bits());
        };
        return arbitrary(bits, signed || kind == OperationKind.SUBTRACT);
    }

    private ScalarType arbitrary(int bits, boolean signed) {
        int b = Math.min(bits, MAX_BITS);
        return new ScalarType(Kind.INTEGER, b, 0, signed, (signed ? "ap_int<" : "ap_uint<") + b + ">");
    }

    private ScalarType fixed(OperationKind kind, ScalarType a, ScalarType b) {
        int wholeA = a.bits() - a.fraction();
        int wholeB = b.bits() - b.fraction();
        int whole = switch (kind) {
            case MULTIPLY -> wholeA + wholeB;
            case ADD, SUBTRACT -> Math.max(wholeA, wholeB) + 1;
            case DIVIDE -> wholeA + b.fraction() + (b.signed() ? 1 : 0);
            default -> Math.max(wholeA, wholeB);
        };
        int fraction = switch (kind) {
            case MULTIPLY -> a.fraction() + b.fraction();
            case DIVIDE -> a.fraction() + Math.max(0, wholeB);
            default -> Math.max(a.fraction(), b.fraction());
        };
        boolean signed = a.signed() || b.signed();
        int bits = Math.clamp((long) whole + fraction, 1, MAX_BITS);
        return new ScalarType(
                Kind.FIXED,
                bits,
                fraction,
                signed,
                (signed ? "ap_fixed<" : "ap_ufixed<") + bits + "," + (bits - fraction) + ">");
    }

    /// The floating type of the two with the most bits.
    static ScalarType wider(ScalarType a, ScalarType b) {
        if (!a.isFloating()) {
            return b;
        }
        return !b.isFloating() || a.bits() >= b.bits() ? a : b;
    }

    /// Whether it is one of C's own integer types, which are computed as `int` at least.
    boolean isOrdinary(ScalarType t) {
        return t.kind() == Kind.BOOL
                || (t.kind() == Kind.INTEGER
                        && !t.spelling().startsWith("ap_")
                        && !arbitraryNames.contains(t.spelling())
                        && (t.bits() == 8 || t.bits() == 16 || t.bits() == 32 || t.bits() == 64));
    }

    ScalarType promoted(ScalarType t) {
        return isOrdinary(t) && t.bits() < 32 ? ScalarType.INT : t;
    }
}
