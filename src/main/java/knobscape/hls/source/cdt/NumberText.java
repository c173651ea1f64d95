package knobscape.hls.source.cdt;

import java.util.OptionalLong;
import java.util.function.Function;

/// Integer expressions in text: numbers, names, `+ - * / % << >>` and parentheses, as far as they go.
final class NumberText {
    private final String text;
    private final Function<String, OptionalLong> names;
    private int at;

    private NumberText(String text, Function<String, OptionalLong> names) {
        this.text = text;
        this.names = names;
    }

    /// What the longest expression at the start of a text is.
    ///
    /// @param value the number
    /// @param end characters it takes
    record Result(long value, int end) {}

    /// Reads the expression that `text` starts with; empty where it starts with none.
    static java.util.Optional<Result> read(String text, Function<String, OptionalLong> names) {
        var reader = new NumberText(text, names);
        try {
            OptionalLong v = reader.sum(0);
            return v.isPresent()
                    ? java.util.Optional.of(new Result(v.getAsLong(), reader.at))
                    : java.util.Optional.empty();
        } catch (ArithmeticException e) {
            return java.util.Optional.empty();
        }
    }

    private OptionalLong sum(int level) {
        if (level == 3) {
            return unary();
        }
        OptionalLong left = sum(level + 1);
        while (left.isPresent()) {
            int start = at;
            String operator = operator(level);
            if (operator.isEmpty()) {
                at = start;
                return left;
            }
            OptionalLong right = sum(level + 1);
            if (right.isEmpty()) {
                // "4 - " followed by something else: the expression ended before the operator.
                at = start;
                return left;
            }
            long a = left.getAsLong();
            long b = right.getAsLong();
            left = OptionalLong.of(
                    switch (operator) {
                        case "<<" -> Math.multiplyExact(a, Math.powExact(2L, Math.toIntExact(b)));
                        case ">>" -> a >> b;
                        case "+" -> Math.addExact(a, b);
                        case "-" -> Math.subtractExact(a, b);
                        case "*" -> Math.multiplyExact(a, b);
                        case "/" -> a / b;
                        default -> a % b;
                    });
        }
        return left;
    }

    private String operator(int level) {
        blanks();
        String[] candidates = level == 0
                ? new String[] {"<<", ">>"}
                : level == 1 ? new String[] {"+", "-"} : new String[] {"*", "/", "%"};
        for (String c : candidates) {
            if (text.startsWith(c, at)) {
                at += c.length();
                return c;
            }
        }
        return "";
    }

    private OptionalLong unary() {
        int start = at;
        blanks();
        if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
            boolean minus = text.charAt(at++) == '-';
            OptionalLong v = unary();
            return v.isPresent() ? OptionalLong.of(minus ? -v.getAsLong() : v.getAsLong()) : back(start);
        }
        if (at < text.length() && text.charAt(at) == '(') {
            at++;
            OptionalLong v = sum(0);
            blanks();
            if (v.isPresent() && at < text.length() && text.charAt(at) == ')') {
                at++;
                return v;
            }
            return back(start);
        }
        int end = at;
        while (end < text.length()
                && (Character.isLetterOrDigit(text.charAt(end))
                        || text.charAt(end) == '_'
                        || text.startsWith("::", end)
                        || (end > 0 && text.startsWith("::", end - 1)))) {
            end++;
        }
        if (end == at) {
            return back(start);
        }
        String word = text.substring(at, end);
        at = end;
        OptionalLong v = Character.isDigit(word.charAt(0)) ? Literals.integer(word) : names.apply(word);
        return v.isPresent() ? v : back(start);
    }

    private OptionalLong back(int start) {
        at = start;
        return OptionalLong.empty();
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }
}
