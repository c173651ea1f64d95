package knobscape.hls.source.interpret;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import knobscape.hls.source.exact.ExactExpression;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactType.Real;

/// Functions of the C library. `sqrt`, `fabs`, `floor` and their like are exact; of the others (`exp`, `sin`)
/// C fixes no last bit: here it is that of the number nearest to what `StrictMath` computes.
public final class LibraryCode {
    private static final Map<String, DoubleUnaryOperator> ONE = Map.ofEntries(
            Map.entry("sqrt", Math::sqrt),
            Map.entry("fabs", Math::abs),
            Map.entry("floor", Math::floor),
            Map.entry("ceil", Math::ceil),
            Map.entry("trunc", v -> v < 0 ? Math.ceil(v) : Math.floor(v)),
            Map.entry("rint", Math::rint),
            Map.entry("round", v -> Math.copySign(rounded(Math.abs(v)), v)),
            Map.entry("exp", StrictMath::exp),
            Map.entry("exp2", v -> StrictMath.pow(2, v)),
            Map.entry("expm1", StrictMath::expm1),
            Map.entry("log", StrictMath::log),
            Map.entry("log2", v -> StrictMath.log(v) / StrictMath.log(2)),
            Map.entry("log10", StrictMath::log10),
            Map.entry("log1p", StrictMath::log1p),
            Map.entry("sin", StrictMath::sin),
            Map.entry("cos", StrictMath::cos),
            Map.entry("tan", StrictMath::tan),
            Map.entry("asin", StrictMath::asin),
            Map.entry("acos", StrictMath::acos),
            Map.entry("atan", StrictMath::atan),
            Map.entry("sinh", StrictMath::sinh),
            Map.entry("cosh", StrictMath::cosh),
            Map.entry("tanh", StrictMath::tanh),
            Map.entry("cbrt", StrictMath::cbrt));

    private static final Map<String, DoubleBinaryOperator> TWO = Map.of(
            "pow", StrictMath::pow,
            "fmod", (a, b) -> a % b,
            "atan2", StrictMath::atan2,
            "hypot", StrictMath::hypot,
            "fmin", (a, b) -> Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b),
            "fmax", (a, b) -> Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b),
            "fdim", (a, b) -> a > b ? a - b : 0);

    private LibraryCode() {}

    private static double rounded(double v) {
        double floor = Math.floor(v);
        return v - floor >= 0.5 ? floor + 1 : floor;
    }

    /// How many floating-point arguments the function of this name takes, without the `f` for `float`; empty
    /// for functions that are not known.
    public static Optional<Integer> reals(String name) {
        return ONE.containsKey(name) ? Optional.of(1) : TWO.containsKey(name) ? Optional.of(2) : Optional.empty();
    }

    static Value call(Machine machine, ExactExpression.Library l, List<Value> arguments) {
        if (l.type() instanceof Real r && !l.name().startsWith("mem")) {
            String name = r.bits() == 32 ? l.name().substring(0, l.name().length() - 1) : l.name();
            return new Value.Narrow(real(name, r, arguments), r);
        }
        return new Value.Narrow(other(machine, l, arguments), l.type());
    }

    private static Code real(String name, Real r, List<Value> arguments) {
        Code a = arguments.getFirst().narrow();
        if (ONE.get(name) instanceof DoubleUnaryOperator one) {
            return f -> Conversions.bits(one.applyAsDouble(Conversions.real(a.at(f), r)), r);
        }
        if (!(TWO.get(name) instanceof DoubleBinaryOperator two)) {
            throw new IllegalStateException("no library function " + name);
        }
        Code b = arguments.get(1).narrow();
        return f -> {
            double x = Conversions.real(a.at(f), r);
            return Conversions.bits(two.applyAsDouble(x, Conversions.real(b.at(f), r)), r);
        };
    }

    private static Code other(Machine machine, ExactExpression.Library l, List<Value> arguments) {
        Code[] a = arguments.stream().map(Value::narrow).toArray(Code[]::new);
        Memory memory = machine.memory;
        return switch (l.name()) {
            case "memcpy", "memmove" ->
                f -> {
                    long to = a[0].at(f);
                    long from = a[1].at(f);
                    memory.copy(to, from, count(a[2].at(f)));
                    return to;
                };
            case "memset" ->
                f -> {
                    long to = a[0].at(f);
                    byte v = (byte) a[1].at(f);
                    memory.fill(to, v, count(a[2].at(f)));
                    return to;
                };
            case "rand" -> _ -> machine.random.next();
            case "srand" ->
                f -> {
                    machine.random.seed((int) a[0].at(f));
                    return 0;
                };
            case "abs", "labs", "llabs" -> {
                ExactType t = l.type();
                yield f -> Conversions.wrap(Math.abs(a[0].at(f)), t.bits(), true);
            }
            default -> throw new IllegalStateException("no library function " + l.name());
        };
    }

    private static int count(long bytes) {
        if (bytes < 0 || bytes > 1L << 30) {
            throw new Stop("handles " + bytes + " bytes at once");
        }
        return (int) bytes;
    }
}
