package knobscape.lab.window;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.Lines;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.EventBatch;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.hls.HlsTools;
import knobscape.lab.bench.Bench;
import knobscape.lab.bench.BenchReport;
import knobscape.lab.bench.Benches;
import knobscape.project.Folders;

/// The benches, the one that runs, and the table shown. Used from the JavaFX thread; benches run on a thread of
/// their own, one at a time.
public final class BenchViewModel {
    private static final String DATA_KEY = "bench.data";
    private static final String SOURCES_KEY = "bench.sources";
    private static final String FOLDER_KEY = "bench.folder";
    private static final int MAX_LINES = 1_000;
    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(20);

    /// The state of the bench that was started last.
    public enum State {
        /// Nothing runs.
        IDLE,
        /// One runs.
        RUNNING,
        /// It was asked to stop.
        STOPPING
    }

    /// A table.
    ///
    /// @param report the table
    /// @param curves by subject, none where the bench leaves none
    /// @param from where it was read from or written to
    public record ReportContent(BenchReport report, Map<String, Lines> curves, Path from) {}

    private final Background background;
    private final Messages messages;
    private final Settings settings;
    private final FileChoices choices;
    private final HlsTools tools;
    private final Optional<Path> samples;
    private final List<Bench> benches;
    private final ObjectProperty<Bench> selected = new SimpleObjectProperty<>();
    private final BooleanProperty quick = new SimpleBooleanProperty(true);
    private final StringProperty seeds = new SimpleStringProperty("");
    private final ObjectProperty<Optional<Path>> data = new SimpleObjectProperty<>(Optional.empty());
    private final ObjectProperty<Optional<Path>> sources = new SimpleObjectProperty<>(Optional.empty());
    private final ObjectProperty<Path> folder = new SimpleObjectProperty<>();
    private final ReadOnlyObjectWrapper<State> state = new ReadOnlyObjectWrapper<>(State.IDLE);
    private final ReadOnlyObjectWrapper<Optional<Bench>> running = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<ReportContent>> shown = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ObservableList<String> lines = FXCollections.observableArrayList();
    private Optional<CancellationSignal> cancel = Optional.empty();
    private Optional<Thread> worker = Optional.empty();
    private int asked;

    /// @param background where files are read
    /// @param messages takes what goes wrong
    /// @param settings what is remembered: folders of data, sources and results
    /// @param choices asks for folders
    /// @param tools parts that HLS work is put together from
    /// @param samples the sample projects, where they are
    /// @param benches to choose from, at least one
    /// @param home folder for results where none was chosen
    public BenchViewModel(
            Background background,
            Messages messages,
            Settings settings,
            FileChoices choices,
            HlsTools tools,
            Optional<Path> samples,
            List<Bench> benches,
            Path home) {
        this.background = background;
        this.messages = messages;
        this.settings = settings;
        this.choices = choices;
        this.tools = tools;
        this.samples = samples;
        this.benches = List.copyOf(benches);
        data.set(settings.get(DATA_KEY).map(Path::of));
        sources.set(settings.get(SOURCES_KEY).map(Path::of));
        folder.set(settings.get(FOLDER_KEY).map(Path::of).orElse(home));
        selected.addListener((o, was, is) -> showNewest());
        quick.addListener((o, was, is) -> showNewest());
        folder.addListener((o, was, is) -> showNewest());
        selected.set(this.benches.getFirst());
    }

    /// All benches.
    public List<Bench> benches() {
        return benches;
    }

    /// The selected bench.
    public ObjectProperty<Bench> selected() {
        return selected;
    }

    /// True if the next run is a short one.
    public BooleanProperty quick() {
        return quick;
    }

    /// Repetitions of the next run, as typed; the bench's own number where empty.
    public StringProperty seeds() {
        return seeds;
    }

    /// Folder of measured designs.
    public ReadOnlyObjectProperty<Optional<Path>> data() {
        return data;
    }

    /// Folder of the sources that measured designs belong to.
    public ReadOnlyObjectProperty<Optional<Path>> sources() {
        return sources;
    }

    /// Folder that holds the results of all benches, one folder for each.
    public ObjectProperty<Path> folder() {
        return folder;
    }

    /// The state of the bench that was started last.
    public ReadOnlyObjectProperty<State> state() {
        return state.getReadOnlyProperty();
    }

    /// The bench that runs.
    public ReadOnlyObjectProperty<Optional<Bench>> running() {
        return running.getReadOnlyProperty();
    }

    /// The table shown; empty where the bench has none yet.
    public ReadOnlyObjectProperty<Optional<ReportContent>> shown() {
        return shown.getReadOnlyProperty();
    }

    /// Log of the bench, oldest first.
    public ObservableList<String> lines() {
        return lines;
    }

    /// Asks for the folder of measured designs.
    public void chooseData() {
        choose("Choose the folder of measured designs", DATA_KEY, data);
    }

    /// Asks for the folder of sources.
    public void chooseSources() {
        choose("Choose the folder of sources that measured designs belong to", SOURCES_KEY, sources);
    }

    private void choose(String title, String key, ObjectProperty<Optional<Path>> property) {
        choices.openFolder(title).ifPresent(f -> {
            property.set(Optional.of(f));
            settings.put(key, f.toString());
        });
    }

    /// Asks for the folder of results.
    public void chooseFolder() {
        choices.openFolder("Choose a folder for the results of benches").ifPresent(f -> {
            settings.put(FOLDER_KEY, f.toString());
            folder.set(f);
        });
    }

    /// Where the results of the selected bench go: a short run has a folder of its own, so that it never stands
    /// in for a long one.
    public Path out() {
        return folder.get().resolve(selected.get().name() + (quick.get() ? "-quick" : ""));
    }

