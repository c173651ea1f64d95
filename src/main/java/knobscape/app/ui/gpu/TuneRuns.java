package knobscape.app.ui.gpu;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.WorkStatus;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.EventBatch;
import knobscape.app.ui.task.Gate;
import knobscape.evaluate.CancellationSignal;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.search.TaskSearch;
import knobscape.gpu.search.TuningMethod;
import knobscape.project.Folders;
import knobscape.project.RunStatus;
import knobscape.project.tune.TuneSettings;
import knobscape.project.tune.TuningFiles;
import knobscape.project.tune.TuningLog;
import knobscape.project.tune.TuningRun;
import knobscape.project.tune.TuningStore;
import knobscape.project.tune.TuningTarget;

/// Runs tunings in the background, one after the other on a thread of their own, with pause and stop. Used from the JavaFX thread.
final class TuneRuns {
    private final Background background;
    private final Messages messages;
    private final Listener listener;
    private final ReadOnlyObjectWrapper<WorkStatus> status = new ReadOnlyObjectWrapper<>(WorkStatus.idle("Nothing has been tuned yet"));
    private Optional<Job> job = Optional.empty();

    /// Told how runs go, on the screen.
    interface Listener {
        /// A run begins.
        ///
        /// @param goOn whether it is an earlier one that goes on
        void begun(TuneSettings settings, boolean goOn);

        /// Kernels have come further.
        ///
        /// @param kernel the one being measured
        void moved(List<KernelState> kernels, int kernel);

        /// A run has ended.
        ///
        /// @param canGoOn whether it can be resumed
        void ended(List<KernelState> kernels, boolean canGoOn);

        /// What a device calls itself.
        void device(String device, String hardware);
    }

    /// What runs need to know of the network.
    ///
    /// @param network what is tuned
    /// @param folder of the runs
    /// @param here where relative paths of the settings start
    record Place(GpuNetwork network, Path folder, Path here) { }

    TuneRuns(Background background, Messages messages, Listener listener) {
        this.background = background;
        this.messages = messages;
        this.listener = listener;
    }

    /// `BTED+BAO, seed 1, model:gtx1080ti`.
    static String title(TuneSettings s) {
        return s.method().equals(TuningLog.METHOD) ? "Log " + s.device().replaceFirst("^log:", "") : label(s.method()) + ", seed " + s.seed() + ", " + device(s.device());
    }

    /// What runs that differ in their seed alone have in common: `BTED+BAO, model:gtx1080ti`.
    static String group(TuneSettings s) {
        return s.method().equals(TuningLog.METHOD) ? title(s) : label(s.method()) + ", " + device(s.device());
    }

    /// Label of a method; the name itself where no method has it (an imported log).
    static String label(String method) {
        return TuningMethod.standard().all().stream().filter(m -> m.name().equals(method)).findFirst().map(TuningMethod::label).orElse(method);
    }

    /// A device without the folder of its file.
    static String device(String device) {
        return device.startsWith("replay:") ? "replay:" + Path.of(device.substring("replay:".length())).getFileName() : device;
    }

    /// Starts runs.
    void start(Place place, List<TuneSettings> queue) {
        begin(new Job(place, queue, false));
    }

    /// Goes on with the newest stored run.
    void resume(Place place, TuneSettings settings) {
        begin(new Job(place, List.of(settings), true));
    }

    private void begin(Job started) {
        if (job.isEmpty()) {
            job = Optional.of(started);
            status.set(WorkStatus.idle("").at(0, "Starting " + title(started.queue.getFirst()), ""));
            Thread.ofPlatform().daemon().name("knobscape-tune").start(started);
        }
    }

    boolean isActive() {
        return job.isPresent();
    }

    ReadOnlyObjectProperty<WorkStatus> status() {
        return status.getReadOnlyProperty();
    }

    /// Pauses after the measurement in flight, or goes on.
    void togglePause() {
        job.ifPresent(j -> {
            status.set(status.get().toggled(j.words()));
            j.gate.close(status.get().state() == WorkStatus.State.PAUSED);
        });
    }

    /// Stops after the measurement in flight; what was measured is stored and can be gone on with.
    void stop() {
        job.ifPresent(j -> j.cancel.cancel());
    }

    /// Stops, and says no more of what runs.
    void forget(String words) {
        stop();
        job = Optional.empty();
        status.set(WorkStatus.idle(words));
    }

