package knobscape.app.ui.insight;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.WhatIf;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.LatestTask;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.explore.Prediction;
import knobscape.project.Design;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.KnobSet;

/// Fits the surrogate to the designs shown, a while after they changed and away from the screen, and asks it what a
/// design with another value of a knob would give.
public final class InsightViewModel {
    private static final long DELAY_MILLIS = 700;
    /// So many times as long as a fit took, the designs of one kernel rest until they are fitted again: a run keeps the
    /// processor.
    private static final long REST = 8;
    private static final long MOST_REST_MILLIS = 15_000;

    private static final String TOO_FEW = "Which knobs decide each objective is shown once " + Surrogate.ENOUGH
            + " designs have been fully evaluated.";
    private static final String OTHER_SPACE =
            "The source or its settings have changed since this run; what decides is not known of its designs.";
    private static final String FINDING = "Finding what decides each objective";

    private final Background background;
    private final Results results;
    private final Spaces spaces;
    private final Consumer<Configuration> evaluate;
    private final LatestTask<Found> fitting;
    private final ReadOnlyObjectWrapper<Optional<Insight>> insight = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyStringWrapper absent = new ReadOnlyStringWrapper(TOO_FEW);
    private final AtomicLong lastMillis = new AtomicLong();
    private final LatestTask<Runnable> ways;
    private int asked;
    private boolean atOnce;
    private FittedData fitted = FittedData.NOTHING;
    private FittedData awaited = FittedData.NOTHING;
    /// Counts the spaces shown in turn; a fit to designs of any but the newest is given up.
    private final AtomicInteger turn = new AtomicInteger();

    /// The data of the newest fit.
    private record FittedData(KnobSet knobs, List<Metric> objectives, int known) {
        private static final FittedData NOTHING = of(DesignSet.none());

        private static FittedData of(DesignSet set) {
            int known = set.size() == 0 ? 0 : set.count(DesignStanding.FRONT) + set.count(DesignStanding.DOMINATED);
            return new FittedData(set.knobs(), set.objectives(), known);
        }

        private boolean isOf(FittedData other) {
            return knobs.equals(other.knobs) && objectives.equals(other.objectives);
        }
    }

    /// Where designs come from.
    @FunctionalInterface
    public interface Spaces {
        /// The space that the next run explores.
        Optional<DesignSpace> open();

        /// Finder of the space of the run shown, which may be another one; called away from the screen.
        default Callable<DesignSpace> ofRun() {
            return () -> {
                throw new UserError("The run has no space of its own.");
            };
        }
    }

    /// @param spaces what is explored
    /// @param evaluate evaluates a configuration at the top fidelity
    public InsightViewModel(Background background, Results results, Spaces spaces, Consumer<Configuration> evaluate) {
        this.background = background;
        this.results = results;
        this.spaces = spaces;
        this.evaluate = evaluate;
        this.fitting = new LatestTask<>(background, this::found, e -> {
            throw new IllegalStateException("the surrogate cannot be fitted", e);
        });
        this.ways = new LatestTask<>(background, Runnable::run, e -> {
            throw new IllegalStateException("the way to a design cannot be found", e);
        });
        results.shown().addListener((o, was, is) -> changed(is.set()));
        results.reading().addListener((o, was, is) -> changed(results.set()));
    }

    /// The current insight; empty before enough is known.
    public ReadOnlyObjectProperty<Optional<Insight>> insight() {
        return insight.getReadOnlyProperty();
    }

    /// Why nothing is understood, in words, where [#insight()] is empty.
    public ReadOnlyStringProperty absent() {
        return absent.getReadOnlyProperty();
    }

    /// The end of a fit.
    ///
    /// @param absent why there is nothing, now or once the designs are gone
    private record Found(Optional<Insight> insight, String absent) {}

    private void found(Found fresh) {
        absent.set(fresh.absent());
        // Designs of other knobs may have come into sight meanwhile.
        insight.set(fresh.insight().filter(i -> isOf(results.set(), i)));
    }

    private static boolean isOf(DesignSet set, Insight insight) {
        return insight.surrogate().knobs().equals(set.knobs());
    }

    private void changed(DesignSet set) {
        FittedData now = FittedData.of(set);
        boolean other = set.size() == 0 || (!now.isOf(fitted) && !now.isOf(awaited));
        if (other) {
            turn.incrementAndGet();
            insight.set(Optional.empty());
            fitted = FittedData.NOTHING;
            awaited = FittedData.NOTHING;
        }
        if (now.known() == fitted.known()) {
            return;
        }
        absent.set(now.known() < Surrogate.ENOUGH ? TOO_FEW : FINDING);
        if (now.isOf(awaited)) {
            return;
        }
        awaited = now;
        int mine = turn.get();
        long millis = other ? DELAY_MILLIS : Math.clamp(REST * lastMillis.get(), DELAY_MILLIS, MOST_REST_MILLIS);
        background.later(
                millis,
                () -> background.onScreen(() -> {
                    if (mine == turn.get()) {
                        fit(mine);
                    }
                }));
    }

