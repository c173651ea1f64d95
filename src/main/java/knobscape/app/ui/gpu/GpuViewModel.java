package knobscape.app.ui.gpu;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.area.DesignModels;
import knobscape.app.ui.area.NetworkWork;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.RunMemory;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.LogViewModel;
import knobscape.app.ui.run.ManualEvaluation;
import knobscape.app.ui.run.RunForm;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.Opener;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.report.FileGuard;
import knobscape.gpu.GpuArea;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TunedNetwork;
import knobscape.gpu.source.NetworkKernel;
import knobscape.network.subgraph.Subgraph;
import knobscape.project.Runner;
import knobscape.space.Configuration;
import knobscape.work.Named;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Values;

/// The open network, its tuning tasks, and the runs that tune them. Used from the JavaFX thread; reading and
/// tuning happen away from it.
public final class GpuViewModel implements NetworkWork {
    private static final int MAX_RECENT = 10;

    private final Background background;
    private final Runner runner;
    private final Messages messages;
    private final Settings settings;
    private final String recentKey;
    private final Function<String, Path> folders;
    private final UndoStack undo = new UndoStack();
    private final DevicePeaks roofs;
    private final GpuRuns tunings;
    private final RunViewModel runs;
    private final LogViewModel logs;
    private final ReadOnlyObjectWrapper<Optional<GpuNetwork>> network = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final Results results;
    private final DesignModels models;
    private final ManualEvaluation tried;
    private final Opener opener;
    private final IntegerProperty selected = new SimpleIntegerProperty();
    private final ObjectProperty<Optional<Subgraph>> layer = new SimpleObjectProperty<>(Optional.empty());
    private Optional<GpuSource> source = Optional.empty();

    /// @param background where work is done
    /// @param runner starts runs
    /// @param messages takes what goes wrong
    /// @param settings what is remembered
    /// @param recentKey where the settings keep what was opened
    /// @param folders the folder of the runs of a source
    public GpuViewModel(
            Background background,
            Runner runner,
            Messages messages,
            Settings settings,
            String recentKey,
            Function<String, Path> folders) {
        this.background = background;
        this.runner = runner;
        this.messages = messages;
        this.settings = settings;
        this.recentKey = recentKey;
        this.opener = new Opener(
                background,
                messages,
                "The network could not be opened",
                () -> network.get().isPresent());
        this.folders = folders;
        this.roofs = new DevicePeaks(settings);
        this.models = DesignModels.of(background, undo, () -> kernel().map(NetworkKernel::space), this::evaluate);
        this.results = models.results();
        this.tunings = new GpuRuns(roofs::hardware, results, selected);
        this.runs = new RunViewModel(
                background,
                runner,
                messages,
                undo,
                tunings,
                new RunForm(new GpuArea(), List.of(DevicePeaks.PEAK_GFLOPS, DevicePeaks.MEMORY_GBS), Set.of()));
        this.logs = new LogViewModel(runs.log(), n -> {});
        results.reading().bind(opener.words().isNotEmpty().or(runs.reading()));
        results.remember(() -> source.flatMap(s -> runs.shownNumber().stream()
                .mapToObj(run -> new RunMemory(s.memory(), run, selected.get()))
                .findFirst()));
        this.tried = new ManualEvaluation(background, runner, messages);
        form().toolchain().subscribe(t -> t.map(Named::name).ifPresent(roofs.device()::set));
        form().taken().addListener((o, was, is) -> taken());
        selected.addListener((o, was, is) -> layer.set(Optional.empty()));
        network.addListener((o, was, is) -> layer.set(Optional.empty()));
        roofs.peak().subscribe(v -> show(DevicePeaks.PEAK_GFLOPS, v.doubleValue()));
        roofs.memory().subscribe(v -> show(DevicePeaks.MEMORY_GBS, v.doubleValue()));
    }

    private void evaluate(Configuration c) {
        source.ifPresent(s -> tried.evaluate(
                s.opened(),
                () -> source.filter(now -> now == s).isPresent(),
                selected.get(),
                c,
                form()::check,
                x -> runs.reread(() -> results.select(x))));
    }

    private void show(Parameter<Double> figure, double value) {
        form().text(figure).set(figure.text(Optional.of(value)));
    }

    /// The device's own name when it was last asked; the given name where it never was.
    String hardware(String device) {
        return roofs.hardware(device);
    }

    /// Never lets a file that the open work is made from be replaced; what a person chose to replace is.
    FileGuard guard() {
        return source.map(GpuSource::opened)
                .map(o -> o.project().guard(true, o.bench().settings()))
                .orElse(FileGuard.standard());
    }

    /// The folder of the runs of a source: beside a file, as the command line has it, else among the program's own.
    ///
    /// @param own the program's own folder of runs
    public static Path usualFolder(String source, Path own) {
        return GpuSource.usualFolder(source, own);
    }

