package knobscape.app.ui.gpu;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.LongProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.beans.property.SimpleLongProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.EventBatch;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.explore.tuning.TaskSearch;
import knobscape.gpu.template.Schedule;
import knobscape.project.Folders;
import knobscape.project.RunStatus;
import knobscape.project.tune.TuneSettings;
import knobscape.project.tune.TuningFiles;
import knobscape.project.tune.TuningRun;
import knobscape.project.tune.TuningStore;
import knobscape.project.tune.TuningTarget;

/// The open network, its tuning tasks, and the run that tunes them. Used from the JavaFX thread; reading and tuning happen away from it.
public final class GpuViewModel {
    private static final int MOST_RECENT = 10;
    private static final int MOST_PAST = 6;

    /// What a run does.
    enum State {
        /// Nothing runs.
        IDLE,
        /// It goes on.
        RUNNING,
        /// It waits.
        PAUSED
    }

    /// What is said about it.
    ///
    /// @param share of the measurements done, 0..1
    record Status(State state, double share, String words, String figures) { }

    /// A run looked back at.
    ///
    /// @param title method, seed, device
    /// @param kernels as they ended
    record Past(String title, List<KernelState> kernels) { }

    /// The schedule that others are compared with.
    record Pinned(String title, Schedule schedule, double gflops) { }

    private final Background background;
    private final Messages messages;
    private final Settings settings;
    private final String recentKey;
    private final Function<String, Path> folders;
    private final UndoStack undo = new UndoStack();
    private final ReadOnlyObjectWrapper<Optional<GpuNetwork>> network = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<List<KernelState>> states = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Optional<TuneSettings>> shown = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<List<Past>> past = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Optional<Pinned>> pinned = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Status> status = new ReadOnlyObjectWrapper<>(new Status(State.IDLE, 0, "Nothing has been tuned yet", ""));
    private final ReadOnlyBooleanWrapper resumable = new ReadOnlyBooleanWrapper();
    private final IntegerProperty current = new SimpleIntegerProperty(-1);
    private final ReadOnlyStringWrapper opening = new ReadOnlyStringWrapper("");
    private final ReadOnlyBooleanWrapper open = new ReadOnlyBooleanWrapper();
    private final IntegerProperty selected = new SimpleIntegerProperty();
    private final StringProperty method = new SimpleStringProperty("bted+bao");
    private final StringProperty device = new SimpleStringProperty("model:gtx1080ti");
    private final IntegerProperty trials = new SimpleIntegerProperty(64);
    private final LongProperty seed = new SimpleLongProperty(1);
    private Optional<Job> job = Optional.empty();
    private int asked;

    /// @param background where work is done
    /// @param messages takes what goes wrong
    /// @param settings what is remembered
    /// @param recentKey where the settings keep what was opened
    /// @param folders the folder of the runs of a source
    public GpuViewModel(Background background, Messages messages, Settings settings, String recentKey, Function<String, Path> folders) {
        this.background = background;
        this.messages = messages;
        this.settings = settings;
        this.recentKey = recentKey;
        this.folders = folders;
    }

    /// The folder of the runs of a source: beside a file, as the command line has it, else among the program's own.
    ///
    /// @param own the program's own folder of runs
    public static Path usualFolder(String source, Path own) {
        String name = GpuNetwork.stem(source) + ".knobscape";
        if (!source.startsWith("zoo:")) {
            Path parent = Path.of(source).toAbsolutePath().normalize().getParent();
            return Folders.isWritable(parent) ? parent.resolve(name) : own.resolve(GpuNetwork.stem(source) + "-" + Integer.toHexString(parent.toString().hashCode()) + ".knobscape");
        }
        return own.resolve(name);
    }

    private record Read(GpuNetwork network, Optional<Stored> stored) { }

    private record Stored(TuneSettings settings, List<KernelState> kernels, RunStatus status) { }

    /// Opens a file, or `zoo:NAME`, with its newest stored run. A run that goes on is stopped first; it can be resumed.
    public void open(String source) {
        int mine = ++asked;
        open.set(true);
        opening.set("Reading " + source.replaceFirst("^zoo:", ""));
        background.compute(() -> {
            GpuNetwork n = GpuNetwork.read(source);
            return new Read(n, stored(n));
        }, read -> {
            if (mine != asked) {
                return;
            }
            opening.set("");
            show(read);
            if (!source.startsWith("zoo:")) {
                settings.remember(recentKey, Path.of(source).toAbsolutePath().normalize().toString(), MOST_RECENT);
                background.away(settings::save);
            }
        }, e -> {
            messages.fail("The network could not be opened", e);
            if (mine == asked) {
                opening.set("");
                open.set(network.get().isPresent());
            }
        });
    }

