package knobscape.app.ui.hls.source;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleObjectProperty;
import knobscape.app.ui.run.LogViewModel.Note;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.LatestTask;
import knobscape.app.ui.task.ScreenThread;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Location;
import knobscape.hls.source.Loop;
import knobscape.hls.source.SourceNote;

/// The source shown, coloured away from the screen, with its marks and the one selected.
public final class SourceViewModel {

    /// A mark beside a line.
    ///
    /// @param line 1-based
    /// @param subject what stands there
    /// @param words for tooltip and screen reader: `loop dot, 64 iterations`
    public record Mark(int line, SourceElement subject, String words) {}

    /// One file ready to show.
    ///
    /// @param name file name
    /// @param text its text
    /// @param tokens what to colour
    /// @param marks by line
    public record Page(String name, String text, List<CppHighlighter.Token> tokens, Map<Integer, List<Mark>> marks) {}

    /// A page with the selected design written into it.
    ///
    /// @param page with its text and tokens as shown
    /// @param lineOf number of the line of the file by paragraph shown, 0 for a pragma of the design
    /// @param edges what stands at the right edge, by line
    public record AnnotatedPage(Page page, int[] lineOf, Map<Integer, SourceOverlay.Edge> edges) {
        /// The paragraph that shows a line, from 0.
        int paragraph(int line) {
            int at = Arrays.stream(lineOf).boxed().toList().indexOf(line);
            return at < 0 ? Math.min(line - 1, lineOf.length - 1) : at;
        }
    }

    private static final int LONGEST_COLOURED = 2_000_000;

    private final LatestTask<List<Page>> preparing;
    private final ReadOnlyObjectWrapper<List<Page>> pages = new ReadOnlyObjectWrapper<>(List.of());
    private final ObjectProperty<Optional<Page>> page = new SimpleObjectProperty<>(Optional.empty());
    private final ObjectProperty<Optional<SourceElement>> selected = new SimpleObjectProperty<>(Optional.empty());
    private final ObjectProperty<SourceOverlay> design = new SimpleObjectProperty<>(SourceOverlay.none());
    private final ReadOnlyObjectWrapper<Optional<AnnotatedPage>> woven = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final LatestTask<Optional<AnnotatedPage>> weaving;
    private Optional<Kernel> kernel = Optional.empty();

    /// @param background where text is coloured
    public SourceViewModel(Background background) {
        this.preparing = new LatestTask<>(background, this::take, e -> {
            throw new IllegalStateException("colouring the source failed", e);
        });
        this.weaving = new LatestTask<>(background, woven::set, e -> {
            throw new IllegalStateException("the design cannot be written into the source", e);
        });
        selected.addListener((o, was, is) -> is.flatMap(this::location).ifPresent(this::turnTo));
        page.addListener((o, was, is) -> weave());
        design.addListener((o, was, is) -> weave());
    }

    /// Shows a kernel.
    public void open(Kernel read) {
        kernel = Optional.of(read);
        selected.set(Optional.empty());
        preparing.submit(() -> prepare(read));
    }

    /// Shows text whose loops and arrays are not known yet.
    public void preview(String file, String text) {
        kernel = Optional.empty();
        selected.set(Optional.empty());
        String shown = text.replace("\r\n", "\n").replace('\r', '\n');
        preparing.submit(() -> List.of(new Page(file, shown, CppHighlighter.tokens(shown), Map.of())));
    }

    /// Shows nothing.
    public void close() {
        kernel = Optional.empty();
        selected.set(Optional.empty());
        preparing.submit(List::of);
    }

    /// The files there are, the main file first.
    public ReadOnlyObjectProperty<List<Page>> pages() {
        return pages.getReadOnlyProperty();
    }

    /// The file shown.
    public ObjectProperty<Optional<Page>> page() {
        return page;
    }

    /// The design that is written into the source.
    public ObjectProperty<SourceOverlay> design() {
        return design;
    }

    /// The file as shown.
    public ReadOnlyObjectProperty<Optional<AnnotatedPage>> woven() {
        return woven.getReadOnlyProperty();
    }

    private void weave() {
        Optional<Page> now = page.get();
        SourceOverlay in = design.get();
        weaving.submit(() -> now.map(p -> weave(p, in)));
    }

    private static AnnotatedPage weave(Page p, SourceOverlay in) {
        Map<Integer, List<String>> pragmas = of(in.pragmas(), p.name());
        String[] lines = p.text().split("\n", -1);
        var lineOf = new ArrayList<Integer>();
        var text = new ArrayList<String>();
        for (int line = 0; line <= lines.length; line++) {
            if (line > 0) {
                text.add(lines[line - 1]);
                lineOf.add(line);
            }
            for (String pragma : pragmas.getOrDefault(line, List.of())) {
                text.add(shortened(pragma));
                lineOf.add(0);
            }
        }
        String shown = String.join("\n", text);
        Page page = pragmas.isEmpty()
                ? p
                : new Page(
                        p.name(),
                        shown,
                        shown.length() > LONGEST_COLOURED ? List.of() : CppHighlighter.tokens(shown),
                        p.marks());
        return new AnnotatedPage(page, lineOf.stream().mapToInt(i -> i).toArray(), of(in.edges(), p.name()));
    }

    /// A pragma with the words left out that a person reads without: `#pragma HLS ARRAY_PARTITION a cyclic 16 dim=2`.
    private static String shortened(String pragma) {
        return "  " + pragma.strip().replaceAll("\\b(variable|type|factor)=", "");
    }

