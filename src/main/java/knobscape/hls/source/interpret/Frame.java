package knobscape.hls.source.interpret;

import java.math.BigInteger;

/// One call of a function: its variables, or where they stand in memory, and what it returns.
final class Frame {
    final long[] variables;
    long result;
    BigInteger wideResult = BigInteger.ZERO;

    Frame(int variables) {
        this.variables = new long[variables];
    }
}