    private Optional<Stored> stored(GpuNetwork n) {
        Path folder = folders.apply(n.source());
        if (!Files.isRegularFile(folder.resolve(TuningStore.FILE_NAME))) {
            return Optional.empty();
        }
        try (TuningStore store = new TuningStore(folder)) {
            Optional<TuningStore.Tuning> newest = store.list().reversed().stream().findFirst();
            if (newest.isEmpty() || newest.get().settings().allTemplates() || newest.get().settings().batch() != 1) {
                return Optional.empty();
            }
            try (TuningTarget target = TuningTarget.open(newest.get().settings(), Path.of("").toAbsolutePath())) {
                if (!target.hash().equals(newest.get().hash()) || target.kernels().size() != n.kernels().size()) {
                    return Optional.empty();
                }
                var states = new ArrayList<KernelState>();
                for (int k = 0; k < target.kernels().size(); k++) {
                    states.add(restored(store, newest.get().id(), k, target).picture());
                }
                return Optional.of(new Stored(newest.get().settings(), states, newest.get().status()));
            }
        } catch (UserError e) {
            background.onScreen(() -> messages.show(Message.warning("The earlier tuning run cannot be shown: " + e.getMessage())));
            return Optional.empty();
        }
    }

    private static KernelState.Track restored(TuningStore store, long run, int k, TuningTarget target) {
        var track = new KernelState.Track(target.kernels().get(k).flops());
        store.rows(run, k, target).forEach(r -> track.add(r.evaluation()));
        return track;
    }

    private void show(Read read) {
        job.ifPresent(j -> j.cancel.cancel());
        job = Optional.empty();
        messages.clear();
        undo.clear();
        pinned.set(Optional.empty());
        past.set(List.of());
        current.set(-1);
        selected.set(0);
        shown.set(read.stored().map(Stored::settings));
        states.set(read.stored().map(Stored::kernels).orElse(read.network().kernels().stream().map(k -> KernelState.none()).toList()));
        network.set(Optional.of(read.network()));
        read.stored().ifPresent(s -> {
            method.set(s.settings().method());
            device.set(s.settings().device());
            seed.set(s.settings().seed());
        });
        boolean goesOn = read.stored().filter(s -> s.status() != RunStatus.COMPLETED).isPresent();
        resumable.set(goesOn);
        status.set(new Status(State.IDLE, 0, read.stored().map(s -> "Earlier run, " + s.status().words()).orElse("Nothing has been tuned yet"), ""));
        read.network().notes().stream().limit(2).forEach(n -> messages.show(Message.warning(n)));
    }

    /// Closes the network; a run that goes on is stopped and can be resumed.
    public void close() {
        asked++;
        job.ifPresent(j -> j.cancel.cancel());
        job = Optional.empty();
        undo.clear();
        messages.clear();
        network.set(Optional.empty());
        states.set(List.of());
        past.set(List.of());
        pinned.set(Optional.empty());
        opening.set("");
        open.set(false);
        status.set(new Status(State.IDLE, 0, "Nothing has been tuned yet", ""));
    }

    /// Begins a run with the method, device, trials and seed set.
    public void tune() {
        network.get().filter(n -> job.isEmpty()).ifPresent(n -> {
            int all = Math.multiplyExact(trials.get(), n.kernels().size());
            var s = new TuneSettings(n.source(), method.get(), device.get(), all, 0, TuneSettings.DEFAULT_EARLY_STOP, 1, false, "knob", seed.get());
            keepPast();
            begin(n, s, false);
        });
    }

    /// Goes on with the newest stored run.
    public void resume() {
        network.get().filter(n -> job.isEmpty() && resumable.get()).flatMap(n -> shown.get().map(s -> new Job(n, s, true))).ifPresent(this::begin);
    }

    private void keepPast() {
        Optional<TuneSettings> before = shown.get();
        if (before.isPresent() && states.get().stream().anyMatch(s -> s.trials() > 0)) {
            var all = new ArrayList<>(past.get());
            all.add(new Past(title(before.get()), states.get()));
            while (all.size() > MOST_PAST) {
                all.removeFirst();
            }
            past.set(List.copyOf(all));
        }
    }

