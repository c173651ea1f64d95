package knobscape.hls.export;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Location;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Pragma;
import knobscape.hls.source.SourceNote;
import knobscape.hls.space.PragmaKnobs;

/// Changes the files of one kernel: adds labels and pragmas, takes out pragmas that gave way. Every other
/// character stays.
///
/// Where a body has no braces it gets some, and a pragma or comment that stands between the loop's head and its
/// body comes to stand inside. What a macro made is left and reported.
final class Annotator {
    private static final String[] KEYWORDS = {"for", "while", "do"};

    /// The text between the end of the statement before and a variable that a step of a block assigns: a
    /// label, a type.
    private static final Pattern STEP = Pattern.compile("(?!.*\\b(?:else|do)\\b)[\\w\\s:<>,*&]*", Pattern.DOTALL);

    private final Kernel kernel;
    private final Map<String, EditableSource> texts = new LinkedHashMap<>();
    private final Map<String, SourceEdits> edits = new LinkedHashMap<>();
    private final List<SourceNote> notes = new ArrayList<>();
    private final List<String> insertedLabels = new ArrayList<>();
    private final TemplateInstances twins;

    Annotator(Kernel kernel) {
        this.kernel = kernel;
        this.twins = new TemplateInstances(kernel);
        kernel.sources().forEach((file, text) -> {
            texts.put(file, new EditableSource(text));
            edits.put(file, new SourceEdits());
        });
    }

    void note(SourceNote note) {
        if (!notes.contains(note)) {
            notes.add(note);
        }
    }

    private void warn(Location place, String message) {
        note(new SourceNote(SourceNote.Severity.WARNING, place, message));
    }

    AnnotatedSource result() {
        var changed = new LinkedHashMap<String, String>();
        texts.forEach((file, text) -> {
            if (!requireNonNull(edits.get(file)).isEmpty()) {
                changed.put(file, edits.get(file).apply(text.text()));
            }
        });
        return new AnnotatedSource(changed, insertedLabels, notes);
    }

    /// Labels those of the loops that have none.
    void label(List<Loop> loops) {
        for (Loop loop : loops) {
            if (loop.labelled()) {
                continue;
            }
            if (!isWritten(loop)) {
                warn(
                        loop.keyword(),
                        "the loop is made by a macro and cannot be given the label " + loop.label() + "; write it out");
                continue;
            }
            if (twins.first(loop.function())) {
                requireNonNull(edits.get(loop.keyword().file()))
                        .insert(loop.keyword().offset(), loop.label() + ": ", 0);
            }
            insertedLabels.add(loop.id());
        }
    }

    /// True if the loop's keyword stands in the text, so that it is not hidden in a macro.
    private boolean isWritten(Loop loop) {
        EditableSource text = texts.get(loop.keyword().file());
        if (text == null) {
            return false;
        }
        for (String keyword : KEYWORDS) {
            if (text.hasWordAt(loop.keyword().offset(), keyword)) {
                return true;
            }
        }
        return false;
    }

    /// The spellings that one text can say: of the instances of a template the first decides.
    List<Spelling> sayable(List<Spelling> spellings) {
        twins.disagreements(spellings).forEach(this::warn);
        return spellings.stream().filter(s -> twins.first(s.function())).toList();
    }