    private void fit(int mine) {
        awaited = FittedData.NOTHING;
        if (results.reading().get()) {
            // The designs in sight may be of another space than what is open until the runs are read.
            return;
        }
        DesignSet set = results.set();
        Callable<DesignSpace> explored =
                space(set.knobs()).<Callable<DesignSpace>>map(s -> () -> s).orElseGet(spaces::ofRun);
        FittedData now = FittedData.of(set);
        if (now.equals(fitted)) {
            return;
        }
        fitted = now;
        fitting.submit(() -> {
            long before = System.nanoTime();
            Runnable check = () -> {
                if (mine != turn.get()) {
                    throw new CancellationException("other designs are shown");
                }
            };
            Found fresh = Surrogate.fit(set, check)
                    .map(g -> explain(set, g, explored, check))
                    .map(i -> new Found(i, i.isPresent() ? TOO_FEW : OTHER_SPACE))
                    .orElseGet(() -> new Found(Optional.empty(), TOO_FEW));
            lastMillis.set((System.nanoTime() - before) / 1_000_000);
            return fresh;
        });
    }

    private static Optional<Insight> explain(
            DesignSet set, Surrogate fitted, Callable<DesignSpace> explored, Runnable check) {
        try {
            DesignSpace space = explored.call();
            return space.knobs().equals(set.knobs())
                    ? Optional.of(new Insight(space, fitted, Importance.of(fitted, space, check)))
                    : Optional.empty();
        } catch (UserError e) {
            return Optional.empty();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /// The space with some knobs, where it is open or was found.
    private Optional<DesignSpace> space(KnobSet knobs) {
        return spaces.open()
                .filter(s -> s.knobs().equals(knobs))
                .or(() ->
                        insight.get().map(Insight::space).filter(s -> s.knobs().equals(knobs)));
    }

    /// Looks away from the screen for the way from the baseline to a design for one objective. Only the newest request
    /// is answered.
    public void waterfall(Optional<Design> design, int objective, Consumer<Optional<Waterfall>> then) {
        DesignSet set = results.set();
        Optional<Insight> known = insight.get().filter(i -> isOf(set, i));
        int mine = ++asked;
        ways.submit(() -> {
            Optional<Waterfall> way = design.filter(
                            d -> d.configuration().knobs().equals(set.knobs()))
                    .flatMap(d -> Waterfall.of(set, d, objective, known));
            return () -> {
                if (mine == asked) {
                    then.accept(way);
                }
            };
        });
    }

    /// The configuration with another value of a knob, and with what that forces on knobs of the same place; empty
    /// where the space has none.
    public Optional<Configuration> with(Configuration from, int knob, int level) {
        Configuration wanted = from.with(knob, level);
        Optional<DesignSpace> explored = space(from.knobs());
        if (explored.isEmpty() || explored.get().contains(wanted)) {
            return explored.map(s -> wanted);
        }
        String place = Waterfall.place(from.knobs().get(knob).name());
        return IntStream.range(0, from.knobs().size())
                .filter(k ->
                        k != knob && Waterfall.place(from.knobs().get(k).name()).equals(place))
                .boxed()
                .flatMap(k ->
                        IntStream.range(0, from.knobs().get(k).domain().size()).mapToObj(l -> wanted.with(k, l)))
                .filter(explored.get()::contains)
                .findFirst();
    }

    /// Shows what a value of a knob would give: the design that has it, or a prediction.
    public void tryOut(int knob, int level) {
        List<String> labels = KnobLabels.of(results.set().knobs());
        results.selectedDesign()
                .flatMap(d -> with(start(d).configuration(), knob, level))
                .filter(c -> !results.select(c) && (atOnce || insight.get().isPresent()))
                .ifPresent(c -> {
                    if (atOnce) {
                        evaluate.accept(c);
                    } else {
                        show(c, labels.get(knob) + " " + c.value(knob));
                    }
                });
    }

    /// From now on what is tried out is evaluated at once: an evaluation takes no time, so nothing is predicted.
    public void evaluateAtOnce() {
        atOnce = true;
    }

    /// Shows the design that has a configuration, or tries it out beside the selected one, with a prediction where
    /// there is a surrogate.
    ///
    /// @param words what it is
    public void tryOut(Configuration c, String words) {
        if (!results.select(c)) {
            if (results.selectedDesign().isEmpty()) {
                results.select(Results.BASELINE);
            }
            show(c, words);
        }
    }

    /// A second click continues from the first.
    private Design start(Design selected) {
        return results.whatIf()
                .get()
                .map(w -> new Design(
                        selected.number(), w.configuration(), List.of(), selected.step(), "", Optional.empty()))
                .orElse(selected);
    }

    private void show(Configuration c, String change) {
        Prediction p = insight.get().map(i -> i.surrogate().predict(c)).orElseGet(() -> new Prediction("", Map.of()));
        var words = results.set().objectives().stream()
                .flatMap(m -> Stream.ofNullable(p.metrics().get(m.name()))
                        .map(v -> "~" + Quantity.of(m, v.median(), v.median()).withUnit(v.median())))
                .collect(Collectors.joining(", "));
        results.whatIf()
                .set(Optional.of(new WhatIf(c, p, "what-if: " + change + (words.isEmpty() ? "" : " \u2192 " + words))));
    }

    /// Evaluates what is tried out.
    public void evaluate() {
        results.whatIf().get().ifPresent(w -> evaluate(w.configuration()));
    }

    /// Evaluates a design at the highest stage.
    public void evaluate(Configuration c) {
        insight.get().ifPresent(i -> results.expected().put(c, i.surrogate().predict(c)));
        evaluate.accept(c);
    }
}
