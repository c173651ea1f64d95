package knobscape.app.ui.hls.space;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.hls.source.SourceViewModel;
import knobscape.app.ui.hls.source.Subject;
import knobscape.app.ui.hls.source.Words;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.Latest;
import knobscape.app.ui.task.ScreenThread;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.DirectiveSpace.PruningStep;
import knobscape.hls.space.KnobNames;
import knobscape.space.Knob;

/// The knobs of the open kernel. The subject selected is the one selected in the source.
public final class SpaceViewModel {

    /// A knob with its values.
    ///
    /// @param name full name
    /// @param word kind of knob (`unroll`, `partition [1]`)
    /// @param values all values in order, also those taken out by hand
    /// @param baseline the value without directives
    /// @param out values taken out by hand
    /// @param fixed values that follow from another knob and cannot be taken out (factor 1 of an array that is
    /// not split)
    public record KnobLine(
            String name, String word, List<String> values, String baseline, Set<String> out, Set<String> fixed) {
        /// The values explored.
        public List<String> explored() {
            return values.stream().filter(v -> !out.contains(v)).toList();
        }
    }

    /// A function, loop or array with its knobs and what stands inside it.
    ///
    /// @param subject what it is
    /// @param title its name
    /// @param detail trip count, dimensions
    /// @param knobs its own
    /// @param inside loops and arrays inside it
    public record Branch(Subject subject, String title, String detail, List<KnobLine> knobs, List<Branch> inside) {
        /// Knobs of this branch and everything inside it.
        public int knobCount() {
            return knobs.size() + inside.stream().mapToInt(Branch::knobCount).sum();
        }
    }

    /// The whole space.
    ///
    /// @param branches functions, the top first
    /// @param full configurations before pruning
    /// @param pruned configurations after
    /// @param steps effect of each part of pruning
    /// @param knobCount number of knobs
    /// @param measured whether these are designs measured earlier, which were chosen, not pruned
    /// @param facts about the whole space, a line each
    public record Tree(
            List<Branch> branches,
            BigInteger full,
            BigInteger pruned,
            List<PruningStep> steps,
            int knobCount,
            boolean measured,
            List<String> facts) {}

    /// The selected subject.
    ///
    /// @param branch its facts and knobs
    /// @param facts a line each
    /// @param steps parts of pruning that decide over its knobs
    public record Details(Branch branch, List<String> facts, List<PruningStep> steps) {}

    private final SourceViewModel source;
    private final Latest<Optional<Tree>> building;
    private final ReadOnlyObjectWrapper<Optional<Tree>> tree = new ReadOnlyObjectWrapper<>(Optional.empty());
    private BiConsumer<String, String> toggle = (knob, value) -> {};
    private final ReadOnlyObjectWrapper<Optional<Details>> details = new ReadOnlyObjectWrapper<>(Optional.empty());

    /// @param background where the tree is built
    /// @param source holds the selection
    public SpaceViewModel(Background background, SourceViewModel source) {
        this.source = source;
        this.building = new Latest<>(
                background,
                t -> {
                    tree.set(t);
                    refresh();
                },
                e -> {
                    throw new IllegalStateException("building the tree of knobs failed", e);
                });
        source.selected().addListener((o, was, is) -> refresh());
    }

    /// Shows a space.
    ///
    /// @param base the space with all values
    /// @param edited the space without the values taken out by hand; `base` itself where none were
    public void open(DirectiveSpace base, DirectiveSpace edited) {
        building.submit(() -> Optional.of(build(base, edited)));
    }

    /// Shows the space of measured designs.
    public void open(ReplaySet set) {
        building.submit(() -> Optional.of(MeasuredTree.of(set)));
    }

    /// Sets what happens when a person takes a value out of a knob or puts it back; first the knob's name, then
    /// the value.
    public void onToggle(BiConsumer<String, String> action) {
        toggle = action;
    }

    /// Takes a value out of a knob, or puts it back.
    public void toggle(String knob, String value) {
        toggle.accept(knob, value);
    }

    /// Shows nothing.
    public void close() {
        building.submit(Optional::empty);
    }

    /// The space.
    public ReadOnlyObjectProperty<Optional<Tree>> tree() {
        return tree.getReadOnlyProperty();
    }

    /// The selected subject.
    public ReadOnlyObjectProperty<Optional<Details>> details() {
        return details.getReadOnlyProperty();
    }

    /// Holds the selection.
    public SourceViewModel source() {
        return source;
    }

    /// Selects a subject here and in the source.
    public void select(Subject subject) {
        source.selected().set(Optional.of(subject));
    }

    private void refresh() {
        details.set(source.selected()
                .get()
                .flatMap(s -> tree.get().flatMap(t -> find(t.branches(), s).map(b -> describe(t, b)))));
    }

    private static Optional<Branch> find(List<Branch> branches, Subject subject) {
        for (Branch b : branches) {
            if (b.subject().equals(subject)) {
                return Optional.of(b);
            }
            Optional<Branch> below = find(b.inside(), subject);
            if (below.isPresent()) {
                return below;
            }
        }
        return Optional.empty();
    }