    /// Runs the selected bench; what an earlier, stopped run left is taken over. Says what is wrong where
    /// something is.
    public void run() {
        if (state.get() != State.IDLE) {
            return;
        }
        Optional<Integer> repetitions;
        try {
            repetitions =
                    Optional.of(seeds.get().strip()).filter(s -> !s.isEmpty()).map(Integer::valueOf);
        } catch (NumberFormatException e) {
            repetitions = Optional.of(0);
        }
        if (repetitions.isPresent() && (repetitions.get() < 1 || repetitions.get() > 1_000)) {
            messages.show(
                    Message.error("Seeds must be a whole number from 1 to 1000, or empty for the bench's own number."));
            return;
        }
        Bench bench = selected.get();
        var signal = new CancellationSignal();
        var log = new EventBatch<String>(background, batch -> () -> tell(batch));
        Path out = out();
        var job = new Bench.Job(
                tools,
                samples,
                data.get(),
                out,
                quick.get() ? Bench.Extent.QUICK : Bench.Extent.WHOLE,
                repetitions,
                1,
                log::add,
                signal,
                sources.get(),
                List.of());
        cancel = Optional.of(signal);
        lines.clear();
        state.set(State.RUNNING);
        running.set(Optional.of(bench));
        // Not the view's pool: a bench may take hours, and pictures must not wait for it.
        worker = Optional.of(Thread.ofPlatform().daemon().name("bench").start(() -> work(bench, job)));
    }

    private void tell(List<String> batch) {
        lines.addAll(batch);
        if (lines.size() > MAX_LINES) {
            lines.remove(0, lines.size() - MAX_LINES);
        }
    }

    private void work(Bench bench, Bench.Job job) {
        try {
            Folders.writable(job.out());
            BenchReport report = Benches.run(bench, job);
            var result = new ReportContent(report, BenchCurves.read(job.out()), job.out());
            background.onScreen(() -> ended(bench, Optional.of(result), "Done: " + job.out()));
        } catch (CancellationException e) {
            background.onScreen(() -> ended(bench, Optional.empty(), "Stopped. Run resumes with what is missing."));
        } catch (RuntimeException e) {
            background.onScreen(() -> {
                messages.fail("The bench " + bench.name() + " could not continue", e);
                ended(
                        bench,
                        Optional.empty(),
                        "Ended: " + (e instanceof UserError ? e.getMessage() : "a fault of the program"));
            });
        }
    }

    private void ended(Bench bench, Optional<ReportContent> result, String line) {
        state.set(State.IDLE);
        running.set(Optional.empty());
        cancel = Optional.empty();
        tell(List.of(line));
        if (result.isPresent() && selected.get() == bench) {
            asked++;
            shown.set(result);
        }
    }

    /// Asks the running bench to stop; what it has finished is kept.
    public void stop() {
        if (state.get() == State.RUNNING) {
            state.set(State.STOPPING);
            cancel.ifPresent(c -> background.away(c::cancel));
        }
    }

    /// Asks for a table that was kept, and shows it.
    public void openResult() {
        choices.openFile(
                        "Open the table of a bench",
                        List.of(new FileChoices.Kind("Tables of benches", List.of("json"))))
                .ifPresent(this::open);
    }

    /// Shows a table that was kept (`NAME.json` in the folder of results).
    public void open(Path file) {
        int mine = ++asked;
        background.compute(
                () -> new ReportContent(
                        BenchReport.read(file),
                        BenchCurves.read(requireNonNull(file.toAbsolutePath().getParent())),
                        file),
                s -> {
                    if (mine != asked) {
                        return;
                    }
                    benches.stream()
                            .filter(b -> b.name().equals(s.report().bench()))
                            .findFirst()
                            .ifPresent(selected::set);
                    // Turning to the bench asked for its own newest table, which shall not take the place of
                    // this one.
                    asked++;
                    shown.set(Optional.of(s));
                },
                e -> messages.fail("The table cannot be opened", e));
    }

    /// The newest table of the selected bench, the kind of run chosen first.
    private void showNewest() {
        Bench bench = selected.get();
        Path chosen = out();
        Path root = folder.get();
        int mine = ++asked;
        background.compute(
                () -> {
                    Optional<Path> file = newest(bench, chosen, root);
                    return file.isEmpty()
                            ? Optional.<ReportContent>empty()
                            : Optional.of(new ReportContent(
                                    BenchReport.read(file.get()),
                                    BenchCurves.read(requireNonNull(
                                            file.get().toAbsolutePath().getParent())),
                                    file.get()));
                },
                found -> {
                    if (mine == asked) {
                        shown.set(found);
                    }
                },
                e -> {
                    if (mine == asked) {
                        shown.set(Optional.empty());
                    }
                    messages.fail("An earlier table cannot be read", e);
                });
    }

    private static Optional<Path> newest(Bench bench, Path chosen, Path root) {
        if (Files.isRegularFile(Benches.kept(bench, chosen))) {
            return Optional.of(Benches.kept(bench, chosen));
        }
        var found = new ArrayList<Path>();
        for (String name : List.of(bench.name(), bench.name() + "-quick")) {
            Path kept = Benches.kept(bench, root.resolve(name));
            if (Files.isRegularFile(kept)) {
                found.add(kept);
            }
        }
        return found.stream().max(Comparator.comparing(BenchViewModel::modified));
    }

    private static java.nio.file.attribute.FileTime modified(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Stops what runs and waits for it a while; away from the screen.
    public void shutDown() {
        cancel.ifPresent(CancellationSignal::cancel);
        worker.ifPresent(w -> {
            try {
                w.join(PATIENCE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
