package knobscape.app.ui.fusion;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javafx.beans.binding.Bindings;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.area.DesignModels;
import knobscape.app.ui.area.NetworkWork;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.LatestTask;
import knobscape.app.ui.task.Opener;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionReport;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.FusionNetwork;
import knobscape.fusion.space.Strategy;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.work.Choices;
import knobscape.work.Workbench;

/// The open network, what a person has set, and the selected strategy. Used from the JavaFX thread; reading and
/// long answers happen away from it.
public final class FusionViewModel implements NetworkWork {
    private static final int MOST_RECENT = 10;

    private final Background background;
    private final Messages messages;
    private final UndoStack undo = new UndoStack();
    private final Settings settings;
    private final String recentKey;
    private final Path own;
    private final Choices<FusionMethod> methods;
    private final FusionRuns searches;
    private final ReadOnlyObjectWrapper<Optional<FusionNetwork>> network =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<Setup>> setup = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<FusionCostModel>> model =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<FusionReport>> report = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<FusionReport>> compared =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final Opener opener;
    private final ReadOnlyStringWrapper origin = new ReadOnlyStringWrapper("");
    private final IntegerProperty layer = new SimpleIntegerProperty(1);
    private final ObjectProperty<BufferChangePolicy> follow = new SimpleObjectProperty<>(BufferChangePolicy.KEEP);
    private final CandidateList candidates;
    private final LatestTask<Answer> answers;
    private final StripCurves strips;
    private Optional<Session<Workbench>> opened = Optional.empty();
    private Strategy wanted = Strategy.of(1, Strategy.SYNC);
    private Optional<FirstStrategy> certain = Optional.empty();

    private record Answer(Setup to, Strategy strategy) {}

    /// @param background where work is done
    /// @param runner starts searches
    /// @param methods the searches and references there are
    /// @param messages takes what goes wrong
    /// @param settings what is remembered
    /// @param recentKey where the settings keep what was opened
    /// @param own where runs are stored that cannot lie beside a file
    public FusionViewModel(
            Background background,
            Runner runner,
            Choices<FusionMethod> methods,
            Messages messages,
            Settings settings,
            String recentKey,
            Path own) {
        this.own = own;
        this.background = background;
        this.methods = methods;
        this.messages = messages;
        this.settings = settings;
        this.recentKey = recentKey;
        this.opener = new Opener(
                background,
                messages,
                "The network could not be opened",
                () -> network.get().isPresent());
        this.searches = new FusionRuns(
                background,
                runner,
                messages,
                undo,
                this::found,
                s -> s.best().ifPresent(b -> choose(b, s.title())),
                this::take);
        this.strips = new StripCurves(background);
        this.answers = new LatestTask<>(
                background, this::answered, e -> messages.fail("The strategy cannot follow the buffer", e));
        follow.addListener((o, was, is) -> follow());
        this.candidates = new CandidateList(background, undo, messages, this::choose, this::compare);
    }

    /// A running search is stopped first; it can be resumed.
    @Override
    public void open(String source) {
        opener.readNetwork(
                source,
                given -> FusionSource.read(source, methods, own, given),
                read -> {
                    show(read);
                    // A built-in network is no file: it is found again by the folder of its runs.
                    Path found = source.startsWith(FusionSettings.ZOO)
                            ? read.opened().project().runsFolder()
                            : Path.of(source);
                    settings.remember(
                            recentKey, found.toAbsolutePath().normalize().toString(), MOST_RECENT);
                    background.away(settings::save);
                },
                () -> {});
    }

    /// Exact answers in strips for all sizes of the buffer.
    public StripCurves strips() {
        return strips;
    }

    private void show(FusionSource read) {
        opened = Optional.empty();
        certain = Optional.empty();
        messages.clear();
        undo.clear();
        candidates.clear();
        FusionWorkbench bench = read.bench();
        network.set(Optional.of(bench.model().network()));
        layer.set(1);
        follow.set(BufferChangePolicy.KEEP);
        setup.set(Optional.empty());
        searches.open(read.opened(), read.earlier());
        int batch = read.rows()
                .work()
                .filter(w -> w.batch() <= FusionCostModel.MAX_BATCH)
                .map(w -> (int) w.batch())
                .orElse(bench.model().batch());
        strips.open(read.rows());
        var first = new Setup(
                bench.model().accelerator(),
                batch,
                bench.settings().objective(),
                Strategy.noFusion(bench.model().layers(), batch));
        apply(first, "No fusion");
        candidates.add("No fusion", bench.model().accelerator().bufferBytes(), 0, 0, first.strategy());
        candidates.restore(read.opened().project().runsFolder(), read.kept());
        read.earlier().forEach(this::found);
        undo.clear();
        opened = Optional.of(read.opened());
        showBest(read.opened(), model.get().orElseThrow());
        bench.warnings().stream().limit(2).forEach(n -> messages.show(Message.warning(n)));
    }

