package knobscape.hls.export;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import knobscape.hls.source.Access;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.source.ScalarType;

/// Rewrites of a kernel's main file that its dependences allow: two loops of a perfect nest interchanged, and an
/// accumulation split into partial sums, which a pipelined loop then adds to in turn. Loops keep their names, as
/// labels. What is proven here is that no dependence is turned around; sums of floating-point numbers come out in
/// another order. Whether a text computes the same is for a run to show.
public final class SourceRewrites {
    private static final int[] SUMS = {2, 4, 8};
    /// Most characters of a body that is written out several times.
    private static final int LONGEST_BODY = 2_000;
    private static final Pattern SUM = Pattern.compile(
            "(?<=[;{}\\s]|^)([A-Za-z_]\\w*((?:\\s*\\[[^\\]]*\\])*))\\s*(?:\\+=|=\\s*(\\1)\\s*\\+(?![+=]))([^;?<>&|^=]*);");
    private static final Pattern FOR = Pattern.compile("for\\s*\\(([^;]*);([^;]*);([^;]*)\\)\\s*\\{?\\s*");

    private final Kernel kernel;
    private final String text;
    private final EditableSource source;
    private final String code;

    /// Another text for the main file.
    ///
    /// @param name what was done, in words without `;` and `=`
    /// @param text the whole file
    public record Rewrite(String name, String text) {}

    private SourceRewrites(Kernel kernel) {
        this.kernel = kernel;
        this.text = kernel.text();
        this.source = new EditableSource(text);
        this.code = source.code();
    }

    /// All of a kernel, in the order of its loops.
    public static List<Rewrite> of(Kernel kernel) {
        var rewrites = new SourceRewrites(kernel);
        var found = new ArrayList<Rewrite>();
        for (Loop l : kernel.loops()) {
            if (rewrites.isWritten(l)) {
                rewrites.interchanged(l).ifPresent(found::add);
                found.addAll(rewrites.sums(l));
            }
        }
        return List.copyOf(found);
    }

    /// True if the loop stands in the main file as it is read: no macro, no template made it.
    private boolean isWritten(Loop l) {
        return l.keyword().file().equals(kernel.file())
                && l.editable()
                && !l.function().contains("<")
                && source.hasWordAt(l.keyword().offset(), "for")
                && kernel.loops().stream()
                                .filter(o -> o.keyword().equals(l.keyword()))
                                .count()
                        == 1
                && !l.variable().isEmpty()
                && l.trip().isExact()
                && !l.earlyExit();
    }

    /// One past the bracket that closes a loop's head.
    private OptionalInt headEnd(Loop l) {
        int depth = 0;
        for (int i = code.indexOf('(', l.keyword().offset()); i >= 0 && i < code.length(); i++) {
            depth += code.charAt(i) == '(' ? 1 : code.charAt(i) == ')' ? -1 : 0;
            if (depth == 0) {
                return OptionalInt.of(i + 1);
            }
        }
        return OptionalInt.empty();
    }

    /// Text with a label for every loop that has none: its generated name is of its line, which moves.
    private String labelled(int from, int to) {
        var out = new StringBuilder(text.substring(from, to));
        kernel.loops().stream()
                .filter(l -> !l.labelled()
                        && l.editable()
                        && l.keyword().file().equals(kernel.file())
                        && l.statementStart().offset() >= from
                        && l.statementStart().offset() < to
                        && l.statementStart().equals(l.keyword()))
                .collect(Collectors.toMap(l -> l.statementStart().offset(), Loop::label, (a, _) -> a, TreeMap::new))
                .descendingMap()
                .forEach((at, label) -> out.insert(at - from, label + ": "));
        return out.toString();
    }

    /// A loop's head with its name as a label.
    private String head(Loop l, int end) {
        return l.label() + ": " + text.substring(l.keyword().offset(), end);
    }

