package knobscape.compile.run;

import java.math.BigInteger;

/// Numbers of a width.
final class Numbers {
    private Numbers() {}

    static long signed(long bits, int width) {
        return width >= Long.SIZE ? bits : bits << (Long.SIZE - width) >> (Long.SIZE - width);
    }

    static long unsigned(long bits, int width) {
        return width >= Long.SIZE ? bits : bits & ((1L << width) - 1);
    }

    static BigInteger signed(BigInteger bits, int width) {
        BigInteger low = unsigned(bits, width);
        return low.testBit(width - 1) ? low.subtract(BigInteger.ONE.shiftLeft(width)) : low;
    }

    static BigInteger unsigned(BigInteger bits, int width) {
        return bits.and(BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE));
    }

    /// The number of the bits of one of a width.
    static double real(long bits, int width) {
        return switch (width) {
            case Short.SIZE -> Float.float16ToFloat((short) bits);
            case Float.SIZE -> Float.intBitsToFloat((int) bits);
            case Double.SIZE -> Double.longBitsToDouble(bits);
            default -> throw new Ended("computes with numbers of " + width + " bits");
        };
    }

    /// The bits of the nearest number of a width.
    static long bits(double x, int width) {
        return switch (width) {
            case Short.SIZE -> Float.floatToFloat16((float) x) & 0xFFFFL;
            case Float.SIZE -> Float.floatToRawIntBits((float) x) & 0xFFFFFFFFL;
            case Double.SIZE -> Double.doubleToRawLongBits(x);
            default -> throw new Ended("computes with numbers of " + width + " bits");
        };
    }
}
