package knobscape.app.ui.fusion;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.ComparedRuns;
import knobscape.app.ui.run.RunForm;
import knobscape.app.ui.run.RunPictures;
import knobscape.app.ui.run.RunTable;
import knobscape.app.ui.run.RunTable.Column;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.LatestTask;
import knobscape.app.ui.undo.UndoStack;
import knobscape.explore.RunEvent;
import knobscape.fusion.FusionArea;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.fusion.StripWorkbench;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.space.Strategy;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.RunStatus;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.space.Configuration;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import knobscape.work.Workbench;

/// The searches of the open network as curves and a front. Used from the JavaFX thread, but for what
/// [RunPictures] says.
final class FusionRuns implements RunPictures {
    private static final int MAX_CURVES = 12;

    private final Background background;
    private final Messages messages;
    private final RunViewModel runs;
    private final Consumer<FusionSearchRun> found;
    private final Consumer<FusionSearchRun> picked;
    private final Consumer<UnaryOperator<Setup>> answered;
    private final ReadOnlyObjectWrapper<List<SpeedupCurve>> curves = new ReadOnlyObjectWrapper<>(List.of());
    private final LatestTask<CurveState> drawing;
    private Optional<Session<Workbench>> opened = Optional.empty();
    /// Costs as things are set.
    private Optional<FusionCostModel> model = Optional.empty();
    private List<FusionSearchRun> ended = List.of();
    private Optional<FusionSearchRun> live = Optional.empty();
    private Map<Long, BestPoint> exact = Map.of();
    private boolean opening;
    /// The person's settings when the searches were started.
    private volatile Optional<Setup> asked = Optional.empty();

    private final ComparedRuns ticks = new ComparedRuns(run -> true);
    private final ReadOnlyObjectWrapper<Map<Long, BestPoint>> reached = new ReadOnlyObjectWrapper<>(Map.of());

    private record CurveState(Session<Workbench> of, List<SpeedupCurve> curves, Map<Long, BestPoint> reached) {}

    /// The best point that a run reached.
    ///
    /// @param best speedup, NaN where nothing fits
    record BestPoint(long buffer, int evaluations, double best) {
        static BestPoint of(FusionSearchRun s, SpeedupCurve curve) {
            List<Double> best = curve.speedups();
            return new BestPoint(s.model().budget(), s.evaluations(), best.isEmpty() ? Double.NaN : best.getLast());
        }
    }

    /// @param found told what a run found when it ends
    /// @param picked told what a stored run found when a person selects it
    /// @param answered told what to set for a stored exact answer when a person selects it
    FusionRuns(
            Background background,
            Runner runner,
            Messages messages,
            UndoStack undo,
            Consumer<FusionSearchRun> found,
            Consumer<FusionSearchRun> picked,
            Consumer<UnaryOperator<Setup>> answered) {
        this.background = background;
        this.messages = messages;
        this.found = found;
        this.picked = picked;
        this.answered = answered;
        this.runs = new RunViewModel(
                background,
                runner,
                messages,
                undo,
                this,
                new RunForm(
                        new FusionArea(),
                        List.of(),
                        // They have places of their own in the window.
                        Set.of(
                                FusionSettings.ACCELERATOR,
                                FusionSettings.BUFFER,
                                FusionSettings.BATCH,
                                FusionSettings.DIMS,
                                // The method says what is worked in; the window shows the fastest answer.
                                FusionSettings.COST_MODEL,
                                FusionSettings.OBJECTIVE)));
        this.drawing = new LatestTask<>(
                background,
                d -> {
                    if (opened.filter(o -> o == d.of()).isPresent()) {
                        curves.set(d.curves());
                        reached.set(d.reached());
                        tellExact(exact);
                    }
                },
                e -> messages.fail("The searches cannot be shown", e));
        ticks.changes().addListener(o -> draw());
    }

    /// Shows the runs of a network just opened.
    void open(Session<Workbench> network, List<FusionSearchRun> earlier) {
        runs.leave(() -> {});
        opened = Optional.of(network);
        ended = earlier;
        opening = true;
        exact = Map.of();
        background.compute(
                () -> ExactRun.all(network),
                found -> {
                    if (opened.filter(o -> o == network).isPresent()) {
                        tellExact(found);
                    }
                },
                e -> messages.fail("The runs cannot be read", e));
        runs.open(network);
    }

