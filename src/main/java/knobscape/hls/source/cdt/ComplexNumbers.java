package knobscape.hls.source.cdt;

import java.util.List;
import java.util.Optional;
import knobscape.hls.source.Expression;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.ScalarType.Kind;

/// What operators of `std::complex` compute, in operations of their parts.
final class ComplexNumbers {
    private static final String HEAD = "complex<";

    private ComplexNumbers() {}

    /// The type of numbers whose parts are of this one.
    static ScalarType of(ScalarType part) {
        return new ScalarType(Kind.STRUCT, 2 * part.bits(), 0, true, HEAD + part.spelling() + ">");
    }

    /// The type of the real and of the imaginary part; empty for any other type.
    static Optional<ScalarType> part(ScalarType type) {
        if (type.kind() != Kind.STRUCT || !type.spelling().startsWith(HEAD)) {
            return Optional.empty();
        }
        String spelling =
                type.spelling().substring(HEAD.length(), type.spelling().length() - 1);
        Kind kind = switch (spelling) {
            case "float" -> Kind.FLOAT;
            case "double" -> Kind.DOUBLE;
            case "half" -> Kind.HALF;
            default -> Kind.INTEGER; // its arithmetic is that of whole numbers of this width
        };
        return Optional.of(new ScalarType(kind, type.bits() / 2, 0, true, spelling));
    }

    /// The real part (0) or the imaginary one (1): wires.
    static Expression take(Expression number, ScalarType part, int which) {
        return part(number.type()).isEmpty()
                ? number
                : new Expression.Operation(
                        OperationKind.BIT_SELECT,
                        List.of(number, new Expression.Constant(which, ScalarType.INT)),
                        part);
    }

    /// `a kind b`, one of which may be a plain number; empty where neither is complex, or for other operators.
    static Optional<Expression> operation(OperationKind kind, Expression a, Expression b) {
        Optional<ScalarType> part = part(a.type()).or(() -> part(b.type()));
        if (part.isEmpty()) {
            return Optional.empty();
        }
        ScalarType t = part.get();
        boolean both = part(a.type()).isPresent() && part(b.type()).isPresent();
        Expression re = apply(kind, take(a, t, 0), take(b, t, 0), t);
        Expression im = apply(kind, take(a, t, 1), take(b, t, 1), t);
        return switch (kind) {
            case ADD, SUBTRACT -> Optional.of(number(re, both ? im : take(a, t, 1), t));
            case MULTIPLY -> Optional.of(both ? product(a, b, t) : number(re, im, t));
            case DIVIDE -> {
                if (!both) {
                    yield Optional.of(number(re, im, t));
                }
                Expression norm = apply(
                        OperationKind.ADD,
                        apply(OperationKind.MULTIPLY, take(b, t, 0), take(b, t, 0), t),
                        apply(OperationKind.MULTIPLY, take(b, t, 1), take(b, t, 1), t),
                        t);
                Expression.Operation p = product(a, b, t);
                yield Optional.of(number(
                        apply(kind, p.operands().getFirst(), norm, t),
                        apply(kind, p.operands().getLast(), norm, t),
                        t));
            }
            default -> Optional.empty();
        };
    }

    private static Expression.Operation product(Expression a, Expression b, ScalarType t) {
        Expression[][] terms = new Expression[2][2];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                terms[i][j] = apply(OperationKind.MULTIPLY, take(a, t, i), take(b, t, j), t);
            }
        }
        return number(
                apply(OperationKind.SUBTRACT, terms[0][0], terms[1][1], t),
                apply(OperationKind.ADD, terms[0][1], terms[1][0], t),
                t);
    }

    private static Expression apply(OperationKind kind, Expression x, Expression y, ScalarType t) {
        return new Expression.Operation(kind, List.of(x, y), t);
    }

    private static Expression.Operation number(Expression re, Expression im, ScalarType part) {
        return new Expression.Operation(OperationKind.BIT_SELECT, List.of(re, im), of(part));
    }
}
