package knobscape.hls.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import knobscape.hls.export.SourceRewrites.Rewrite;
import knobscape.hls.source.Access;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.ScalarType;

/// Arrays behind an AXI master port copied to local ones, in bursts: into them as the top function begins, and back
/// where it ends for those that are written. Each alone, and all together. An array argument in on-chip memory gains
/// nothing by a copy.
final class LocalCopies {
    /// Most elements of a copy.
    private static final long LARGEST = 1 << 16;
    private static final Set<ScalarType.Kind> PLAIN = Set.of(
            ScalarType.Kind.BOOL,
            ScalarType.Kind.INTEGER,
            ScalarType.Kind.FIXED,
            ScalarType.Kind.HALF,
            ScalarType.Kind.FLOAT,
            ScalarType.Kind.DOUBLE);

    private final WrittenLoops loops;
    private final Kernel kernel;
    private final int from;
    private final int to;

    /// @param to the brace that closes the top function
    private LocalCopies(WrittenLoops loops, int to) {
        this.loops = loops;
        this.kernel = loops.kernel();
        this.from = kernel.topFunction().bodyStart().offset();
        this.to = to;
    }

    static List<Rewrite> of(WrittenLoops loops) {
        Kernel kernel = loops.kernel();
        Function top = kernel.topFunction();
        int from = top.bodyStart().offset();
        if (!top.location().file().equals(kernel.file())
                || top.name().contains("<")
                || !loops.source().hasCodeAt(from - 1, '{')) {
            return List.of();
        }
        int to = closing(loops.code(), from);
        // What returns early would not copy back.
        if (to < 0 || WrittenLoops.hasWord(loops.code().substring(from, to), "return")) {
            return List.of();
        }
        var copies = new LocalCopies(loops, to);
        List<ArrayVariable> arrays =
                top.arrays().stream().filter(copies::mayBeCopied).toList();
        var found = new ArrayList<Rewrite>();
        arrays.forEach(a -> found.add(new Rewrite("local copy of " + a.name(), copies.copied(List.of(a)))));
        if (arrays.size() > 1) {
            found.add(new Rewrite(
                    "local copies of "
                            + arrays.stream().map(ArrayVariable::name).collect(Collectors.joining(" and ")),
                    copies.copied(arrays)));
        }
        return found;
    }

    private static int closing(String code, int from) {
        int depth = 1;
        for (int i = from; i < code.length(); i++) {
            depth += code.charAt(i) == '{' ? 1 : code.charAt(i) == '}' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return -1;
    }

    /// True if every place where the array stands is an element of it or an argument of a call, and no pragma but its
    /// port's names it.
    private boolean mayBeCopied(ArrayVariable a) {
        String body = loops.code().substring(from, to);
        String name = Pattern.quote(a.name());
        boolean isOurs = a.scope() == ArrayVariable.Scope.PARAMETER
                && kernel.masterPort(a).isPresent()
                && a.elements() > 0
                && a.elements() <= LARGEST
                && PLAIN.contains(a.element().kind());
        return isOurs
                && Pattern.compile("\\b" + name + "\\b(?!\\s*[\\[,)])|(?:&|\\.|->)\\s*" + name + "\\b|sizeof[\\s(]*"
                                + name + "\\b")
                        .matcher(body)
                        .results()
                        .findAny()
                        .isEmpty()
                && !Pattern.compile("\\b" + name + "_(local|in|out)\\b|\\b" + name + "_\\d")
                        .matcher(loops.code())
                        .find()
                // A variable of that name in a block of its own.
                && !Pattern.compile("[;{}(]\\s*(?:[A-Za-z_]\\w*[\\s*&]+)+" + name + "\\b")
                        .matcher("{" + body)
                        .find()
                && kernel.pragmas().stream()
                        .noneMatch(p -> p.function().equals(kernel.top())
                                && a.name().equals(p.options().get("variable")));
    }

    private String copied(List<ArrayVariable> arrays) {
        String newline = loops.source().newline(from);
        String indent = loops.source().indentation(loops.source().nextCode(from).orElse(from));
        var out = new StringBuilder(loops.labelled(0, from)).append(newline);
        arrays.forEach(a -> out.append(indent)
                .append(type(a))
                .append(' ')
                .append(local(a))
                .append(a.dims().stream().map(d -> "[" + d + "]").collect(Collectors.joining()))
                .append(';')
                .append(newline)
                .append(copy(a, true, indent, newline)));
        // Pragmas keep the argument's name.
        String body = renamed(arrays).stripTrailing();
        out.append(body.startsWith(newline) ? body.substring(newline.length()) : body)
                .append(newline);
        arrays.stream().filter(this::isWritten).forEach(a -> out.append(copy(a, false, indent, newline)));
        return out.append(loops.source().indentation(to))
                .append(loops.labelled(to, loops.text().length()))
                .toString();
    }

    private boolean isWritten(ArrayVariable a) {
        return !a.element().spelling().startsWith("const ")
                && (kernel.topFunction()
                                .body()
                                .allAccesses()
                                .anyMatch(x -> x.array().equals(a.id()) && x.kind() != Access.Kind.READ)
                        || kernel.topFunction().body().nest().stream()
                                .flatMap(b -> b.calls().stream())
                                .anyMatch(c -> c.arrays().contains(a.id())));
    }

    private static String type(ArrayVariable a) {
        return a.element().spelling().replaceAll("\\b(const|volatile)\\b", "").strip();
    }

    private static String local(ArrayVariable a) {
        return a.name() + "_local";
    }

    /// Loops that copy all elements, in the order of the memory.
    private static String copy(ArrayVariable a, boolean in, String indent, String newline) {
        var out = new StringBuilder();
        var index = new StringBuilder();
        int depth = a.dims().size();
        for (int d = 0; d < depth; d++) {
            String i = a.name() + "_" + d;
            index.append('[').append(i).append(']');
            out.append(indent).append("    ".repeat(d)).append(a.name()).append(in ? "_in" : "_out");
            out.append(depth == 1 ? "" : "_" + d)
                    .append(": for (int ")
                    .append(i)
                    .append(" = 0; ");
            out.append(i)
                    .append(" < ")
                    .append(a.dims().get(d))
                    .append("; ")
                    .append(i)
                    .append("++) {");
            out.append(newline);
        }
        String outside = a.name() + index;
        String inside = local(a) + index;
        out.append(indent).append("    ".repeat(depth));
        out.append(in ? inside + " = " + outside : outside + " = " + inside)
                .append(';')
                .append(newline);
        for (int d = depth - 1; d >= 0; d--) {
            out.append(indent).append("    ".repeat(d)).append('}').append(newline);
        }
        return out.toString();
    }

    /// The body with the copies in the place of the arrays, its loops labelled.
    private String renamed(List<ArrayVariable> arrays) {
        String names = arrays.stream().map(a -> Pattern.quote(a.name())).collect(Collectors.joining("|"));
        Matcher word = Pattern.compile("\\b(" + names + ")\\b").matcher(loops.code());
        word.region(from, to);
        var out = new StringBuilder();
        int at = from;
        while (word.find()) {
            out.append(loops.labelled(at, word.end())).append("_local");
            at = word.end();
        }
        return out.append(loops.labelled(at, to)).toString();
    }
}
