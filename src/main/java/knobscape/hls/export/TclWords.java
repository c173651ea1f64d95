package knobscape.hls.export;

import java.util.ArrayList;
import java.util.List;

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

    /// The commands of a script with their words; comments are left out, and nothing is substituted but backslashes
    /// (what a script computes cannot be told without running it).
    static List<List<String>> commands(String script) {
        var all = new ArrayList<List<String>>();
        var words = new ArrayList<String>();
        int i = 0;
        while (i <= script.length()) {
            char c = i < script.length() ? script.charAt(i) : '\n';
            if (c == '\n' || c == ';') {
                if (!words.isEmpty()) {
                    all.add(List.copyOf(words));
                    words.clear();
                }
                i++;
            } else if (c == '#' && words.isEmpty()) {
                while (i < script.length() && script.charAt(i) != '\n') {
                    i += script.charAt(i) == '\\' ? 2 : 1;
                }
            } else if (Character.isWhitespace(c)) {
                i++;
            } else if (c == '\\'
                    && i + 1 < script.length()
                    && (script.charAt(i + 1) == '\n' || script.charAt(i + 1) == '\r')) {
                i += script.charAt(i + 1) == '\r' && i + 2 < script.length() && script.charAt(i + 2) == '\n' ? 3 : 2;
            } else {
                var word = new StringBuilder();
                i = word(script, i, word);
                words.add(word.toString());
            }
        }
        return all;
    }

    /// Reads one word; gives where it ends.
    private static int word(String s, int from, StringBuilder word) {
        int i = from;
        if (s.charAt(i) == '{') {
            int depth = 1;
            for (i++; i < s.length(); i++) {
                char c = s.charAt(i);
                depth += c == '{' ? 1 : c == '}' ? -1 : 0;
                if (depth == 0) {
                    return i + 1;
                }
                word.append(c);
            }
            return i;
        }
        boolean quoted = s.charAt(i) == '"';
        for (i += quoted ? 1 : 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (quoted ? c == '"' : Character.isWhitespace(c) || c == ';') {
                return quoted ? i + 1 : i;
            }
            if (c == '\\' && i + 1 < s.length()) {
                c = s.charAt(++i);
                c = c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
            }
            word.append(c);
        }
        return i;
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