    private void begin(GpuNetwork n, TuneSettings s, boolean goOn) {
        begin(new Job(n, s, goOn));
    }

    private void begin(Job started) {
        job = Optional.of(started);
        shown.set(Optional.of(started.settings));
        resumable.set(false);
        if (!started.goOn) {
            states.set(started.network.kernels().stream().map(k -> KernelState.none()).toList());
        }
        status.set(new Status(State.RUNNING, 0, "Starting " + title(started.settings), ""));
        Thread.ofPlatform().daemon().name("knobscape-tune").start(started);
    }

    /// `BTED+BAO, seed 1, model:gtx1080ti`.
    static String title(TuneSettings s) {
        return TuningRun.method(s.method()).label() + ", seed " + s.seed() + ", " + s.device();
    }

    /// A run on a thread of its own.
    private final class Job implements Runnable, TuningRun.Watcher {
        private final GpuNetwork network;
        private final TuneSettings settings;
        private final boolean goOn;
        private final CancellationSignal cancel = new CancellationSignal();
        private final Object gate = new Object();
        private final EventBatch<Job> news;
        private volatile List<KernelState.Track> tracks = List.of();
        private volatile int kernel = -1;
        private volatile Optional<TuningRun.Progress> progress = Optional.empty();
        private boolean paused;

        Job(GpuNetwork network, TuneSettings settings, boolean goOn) {
            this.network = network;
            this.settings = settings;
            this.goOn = goOn;
            this.news = new EventBatch<>(background, batch -> {
                List<KernelState> now = tracks.stream().map(KernelState.Track::picture).toList();
                return () -> show(this, now);
            });
            cancel.onCancel(() -> pause(false));
        }

        @Override
        public void run() {
            Path folder = folders.apply(network.source());
            try (TuningTarget target = TuningTarget.open(settings, Path.of("").toAbsolutePath());
                    TuningStore store = new TuningStore(Folders.writable(folder))) {
                TuningRun run;
                if (goOn) {
                    TuningStore.Tuning tuning = store.find(Optional.empty());
                    var before = new ArrayList<KernelState.Track>();
                    for (int k = 0; k < target.kernels().size(); k++) {
                        before.add(restored(store, tuning.id(), k, target));
                    }
                    tracks = List.copyOf(before);
                    run = TuningRun.resume(tuning, settings, target, store, Clock.systemUTC(), System::nanoTime);
                } else {
                    tracks = target.kernels().stream().map(k -> new KernelState.Track(k.flops())).toList();
                    run = TuningRun.start(settings, target, store, Clock.systemUTC(), System::nanoTime);
                }
                kernels = target.kernels();
                TuningRun.Ending end = run.run(cancel, this);
                TuningFiles.write(run, end, store, folder);
                List<KernelState> last = tracks.stream().map(KernelState.Track::picture).toList();
                background.onScreen(() -> ended(this, last, end.status() != RunStatus.COMPLETED, end.status().words() + ": " + end.reason(), end.status() == RunStatus.FAILED));
            } catch (RuntimeException e) {
                List<KernelState> last = tracks.stream().map(KernelState.Track::picture).toList();
                background.onScreen(() -> {
                    messages.fail("Tuning failed", e);
                    ended(this, last.isEmpty() ? states.get() : last, false, "Failed", false);
                });
            }
        }

        private List<TuningTarget.Kernel> kernels = List.of();

        @Override
        public void measured(TuningTarget.Kernel k, TaskSearch.Answer answer, TuningRun.Progress p) {
            int index = kernels.indexOf(k);
            tracks.get(index).add(answer.evaluation());
            kernel = index;
            progress = Optional.of(p);
            news.add(this);
            synchronized (gate) {
                while (paused) {
                    try {
                        gate.wait();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        throw new CancellationException("interrupted");
                    }
                }
            }
        }

        void pause(boolean on) {
            synchronized (gate) {
                paused = on;
                gate.notifyAll();
            }
        }
    }

    private void show(Job j, List<KernelState> now) {
        if (job.filter(j::equals).isEmpty()) {
            return;
        }
        states.set(now);
        current.set(j.kernel);
        j.progress.ifPresent(p -> {
            State state = status.get().state();
            status.set(new Status(state, (double) p.trials() / Math.max(1, p.most()), (state == State.PAUSED ? "Paused: " : "") + title(j.settings),
                    Quantity.count(p.trials()) + " of " + Quantity.count(p.most()) + (Double.isNaN(p.secondsLeft()) ? "" : ", about " + Quantity.duration(p.secondsLeft()) + " left")));
        });
    }