    /// Measurements as logs.
    TuningLogs measurements() {
        return new TuningLogs(background, runner, messages, runs, () -> source.map(GpuSource::opened));
    }

    /// Opens a network (a file or `zoo:NAME`), a project, or measured kernels (`replay:FILE`), with the stored
    /// runs. A run in progress is stopped when the new one was read; it can be resumed.
    @Override
    public void open(String name) {
        opener.readNetwork(
                name,
                GpuSource.opener(name, folders),
                read -> {
                    show(read);
                    if (GpuSource.isFile(name)) {
                        settings.remember(
                                recentKey,
                                Path.of(name).toAbsolutePath().normalize().toString(),
                                MAX_RECENT);
                        background.away(settings::save);
                    }
                },
                this::sayAsBefore);
    }

    private void sayAsBefore() {
        source.ifPresent(s -> form().fill(s.opened()));
    }

    private void show(GpuSource read) {
        if (source.filter(s -> s.opened().project() == read.opened().project()).isEmpty()) {
            runs.leave(() -> {});
            messages.clear();
            undo.clear();
            selected.set(0);
            read.network().notes().stream().limit(2).forEach(n -> messages.show(Message.warning(n)));
        }
        source = Optional.of(read);
        selected.set(Math.clamp(selected.get(), 0, read.network().kernels().size() - 1));
        network.set(Optional.of(read.network()));
        runs.open(read.opened(), read.memory());
    }

    /// A person's settings: another way to see the network is read, which can be undone; peak figures are
    /// remembered.
    private void taken() {
        Optional<Values> taken = form().taken().get();
        if (taken.isEmpty()) {
            return;
        }
        roofs.peak().set(taken.get().get(DevicePeaks.PEAK_GFLOPS));
        roofs.memory().set(taken.get().get(DevicePeaks.MEMORY_GBS));
        source.filter(s -> !runs.anyActive()).ifPresent(s -> {
            GpuSettings was = s.opened().bench().settings();
            var now = form().refined(was).as(GpuSettings.class);
            if (GpuSource.isSeenOtherwise(was, now)) {
                undo.perform(new UndoStack.Edit("batch and templates", () -> reread(now), () -> reread(was)));
            }
        });
    }

    private void reread(GpuSettings what) {
        source.filter(s -> s.opened().bench().settings().source().equals(what.source()))
                .ifPresent(s -> opener.read(s.network().name(), () -> s.as(what), this::show, this::sayAsBefore));
    }

    @Override
    public void close(Runnable then) {
        undo.clear();
        messages.clear();
        source = Optional.empty();
        network.set(Optional.empty());
        runs.leave(then);
        opener.close();
    }

    /// Begins what the form says, once the network is read as it says.
    public void tune() {
        if (form().isRight() && !opener.words().get().isEmpty()) {
            messages.show(Message.warning("The network is being read; start the run when it stands."));
        } else {
            runs.start();
        }
    }

    /// The results for the kernels of the network.
    TunedNetwork tuned() {
        return new TunedNetwork(states().get());
    }

    /// The selected kernel.
    Optional<NetworkKernel> kernel() {
        int k = selected.get();
        return network.get()
                .filter(n -> k < n.kernels().size())
                .map(n -> n.kernels().get(k));
    }

    @Override
    public UndoStack undo() {
        return undo;
    }

    /// The runs.
    public RunViewModel runs() {
        return runs;
    }

    LogViewModel logs() {
        return logs;
    }

    RunForm form() {
        return runs.form();
    }

    DevicePeaks roofs() {
        return roofs;
    }

    ReadOnlyObjectProperty<Optional<GpuNetwork>> network() {
        return network.getReadOnlyProperty();
    }

    @Override
    public ObservableValue<Optional<String>> name() {
        return network.map(n -> n.map(GpuNetwork::name));
    }

    /// How the kernels stand.
    public ReadOnlyObjectProperty<List<KernelState>> states() {
        return tunings.states();
    }

    /// How the runs stand.
    GpuRuns tunings() {
        return tunings;
    }

    /// The configurations of the selected kernel.
    public Results results() {
        return results;
    }

    /// They and what is known of them.
    DesignModels models() {
        return models;
    }

    /// The kernel being measured, -1 for none.
    IntegerProperty current() {
        return tunings.current();
    }

    /// The layer of the graph that a person looks at; empty once another kernel is selected.
    public ObjectProperty<Optional<Subgraph>> layer() {
        return layer;
    }

    /// Looks at a layer of the graph and selects the kernel that computes it, where one does.
    void look(Subgraph s) {
        network.get().map(n -> n.taskOf()[s.index()]).filter(k -> k >= 0).ifPresent(selected::set);
        layer.set(Optional.of(s));
    }

    /// The selected kernel.
    public IntegerProperty selected() {
        return selected;
    }

    @Override
    public Opener opener() {
        return opener;
    }

    @Override
    public void shutDown() {
        source.ifPresent(s -> {
            s.memory().save();
            s.opened().project().close();
        });
    }
}
