package knobscape.hls.source.clang;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Location;
import knobscape.hls.source.Loop;
import knobscape.hls.source.file.SourceText;

/// The text of loops in one file: labels, bodies and braces around keywords whose places the compiler told.
final class LoopText {
    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final Pattern LABEL = Pattern.compile("(?s).*?\\b([A-Za-z_]\\w*)\\s*:$");
    private static final Pattern LABELLED = Pattern.compile("([A-Za-z_]\\w*)\\s*:(?!:)");
    private static final Pattern CALLEE = Pattern.compile("[\\w:.]+(?:<[^;=]*>)?(?:(?:\\.|->)\\w+)*");
    /// A declaration without a value, of a type, of a queue, or of what lasts from call to call.
    private static final Pattern DECLARATION =
            Pattern.compile("(?s)(?:static\\b|typedef\\b|using\\b|(?:hls::|tapa::)?stream\\s*<).*"
                    + "|(?!(?:return|goto|else|delete|throw)\\b)(?:(?:const|volatile|struct|unsigned|signed|long|register)\\s+)*"
                    + "[A-Za-z_][\\w:]*(?:\\s*<[^;=]*>)?[\\s*&]+\\w+\\s*(?:\\[[^;=]*\\]\\s*)*(?:,[^;=(]*)?;");
    private static final Set<String> STATEMENT = Set.of("if", "switch", "return", "for", "while", "sizeof");
    private static final Set<String> LOOPS = Set.of("for", "while", "do");

    /// How a statement begins that is not a step of its block.
    private static final Pattern STEERED =
            Pattern.compile("(?:for|while|do|if|else|switch|case|default|return)\\b|\\w+\\s*:(?!:)");

    private final SourceText file;
    private final String code;

    LoopText(SourceText file) {
        this.file = file;
        code = SourceCode.withoutDirectives(SourceCode.blank(file.text()));
    }

    /// Where a loop stands.
    ///
    /// @param label as written, where it has one
    /// @param keyword place of the keyword, or of the macro that made it
    /// @param bodyStart right after the opening brace, before the body's first character, or the macro that made it
    /// @param bodyEnd at the closing brace, or after the body
    /// @param statementStart at the label, else at the keyword
    record Where(
            Optional<String> label,
            Location keyword,
            Location bodyStart,
            Location bodyEnd,
            Location statementStart,
            boolean braced) {
        /// The places as a loop has them.
        Loop.Text text() {
            return new Loop.Text(keyword, bodyStart, bodyEnd, statementStart, braced);
        }
    }

    SourceText file() {
        return file;
    }

    /// Offset of a name at or behind another offset; -1 where it does not stand there.
    int find(String name, int from) {
        return code.indexOf(name, from);
    }

    /// Start of the statement that an offset stands in; the offset itself in one that is no simple step.
    int statement(int offset) {
        int depth = 0;
        int start = offset;
        while (start > 0 && (depth > 0 || ";{}".indexOf(code.charAt(start - 1)) < 0)) {
            start--;
            depth += code.charAt(start) == ')' ? 1 : code.charAt(start) == '(' && depth > 0 ? -1 : 0;
        }
        while (start < offset && Character.isWhitespace(code.charAt(start))) {
            start++;
        }
        return STEERED.matcher(code).region(start, code.length()).lookingAt() ? offset : start;
    }

    /// Right after the brace that opens the body of the function whose name is given.
    Location bodyAfter(Location name) {
        int brace = code.indexOf('{', name.offset());
        return file.location(brace < 0 ? name.offset() : brace + 1, 0);
    }

    /// Offset of the brace that closes the one before an offset.
    int closingBehind(int offset) {
        int close = offset > 0 && code.charAt(offset - 1) == '{' ? SourceCode.closing(code, offset - 1) : -1;
        return close < 0 ? code.length() : close;
    }

