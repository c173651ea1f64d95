package knobscape.app.ui.fusion;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.LongProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.beans.property.SimpleLongProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableSet;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.WorkStatus;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.EventBatch;
import knobscape.app.ui.task.Gate;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.fusion.evaluate.CostModel;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.search.Evaluated;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.Mapping;
import knobscape.fusion.source.FusionNetwork;
import knobscape.fusion.space.Strategy;

/// Runs searches in the background, one after the other on one thread, with pause and stop. Used from the JavaFX thread.
final class FusionSearches {
    static final String NOTHING = "Nothing has been searched yet";

    private static final int TICK = 64;
    private static final int MOST_CURVES = 12;

    /// The best a search found.
    record Found(FusionNetwork network, String title, Strategy strategy, long bufferBytes, int evaluations, double seconds) { }

    private final Background background;
    private final List<FusionMethod> methods;
    private final Messages messages;
    private final SeenStrategies seen;
    private final Consumer<Found> found;
    private final Consumer<SeenStrategies.Snapshot> showSeen;
    private final ObservableSet<String> chosen = FXCollections.observableSet("gsampler");
    private final IntegerProperty evaluations = new SimpleIntegerProperty(Mapping.EVALUATIONS);
    private final LongProperty seed = new SimpleLongProperty(1);
    private final ObjectProperty<Constraint> constraint = new SimpleObjectProperty<>(Constraint.LEXI);
    private final ReadOnlyObjectWrapper<WorkStatus> status = new ReadOnlyObjectWrapper<>(WorkStatus.idle(NOTHING));
    private final ReadOnlyObjectWrapper<List<Curve>> curves = new ReadOnlyObjectWrapper<>(List.of());
    private final List<Curve.Growing> growing = new ArrayList<>();
    private Optional<Job> job = Optional.empty();

    FusionSearches(Background background, List<FusionMethod> methods, Messages messages, SeenStrategies seen, Consumer<Found> found,
            Consumer<SeenStrategies.Snapshot> showSeen) {
        this.background = background;
        this.methods = methods;
        this.messages = messages;
        this.seen = seen;
        this.found = found;
        this.showSeen = showSeen;
    }

    /// Searches that run under one press of the button.
    private final class Job implements Runnable {
        private final CostModel model;
        private final List<FusionMethod> queue;
        private final int budget;
        private final long runSeed;
        private final Constraint how;
        private final List<Curve.Growing> pictures;
        private final CancellationSignal cancel = new CancellationSignal();
        private final EventBatch<Job> news;
        private final Gate gate = new Gate(cancel);
        private volatile int method;
        private volatile int done;
        private volatile double best = Double.NaN;

        Job(CostModel model, List<FusionMethod> queue, List<Curve.Growing> pictures) {
            this.model = model;
            this.queue = queue;
            this.pictures = pictures;
            this.budget = evaluations.get();
            this.runSeed = seed.get();
            this.how = constraint.get();
            this.news = new EventBatch<>(background, batch -> {
                List<Curve> now = pictures().stream().map(Curve.Growing::picture).toList();
                SeenStrategies.Snapshot snapshot = seen.snapshot();
                return () -> show(this, now, snapshot);
            });
        }

        @Override
        public void run() {
            try {
                for (method = 0; method < queue.size() && !cancel.isCancelled(); method++) {
                    one(queue.get(method), pictures.get(method));
                }
            } finally {
                background.onScreen(() -> ended(this));
            }
        }

        private void one(FusionMethod m, Curve.Growing curve) {
            done = 0;
            best = Double.NaN;
            Evaluated[] kept = new Evaluated[1];
            long before = System.nanoTime();
            try {
                Mapping.search(m.searcher(), model, how, budget, runSeed, j -> judged(j, curve, kept), cancel);
            } catch (CancellationException e) {
                // Stopped by the person: what was found so far is kept all the same.
                curve.end();
            } catch (UserError e) {
                background.onScreen(() -> messages.fail(m.label() + " cannot search this network", e));
            } catch (RuntimeException e) {
                background.onScreen(() -> messages.fail(m.label() + " failed", e));
            } finally {
                curve.end();
            }
            double seconds = (System.nanoTime() - before) * 1e-9;
            int spent = done;
            if (kept[0] != null) {
                var f = new Found(model.network(), title(m, runSeed), kept[0].strategy(), model.budget(), spent, seconds);
                background.onScreen(() -> {
                    if (job.filter(this::equals).isPresent()) {
                        found.accept(f);
                    }
                });
            } else if (spent > 0 && !cancel.isCancelled()) {
                background.onScreen(() -> messages.show(Message.warning(m.label() + " found no strategy that fits the buffer in " + Quantity.count(spent)
                        + " evaluations; try more, another way to treat those that do not fit, or a larger buffer.")));
            }
            news.add(this);
        }

