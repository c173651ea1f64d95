package knobscape.app.ui.gpu;

import java.nio.file.Path;
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
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.WorkStatus;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.Opening;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.UserError;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.export.ImportedLog;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TunedNetwork;
import knobscape.gpu.export.TuningJson;
import knobscape.gpu.export.TuningResults;
import knobscape.gpu.source.TunableNetwork;
import knobscape.gpu.space.template.Schedule;
import knobscape.project.Folders;
import knobscape.project.Opened;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunStatus;
import knobscape.project.RunStore;

/// The open network, its tuning tasks, and the runs that tune them. Used from the JavaFX thread; reading and
/// tuning happen away from it.
public final class GpuViewModel implements NetworkWork {
    private static final int MOST_RECENT = 10;
    /// Runs looked back at.
    private static final int MOST_PAST = 24;

    /// The schedule that others are compared with.
    record Pinned(String title, Schedule schedule, double gflops) {}

    private final Background background;
    private final Messages messages;
    private final Settings settings;
    private final String recentKey;
    private final Function<String, Path> folders;
    private final UndoStack undo = new UndoStack();
    private final TuneForm form = new TuneForm();
    private final Roofs roofs;
    private final TuneJob runs;
    private final ReadOnlyObjectWrapper<Optional<GpuNetwork>> network = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<List<KernelState>> states = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Optional<Tuning>> shown = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<List<Tuning>> past = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Optional<Pinned>> pinned = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyBooleanWrapper resumable = new ReadOnlyBooleanWrapper();
    private final IntegerProperty current = new SimpleIntegerProperty(-1);
    private final Opening opener;
    private final IntegerProperty selected = new SimpleIntegerProperty();
    private Optional<GpuSource.Read> source = Optional.empty();
    /// The network to come back to from measured kernels.
    private Optional<String> before = Optional.empty();
    private boolean filling;

    /// @param background where work is done
    /// @param messages takes what goes wrong
    /// @param settings what is remembered
    /// @param recentKey where the settings keep what was opened
    /// @param folders the folder of the runs of a source
    public GpuViewModel(
            Background background,
            Messages messages,
            Settings settings,
            String recentKey,
            Function<String, Path> folders) {
        this.background = background;
        this.messages = messages;
        this.settings = settings;
        this.recentKey = recentKey;
        this.opener = new Opening(
                background,
                messages,
                "The network could not be opened",
                () -> network.get().isPresent());
        this.folders = folders;
        this.roofs = new Roofs(settings, form.device());
        this.runs = new TuneJob(background, messages, new Moves());
        form.batch().addListener((o, was, is) -> subjectChanged());
        form.allTemplates().addListener((o, was, is) -> subjectChanged());
        form.fused().addListener((o, was, is) -> subjectChanged());
        form.dims().addListener((o, was, is) -> subjectChanged());
        form.device().addListener((o, was, is) -> deviceChanged(was, is));
    }

    /// The folder of the runs of a source: beside a file, as the command line has it, else among the program's
    /// own.
    ///
    /// @param own the program's own folder of runs
    public static Path usualFolder(String source, Path own) {
        String name = GpuNetwork.stem(source) + ".knobscape";
        if (!source.startsWith("zoo:")) {
            Path parent = Path.of(source.replaceFirst("^" + TunableNetwork.REPLAY, ""))
                    .toAbsolutePath()
                    .normalize()
                    .getParent();
            return Folders.isWritable(parent)
                    ? parent.resolve(name)
                    : own.resolve(GpuNetwork.stem(source) + "-"
                            + Integer.toHexString(parent.toString().hashCode()) + ".knobscape");
        }
        return own.resolve(name);
    }

    /// Opens a network (a file or `zoo:NAME`), a project, or measured kernels (`replay:FILE`), with the stored
    /// runs. A run in progress is stopped first; it can be resumed.
    @Override
    public void open(String name) {
        if (name.startsWith(TunableNetwork.REPLAY)) {
            before = before.or(() -> source.map(GpuSource.Read::source)
                    .filter(s -> !s.what().isMeasured())
                    .map(GpuSource::asked));
        } else {
            before = Optional.empty();
        }
        reading(name, () -> GpuSource.find(name, folders), read -> {
            show(read, true);
            if (GpuSource.isFile(name)) {
                settings.remember(
                        recentKey, Path.of(name).toAbsolutePath().normalize().toString(), MOST_RECENT);
                background.away(settings::save);
            }
        });
    }

    private void reading(String name, Callable<GpuSource> what, Consumer<GpuSource.Read> then) {
        opener.read(
                name,
                () -> what.call().read(MOST_PAST + 1),
                then,
                () -> fill(network.get().map(GpuNetwork::what)));
    }

