package knobscape.app.ui.gpu;

import java.nio.file.Files;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.run.ComparedRuns;
import knobscape.app.ui.run.RunPictures;
import knobscape.app.ui.run.RunTable;
import knobscape.app.ui.run.RunTable.Column;
import knobscape.evaluate.report.FileGuard;
import knobscape.explore.RunEvent;
import knobscape.gpu.GpuArea;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TuningFiles;
import knobscape.gpu.export.TuningResults;
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

    /// The device of the selected run, for a person; empty where there is none.
    ObservableValue<String> device() {
        return shown.map(s -> s.map(TuningState::device).orElse(""));
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

    /// The area's part of the table of runs.
    RunTable table() {
        return new RunTable(
                List.of(
                        new Column(
                                "Device",
                                170,
                                false,
                                r -> TuningState.device(r.settings().toolchain())),
                        Column.figure(
                                "Trials",
                                76,
                                this::tuning,
                                t -> Optional.of(Quantity.count(t.kernels().stream()
                                        .mapToInt(KernelState::trials)
                                        .sum()))),
                        Column.figure(
                                "Network",
                                74,
                                this::tuning,
                                t -> t.latency().stream()
                                        .mapToObj(GpuFigures::millis)
                                        .findFirst())),
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

    private final class Tunings implements Fold {
        private final TuningTrack track;
        private final RunSettings settings;
        private final List<TuningState> others;
        private final Session<?> opened;
        private List<KernelState> now;

        Tunings(Session<?> opened, TuningTrack track, RunSettings settings, List<TuningState> others) {
            this.opened = opened;
            this.track = track;
            this.settings = settings;
            this.others = others;
            this.now = track.states();
        }

        @Override
        public void apply(List<RunEvent> events) {
            track.apply(opened, settings, events);
            now = track.states();
        }

        @Override
        public Picture picture() {
            List<KernelState> kernels = now;
            int at = track.kernel();
            Optional<String> named = track.device();
            List<DesignSet> sets = track.sets();
            Function<RunRecord, TuningState> state = track.state(kernels, true);
            return (run, anew) -> {
                named.ifPresent(h -> hardware.accept(settings.toolchain(), h));
                show(run.map(state), kernels, others, at);
                show(sets, anew);
            };
        }

        @Override
        public int evaluated() {
            return now.stream().mapToInt(KernelState::trials).sum();
        }

        @Override
        public String best() {
            return track.latency()
                    .map(t -> (t.isWhole() ? "network " : "network about ") + GpuFigures.millis(t.milliseconds()))
                    .orElse("");
        }

        @Override
        public String title(int subject, Configuration configuration) {
            return track.title(subject);
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

    private static TunableNetwork network(Session<?> opened) {
        return opened.bench(GpuWorkbench.class).network();
    }

    @Override
    public Picture before(Session<?> opened, RunSettings settings) {
        return new Tunings(opened, new TuningTrack(network(opened)), settings, List.of()).picture();
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
        return new Tunings(opened, new TuningTrack(network(opened)), settings, others(opened, 0));
    }

    @Override
    public Fold stored(Session<?> opened, RunResults run) {
        read.remove(run.run().id());
        return new Tunings(
                opened,
                TuningTrack.of(opened, run).withDesigns(run),
                run.run().settings(),
                others(opened, run.run().id()));
    }

    private List<TuningState> others(Session<?> opened, long except) {
        List<RunRecord> all = opened.project().runs().map(RunStore::list).orElse(List.of()).stream()
                .filter(r -> r.id() != except && r.status() != RunStatus.RUNNING && shows(opened, r))
                .toList();
        return all.subList(Math.max(0, all.size() - MAX_PAST), all.size()).stream()
                .map(r -> read.computeIfAbsent(r.id(), id -> {
                    TuningTrack track = TuningTrack.of(opened, stored(opened, id));
                    return track.state(track.states(), false).apply(r);
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
        List<DesignFold> folds = TuningTrack.folds(network(opened));
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
                opened.project().summary(best),
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
