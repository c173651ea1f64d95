package knobscape.hls.export;

/// Words of Tcl that mean exactly the given text, whatever characters it holds (Tcl(n), rules 4 to 10).
final class TclWords {
    private TclWords() {}

    /// The text as it stands where that is safe, else in braces or with backslashes.
    static String bare(String text) {
        return isPlain(text) ? text : protect(text);
    }

    /// The text in double quotes where that is safe, else in braces or with backslashes.
    static String quoted(String text) {
        return isPlain(text) ? '"' + text + '"' : protect(text);
    }

    private static boolean isPlain(String text) {
        return !text.isEmpty()
                && !text.startsWith("-")
                && text.chars()
                        .allMatch(c -> c < 128 && (Character.isLetterOrDigit(c) || "_./:-+=,<>@%".indexOf(c) >= 0));
    }

    /// Braces keep everything but backslashes and unbalanced braces as it is.
    private static String protect(String text) {
        int depth = 0;
        boolean braces = text.indexOf('\\') < 0;
        for (int i = 0; i < text.length() && braces; i++) {
            depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
            braces = depth >= 0;
        }
        if (braces && depth == 0) {
            return "{" + text + "}";
        }
        var b = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            switch (c) {
                case '\\', '"', '$', '[', ']', '{', '}' -> b.append('\\').append(c);
                case '\n' -> b.append("\\n");
                case '\r' -> b.append("\\r");
                default -> b.append(c);
            }
        }
        return b.append('"').toString();
    }
}