    private void show(GpuSource.Read read, boolean anew) {
        runs.forget("");
        Optional<Tuning> newest = read.runs().isEmpty()
                ? Optional.empty()
                : Optional.of(read.runs().getLast());
        if (anew) {
            messages.clear();
            undo.clear();
            pinned.set(Optional.empty());
            selected.set(0);
            read.network().notes().stream().limit(2).forEach(n -> messages.show(Message.warning(n)));
            source.map(r -> r.source().project())
                    .filter(p -> p != read.source().project())
                    .ifPresent(runs::close);
        }
        read.problem().ifPresent(p -> messages.show(Message.warning(p)));
        source = Optional.of(read);
        selected.set(Math.clamp(selected.get(), 0, read.network().kernels().size() - 1));
        current.set(-1);
        shown.set(newest);
        past.set(newest.map(t -> read.runs().subList(0, read.runs().size() - 1)).orElse(List.of()));
        states.set(newest.map(Tuning::kernels)
                .orElse(read.network().kernels().stream().map(KernelState::none).toList()));
        network.set(Optional.of(read.network()));
        fill(Optional.of(read.network().what()));
        if (anew) {
            filling = true;
            int kernels = read.network().kernels().size();
            Project project = read.source().project();
            if (!project.isScratch()) {
                form.fill(read.network().what(), project.file().run(), kernels);
            } else {
                newest.filter(t -> !t.isLog()).ifPresent(t -> form.fill(t.what(), t.how(), kernels));
            }
            if (read.network().what().isMeasured()) {
                form.device().set(read.network().what().source());
            }
            filling = false;
        }
        resumable.set(newest.filter(t -> t.status() != RunStatus.COMPLETED).isPresent());
        runs.forget(newest.map(t -> "Earlier run, " + t.status().words()).orElse("Nothing has been tuned yet"));
    }

    private void fill(Optional<GpuSettings> what) {
        filling = true;
        what.ifPresent(form::show);
        filling = false;
    }

    /// Batch, templates, tails or extents were set: the network is read again as the form says; can be undone.
    private void subjectChanged() {
        source.filter(s -> !filling && !runs.isActive()).ifPresent(s -> {
            GpuSettings was = s.source().what();
            try {
                GpuSettings now = form.what(was);
                if (was.isMeasured()) {
                    messages.show(Message.warning(
                            "Measured kernels cannot change: batch, templates and fusion belong to a network."));
                    fill(Optional.of(was));
                } else if (!now.equals(was)) {
                    undo.perform(new UndoStack.Edit("batch and templates", () -> reread(now), () -> reread(was)));
                }
            } catch (IllegalArgumentException e) {
                messages.show(Message.warning(Character.toUpperCase(
                                e.getMessage().charAt(0)) + e.getMessage().substring(1) + "."));
                fill(Optional.of(was));
            }
        });
    }

    private void reread(GpuSettings what) {
        source.map(GpuSource.Read::source)
                .filter(s -> s.what().source().equals(what.source()))
                .ifPresent(s -> reading(GpuNetwork.stem(what.source()), () -> s.as(what), r -> show(r, false)));
    }

    /// Measured kernels are their own task; another device means the network that was open before them.
    private void deviceChanged(String was, String is) {
        source.filter(s -> !filling && s.source().what().isMeasured() && !is.startsWith(TunableNetwork.REPLAY))
                .ifPresent(s -> before.ifPresentOrElse(this::open, () -> {
                    messages.show(Message.warning(
                            "Measured kernels answer for themselves; open a network to tune it on " + is + "."));
                    filling = true;
                    form.device().set(was);
                    filling = false;
                }));
    }

    /// Closes the network; a run in progress is stopped and can be resumed.
    @Override
    public void close() {
        runs.forget("Nothing has been tuned yet");
        undo.clear();
        messages.clear();
        source.ifPresent(s -> runs.close(s.source().project()));
        source = Optional.empty();
        before = Optional.empty();
        network.set(Optional.empty());
        states.set(List.of());
        past.set(List.of());
        pinned.set(Optional.empty());
        opener.close();
    }

    // --- runs

    /// The work as the form says it, opened. Empty where the form says something impossible, which is then
    /// told.
    private Optional<Opened<GpuWorkbench>> opened() {
        GpuSource.Read s = source.orElseThrow();
        try {
            GpuSettings what = form.what(s.source().what());
            return Optional.of(new Opened<>(
                    s.source().project(),
                    s.opened().bench().with(what),
                    s.opened().opener()));
        } catch (IllegalArgumentException e) {
            messages.show(Message.warning(Character.toUpperCase(e.getMessage().charAt(0))
                    + e.getMessage().substring(1) + "."));
            return Optional.empty();
        }
    }