    /// Takes out the pragmas whose knobs were decided, and writes the spellings, in the place of a former
    /// pragma where there is one.
    ///
    /// @param spellings of [#sayable]
    void annotate(List<Spelling> spellings, Predicate<String> controlled) {
        var waiting = new ArrayList<>(spellings);
        var pragmaKnobs = new PragmaKnobs(kernel);
        Map<Location, Set<Integer>> givingWay = pragmaKnobs.givingWay(controlled);
        var byText = new LinkedHashMap<String, List<Pragma>>();
        kernel.pragmas()
                .forEach(p -> byText.computeIfAbsent(p.location() + " " + p.raw(), l -> new ArrayList<>())
                        .add(p));
        for (List<Pragma> instances : byText.values()) {
            Pragma pragma = instances.getFirst();
            List<String> knobs = instances.stream()
                    .flatMap(p -> pragmaKnobs.of(p).stream())
                    .distinct()
                    .toList();
            if (knobs.isEmpty() || knobs.stream().noneMatch(controlled)) {
                continue;
            }
            EditableSource text = texts.get(pragma.location().file());
            if (!pragma.editable()
                    || text == null
                    || !text.isDirectiveAt(pragma.location().offset())) {
                warn(
                        pragma.location(),
                        "the pragma '" + pragma.raw().strip()
                                + "' is made by a macro and stays; the design may say otherwise");
                continue;
            }
            List<Spelling> instead = waiting.stream()
                    .filter(s -> s.knobs().stream().anyMatch(knobs::contains) && canReplace(pragma, s))
                    .toList();
            waiting.removeAll(instead);
            var lines = new ArrayList<>(instead.stream().map(Spelling::pragma).toList());
            lines.addAll(left(pragma, givingWay.getOrDefault(pragma.location(), Set.of())));
            replace(pragma, text, lines);
        }
        var byPlace = new LinkedHashMap<Spelling.Place, List<String>>();
        waiting.forEach(
                s -> byPlace.computeIfAbsent(s.place(), p -> new ArrayList<>()).add(s.pragma()));
        byPlace.entrySet().stream()
                .sorted(Comparator.comparingInt(e -> depth(e.getKey())))
                .forEach(e -> write(e.getKey(), e.getValue()));
    }

    /// A pragma about a parameter cannot be replaced in its place by one about the array passed to it.
    private static boolean canReplace(Pragma pragma, Spelling spelling) {
        return spelling.variable().isEmpty()
                || (spelling.function().equals(pragma.function())
                        && spelling.variable().get().equals(pragma.options().getOrDefault("variable", "")));
    }

    private int depth(Spelling.Place place) {
        return place instanceof Spelling.Place.InLoop(String id)
                ? -kernel.loop(id).map(Loop::depth).orElse(0)
                : 0;
    }

    /// The rest of a pragma about every dimension (`dim=0`) when the design decides over some of them.
    private static List<String> left(Pragma pragma, Set<Integer> dimensions) {
        return dimensions.stream()
                .map(d -> "#pragma " + pragma.raw().strip().replaceFirst("(?i)\\bdim\\s*=\\s*0\\b", "dim=" + d))
                .toList();
    }

    private void replace(Pragma pragma, EditableSource text, List<String> instead) {
        int start = pragma.location().offset();
        int end = text.directiveEnd(start);
        SourceEdits e = requireNonNull(edits.get(pragma.location().file()));
        if (!instead.isEmpty()) {
            String newline = text.newline(start);
            String indentation = text.indentation(start);
            e.replace(start, end, String.join(newline + indentation, instead));
            return;
        }
        OptionalInt next = text.nextLineIfRestBlank(end);
        boolean alone =
                next.isPresent() && text.text().substring(end, next.getAsInt()).isBlank();
        e.replace(alone ? text.lineStart(start) : start, alone ? next.getAsInt() : end, "");
    }

    private void write(Spelling.Place place, List<String> lines) {
        switch (place) {
            case Spelling.Place.InLoop(String id) -> inLoop(kernel.loop(id).orElseThrow(), lines);
            case Spelling.Place.InFunction(String name) ->
                inFunction(kernel.function(name).orElseThrow(), lines);
            case Spelling.Place.AfterDeclaration(String id) ->
                afterDeclaration(kernel.array(id).orElseThrow(), lines);
            case Spelling.Place.AfterStatement(Location statement) -> afterStatement(statement, lines);
        }
    }

    private void inLoop(Loop loop, List<String> lines) {
        EditableSource text = texts.get(loop.bodyStart().file());
        if (!loop.editable() || text == null || !isWritten(loop)) {
            leftOut(loop.keyword(), lines, "the loop is made by a macro");
            return;
        }
        int start = loop.bodyStart().offset();
        if (loop.braced()) {
            if (!text.hasCodeAt(start - 1, '{')) {
                leftOut(loop.keyword(), lines, "the loop's body is made by a macro");
                return;
            }
            insertLines(
                    loop.bodyStart().file(),
                    start,
                    lines,
                    text.bodyIndentation(loop.keyword().offset(), start));
            return;
        }
        wrap(loop, text, lines);
    }

