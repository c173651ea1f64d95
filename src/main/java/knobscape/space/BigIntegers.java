package knobscape.space;

import java.math.BigInteger;
import java.util.random.RandomGenerator;

/// Random whole numbers of any size.
public final class BigIntegers {
    private BigIntegers() {}

    /// Uniform on `0 .. bound-1` by rejection; `bound` must be positive.
    public static BigInteger uniformBelow(BigInteger bound, RandomGenerator random) {
        if (bound.signum() <= 0) {
            throw new IllegalArgumentException("bound must be positive, was " + bound);
        }
        int bits = bound.bitLength();
        byte[] bytes = new byte[(bits + 7) / 8];
        int spare = bytes.length * 8 - bits;
        while (true) {
            random.nextBytes(bytes);
            bytes[0] &= (byte) (0xFF >>> spare);
            BigInteger value = new BigInteger(1, bytes);
            if (value.compareTo(bound) < 0) {
                return value;
            }
        }
    }
}
