package knobscape.hls.source.clang;

/// Text of C and C++ as far as its surface goes: comments and strings.
final class SourceCode {
    private SourceCode() {}

    /// The text with comments and the contents of strings as blanks; every other character stays where it is.
    static String blank(String text) {
        return blank(text, true);
    }

    /// The text with comments as blanks.
    static String withoutComments(String text) {
        return blank(text, false);
    }

    /// The code with lines of the preprocessor as blanks.
    static String withoutDirectives(String code) {
        var out = new StringBuilder(code);
        int at = 0;
        while (at < code.length()) {
            int end = code.indexOf('\n', at);
            end = end < 0 ? code.length() : end;
            if (code.substring(at, end).stripLeading().startsWith("#")) {
                while (end < code.length()
                        && code.substring(at, end).stripTrailing().endsWith("\\")) {
                    int next = code.indexOf('\n', end + 1);
                    end = next < 0 ? code.length() : next;
                }
                blank(out, at, end);
            }
            at = end + 1;
        }
        return out.toString();
    }

    private static String blank(String text, boolean strings) {
        var out = new StringBuilder(text);
        int i = 0;
        int n = text.length();
        while (i < n) {
            char c = text.charAt(i);
            if (c == '/' && text.startsWith("//", i)) {
                int end = lineEnd(text, i);
                blank(out, i, end);
                i = end;
            } else if (c == '/' && text.startsWith("/*", i)) {
                int end = text.indexOf("*/", i + 2);
                end = end < 0 ? n : end + 2;
                blank(out, i, end);
                i = end;
            } else if (c == '"' && i > 0 && text.charAt(i - 1) == 'R') {
                int open = text.indexOf('(', i);
                int end = open < 0 ? -1 : text.indexOf(")" + text.substring(i + 1, open) + "\"", open);
                end = end < 0 ? n : end + open - i + 1;
                if (strings) {
                    blank(out, i + 1, Math.min(end, n) - 1);
                }
                i = Math.max(i + 1, end);
            } else if (c == '"' || (c == '\'' && (i == 0 || !Character.isLetterOrDigit(text.charAt(i - 1))))) {
                int end = i + 1;
                while (end < n && text.charAt(end) != c && text.charAt(end) != '\n') {
                    end += text.charAt(end) == '\\' ? 2 : 1;
                }
                if (strings) {
                    blank(out, i + 1, Math.min(end, n));
                }
                i = end + 1;
            } else {
                i++;
            }
        }
        return out.toString();
    }

    private static int lineEnd(String text, int from) {
        int end = text.indexOf('\n', from);
        while (end > 0 && text.charAt(end - 1) == '\\') {
            end = text.indexOf('\n', end + 1);
        }
        return end < 0 ? text.length() : end;
    }

    private static void blank(StringBuilder out, int from, int to) {
        for (int i = from; i < to; i++) {
            if (out.charAt(i) != '\n' && out.charAt(i) != '\r') {
                out.setCharAt(i, ' ');
            }
        }
    }

    /// Offset of the bracket that closes the one at `open` in blanked code, -1 where none does.
    static int closing(String code, int open) {
        char opening = code.charAt(open);
        char closing = opening == '(' ? ')' : opening == '{' ? '}' : ']';
        int depth = 0;
        for (int i = open; i < code.length(); i++) {
            char c = code.charAt(i);
            if (c == opening) {
                depth++;
            } else if (c == closing && --depth == 0) {
                return i;
            }
        }
        return -1;
    }
}