    private void ended(Job j, List<KernelState> last, boolean canGoOn, String words, boolean failed) {
        if (job.filter(j::equals).isEmpty()) {
            return;
        }
        job = Optional.empty();
        states.set(last);
        current.set(-1);
        resumable.set(canGoOn);
        status.set(new Status(State.IDLE, 0, words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1), ""));
        if (failed) {
            messages.show(Message.error("Tuning ended: " + words + ". What was measured is kept."));
        }
    }

    /// Pauses after the measurement in flight, or goes on.
    public void togglePause() {
        job.ifPresent(j -> {
            boolean pause = status.get().state() == State.RUNNING;
            j.pause(pause);
            Status s = status.get();
            status.set(new Status(pause ? State.PAUSED : State.RUNNING, s.share(), (pause ? "Paused: " : "") + title(j.settings), s.figures()));
        });
    }

    /// Stops after the measurement in flight; what was measured is stored and can be gone on with.
    public void stop() {
        job.ifPresent(j -> j.cancel.cancel());
    }

    /// The best schedule of a kernel so far. Making it costs milliseconds.
    Optional<Schedule> best(int kernel) {
        return network.get().filter(n -> kernel >= 0 && kernel < n.kernels().size() && kernel < states.get().size())
                .flatMap(n -> states.get().get(kernel).best().map(c -> n.kernels().get(kernel).schedule(c)));
    }

    /// Pins the best schedule of the kernel looked at, or unpins; can be undone.
    public void togglePin() {
        int k = selected.get();
        Optional<Pinned> before = pinned.get();
        Optional<Pinned> now = best(k).map(s -> new Pinned(network.get().orElseThrow().kernels().get(k).task().name() + " after " + states.get().get(k).trials() + " measurements", s,
                states.get().get(k).bestGflops()));
        Optional<Pinned> after = before.isPresent() && now.filter(p -> p.schedule().configuration().equals(before.get().schedule().configuration())).isPresent() ? Optional.empty() : now;
        if (before.isPresent() || after.isPresent()) {
            undo.perform(new UndoStack.Edit(after.isPresent() ? "pin" : "unpin", () -> pinned.set(after), () -> pinned.set(before)));
        }
    }

    /// Sum over tasks of count and best time in milliseconds; NaN until each has one.
    double latencyMilliseconds() {
        List<KernelState> now = states.get();
        return network.get().map(n -> {
            double sum = 0;
            for (int k = 0; k < n.kernels().size(); k++) {
                sum += n.kernels().get(k).task().count() * (k < now.size() ? now.get(k).bestMilliseconds() : Double.NaN);
            }
            return sum;
        }).orElse(Double.NaN);
    }

    /// What can be taken back.
    public UndoStack undo() {
        return undo;
    }

    ReadOnlyObjectProperty<Optional<GpuNetwork>> network() {
        return network.getReadOnlyProperty();
    }

    ReadOnlyObjectProperty<List<KernelState>> states() {
        return states.getReadOnlyProperty();
    }

    ReadOnlyObjectProperty<List<Past>> past() {
        return past.getReadOnlyProperty();
    }

    ReadOnlyObjectProperty<Optional<TuneSettings>> shown() {
        return shown.getReadOnlyProperty();
    }

    ReadOnlyObjectProperty<Optional<Pinned>> pinned() {
        return pinned.getReadOnlyProperty();
    }

    ReadOnlyObjectProperty<Status> status() {
        return status.getReadOnlyProperty();
    }

    ReadOnlyBooleanProperty resumable() {
        return resumable.getReadOnlyProperty();
    }

    /// The kernel being measured, -1 for none.
    IntegerProperty current() {
        return current;
    }

    /// The kernel looked at.
    public IntegerProperty selected() {
        return selected;
    }

    StringProperty method() {
        return method;
    }

    StringProperty device() {
        return device;
    }

    IntegerProperty trials() {
        return trials;
    }

    LongProperty seed() {
        return seed;
    }

    Path folder() {
        return folders.apply(network.get().orElseThrow().source());
    }

    /// What is being read, or empty.
    public ReadOnlyStringProperty opening() {
        return opening.getReadOnlyProperty();
    }

    /// Whether a network is open or being opened.
    public ReadOnlyBooleanProperty isOpen() {
        return open.getReadOnlyProperty();
    }

    /// Stops what runs.
    public void shutDown() {
        job.ifPresent(j -> j.cancel.cancel());
    }
}
