package knobscape.evaluate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Arithmetic and conditions over named values, for example `hls_latency_cycles * impl_clock_ns` or
/// `tile % unroll == 0 and layout != "row"`. It reads what Python and C have in common, and the spellings of both:
///
/// - `or ||`, `and &&`, `not !`, comparisons `== != < <= > >=` (1 or 0; `a < b < c` as Python means it), `in (1, 2)`;
/// - `+ - * / // % **`, with `//` and `%` rounding down as Python does;
/// - the functions `min max log2 log exp sqrt floor ceil round abs int first` (`first` takes the first argument that
///   has a value) and `if(condition, a, b)`;
/// - texts in quotes, which only `==`, `!=` and `in` compare with a name.
///
/// A name with other characters than letters, digits, `_` and `.` stands in backquotes. A missing value, and one that
/// is not finite, makes the result missing; `and`, `or` and `if` look only at what decides.
///
/// Ours and not a library's on purpose: formulas stand in files of strangers, and this language has no loops,
/// assignments, user functions or access to Java, so that a formula is evaluated in time linear in its text and
/// its depth is bounded. Of the evaluators for Java, JEXL and MVEL loop and reach classes, EvalEx computes in
/// `BigDecimal` (a measured space asks for millions of cells), exp4j is no longer kept; none knows missing
/// cells.
public final class Formula {

    /// The values of the row or configuration at hand.
    @FunctionalInterface
    public interface Row extends Function<String, OptionalDouble> {
        /// The value of a name as text, where it is compared with one; none has text by default.
        default Optional<String> text(String name) {
            return Optional.empty();
        }
    }

    private sealed interface Node {}

    private record Number(double value) implements Node {}

    private record Text(String text) implements Node {}

    private record Column(String name) implements Node {}

    private record Apply(String operator, List<Node> operands) implements Node {}

    /// Sums or products from left to right; a long one is no deep one.
    private record Chain(Node first, List<Step> steps) implements Node {}

