package knobscape.hls.source.interpret;

import java.math.BigInteger;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactType.Arbitrary;
import knobscape.hls.source.exact.ExactType.Bool;
import knobscape.hls.source.exact.ExactType.Int;
import knobscape.hls.source.exact.ExactType.Pointer;
import knobscape.hls.source.exact.ExactType.Real;

/// Code for conversions.
final class ConvertCode {
    private ConvertCode() {}

    static Value convert(Value value, ExactType to) {
        ExactType from = value.type();
        if (from.equals(to)) {
            return value;
        }
        return switch (to) {
            case Bool b -> truth(value);
            case Real r -> real(value, r);
            case Arbitrary a -> arbitrary(value, a);
            case Int i -> integer(value, i);
            case Pointer p -> new Value.Narrow(value.narrow(), p);
            default -> value;
        };
    }

    private static Value truth(Value value) {
        if (value instanceof Value.Broad b) {
            WideCode code = b.code();
            return new Value.Narrow(f -> code.at(f).signum() != 0 ? 1 : 0, ExactType.BOOL);
        }
        Code code = value.narrow();
        if (value.type() instanceof Real r) {
            return new Value.Narrow(f -> Conversions.real(code.at(f), r) != 0 ? 1 : 0, ExactType.BOOL);
        }
        return new Value.Narrow(f -> code.at(f) != 0 ? 1 : 0, ExactType.BOOL);
    }

    private static Value integer(Value value, Int to) {
        ExactType from = value.type();
        if (value instanceof Value.Broad || from.fraction() != 0) {
            WideCode code = value.wide();
            int fraction = from.fraction();
            return new Value.Narrow(
                    f -> {
                        BigInteger v = code.at(f);
                        v = fraction >= 0 ? Conversions.towardsZero(v, fraction) : v.shiftLeft(-fraction);
                        return Conversions.wrap(v.longValue(), to.bits(), to.signed());
                    },
                    to);
        }
        Code code = value.narrow();
        if (from instanceof Real r) {
            return new Value.Narrow(f -> Conversions.truncated(Conversions.real(code.at(f), r), to), to);
        }
        boolean holds = to.bits() == 64
                || (from.bits() < to.bits() && (!from.signed() || to.signed()))
                || (from.bits() == to.bits() && from.signed() == to.signed());
        if (holds) {
            return new Value.Narrow(code, to);
        }
        if (to.bits() == 32) {
            return new Value.Narrow(to.signed() ? f -> (int) code.at(f) : f -> code.at(f) & 0xFFFFFFFFL, to);
        }
        return new Value.Narrow(f -> Conversions.wrap(code.at(f), to.bits(), to.signed()), to);
    }

    private static Value real(Value value, Real to) {
        ExactType from = value.type();
        if (value instanceof Value.Broad || from.fraction() != 0) {
            WideCode code = value.wide();
            return new Value.Narrow(f -> Conversions.realBits(code.at(f), from.fraction(), to), to);
        }
        Code code = value.narrow();
        if (from instanceof Real) {
            return to.bits() == 64
                    ? new Value.Narrow(f -> Double.doubleToRawLongBits(Float.intBitsToFloat((int) code.at(f))), to)
                    : new Value.Narrow(f -> Float.floatToRawIntBits((float) Double.longBitsToDouble(code.at(f))), to);
        }
        return new Value.Narrow(f -> Conversions.realBits(code.at(f), from, to), to);
    }

    private static Value arbitrary(Value value, Arbitrary to) {
        ExactType from = value.type();
        if (from instanceof Real r) {
            Code code = value.narrow();
            return packed(f -> Conversions.arbitrary(Conversions.real(code.at(f), r), to), to);
        }
        boolean simple = value instanceof Value.Narrow
                && !to.isWide()
                && from.fraction() == to.fraction()
                && to.overflow() == ExactType.Overflow.WRAP;
        if (simple) {
            Code code = value.narrow();
            return new Value.Narrow(f -> Conversions.wrap(code.at(f), to.bits(), to.signed()), to);
        }
        WideCode code = value.wide();
        return packed(f -> Conversions.arbitrary(code.at(f), from.fraction(), to), to);
    }

    /// A number that fits the type, in the form the type has.
    static Value packed(WideCode code, ExactType type) {
        return type.isWide()
                ? new Value.Broad(code, type)
                : new Value.Narrow(f -> code.at(f).longValue(), type);
    }
}