    /// Runs that begin with one press of the button.
    private final class Job implements Runnable, TuningRun.Watcher {
        private final Place place;
        private final List<TuneSettings> queue;
        private final boolean goOn;
        private final CancellationSignal cancel = new CancellationSignal();
        private final Gate gate = new Gate(cancel);
        private final EventBatch<Job> news;
        private volatile List<KernelState.Track> tracks = List.of();
        private volatile List<TuningTarget.Kernel> kernels = List.of();
        private volatile int at;
        private volatile int kernel = -1;
        private volatile Optional<TuningRun.Progress> progress = Optional.empty();

        Job(Place place, List<TuneSettings> queue, boolean goOn) {
            this.place = place;
            this.queue = List.copyOf(queue);
            this.goOn = goOn;
            this.news = new EventBatch<>(background, batch -> {
                List<KernelState> now = pictures();
                return () -> show(this, now);
            });
        }

        private String words() {
            return title(queue.get(Math.min(at, queue.size() - 1))) + (queue.size() > 1 ? ", run " + (Math.min(at, queue.size() - 1) + 1) + " of " + queue.size() : "");
        }

        private List<KernelState> pictures() {
            return tracks.stream().map(KernelState.Track::picture).toList();
        }

        @Override
        public void run() {
            try {
                boolean more = true;
                for (at = 0; at < queue.size() && more; at++) {
                    more = one(queue.get(at), at == queue.size() - 1);
                }
            } catch (RuntimeException e) {
                List<KernelState> last = pictures();
                background.onScreen(() -> {
                    if (job.filter(this::equals).isPresent()) {
                        messages.fail("Tuning failed", e);
                        finish("Failed");
                        listener.ended(last, false);
                    }
                });
            }
        }

        /// Whether the next run may begin.
        private boolean one(TuneSettings settings, boolean isLast) {
            try (TuningTarget target = TuningTarget.open(settings, place.here()); TuningStore store = new TuningStore(Folders.writable(place.folder()))) {
                kernels = target.kernels();
                target.hardware().ifPresent(h -> background.onScreen(() -> listener.device(settings.device(), h)));
                TuningRun run;
                if (goOn) {
                    TuningStore.Tuning tuning = store.find(Optional.empty());
                    tracks = StoredTunings.tracks(place.network(), store, tuning.id(), target);
                    run = TuningRun.resume(tuning, settings, target, store, Clock.systemUTC(), System::nanoTime);
                } else {
                    tracks = place.network().kernels().stream().map(KernelState.Track::new).toList();
                    run = TuningRun.start(settings, target, store, Clock.systemUTC(), System::nanoTime);
                }
                background.onScreen(() -> {
                    if (job.filter(this::equals).isPresent()) {
                        listener.begun(settings, goOn);
                    }
                });
                TuningRun.Ending end = run.run(cancel, this);
                TuningFiles.write(run, end, store, place.folder());
                List<KernelState> last = StoredTunings.states(place.network(), store, run.id(), target);
                background.onScreen(() -> ended(this, last, end, isLast));
                return end.status() == RunStatus.COMPLETED;
            }
        }

        @Override
        public void measured(TuningTarget.Kernel k, TaskSearch.Answer answer, TuningRun.Progress p) {
            int index = kernels.indexOf(k);
            tracks.get(index).add(answer.evaluation());
            kernel = index;
            progress = Optional.of(p);
            news.add(this);
            gate.pass();
        }
    }

    private void show(Job j, List<KernelState> now) {
        if (job.filter(j::equals).isPresent()) {
            listener.moved(now, j.kernel);
            j.progress.ifPresent(p -> status.set(status.get().at((j.at + (double) p.trials() / Math.max(1, p.most())) / j.queue.size(), j.words(), Quantity.count(p.trials()) + " of "
                    + Quantity.count(p.most()) + (Double.isNaN(p.secondsLeft()) ? "" : ", about " + Quantity.duration(p.secondsLeft()) + " left"))));
        }
    }

    private void ended(Job j, List<KernelState> last, TuningRun.Ending end, boolean isLast) {
        if (job.filter(j::equals).isEmpty()) {
            return;
        }
        String words = end.status().words() + ": " + end.reason();
        if (isLast || end.status() != RunStatus.COMPLETED) {
            finish(words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1));
        }
        listener.ended(last, end.status() != RunStatus.COMPLETED);
        if (end.status() == RunStatus.FAILED) {
            messages.show(Message.error("Tuning ended: " + words + ". What was measured is kept."));
        }
    }

    private void finish(String words) {
        job = Optional.empty();
        status.set(WorkStatus.idle(words));
    }
}
