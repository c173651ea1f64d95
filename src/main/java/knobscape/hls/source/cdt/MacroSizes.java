package knobscape.hls.source.cdt;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.evaluate.UserError;

/// Replaces the macros in lines of source to see how much they become, and gives up where that is too much: a few lines
/// can name a text larger than any memory.
///
/// Of a macro that is defined several times the longest definition counts.
final class MacroSizes {
    /// Most tokens that the macros of one line may become, those on the way and those of arguments included; long names
    /// count several times.
    static final long MOST_TOKENS = 2_000_000;

    private static final int NAME_LENGTH = 64;
    private static final int MAX_DEPTH = 200;
    /// Before the name of a macro: its replacement ends here.
    private static final String END = "\u0001";
    /// Before the name of a macro that is not replaced again.
    private static final String KEPT = "\u0002";

    private static final Pattern TOKEN =
            Pattern.compile("[A-Za-z_]\\w*|[0-9][\\w.]*|\"(?:[^\"\\\\\\n]|\\\\.)*+\"|##|\\S");
    private static final Pattern DEFINE =
            Pattern.compile("\\s*#\\s*define\\s+([A-Za-z_]\\w*)(\\(([^)]*)\\))?(.*)", Pattern.DOTALL);

    private final Map<String, Macro> macros = new HashMap<>();
    private long made;

    /// @param parameters empty and not `callable` for one without parentheses
    private record Macro(boolean callable, List<String> parameters, List<String> body) {}

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
                macros.merge(
                        m.group(1),
                        new Macro(m.group(2) != null, parameters, tokens(m.group(4))),
                        (x, y) -> x.body().size() > y.body().size() ? x : y);
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
            List<String> tokens = DEFINE.matcher(line.text()).matches() ? List.of() : tokens(line.text());
            Optional<String> first = tokens.stream().filter(macros::containsKey).findFirst();
            if (first.isPresent()) {
                made = 0;
                replaced(tokens, Set.of(), 0);
                if (made > MOST_TOKENS) {
                    throw new UserError(name + ":" + line.number() + ": macro '" + first.get()
                            + "' becomes more than 2 million tokens here; make its definition shorter.");
                }
            }
        }
    }

    /// The text with its macros replaced; only a part of it where too much has been made.
    ///
    /// @param closed macros around it, which are not replaced again
    private List<String> replaced(List<String> text, Set<String> closed, int depth) {
        var rest = new ArrayDeque<>(text);
        var open = new HashSet<>(closed);
        var out = new ArrayList<String>();
        while (!rest.isEmpty() && made <= MOST_TOKENS) {
            String word = rest.removeFirst();
            if (word.startsWith(END)) {
                open.remove(word.substring(1));
                continue;
            }
            made += 1 + word.length() / NAME_LENGTH;
            Macro macro = macros.get(word);
            if (macro == null || open.contains(word) || depth > MAX_DEPTH) {
                out.add(macro == null ? word : KEPT + word);
                continue;
            }
            List<List<String>> arguments = List.of();
            if (macro.callable()) {
                // The parenthesis may stand behind the macro that gave the name.
                while (!rest.isEmpty() && rest.getFirst().startsWith(END)) {
                    open.remove(rest.removeFirst().substring(1));
                }
                if (!"(".equals(rest.peekFirst())) {
                    out.add(word);
                    continue;
                }
                arguments = arguments(rest, open);
            }
            List<String> body = substituted(macro, arguments, open, depth);
            rest.addFirst(END + word);
            body.reversed().forEach(rest::addFirst);
            open.add(word);
        }
        return out;
    }

    /// Takes the arguments of a macro with their parentheses from the text.
    private static List<List<String>> arguments(ArrayDeque<String> rest, Set<String> open) {
        var arguments = new ArrayList<List<String>>();
        arguments.add(new ArrayList<>());
        int depth = 0;
        do {
            String t = rest.removeFirst();
            depth += t.equals("(") ? 1 : t.equals(")") ? -1 : 0;
            if (t.startsWith(END)) {
                open.remove(t.substring(1));
            } else if (t.equals(",") && depth == 1) {
                arguments.add(new ArrayList<>());
            } else if (depth > 1
                    || (depth == 1 && !t.equals("("))
                    || (depth == 1 && !arguments.getLast().isEmpty())) {
                arguments.getLast().add(t);
            }
        } while (depth > 0 && !rest.isEmpty());
        return arguments;
    }

    /// The body of a macro with its arguments in place of the parameters: as they are beside `##`, else replaced.
    private List<String> substituted(Macro macro, List<List<String>> arguments, Set<String> open, int depth) {
        var given = new HashMap<String, List<String>>();
        for (int i = 0; i < macro.parameters().size(); i++) {
            String name = macro.parameters().get(i);
            if (name.endsWith("...")) {
                given.put(
                        name.equals("...") ? "__VA_ARGS__" : name.replace("...", ""),
                        arguments.stream().skip(i).flatMap(List::stream).toList());
            } else {
                given.put(name, i < arguments.size() ? arguments.get(i) : List.of());
            }
        }
        var values = new HashMap<String, List<String>>();
        var out = new ArrayList<String>();
        List<String> body = macro.body();
        for (int i = 0; i < body.size() && made <= MOST_TOKENS; i++) {
            String t = body.get(i);
            List<String> argument = given.get(t);
            if (t.equals("##") && !out.isEmpty() && i + 1 < body.size()) {
                String next = body.get(++i);
                var right = new ArrayList<>(given.getOrDefault(next, List.of(next)));
                if (!right.isEmpty()) {
                    right.set(0, out.removeLast().replace(KEPT, "") + right.getFirst());
                    made += right.getFirst().length() / NAME_LENGTH;
                    out.addAll(right);
                }
            } else if (argument == null) {
                out.add(t);
            } else if (i + 1 < body.size() && body.get(i + 1).equals("##")) {
                out.addAll(argument);
            } else {
                out.addAll(values.computeIfAbsent(t, _ -> replaced(argument, open, depth + 1)));
            }
            made += argument == null ? 1 : argument.size();
        }
        return out;
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
