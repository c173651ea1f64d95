package knobscape.hls.source.clang;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import knobscape.hls.source.file.SourceText;

/// Makes calls of the directives in a text, each on its own line: `__kn_pragma(number, &variable, numbers...)`. The
/// compiler then resolves names, macros and template arguments, and the call stands where the directive stands. Lines
/// and columns of all other text stay.
final class PragmaMarkers {
    private static final Pattern OPERATOR = Pattern.compile("_Pragma\\s*\\(\\s*\"((?:[^\"\\\\]|\\\\.)*)\"\\s*\\)");
    /// A macro whose body hands its argument on as a pragma: `#define DO(x) _Pragma(#x)`, and one that calls such.
    private static final Pattern PASSING = Pattern.compile(
            "(?m)^[ \\t]*#[ \\t]*define[ \\t]+(\\w+)\\(\\s*(\\w+)\\s*(?:\\.\\.\\.)?\\)[ \\t]+(?:_Pragma\\s*\\(\\s*#\\s*\\2\\s*\\)|(\\w+)\\(\\s*\\2\\s*\\))[ \\t]*;?[ \\t]*\\r?$");

    private static final Pattern FUNCTION = Pattern.compile("\\b([A-Za-z_]\\w*)\\s*\\(");
    private static final Pattern DEFINITION =
            Pattern.compile("(?m)^[ \\t]*#[ \\t]*define[ \\t]+(\\w+)(?:\\(([^()]*)\\))?[ \\t]+([^\\n]+)$");
    private static final Pattern MACRO = Pattern.compile("\\b[A-Z_]\\w*\\s*\\(");
    /// Between the parameters of a function and its body; directives of the preprocessor may stand there.
    static final Pattern BODY = Pattern.compile("(?:\\s|#[^\\n]*\\n)*+(?:const\\s*+|noexcept\\s*+)?\\{");
    /// A parameter with brackets: what stands before its name begins with a type.
    private static final Pattern SIZED = Pattern.compile(
            "(?:^|(?<=[(,]))\\s*([A-Za-z_](?:[\\w:<>,\\s*]|\\(\\w+\\))*?[\\s*])(\\w+)\\s*\\[([^\\]\\[]*)\\]");
    /// A parameter whose type is one name: it may be that of an array.
    private static final Pattern NAMED =
            Pattern.compile("\\s*(?:const\\s+)?([A-Za-z_][\\w:]*)\\s+(?:const\\s+)?([A-Za-z_]\\w*)\\s*");
    private static final Pattern SCALAR = Pattern.compile(
            "u?int\\d*(?:_t)?|u?int_fast\\d+_t|[su]?size_t|char|short|long|unsigned|signed|float|double|bool|void|half|auto|struct|class|enum|typename|(?:std::|hls::)\\w+|ap_\\w+");

    /// Says from which file a line of preprocessed text came: the text at hand is the one to talk about.
    private static final Pattern LINE_MARK = Pattern.compile("\\s*#\\s*(?:line\\s+)?\\d.*");

    private static final Set<String> STATEMENTS = Set.of("if", "for", "while", "switch", "catch", "return", "sizeof");

    private final String text;
    private final String code;
    private final int firstNumber;
    private final Set<Integer> dropped;
    private final StringBuilder out;
    private final StringBuilder macros = new StringBuilder();
    private final List<Marker> markers = new ArrayList<>();
    private final List<Shift> shifts = new ArrayList<>();

    /// A directive and its call.
    ///
    /// @param number first argument of the call
    /// @param pragma taken apart
    /// @param raw as written, without `#pragma`
    /// @param offset of the `#`, or of what made it
    /// @param line 1-based
    /// @param editable whether it is a line of its own
    /// @param called whether a call was made
    record Marker(int number, PragmaText pragma, String raw, int offset, int line, boolean editable, boolean called) {}

    /// A text with calls.
    ///
    /// @param text of the same lines
    /// @param macros definitions that must stand before it
    /// @param markers in the order of the text
    /// @param shifts where a line's columns moved
    record Marked(String text, String macros, List<Marker> markers, List<Shift> shifts) {}