    /// Never lets a file that the open work is made from be replaced; what a person chose to replace is.
    FileGuard guard() {
        return opened.map(o -> o.project().guard(true, o.bench().settings())).orElse(FileGuard.standard());
    }

    /// Shows the best strategy that can be had at once beside no fusion, where nothing better or other was selected
    /// meanwhile.
    private void showBest(Session<Workbench> of, FusionCostModel m) {
        background.compute(
                () -> FirstStrategy.of(m, methods),
                best -> best.filter(x -> opened.filter(o -> o == of).isPresent())
                        .ifPresent(first -> {
                            candidates.add(first.origin(), m.budget(), 1, first.seconds(), first.strategy());
                            boolean untouched = model.get().filter(m::equals).isPresent()
                                    && undo.undoName().get().isEmpty();
                            if (untouched
                                    && report.get().filter(first::isMatchedBy).isEmpty()) {
                                apply(setup.get().orElseThrow().with(first.strategy()), first.origin());
                            }
                            certain = Optional.of(first);
                            report.set(model.get()
                                    .map(now ->
                                            now.report(setup.get().orElseThrow().strategy())));
                        }),
                e -> messages.fail("The best strategy cannot be computed", e));
    }

    /// How sure it is that no strategy is better than the one looked at, in a sentence; empty where nothing is known.
    Optional<String> certainty() {
        return report.get().flatMap(r -> certain.flatMap(c -> c.certainty(model.get(), r)));
    }

    @Override
    public void close(Runnable then) {
        opened = Optional.empty();
        searches.close(then);
        undo.clear();
        messages.clear();
        candidates.clear();
        network.set(Optional.empty());
        setup.set(Optional.empty());
        model.set(Optional.empty());
        report.set(Optional.empty());
        compared.set(Optional.empty());
        opener.close();
    }

    // --- edits, each can be undone

    private void edit(String name, Setup next, String nextOrigin, Object key) {
        Setup before = setup.get().orElseThrow();
        String originBefore = origin.get();
        Strategy wantedBefore = wanted;
        Strategy wantedAfter = next.strategy().equals(before.strategy()) ? wanted : next.strategy();
        undo.perform(
                new UndoStack.Edit(
                        name,
                        () -> {
                            wanted = wantedAfter;
                            apply(next, nextOrigin);
                            if (next.batch() != before.batch()
                                    || !next.accelerator().equals(before.accelerator())) {
                                follow();
                            }
                        },
                        () -> {
                            wanted = wantedBefore;
                            apply(before, originBefore);
                        }),
                key);
    }

    private void apply(Setup next, String nextOrigin) {
        FusionNetwork n = network.get().orElseThrow();
        Optional<Setup> before = setup.get();
        if (before.isEmpty()
                || !before.get().accelerator().equals(next.accelerator())
                || before.get().batch() != next.batch()) {
            model.set(Optional.of(new FusionCostModel(n, next.accelerator(), next.batch())));
        }
        if (before.isEmpty()) {
            wanted = next.strategy();
        }
        origin.set(nextOrigin);
        setup.set(Optional.of(next));
        strips.follow(next.accelerator(), next.batch(), next.objective());
        FusionCostModel m = model.get().orElseThrow();
        FusionReport r = m.report(next.strategy());
        report.set(Optional.of(r));
        candidates.look(m, next.strategy(), nextOrigin);
        searches.set(m);
    }

    private void compare() {
        compared.set(model.get()
                .flatMap(m -> candidates
                        .against()
                        .filter(s -> s.layers() == m.layers() && s.largest() <= m.batch())
                        .map(m::report)));
    }

    /// Sets the entry of a layer (0 for the input): 1..B, or [Strategy#SYNC] but for the input. Anything else
    /// is said and not done.
    public void setEntry(int index, int value) {
        setup.get().ifPresent(s -> {
            if (value > s.batch() || (value < 1 && (index == 0 || value != Strategy.SYNC))) {
                messages.show(Message.warning("A micro-batch is 1 to " + s.batch() + " samples"
                        + (index == 0 ? "" : ", or -1 to synchronise") + "; " + value + " is not possible."));
            } else if (s.strategy().get(index) != value) {
                edit(
                        "micro-batch of " + (index == 0 ? "the input" : "layer " + index),
                        s.with(s.strategy().with(index, value)),
                        "By hand",
                        "entry " + index);
            }
        });
    }

