package knobscape.app.ui.hls.space;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.designs.Sizes;
import knobscape.app.ui.hls.source.SourceElement;
import knobscape.app.ui.hls.source.SourceViewModel;
import knobscape.app.ui.hls.space.KnobTree.Branch;
import knobscape.app.ui.hls.space.KnobTree.KnobLine;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.LatestTask;
import knobscape.hls.source.Loop;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.DirectiveSpace.PruningStep;

/// The knobs of the open kernel. The subject selected is the one selected in the source.
public final class SpaceViewModel {

    /// The selected subject.
    ///
    /// @param branch its facts and knobs
    /// @param facts a line each
    /// @param steps parts of pruning that decide over its knobs
    public record Details(Branch branch, List<String> facts, List<PruningStep> steps) {}

    private final SourceViewModel source;
    private final LatestTask<Optional<KnobTree>> building;
    private final ReadOnlyObjectWrapper<Optional<KnobTree>> tree = new ReadOnlyObjectWrapper<>(Optional.empty());
    private BiConsumer<String, String> toggle = (knob, value) -> {};
    private BiConsumer<String, String> add = (knob, values) -> {};
    private final ReadOnlyObjectWrapper<Optional<Details>> details = new ReadOnlyObjectWrapper<>(Optional.empty());

    /// @param background where the tree is built
    /// @param source holds the selection
    public SpaceViewModel(Background background, SourceViewModel source) {
        this.source = source;
        this.building = new LatestTask<>(
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
        building.submit(() -> Optional.of(KnobTree.of(base, edited)));
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

    /// Sets what happens when a person types values for a knob; first the knob's name, then the text.
    public void onAdd(BiConsumer<String, String> action) {
        add = action;
    }

    /// Adds values as typed to a knob.
    public void add(String knob, String values) {
        add.accept(knob, values);
    }

    /// Shows nothing.
    public void close() {
        building.submit(Optional::empty);
    }

    /// The space.
    public ReadOnlyObjectProperty<Optional<KnobTree>> tree() {
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
    public void select(SourceElement subject) {
        source.selected().set(Optional.of(subject));
    }

    private void refresh() {
        details.set(source.selected()
                .get()
                .flatMap(s -> tree.get().flatMap(t -> find(t.branches(), s).map(b -> describe(t, b)))));
    }

    private static Optional<Branch> find(List<Branch> branches, SourceElement subject) {
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

    private Details describe(KnobTree t, Branch branch) {
        List<String> names = branch.knobs().stream().map(KnobLine::name).toList();
        List<PruningStep> steps = t.steps().stream()
                .filter(s -> s.knobs().stream().anyMatch(names::contains))
                .toList();
        var facts = new ArrayList<String>();
        facts.add(branch.detail());
        source.kernel().ifPresent(k -> {
            if (branch.subject().kind() == SourceElement.Kind.LOOP) {
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

    /// How large the space is, in words.
    public ObservableValue<String> size() {
        return tree().map(tree -> tree.map(t -> t.knobCount() + (t.knobCount() == 1 ? " knob, " : " knobs, ")
                        + Sizes.words(t.pruned())
                        + " designs after pruning ("
                        + Sizes.share(t.pruned(), t.full()) + " of " + Sizes.words(t.full())
                        + ")")
                .orElse(""));
    }
}