    /// Text put into a line.
    ///
    /// @param line 1-based
    /// @param column 1-based column of the first character that moved
    /// @param by characters
    record Shift(int line, int column, int by) {}

    private PragmaMarkers(String text, int firstNumber, Set<Integer> dropped) {
        this.text = text;
        this.firstNumber = firstNumber;
        this.dropped = dropped;
        code = SourceCode.blank(text);
        out = new StringBuilder(text);
    }

    /// Puts calls in.
    ///
    /// @param text of one file
    /// @param firstNumber of the first directive
    /// @param dropped numbers of directives that get no call
    /// @param expanded what functions' parameters are once macros are expanded, by name
    static Marked mark(String text, int firstNumber, Set<Integer> dropped, Map<String, String> expanded) {
        var m = new PragmaMarkers(text, firstNumber, dropped);
        m.lines();
        m.operators();
        m.sizes(expanded);
        return new Marked(m.out.toString(), m.macros.toString(), m.markers, m.shifts);
    }

    private void lines() {
        int depth = 0;
        int line = 1;
        char before = ';';
        String word = "";
        int at = 0;
        while (at < code.length()) {
            int end = lineEnd(at);
            String c = code.substring(at, end);
            if (c.stripLeading().startsWith("#")) {
                int last = end;
                while (last < code.length() && continued(last)) {
                    last = lineEnd(last + 1);
                }
                if (c.strip().matches("#\\s*pragma\\b.*")) {
                    boolean bare = before == ')' || word.equals("else") || word.equals("do");
                    pragma(at, last, line, depth, bare);
                } else if (LINE_MARK.matcher(c).matches()) {
                    replace(at, last, "");
                }
                line += (int) text.substring(at, Math.min(last + 1, text.length()))
                        .chars()
                        .filter(x -> x == '\n')
                        .count();
                at = last + 1;
                continue;
            }
            for (int i = 0; i < c.length(); i++) {
                char x = c.charAt(i);
                depth += x == '{' ? 1 : x == '}' ? -1 : 0;
                if (!Character.isWhitespace(x)) {
                    boolean part = Character.isJavaIdentifierPart(x);
                    boolean joined = part && i > 0 && Character.isJavaIdentifierPart(c.charAt(i - 1));
                    word = !part ? "" : joined ? word + x : String.valueOf(x);
                    before = x;
                }
            }
            line++;
            at = end + 1;
        }
    }

    private int lineEnd(int from) {
        int end = code.indexOf('\n', from);
        return end < 0 ? code.length() : end;
    }

    private boolean continued(int lineEnd) {
        int last = lineEnd - 1;
        if (last >= 0 && text.charAt(last) == '\r') {
            last--;
        }
        return last >= 0 && text.charAt(last) == '\\';
    }

    private void pragma(int from, int to, int line, int depth, boolean bare) {
        // Comments are blank in the code, strings are not wanted blank.
        String raw = SourceCode.withoutComments(text.substring(from, to))
                .replaceAll("\\\\\\r?\\n", " ")
                .replaceFirst("(?s)^\\s*#\\s*pragma\\s*", "")
                .strip();
        Optional<PragmaText> pragma = PragmaText.of(raw);
        if (pragma.isEmpty()) {
            return;
        }
        int number = firstNumber + markers.size();
        boolean called = depth > 0 && !dropped.contains(number);
        String call = pragma.get().each().stream().map(p -> call(number, p)).collect(Collectors.joining(","));
        String put = !called ? "" : bare ? "if(" + call + ",0){}else" : ";" + call + ";";
        replace(from, to, put);
        int start = from + text.substring(from, to).indexOf('#');
        markers.add(new Marker(number, pragma.get(), raw, start, line, true, called));
    }

    private static String call(int number, PragmaText pragma) {
        var call = new StringBuilder("__kn_pragma(").append(number).append(',');
        call.append(
                pragma.variable().map(v -> "(const volatile void*)&(" + v + ")").orElse("0"));
        for (String key : pragma.numbers()) {
            call.append(",(long)(").append(pragma.options().get(key)).append(')');
        }
        call.append(')');
        pragma.order().ifPresent(o -> call.append(',').append(o));
        return call.toString();
    }

