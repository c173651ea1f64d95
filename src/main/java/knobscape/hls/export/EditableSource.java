package knobscape.hls.export;

import java.util.OptionalInt;

/// The text of a C or C++ file with just enough understanding to insert lines safely: which characters are
/// code, which belong to a comment, a literal or a preprocessor line.
final class EditableSource {
    private static final byte CODE = 0;
    private static final byte COMMENT = 1;
    private static final byte LITERAL = 2;
    private static final byte DIRECTIVE = 3;

    private final String text;
    private final byte[] kinds;

    EditableSource(String text) {
        this.text = text;
        this.kinds = new byte[text.length()];
        classify();
    }

    String text() {
        return text;
    }

    private void classify() {
        int i = 0;
        boolean lineStart = true;
        boolean directive = false;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (isSplice(i)) {
                int end = afterSplice(i);
                mark(i, end, directive ? DIRECTIVE : CODE);
                i = end;
            } else if (c == '\n' || c == '\r') {
                i++;
                lineStart = true;
                directive = false;
            } else if (text.startsWith("//", i)) {
                int end = lineCommentEnd(i);
                mark(i, end, COMMENT);
                i = end;
            } else if (text.startsWith("/*", i)) {
                int close = text.indexOf("*/", i + 2);
                int end = close < 0 ? text.length() : close + 2;
                mark(i, end, COMMENT);
                i = end;
            } else if (!directive && isRawString(i)) {
                int end = rawStringEnd(i);
                mark(i, end, LITERAL);
                lineStart = false;
                i = end;
            } else if (c == '"' || (c == '\'' && !isDigitSeparator(i))) {
                int end = literalEnd(i, c);
                mark(i, end, directive ? DIRECTIVE : LITERAL);
                lineStart = false;
                i = end;
            } else if (c == '#' && lineStart) {
                directive = true;
                lineStart = false;
                kinds[i++] = DIRECTIVE;
            } else {
                kinds[i] = directive ? DIRECTIVE : CODE;
                lineStart = lineStart && Character.isWhitespace(c);
                i++;
            }
        }
    }

    private void mark(int from, int to, byte kind) {
        java.util.Arrays.fill(kinds, from, to, kind);
    }

    private boolean isSplice(int i) {
        return text.charAt(i) == '\\'
                && i + 1 < text.length()
                && (text.charAt(i + 1) == '\n' || text.charAt(i + 1) == '\r');
    }

    private int afterSplice(int i) {
        return text.startsWith("\r\n", i + 1) ? i + 3 : i + 2;
    }

    private int lineCommentEnd(int i) {
        while (i < text.length()) {
            if (isSplice(i)) {
                i = afterSplice(i);
            } else if (text.charAt(i) == '\n' || text.charAt(i) == '\r') {
                return i;
            } else {
                i++;
            }
        }
        return i;
    }

    /// Ends after the closing quote, or at the end of the line where there is none.
    private int literalEnd(int start, char quote) {
        int i = start + 1;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (isSplice(i)) {
                i = afterSplice(i);
            } else if (c == '\\' && i + 1 < text.length()) {
                i += 2;
            } else if (c == quote) {
                return i + 1;
            } else if (c == '\n' || c == '\r') {
                return i;
            } else {
                i++;
            }
        }
        return text.length();
    }

    private boolean isRawString(int i) {
        if (text.charAt(i) != '"' || i == 0 || text.charAt(i - 1) != 'R') {
            return false;
        }
        int start = i - 1;
        while (start > 0 && Character.isJavaIdentifierPart(text.charAt(start - 1))) {
            start--;
        }
        return switch (text.substring(start, i)) {
            case "R", "LR", "uR", "UR", "u8R" -> text.indexOf('(', i) >= 0;
            default -> false;
        };
    }

    private int rawStringEnd(int i) {
        int open = text.indexOf('(', i);
        String close = ")" + text.substring(i + 1, open) + "\"";
        int end = text.indexOf(close, open);
        return end < 0 ? text.length() : end + close.length();
    }

    /// True if the quote stands inside a number (`1'000`).
    private boolean isDigitSeparator(int i) {
        if (i == 0 || i + 1 >= text.length() || !Character.isLetterOrDigit(text.charAt(i + 1))) {
            return false;
        }
        int start = i;
        while (start > 0 && (Character.isLetterOrDigit(text.charAt(start - 1)) || text.charAt(start - 1) == '\'')) {
            start--;
        }
        return start < i && Character.isDigit(text.charAt(start));
    }

    /// The text with blanks in the place of all that is no code.
    String code() {
        var out = new StringBuilder(text);
        for (int i = 0; i < text.length(); i++) {
            if (!isCode(i)) {
                out.setCharAt(i, ' ');
            }
        }
        return out.toString();
    }

    private boolean isCode(int i) {
        return kinds[i] == CODE;
    }

    /// True if the word stands at `offset` as code.
    boolean hasWordAt(int offset, String word) {
        int end = offset + word.length();
        return offset >= 0
                && text.startsWith(word, offset)
                && isCode(offset)
                && (end == text.length() || !Character.isJavaIdentifierPart(text.charAt(end)));
    }

    /// True if the character at `offset` is this one, as code.
    boolean hasCodeAt(int offset, char c) {
        return offset >= 0 && offset < text.length() && text.charAt(offset) == c && isCode(offset);
    }

    /// The last visible code character before `offset`.
    OptionalInt previousCode(int offset) {
        for (int i = offset - 1; i >= 0; i--) {
            if (isCode(i) && !Character.isWhitespace(text.charAt(i))) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    /// Code between the last `;`, `{` or `}` before `offset` and `offset`.
    String codeSinceStatement(int offset) {
        var code = new StringBuilder();
        for (int i = offset - 1; i >= 0; i--) {
            if (isCode(i)) {
                if (";{}".indexOf(text.charAt(i)) >= 0) {
                    break;
                }
                code.append(text.charAt(i));
            } else if (kinds[i] == LITERAL) {
                code.append('"');
            }
        }
        return code.reverse().toString();
    }

    /// The first visible code character at or after `offset`.
    OptionalInt nextCode(int offset) {
        for (int i = offset; i < text.length(); i++) {
            if (isCode(i) && !Character.isWhitespace(text.charAt(i))) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    /// Right after the first `;` outside brackets at or after `offset`.
    OptionalInt afterStatement(int offset) {
        int depth = 0;
        for (int i = offset; i < text.length(); i++) {
            if (!isCode(i)) {
                continue;
            }
            switch (text.charAt(i)) {
                case '(', '[', '{' -> depth++;
                case ')', ']', '}' -> depth--;
                case ';' -> {
                    if (depth == 0) {
                        return OptionalInt.of(i + 1);
                    }
                }
                default -> {}
            }
            if (depth < 0) {
                return OptionalInt.empty();
            }
        }
        return OptionalInt.empty();
    }

    /// Start of the next line where only blanks and comments follow `offset` on its line; empty where code
    /// follows.
    OptionalInt nextLineIfRestBlank(int offset) {
        int i = offset;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (kinds[i] == COMMENT) {
                i++;
            } else if (c == '\n') {
                return OptionalInt.of(i + 1);
            } else if (c == '\r') {
                return OptionalInt.of(text.startsWith("\r\n", i) ? i + 2 : i + 1);
            } else if (Character.isWhitespace(c)) {
                i++;
            } else {
                return OptionalInt.empty();
            }
        }
        return OptionalInt.of(i);
    }

    /// Start of the line that `offset` stands on.
    int lineStart(int offset) {
        int i = offset;
        while (i > 0 && text.charAt(i - 1) != '\n' && text.charAt(i - 1) != '\r') {
            i--;
        }
        return i;
    }

    /// Blanks at the start of the line that `offset` stands on.
    String indentation(int offset) {
        int start = lineStart(offset);
        int end = start;
        while (end < offset && (text.charAt(end) == ' ' || text.charAt(end) == '\t')) {
            end++;
        }
        return text.substring(start, end);
    }

    /// Indentation of what stands in a body that starts at `bodyStart` and belongs to the statement at `owner`.
    String bodyIndentation(int owner, int bodyStart) {
        String outer = indentation(owner);
        OptionalInt next = nextCode(bodyStart);
        if (next.isPresent() && lineStart(next.getAsInt()) > lineStart(bodyStart)) {
            String inner = indentation(next.getAsInt());
            if (inner.length() > outer.length()) {
                return inner;
            }
        }
        boolean tabs = outer.isEmpty() ? text.contains("\n\t") : outer.indexOf('\t') >= 0;
        return outer + (tabs ? "\t" : "    ");
    }

    /// The line terminator used around `offset`.
    String newline(int offset) {
        int i = text.indexOf('\n', Math.min(offset, text.length()));
        if (i < 0) {
            i = text.lastIndexOf('\n');
        }
        return i > 0 && text.charAt(i - 1) == '\r' ? "\r\n" : "\n";
    }

    /// One past the last visible character of the preprocessor line that starts at `hash`, continuation lines
    /// included, a comment after it not.
    int directiveEnd(int hash) {
        int end = hash;
        for (int i = hash; i < text.length(); i++) {
            if (kinds[i] == DIRECTIVE) {
                if (!Character.isWhitespace(text.charAt(i)) && !isSplice(i)) {
                    end = i + 1;
                }
            } else if (kinds[i] != COMMENT) {
                break;
            }
        }
        return end;
    }

    /// True if a preprocessor line starts at `offset`.
    boolean isDirectiveAt(int offset) {
        return offset >= 0 && offset < text.length() && text.charAt(offset) == '#' && kinds[offset] == DIRECTIVE;
    }
}
