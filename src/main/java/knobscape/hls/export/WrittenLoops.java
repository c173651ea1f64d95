package knobscape.hls.export;

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

/// The loops of a kernel's main file as their text stands, for rewrites of it.
final class WrittenLoops {
    private static final Pattern FOR = Pattern.compile("for\\s*\\(([^;]*);([^;]*);([^;]*)\\)\\s*\\{?\\s*");

    private final Kernel kernel;
    private final String text;
    private final EditableSource source;
    private final String code;

    WrittenLoops(Kernel kernel) {
        this.kernel = kernel;
        this.text = kernel.text();
        this.source = new EditableSource(text);
        this.code = source.code();
    }

    Kernel kernel() {
        return kernel;
    }

    /// Of the main file.
    String text() {
        return text;
    }

    EditableSource source() {
        return source;
    }

    /// The text with blanks in the place of all that is no code.
    String code() {
        return code;
    }

    /// True if the loop stands in the main file as it is read: no macro, no template made it.
    boolean isWritten(Loop l) {
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
    OptionalInt headEnd(Loop l) {
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
    String labelled(int from, int to) {
        var out = new StringBuilder(text.substring(from, to));
        kernel.loops().stream()
                .filter(l -> !l.labelled()
                        && l.editable()
                        && l.keyword().file().equals(kernel.file())
                        && l.statementStart().offset() >= from
                        && l.statementStart().offset() < to
                        && l.statementStart().offset() == l.keyword().offset())
                .collect(Collectors.toMap(l -> l.statementStart().offset(), Loop::label, (a, _) -> a, TreeMap::new))
                .descendingMap()
                .forEach((at, label) -> out.insert(at - from, label + ": "));
        return out.toString();
    }

    /// A loop's head with its name as a label.
    String head(Loop l, int end) {
        return l.label() + ": " + text.substring(l.keyword().offset(), end);
    }

    /// The three parts of the head of a loop that counts up by one.
    Optional<Head> counting(Loop l, int end) {
        Matcher head = FOR.matcher(code.substring(l.keyword().offset(), end));
        String k = Pattern.quote(l.variable());
        return l.step() == 1
                        && head.matches()
                        && head.group(3)
                                .strip()
                                .replace(" ", "")
                                .matches(k + "\\+\\+|\\+\\+" + k + "|" + k + "\\+=1|" + k + "=" + k + "\\+1")
                ? Optional.of(new Head(head.group(1).strip(), head.group(2).strip()))
                : Optional.empty();
    }

    /// How a loop begins and how long it goes on, as written.
    record Head(String start, String condition) {}

    /// A loop that is all that another one does, where the two may change places.
    ///
    /// @param outerEnd one past the outer head
    /// @param innerEnd one past the inner head
    /// @param between text from one head to the other
    record Nest(Loop outer, Loop inner, int outerEnd, int innerEnd, String between) {}

    /// The nest of a loop and the one in it, where no dependence is turned around when they change places.
    Optional<Nest> turnable(Loop outer) {
        if (!outer.body().isOneLoop()) {
            return Optional.empty();
        }
        Loop inner = outer.children().getFirst();
        OptionalInt outerEnd = headEnd(outer);
        OptionalInt innerEnd = headEnd(inner);
        int between = inner.statementStart().offset();
        boolean may = isWritten(inner)
                && outerEnd.isPresent()
                && innerEnd.isPresent()
                && mayTurn(outer, inner)
                && between >= outerEnd.getAsInt()
                && text.substring(outerEnd.getAsInt(), between).indexOf('#') < 0
                && !hasWord(code.substring(inner.keyword().offset(), innerEnd.getAsInt()), outer.variable())
                && !hasWord(code.substring(outer.keyword().offset(), outerEnd.getAsInt()), inner.variable());
        return may
                ? Optional.of(new Nest(
                        outer,
                        inner,
                        outerEnd.getAsInt(),
                        innerEnd.getAsInt(),
                        text.substring(outerEnd.getAsInt(), between)))
                : Optional.empty();
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

    static boolean hasWord(String code, String word) {
        return Pattern.compile("\\b" + Pattern.quote(word) + "\\b")
                .matcher(code)
                .find();
    }
}