    /// Puts a line in place of a region whose further lines become empty. The text may grow or shrink inside the line.
    private void replace(int from, int to, String put) {
        int at = from + out.length() - text.length();
        var lines = new StringBuilder(put);
        text.substring(from, to).chars().filter(x -> x == '\n').forEach(_ -> lines.append('\n'));
        out.replace(at, at + to - from, lines.toString());
    }

    /// `_Pragma("HLS ...")`, also through macros that pass their argument on. The call is a macro as long as what it
    /// stands
    /// for, so that columns stay.
    private void operators() {
        String now = out.toString();
        var lines = new SourceText("", now);
        var original = new SourceText("", text);
        var uses = new ArrayList<Use>();
        Matcher m = OPERATOR.matcher(now);
        while (m.find()) {
            uses.add(
                    new Use(m.start(), m.end(), m.group(1).replace("\\\"", "\"").replace("\\\\", "\\")));
        }
        var names = new ArrayList<String>();
        Matcher definition = PASSING.matcher(now);
        while (definition.find()) {
            if (definition.group(3) == null || names.contains(definition.group(3))) {
                names.add(definition.group(1));
            }
        }
        for (String name : names) {
            Matcher use = Pattern.compile("\\b" + name + "\\s*\\(((?:[^()\\n]|\\([^()\\n]*\\))*)\\)")
                    .matcher(now);
            while (use.find()) {
                uses.add(new Use(use.start(), use.end(), use.group(1)));
            }
        }
        for (Made made : made(now, names)) {
            Matcher use = Pattern.compile("\\b" + made.name()
                            + (made.parameters().isEmpty() ? "\\b()" : "\\s*\\(((?:[^()\\n]|\\([^()\\n]*\\))*)\\)"))
                    .matcher(now);
            while (use.find()) {
                uses.add(new Use(use.start(), use.end(), made.text(use.group(1))));
            }
        }
        for (Use use : uses) {
            int lineStart = now.lastIndexOf('\n', use.from()) + 1;
            String line = now.substring(lineStart, use.from());
            Optional<PragmaText> pragma = PragmaText.of(use.text());
            if (pragma.isEmpty() || line.strip().startsWith("#")) {
                continue;
            }
            int number = firstNumber + markers.size();
            String macro = "KN" + number;
            boolean called = !dropped.contains(number) && macro.length() <= use.to() - use.from();
            macros.append("#define ")
                    .append(macro)
                    .append(' ')
                    .append(";")
                    .append(call(number, pragma.get()))
                    .append(";\n");
            String put = (called ? macro : "") + " ".repeat(use.to() - use.from() - (called ? macro.length() : 0));
            out.replace(use.from(), use.to(), put);
            int row = lines.line(use.from());
            int offset = original.offset(row, 1) + use.from() - lineStart;
            markers.add(new Marker(number, pragma.get(), use.text().strip(), offset, row, false, called));
        }
    }

    /// A macro whose whole text is one directive.
    ///
    /// @param parameters names, none of a macro without
    /// @param text of the directive, with the parameters in it
    private record Made(String name, List<String> parameters, String text) {
        String text(String arguments) {
            String[] given = arguments.split(",");
            String done = text;
            for (int i = 0; i < Math.min(given.length, parameters.size()); i++) {
                done = done.replaceAll(
                        "\\b" + Pattern.quote(parameters.get(i)) + "\\b", Matcher.quoteReplacement(given[i].strip()));
            }
            return done;
        }
    }

    /// Macros that make a directive by `_Pragma` or by one of the macros that pass their argument on.
    private static List<Made> made(String now, List<String> passing) {
        var found = new ArrayList<Made>();
        Matcher definition = DEFINITION.matcher(now);
        while (definition.find()) {
            String body = definition.group(3).strip();
            Matcher direct = OPERATOR.matcher(body);
            String text = "";
            if (direct.matches()) {
                text = direct.group(1).replace("\\\"", "\"").replace("\\\\", "\\");
            } else {
                for (String p : passing) {
                    if (body.startsWith(p + "(") && body.endsWith(")")) {
                        text = body.substring(p.length() + 1, body.length() - 1);
                    }
                }
            }
            List<String> parameters = definition.group(2) == null
                    ? List.of()
                    : java.util.Arrays.stream(definition.group(2).split(","))
                            .map(String::strip)
                            .filter(s -> !s.isEmpty())
                            .toList();
            boolean passes = passing.contains(definition.group(1));
            if (!text.isEmpty() && !passes && PragmaText.of(text).isPresent()) {
                found.add(new Made(definition.group(1), parameters, text));
            }
        }
        return found;
    }

