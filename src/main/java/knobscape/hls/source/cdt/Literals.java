package knobscape.hls.source.cdt;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.ScalarType.Kind;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;

/// Values of literals as C writes them.
final class Literals {
    private static final Pattern SUFFIX = Pattern.compile("(u|l|ll|ul|lu|ull|llu|z|uz)$");
    private static final Pattern HEX_SUFFIX = Pattern.compile("[ulz]+$");
    private static final Pattern HEX_UNSIGNED = Pattern.compile("0x[0-9a-f']*u.*");
    private static final Pattern LONG = Pattern.compile(".*[0-9a-f]u?l.*");

    private Literals() {}

    /// An integer literal with any base, suffix and digit separators.
    static OptionalLong integer(String written) {
        String plain = written.toLowerCase(Locale.ROOT).replace("'", "");
        String s = SUFFIX.matcher(plain).replaceAll("");
        // Hexadecimal digits are no suffix.
        if (s.startsWith("0x")) {
            s = HEX_SUFFIX.matcher(plain).replaceAll("");
        }
        try {
            if (s.startsWith("0x")) {
                return OptionalLong.of(Long.parseUnsignedLong(s.substring(2), 16));
            }
            if (s.startsWith("0b")) {
                return OptionalLong.of(Long.parseUnsignedLong(s.substring(2), 2));
            }
            if (s.length() > 1 && s.startsWith("0")) {
                return OptionalLong.of(Long.parseUnsignedLong(s, 8));
            }
            return OptionalLong.of(Long.parseUnsignedLong(s));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /// A character literal of one character.
    static OptionalLong character(String written) {
        int start = written.indexOf('\'') + 1;
        int end = written.lastIndexOf('\'');
        if (start < 1 || end <= start) {
            return OptionalLong.empty();
        }
        String s = written.substring(start, end);
        if (s.length() == 1) {
            return OptionalLong.of(s.charAt(0));
        }
        if (s.charAt(0) != '\\') {
            return OptionalLong.empty();
        }
        try {
            return switch (s.charAt(1)) {
                case 'n' -> OptionalLong.of(10);
                case 't' -> OptionalLong.of(9);
                case 'r' -> OptionalLong.of(13);
                case 'a' -> OptionalLong.of(7);
                case 'b' -> OptionalLong.of(8);
                case 'f' -> OptionalLong.of(12);
                case 'v' -> OptionalLong.of(11);
                case 'x' -> OptionalLong.of(Long.parseLong(s.substring(2), 16));
                case '0', '1', '2', '3', '4', '5', '6', '7' -> OptionalLong.of(Long.parseLong(s.substring(1), 8));
                default -> OptionalLong.of(s.charAt(1));
            };
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /// A floating literal.
    static Optional<Double> floating(String written) {
        try {
            return Optional.of(Double.parseDouble(written.replace("'", "").replaceAll("[fFlL]$", "")));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    static ScalarType type(IASTLiteralExpression l, String written) {
        String s = written.toLowerCase(Locale.ROOT);
        return switch (l.getKind()) {
            case IASTLiteralExpression.lk_float_constant ->
                s.endsWith("f") && !s.startsWith("0x")
                        ? new ScalarType(Kind.FLOAT, 32, 0, true, "float")
                        : new ScalarType(Kind.DOUBLE, 64, 0, true, "double");
            case IASTLiteralExpression.lk_true, IASTLiteralExpression.lk_false -> Widths.BOOL;
            case IASTLiteralExpression.lk_char_constant -> ScalarType.INT;
            case IASTLiteralExpression.lk_integer_constant -> {
                boolean unsigned = (s.contains("u") && !s.startsWith("0x"))
                        || HEX_UNSIGNED.matcher(s).matches();
                long v = integer(written).orElse(0);
                boolean wide = LONG.matcher(s).matches() || v < 0 || v > (unsigned ? 0xFFFFFFFFL : Integer.MAX_VALUE);
                yield wide
                        ? new ScalarType(Kind.INTEGER, 64, 0, !unsigned, unsigned ? "unsigned long" : "long")
                        : unsigned ? Widths.UNSIGNED : ScalarType.INT;
            }
            default -> new ScalarType(Kind.UNKNOWN, 64, 0, false, "literal");
        };
    }
}