    /// The loop whose keyword stands at an offset.
    Where at(int offset) {
        Matcher word = WORD.matcher(code).region(Math.min(offset, code.length()), code.length());
        int length = word.lookingAt() ? word.end() - offset : 0;
        String keyword = code.substring(offset, offset + length);
        int start = labelled(offset).orElse(offset);
        Optional<String> label = start == offset
                ? Optional.empty()
                : Optional.of(code.substring(start, code.indexOf(':', start)).strip());
        int body = LOOPS.contains(keyword) ? body(keyword, offset + length) : -1;
        if (body < 0) {
            // A macro made it: its use is all that stands in the text.
            int end = offset + length;
            int open = skip(end);
            if (open < code.length() && code.charAt(open) == '(') {
                end = SourceCode.closing(code, open) + 1;
            }
            Location use = file.location(offset, Math.max(1, end - offset));
            return new Where(label, use, use, file.location(end, 0), file.location(start, 0), false);
        }
        boolean braced = code.charAt(body) == '{';
        int end = braced ? SourceCode.closing(code, body) : statementEnd(body);
        return new Where(
                label,
                file.location(offset, length),
                file.location(braced ? body + 1 : body, 0),
                file.location(end < 0 ? code.length() : end, braced ? 1 : 0),
                file.location(start, 0),
                braced);
    }

    /// Offset of the body's first character behind a keyword, -1 where there is none.
    private int body(String keyword, int after) {
        int at = skip(after);
        if (!keyword.equals("do")) {
            if (at >= code.length() || code.charAt(at) != '(') {
                return -1;
            }
            int close = SourceCode.closing(code, at);
            at = close < 0 ? code.length() : skip(close + 1);
        }
        return at < code.length() ? at : -1;
    }

    /// The first offset from there on that is no blank.
    private int skip(int from) {
        int at = from;
        while (at < code.length()) {
            char c = code.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else {
                return at;
            }
        }
        return at;
    }

    /// Behind the statement that starts there.
    private int statementEnd(int from) {
        if (code.charAt(from) == '{') {
            return SourceCode.closing(code, from) + 1;
        }
        Matcher word = WORD.matcher(code).region(from, code.length());
        String keyword = word.lookingAt() ? word.group() : "";
        if (keyword.equals("for") || keyword.equals("while") || keyword.equals("if") || keyword.equals("switch")) {
            int open = skip(word.end());
            int close = open < code.length() && code.charAt(open) == '(' ? SourceCode.closing(code, open) : -1;
            int body = close < 0 ? code.length() : skip(close + 1);
            int end = body < code.length() ? statementEnd(body) : code.length();
            int behind = skip(end);
            if (keyword.equals("if") && code.startsWith("else", behind)) {
                int otherwise = skip(behind + "else".length());
                return otherwise < code.length() ? statementEnd(otherwise) : code.length();
            }
            return end;
        }
        int next = skip(word.lookingAt() ? word.end() : from);
        if (!keyword.isEmpty() && next < code.length() && code.charAt(next) == ':' && !code.startsWith("::", next)) {
            int labelled = skip(next + 1);
            return labelled < code.length() ? statementEnd(labelled) : code.length();
        }
        if (keyword.equals("do")) {
            int body = skip(word.end());
            int end = body < code.length() ? statementEnd(body) : code.length();
            int semicolon = code.indexOf(';', end);
            return semicolon < 0 ? code.length() : semicolon + 1;
        }
        int depth = 0;
        for (int i = from; i < code.length(); i++) {
            char c = code.charAt(i);
            depth += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
            if (c == ';' && depth <= 0) {
                return i + 1;
            }
        }
        return code.length();
    }

    /// The statements between two offsets.
    ///
    /// @param loops offsets of the keywords, or macros, of loops
    Shape shape(int from, int to, Set<Integer> loops) {
        var found = new ArrayList<Statement>();
        statements(from, to, loops, found);
        return new Shape(found);
    }

    /// The statements there, by their text.
    record Shape(List<Statement> statements) {
        Shape {
            statements = List.copyOf(statements);
        }

        /// Callees of statements that are nothing but a call, in order.
        List<String> tasks(List<BodyFacts.Call> calls) {
            return statements.stream()
                    .filter(s -> !s.loop())
                    .flatMap(s -> s.callee(calls).stream())
                    .toList();
        }

