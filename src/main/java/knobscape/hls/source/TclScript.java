package knobscape.hls.source;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;

/// Follows a tool's Tcl script as far as it names files and settings: variables, lists, names of files, branches,
/// loops over lists, procedures and scripts that it sources (Tcl(n)). Nothing outside is run or written; no variable of
/// the environment and no argument is known; what cannot be told stays as it is written.
final class TclScript {
    private static final long LARGEST = 4L << 20;
    private static final int MOST_STEPS = 100_000;
    private static final int DEEPEST = 40;
    private static final int LONGEST = 1 << 16;

    private final Path file;
    private final Listener listener;
    private final Map<String, String> variables = new HashMap<>();
    private final Map<String, Procedure> procedures = new HashMap<>();
    private final Set<Path> sourced = new HashSet<>();
    private Path running;
    private int steps;
    private int depth;
    private boolean ended;

    /// Told of every command that is none of the language.
    @FunctionalInterface
    interface Listener {
        /// @param words after substitution, the command first
        /// @param script in which it stands
        void command(List<String> words, Path script, int line);
    }

    private record Word(String text, int line) {}

    private record Procedure(List<String> parameters, Word body) {}

    TclScript(Path file, Listener listener) {
        this.file = file;
        this.running = file;
        this.listener = listener;
        variables.put("argc", "0");
        variables.put("argv", "");
        variables.put("argv0", file.toString());
    }

    /// Follows a script's text.
    void run(String text) {
        body(new Word(text, 1));
    }

    private String body(Word script) {
        String last = "";
        if (++depth <= DEEPEST) {
            var at = new Cursor(script.text(), script.line());
            for (Optional<List<Word>> c = at.command(); c.isPresent() && !ended; c = at.command()) {
                last = command(c.get());
            }
        }
        depth--;
        return last;
    }

    private String command(List<Word> words) {
        if (words.isEmpty() || ++steps > MOST_STEPS) {
            return "";
        }
        List<String> w = words.stream().map(Word::text).toList();
        String name = w.getFirst().replaceFirst("^::", "");
        Procedure procedure = procedures.get(name);
        if (procedure != null) {
            return call(procedure, w);
        }
        List<String> rest = w.subList(1, w.size());
        return switch (name) {
            case "set" ->
                w.size() > 2
                        ? put(w.get(1), w.get(2))
                        : w.size() > 1 ? get(w.get(1)).orElse("") : "";
            case "append" ->
                w.size() > 1 ? put(w.get(1), get(w.get(1)).orElse("") + String.join("", w.subList(2, w.size()))) : "";
            case "lappend" ->
                w.size() > 1
                        ? put(w.get(1), (get(w.get(1)).orElse("") + " " + list(w.subList(2, w.size()))).strip())
                        : "";
            case "incr" ->
                w.size() > 1 ? put(w.get(1), sum(get(w.get(1)).orElse("0"), w.size() > 2 ? w.get(2) : "1")) : "";
            case "array" -> array(rest);
            case "list" -> list(rest);
            case "concat", "eval" ->
                name.equals("eval")
                        ? body(new Word(String.join(" ", rest), words.getFirst().line()))
                        : String.join(" ", rest);
            case "join" -> String.join(w.size() > 2 ? w.get(2) : " ", elements(w.size() > 1 ? w.get(1) : ""));
            case "lindex" -> index(rest);
            case "llength" ->
                String.valueOf(elements(w.size() > 1 ? w.get(1) : "").size());
            case "lsort" -> list(elements(w.getLast()).stream().sorted().toList());
            case "expr" ->
                TclCondition.value(String.join(" ", rest))
                        .map(b -> b ? "1" : "0")
                        .orElse(String.join(" ", rest));
            case "string" -> string(rest);
            case "file" -> fileName(rest);
            case "info" ->
                w.size() > 1 && w.get(1).equals("script")
                        ? running.toString()
                        : w.size() > 2 && w.get(1).equals("exists")
                                ? get(w.get(2)).isPresent() ? "1" : "0"
                                : "";
            case "glob" -> glob(rest);
            case "pwd" -> String.valueOf(file.getParent()).replace('\\', '/');
            case "if" -> branch(words);
            case "foreach" -> each(words);
            case "switch" -> choose(words);
            case "catch" -> {
                body(words.get(Math.min(1, words.size() - 1)));
                yield "0";
            }
            case "proc" -> {
                if (words.size() == 4) {
                    procedures.put(
                            w.get(1),
                            new Procedure(
                                    elements(w.get(2)).stream()
                                            .map(p -> elements(p).getFirst())
                                            .toList(),
                                    words.get(3)));
                }
                yield "";
            }
            case "return" -> w.getLast();
            case "exit" -> {
                ended = true;
                yield "";
            }
            case "source" -> source(w.getLast(), w, words.getFirst().line());
            default -> {
                listener.command(w, running, words.getFirst().line());
                yield "";
            }
        };
    }

