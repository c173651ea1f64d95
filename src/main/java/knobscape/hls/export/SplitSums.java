package knobscape.hls.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import knobscape.hls.export.SourceRewrites.Rewrite;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.source.ScalarType;

/// Accumulations of floating-point numbers in several sums, which a pipelined loop then adds to in turn.
final class SplitSums {
    private static final int[] SUMS = {2, 4, 8};
    /// Most characters of a body that is written out several times.
    private static final int LONGEST_BODY = 2_000;
    private static final Pattern SUM = Pattern.compile(
            "(?<=[;{}\\s]|^)([A-Za-z_]\\w*((?:\\s*\\[[^\\]]*\\])*))\\s*(?:\\+=|=\\s*(\\1)\\s*\\+(?![+=]))([^;?<>&|^=]*);");

    private final WrittenLoops loops;
    private final Kernel kernel;
    private final String text;
    private final EditableSource source;
    private final String code;

    SplitSums(WrittenLoops loops) {
        this.loops = loops;
        this.kernel = loops.kernel();
        this.text = loops.text();
        this.source = loops.source();
        this.code = loops.code();
    }

    /// The innermost loop `l` with its one accumulation in several sums.
    List<Rewrite> of(Loop l) {
        OptionalInt end = loops.headEnd(l);
        if (!l.children().isEmpty() || end.isEmpty()) {
            return List.of();
        }
        int from = l.bodyStart().offset();
        int to = l.bodyEnd().offset();
        String body = code.substring(from, to);
        String k = Pattern.quote(l.variable());
        boolean isPlain = loops.counting(l, end.getAsInt()).isPresent()
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
                && !WrittenLoops.hasWord(rest, name)
                && !WrittenLoops.hasWord(sum.group(2), l.variable())
                && words(sum.group(2)).stream().noneMatch(w -> WrittenLoops.hasWord(rest, w) && isAssigned(body, w))
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
        var out = new StringBuilder(loops.labelled(0, l.statementStart().offset()));
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
                .append(loops.labelled(l.bodyEnd().offset() + (l.braced() ? 1 : 0), text.length()))
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
}