        /// How many are neither a loop nor nothing but a call.
        int others(List<BodyFacts.Call> calls) {
            return (int) statements.stream()
                    .filter(s -> !s.loop() && s.callee(calls).isEmpty())
                    .count();
        }
    }

    /// A statement, a declaration that does nothing left out.
    ///
    /// @param start offset behind its labels
    /// @param loop whether it is a loop
    /// @param called what stands before the brackets of a statement that could be nothing but a call, else empty
    record Statement(int start, boolean loop, String called) {
        Optional<String> callee(List<BodyFacts.Call> calls) {
            return called.isEmpty()
                    ? Optional.empty()
                    : Optional.of(calls.stream()
                            .filter(c -> c.location().offset() >= start
                                    && c.location().offset() <= start + called.length())
                            .map(BodyFacts.Call::callee)
                            .findFirst()
                            .orElse(called));
        }
    }

    private void statements(int from, int to, Set<Integer> loops, List<Statement> found) {
        int at = skip(from);
        while (at < to) {
            char c = code.charAt(at);
            if (c == ';' || c == '}') {
                at = skip(at + 1);
                continue;
            }
            if (c == '{') {
                int close = SourceCode.closing(code, at);
                statements(at + 1, close < 0 ? to : close, loops, found);
                at = skip(close < 0 ? to : close + 1);
                continue;
            }
            Matcher label = LABELLED.matcher(code).region(at, to);
            if (label.lookingAt() && !label.group(1).equals("default")) {
                at = skip(label.end());
                continue;
            }
            boolean loop = loops.contains(at);
            int end = loop ? loopEnd(at) : statementEnd(at);
            if (loop) {
                found.add(new Statement(at, true, ""));
            } else {
                String text = code.substring(at, Math.min(end, code.length()));
                if (!DECLARATION.matcher(text).matches()) {
                    found.add(new Statement(at, false, called(text)));
                }
            }
            at = skip(Math.max(end, at + 1));
        }
    }

    /// Behind a loop, which a macro may have made.
    private int loopEnd(int at) {
        Matcher word = WORD.matcher(code).region(at, code.length());
        if (word.lookingAt() && !LOOPS.contains(word.group())) {
            int open = skip(word.end());
            int close = open < code.length() && code.charAt(open) == '(' ? SourceCode.closing(code, open) : -1;
            int body = close < 0 ? word.end() : skip(close + 1);
            return body < code.length() ? statementEnd(body) : code.length();
        }
        if (word.lookingAt() && LOOPS.contains(word.group()) && !word.group().equals("do")) {
            int open = skip(word.end());
            int close = open < code.length() && code.charAt(open) == '(' ? SourceCode.closing(code, open) : -1;
            int body = close < 0 ? code.length() : skip(close + 1);
            return body < code.length() ? statementEnd(body) : code.length();
        }
        return statementEnd(at);
    }

    private static String called(String text) {
        int open = text.indexOf('(');
        int close = open < 0 ? -1 : SourceCode.closing(text, open);
        String before = open < 0 ? "" : text.substring(0, open).stripTrailing();
        boolean sole = close > 0 && text.substring(close + 1).strip().equals(";");
        return sole && CALLEE.matcher(before).matches() && !STATEMENT.contains(before) ? before : "";
    }

    /// Offset of the label before a keyword.
    private Optional<Integer> labelled(int offset) {
        String before = code.substring(Math.max(0, offset - 2_000), offset);
        String cut = before.stripTrailing();
        Matcher m = LABEL.matcher(cut);
        if (!m.matches() || m.group(1).equals("default")) {
            return Optional.empty();
        }
        String rest = cut.substring(0, m.start(1)).stripTrailing();
        boolean plain = rest.isEmpty()
                || ";{}:)".indexOf(rest.charAt(rest.length() - 1)) >= 0
                || rest.endsWith("else")
                || rest.endsWith("do");
        return plain ? Optional.of(offset - before.length() + m.start(1)) : Optional.empty();
    }
}