    /// Tells the first sizes of array parameters, which the compiler forgets: a call at the start of the body.
    private void sizes(Map<String, String> expanded) {
        String now = SourceCode.blank(out.toString());
        var lines = new SourceText("", now);
        var original = new SourceText("", text);
        var puts = new java.util.TreeMap<Integer, String>(java.util.Comparator.reverseOrder());
        Matcher head = FUNCTION.matcher(now);
        while (head.find()) {
            int open = head.end() - 1;
            int close = SourceCode.closing(now, open);
            if (close < 0 || STATEMENTS.contains(head.group(1))) {
                continue;
            }
            Matcher body = BODY.matcher(now).region(close + 1, now.length());
            if (!body.lookingAt()) {
                continue;
            }
            var put = new StringBuilder();
            String macros = expanded.get(head.group(1));
            Matcher sized =
                    macros != null && MACRO.matcher(now).region(open + 1, close).find()
                            ? SIZED.matcher(macros)
                            : SIZED.matcher(now).region(open + 1, close);
            int row = lines.line(body.end());
            int place = original.offset(row, 1);
            while (sized.find()) {
                if (!sized.group(3).isBlank()) {
                    put.append(size(sized.group(2), "(long)(" + sized.group(3) + ")", place, row));
                }
            }
            for (String parameter : parts(now.substring(open + 1, close))) {
                Matcher named = NAMED.matcher(parameter);
                if (named.matches() && !SCALAR.matcher(named.group(1)).matches()) {
                    put.append(size(named.group(2), "KN_FIRST(" + named.group(1) + ")", place, row));
                }
            }
            if (!put.isEmpty()) {
                puts.put(body.end(), put.toString());
                shifts.add(new Shift(row, body.end() - lines.offset(row, 1) + 1, put.length()));
            }
        }
        puts.forEach((at, put) -> out.insert((int) at, put));
    }

    /// The call that tells a size, empty where the compiler did not understand it.
    private String size(String parameter, String size, int offset, int row) {
        int number = firstNumber + markers.size();
        boolean called = !dropped.contains(number);
        markers.add(new Marker(number, PragmaText.SIZE, "", offset, row, false, called));
        return called
                ? "__kn_pragma(-1,(kn_place)&(" + parameter + ")," + size + ");__kn_dim(KN_AT(" + parameter + "),"
                        + size + ");"
                : "";
    }

    /// Parameters of a list, commas in brackets left aside.
    private static List<String> parts(String list) {
        var parts = new ArrayList<String>();
        int depth = 0;
        int from = 0;
        for (int i = 0; i < list.length(); i++) {
            char c = list.charAt(i);
            depth += "(<[".indexOf(c) >= 0 ? 1 : ")>]".indexOf(c) >= 0 ? -1 : 0;
            if (c == ',' && depth == 0) {
                parts.add(list.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(list.substring(from));
        return parts;
    }

    /// Names of functions whose parameters are made by macros.
    static Set<String> withMacros(String text) {
        var found = new java.util.HashSet<String>();
        heads(SourceCode.blank(text)).forEach((name, parameters) -> {
            if (MACRO.matcher(parameters).find()) {
                found.add(name);
            }
        });
        return found;
    }

    /// Parameters of the functions that are defined in a text, by name.
    static Map<String, String> heads(String code) {
        var found = new java.util.HashMap<String, String>();
        Matcher head = FUNCTION.matcher(code);
        while (head.find()) {
            int open = head.end() - 1;
            int close = STATEMENTS.contains(head.group(1)) ? -1 : SourceCode.closing(code, open);
            if (close > 0 && BODY.matcher(code).region(close + 1, code.length()).lookingAt()) {
                found.put(head.group(1), code.substring(open + 1, close));
            }
        }
        return found;
    }

    private record Use(int from, int to, String text) {}
}