    /// Begins a run with what the form says, or one for each of several seeds.
    public void tune() {
        network.get()
                .filter(n -> !runs.isActive())
                .ifPresent(n -> opened().ifPresent(o -> runs.start(o, form.runs(n))));
    }

    /// Resumes the newest stored run.
    public void resume() {
        shown.get()
                .filter(s -> source.isPresent() && resumable.get() && !runs.isActive())
                .ifPresent(s -> runs.resume(source.get().opened(), s));
    }

    /// Pauses after the measurement in flight, or continues.
    public void togglePause() {
        runs.togglePause();
    }

    /// Stops after the measurement in flight; what was measured is stored and can be gone on with.
    public void stop() {
        runs.stop();
    }

    private final class Moves implements TuneJob.Listener {
        @Override
        public void begun(Tuning run, boolean resumed) {
            if (!resumed) {
                keepPast();
            }
            states.set(run.kernels());
            shown.set(Optional.of(run));
            resumable.set(false);
        }

        private void keepPast() {
            if (shown.get().isPresent() && states.get().stream().anyMatch(s -> s.trials() > 0)) {
                var all = new ArrayList<>(past.get());
                all.add(shown.get().get().with(RunStatus.COMPLETED, states.get()));
                past.set(List.copyOf(all.subList(Math.max(0, all.size() - MOST_PAST), all.size())));
            }
        }

        @Override
        public void moved(List<KernelState> kernels, int kernel) {
            states.set(kernels);
            current.set(kernel);
        }

        @Override
        public void ended(RunStatus how, List<KernelState> kernels) {
            if (!kernels.isEmpty()) {
                states.set(kernels);
                shown.set(shown.get().map(t -> t.with(how, kernels)));
                resumable.set(how != RunStatus.COMPLETED);
            }
            current.set(-1);
        }

        @Override
        public void device(String device, String hardware) {
            roofs.hardware(device, hardware);
        }
    }

    /// Stores the records of an AutoTVM log that belong to kernels of the network as a run, and shows it.
    void importLog(Path log) {
        source.filter(s -> !runs.isActive())
                .ifPresent(s -> background.compute(
                        () -> {
                            ImportedLog read =
                                    ImportedLog.read(log, s.opened().bench().network());
                            runs.store(s.opened(), read);
                            return read;
                        },
                        i -> {
                            reread(s.source().what());
                            messages.show(Message.done(i.words() + " are shown as a run. " + i.rest()));
                        },
                        e -> messages.fail("The log cannot be read", e)));
    }

    /// Every measurement of the newest run. Away from the screen. Throws [UserError] where there is none.
    Callable<List<TuningJson.Row>> rows() {
        GpuSource.Read s = source.orElseThrow();
        return () -> {
            Optional<RunStore> store = s.source().project().runs();
            RunRecord run = store.flatMap(RunStore::newest)
                    .orElseThrow(() -> new UserError("Nothing was measured yet; tune first."));
            return TuningResults.of(
                            s.opened().bench().network(),
                            store.orElseThrow().results(run.id()).found())
                    .rows();
        };
    }

    /// What was found for the kernels of the network.
    TunedNetwork tuned() {
        return new TunedNetwork(states.get());
    }

    /// Pins the best schedule of the selected kernel, or unpins; can be undone.
    public void togglePin() {
        int k = selected.get();
        Optional<Pinned> was = pinned.get();
        Optional<Pinned> now = tuned().best(k)
                .map(s -> new Pinned(
                        network.get().orElseThrow().title(k) + " after "
                                + states.get().get(k).trials() + " measurements",
                        s,
                        states.get().get(k).bestGflops()));
        Optional<Pinned> after = was.isPresent()
                        && now.filter(p -> p.schedule()
                                        .configuration()
                                        .equals(was.get().schedule().configuration()))
                                .isPresent()
                ? Optional.empty()
                : now;
        if (was.isPresent() || after.isPresent()) {
            undo.perform(new UndoStack.Edit(
                    after.isPresent() ? "pin" : "unpin", () -> pinned.set(after), () -> pinned.set(was)));
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
    ReadOnlyObjectProperty<List<Tuning>> past() {
        return past.getReadOnlyProperty();
    }

    ReadOnlyObjectProperty<Optional<Tuning>> shown() {
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

    /// The kernel examined.
    public IntegerProperty selected() {
        return selected;
    }

    @Override
    public Opening opener() {
        return opener;
    }

    @Override
    public void shutDown() {
        runs.close();
    }
}
