package knobscape.hls.source.clang;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.hls.source.Location;
import knobscape.hls.source.file.SourceText;

/// The text of loops in one file: labels, bodies and braces around keywords whose places the compiler told.
final class LoopText {
    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final Pattern LABEL = Pattern.compile("(?s).*?\\b([A-Za-z_]\\w*)\\s*:$");
    private static final Set<String> LOOPS = Set.of("for", "while", "do");

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
            boolean braced) {}

    SourceText file() {
        return file;
    }

    /// Right after the brace that opens the body of the function whose name is given.
    Location bodyAfter(Location name) {
        int brace = code.indexOf('{', name.offset());
        return file.location(brace < 0 ? name.offset() : brace + 1, 0);
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
