package knobscape.app.ui.designs;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyIntegerWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import knobscape.app.ui.designs.DesignFilter.Axis;
import knobscape.app.ui.designs.DesignFilter.Range;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.LatestTask;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Goal;
import knobscape.evaluate.Goal.Best;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.explore.Prediction;
import knobscape.project.Design;
import knobscape.space.Configuration;

/// The common state of all views of results: the designs, one filter, one selection, up to five pins. Views listen to
/// [#shown()], which always pairs a set of designs with what the filter lets through of that very set. Used from the
/// JavaFX thread; filtering happens away from it.
public final class Results {
    /// Most designs that can be pinned.
    public static final int MAX_PINS = 5;
    /// The number that means "no design".
    public static final int NOTHING = -1;
    /// The number of the baseline.
    public static final int BASELINE = 0;

    /// A set of designs and what the filter makes of it.
    ///
    /// @param set the designs
    /// @param filter the filter applied
    /// @param matching indexes that pass
    /// @param count how many pass
    public record VisibleDesigns(DesignSet set, DesignFilter filter, BitSet matching, int count) {
        /// True if the design at `index` passes.
        public boolean matches(int index) {
            return matching.get(index);
        }

        /// The words for designs that do not pass.
        public String missed() {
            return filter.ranges().isEmpty() ? "misses the filter" : "misses the goal";
        }
    }

    private static final VisibleDesigns NOTHING_SHOWN =
            new VisibleDesigns(DesignSet.none(), DesignFilter.none(), new BitSet(), 0);

    private final UndoStack undo;
    private final LatestTask<List<Headline>> summing;
    private final OtherEvaluators others;
    private final ReadOnlyObjectWrapper<List<Headline>> headline = new ReadOnlyObjectWrapper<>(List.of());
    private final LatestTask<VisibleDesigns> filtering;
    private final ReadOnlyObjectWrapper<VisibleDesigns> shown = new ReadOnlyObjectWrapper<>(NOTHING_SHOWN);
    private final ReadOnlyObjectWrapper<DesignFilter> filter = new ReadOnlyObjectWrapper<>(DesignFilter.none());
    private final ReadOnlyIntegerWrapper selected = new ReadOnlyIntegerWrapper(NOTHING);
    private final ObservableList<Integer> pins = FXCollections.observableArrayList();
    private final ObservableList<Integer> readOnlyPins = FXCollections.unmodifiableObservableList(pins);
    private final LatestTask<RunMemory> keeping;
    private final BooleanProperty reading = new SimpleBooleanProperty();
    private final Map<Configuration, Prediction> expected = new ConcurrentHashMap<>();
    private final ObjectProperty<Optional<WhatIf>> whatIf = new SimpleObjectProperty<>(Optional.empty());
    private Supplier<Optional<RunMemory>> memories = Optional::empty;
    private Optional<RunMemory> memory = Optional.empty();
    private DesignSet newest = DesignSet.none();
    private Consumer<Runnable> drawn = Runnable::run;
    /// True if somebody selected a design of what is shown.
    private boolean chosen;

    /// @param background where filtering happens
    /// @param undo takes pins and filters back
    public Results(Background background, UndoStack undo) {
        this.undo = undo;
        this.others = new OtherEvaluators(background);
        this.keeping = new LatestTask<>(background, m -> {}, e -> {
            throw new IllegalStateException("keeping the pins failed", e);
        });
        this.filtering = new LatestTask<>(background, shown::set, e -> {
            throw new IllegalStateException("filtering failed", e);
        });
        this.summing = new LatestTask<>(background, headline::set, e -> {
            throw new IllegalStateException("the headline failed", e);
        });
        shown.addListener((o, was, is) -> sumUp());
        filter.addListener((o, was, is) -> sumUp());
    }

    /// Every design is looked at, so it is not done on the screen's thread.
    private void sumUp() {
        DesignSet set = newest;
        DesignFilter f = filter.get();
        DesignNotes notes = notes();
        summing.submit(() -> Headline.of(set, f, best(set, f, notes), this::select));
    }

    /// The figures of other evaluators for a design.
    public OtherEvaluators others() {
        return others;
    }

    /// The few figures of the designs, a moment after they or the filter changed.
    public ReadOnlyObjectProperty<List<Headline>> headline() {
        return headline.getReadOnlyProperty();
    }

    /// Sets what does something when the designs that are about to be shown are drawn.
    public void drawnBy(Consumer<Runnable> view) {
        drawn = view;
    }

    /// Does something when the designs that are about to be shown are drawn; at once where nobody draws.
    public void whenDrawn(Runnable then) {
        drawn.accept(then);
    }

    /// The predictions for the designs that a person had evaluated since the window was opened.
    public Map<Configuration, Prediction> expected() {
        return expected;
    }

