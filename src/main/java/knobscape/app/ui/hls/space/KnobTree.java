package knobscape.app.ui.hls.space;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.hls.source.SourceElement;
import knobscape.app.ui.hls.source.SourceWords;
import knobscape.app.ui.task.ScreenThread;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.source.SourceNote;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.DirectiveSpace.PruningStep;
import knobscape.hls.space.KnobNames;
import knobscape.space.Knob;

/// The knobs of a whole space as a tree.
///
/// @param branches functions, the top first
/// @param full configurations before pruning
/// @param pruned configurations after
/// @param steps effect of each part of pruning
/// @param knobCount number of knobs
/// @param facts about the whole space, a line each
public record KnobTree(
        List<Branch> branches,
        BigInteger full,
        BigInteger pruned,
        List<PruningStep> steps,
        int knobCount,
        List<String> facts) {
    private static final int MOST_FACTS = 6;

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
    public record Branch(
            SourceElement subject, String title, String detail, List<KnobLine> knobs, List<Branch> inside) {
        /// Knobs of this branch and everything inside it.
        public int knobCount() {
            return knobs.size() + inside.stream().mapToInt(Branch::knobCount).sum();
        }
    }

    static KnobTree of(DirectiveSpace space, DirectiveSpace edited) {
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
                    new SourceElement(SourceElement.Kind.FUNCTION, f.name()),
                    f.name(),
                    f.name().equals(kernel.top()) ? "top function" : "function",
                    byPlace.getOrDefault(f.name(), List.of()),
                    inside));
        }
        kernel.globals().forEach(a -> branches.add(branch(a, byPlace)));
        return new KnobTree(
                List.copyOf(branches),
                edited.space().fullSize(),
                edited.space().size(),
                edited.pruning(),
                knobs.size(),
                facts(kernel));
    }

    /// How the source was read: why this top function, what it does not reach, where headers were found.
    private static List<String> facts(Kernel kernel) {
        return kernel.notes().stream()
                .filter(n -> n.severity() == SourceNote.Severity.INFO)
                .map(n -> Character.toUpperCase(n.message().charAt(0))
                        + n.message().substring(1) + ".")
                .distinct()
                .limit(MOST_FACTS)
                .toList();
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
                new SourceElement(SourceElement.Kind.ARRAY, a.id()),
                a.name(),
                SourceWords.dimensions(a) + " of " + a.element().spelling() + ", "
                        + a.element().bits() + " bit",
                byPlace.getOrDefault(a.id(), List.of()),
                List.of());
    }

    private static Branch branch(Loop l, Map<String, List<KnobLine>> byPlace) {
        return new Branch(
                new SourceElement(SourceElement.Kind.LOOP, l.id()),
                l.label(),
                SourceWords.trip(l.trip()),
                byPlace.getOrDefault(l.id(), List.of()),
                l.children().stream().map(c -> branch(c, byPlace)).toList());
    }
}