    private Optional<Rewrite> interchanged(Loop outer) {
        if (!outer.body().isOneLoop()) {
            return Optional.empty();
        }
        Loop inner = outer.children().getFirst();
        OptionalInt outerEnd = headEnd(outer);
        OptionalInt innerEnd = headEnd(inner);
        if (!isWritten(inner) || outerEnd.isEmpty() || innerEnd.isEmpty() || !mayTurn(outer, inner)) {
            return Optional.empty();
        }
        int between = inner.statementStart().offset();
        if (between < outerEnd.getAsInt()
                || text.substring(outerEnd.getAsInt(), between).indexOf('#') >= 0
                || hasWord(code.substring(inner.keyword().offset(), innerEnd.getAsInt()), outer.variable())
                || hasWord(code.substring(outer.keyword().offset(), outerEnd.getAsInt()), inner.variable())) {
            return Optional.empty();
        }
        return Optional.of(new Rewrite(
                outer.label() + " inside " + inner.label(),
                labelled(0, outer.statementStart().offset())
                        + head(inner, innerEnd.getAsInt())
                        + text.substring(outerEnd.getAsInt(), between)
                        + head(outer, outerEnd.getAsInt())
                        + labelled(innerEnd.getAsInt(), text.length())));
    }

    /// True if no dependence is turned around where two loops change places. It is so where every array that is
    /// written has one index all over the nest, and one dimension of it follows one of the two loops and no other
    /// loop of the nest: that loop carries no dependence, and the order of the other one stays.
    private static boolean mayTurn(Loop outer, Loop inner) {
        boolean scalars = outer.nest().stream()
                .filter(l -> l.id().equals(outer.id()) || l.id().equals(inner.id()))
                .flatMap(l -> l.dependences().stream())
                .anyMatch(d -> !d.array());
        boolean calls = outer.body().nest().stream().anyMatch(b -> !b.calls().isEmpty());
        List<Access> all = outer.body().allAccesses().toList();
        // A queue has an order of its own.
        boolean queues = all.stream().anyMatch(a -> a.index().isEmpty());
        if (scalars || calls || queues) {
            return false;
        }
        Set<String> nest = outer.nest().stream().map(Loop::id).collect(Collectors.toSet());
        Set<String> written = all.stream()
                .filter(a -> a.kind() != Access.Kind.READ)
                .map(Access::array)
                .collect(Collectors.toSet());
        return written.stream().allMatch(array -> {
            List<List<IndexForm>> forms = all.stream()
                    .filter(a -> a.array().equals(array))
                    .map(Access::index)
                    .distinct()
                    .toList();
            return forms.size() == 1
                    && forms.getFirst().stream()
                            .anyMatch(f -> f instanceof IndexForm.Affine a
                                    && (follows(a, outer.id(), nest) || follows(a, inner.id(), nest)));
        });
    }

    private static boolean follows(IndexForm.Affine index, String loop, Set<String> nest) {
        return index.divisor() == 1
                && index.coefficients().entrySet().stream()
                        .filter(c -> c.getValue() != 0 && nest.contains(c.getKey()))
                        .allMatch(c -> c.getKey().equals(loop))
                && index.coefficient(loop) != 0;
    }

    private static boolean hasWord(String code, String word) {
        return Pattern.compile("\\b" + Pattern.quote(word) + "\\b")
                .matcher(code)
                .find();
    }

