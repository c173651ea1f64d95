package knobscape.hls.source.interpret;

import java.math.BigInteger;
import knobscape.hls.source.exact.ExactType;

/// Code for a value with its type, in one of the two forms.
sealed interface Value {
    ExactType type();

    /// At most 64 bits.
    record Narrow(Code code, ExactType type) implements Value {}

    /// More than 64 bits.
    record Broad(WideCode code, ExactType type) implements Value {}

    /// As 64 bits; throws for a wide one, which the reader of sources never asks for.
    default Code narrow() {
        return switch (this) {
            case Narrow n -> n.code();
            case Broad b -> throw new IllegalStateException(b.type() + " does not fit 64 bits");
        };
    }

    /// As a number of any width.
    default WideCode wide() {
        return switch (this) {
            case Broad b -> b.code();
            case Narrow n -> {
                Code code = n.code();
                ExactType t = n.type();
                if (t.signed() || t.bits() < 64) {
                    yield f -> BigInteger.valueOf(code.at(f));
                }
                yield f -> Conversions.big(code.at(f), t);
            }
        };
    }

    /// This value, computed after a step.
    default Value after(Step first) {
        return switch (this) {
            case Narrow n -> {
                Code code = n.code();
                yield new Narrow(
                        f -> {
                            first.run(f);
                            return code.at(f);
                        },
                        n.type());
            }
            case Broad b -> {
                WideCode code = b.code();
                yield new Broad(
                        f -> {
                            first.run(f);
                            return code.at(f);
                        },
                        b.type());
            }
        };
    }

    /// Computes this for its effects.
    default Step effect() {
        return switch (this) {
            case Narrow n -> {
                Code code = n.code();
                yield f -> {
                    code.at(f);
                    return Step.NEXT;
                };
            }
            case Broad b -> {
                WideCode code = b.code();
                yield f -> {
                    code.at(f);
                    return Step.NEXT;
                };
            }
        };
    }
}