    private String call(Procedure p, List<String> words) {
        for (int k = 0; k < p.parameters().size(); k++) {
            boolean all =
                    k == p.parameters().size() - 1 && p.parameters().get(k).equals("args");
            put(
                    p.parameters().get(k),
                    all
                            ? list(words.subList(Math.min(words.size(), k + 1), words.size()))
                            : k + 1 < words.size() ? words.get(k + 1) : "");
        }
        return body(p.body());
    }

    private String source(String name, List<String> words, int line) {
        listener.command(words, running, line);
        try {
            Path named = running.resolveSibling(name).normalize();
            Path found = Files.isRegularFile(named)
                    ? named
                    : file.resolveSibling(name).normalize();
            if (Files.isRegularFile(found) && sourced.add(found)) {
                Path before = running;
                running = found;
                body(new Word(InputFile.text(found, LARGEST), 1));
                running = before;
            }
        } catch (IOException | UserError | InvalidPathException e) {
            // What cannot be read says nothing; where it matters, what it names is missed.
            return "";
        }
        return "";
    }

    // Variables

    private static String plain(String name) {
        return name.replaceFirst("^::", "");
    }

    private Optional<String> get(String name) {
        return Optional.ofNullable(variables.get(plain(name)));
    }

    private String put(String name, String value) {
        String kept = value.length() > LONGEST ? value.substring(0, LONGEST) : value;
        variables.put(plain(name), kept);
        return kept;
    }

    private static String sum(String x, String y) {
        return x.matches("-?\\d{1,9}") && y.matches("-?\\d{1,9}")
                ? String.valueOf(Long.parseLong(x) + Long.parseLong(y))
                : x;
    }

    private String array(List<String> words) {
        if (words.size() > 2 && words.getFirst().equals("set")) {
            List<String> pairs = elements(words.get(2));
            for (int k = 0; k + 1 < pairs.size(); k += 2) {
                put(words.get(1) + "(" + pairs.get(k) + ")", pairs.get(k + 1));
            }
        }
        return "";
    }

    // Lists and texts

    private static String list(List<String> words) {
        var b = new StringBuilder();
        for (String w : words) {
            b.append(b.isEmpty() ? "" : " ").append(w.isEmpty() || w.matches("(?s).*[\\s{}\"].*") ? "{" + w + "}" : w);
        }
        return b.toString();
    }

    /// Elements of a list.
    private List<String> elements(String list) {
        return new Cursor(list, 1).literal().stream().map(Word::text).toList();
    }

    private String index(List<String> words) {
        List<String> all = words.isEmpty() ? List.of() : elements(words.getFirst());
        String at = words.size() > 1 ? words.get(1) : "0";
        int k = at.equals("end") ? all.size() - 1 : at.matches("\\d{1,6}") ? Integer.parseInt(at) : -1;
        return k >= 0 && k < all.size() ? all.get(k) : "";
    }

    private String string(List<String> words) {
        if (words.size() < 2) {
            return "";
        }
        String last = words.getLast();
        return switch (words.getFirst()) {
            case "tolower" -> last.toLowerCase(java.util.Locale.ROOT);
            case "toupper" -> last.toUpperCase(java.util.Locale.ROOT);
            case "trim" -> words.get(1).strip();
            case "length" -> String.valueOf(last.length());
            case "equal" -> words.get(words.size() - 2).equals(last) ? "1" : "0";
            case "match" -> last.matches(pattern(words.get(words.size() - 2))) ? "1" : "0";
            case "map" -> replaced(elements(words.get(words.size() - 2)), last);
            default -> last;
        };
    }

    private static String replaced(List<String> pairs, String text) {
        String s = text;
        for (int k = 0; k + 1 < pairs.size(); k += 2) {
            s = s.replace(pairs.get(k), pairs.get(k + 1));
        }
        return s;
    }

    private static String pattern(String glob) {
        var b = new StringBuilder();
        for (char c : glob.toCharArray()) {
            b.append(c == '*' ? ".*" : c == '?' ? "." : java.util.regex.Pattern.quote(String.valueOf(c)));
        }
        return b.toString();
    }