    /// Shows nothing; a search at work is stopped and can be resumed.
    ///
    /// @param then done away from the screen once the project was given back
    void close(Runnable then) {
        opened = Optional.empty();
        ended = List.of();
        runs.leave(then);
    }

    /// Takes the costs as they are set now.
    void set(FusionCostModel now) {
        model = Optional.of(now);
        draw();
    }

    /// Starts what the form says.
    void start(Setup setup) {
        asked = Optional.of(setup);
        runs.start();
    }

    /// With what a person has set.
    @Override
    public WorkSettings settings(Session<?> of, Area.Work form) {
        FusionSettings own =
                ((FusionSettings) form.settings()).forMethod(form.run().method());
        if (asked.isEmpty()) {
            return own;
        }
        return asked.get().settings(own, of.project());
    }

    private void drawExact() {
        opening = false;
        live = Optional.empty();
        draw();
    }

    private void tellExact(Map<Long, BestPoint> found) {
        exact = found;
        var all = new HashMap<>(reached.get());
        all.putAll(found);
        reached.set(Map.copyOf(all));
    }

    private final class Search implements Fold {
        private final FusionWorkbench bench;
        private final List<FusionSearchRun.ImprovingStrategy> kept = new ArrayList<>();
        private final Set<Configuration> known = new HashSet<>();
        private double fastest = Double.POSITIVE_INFINITY;
        private int evaluations;
        private boolean over;

        Search(FusionWorkbench bench) {
            this.bench = bench;
        }

        @Override
        public void apply(List<RunEvent> events) {
            over = false;
            for (RunEvent event : events) {
                switch (event) {
                    case RunEvent.Batch b -> {
                        b.kept().forEach(e -> add(e.step(), e.proposal().configuration()));
                        evaluations = Math.max(evaluations, b.step());
                    }
                    case RunEvent.StageDone d -> add(d.step(), d.proposal().configuration());
                    case RunEvent.Finished _ -> over = true;
                    default -> {}
                }
            }
        }

        private void add(int step, Configuration configuration) {
            if (known.add(configuration)) {
                Strategy s = bench.strategies().strategy(configuration);
                kept.add(new FusionSearchRun.ImprovingStrategy(step, s));
                evaluations = Math.max(evaluations, step);
                var cost = bench.model().evaluate(s);
                if (bench.model().isValid(cost)) {
                    fastest = Math.min(fastest, cost.seconds());
                }
            }
        }

        @Override
        public Picture picture() {
            List<FusionSearchRun.ImprovingStrategy> now = List.copyOf(kept);
            int count = evaluations;
            boolean ended = over;
            return (run, anew) -> {
                Optional<FusionSearchRun> searched = run.map(r -> FusionSearchRun.of(bench, r, now, count, !ended));
                live = searched.filter(s -> !ended);
                if (ended && anew && !opening) {
                    searched.ifPresent(picked);
                }
                opening = false;
                draw();
            };
        }

        @Override
        public int evaluated() {
            return evaluations;
        }

        @Override
        public String best() {
            return Double.isInfinite(fastest)
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            "speedup %.2f in the paper's model",
                            bench.model().speedup(fastest));
        }