    private record Step(String operator, Node operand) {}

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
        Node node = parser.either();
        parser.end();
        return new Formula(text, node, columns(node));
    }

    private static Set<String> columns(Node node) {
        var found = new HashSet<String>();
        collect(node, found);
        return found;
    }

    private static void collect(Node node, Set<String> found) {
        switch (node) {
            case Column c -> found.add(c.name);
            case Apply a -> a.operands.forEach(o -> collect(o, found));
            case Chain c -> {
                collect(c.first, found);
                c.steps.forEach(s -> collect(s.operand, found));
            }
            case Number _, Text _ -> {}
        }
    }

    /// Names that it reads.
    public Set<String> columns() {
        return columns;
    }

    /// Formulas that all hold where this one does: the parts between its outermost `and`.
    public List<Formula> parts() {
        return parts(root).map(n -> new Formula(text, n, columns(n))).toList();
    }

    private static Stream<Node> parts(Node node) {
        return node instanceof Apply a && a.operator.equals("and")
                ? a.operands.stream().flatMap(Formula::parts)
                : Stream.of(node);
    }

    /// Its value for a row, empty where a needed value is missing or the result is not finite.
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
            case Text _ -> Double.NaN;
            case Column c -> row.apply(c.name).orElse(Double.NaN);
            case Apply a -> apply(a, row);
            case Chain c -> {
                double v = eval(c.first, row);
                for (Step s : c.steps) {
                    v = finite(s.operator, v, eval(s.operand, row));
                }
                yield v;
            }
        };
    }

    /// Nothing is larger than what is divided by zero.
    private static double finite(String operator, double x, double y) {
        double v = Double.isNaN(x) || Double.isNaN(y) ? Double.NaN : arithmetic(operator, x, y);
        return Double.isFinite(v) ? v : Double.NaN;
    }

    private static double apply(Apply a, Row row) {
        List<Node> of = a.operands;
        return switch (a.operator) {
            case "first" ->
                of.stream()
                        .mapToDouble(o -> eval(o, row))
                        .filter(Double::isFinite)
                        .findFirst()
                        .orElse(Double.NaN);
            case "if" -> {
                double condition = eval(of.get(0), row);
                yield Double.isNaN(condition) ? Double.NaN : eval(of.get(condition != 0 ? 1 : 2), row);
            }
            case "and" -> decided(of, row, 0);
            case "or" -> decided(of, row, 1);
            case "not" -> {
                double v = eval(of.getFirst(), row);
                yield v == 0 ? 1 : v * 0;
            }
            case "==" -> equal(of.get(0), of.get(1), row);
            case "!=" -> 1 - equal(of.get(0), of.get(1), row);
            case "in" -> {
                double any = 0;
                for (Node choice : of.subList(1, of.size())) {
                    double same = equal(of.getFirst(), choice, row);
                    any = Double.isNaN(same) || any == 1 ? any + same * 0 : same;
                }
                yield any;
            }
            case "min" -> of.stream().mapToDouble(o -> eval(o, row)).reduce(Double.POSITIVE_INFINITY, Math::min);
            case "max" -> of.stream().mapToDouble(o -> eval(o, row)).reduce(Double.NEGATIVE_INFINITY, Math::max);
            default -> finite(a.operator, eval(of.getFirst(), row), of.size() > 1 ? eval(of.get(1), row) : 0);
        };
    }

    private static double arithmetic(String operator, double x, double y) {
        return switch (operator) {
            case "+" -> x + y;
            case "-" -> x - y;
            case "*" -> x * y;
            case "/" -> x / y;
            case "//" -> Math.floor(x / y);
            case "%" -> y == 0 ? Double.NaN : x - Math.floor(x / y) * y;
            case "**" -> Math.pow(x, y);
            case "neg" -> -x;
            case "<" -> x < y ? 1 : 0;
            case "<=" -> x <= y ? 1 : 0;
            case ">" -> x > y ? 1 : 0;
            case ">=" -> x >= y ? 1 : 0;
            case "log2" -> Math.log(x) / Math.log(2);
            case "log" -> Math.log(x);
            case "exp" -> Math.exp(x);
            case "sqrt" -> Math.sqrt(x);
            case "floor" -> Math.floor(x);
            case "ceil" -> Math.ceil(x);
            case "round" -> Math.rint(x);
            case "abs" -> Math.abs(x);
            case "int" -> x < 0 ? Math.ceil(x) : Math.floor(x);
            default -> throw new IllegalStateException(operator);
        };
    }

    /// Of conditions in a row the first that decides; 1 - `deciding` where none does.
    private static double decided(List<Node> conditions, Row row, int deciding) {
        for (Node c : conditions) {
            double v = eval(c, row);
            if (Double.isNaN(v) || v != 0 == (deciding == 1)) {
                return Double.isNaN(v) ? v : deciding;
            }
        }
        return 1 - deciding;
    }

    private static double equal(Node a, Node b, Row row) {
        if (!(a instanceof Text) && !(b instanceof Text)) {
            double x = eval(a, row);
            double y = eval(b, row);
            return Double.isNaN(x) || Double.isNaN(y) ? Double.NaN : x == y ? 1 : 0;
        }
        Optional<String> x = text(a, row);
        Optional<String> y = text(b, row);
        return x.isEmpty() || y.isEmpty() ? Double.NaN : x.equals(y) ? 1 : 0;
    }

    private static Optional<String> text(Node node, Row row) {
        return switch (node) {
            case Text t -> Optional.of(t.text);
            case Column c -> row.text(c.name);
            default -> Optional.empty();
        };
    }

    private static final class Parser {
        private static final Map<String, Integer> FUNCTIONS = Map.ofEntries(
                Map.entry("min", 0),
                Map.entry("max", 0),
                Map.entry("first", 0),
                Map.entry("if", 3),
                Map.entry("log2", 1),
                Map.entry("log", 1),
                Map.entry("exp", 1),
                Map.entry("sqrt", 1),
                Map.entry("floor", 1),
                Map.entry("ceil", 1),
                Map.entry("round", 1),
                Map.entry("abs", 1),
                Map.entry("int", 1));
        private static final int MAX_DEPTH = 100;
        /// Characters on both sides of an error.
        private static final int SHOWN = 40;
        private final String s;
        private int at;
        private int depth;

        Parser(String s) {
            this.s = s;
        }

        IllegalArgumentException error(String what) {
            int from = Math.max(0, Math.min(at, s.length()) - SHOWN);
            int to = Math.min(s.length(), at + SHOWN);
            return new IllegalArgumentException(what + " at character " + (at + 1) + " of '" + (from > 0 ? "..." : "")
                    + s.substring(from, to) + (to < s.length() ? "..." : "") + "'");
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

        boolean word(String word) {
            skip();
            int end = at + word.length();
            if (s.startsWith(word, at) && (end >= s.length() || !isWord(s.charAt(end)))) {
                at = end;
                return true;
            }
            return false;
        }

        private static boolean isWord(char c) {
            return Character.isLetterOrDigit(c) || c == '_' || c == '.';
        }

        void end() {
            skip();
            if (at < s.length()) {
                throw error("unexpected text");
            }
        }

        Node either() {
            var all = new ArrayList<>(List.of(both()));
            while (word("or") || take("||")) {
                all.add(both());
            }
            return all.size() == 1 ? all.getFirst() : new Apply("or", List.copyOf(all));
        }

        Node both() {
            var all = new ArrayList<>(List.of(negation()));
            while (word("and") || take("&&")) {
                all.add(negation());
            }
            return all.size() == 1 ? all.getFirst() : new Apply("and", List.copyOf(all));
        }

        Node negation() {
            skip();
            boolean mark = s.startsWith("!", at) && !s.startsWith("!=", at);
            if ((mark && take("!")) || word("not")) {
                deeper();
                Node inside = negation();
                depth--;
                return new Apply("not", List.of(inside));
            }
            return comparison();
        }

        Node comparison() {
            Node left = sum();
            var all = new ArrayList<Node>();
            while (true) {
                if (word("in")) {
                    all.add(new Apply("in", among(left)));
                    break;
                }
                if (word("not")) {
                    if (!word("in")) {
                        throw error("'in' is expected");
                    }
                    all.add(new Apply("not", List.of(new Apply("in", among(left)))));
                    break;
                }
                Optional<String> op = Stream.of("==", "!=", "<=", ">=", "<", ">")
                        .filter(this::take)
                        .findFirst();
                if (op.isEmpty()) {
                    break;
                }
                Node right = sum();
                all.add(new Apply(op.get(), List.of(left, right)));
                left = right;
            }
            return all.isEmpty() ? left : all.size() == 1 ? all.getFirst() : new Apply("and", List.copyOf(all));
        }

        /// A value and what it may be.
        private List<Node> among(Node value) {
            boolean square = take("[");
            if (!square && !take("(")) {
                throw error("a list in brackets is expected");
            }
            var all = new ArrayList<>(List.of(value));
            do {
                all.add(sum());
            } while (take(","));
            if (!take(square ? "]" : ")")) {
                throw error(square ? "']' is missing" : "')' is missing");
            }
            return List.copyOf(all);
        }

        Node sum() {
            return chain(this::product, "+", "-");
        }

        private Node chain(Supplier<Node> part, String... operators) {
            Node first = part.get();
            var steps = new ArrayList<Step>();
            for (Optional<String> op = next(operators); op.isPresent(); op = next(operators)) {
                steps.add(new Step(op.get(), part.get()));
            }
            return steps.isEmpty() ? first : new Chain(first, List.copyOf(steps));
        }

        private Optional<String> next(String... operators) {
            return Stream.of(operators).filter(this::take).findFirst();
        }

        Node product() {
            return chain(this::unary, "//", "*", "/", "%");
        }

        private void deeper() {
            if (++depth > MAX_DEPTH) {
                throw error("too deeply nested");
            }
        }

        Node unary() {
            deeper();
            try {
                if (take("-")) {
                    return new Apply("neg", List.of(unary()));
                }
                Node base = atom();
                return take("**") ? new Apply("**", List.of(base, unary())) : base;
            } finally {
                depth--;
            }
        }

        Node atom() {
            if (take("(")) {
                Node inside = either();
                if (!take(")")) {
                    throw error("')' is missing");
                }
                return inside;
            }
            for (String quote : List.of("`", "'", "\"")) {
                if (take(quote)) {
                    int close = s.indexOf(quote, at);
                    if (close < 0) {
                        throw error(quote.equals("`") ? "a backquote is not closed" : "a quote is not closed");
                    }
                    String inside = s.substring(at, close);
                    at = close + 1;
                    return quote.equals("`") ? new Column(inside) : new Text(inside);
                }
            }
            int start = at;
            while (at < s.length()
                    && (isWord(s.charAt(at))
                            || ((s.charAt(at) == '-' || s.charAt(at) == '+')
                                    && at > start
                                    && (s.charAt(at - 1) == 'e' || s.charAt(at - 1) == 'E')
                                    && Character.isDigit(s.charAt(start))))) {
                at++;
            }
            if (start == at) {
                throw error("a number, a name or '(' is expected");
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
            Integer needed = FUNCTIONS.get(word);
            if (needed != null && take("(")) {
                return call(word, needed);
            }
            return switch (word) {
                case "True", "true" -> new Number(1);
                case "False", "false" -> new Number(0);
                default -> new Column(word);
            };
        }

        private Node call(String function, int needed) {
            var operands = new ArrayList<Node>();
            do {
                operands.add(either());
            } while (take(","));
            if (!take(")")) {
                throw error("')' is missing");
            }
            if (needed > 0 && operands.size() != needed) {
                throw error("'" + function + "' takes " + needed + (needed == 1 ? " value" : " values"));
            }
            return new Apply(function, List.copyOf(operands));
        }
    }
}
