package knobscape.app.ui.gpu;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleIntegerProperty;
import knobscape.app.ui.run.RunPictures;
import knobscape.evaluate.report.FileGuard;
import knobscape.explore.RunEvent;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TuningResults;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.project.BestTuning;
import knobscape.project.Opened;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.RunStatus;
import knobscape.project.RunStore;
import knobscape.gpu.export.TuningFiles;
import knobscape.space.Configuration;
import knobscape.work.RunSettings;

/// The runs of a network as the kernels stand: the selected run, and the others beside it.
final class GpuRuns implements RunPictures {
    private static final int MAX_PAST = 24;

    private final BiConsumer<String, String> hardware;
    private final ReadOnlyObjectWrapper<List<KernelState>> states = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Optional<Tuning>> shown = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<List<Tuning>> past = new ReadOnlyObjectWrapper<>(List.of());
    private final IntegerProperty current = new SimpleIntegerProperty(-1);
    /// Runs as they ended; a run is read again when it ends once more.
    private final Map<Long, Tuning> read = new ConcurrentHashMap<>();

    /// @param hardware told on the screen what a device calls itself
    GpuRuns(BiConsumer<String, String> hardware) {
        this.hardware = hardware;
    }

    /// How the kernels stand.
    ReadOnlyObjectProperty<List<KernelState>> states() {
        return states.getReadOnlyProperty();
    }

    /// The selected run.
    ReadOnlyObjectProperty<Optional<Tuning>> shown() {
        return shown.getReadOnlyProperty();
    }

    /// The others, oldest first.
    ReadOnlyObjectProperty<List<Tuning>> past() {
        return past.getReadOnlyProperty();
    }

    /// The kernel being measured, -1 for none.
    IntegerProperty current() {
        return current;
    }

    private final class Tunings implements Fold {
        private final TuningResults results;
        private final RunSettings settings;
        private final List<Tuning> others;
        private List<KernelState> now;
        private int kernel = -1;
        private Optional<String> device = Optional.empty();

        Tunings(TuningResults results, RunSettings settings, List<Tuning> others) {
            this.results = results;
            this.settings = settings;
            this.others = others;
            this.now = results.picture().states();
        }

        @Override
        public void apply(List<RunEvent> events) {
            for (RunEvent event : events) {
                results.onEvent(event);
                switch (event) {
                    case RunEvent.Started s ->
                        device = ScheduleEvaluator.hardware(s.info()).or(() -> device);
                    case RunEvent.Evaluated e -> kernel = results.kernel(e.subject());
                    case RunEvent.Finished _ -> kernel = -1;
                    default -> {}
                }
            }
            now = results.picture().states();
        }

        @Override
        public Picture picture() {
            List<KernelState> kernels = now;
            int at = kernel;
            Optional<String> named = device;
            return (run, anew) -> {
                named.ifPresent(h -> hardware.accept(settings.toolchain(), h));
                states.set(kernels);
                shown.set(run.map(r -> tuning(r, kernels)));
                past.set(others);
                current.set(at);
            };
        }

        @Override
        public int evaluated() {
            return now.stream().mapToInt(KernelState::trials).sum();
        }

        @Override
        public String title(int subject, Configuration configuration) {
            NetworkKernel k = results.network().kernels().get(results.kernel(subject));
            return k.task() + " " + k.tag();
        }
    }

    private static Tuning tuning(RunRecord run, List<KernelState> kernels) {
        return new Tuning(run.id(), run.work(GpuSettings.class), run.settings(), run.status(), kernels);
    }

    private static TunableNetwork network(Opened<?> opened) {
        return ((GpuWorkbench) opened.bench()).network();
    }

    @Override
    public Picture before(Opened<?> opened, RunSettings settings) {
        return new Tunings(new TuningResults(network(opened)), settings, List.of()).picture();
    }

    @Override
    public Fold begin(Opened<?> opened, RunSettings settings) {
        // A log that cannot be used ends a run before it begins.
        ((GpuWorkbench) opened.bench()).log(settings);
        return new Tunings(new TuningResults(network(opened)), settings, others(opened, 0));
    }

    @Override
    public Fold stored(Opened<?> opened, RunResults run) {
        read.remove(run.run().id());
        return new Tunings(
                TuningResults.of(network(opened), run.found()),
                run.run().settings(),
                others(opened, run.run().id()));
    }

    private List<Tuning> others(Opened<?> opened, long except) {
        List<RunRecord> all = opened.project().runs().map(RunStore::list).orElse(List.of()).stream()
                .filter(r -> r.id() != except && r.status() != RunStatus.RUNNING && shows(opened, r))
                .toList();
        return all.subList(Math.max(0, all.size() - MAX_PAST), all.size()).stream()
                .map(r -> read.computeIfAbsent(r.id(), id -> tuning(r, kernels(opened, id))))
                .filter(t -> t.kernels().stream().anyMatch(k -> k.trials() > 0))
                .toList();
    }

    private static List<KernelState> kernels(Opened<?> opened, long run) {
        return results(opened, run).picture().states();
    }

    private static TuningResults results(Opened<?> opened, long run) {
        return TuningResults.of(
                network(opened),
                opened.project().runs().orElseThrow().results(run).found());
    }

    @Override
    public boolean shows(Opened<?> opened, RunRecord run) {
        return run.work() instanceof GpuSettings
                && run.sourceHash().equals(opened.bench().sourceHash());
    }

    @Override
    public int budget(Opened<?> opened, RunSettings settings) {
        return ((GpuWorkbench) opened.bench()).budget(settings);
    }

    /// Writes the files of the best run's results.
    @Override
    public Runnable ended(Opened<?> opened, RunRecord run) {
        read.remove(run.id());
        RunRecord best = BestTuning.of(opened.project().runs().orElseThrow(), network(opened), run);
        TuningFiles.write(
                opened.project().runsFolder(),
                best.summary(opened.project()),
                results(opened, best.id()),
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
    }
}