    private String fileName(List<String> words) {
        if (words.size() < 2) {
            return "";
        }
        String last = words.getLast().replace('\\', '/');
        try {
            return switch (words.getFirst()) {
                case "join" ->
                    words.subList(1, words.size()).stream()
                            .reduce((x, y) -> y.startsWith("/") || y.matches("[A-Za-z]:/.*") ? y : x + "/" + y)
                            .orElse("");
                case "dirname" -> last.contains("/") ? last.substring(0, Math.max(1, last.lastIndexOf('/'))) : ".";
                case "tail" -> last.substring(last.lastIndexOf('/') + 1);
                case "extension" ->
                    last.lastIndexOf('.') > last.lastIndexOf('/') ? last.substring(last.lastIndexOf('.')) : "";
                case "rootname" ->
                    last.lastIndexOf('.') > last.lastIndexOf('/') ? last.substring(0, last.lastIndexOf('.')) : last;
                case "normalize" ->
                    file.resolveSibling(last).normalize().toString().replace('\\', '/');
                case "exists", "isfile", "isdirectory" -> Files.exists(file.resolveSibling(last)) ? "1" : "0";
                default -> "";
            };
        } catch (InvalidPathException e) {
            return last;
        }
    }

    private String glob(List<String> words) {
        var found = new ArrayList<String>();
        Path folder = java.util.Objects.requireNonNull(file.toAbsolutePath().getParent());
        for (int k = 0; k < words.size(); k++) {
            String w = words.get(k);
            if (w.equals("-directory") && k + 1 < words.size()) {
                folder = folder.resolve(words.get(++k));
            } else if (!w.startsWith("-")) {
                int slash = w.lastIndexOf('/');
                try (DirectoryStream<Path> files = Files.newDirectoryStream(
                        slash < 0 ? folder : folder.resolve(w.substring(0, slash)), w.substring(slash + 1))) {
                    files.forEach(f -> found.add(f.toString().replace('\\', '/')));
                } catch (IOException | InvalidPathException | java.util.regex.PatternSyntaxException e) {
                    // Nothing is there.
                }
            }
        }
        found.sort(null);
        return list(found);
    }

    // Branches and loops

    private String branch(List<Word> words) {
        int k = 1;
        while (k + 1 < words.size()) {
            boolean otherwise = words.get(k).text().equals("else");
            int body = otherwise ? k + 1 : words.get(k + 1).text().equals("then") ? k + 2 : k + 1;
            // Where nothing can be told, the first branch is followed.
            if (otherwise || TclCondition.value(substitute(words.get(k))).orElse(true)) {
                return body < words.size() ? body(words.get(body)) : "";
            }
            k = body + 1;
            if (k < words.size() && words.get(k).text().equals("elseif")) {
                k++;
            } else if (k < words.size() && !words.get(k).text().equals("else")) {
                return body(words.get(k));
            }
        }
        return "";
    }

    private String substitute(Word word) {
        return new Cursor(word.text(), word.line()).substituted();
    }

    private String each(List<Word> words) {
        if (words.size() < 4) {
            return "";
        }
        List<String> names = elements(words.get(1).text());
        List<String> values = elements(words.get(2).text());
        for (int k = 0; k < values.size() && !names.isEmpty() && !ended; k += names.size()) {
            for (int n = 0; n < names.size(); n++) {
                put(names.get(n), k + n < values.size() ? values.get(k + n) : "");
            }
            body(words.getLast());
        }
        return "";
    }

    private String choose(List<Word> words) {
        int k = 1;
        while (k < words.size() && words.get(k).text().startsWith("-")) {
            k++;
        }
        if (k + 1 >= words.size()) {
            return "";
        }
        String value = words.get(k).text();
        var at = new Cursor(words.get(k + 1).text(), words.get(k + 1).line());
        List<Word> pairs = words.size() > k + 2 ? words.subList(k + 1, words.size()) : at.literal();
        boolean found = false;
        for (int p = 0; p + 1 < pairs.size(); p += 2) {
            String label = pairs.get(p).text();
            found |= label.equals("default") || value.matches(pattern(label));
            if (found && !pairs.get(p + 1).text().equals("-")) {
                return body(pairs.get(p + 1));
            }
        }
        return "";
    }

    /// Reads commands and words of a text.
    private final class Cursor {
        private final String s;
        private int i;
        private int line;

