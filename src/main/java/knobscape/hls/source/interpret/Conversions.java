package knobscape.hls.source.interpret;

import java.math.BigDecimal;
import java.math.BigInteger;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactType.Arbitrary;
import knobscape.hls.source.exact.ExactType.Overflow;
import knobscape.hls.source.exact.ExactType.Quantization;
import knobscape.hls.source.exact.ExactType.Real;

/// Conversions between types, as C's rules and those of the ap types say.
final class Conversions {
    private Conversions() {}

    /// The value kept in `bits` bits.
    static long wrap(long value, int bits, boolean signed) {
        if (bits >= 64) {
            return value;
        }
        return signed ? value << (64 - bits) >> (64 - bits) : value & ((1L << bits) - 1);
    }

    /// The value kept in `bits` bits.
    static BigInteger wrap(BigInteger value, int bits, boolean signed) {
        if (!signed && value.signum() >= 0 && value.bitLength() <= bits) {
            return value;
        }
        if (signed && value.bitLength() < bits) {
            return value;
        }
        BigInteger low = value.and(BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE));
        return signed && low.testBit(bits - 1) ? low.subtract(BigInteger.ONE.shiftLeft(bits)) : low;
    }

    /// The number that 64 bits of this type stand for.
    static BigInteger big(long value, ExactType type) {
        BigInteger v = BigInteger.valueOf(value);
        return value < 0 && !type.signed() ? v.add(BigInteger.ONE.shiftLeft(64)) : v;
    }

    /// Bits of a floating-point number as its value.
    static double real(long bits, ExactType type) {
        return type.bits() == 32 ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
    }

    /// Bits of a number rounded to the type.
    static long bits(double value, ExactType type) {
        return type.bits() == 32 ? Float.floatToRawIntBits((float) value) : Double.doubleToRawLongBits(value);
    }

    /// A whole number as floating point, rounded once.
    static long realBits(BigInteger value, int fraction, Real type) {
        BigDecimal exact = new BigDecimal(value);
        if (fraction > 0) {
            exact = exact.divide(new BigDecimal(BigInteger.ONE.shiftLeft(fraction)));
        } else if (fraction < 0) {
            exact = new BigDecimal(value.shiftLeft(-fraction));
        }
        return type.bits() == 32
                ? Float.floatToRawIntBits(exact.floatValue())
                : Double.doubleToRawLongBits(exact.doubleValue());
    }

    /// A whole number of 64 bits as floating point.
    static long realBits(long value, ExactType from, Real type) {
        if (value < 0 && !from.signed()) {
            return realBits(big(value, from), 0, type);
        }
        return type.bits() == 32 ? Float.floatToRawIntBits((float) value) : Double.doubleToRawLongBits(value);
    }

    /// A floating-point number as an integer of C, towards zero; C leaves it undefined where it does not fit.
    static long truncated(double value, ExactType to) {
        double v = value < 0 ? Math.ceil(value) : Math.floor(value);
        double limit = Math.scalb(1.0, to.signed() ? to.bits() - 1 : to.bits());
        if (!(v < limit && (to.signed() ? v >= -limit : v > -1))) {
            throw new Stop("converts " + value + " to an integer of " + to.bits()
                    + " bits, where it does not fit and C leaves open what comes out");
        }
        return v >= 0x1p63 ? (long) (v - 0x1p63) + Long.MIN_VALUE : (long) v;
    }

    /// A number with `fraction` bits behind the point as an `ap_int` or `ap_fixed`.
    static BigInteger arbitrary(BigInteger value, int fraction, Arbitrary to) {
        int dropped = fraction - to.fraction();
        BigInteger v = dropped <= 0
                ? value.shiftLeft(-dropped)
                : to.fixed() ? quantized(value, dropped, to.quantization()) : towardsZero(value, dropped);
        return overflown(v, to);
    }

    /// The integer part of a fixed-point number.
    static BigInteger towardsZero(BigInteger value, int fraction) {
        return value.signum() < 0 ? value.negate().shiftRight(fraction).negate() : value.shiftRight(fraction);
    }

    private static BigInteger quantized(BigInteger v, int dropped, Quantization mode) {
        BigInteger floor = v.shiftRight(dropped);
        BigInteger rest = v.subtract(floor.shiftLeft(dropped));
        if (rest.signum() == 0) {
            return floor;
        }
        int half = rest.compareTo(BigInteger.ONE.shiftLeft(dropped - 1));
        boolean negative = v.signum() < 0;
        boolean up = switch (mode) {
            case TRN -> false;
            case TRN_ZERO -> negative;
            case RND -> half >= 0;
            case RND_ZERO -> half > 0 || (half == 0 && negative);
            case RND_MIN_INF -> half > 0;
            case RND_INF -> half > 0 || (half == 0 && !negative);
            case RND_CONV -> half > 0 || (half == 0 && floor.testBit(0));
        };
        return up ? floor.add(BigInteger.ONE) : floor;
    }

    private static BigInteger overflown(BigInteger v, Arbitrary to) {
        if (to.overflow() == Overflow.WRAP) {
            return wrap(v, to.bits(), to.signed());
        }
        BigInteger max = BigInteger.ONE
                .shiftLeft(to.signed() ? to.bits() - 1 : to.bits())
                .subtract(BigInteger.ONE);
        BigInteger min = to.signed() ? max.add(BigInteger.ONE).negate() : BigInteger.ZERO;
        BigInteger least = to.overflow() == Overflow.SAT_SYM && to.signed() ? max.negate() : min;
        if (v.compareTo(max) <= 0 && v.compareTo(least) >= 0) {
            return v;
        }
        return switch (to.overflow()) {
            case SAT_ZERO -> BigInteger.ZERO;
            case SAT, SAT_SYM -> v.signum() < 0 ? least : max;
            default -> throw new Stop("uses overflow mode AP_WRAP_SM, which is not known here");
        };
    }

    /// A floating-point number as an `ap_int` or `ap_fixed`.
    static BigInteger arbitrary(double value, Arbitrary to) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new Stop("converts " + value + " to a number of " + to.bits() + " bits");
        }
        long raw = Double.doubleToRawLongBits(value);
        int exponent = Math.max(1, (int) (raw >>> 52 & 0x7FF)) - 1075;
        long mantissa = (raw & 0xFFFFFFFFFFFFFL) | ((raw >>> 52 & 0x7FF) == 0 ? 0 : 1L << 52);
        BigInteger v = BigInteger.valueOf(value < 0 ? -mantissa : mantissa);
        return arbitrary(v, -exponent, to);
    }
}
