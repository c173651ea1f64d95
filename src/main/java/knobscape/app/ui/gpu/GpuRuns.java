package knobscape.app.ui.gpu;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleIntegerProperty;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.run.ComparedRuns;
import knobscape.app.ui.run.RunPictures;
import knobscape.app.ui.run.RunTable;
import knobscape.app.ui.run.RunTable.Column;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.explore.Prediction;
import knobscape.explore.RunEvent;
import knobscape.gpu.GpuArea;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TuningFiles;
import knobscape.gpu.export.TuningResults;
import knobscape.gpu.history.EarlierBests;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.project.BestTuning;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.RunStatus;
import knobscape.project.RunStore;
import knobscape.project.Session;
import knobscape.project.UserHistory;
import knobscape.space.Configuration;
import knobscape.work.Area;
import knobscape.work.PastRun;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;

/// The runs of a network as the kernels stand: the selected run, and the others beside it.
final class GpuRuns implements RunPictures {
    private static final int MAX_PAST = 24;

    private final BiConsumer<String, String> hardware;
    private final ReadOnlyObjectWrapper<List<KernelState>> states = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Optional<TuningState>> shown = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<List<TuningState>> past = new ReadOnlyObjectWrapper<>(List.of());
    private final ComparedRuns ticks = new ComparedRuns(run -> true);
    private final IntegerProperty current = new SimpleIntegerProperty(-1);
    private final Results results;
    private final ReadOnlyIntegerProperty selected;
    /// The configurations of each kernel.
    private List<DesignSet> designs = List.of();
    /// Runs as they ended; a run is read again when it ends once more.
    private final Map<Long, TuningState> read = new ConcurrentHashMap<>();

    /// @param hardware told on the screen what a device calls itself
    /// @param results shows the configurations of the selected kernel
    /// @param selected the selected kernel
    GpuRuns(BiConsumer<String, String> hardware, Results results, ReadOnlyIntegerProperty selected) {
        this.hardware = hardware;
        this.results = results;
        this.selected = selected;
        selected.addListener(o -> results.open(designs()));
    }

    private DesignSet designs() {
        return selected.get() < designs.size() ? designs.get(selected.get()) : DesignSet.none();
    }

    /// How the kernels stand.
    ReadOnlyObjectProperty<List<KernelState>> states() {
        return states.getReadOnlyProperty();
    }

    /// The selected run.
    ReadOnlyObjectProperty<Optional<TuningState>> shown() {
        return shown.getReadOnlyProperty();
    }

    /// The others, oldest first.
    ReadOnlyObjectProperty<List<TuningState>> past() {
        return past.getReadOnlyProperty();
    }

    /// Those of the others that a person lets be drawn.
    List<TuningState> drawn() {
        return past.get().stream().filter(t -> ticks.isOn(t.id())).toList();
    }

    /// Which those are.
    ComparedRuns ticks() {
        return ticks;
    }

    /// What the table of runs says of them.
    RunTable table() {
        return new RunTable(
                List.of(
                        new Column(
                                "Device",
                                120,
                                false,
                                r -> TuningState.device(r.settings().toolchain())),
                        Column.figure(
                                "Measured",
                                76,
                                this::tuning,
                                t -> Optional.of(Quantity.count(t.kernels().stream()
                                        .mapToInt(KernelState::trials)
                                        .sum()))),
                        Column.figure(
                                "Network",
                                74,
                                this::tuning,
                                t -> t.network().stream().reduce((a, b) -> b).map(last -> GpuFigures.millis(last[1])))),
                ticks,
                List.of(past, shown));
    }

    private Optional<TuningState> tuning(RunRecord run) {
        return Stream.concat(shown.get().stream(), past.get().stream())
                .filter(t -> t.id() == run.id())
                .findFirst();
    }

    /// The kernel being measured, -1 for none.
    IntegerProperty current() {
        return current;
    }