    /// The designs with what the filter lets through.
    public ReadOnlyObjectProperty<VisibleDesigns> shown() {
        return shown.getReadOnlyProperty();
    }

    /// The designs as last filtered.
    public DesignSet set() {
        return shown.get().set();
    }

    /// Takes a newer state of the same run. Until somebody selects a design, the selected one is the best so far.
    public void update(DesignSet set) {
        newest = set;
        if (!chosen) {
            selected.set(outstanding().orElse(NOTHING));
        }
        refilter();
    }

    /// The design in view where nobody has selected anything: the best under the goal, else the knee of the front,
    /// else the baseline.
    private Optional<Integer> outstanding() {
        return Optional.of(filter.get())
                .filter(f -> f.best().isPresent() || !f.ranges().isEmpty())
                .flatMap(f -> best())
                .or(() -> knee(newest))
                .or(() -> newest.baseline().map(b -> BASELINE));
    }

    /// Shows another run, or none, with the pins, the filter and the selection that its memory holds. Where none
    /// was selected, it is the best under the goal, else the knee of the front.
    public void open(DesignSet set) {
        // A goal set for one run of a space is meant for the others too, also for one that has no design yet.
        DesignFilter kept = set.knobs().equals(newest.knobs()) ? filter.get() : DesignFilter.none();
        newest = set;
        whatIf.set(Optional.empty());
        memory = memories.get();
        DesignFilter own = memory.map(RunMemory::filter).orElse(DesignFilter.none());
        filter.set(own.isNone() ? kept : own);
        if (own.isNone() && !kept.isNone()) {
            keep(m -> m.keepFilter(kept));
        }
        pins.setAll(memory.map(RunMemory::pins).orElse(List.of()).stream()
                .filter(n -> set.byNumber(n).isPresent())
                .distinct()
                .limit(MAX_PINS)
                .toList());
        Optional<Integer> remembered =
                memory.flatMap(RunMemory::selected).filter(n -> set.byNumber(n).isPresent());
        chosen = remembered.isPresent();
        selected.set(remembered.or(this::outstanding).orElse(NOTHING));
        refilter();
    }

    /// Sets where what a person does with the run shown is kept; asked whenever a run is opened.
    public void remember(Supplier<Optional<RunMemory>> place) {
        memories = place;
    }

    /// Words for an empty place: `words`, unless a project or its runs are still being read.
    public String nothing(String words) {
        return reading.get() ? "Reading the runs" : words;
    }

    /// True if a project or its runs are being read, so that nothing can be said of them yet.
    public BooleanProperty reading() {
        return reading;
    }

    /// The member of the front nearest to the best of every objective, each on a scale from its best to its worst
    /// on the front (logarithms where all are positive).
    private static Optional<Integer> knee(DesignSet set) {
        int[] front = IntStream.range(0, set.size())
                .filter(i -> set.standing(i) == DesignStanding.FRONT)
                .toArray();
        double[] distance = new double[front.length];
        for (Metric m : set.objectives()) {
            double[] v = IntStream.of(front)
                    .mapToDouble(i -> set.shownOrNaN(i, m.name()))
                    .toArray();
            double[] scaled = DoubleStream.of(v).allMatch(x -> x > 0)
                    ? DoubleStream.of(v).map(Math::log).toArray()
                    : v;
            var range = DoubleStream.of(scaled).summaryStatistics();
            boolean largest = m.direction() == Metric.Direction.MAXIMISE;
            for (int i = 0; i < front.length && range.getMax() > range.getMin(); i++) {
                double worse = largest ? range.getMax() - scaled[i] : scaled[i] - range.getMin();
                distance[i] += Math.pow(worse / (range.getMax() - range.getMin()), 2);
            }
        }
        return IntStream.range(0, front.length)
                .boxed()
                .min(Comparator.comparingDouble(i -> distance[i]))
                .map(i -> front[i] + 1);
    }

    /// A person's note on a design, empty where there is none.
    public String note(int number) {
        return memory.map(m -> m.note(number)).orElse("");
    }

    /// A person's notes on the designs shown.
    public DesignNotes notes() {
        return memory.map(RunMemory::notes).orElse(DesignNotes.none());
    }

    /// Takes what a person writes about a design of the run shown now.
    public Consumer<String> noteKeeper(int number) {
        Optional<RunMemory> now = memory;
        return words -> {
            keep(now, m -> m.keepNote(number, words));
            if (!filter.get().text().isBlank()) {
                refilter();
            }
        };
    }

    private void keep(Consumer<RunMemory> change) {
        keep(memory, change);
    }