    /// Lets a layer synchronise, or stages it with the micro-batch of its neighbour, else a quarter of the
    /// batch.
    public void toggleSync(int index) {
        setup.get().filter(s -> index >= 1).ifPresent(s -> {
            Strategy t = s.strategy();
            int neighbour = index > 1 && t.get(index - 1) > 0
                    ? t.get(index - 1)
                    : index < t.layers() && t.get(index + 1) > 0 ? t.get(index + 1) : Math.max(1, s.batch() / 4);
            setEntry(index, t.get(index) > 0 ? Strategy.SYNC : neighbour);
        });
    }

    /// Halves (`direction` below 0) or doubles the micro-batch of a layer.
    public void scaleEntry(int index, int direction) {
        setup.get().ifPresent(s -> {
            int m = s.strategy().get(index);
            setEntry(index, m < 1 ? (direction > 0 ? 1 : m) : Math.clamp(direction > 0 ? 2L * m : m / 2, 1, s.batch()));
        });
    }

    /// Replaces the strategy by its text. Throws [UserError] where that is none for this network and batch.
    public void setStrategy(String text) {
        Setup s = setup.get().orElseThrow();
        Strategy t;
        try {
            t = Strategy.parse(text);
            model.get().orElseThrow().check(t);
        } catch (IllegalArgumentException e) {
            throw new UserError("This is no strategy for the network: " + e.getMessage() + ".", e);
        }
        edit("strategy", s.with(t), "By hand", new Object());
    }

    /// Looks at a strategy of the table or of the front.
    public void choose(Strategy strategy, String from) {
        setup.get()
                .filter(s -> strategy.largest() <= s.batch())
                .ifPresentOrElse(
                        s -> {
                            if (!s.strategy().equals(strategy)) {
                                edit("choice of a strategy", s.with(strategy), from, "choice");
                            }
                        },
                        () -> messages.show(Message.warning("This strategy has a micro-batch of " + strategy.largest()
                                + ", more than the batch; raise the batch to look at it.")));
    }

    /// Sets the buffer in bytes; the strategy follows as [#follow] says.
    public void setBuffer(long bytes) {
        setup.get()
                .filter(s -> bytes > 0 && s.accelerator().bufferBytes() != bytes)
                .ifPresent(s -> {
                    edit("buffer", s.with(s.accelerator().withBuffer(bytes)), origin.get(), "buffer");
                });
    }

    /// Sets the accelerator.
    public void setAccelerator(Accelerator accelerator) {
        setup.get().filter(s -> !s.accelerator().equals(accelerator)).ifPresent(s -> {
            try {
                new FusionCostModel(network.get().orElseThrow(), accelerator, s.batch());
            } catch (UserError e) {
                messages.fail("The accelerator cannot be used", e);
                return;
            }
            edit("accelerator", s.with(accelerator), origin.get(), "accelerator");
        });
    }

    /// Sets what the exact answer makes least.
    void setObjective(Objective objective) {
        setup.get().filter(s -> s.objective() != objective).ifPresent(s -> {
            edit("objective", s.with(objective), origin.get(), "objective");
        });
    }

    /// Sets the batch. Throws [UserError] where it is not possible.
    public void setBatch(int batch) {
        setup.get().filter(s -> s.batch() != batch).ifPresent(s -> {
            new FusionCostModel(network.get().orElseThrow(), s.accelerator(), batch);
            edit("batch", s.withBatch(batch), origin.get(), "batch");
        });
    }

    /// Sets everything at once, as a strategy file says.
    void take(Accelerator accelerator, int batch, Strategy strategy, String from) {
        setup.get().filter(s -> strategy.layers() == s.strategy().layers()).ifPresent(s -> {
            follow.set(BufferChangePolicy.KEEP);
            Objective objective = setup.get().map(Setup::objective).orElse(Objective.TIME);
            edit("opening of a strategy", new Setup(accelerator, batch, objective, strategy), from, new Object());
        });
    }

    /// Sets what a stored exact answer is of, so that it is shown again.
    private void take(UnaryOperator<Setup> run) {
        setup.get().ifPresent(s -> {
            Setup next = run.apply(s);
            if (!next.equals(s)) {
                edit("choice of a run", next, origin.get(), "choice");
            }
        });
    }

