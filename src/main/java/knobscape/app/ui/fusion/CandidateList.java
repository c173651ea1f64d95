package knobscape.app.ui.fusion;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import javafx.collections.ListChangeListener;
import knobscape.app.ui.area.DesignModels;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.space.Strategy;
import knobscape.fusion.space.StrategySpace;
import knobscape.project.Design;
import knobscape.work.StoredEvaluation;

/// The strategies of the paper's model as designs, costed as things are set: no fusion, the best of every search, what
/// a person keeps, and the one looked at. Design `#n` is the n-th of them. Used from the JavaFX thread.
final class CandidateList {
    private static final String BY_HAND = "By hand";

    private final UndoStack undo;
    private final DesignModels models;
    private final List<Candidate> all = new ArrayList<>();
    private Optional<FusionCostModel> model = Optional.empty();
    private Optional<Strategy> looked = Optional.empty();
    private final Background background;
    private final Messages messages;
    private final Runnable changed;
    /// The stored strategies with their folder; empty while nothing is open.
    private Optional<SavedFolder> saved = Optional.empty();
    /// True if the selection follows what is looked at, which is no choice of a person.
    private boolean following;

    private record SavedFolder(Path folder, List<SavedStrategies.SavedStrategy> strategies) {}

    /// @param choose takes a strategy that a person selects, with where it comes from
    /// @param compare done when another one is kept, pinned or compared with
    CandidateList(
            Background background,
            UndoStack undo,
            Messages messages,
            BiConsumer<Strategy, String> choose,
            Runnable compare) {
        this.background = background;
        this.undo = undo;
        this.messages = messages;
        this.changed = () -> {
            compare.run();
            store();
        };
        this.models = DesignModels.of(
                background,
                undo,
                () -> model.map(m -> space(m, m.batch()).space()),
                c -> model.ifPresent(m -> {
                    // Of the batch that is set, or a larger one.
                    choose.accept(space(m, c.knobs().get(0).domain().size()).strategy(c), BY_HAND);
                    show();
                }));
        models.insight().evaluateAtOnce();
        models.inspector().against().addListener(o -> compare.run());
        Results results = models.results();
        results.selected().addListener((o, was, is) -> {
            if (!following) {
                of(is.intValue()).ifPresent(s -> {
                    choose.accept(
                            s, is.intValue() > 0 ? all.get(is.intValue() - 1).origin() : BY_HAND);
                    show();
                });
            }
        });
        results.pins().addListener((ListChangeListener<Integer>) c -> {
            while (c.next()) {
                // What was pinned last is what a person means to compare with.
                if (c.getAddedSize() > c.getRemovedSize()) {
                    models.inspector().against().set(results.pins().getLast());
                }
            }
            changed.run();
        });
    }

    private static StrategySpace space(FusionCostModel m, int batch) {
        return StrategySpace.of(m.network(), batch);
    }

    /// The designs that they are.
    DesignModels models() {
        return models;
    }

    List<Candidate> all() {
        return List.copyOf(all);
    }

    /// Takes what a person kept earlier, and stores from now on what is kept or taken back.
    void restore(Path folder, List<SavedStrategies.SavedStrategy> kept) {
        kept.forEach(k -> add(k.origin(), k.bufferBytes(), 0, 0, k.strategy()));
        saved = Optional.of(new SavedFolder(folder, kept));
    }

    /// Stores those that a person made and keeps, by hand or by a pin.
    private void store() {
        List<SavedStrategies.SavedStrategy> now = SavedStrategies.of(IntStream.range(1, all.size())
                .filter(i -> all.get(i).evaluations() == 0 && stays(i))
                .mapToObj(all::get)
                .toList());
        saved.filter(s -> !s.strategies().equals(now)).ifPresent(s -> {
            saved = Optional.of(new SavedFolder(s.folder(), now));
            background.compute(
                    () -> {
                        SavedStrategies.write(s.folder(), now);
                        return now;
                    },
                    done -> {},
                    e -> messages.fail("The strategy is not stored", e));
        });
    }

    private boolean stays(int index) {
        return all.get(index).kept() || models.results().pinOf(index + 1) > 0;
    }

    void clear() {
        saved = Optional.empty();
        all.clear();
        looked = Optional.empty();
        model = Optional.empty();
        following = true;
        models.results().open(DesignSet.none());
        following = false;
    }

