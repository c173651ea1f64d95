package knobscape.hls.source.cdt;

/// Makes source text safe to search with patterns.
final class Comments {
    private Comments() {}

    /// The text with comments and the contents of string and character literals replaced by blanks; offsets and
    /// lines stay.
    static String blank(String text) {
        char[] out = text.toCharArray();
        int i = 0;
        while (i < out.length) {
            char c = out[i];
            char next = i + 1 < out.length ? out[i + 1] : 0;
            if (c == '/' && next == '/') {
                while (i < out.length && out[i] != '\n') {
                    out[i++] = ' ';
                }
            } else if (c == '/' && next == '*') {
                int end = text.indexOf("*/", i + 2);
                end = end < 0 ? out.length : end + 2;
                for (; i < end; i++) {
                    if (out[i] != '\n') {
                        out[i] = ' ';
                    }
                }
            } else if (c == '"' || (c == '\'' && (i == 0 || !Character.isLetterOrDigit(out[i - 1])))) {
                i++;
                while (i < out.length && out[i] != c && out[i] != '\n') {
                    boolean escape = out[i] == '\\' && i + 1 < out.length && out[i + 1] != '\n';
                    out[i++] = ' ';
                    if (escape) {
                        out[i++] = ' ';
                    }
                }
                i++;
            } else {
                i++;
            }
        }
        return new String(out);
    }
}