    /// What is known of a run, evaluation by evaluation.
    private static final class Track {
        private final TuningResults results;
        private final double[] fastest;
        private final List<double[]> network = new ArrayList<>();
        private final List<TuningState.Belief> beliefs;
        private final SelectionLog.Track picks;
        private final List<DesignFold> designs;
        private Optional<EarlierBests> reached = Optional.empty();
        private int trials;

        Track(TunableNetwork network) {
            this.results = new TuningResults(network);
            this.beliefs = new ArrayList<>(Collections.nCopies(network.kernels().size(), TuningState.Belief.NONE));
            this.fastest = new double[network.kernels().size()];
            Arrays.fill(fastest, Double.POSITIVE_INFINITY);
            this.picks = new SelectionLog.Track(fastest.length);
            this.designs = folds(network);
        }

        /// Takes the designs of a stored run too.
        Track withDesigns(RunResults run) {
            designs.stream().filter(f -> f.matches(run.run())).forEach(f -> f.load(run));
            return this;
        }

        List<DesignSet> sets() {
            return designs.stream().map(DesignFold::set).toList();
        }

        static Track of(Session<?> opened, RunResults run) {
            var track = new Track(network(opened));
            run.found().forEach(f -> track.add(f.subject(), f.step(), f.evaluation()));
            run.designs().forEach(d -> track.predicted(d.subject(), d.prediction(), d.evaluations()));
            run.trace().forEach(t -> track.diagnosed(t.subject(), t.diagnostics()));
            run.designs().stream()
                    .filter(d -> d.step() != PastRun.KNOWN)
                    .forEach(d -> track.picks.add(d.subject(), d.reason(), d.prediction(), d.evaluations()));
            track.look(
                    opened,
                    run.run().work(GpuSettings.class),
                    run.run().settings(),
                    run.run().info());
            return track;
        }

        void predicted(int subject, Optional<Prediction> prediction, List<Evaluation> evaluations) {
            if (subject >= beliefs.size() || prediction.isEmpty() || evaluations.isEmpty()) {
                return;
            }
            Prediction.Interval expected = prediction.get().metrics().get("time");
            OptionalDouble measured = evaluations.getLast().value("time");
            if (expected != null && measured.isPresent()) {
                TuningState.Belief b = beliefs.get(subject);
                var pairs = new ArrayList<>(b.predicted());
                pairs.add(new double[] {expected.median(), measured.getAsDouble()});
                beliefs.set(subject, new TuningState.Belief(pairs, b.loss(), b.attention()));
            }
        }

        void diagnosed(int subject, Map<String, double[]> diagnostics) {
            if (subject < beliefs.size()) {
                TuningState.Belief b = beliefs.get(subject);
                beliefs.set(
                        subject,
                        new TuningState.Belief(
                                b.predicted(),
                                diagnostics.getOrDefault("loss", b.loss()),
                                diagnostics.getOrDefault("attention", b.attention())));
            }
        }

        void add(int subject, int step, Evaluation e) {
            results.add(subject, step, e);
            boolean tail = subject >= fastest.length;
            if (!tail) {
                results.mean(subject, e.configuration()).ifPresent(designs.get(subject)::repeated);
            }
            trials += tail || step == PastRun.KNOWN ? 0 : 1;
            double time = e.value("time").orElse(Double.POSITIVE_INFINITY);
            if (tail || time < fastest[subject]) {
                if (!tail) {
                    fastest[subject] = time;
                }
                double latency = results.picture().latencyMilliseconds();
                if (!Double.isNaN(latency)) {
                    network.add(new double[] {trials, latency});
                }
            }
        }

        /// Finds what the history had when the run began; a history that is gone or damaged has nothing.
        void look(Session<?> opened, GpuSettings what, RunSettings how, EvaluatorInfo info) {
            try {
                reached = opened.bench(GpuWorkbench.class).with(what).reachedBefore(how, info);
            } catch (UserError e) {
                reached = Optional.empty();
            }
        }

        List<KernelState> states() {
            return results.picture().states();
        }

        SelectionLog picks() {
            return picks.picture(reached.flatMap(r -> r.words(states(), results.turns())));
        }
    }