        @Override
        public String title(int subject, Configuration configuration) {
            return "a strategy";
        }
    }

    @Override
    public Picture before(Session<?> of, RunSettings settings) {
        return (run, anew) -> {
            opening = false;
            live = Optional.empty();
            draw();
        };
    }

    @Override
    public Fold begin(Session<?> of, RunSettings settings) {
        return of.bench() instanceof FusionWorkbench b ? new Search(b) : new ExactRun((run, anew) -> drawExact());
    }

    @Override
    public Fold stored(Session<?> of, RunResults run) {
        if (run.run().work() instanceof FusionSettings s && s.isStrips()) {
            Optional<Workbench> bench = FusionSearchRun.opened(of, run.run());
            return new ExactRun((shown, anew) -> {
                        if (anew && !opening) {
                            bench.ifPresent(b -> answered.accept(now -> now.of((StripWorkbench) b)));
                        }
                        drawExact();
                    })
                    .of(run);
        }
        var search = new Search(FusionSearchRun.bench(of, run.run()).orElseThrow());
        run.designs().stream()
                .filter(d -> d.highest().isPresent())
                .forEach(d -> search.add(d.step(), d.configuration()));
        search.over = true;
        search.evaluations = Math.max(search.evaluations, run.run().step());
        return search;
    }

    @Override
    public boolean shows(Session<?> of, RunRecord run) {
        return FusionSearchRun.opened(of, run).isPresent();
    }

    @Override
    public int budget(Session<?> of, RunSettings settings) {
        return settings.steps();
    }

    @Override
    public Runnable ended(Session<?> of, RunRecord run) {
        List<FusionSearchRun> all = FusionSearchRun.all(of);
        Map<Long, BestPoint> answers = ExactRun.all(of);
        return () -> {
            tellExact(answers);
            ended = all;
            live = Optional.empty();
            all.stream().filter(s -> s.run().id() == run.id()).findFirst().ifPresent(s -> {
                if (s.best().isPresent()) {
                    found.accept(s);
                } else if (run.status() == RunStatus.COMPLETED) {
                    messages.show(Message.warning(s.title() + " found no strategy that fits the buffer in "
                            + Quantity.count(s.evaluations())
                            + " evaluations; try more, another way to treat those that do not fit, or"
                            + " a larger buffer."));
                }
            });
            draw();
        };
    }

    @Override
    public void clear() {
        live = Optional.empty();
        curves.set(List.of());
        ticks.clear();
    }

    /// Draws curves and front again, away from the screen.
    private void draw() {
        if (opened.isEmpty() || model.isEmpty()) {
            return;
        }
        Session<Workbench> of = opened.get();
        FusionCostModel now = model.get();
        List<FusionSearchRun> past = ended;
        Optional<FusionSearchRun> running = live;
        Set<Long> drawn = Stream.concat(past.stream(), running.stream())
                .map(r -> r.run().id())
                .filter(ticks::isOn)
                .collect(Collectors.toUnmodifiableSet());
        drawing.submit(() -> {
            var all = new ArrayList<>(past);
            running.ifPresent(s -> {
                all.removeIf(e -> e.run().id() == s.run().id());
                all.add(s);
            });
            List<FusionSearchRun> same =
                    all.stream().filter(s -> s.costsAs(now)).toList();
            var made = new LinkedHashMap<FusionSearchRun, SpeedupCurve>();
            all.forEach(r -> made.put(r, SpeedupCurve.of(r)));
            List<SpeedupCurve> lines = same.stream()
                    .filter(s -> drawn.contains(s.run().id()))
                    .map(made::get)
                    .toList();
            return new CurveState(
                    of,
                    lines.subList(Math.max(0, lines.size() - MAX_CURVES), lines.size()),
                    made.entrySet().stream()
                            .collect(Collectors.toMap(
                                    e -> e.getKey().run().id(), e -> BestPoint.of(e.getKey(), e.getValue()))));
        });
    }

    /// The area's part of the table of runs.
    RunTable table() {
        return new RunTable(
                List.of(
                        new Column(
                                "Cost model",
                                86,
                                false,
                                r -> r.work(FusionSettings.class).isStrips() ? "strips" : "paper's"),
                        new Column(
                                "Batch",
                                56,
                                true,
                                r -> Integer.toString(
                                        r.work(FusionSettings.class).batch())),
                        Column.figure("Buffer", 76, this::reached, x -> Optional.of(ByteSize.shown(x.buffer()))),
                        Column.figure(
                                "Evaluated", 78, this::reached, x -> Optional.of(Quantity.count(x.evaluations()))),
                        Column.figure(
                                "Speedup",
                                74,
                                this::reached,
                                x -> Optional.of(
                                        Double.isNaN(x.best())
                                                ? "no fit"
                                                : String.format(Locale.ROOT, "%.2f\u00d7", x.best())))),
                ticks,
                List.of(reached));
    }

    private Optional<BestPoint> reached(RunRecord run) {
        return Optional.ofNullable(reached.get().get(run.id()));
    }

    /// The runs.
    RunViewModel runs() {
        return runs;
    }

    ReadOnlyObjectProperty<List<SpeedupCurve>> curves() {
        return curves.getReadOnlyProperty();
    }
}