        Cursor(String text, int line) {
            this.s = text;
            this.line = line;
        }

        /// The next command's words after substitution; empty at the end.
        Optional<List<Word>> command() {
            while (i < s.length()
                    && (Character.isWhitespace(s.charAt(i)) || s.charAt(i) == ';' || s.charAt(i) == '#')) {
                if (s.charAt(i) == '#') {
                    while (i < s.length() && s.charAt(i) != '\n') {
                        next();
                    }
                } else {
                    next();
                }
            }
            if (i >= s.length()) {
                return Optional.empty();
            }
            var words = new ArrayList<Word>();
            while (i < s.length() && s.charAt(i) != '\n' && s.charAt(i) != ';') {
                if (isContinued()) {
                    next();
                    next();
                } else if (Character.isWhitespace(s.charAt(i))) {
                    next();
                } else {
                    words.add(word(true));
                }
            }
            return Optional.of(words);
        }

        /// Elements of the text as a list.
        List<Word> literal() {
            var words = new ArrayList<Word>();
            while (i < s.length()) {
                if (Character.isWhitespace(s.charAt(i)) || isContinued()) {
                    next();
                } else {
                    words.add(word(false));
                }
            }
            return words;
        }

        /// All of the text after substitution.
        String substituted() {
            var b = new StringBuilder();
            while (i < s.length()) {
                piece(b, true);
            }
            return b.toString();
        }

        private void next() {
            line += s.charAt(i) == '\n' ? 1 : 0;
            i++;
        }

        private boolean isContinued() {
            return s.charAt(i) == '\\' && i + 1 < s.length() && s.charAt(i + 1) == '\n';
        }

        private Word word(boolean substitute) {
            int at = line;
            if (s.startsWith("{*}", i) && substitute) {
                i += 3;
            }
            var b = new StringBuilder();
            if (i < s.length() && s.charAt(i) == '{') {
                return new Word(braced(), at);
            }
            boolean quoted = i < s.length() && s.charAt(i) == '"';
            if (quoted) {
                i++;
            }
            while (i < s.length()) {
                char c = s.charAt(i);
                if (quoted ? c == '"' : Character.isWhitespace(c) || (c == ';' && substitute)) {
                    break;
                }
                piece(b, substitute);
            }
            if (quoted && i < s.length()) {
                i++;
            }
            return new Word(b.toString(), at);
        }

        /// The text in braces.
        private String braced() {
            int open = 0;
            int from = i + 1;
            while (i < s.length()) {
                char c = s.charAt(i);
                if (c == '\\' && i + 1 < s.length()) {
                    next();
                } else {
                    open += c == '{' ? 1 : c == '}' ? -1 : 0;
                }
                next();
                if (open == 0) {
                    return s.substring(from, i - 1);
                }
            }
            return s.substring(Math.min(from, s.length()));
        }

        private void piece(StringBuilder b, boolean substitute) {
            char c = s.charAt(i);
            if (c == '\\' && i + 1 < s.length()) {
                boolean end = s.charAt(i + 1) == '\n';
                next();
                b.append(end ? ' ' : s.charAt(i));
                next();
            } else if (c == '$' && substitute) {
                variable(b);
            } else if (c == '[' && substitute) {
                int from = i + 1;
                int at = line;
                int open = 0;
                do {
                    open += s.charAt(i) == '[' ? 1 : s.charAt(i) == ']' ? -1 : 0;
                    next();
                } while (i < s.length() && open > 0);
                b.append(body(new Word(s.substring(from, open == 0 ? i - 1 : i), at)));
            } else {
                b.append(c);
                next();
            }
        }

        /// A variable's value; what is none stays as it is written.
        private void variable(StringBuilder b) {
            int from = i++;
            String name;
            if (i < s.length() && s.charAt(i) == '{') {
                name = braced();
            } else {
                int start = i;
                while (i < s.length() && (Character.isLetterOrDigit(s.charAt(i)) || "_:".indexOf(s.charAt(i)) >= 0)) {
                    i++;
                }
                name = s.substring(start, i);
                if (i < s.length() && s.charAt(i) == '(' && !name.isEmpty()) {
                    int close = s.indexOf(')', i);
                    if (close > 0) {
                        name += "(" + new Cursor(s.substring(i + 1, close), line).substituted() + ")";
                        i = close + 1;
                    }
                }
            }
            b.append(get(name).orElse(s.substring(from, i)));
        }
    }
}