    private final class Tunings implements Fold {
        private final Track track;
        private final RunSettings settings;
        private final List<TuningState> others;
        private final Session<?> opened;
        private List<KernelState> now;
        private int kernel = -1;
        private Optional<String> device = Optional.empty();

        Tunings(Session<?> opened, Track track, RunSettings settings, List<TuningState> others) {
            this.opened = opened;
            this.track = track;
            this.settings = settings;
            this.others = others;
            this.now = track.states();
        }

        @Override
        public void apply(List<RunEvent> events) {
            track.designs.forEach(f -> f.apply(events));
            for (RunEvent event : events) {
                switch (event) {
                    case RunEvent.Started s -> {
                        device = ScheduleEvaluator.hardware(s.info()).or(() -> device);
                        track.look(opened, opened.bench(GpuWorkbench.class).settings(), settings, s.info());
                    }
                    case RunEvent.Known k -> k.evaluations().forEach(e -> track.add(k.subject(), PastRun.KNOWN, e));
                    case RunEvent.Evaluated e -> {
                        e.evaluations().forEach(x -> track.add(e.subject(), e.step(), x));
                        track.predicted(e.subject(), e.proposal().prediction(), e.evaluations());
                        track.picks.add(
                                e.subject(), e.proposal().reason(), e.proposal().prediction(), e.evaluations());
                        kernel = track.results.kernel(e.subject());
                    }
                    case RunEvent.StepDone d -> track.diagnosed(d.subject(), d.diagnostics());
                    case RunEvent.Finished _ -> kernel = -1;
                    default -> {}
                }
            }
            now = track.states();
        }

        @Override
        public Picture picture() {
            List<KernelState> kernels = now;
            int at = kernel;
            List<double[]> network = List.copyOf(track.network);
            List<TuningState.Belief> beliefs = List.copyOf(track.beliefs);
            SelectionLog picks = track.picks();
            Optional<String> named = device;
            List<DesignSet> sets = track.sets();
            return (run, anew) -> {
                named.ifPresent(h -> hardware.accept(settings.toolchain(), h));
                show(run.map(r -> tuning(r, kernels, network, beliefs, picks)), kernels, others, at);
                show(sets, anew);
            };
        }

        @Override
        public int evaluated() {
            return now.stream().mapToInt(KernelState::trials).sum();
        }

        @Override
        public String best() {
            return track.network.isEmpty()
                    ? ""
                    : "network " + GpuFigures.millis(track.network.getLast()[1]);
        }

        @Override
        public String title(int subject, Configuration configuration) {
            NetworkKernel k = track.results.network().kernels().get(track.results.kernel(subject));
            return k.task() + " " + k.tag();
        }
    }

    private void show(Optional<TuningState> run, List<KernelState> kernels, List<TuningState> others, int at) {
        shown.set(run);
        past.set(others);
        current.set(at);
        states.set(kernels);
    }

    private void show(List<DesignSet> sets, boolean anew) {
        designs = sets;
        if (anew) {
            results.open(designs());
        } else {
            results.update(designs());
        }
    }

    private static List<DesignFold> folds(TunableNetwork network) {
        return IntStream.range(0, network.kernels().size())
                .mapToObj(k ->
                        DesignFold.ofSubject(k, network.kernels().get(k).space().knobs()))
                .toList();
    }

    private static TuningState tuning(
            RunRecord run,
            List<KernelState> kernels,
            List<double[]> network,
            List<TuningState.Belief> beliefs,
            SelectionLog picks) {
        return new TuningState(
                run.id(), run.work(GpuSettings.class), run.settings(), run.status(), kernels, network, beliefs, picks);
    }

    private static TunableNetwork network(Session<?> opened) {
        return opened.bench(GpuWorkbench.class).network();
    }

    @Override
    public Picture before(Session<?> opened, RunSettings settings) {
        return new Tunings(opened, new Track(network(opened)), settings, List.of()).picture();
    }

    /// The run learns from the user's history where its method does.
    @Override
    public WorkSettings settings(Session<?> opened, Area.Work form) {
        return new GpuArea()
                .begun(form, UserHistory.file().filter(Files::isRegularFile))
                .settings();
    }

