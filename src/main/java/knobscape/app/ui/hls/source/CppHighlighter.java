package knobscape.app.ui.hls.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Finds what to colour in C and C++ text. A lexer only: it never fails, whatever the text is.
public final class CppHighlighter {

    /// Kinds of token that have a colour; the style class is the lower-case name.
    public enum Kind {
        /// `for`, `return`, ...
        KEYWORD,
        /// `int`, `float`, `ap_int`, ...
        TYPE,
        /// Whole and broken numbers.
        NUMBER,
        /// Strings and characters.
        STRING,
        /// Comments of both forms.
        COMMENT,
        /// Preprocessor lines.
        DIRECTIVE,
        /// `#pragma HLS` lines.
        PRAGMA,
        /// A label of a statement.
        LABEL;

        /// The style class.
        public String styleClass() {
            return "code-" + name().toLowerCase(Locale.ROOT);
        }
    }

    /// A coloured stretch of text.
    ///
    /// @param start offset of the first character
    /// @param length characters
    public record Token(int start, int length, Kind kind) {}

    private static final Set<String> KEYWORDS = words("""
            alignas auto break case catch class const constexpr continue default delete do else enum
            explicit extern false for friend goto if inline namespace new operator private protected public
            register restrict return sizeof static static_cast struct switch template this throw true try
            typedef typename union using virtual volatile while
            """);
    private static final Set<String> TYPES = words("""
            bool char double float half int long short signed unsigned void size_t int8_t int16_t int32_t
            int64_t uint8_t uint16_t uint32_t uint64_t ap_int ap_uint ap_fixed ap_ufixed std hls stream
            """);

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private boolean lineStart = true;

    private CppHighlighter(String text) {
        this.text = text;
    }

    /// The coloured stretches of `text`, in order, not overlapping.
    public static List<Token> tokens(String text) {
        var lexer = new CppHighlighter(text);
        lexer.run();
        return List.copyOf(lexer.tokens);
    }

    private void run() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\n') {
                lineStart = true;
                at++;
            } else if (Character.isWhitespace(c)) {
                at++;
            } else if (c == '#' && lineStart) {
                directive();
            } else {
                boolean first = lineStart;
                lineStart = false;
                token(c, first);
            }
        }
    }

    private void token(char c, boolean first) {
        if (text.startsWith("//", at)) {
            take(Kind.COMMENT, lineEnd(at));
        } else if (text.startsWith("/*", at)) {
            int end = text.indexOf("*/", at + 2);
            take(Kind.COMMENT, end < 0 ? text.length() : end + 2);
            lineStart = first;
        } else if (c == '"' || c == '\'') {
            quoted(c);
        } else if (Character.isDigit(c)
                || (c == '.' && at + 1 < text.length() && Character.isDigit(text.charAt(at + 1)))) {
            number();
        } else if (Character.isJavaIdentifierStart(c) && c != '$') {
            word(first);
        } else {
            // A label may also follow a brace or a semicolon.
            lineStart = c == '{' || c == '}' || c == ';';
            at++;
        }
    }

    private void directive() {
        int end = at;
        do {
            end = lineEnd(end + 1);
        } while (end < text.length() && text.charAt(end - 1) == '\\');
        int comment = text.indexOf("//", at);
        int stop = comment >= 0 && comment < end ? comment : end;
        boolean hls = text.substring(at, stop).toLowerCase(Locale.ROOT).matches("(?s)#\\s*pragma\\s+hls\\b.*");
        take(hls ? Kind.PRAGMA : Kind.DIRECTIVE, stop);
    }

    private void quoted(char quote) {
        int end = at + 1;
        while (end < text.length() && text.charAt(end) != quote && text.charAt(end) != '\n') {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        take(Kind.STRING, Math.min(text.length(), end + 1));
    }

    private void number() {
        int end = at;
        while (end < text.length()) {
            char c = text.charAt(end);
            boolean exponent = (c == '+' || c == '-') && "eEpP".indexOf(text.charAt(end - 1)) >= 0 && end > at;
            if (!Character.isLetterOrDigit(c) && c != '.' && c != '\'' && !exponent) {
                break;
            }
            end++;
        }
        take(Kind.NUMBER, end);
    }

    private void word(boolean first) {
        int end = at;
        while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end)) && text.charAt(end) != '$') {
            end++;
        }
        String word = text.substring(at, end);
        int colon = end;
        while (colon < text.length() && (text.charAt(colon) == ' ' || text.charAt(colon) == '\t')) {
            colon++;
        }
        boolean label = first
                && colon < text.length()
                && text.charAt(colon) == ':'
                && !text.startsWith("::", colon)
                && !KEYWORDS.contains(word);
        if (label) {
            take(Kind.LABEL, end);
            at = colon + 1;
            lineStart = true;
        } else if (KEYWORDS.contains(word)) {
            take(Kind.KEYWORD, end);
        } else if (TYPES.contains(word) || word.endsWith("_t")) {
            take(Kind.TYPE, end);
        } else {
            at = end;
        }
    }

    private void take(Kind kind, int end) {
        tokens.add(new Token(at, end - at, kind));
        at = end;
    }

    private int lineEnd(int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end;
    }
}