    /// The innermost loop `l` with its one accumulation in several sums.
    private List<Rewrite> sums(Loop l) {
        OptionalInt end = headEnd(l);
        if (!l.children().isEmpty() || end.isEmpty() || l.step() != 1) {
            return List.of();
        }
        int from = l.bodyStart().offset();
        int to = l.bodyEnd().offset();
        String body = code.substring(from, to);
        Matcher head = FOR.matcher(code.substring(l.keyword().offset(), end.getAsInt()));
        String k = Pattern.quote(l.variable());
        boolean isPlain = head.matches()
                && head.group(3)
                        .strip()
                        .replace(" ", "")
                        .matches(k + "\\+\\+|\\+\\+" + k + "|" + k + "\\+=1|" + k + "=" + k + "\\+1")
                && to - from <= LONGEST_BODY
                && !Pattern.compile("\\b" + k + "\\s*([-+*/%&|^]?=[^=]|\\+\\+|--)|(\\+\\+|--)\\s*" + k + "\\b")
                        .matcher(body)
                        .find()
                && !Pattern.compile("\\b(static|continue|goto|switch|case)\\b|\\w\\s*:[^:]")
                        .matcher(body)
                        .find();
        if (!isPlain || l.body().calls().stream().anyMatch(c -> !c.arrays().isEmpty())) {
            return List.of();
        }
        Matcher sum = SUM.matcher(body);
        if (!sum.find()) {
            return List.of();
        }
        String target = sum.group(1);
        var places = new ArrayList<Integer>(List.of(from + sum.start(1)));
        if (sum.start(3) >= 0) {
            places.add(from + sum.start(3));
        }
        String name = target.replaceAll("[^\\w].*", "");
        String type = type(l, name);
        String rest = body.substring(0, sum.start()) + " " + sum.group(4) + " " + body.substring(sum.end());
        // An index of the sum that moves within the loop is no sum.
        boolean isSum = !type.isEmpty()
                && !hasWord(rest, name)
                && !hasWord(sum.group(2), l.variable())
                && words(sum.group(2)).stream().noneMatch(w -> hasWord(rest, w) && isAssigned(body, w))
                && !Pattern.compile("\\+=").matcher(rest).find();
        if (!isSum || code.contains(name + "_part")) {
            return List.of();
        }
        var found = new ArrayList<Rewrite>();
        long trip = l.trip().max().orElse(0);
        for (int n : SUMS) {
            if (trip % n == 0 && trip >= 2L * n) {
                found.add(new Rewrite(
                        l.label() + " in " + n + " sums",
                        split(l, new Parts(name, target, type, places), n, end.getAsInt())));
            }
        }
        return found;
    }

    /// An accumulation.
    ///
    /// @param name of the variable
    /// @param target with its index
    /// @param type as it is written
    /// @param places where the target stands
    private record Parts(String name, String target, String type, List<Integer> places) {
        String part(int i) {
            return name + "_part" + i;
        }
    }

    private String split(Loop l, Parts sum, int n, int headEnd) {
        String newline = source.newline(l.keyword().offset());
        String indent = source.indentation(l.keyword().offset());
        var out = new StringBuilder(labelled(0, l.statementStart().offset()));
        out.append('{').append(newline);
        for (int i = 1; i < n; i++) {
            out.append(indent)
                    .append(sum.type())
                    .append(' ')
                    .append(sum.part(i))
                    .append(" = 0;")
                    .append(newline);
        }
        String head = text.substring(l.keyword().offset(), headEnd);
        int increment = code.substring(l.keyword().offset(), headEnd).lastIndexOf(';') + 1;
        out.append(indent)
                .append(l.label())
                .append(": ")
                .append(head, 0, increment)
                .append(' ')
                .append(l.variable())
                .append(" += ")
                .append(n)
                .append(") {")
                .append(newline);
        for (int i = 0; i < n; i++) {
            out.append(indent)
                    .append("    {")
                    .append(copy(l, sum, i))
                    .append('}')
                    .append(newline);
        }
        out.append(indent).append('}').append(newline);
        for (int i = 1; i < n; i++) {
            out.append(indent)
                    .append(sum.target())
                    .append(" += ")
                    .append(sum.part(i))
                    .append(';')
                    .append(newline);
        }
        return out.append(indent)
                .append('}')
                .append(labelled(l.bodyEnd().offset() + (l.braced() ? 1 : 0), text.length()))
                .toString();
    }

    /// The body for iteration `i` of a round.
    private String copy(Loop l, Parts sum, int i) {
        int from = l.bodyStart().offset();
        int to = l.bodyEnd().offset();
        if (i == 0) {
            return text.substring(from, to);
        }
        var out = new StringBuilder();
        Matcher word =
                Pattern.compile("\\b" + Pattern.quote(l.variable()) + "\\b").matcher(code);
        int at = from;
        while (at < to) {
            if (sum.places().contains(at)) {
                out.append(sum.part(i));
                at += sum.target().length();
            } else if (source.isDirectiveAt(at)) {
                // Said once, in the first copy.
                at = Math.max(at + 1, source.directiveEnd(at));
            } else if (source.hasWordAt(at, l.variable())
                    && word.region(at, to).lookingAt()
                    && !Character.isJavaIdentifierPart(code.charAt(at - 1))) {
                out.append('(').append(l.variable()).append(" + ").append(i).append(')');
                at += l.variable().length();
            } else {
                out.append(text.charAt(at++));
            }
        }
        return out.toString();
    }