        private void judged(Evaluated j, Curve.Growing curve, Evaluated[] kept) {
            gate.pass();
            int n = done + 1;
            done = n;
            if (!cancel.isCancelled()) {
                seen.add(j.strategy(), j.cost());
            }
            if (model.isValid(j.cost()) && (kept[0] == null || j.cost().seconds() < kept[0].cost().seconds())) {
                kept[0] = j;
                best = model.speedup(j.cost().seconds());
                curve.add(n, best);
                news.add(this);
            } else if (n % TICK == 0) {
                curve.at(n);
                news.add(this);
            }
        }

        private List<Curve.Growing> pictures() {
            synchronized (growing) {
                return List.copyOf(growing);
            }
        }
    }

    static String title(FusionMethod m, long seed) {
        return m.kind() == FusionMethod.Kind.SEARCH ? m.label() + ", seed " + seed : m.label();
    }

    /// Starts the chosen methods on a model.
    void start(CostModel model) {
        List<FusionMethod> queue = methods.stream().filter(m -> chosen.contains(m.name())).toList();
        if (queue.isEmpty()) {
            messages.show(Message.warning("Choose a method to search with first."));
            return;
        }
        if (job.isPresent()) {
            return;
        }
        List<Curve.Growing> pictures = queue.stream().map(m -> new Curve.Growing(title(m, seed.get()))).toList();
        synchronized (growing) {
            growing.addAll(pictures);
            while (growing.size() > Math.max(MOST_CURVES, pictures.size())) {
                growing.removeFirst();
            }
        }
        var started = new Job(model, queue, pictures);
        job = Optional.of(started);
        status.set(WorkStatus.idle("").at(0, queue.getFirst().label(), ""));
        Thread.ofPlatform().daemon().name("knobscape-fusion-search").start(started);
    }

    /// Pauses within one evaluation, or goes on.
    void togglePause() {
        job.ifPresent(j -> {
            status.set(status.get().toggled(j.queue.get(Math.min(j.method, j.queue.size() - 1)).label()));
            j.gate.close(status.get().state() == WorkStatus.State.PAUSED);
        });
    }

    /// Stops within one evaluation. The best so far is kept in the table.
    void stop() {
        job.ifPresent(j -> j.cancel.cancel());
    }

    /// Stops and forgets the searches of a network that is closed.
    ///
    /// @param said what the status says from now on
    void forget(String said) {
        job.ifPresent(j -> j.cancel.cancel());
        job = Optional.empty();
        synchronized (growing) {
            growing.clear();
        }
        curves.set(List.of());
        status.set(WorkStatus.idle(said));
    }

    /// Costs mean something else now: a search that goes on would mix them up.
    void costsChanged() {
        if (job.isPresent()) {
            messages.show(Message.warning("The search was stopped, because accelerator or batch changed; what it found so far is in the table."));
            stop();
        }
        synchronized (growing) {
            growing.clear();
        }
        curves.set(List.of());
    }

    private void show(Job j, List<Curve> now, SeenStrategies.Snapshot snapshot) {
        if (job.filter(j::equals).isEmpty()) {
            return;
        }
        curves.set(now);
        showSeen.accept(snapshot);
        int at = Math.min(j.method, j.queue.size() - 1);
        String figures = Quantity.count(j.done) + " of " + Quantity.count(j.budget) + (j.queue.size() > 1 ? ", method " + (at + 1) + " of " + j.queue.size() : "")
                + (Double.isNaN(j.best) ? "" : String.format(Locale.ROOT, ", speedup %.2f", j.best));
        status.set(status.get().at((at + Math.min(1.0, (double) j.done / j.budget)) / j.queue.size(), j.queue.get(at).label(), figures));
    }

    private void ended(Job j) {
        if (job.filter(j::equals).isEmpty()) {
            return;
        }
        synchronized (growing) {
            curves.set(growing.stream().map(Curve.Growing::picture).toList());
        }
        showSeen.accept(seen.snapshot());
        job = Optional.empty();
        status.set(WorkStatus.idle(j.cancel.isCancelled() ? "Stopped; the best found is in the table" : j.queue.size() == 1 ? j.queue.getFirst().label() + " is done" : j.queue.size() + " searches are done"));
    }

    void shutDown() {
        job.ifPresent(j -> j.cancel.cancel());
    }

    List<FusionMethod> methods() {
        return methods;
    }

    /// Names of the methods that the next press runs.
    ObservableSet<String> chosen() {
        return chosen;
    }

    IntegerProperty evaluations() {
        return evaluations;
    }

    LongProperty seed() {
        return seed;
    }

    ObjectProperty<Constraint> constraint() {
        return constraint;
    }

    ReadOnlyObjectProperty<WorkStatus> status() {
        return status.getReadOnlyProperty();
    }

    ReadOnlyObjectProperty<List<Curve>> curves() {
        return curves.getReadOnlyProperty();
    }
}