    private Details describe(Tree t, Branch branch) {
        List<String> names = branch.knobs().stream().map(KnobLine::name).toList();
        List<PruningStep> steps = t.steps().stream()
                .filter(s -> s.knobs().stream().anyMatch(names::contains))
                .toList();
        var facts = new ArrayList<String>();
        facts.add(branch.detail());
        source.kernel().ifPresent(k -> {
            if (branch.subject().kind() == Subject.Kind.LOOP) {
                k.loop(branch.subject().id()).ifPresent(l -> facts.addAll(loopFacts(l)));
            }
        });
        return new Details(branch, facts.stream().filter(f -> !f.isBlank()).toList(), steps);
    }

    private static List<String> loopFacts(Loop l) {
        var facts = new ArrayList<String>();
        if (!l.labelled()) {
            facts.add("No label in the source; export inserts " + l.label() + ".");
        }
        if (l.earlyExit()) {
            facts.add("May end early (break, return or goto).");
        }
        l.dependences()
                .forEach(d -> facts.add("Carries "
                        + d.variable().substring(d.variable().lastIndexOf('/') + 1) + " from one iteration to "
                        + d.distance()
                                .map(x -> x == 1 ? "the next" : "the one " + x + " later")
                                .orElse("a later one") + (d.proven() ? "." : ", as far as can be told.")));
        return facts;
    }

    static Tree build(DirectiveSpace space, DirectiveSpace edited) {
        ScreenThread.mustNotBe("building the tree of knobs");
        Kernel kernel = space.kernel();
        Map<String, List<KnobLine>> byPlace = new LinkedHashMap<>();
        List<Knob> knobs = space.space().knobs().list();
        for (int k = 0; k < knobs.size(); k++) {
            String name = knobs.get(k).name();
            int at = name.indexOf('@');
            String place = at < 0 ? "" : name.substring(at + 1);
            int hash = place.indexOf('#');
            String dimension = hash < 0 ? "" : " [" + place.substring(hash + 1) + "]";
            byPlace.computeIfAbsent(hash < 0 ? place : place.substring(0, hash), p -> new ArrayList<>())
                    .add(new KnobLine(
                            name,
                            KnobLabels.word(at < 0 ? name : name.substring(0, at)) + dimension,
                            knobs.get(k).domain().labels(),
                            space.baseline().value(k),
                            missing(knobs.get(k), edited),
                            fixed(space, name, hash < 0 ? place : place.substring(0, hash))));
        }
        var branches = new ArrayList<Branch>();
        for (Function f : kernel.functions().reversed()) {
            var inside = new ArrayList<Branch>();
            f.arrays().forEach(a -> inside.add(branch(a, byPlace)));
            f.loops().forEach(l -> inside.add(branch(l, byPlace)));
            branches.add(new Branch(
                    new Subject(Subject.Kind.FUNCTION, f.name()),
                    f.name(),
                    f.name().equals(kernel.top()) ? "top function" : "function",
                    byPlace.getOrDefault(f.name(), List.of()),
                    inside));
        }
        kernel.globals().forEach(a -> branches.add(branch(a, byPlace)));
        return new Tree(
                List.copyOf(branches),
                edited.space().fullSize(),
                edited.space().size(),
                edited.pruning(),
                knobs.size(),
                false,
                List.of());
    }

    private static Set<String> missing(Knob knob, DirectiveSpace edited) {
        var out = new TreeSet<>(knob.domain().labels());
        edited.space()
                .knobs()
                .indexOf(knob.name())
                .ifPresent(i ->
                        out.removeAll(edited.space().knobs().get(i).domain().labels()));
        return Set.copyOf(out);
    }

    /// Factor 1 belongs to the type `none`, the dimension's size to `complete`; they go with those.
    private static Set<String> fixed(DirectiveSpace space, String name, String array) {
        int hash = name.indexOf('#');
        int dimension = hash < 0 ? 0 : Integer.parseInt(name.substring(hash + 1));
        if (hash < 0 || !name.equals(KnobNames.partitionFactor(array, dimension))) {
            return Set.of();
        }
        return space.kernel()
                .array(array)
                .filter(a -> a.dims().size() >= dimension)
                .map(a -> Set.of("1", Long.toString(Math.max(2, a.dims().get(dimension - 1)))))
                .orElse(Set.of("1"));
    }

    private static Branch branch(ArrayVariable a, Map<String, List<KnobLine>> byPlace) {
        return new Branch(
                new Subject(Subject.Kind.ARRAY, a.id()),
                a.name(),
                Words.dimensions(a) + " of " + a.element().spelling() + ", "
                        + a.element().bits() + " bit",
                byPlace.getOrDefault(a.id(), List.of()),
                List.of());
    }

    private static Branch branch(Loop l, Map<String, List<KnobLine>> byPlace) {
        return new Branch(
                new Subject(Subject.Kind.LOOP, l.id()),
                l.label(),
                Words.trip(l.trip()),
                byPlace.getOrDefault(l.id(), List.of()),
                l.children().stream().map(c -> branch(c, byPlace)).toList());
    }
}
