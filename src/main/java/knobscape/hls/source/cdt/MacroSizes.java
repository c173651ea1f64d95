package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.evaluate.UserError;

/// Counts how many tokens the uses of macros become, without expanding them: a few lines can name a text larger
/// than any memory.
///
/// Of a macro that is defined several times the longest definition counts. Macros that are put together with
/// `##` or handed over as arguments to be called count as one token, so the count is never too high by them.
final class MacroSizes {
    /// Most tokens that one use of a macro may become.
    static final long MOST_TOKENS = 2_000_000;

    private static final int MAX_DEPTH = 400;
    private static final int MAX_CALLS = 1_000_000;
    private static final Pattern TOKEN =
            Pattern.compile("[A-Za-z_]\\w*|[0-9][\\w.]*|\"(?:[^\"\\\\\\n]|\\\\.)*+\"|##|\\S");
    private static final Pattern DEFINE =
            Pattern.compile("\\s*#\\s*define\\s+([A-Za-z_]\\w*)(\\(([^)]*)\\))?(.*)", Pattern.DOTALL);

    private final Map<String, List<Macro>> macros = new HashMap<>();
    private final Map<Call, Long> known = new HashMap<>();
    private int calls;

    /// @param parameters empty and not `callable` for one without parentheses
    private record Macro(boolean callable, List<String> parameters, List<String> body) {}

    private record Call(Macro macro, List<Long> sizes) {}

    /// A line with its continuations.
    private record Line(int number, String text) {}

    /// Adds the definitions in a file.
    void define(String text) {
        if (!text.contains("define")) {
            return;
        }
        for (Line line : lines(text)) {
            Matcher m = DEFINE.matcher(line.text());
            if (m.matches()) {
                List<String> parameters = m.group(2) == null
                        ? List.of()
                        : List.of(m.group(3).replace(" ", "").split(","));
                macros.computeIfAbsent(m.group(1), n -> new ArrayList<>())
                        .add(new Macro(m.group(2) != null, parameters, tokens(m.group(4))));
            }
        }
    }

    /// Throws a [UserError] that names the first line of a file where a macro becomes too large.
    ///
    /// @param name file for messages
    void check(String name, String text) {
        if (macros.isEmpty()) {
            return;
        }
        for (Line line : lines(text)) {
            if (!DEFINE.matcher(line.text()).matches()) {
                List<String> tokens = tokens(line.text());
                for (int i = 0; i < tokens.size(); ) {
                    int[] next = {i};
                    if (size(tokens, next, Map.of(), new HashSet<>()) > MOST_TOKENS) {
                        throw new UserError(name + ":" + line.number() + ": macro '" + tokens.get(i)
                                + "' becomes more than 2 million tokens here; make its definition shorter.");
                    }
                    i = next[0];
                }
            }
        }
    }

    /// Tokens that the one at `at[0]` becomes, with its arguments; moves behind them.
    private long size(List<String> tokens, int[] at, Map<String, Long> values, Set<String> open) {
        String word = tokens.get(at[0]++);
        Long value = values.get(word);
        if (value != null) {
            return value;
        }
        List<Macro> all = macros.get(word);
        // What the language does not replace again, or nests deeper than a person writes, counts as itself.
        if (all == null || open.contains(word) || open.size() > MAX_DEPTH || ++calls > MAX_CALLS) {
            return 1;
        }
        boolean called = at[0] < tokens.size() && tokens.get(at[0]).equals("(");
        List<Long> sizes = List.of();
        if (called && all.stream().anyMatch(Macro::callable)) {
            sizes = arguments(tokens, at, values, open);
        }
        open.add(word);
        long most = 0;
        for (Macro m : all) {
            if (!m.callable() || called) {
                most = Math.max(most, expanded(new Call(m, m.callable() ? sizes : List.of()), open));
            }
        }
        open.remove(word);
        return Math.max(1, most);
    }

    private List<Long> arguments(List<String> tokens, int[] at, Map<String, Long> values, Set<String> open) {
        var sizes = new ArrayList<Long>();
        int depth = 0;
        long size = 0;
        do {
            String t = tokens.get(at[0]);
            if (t.equals("(") || t.equals(")")) {
                depth += t.equals("(") ? 1 : -1;
                size += depth > 1 ? 1 : 0;
                at[0]++;
            } else if (t.equals(",") && depth == 1) {
                sizes.add(size);
                size = 0;
                at[0]++;
            } else {
                size = Math.min(MOST_TOKENS + 1, size + size(tokens, at, values, open));
            }
        } while (depth > 0 && at[0] < tokens.size());
        sizes.add(size);
        return sizes;
    }

    private long expanded(Call call, Set<String> open) {
        Long before = known.get(call);
        if (before != null) {
            return before;
        }
        var values = new HashMap<String, Long>();
        List<String> parameters = call.macro().parameters();
        for (int i = 0; i < parameters.size(); i++) {
            boolean rest = parameters.get(i).endsWith("...");
            long size = rest
                    ? call.sizes().stream().skip(i).mapToLong(s -> s + 1).sum()
                    : i < call.sizes().size() ? call.sizes().get(i) : 0;
            values.put(
                    parameters.get(i).equals("...")
                            ? "__VA_ARGS__"
                            : parameters.get(i).replace("...", ""),
                    size);
        }
        long total = 0;
        List<String> body = call.macro().body();
        for (int[] at = {0}; at[0] < body.size() && total <= MOST_TOKENS; ) {
            total = Math.min(MOST_TOKENS + 1, total + size(body, at, values, open));
        }
        known.put(call, total);
        return total;
    }

    private static List<String> tokens(String text) {
        var tokens = new ArrayList<String>();
        Matcher m = TOKEN.matcher(text);
        while (m.find()) {
            tokens.add(m.group());
        }
        return tokens;
    }

    private static List<Line> lines(String text) {
        var lines = new ArrayList<Line>();
        String[] rows = Comments.blank(text).split("\n", -1);
        for (int i = 0; i < rows.length; i++) {
            int first = i;
            var line = new StringBuilder();
            while (i < rows.length - 1 && rows[i].stripTrailing().endsWith("\\")) {
                String row = rows[i++].stripTrailing();
                line.append(row, 0, row.length() - 1).append(' ');
            }
            line.append(rows[i]);
            if (!line.toString().isBlank()) {
                lines.add(new Line(first + 1, line.toString()));
            }
        }
        return lines;
    }
}