    /// Keeps what a search found, or what the network was opened with. A strategy that is there stays in its place.
    void add(String origin, long bufferBytes, int evaluations, double seconds, Strategy strategy) {
        int there = index(strategy);
        String words =
                there < 0 || !all.get(there).kept() || all.get(there).origin().contains(origin)
                        ? origin
                        : all.get(there).origin() + "; " + origin;
        var c = new Candidate(words, bufferBytes, evaluations, seconds, strategy, true);
        if (there < 0) {
            all.add(c);
        } else {
            all.set(there, c);
        }
        show();
    }

    /// Shows the strategy that is looked at as things are set now. One that a person made and does not keep goes.
    void look(FusionCostModel now, Strategy strategy, String origin) {
        model = Optional.of(now);
        looked = Optional.of(strategy);
        if (!all.isEmpty()
                && !stays(all.size() - 1)
                && !all.getLast().strategy().equals(strategy)) {
            all.removeLast();
        }
        Strategy alone = Strategy.noFusion(now.layers(), now.batch());
        if (!all.isEmpty() && index(alone) < 0) {
            // The first of all follows the batch.
            all.set(0, all.getFirst().of(alone));
        }
        if (!all.isEmpty() && index(strategy) < 0) {
            all.add(new Candidate(origin, now.budget(), 0, 0, strategy, false));
        }
        show();
    }

    /// Keeps the strategy that is looked at; can be undone.
    void keep() {
        looked.filter(s -> index(s) >= 0 && !all.get(index(s)).kept())
                .ifPresent(s -> undo.perform(
                        new UndoStack.Edit("keeping a strategy", () -> keep(s, true), () -> keep(s, false))));
    }

    private void keep(Strategy s, boolean kept) {
        int at = index(s);
        if (at >= 0) {
            all.set(at, all.get(at).kept(kept));
            changed.run();
        }
    }

    private int index(Strategy strategy) {
        return IntStream.range(0, all.size())
                .filter(i -> all.get(i).strategy().equals(strategy))
                .findFirst()
                .orElse(-1);
    }

    /// The strategy of a design.
    private Optional<Strategy> of(int number) {
        return number == Results.BASELINE
                ? model.map(m -> Strategy.noFusion(m.layers(), m.batch()))
                : number >= 1 && number <= all.size()
                        ? Optional.of(all.get(number - 1).strategy())
                        : Optional.empty();
    }

    /// The strategy that the one looked at is compared with.
    Optional<Strategy> against() {
        return of(models.inspector().against().get());
    }

    /// How that one is called.
    String againstTitle() {
        int number = models.inspector().against().get();
        return number < 1 || number > all.size()
                ? "No fusion"
                : "#" + number + " " + all.get(number - 1).origin();
    }

    private void show() {
        if (model.isEmpty() || looked.isEmpty()) {
            return;
        }
        DesignSet set = designs(model.get());
        Results results = models.results();
        following = true;
        if (set.info().isPresent() && results.set().size() == 0) {
            results.open(set);
        } else {
            results.update(set);
        }
        results.select(index(looked.get()) + 1);
        following = false;
        changed.run();
    }

    private DesignSet designs(FusionCostModel m) {
        int most = all.stream().mapToInt(c -> c.strategy().largest()).reduce(m.batch(), Math::max);
        StrategySpace space = space(m, most);
        Strategy alone = Strategy.noFusion(m.layers(), m.batch());
        try (var evaluator = new FusionEvaluator(m, space)) {
            var fold = new DesignFold(
                    space.space().knobs(),
                    Optional.of(new Design(
                            Results.BASELINE,
                            space.configuration(alone),
                            List.of(evaluation(evaluator, space, alone, 0)),
                            0,
                            "no fusion",
                            Optional.empty())));
            fold.begin(evaluator.info(), List.of(FusionEvaluator.SPEEDUP, FusionEvaluator.MEMORY));
            all.forEach(c -> fold.known(
                    evaluation(evaluator, space, c.strategy(), c.seconds()),
                    c.evaluations() == 0 ? StoredEvaluation.KNOWN : c.evaluations(),
                    c.origin() + ", buffer " + ByteSize.shown(c.target())));
            return fold.set();
        }
    }

    private static Evaluation evaluation(FusionEvaluator evaluator, StrategySpace space, Strategy s, double seconds) {
        Evaluation e = evaluator
                .evaluate(space.configuration(s), FusionEvaluator.MODEL, new CancellationSignal())
                .getLast();
        return new Evaluation(e.configuration(), e.fidelity(), e.outcome(), seconds, e.provenance());
    }
}
