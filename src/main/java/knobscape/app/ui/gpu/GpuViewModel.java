package knobscape.app.ui.gpu;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.area.NetworkWork;
import knobscape.app.ui.gpu.GpuNetwork.Subject;
import knobscape.app.ui.gpu.StoredTunings.Tuned;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.WorkStatus;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.Opening;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.UserError;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TunedNetwork;
import knobscape.gpu.space.template.Schedule;
import knobscape.project.Folders;
import knobscape.project.RunStatus;
import knobscape.project.tune.TuneSettings;
import knobscape.project.tune.TuningLog;
import knobscape.project.tune.TuningStore;
import knobscape.project.tune.TuningTarget;

/// The open network, its tuning tasks, and the runs that tune them. Used from the JavaFX thread; reading and tuning happen away from it.
public final class GpuViewModel implements NetworkWork {
    private static final int MOST_RECENT = 10;
    /// Runs looked back at.
    private static final int MOST_PAST = 24;

    /// The schedule that others are compared with.
    record Pinned(String title, Schedule schedule, double gflops) { }

    private final Background background;
    private final Messages messages;
    private final Settings settings;
    private final String recentKey;
    private final Function<String, Path> folders;
    private final UndoStack undo = new UndoStack();
    private final TuneForm form = new TuneForm();
    private final Roofs roofs;
    private final TuneRuns runs;
    private final ReadOnlyObjectWrapper<Optional<GpuNetwork>> network = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<List<KernelState>> states = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Optional<TuneSettings>> shown = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<List<Tuned>> past = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Optional<Pinned>> pinned = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyBooleanWrapper resumable = new ReadOnlyBooleanWrapper();
    private final IntegerProperty current = new SimpleIntegerProperty(-1);
    private final Opening opener;
    private final IntegerProperty selected = new SimpleIntegerProperty();
    private Optional<GpuSource> source = Optional.empty();
    /// The network to come back to from measured kernels.
    private Optional<String> before = Optional.empty();
    private boolean filling;

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
        this.opener = new Opening(background, messages, "The network could not be opened", () -> network.get().isPresent());
        this.folders = folders;
        this.roofs = new Roofs(settings, form.device());
        this.runs = new TuneRuns(background, messages, new Moves());
        form.batch().addListener((o, was, is) -> subjectChanged());
        form.allTemplates().addListener((o, was, is) -> subjectChanged());
        form.fused().addListener((o, was, is) -> subjectChanged());
        form.device().addListener((o, was, is) -> deviceChanged(was, is));
    }

    /// The folder of the runs of a source: beside a file, as the command line has it, else among the program's own.
    ///
    /// @param own the program's own folder of runs
    public static Path usualFolder(String source, Path own) {
        String name = GpuNetwork.stem(source) + ".knobscape";
        if (!source.startsWith("zoo:")) {
            Path parent = Path.of(source.replaceFirst("^" + GpuSource.REPLAY, "")).toAbsolutePath().normalize().getParent();
            return Folders.isWritable(parent) ? parent.resolve(name) : own.resolve(GpuNetwork.stem(source) + "-" + Integer.toHexString(parent.toString().hashCode()) + ".knobscape");
        }
        return own.resolve(name);
    }

    /// Opens a network (a file or `zoo:NAME`), a project, or measured kernels (`replay:FILE`), with the stored runs. A run that goes on is stopped first; it can be resumed.
    @Override
    public void open(String name) {
        if (name.startsWith(GpuSource.REPLAY)) {
            before = before.or(() -> source.filter(s -> !s.subject().isReplay()).map(GpuSource::asked));
        } else {
            before = Optional.empty();
        }
        reading(name, () -> GpuSource.find(name, folders).asLast(), read -> {
            show(read, true);
            if (GpuSource.isFile(name)) {
                settings.remember(recentKey, Path.of(name).toAbsolutePath().normalize().toString(), MOST_RECENT);
                background.away(settings::save);
            }
        });
    }

    private void reading(String name, Callable<GpuSource> what, Consumer<GpuSource.Read> then) {
        opener.read(name, () -> what.call().read(MOST_PAST + 1), then, () -> fill(network.get().map(GpuNetwork::subject)));
    }

    private void show(GpuSource.Read read, boolean anew) {
        runs.forget("");
        Optional<Tuned> newest = read.runs().isEmpty() ? Optional.empty() : Optional.of(read.runs().getLast());
        if (anew) {
            messages.clear();
            undo.clear();
            pinned.set(Optional.empty());
            selected.set(0);
            read.network().notes().stream().limit(2).forEach(n -> messages.show(Message.warning(n)));
        }
        read.problem().ifPresent(p -> messages.show(Message.warning(p)));
        source = Optional.of(read.source());
        selected.set(Math.clamp(selected.get(), 0, read.network().kernels().size() - 1));
        current.set(-1);
        shown.set(newest.map(Tuned::settings));
        past.set(newest.map(t -> read.runs().subList(0, read.runs().size() - 1)).orElse(List.of()));
        states.set(newest.map(Tuned::kernels).orElse(read.network().kernels().stream().map(KernelState::none).toList()));
        network.set(Optional.of(read.network()));
        fill(Optional.of(read.network().subject()));
        if (anew) {
            filling = true;
            read.source().project().or(() -> newest.map(Tuned::settings).filter(s -> !s.method().equals(TuningLog.METHOD))).ifPresent(s -> form.fill(s, read.network().kernels().size()));
            if (read.network().subject().isReplay()) {
                form.device().set(read.network().subject().source());
            }
            filling = false;
        }
        resumable.set(newest.filter(t -> t.status() != RunStatus.COMPLETED).isPresent());
        runs.forget(newest.map(t -> "Earlier run, " + t.status().words()).orElse("Nothing has been tuned yet"));
    }

    private void fill(Optional<Subject> subject) {
        filling = true;
        subject.ifPresent(form::show);
        filling = false;
    }

    /// Batch, templates or tails were set: the network is read again as the form says; can be undone.
    private void subjectChanged() {
        source.filter(s -> !filling && !runs.isActive()).ifPresent(s -> {
            Subject was = s.subject();
            Subject now = form.subject(was.source());
            if (was.isReplay()) {
                messages.show(Message.warning("Measured kernels are what they are: batch, templates and fusion belong to a network."));
                fill(Optional.of(was));
            } else if (!now.equals(was)) {
                undo.perform(new UndoStack.Edit("batch and templates", () -> reread(now), () -> reread(was)));
            }
        });
    }

    private void reread(Subject subject) {
        source.filter(s -> s.subject().source().equals(subject.source())).ifPresent(s -> reading(GpuNetwork.stem(subject.source()), () -> s.as(subject), r -> show(r, false)));
    }

    /// Measured kernels are their own task; another device means the network that was open before them.
    private void deviceChanged(String was, String is) {
        source.filter(s -> !filling && s.subject().isReplay() && !is.startsWith(GpuSource.REPLAY)).ifPresent(s -> before.ifPresentOrElse(this::open, () -> {
            messages.show(Message.warning("Measured kernels answer for themselves; open a network to tune it on " + is + "."));
            filling = true;
            form.device().set(was);
            filling = false;
        }));
    }

    /// Closes the network; a run that goes on is stopped and can be resumed.
    @Override
    public void close() {
        runs.forget("Nothing has been tuned yet");
        undo.clear();
        messages.clear();
        source = Optional.empty();
        before = Optional.empty();
        network.set(Optional.empty());
        states.set(List.of());
        past.set(List.of());
        pinned.set(Optional.empty());
        opener.close();
    }

    // --- runs

    private TuneRuns.Place place() {
        GpuSource s = source.orElseThrow();
        return new TuneRuns.Place(network.get().orElseThrow(), s.folder(), s.here());
    }

    /// Begins a run with what the form says, or one for each of several seeds.
    public void tune() {
        network.get().filter(n -> !runs.isActive()).ifPresent(n -> runs.start(place(), form.settings(n, source.orElseThrow().network())));
    }

    /// Goes on with the newest stored run.
    public void resume() {
        shown.get().filter(s -> network.get().isPresent() && resumable.get() && !runs.isActive()).ifPresent(s -> runs.resume(place(), s));
    }

    /// Pauses after the measurement in flight, or goes on.
    public void togglePause() {
        runs.togglePause();
    }

    /// Stops after the measurement in flight; what was measured is stored and can be gone on with.
    public void stop() {
        runs.stop();
    }

    private final class Moves implements TuneRuns.Listener {
        @Override
        public void begun(TuneSettings s, boolean goOn) {
            if (!goOn) {
                keepPast();
                states.set(network.get().orElseThrow().kernels().stream().map(KernelState::none).toList());
            }
            shown.set(Optional.of(s));
            resumable.set(false);
        }

        private void keepPast() {
            if (shown.get().isPresent() && states.get().stream().anyMatch(s -> s.trials() > 0)) {
                var all = new ArrayList<>(past.get());
                all.add(new Tuned(0, shown.get().get(), RunStatus.COMPLETED, states.get()));
                past.set(List.copyOf(all.subList(Math.max(0, all.size() - MOST_PAST), all.size())));
            }
        }

        @Override
        public void moved(List<KernelState> kernels, int kernel) {
            states.set(kernels);
            current.set(kernel);
        }

        @Override
        public void ended(List<KernelState> kernels, boolean canGoOn) {
            if (!kernels.isEmpty()) {
                states.set(kernels);
            }
            current.set(-1);
            resumable.set(canGoOn);
        }

        @Override
        public void device(String device, String hardware) {
            roofs.hardware(device, hardware);
        }
    }

    /// Stores the records of an AutoTVM log that belong to kernels of the network as a run, and shows it.
    void importLog(Path log) {
        network.get().filter(n -> !runs.isActive()).ifPresent(n -> {
            GpuSource s = source.orElseThrow();
            background.compute(() -> {
                try (TuningTarget target = StoredTunings.target(n, s.network(), s.here()); TuningStore store = new TuningStore(Folders.writable(s.folder()))) {
                    return TuningLog.read(log, form.settings(n, s.network()).getFirst(), target, store, Clock.systemUTC());
                }
            }, i -> {
                reread(n.subject());
                messages.show(Message.done(i.words() + " are shown as a run. " + i.rest()));
            }, e -> messages.fail("The log cannot be read", e));
        });
    }

    /// The newest run as an AutoTVM log. Away from the screen.
    Callable<String> log(String dialect) {
        GpuNetwork n = network.get().orElseThrow();
        GpuSource s = source.orElseThrow();
        return () -> {
            if (!TuningStore.isIn(s.folder())) {
                throw new UserError("Nothing was measured yet; tune first.");
            }
            try (TuningTarget target = StoredTunings.target(n, s.network(), s.here()); TuningStore store = new TuningStore(s.folder())) {
                return TuningLog.write(store.find(Optional.empty()).id(), target, store, dialect);
            }
        };
    }

    /// What was found for the kernels of the network.
    TunedNetwork tuned() {
        return new TunedNetwork(states.get());
    }

    /// Pins the best schedule of the kernel looked at, or unpins; can be undone.
    public void togglePin() {
        int k = selected.get();
        Optional<Pinned> was = pinned.get();
        Optional<Pinned> now = tuned().best(k).map(s -> new Pinned(network.get().orElseThrow().title(k) + " after " + states.get().get(k).trials() + " measurements", s, states.get().get(k).bestGflops()));
        Optional<Pinned> after = was.isPresent() && now.filter(p -> p.schedule().configuration().equals(was.get().schedule().configuration())).isPresent() ? Optional.empty() : now;
        if (was.isPresent() || after.isPresent()) {
            undo.perform(new UndoStack.Edit(after.isPresent() ? "pin" : "unpin", () -> pinned.set(after), () -> pinned.set(was)));
        }
    }

    // --- what is shown

    @Override
    public UndoStack undo() {
        return undo;
    }

    TuneForm form() {
        return form;
    }

    Roofs roofs() {
        return roofs;
    }

    ReadOnlyObjectProperty<Optional<GpuNetwork>> network() {
        return network.getReadOnlyProperty();
    }

    @Override
    public ObservableValue<Optional<String>> name() {
        return network.map(n -> n.map(GpuNetwork::name));
    }

    ReadOnlyObjectProperty<List<KernelState>> states() {
        return states.getReadOnlyProperty();
    }

    /// Runs looked back at, oldest first.
    ReadOnlyObjectProperty<List<Tuned>> past() {
        return past.getReadOnlyProperty();
    }

    ReadOnlyObjectProperty<Optional<TuneSettings>> shown() {
        return shown.getReadOnlyProperty();
    }

    ReadOnlyObjectProperty<Optional<Pinned>> pinned() {
        return pinned.getReadOnlyProperty();
    }

    ReadOnlyObjectProperty<WorkStatus> status() {
        return runs.status();
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

    Path folder() {
        return source.orElseThrow().folder();
    }

    @Override
    public Opening opener() {
        return opener;
    }

    @Override
    public void shutDown() {
        runs.stop();
    }
}
