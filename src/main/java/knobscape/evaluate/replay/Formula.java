package knobscape.evaluate.replay;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/// Arithmetic over the columns of a row, for example `hls_latency_cycles * impl_clock_ns`. Operators `+ - * /`,
/// comparisons `== != < <= > >=` (1 or 0), parentheses, the functions `min max log2 sqrt floor first` (`first`
/// takes the first argument that has a value); a column name with other characters than letters, digits, `_`
/// and `.` stands in backquotes. A missing cell makes the result missing.
///
/// Ours and not a library's on purpose: mappings are files of strangers, and this language has no loops,
/// assignments, user functions or access to Java, so that a formula is evaluated in time linear in its text and
/// its depth is bounded. Of the evaluators for Java, JEXL and MVEL loop and reach classes, EvalEx computes in
/// `BigDecimal` (a measured space asks for millions of cells), exp4j is no longer kept; none knows missing
/// cells.
public final class Formula {

    /// Gives the number in a column of the row at hand, empty where the cell is.
    @FunctionalInterface
    public interface Row extends Function<String, OptionalDouble> {}

    private sealed interface Node {}

    private record Number(double value) implements Node {}

    private record Column(String name) implements Node {}

    private record Apply(String operator, List<Node> operands) implements Node {}

    private final String text;
    private final Node root;
    private final Set<String> columns;

    private Formula(String text, Node root, Set<String> columns) {
        this.text = text;
        this.root = root;
        this.columns = Set.copyOf(columns);
    }

    /// Parses a formula; throws `IllegalArgumentException` with the place of the error.
    public static Formula parse(String text) {
        var parser = new Parser(text);
        Node node = parser.comparison();
        parser.end();
        return new Formula(text, node, parser.columns);
    }

    /// Names of the columns it reads.
    public Set<String> columns() {
        return columns;
    }

    /// Its value for a row, empty where a needed cell is empty or the result is not finite.
    public OptionalDouble value(Row row) {
        double v = eval(root, row);
        return Double.isFinite(v) ? OptionalDouble.of(v) : OptionalDouble.empty();
    }

    @Override
    public String toString() {
        return text;
    }

    /// NaN stands for "missing" inside.
    private static double eval(Node node, Row row) {
        return switch (node) {
            case Number n -> n.value;
            case Column c -> row.apply(c.name).orElse(Double.NaN);
            case Apply a -> {
                double x = eval(a.operands.getFirst(), row);
                if (a.operator.equals("first")) {
                    yield a.operands.stream()
                            .mapToDouble(o -> eval(o, row))
                            .filter(Double::isFinite)
                            .findFirst()
                            .orElse(Double.NaN);
                }
                double y = a.operands.size() > 1 ? eval(a.operands.get(1), row) : 0;
                if (Double.isNaN(x) || Double.isNaN(y)) {
                    yield Double.NaN;
                }
                yield switch (a.operator) {
                    case "+" -> x + y;
                    case "-" -> x - y;
                    case "*" -> x * y;
                    case "/" -> x / y;
                    case "neg" -> -x;
                    case "==" -> x == y ? 1 : 0;
                    case "!=" -> x != y ? 1 : 0;
                    case "<" -> x < y ? 1 : 0;
                    case "<=" -> x <= y ? 1 : 0;
                    case ">" -> x > y ? 1 : 0;
                    case ">=" -> x >= y ? 1 : 0;
                    case "min" ->
                        a.operands.stream().mapToDouble(o -> eval(o, row)).reduce(Double.POSITIVE_INFINITY, Math::min);
                    case "max" ->
                        a.operands.stream().mapToDouble(o -> eval(o, row)).reduce(Double.NEGATIVE_INFINITY, Math::max);
                    case "log2" -> Math.log(x) / Math.log(2);
                    case "sqrt" -> Math.sqrt(x);
                    case "floor" -> Math.floor(x);
                    default -> throw new IllegalStateException(a.operator);
                };
            }
        };
    }

    private static final class Parser {
        private static final Set<String> FUNCTIONS = Set.of("min", "max", "log2", "sqrt", "floor", "first");
        private static final int MAX_DEPTH = 100;
        private final String s;
        private final Set<String> columns = new HashSet<>();
        private int at;
        private int depth;

        Parser(String s) {
            this.s = s;
        }

        IllegalArgumentException error(String what) {
            return new IllegalArgumentException(what + " at character " + (at + 1) + " of '" + s + "'");
        }

        void skip() {
            while (at < s.length() && Character.isWhitespace(s.charAt(at))) {
                at++;
            }
        }

        boolean take(String symbol) {
            skip();
            if (s.startsWith(symbol, at)) {
                at += symbol.length();
                return true;
            }
            return false;
        }

        void end() {
            skip();
            if (at < s.length()) {
                throw error("unexpected text");
            }
        }

        Node comparison() {
            Node left = sum();
            for (String op : List.of("==", "!=", "<=", ">=", "<", ">")) {
                if (take(op)) {
                    return new Apply(op, List.of(left, sum()));
                }
            }
            return left;
        }

        Node sum() {
            Node left = product();
            while (true) {
                if (take("+")) {
                    left = new Apply("+", List.of(left, product()));
                } else if (take("-")) {
                    left = new Apply("-", List.of(left, product()));
                } else {
                    return left;
                }
            }
        }

        Node product() {
            Node left = unary();
            while (true) {
                if (take("*")) {
                    left = new Apply("*", List.of(left, unary()));
                } else if (take("/")) {
                    left = new Apply("/", List.of(left, unary()));
                } else {
                    return left;
                }
            }
        }

        Node unary() {
            if (++depth > MAX_DEPTH) {
                throw error("too deeply nested");
            }
            try {
                return take("-") ? new Apply("neg", List.of(unary())) : atom();
            } finally {
                depth--;
            }
        }

        Node atom() {
            if (take("(")) {
                Node inside = comparison();
                if (!take(")")) {
                    throw error("')' is missing");
                }
                return inside;
            }
            if (take("`")) {
                int close = s.indexOf('`', at);
                if (close < 0) {
                    throw error("a backquote is not closed");
                }
                String name = s.substring(at, close);
                at = close + 1;
                columns.add(name);
                return new Column(name);
            }
            int start = at;
            while (at < s.length()
                    && (Character.isLetterOrDigit(s.charAt(at))
                            || s.charAt(at) == '_'
                            || s.charAt(at) == '.'
                            || ((s.charAt(at) == '-' || s.charAt(at) == '+')
                                    && at > start
                                    && (s.charAt(at - 1) == 'e' || s.charAt(at - 1) == 'E')
                                    && Character.isDigit(s.charAt(start))))) {
                at++;
            }
            if (start == at) {
                throw error("a number, a column or '(' is expected");
            }
            String word = s.substring(start, at);
            if (Character.isDigit(word.charAt(0)) || word.charAt(0) == '.') {
                try {
                    return new Number(Double.parseDouble(word));
                } catch (NumberFormatException e) {
                    at = start;
                    throw error("'" + word + "' is not a number");
                }
            }
            if (FUNCTIONS.contains(word) && take("(")) {
                var operands = new ArrayList<Node>();
                do {
                    operands.add(comparison());
                } while (take(","));
                if (!take(")")) {
                    throw error("')' is missing");
                }
                return new Apply(word, List.copyOf(operands));
            }
            columns.add(word);
            return new Column(word);
        }
    }
}