    private static <T> Map<Integer, T> of(Map<String, Map<Integer, T>> byFile, String file) {
        return byFile.entrySet().stream()
                .filter(e -> sameFile(e.getKey(), file))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(Map.of());
    }

    /// The loop, array or function selected.
    public ObjectProperty<Optional<SourceElement>> selected() {
        return selected;
    }

    /// The kernel shown.
    public Optional<Kernel> kernel() {
        return kernel;
    }

    /// Where a subject stands.
    public Optional<Location> location(SourceElement subject) {
        return kernel.flatMap(k -> switch (subject.kind()) {
            case LOOP -> k.loop(subject.id()).map(Loop::keyword);
            case ARRAY -> k.array(subject.id()).map(ArrayVariable::location);
            case FUNCTION -> k.function(subject.id()).map(Function::location);
        });
    }

    /// Lines of a subject on the page shown, `{first, last}`: a loop with its body, else the line it stands on.
    public Optional<int[]> lines(SourceElement subject) {
        Optional<int[]> lines = subject.kind() == SourceElement.Kind.LOOP
                ? kernel.flatMap(k -> k.loop(subject.id())).map(l -> new int[] {
                    l.keyword().line(), Math.max(l.keyword().line(), l.bodyEnd().line())
                })
                : location(subject).map(l -> new int[] {l.line(), l.line()});
        return location(subject)
                .filter(l -> page.get().isPresent()
                        && sameFile(l.file(), page.get().get().name()))
                .flatMap(l -> lines);
    }

    /// Selects what stands on a line; the same line again continues to the next thing there.
    public void selectLine(int line) {
        List<Mark> marks =
                page.get().map(p -> p.marks().getOrDefault(line, List.of())).orElse(List.of());
        if (marks.isEmpty()) {
            return;
        }
        int now = selected.get()
                .map(s -> marks.stream().map(Mark::subject).toList().indexOf(s))
                .orElse(-1);
        selected.set(Optional.of(marks.get((now + 1) % marks.size()).subject()));
    }

    private void take(List<Page> fresh) {
        pages.set(fresh);
        page.set(fresh.stream().findFirst());
    }

    private void turnTo(Location location) {
        pages.get().stream()
                .filter(p -> sameFile(p.name(), location.file()))
                .findFirst()
                .filter(p -> !page.get().equals(Optional.of(p)))
                .ifPresent(p -> page.set(Optional.of(p)));
    }

    private static boolean sameFile(String a, String b) {
        return a.equals(b) || fileName(a).equals(fileName(b));
    }

    static String fileName(String path) {
        return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    }

    private static List<Page> prepare(Kernel k) {
        ScreenThread.mustNotBe("colouring the source");
        List<Mark> marks = marks(k);
        var all = new ArrayList<Page>();
        all.add(page(k.file(), k.text(), marks, k));
        k.sources().entrySet().stream()
                .filter(e -> !sameFile(e.getKey(), k.file()))
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> all.add(page(e.getKey(), e.getValue(), marks, k)));
        return List.copyOf(all);
    }

    private static Page page(String file, String text, List<Mark> marks, Kernel k) {
        var byLine = new TreeMap<Integer, List<Mark>>();
        marks.stream()
                .filter(m -> locationOf(k, m.subject())
                        .filter(l -> sameFile(l.file(), file))
                        .isPresent())
                .sorted(Comparator.comparing((Mark m) -> m.subject().kind())
                        .thenComparing(m -> m.subject().id()))
                .forEach(m ->
                        byLine.computeIfAbsent(m.line(), l -> new ArrayList<>()).add(m));
        String shown = text.replace("\r\n", "\n").replace('\r', '\n');
        return new Page(
                file, shown, shown.length() > LONGEST_COLOURED ? List.of() : CppHighlighter.tokens(shown), byLine);
    }

    private static Optional<Location> locationOf(Kernel k, SourceElement s) {
        return switch (s.kind()) {
            case LOOP -> k.loop(s.id()).map(Loop::keyword);
            case ARRAY -> k.array(s.id()).map(ArrayVariable::location);
            case FUNCTION -> k.function(s.id()).map(Function::location);
        };
    }

    private static List<Mark> marks(Kernel k) {
        var marks = new ArrayList<Mark>();
        k.loops()
                .forEach(l -> marks.add(new Mark(
                        l.keyword().line(),
                        new SourceElement(SourceElement.Kind.LOOP, l.id()),
                        "loop " + l.label() + ", " + SourceWords.trip(l.trip()))));
        k.arrays()
                .forEach(a -> marks.add(new Mark(
                        a.location().line(),
                        new SourceElement(SourceElement.Kind.ARRAY, a.id()),
                        "array " + SourceWords.array(a))));
        return marks;
    }

    /// Notes from reading a kernel and assumptions of its estimate, each with a way to its line.
    public List<Note> notes(HlsWorkbench bench) {
        return Stream.concat(
                        bench.kernel().notes().stream(),
                        bench.kernelWork().estimateNotes().stream()
                                .map(a -> new SourceNote(
                                        SourceNote.Severity.INFO,
                                        bench.kernel().topFunction().location(),
                                        "built-in estimate: " + a)))
                .map(n -> new Note(
                        n.severity() != SourceNote.Severity.INFO,
                        n.location().file() + ":" + n.location().line() + "  " + n.message(),
                        () -> selectLine(n.location().line())))
                .toList();
    }
}