    private static Set<String> words(String index) {
        return Pattern.compile("[A-Za-z_]\\w*")
                .matcher(index)
                .results()
                .map(m -> m.group())
                .collect(Collectors.toSet());
    }

    private static boolean isAssigned(String body, String word) {
        return Pattern.compile("\\b" + Pattern.quote(word) + "\\b\\s*([-+*/%&|^]?=[^=]|\\+\\+|--)")
                .matcher(body)
                .find();
    }

    /// The type of a sum as it is written; empty where it cannot be told, and of integers: these are added in a cycle.
    private String type(Loop l, String name) {
        Optional<ScalarType> array = kernel.arrays().stream()
                .filter(a -> a.name().equals(name)
                        && (a.function().equals(l.function()) || a.function().isEmpty()))
                .map(a -> a.element())
                .findFirst();
        String type = array.map(ScalarType::spelling).orElse("");
        if (array.isEmpty()) {
            int from = kernel.function(l.function()).orElseThrow().bodyStart().offset();
            Matcher declared = Pattern.compile("[;{}]\\s*([A-Za-z_]\\w*)\\s+" + Pattern.quote(name) + "\\s*[=;]")
                    .matcher(code);
            declared.region(Math.max(0, from - 1), l.keyword().offset());
            while (declared.find()) {
                type = declared.group(1);
                declared.region(declared.end() - 1, l.keyword().offset());
            }
        }
        String spelled = type;
        boolean isWhole = Set.of("int", "char", "short", "long", "unsigned", "return", "else")
                        .contains(spelled)
                || kernel.arrays().stream()
                        .map(a -> a.element())
                        .anyMatch(e -> e.spelling().equals(spelled)
                                && (e.kind() == ScalarType.Kind.INTEGER || e.kind() == ScalarType.Kind.BOOL));
        return isWhole || array.filter(e -> !isReal(e)).isPresent() ? "" : type.replace("const ", "");
    }

    private static boolean isReal(ScalarType t) {
        return t.kind() == ScalarType.Kind.FLOAT
                || t.kind() == ScalarType.Kind.DOUBLE
                || t.kind() == ScalarType.Kind.HALF;
    }

    /// How a rewritten file differs, as a unified diff of one hunk with three lines around it.
    public static String diff(Path file, String before, String after) {
        List<String> a = before.lines().toList();
        List<String> b = after.lines().toList();
        int same = 0;
        while (same < Math.min(a.size(), b.size()) && a.get(same).equals(b.get(same))) {
            same++;
        }
        int tail = 0;
        while (tail < Math.min(a.size(), b.size()) - same
                && a.get(a.size() - 1 - tail).equals(b.get(b.size() - 1 - tail))) {
            tail++;
        }
        int from = Math.max(0, same - 3);
        int more = Math.min(3, tail);
        var out = new StringBuilder();
        out.append("--- a/").append(file.getFileName()).append("\n+++ b/").append(file.getFileName());
        out.append(String.format(
                        "%n@@ -%d,%d +%d,%d @@%n",
                        from + 1, a.size() - tail + more - from, from + 1, b.size() - tail + more - from)
                .replace("\r", ""));
        a.subList(from, same).forEach(s -> out.append(' ').append(s).append('\n'));
        a.subList(same, a.size() - tail).forEach(s -> out.append('-').append(s).append('\n'));
        b.subList(same, b.size() - tail).forEach(s -> out.append('+').append(s).append('\n'));
        a.subList(a.size() - tail, a.size() - tail + more)
                .forEach(s -> out.append(' ').append(s).append('\n'));
        return out.toString();
    }
}