    private void keep(Optional<RunMemory> where, Consumer<RunMemory> change) {
        where.ifPresent(m -> {
            change.accept(m);
            keeping.submit(() -> {
                m.file().save();
                return m;
            });
        });
    }

    /// Adds what a goal says to the filter (`lut<20k delay min`; a number without a unit is in the unit shown)
    /// and selects the design that is best under it. Words that are no goal are searched for as before. Gives
    /// what is wrong, in a sentence.
    public Optional<String> setGoal(String text) {
        DesignSet set = newest;
        List<Metric> metrics = set.info().map(EvaluatorInfo::metrics).orElse(List.of());
        Goal goal;
        try {
            goal = Goal.parse(text, metrics, m -> quantity(set, m).divisor());
        } catch (UserError e) {
            return Optional.of(e.getMessage());
        }
        DesignFilter next = filter.get().withText(String.join(" ", goal.rest()));
        for (Goal.Bound b : goal.bounds()) {
            Axis axis = Axis.metric(b.metric());
            Range before = next.ranges().getOrDefault(axis, new Range(b.low(), b.high()));
            next = next.withRange(
                    axis,
                    new Range(
                            Double.isInfinite(b.low()) ? before.low() : b.low(),
                            Double.isInfinite(b.high()) ? before.high() : b.high()));
        }
        next = goal.best().isPresent() ? next.withBest(goal.best()) : next;
        setFilter(next);
        best().ifPresent(this::select);
        return unknownWord()
                .map(word -> "'" + word + "' is no metric, knob or value here; metrics: "
                        + metrics.stream().map(Metric::name).collect(Collectors.joining(", ")) + ".");
    }

    /// The first word of the search that is found nowhere among the designs.
    Optional<String> unknownWord() {
        return Stream.of(filter.get().text().split("\\s+"))
                .filter(w -> !w.isEmpty() && !DesignFilter.isKnown(newest, notes(), w))
                .findFirst();
    }

    /// How one value of a metric is written beside the designs of a set: in the unit of the table.
    public static Quantity quantity(DesignSet set, Metric m, double value) {
        return DoubleStream.of(set.column(m)).allMatch(Double::isNaN)
                ? Quantity.of(m, value, value)
                : quantity(set, m).suited(m, value);
    }

    /// How a metric is written for the designs of a set: as suits those that are fully evaluated, where there are any.
    public static Quantity quantity(DesignSet set, Metric m) {
        var all = new DoubleSummaryStatistics();
        var whole = new DoubleSummaryStatistics();
        double[] values = set.column(m);
        for (int i = 0; i < values.length; i++) {
            if (!Double.isNaN(values[i])) {
                all.accept(values[i]);
                if (set.standing(i) == DesignStanding.FRONT || set.standing(i) == DesignStanding.DOMINATED) {
                    whole.accept(values[i]);
                }
            }
        }
        var range = whole.getCount() > 0 ? whole : all;
        return Quantity.of(m, range.getMin(), range.getMax());
    }

    /// Number of the design that is best under the filter's goal, among those evaluated at the top fidelity; the
    /// first objective decides where the goal names no metric. Empty where nothing keeps the bounds.
    public Optional<Integer> best() {
        return best(newest, filter.get(), notes());
    }

    private static Optional<Integer> best(DesignSet set, DesignFilter filter, DesignNotes notes) {
        Optional<Best> wanted = filter.best()
                .or(() -> set.objectives().stream()
                        .findFirst()
                        .map(m -> new Best(m.name(), m.direction() == Metric.Direction.MAXIMISE)));
        return wanted.flatMap(b -> {
            IntPredicate passes = filter.over(set, notes);
            double least = Double.NaN;
            int number = 0;
            for (int i = 0; i < set.size(); i++) {
                DesignStanding s = set.standing(i);
                if ((s != DesignStanding.FRONT && s != DesignStanding.DOMINATED) || !passes.test(i)) {
                    continue;
                }
                double v = (b.largest() ? -1 : 1) * set.shownOrNaN(i, b.metric());
                if (number == 0 ? !Double.isNaN(v) : v < least) {
                    least = v;
                    number = i + 1;
                }
            }
            return number == 0 ? Optional.empty() : Optional.of(number);
        });
    }

    private void refilter() {
        DesignSet set = newest;
        DesignFilter f = filter.get();
        DesignNotes notes = notes();
        filtering.submit(() -> apply(set, f, notes));
    }

    private static VisibleDesigns apply(DesignSet set, DesignFilter filter, DesignNotes notes) {
        var matching = new BitSet(set.size());
        if (!filter.isFiltering()) {
            matching.set(0, set.size());
        } else {
            IntPredicate test = filter.over(set, notes);
            for (int i = 0; i < set.size(); i++) {
                matching.set(i, test.test(i));
            }
        }
        return new VisibleDesigns(set, filter, matching, matching.cardinality());
    }

