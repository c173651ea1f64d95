package knobscape.hls.source.interpret;

import java.math.BigInteger;

/// Computes an integer or the bits of a fixed-point number of any width.
@FunctionalInterface
interface WideCode {
    BigInteger at(Frame frame);
}
