package knobscape.evaluate.report;

/// Texts of files and names of others as they may be shown: characters that steer a terminal or reorder a line stand as
/// escapes, `\u001b`.
public final class Printable {
    private Printable() {}

    /// A text of several lines: line ends and tabs stay.
    public static String text(String text) {
        return escaped(text, true);
    }

    /// A text of one line: line ends and tabs are escapes, too.
    public static String line(String text) {
        return escaped(text, false);
    }

    private static String escaped(String text, boolean lines) {
        StringBuilder b = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean end = c == '\n' || c == '\t' || (c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n');
            if (!steers(c) || (lines && end)) {
                if (b != null) {
                    b.append(c);
                }
                continue;
            }
            if (b == null) {
                b = new StringBuilder(text.length() + 8).append(text, 0, i);
            }
            b.append(escape(c));
        }
        return b == null ? text : b.toString();
    }

    /// True if a character is a control, or changes the direction of what is written.
    public static boolean steers(char c) {
        return Character.isISOControl(c)
                || (c >= '\u202a' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069')
                || c == '\u2028'
                || c == '\u2029'
                || c == '\u200e'
                || c == '\u200f';
    }

    /// A character as an escape, as JSON and Java write it.
    public static String escape(char c) {
        return String.format("\\u%04x", (int) c);
    }
}