    @Override
    public Fold begin(Session<?> opened, RunSettings settings) {
        // A log that cannot be used ends a run before it begins.
        opened.bench(GpuWorkbench.class).log(settings);
        return new Tunings(opened, new Track(network(opened)), settings, others(opened, 0));
    }

    @Override
    public Fold stored(Session<?> opened, RunResults run) {
        read.remove(run.run().id());
        return new Tunings(
                opened,
                Track.of(opened, run).withDesigns(run),
                run.run().settings(),
                others(opened, run.run().id()));
    }

    private List<TuningState> others(Session<?> opened, long except) {
        List<RunRecord> all = opened.project().runs().map(RunStore::list).orElse(List.of()).stream()
                .filter(r -> r.id() != except && r.status() != RunStatus.RUNNING && shows(opened, r))
                .toList();
        return all.subList(Math.max(0, all.size() - MAX_PAST), all.size()).stream()
                .map(r -> read.computeIfAbsent(r.id(), id -> {
                    Track track = Track.of(opened, stored(opened, id));
                    return tuning(
                            r,
                            track.states(),
                            List.copyOf(track.network),
                            List.copyOf(track.beliefs),
                            SelectionLog.NONE);
                }))
                .filter(t -> t.kernels().stream().anyMatch(k -> k.trials() > 0))
                .toList();
    }

    /// The fastest kernel of every task among the runs on the device of the newest.
    @Override
    public Optional<Picture> best(Session<?> opened) {
        List<TuningState> all = others(opened, 0);
        List<TuningState> same = all.stream()
                .filter(t -> t.device().equals(all.getLast().device()))
                .toList();
        if (same.size() < 2) {
            return Optional.empty();
        }
        TuningState newest = same.getLast();
        List<KernelState> kernels = IntStream.range(0, newest.kernels().size())
                .mapToObj(k -> same.stream()
                        .map(t -> t.kernels().get(k))
                        .max(Comparator.comparingDouble(KernelState::bestGflops))
                        .orElseThrow())
                .toList();
        var merged = new TuningState(
                0,
                newest.what(),
                newest.how().with(RunSettings.METHOD, TuningState.BEST),
                RunStatus.COMPLETED,
                kernels,
                List.of(),
                List.of(),
                SelectionLog.NONE);
        List<DesignFold> folds = folds(network(opened));
        same.stream()
                .map(t -> stored(opened, t.id()))
                .forEach(run -> folds.stream().filter(f -> f.matches(run.run())).forEach(f -> f.join(run)));
        List<DesignSet> sets = folds.stream().map(DesignFold::set).toList();
        return Optional.of((run, anew) -> {
            show(Optional.of(merged), kernels, all, -1);
            show(sets, anew);
        });
    }

    private static RunResults stored(Session<?> opened, long run) {
        return opened.project().runs().orElseThrow().results(run);
    }

    @Override
    public boolean shows(Session<?> opened, RunRecord run) {
        return run.work() instanceof GpuSettings
                && run.sourceHash().equals(opened.bench().sourceHash());
    }

    @Override
    public int budget(Session<?> opened, RunSettings settings) {
        return opened.bench(GpuWorkbench.class).budget(settings);
    }

    /// Writes the files of the best run's results.
    @Override
    public Runnable ended(Session<?> opened, RunRecord run) {
        read.remove(run.id());
        RunRecord best = BestTuning.of(opened.project().runs().orElseThrow(), network(opened), run);
        TuningFiles.write(
                opened.project().runsFolder(),
                best.summary(opened.project()),
                TuningResults.of(network(opened), stored(opened, best.id()).found()),
                FileGuard.standard());
        return () -> {};
    }

    @Override
    public void clear() {
        read.clear();
        states.set(List.of());
        shown.set(Optional.empty());
        past.set(List.of());
        current.set(-1);
        ticks.clear();
        designs = List.of();
        results.open(DesignSet.none());
    }
}