    /// The filter as asked for; [#shown()] follows it a moment later.
    public ReadOnlyObjectProperty<DesignFilter> filter() {
        return filter.getReadOnlyProperty();
    }

    /// Changes the filter; can be undone. Changes made in one gesture carry an equal `key` and are undone
    /// together.
    public void setFilter(DesignFilter next, Object key) {
        DesignFilter before = filter.get();
        if (next.equals(before)) {
            return;
        }
        undo.perform(new UndoStack.Edit("filter", () -> putFilter(next), () -> putFilter(before)), key);
    }

    /// Changes the filter; can be undone.
    public void setFilter(DesignFilter next) {
        setFilter(next, new Object());
    }

    private void putFilter(DesignFilter next) {
        filter.set(next);
        keep(m -> m.keepFilter(next));
        refilter();
    }

    /// Number of the selected design, [#NOTHING] where there is none, [#BASELINE] for the baseline.
    public ReadOnlyIntegerProperty selected() {
        return selected.getReadOnlyProperty();
    }

    /// The design being tried out, beside the selected one; selecting anything ends it.
    public ObjectProperty<Optional<WhatIf>> whatIf() {
        return whatIf;
    }

    /// True if a design is selected.
    public BooleanExpression isAnySelected() {
        return Bindings.createBooleanBinding(() -> selectedDesign().isPresent(), selected, shown);
    }

    /// The selected design.
    public Optional<Design> selectedDesign() {
        return selected.get() == NOTHING ? Optional.empty() : newest.byNumber(selected.get());
    }

    /// Selects a design everywhere, for the baseline the design of the run that is it; an unknown number selects
    /// nothing.
    public void select(int number) {
        chosen = true;
        int known = newest.byNumber(number).isPresent() ? number : NOTHING;
        whatIf.set(Optional.empty());
        selected.set(known == BASELINE ? newest.twin() : known);
        keep(m -> m.keepSelected(selected.get()));
    }

    /// Selects the evaluated design that has a configuration; false where there is none.
    public boolean select(Configuration c) {
        OptionalInt at = IntStream.range(0, newest.size())
                .filter(i -> newest.get(i).configuration().equals(c)
                        && !newest.get(i).evaluations().isEmpty())
                .findFirst();
        at.ifPresent(i -> select(i + 1));
        return at.isPresent();
    }

    /// Numbers of the pinned designs in the order of their slots.
    public ObservableList<Integer> pins() {
        return readOnlyPins;
    }

    /// Slot of a pinned design, 1 to 5, or 0.
    public int pinOf(int number) {
        return pins.indexOf(number) + 1;
    }

    /// Pins a design or takes its pin away; can be undone. Where five are pinned already, nothing changes and
    /// false is returned.
    public boolean togglePin(int number) {
        if (number == NOTHING || newest.byNumber(number).isEmpty()) {
            return false;
        }
        List<Integer> before = List.copyOf(pins);
        boolean pinned = before.contains(number);
        if (!pinned && before.size() == MAX_PINS) {
            return false;
        }
        var after = new ArrayList<>(before);
        if (pinned) {
            after.remove(/* element */ (Integer) number);
        } else {
            after.add(number);
        }
        undo.perform(new UndoStack.Edit(
                (pinned ? "unpin " : "pin ") + title(number), () -> setPins(after), () -> setPins(before)));
        return true;
    }

    private void setPins(List<Integer> numbers) {
        pins.setAll(numbers);
        keep(m -> m.keepPins(numbers));
    }

    /// How a design is called.
    public static String title(int number) {
        return number == BASELINE ? "baseline" : "design #" + number;
    }

    /// Walks the front, sorted by one metric: selects the next member in `direction` (+1 or -1) from the
    /// selected design, or the first.
    public void walkFront(String metric, int direction) {
        DesignSet set = set();
        List<Integer> front = java.util.stream.IntStream.range(0, set.size())
                .filter(i ->
                        set.standing(i) == DesignStanding.FRONT && shown.get().matches(i))
                .filter(i -> !set.repeats().containsKey(i))
                .boxed()
                .sorted(java.util.Comparator.comparingDouble((Integer i) -> set.shownOrNaN(i, metric))
                        .thenComparing(i -> i))
                .toList();
        if (front.isEmpty()) {
            return;
        }
        int at = set.indexOf(selected.get()).isPresent()
                ? front.indexOf(set.indexOf(selected.get()).getAsInt())
                : -1;
        int next = at < 0 ? direction > 0 ? 0 : front.size() - 1 : Math.clamp(at + direction, 0, front.size() - 1);
        select(front.get(next) + 1);
    }
}
