package knobscape.hls.export;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Function;
import knobscape.hls.source.HandBody;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Location;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Multiplication;
import knobscape.hls.source.Pragma;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.TripCount;

/// Places of loops, arrays and pragmas in a short text, found by its punctuation alone: enough to try the
/// writers on layouts without a parser. Understood: functions at the outermost level, loops, `type name[n]`
/// declarations, `x = a * b;` and `x += a * b;` statements of scalars.
final class SourceSketch {
    private static final Pattern FUNCTION = Pattern.compile("(\\w+)\\s*\\(([^(){};]*)\\)\\s*\\{");
    private static final Pattern LOOP = Pattern.compile("(?:\\b(\\w+)\\s*:\\s*)?\\b(for|while|do)\\b");
    private static final Pattern ARRAY = Pattern.compile("\\b(?:int|float)\\s+(\\w+)((?:\\[\\d+\\])+)");
    private static final Pattern PRODUCT = Pattern.compile("\\b(\\w+) (\\+?)= \\w+ \\* \\w+;");
    private static final Pattern PRAGMA = Pattern.compile("#pragma HLS (\\w+)([^/\\r\\n]*)");

    private final String file;
    private final String text;
    private final EditableSource source;

    private SourceSketch(String file, String text) {
        this.file = file;
        this.text = text;
        this.source = new EditableSource(text);
    }

    /// The kernel whose top is the last function of `text`.
    static Kernel of(String text) {
        return of("k.cpp", text);
    }

    static Kernel of(String file, String text) {
        return new SourceSketch(file, text).kernel();
    }

    private Kernel kernel() {
        var functions = new ArrayList<Function>();
        var pragmas = new ArrayList<Pragma>();
        Matcher m = FUNCTION.matcher(text);
        int from = 0;
        while (m.find(from)) {
            int end = closingBrace(m.end()).orElseThrow();
            String name = m.group(1);
            var arrays = new ArrayList<ArrayVariable>();
            arrays(name, m.start(2), m.end(2), ArrayVariable.Scope.PARAMETER, arrays);
            arrays(name, m.end(), end, ArrayVariable.Scope.LOCAL, arrays);
            var body = body(name, m.end(), end, Optional.empty(), 0);
            functions.add(new Function(
                    name, arrays, Map.of(), body, List.of(), List.of(), at(m.start(1)), at(m.end()), false));
            pragmas(name, m.end(), end, functions.getLast().allLoops(), pragmas);
            from = end;
        }
        return new Kernel(
                file,
                text,
                functions.getLast().name(),
                true,
                functions,
                List.of(),
                List.of(),
                pragmas,
                List.of(),
                Map.of(file, text));
    }

    private Location at(int offset) {
        int line =
                (int) text.substring(0, offset).chars().filter(c -> c == '\n').count() + 1;
        return new Location(file, line, offset - source.lineStart(offset) + 1, offset, 0);
    }

    private void arrays(String function, int from, int to, ArrayVariable.Scope scope, List<ArrayVariable> found) {
        Matcher m = ARRAY.matcher(text).region(from, to);
        while (m.find()) {
            var dims = new ArrayList<Long>();
            for (String d : m.group(2).substring(1).split("[\\[\\]]+")) {
                dims.add(Long.valueOf(d));
            }
            found.add(new ArrayVariable(
                    function + "/" + m.group(1), m.group(1), function, scope, ScalarType.INT, dims, at(m.start(1))));
        }
    }

    private BodyFacts body(String function, int from, int to, Optional<String> parent, int depth) {
        var found = new HandBody();
        int i = from;
        while (i < to) {
            Matcher loop = LOOP.matcher(text).region(i, to);
            Matcher product = PRODUCT.matcher(text).region(i, to);
            boolean hasLoop = loop.find();
            boolean hasProduct = product.find();
            if (hasProduct && (!hasLoop || product.start() < loop.start())) {
                found.add(product(product), List.of());
                i = product.end();
            } else if (hasLoop && source.hasWordAt(loop.start(2), loop.group(2))) {
                Loop l = loop(function, loop, parent, depth);
                found.add(l);
                // the `while` of a `do` is no loop of its own
                i = loop.group(2).equals("do")
                        ? source.afterStatement(l.bodyEnd().offset() + (l.braced() ? 1 : 0))
                                .orElseThrow()
                        : l.bodyEnd().offset();
            } else {
                i = hasLoop ? loop.end() : to;
            }
        }
        return found.facts();
    }

    /// A product that is the whole value has the variable's name.
    private Multiplication product(Matcher m) {
        return new Multiplication(
                ScalarType.INT, m.group(2).isEmpty() ? Optional.of(m.group(1)) : Optional.empty(), at(m.start()));
    }

    private Loop loop(String function, Matcher m, Optional<String> parent, int depth) {
        int keyword = m.start(2);
        int head = m.group(2).equals("do") ? m.end(2) : closing(text.indexOf('(', keyword)) + 1;
        int start = source.nextCode(head).orElseThrow();
        boolean braced = text.charAt(start) == '{';
        boolean labelled = m.group(1) != null;
        String label = labelled ? m.group(1) : "L" + at(keyword).line();
        String id = function + "/" + label;
        int bodyStart = braced ? start + 1 : start;
        int end = braced ? closingBrace(bodyStart).orElseThrow() : statementEnd(start);
        return new Loop(
                new Loop.Name(id, label, labelled),
                new Loop.Nest(function, parent, depth),
                new Loop.Counter("", Optional.empty(), 0),
                TripCount.unknown(),
                body(function, bodyStart, end, Optional.of(id), depth + 1),
                new Loop.Text(at(keyword), at(bodyStart), at(end), at(labelled ? m.start(1) : keyword), braced),
                false,
                List.of());
    }

    private int closing(int open) {
        int depth = 0;
        for (int i = open; ; i++) {
            depth += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
    }

    private int statementEnd(int start) {
        Matcher m = LOOP.matcher(text).region(start, text.length());
        if (m.lookingAt()) {
            int head = closing(text.indexOf('(', m.end())) + 1;
            int body = source.nextCode(head).orElseThrow();
            return text.charAt(body) == '{' ? closingBrace(body + 1).orElseThrow() + 1 : statementEnd(body);
        }
        return source.afterStatement(start).orElseThrow();
    }

    private void pragmas(String function, int from, int to, List<Loop> loops, List<Pragma> found) {
        Matcher m = PRAGMA.matcher(text).region(from, to);
        while (m.find()) {
            var options = new LinkedHashMap<String, String>();
            for (String word : m.group(2).strip().split("\\s+")) {
                int eq = word.indexOf('=');
                options.put(eq < 0 ? word : word.substring(0, eq), eq < 0 ? "" : word.substring(eq + 1));
            }
            Optional<String> loop = loops.stream()
                    .filter(l -> source.nextCode(l.keyword().offset()).orElseThrow() < m.start()
                            && m.start() < l.bodyEnd().offset())
                    .reduce((a, b) -> b)
                    .map(Loop::id);
            found.add(new Pragma(
                    m.group(1),
                    options,
                    loop,
                    function,
                    at(m.start()),
                    true,
                    m.group().substring("#pragma ".length())));
        }
    }

    /// The closing brace that matches the opening one right before `afterOpen`.
    private OptionalInt closingBrace(int afterOpen) {
        int depth = 1;
        for (int i = afterOpen; i < text.length(); i++) {
            if (source.hasCodeAt(i, '{')) {
                depth++;
            } else if (source.hasCodeAt(i, '}') && --depth == 0) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }
}
