package knobscape.study.text;

import java.util.Optional;
import java.util.regex.Pattern;

/// Numbers as YAML, Python and C print them.
public final class Numerals {
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,15}");
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

    private Numerals() {}

    /// True if a text is a whole number of at most 15 digits.
    public static boolean isWhole(String text) {
        return WHOLE.matcher(text).matches();
    }

    /// The finite number that a text is; empty for everything else.
    public static Optional<Double> number(String text) {
        return Optional.of(text)
                .filter(t -> NUMBER.matcher(t).matches())
                .map(Double::parseDouble)
                .filter(Double::isFinite);
    }
}