    /// Gives a body its braces: the opening one right after the loop's head.
    private void wrap(Loop loop, EditableSource text, List<String> lines) {
        int end = loop.bodyEnd().offset();
        OptionalInt head = text.previousCode(loop.bodyStart().offset());
        boolean complete = loop.bodyEnd().file().equals(loop.bodyStart().file())
                && (text.hasCodeAt(end - 1, ';') || text.hasCodeAt(end - 1, '}'));
        if (head.isEmpty()
                || !complete
                || !(text.hasCodeAt(head.getAsInt(), ')') || text.hasWordAt(head.getAsInt() - 1, "do"))) {
            leftOut(loop.keyword(), lines, "the loop's body is made by a macro");
            return;
        }
        String file = loop.bodyStart().file();
        int open = head.getAsInt() + 1;
        String newline = text.newline(open);
        String outer = text.indentation(loop.keyword().offset());
        requireNonNull(edits.get(file)).insert(open, " {", -1);
        insertLines(file, open, lines, text.bodyIndentation(loop.keyword().offset(), open));
        OptionalInt after = text.nextLineIfRestBlank(end);
        if (after.isPresent()) {
            edits.get(file)
                    .insert(
                            after.getAsInt(),
                            (endsLine(text, after.getAsInt()) ? "" : newline) + outer + "}" + newline,
                            -loop.depth() - 1000);
        } else {
            edits.get(file).insert(end, newline + outer + "}", -loop.depth() - 1000);
        }
    }

    private static boolean endsLine(EditableSource text, int offset) {
        return offset == 0
                || text.text().charAt(offset - 1) == '\n'
                || text.text().charAt(offset - 1) == '\r';
    }

    private void inFunction(Function function, List<String> lines) {
        EditableSource text = texts.get(function.bodyStart().file());
        int start = function.bodyStart().offset();
        if (text == null || !text.hasCodeAt(start - 1, '{')) {
            leftOut(function.location(), lines, "the body of " + function.name() + " is made by a macro");
            return;
        }
        insertLines(
                function.bodyStart().file(),
                start,
                lines,
                text.bodyIndentation(function.location().offset(), start));
    }

    private void afterDeclaration(ArrayVariable array, List<String> lines) {
        Location place = array.location();
        EditableSource text = texts.get(place.file());
        OptionalInt end = text == null ? OptionalInt.empty() : text.afterStatement(place.offset());
        if (text == null || end.isEmpty()) {
            leftOut(place, lines, "the declaration of " + array.name() + " is made by a macro");
            return;
        }
        insertLines(place.file(), end.getAsInt(), lines, text.indentation(place.offset()));
    }

    private void afterStatement(Location statement, List<String> lines) {
        EditableSource text = texts.get(statement.file());
        OptionalInt end = text == null ? OptionalInt.empty() : text.afterStatement(statement.offset());
        // The pragma must not become a statement of its own between an unbraced branch and what follows it.
        if (text == null
                || end.isEmpty()
                || !STEP.matcher(text.codeSinceStatement(statement.offset())).matches()) {
            leftOut(statement, lines, "the statement is no step of a block in braces");
            return;
        }
        insertLines(statement.file(), end.getAsInt(), lines, text.indentation(statement.offset()));
    }

    private void leftOut(Location place, List<String> lines, String reason) {
        warn(place, "left out '" + String.join("', '", lines) + "': " + reason);
    }

    /// Puts whole lines after `offset`: on the next line where nothing follows on this one, else by breaking
    /// the line.
    private void insertLines(String file, int offset, List<String> lines, String indentation) {
        EditableSource text = requireNonNull(texts.get(file));
        String newline = text.newline(offset);
        String block = String.join(
                "", lines.stream().map(l -> indentation + l + newline).toList());
        Optional<Integer> next =
                text.nextLineIfRestBlank(offset).stream().boxed().findFirst();
        if (next.isPresent()) {
            requireNonNull(edits.get(file)).insert(next.get(), (endsLine(text, next.get()) ? "" : newline) + block, 0);
        } else {
            requireNonNull(edits.get(file)).insert(offset, newline + block, 0);
        }
    }
}