    private void follow() {
        BufferChangePolicy how = follow.get();
        setup.get().filter(s -> how != BufferChangePolicy.KEEP).ifPresent(s -> {
            FusionCostModel m = model.get().orElseThrow();
            Strategy from = wanted.layers() == m.layers() && wanted.largest() <= m.batch() ? wanted : s.strategy();
            answers.submit(() -> new Answer(s, how.answer(m, from)));
        });
    }

    /// Puts an answer in place where nothing was set since it was asked for; it is part of that edit, not one
    /// of its own.
    private void answered(Answer a) {
        if (setup.get()
                        .filter(s -> s.accelerator().equals(a.to().accelerator()) && s.batch() == a.to().batch())
                        .isPresent()
                && follow.get() != BufferChangePolicy.KEEP) {
            apply(a.to().with(a.strategy()), follow.get().words());
        }
    }

    // --- the table

    /// Puts the selected strategy into the table; can be undone.
    public void keepCurrent() {
        candidates.keep();
    }

    private void found(FusionSearchRun run) {
        run.best().ifPresent(best -> {
            candidates.add(
                    run.title(),
                    run.model().budget(),
                    run.evaluations(),
                    run.run().algorithmSeconds(),
                    best);
            // The first result is shown; later ones only where they are better for the buffer there is.
            model.get()
                    .filter(m -> best.largest() <= m.batch())
                    .map(m -> m.report(best))
                    .filter(FusionReport::isValid)
                    .filter(b -> report.get()
                            .filter(r -> r.isValid()
                                    && r.cost().seconds() <= b.cost().seconds())
                            .isEmpty())
                    .ifPresent(b -> choose(best, run.title()));
        });
    }

    /// Starts the chosen searches, one after the other.
    public void search() {
        setup.get().ifPresent(searches::start);
    }

    // --- what is shown

    @Override
    public UndoStack undo() {
        return undo;
    }

    /// Its runs.
    public RunViewModel runs() {
        return searches.runs();
    }

    /// The searches.
    FusionRuns searches() {
        return searches;
    }

    /// The ways the strategy can follow the buffer.
    List<BufferChangePolicy> follows() {
        return BufferChangePolicy.all(methods.all());
    }

    /// How the strategy follows the buffer.
    ObjectProperty<BufferChangePolicy> followMode() {
        return follow;
    }

    /// The open network.
    public ReadOnlyObjectProperty<Optional<FusionNetwork>> network() {
        return network.getReadOnlyProperty();
    }

    ReadOnlyObjectProperty<Optional<Setup>> setup() {
        return setup.getReadOnlyProperty();
    }

    /// Evaluates strategies of the open network as things are set.
    public ReadOnlyObjectProperty<Optional<FusionCostModel>> model() {
        return model.getReadOnlyProperty();
    }

    /// The selected strategy and what it costs.
    public ReadOnlyObjectProperty<Optional<FusionReport>> report() {
        return report.getReadOnlyProperty();
    }

    /// The strategy compared with, no fusion or a pinned one, and what it costs as things are set; empty where it
    /// needs a larger batch.
    public ReadOnlyObjectProperty<Optional<FusionReport>> compared() {
        return compared.getReadOnlyProperty();
    }

    /// The strategies as designs.
    public DesignModels models() {
        return candidates.models();
    }

    /// How the strategy compared with is called.
    String againstTitle() {
        return candidates.againstTitle();
    }

    List<Candidate> candidates() {
        return candidates.all();
    }

    /// Where the selected strategy comes from.
    public ReadOnlyStringProperty origin() {
        return origin.getReadOnlyProperty();
    }

    /// The selected layer, 0 for the input.
    public IntegerProperty layer() {
        return layer;
    }

    /// How many layers and samples there are, in words.
    ObservableValue<String> about() {
        return Bindings.createStringBinding(
                () -> network.get()
                        .map(n -> strips.layers().orElse(n.layers()) + " layers, batch "
                                + setup.get()
                                        .map(x -> Integer.toString(x.batch()))
                                        .orElse(""))
                        .orElse(""),
                network,
                setup);
    }

    @Override
    public ObservableValue<Optional<String>> name() {
        return network.map(n -> n.map(FusionNetwork::name));
    }

    @Override
    public Opener opener() {
        return opener;
    }

    @Override
    public void shutDown() {
        opened.ifPresent(o -> o.project().close());
    }
}
