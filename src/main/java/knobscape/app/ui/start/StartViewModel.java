package knobscape.app.ui.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.ScreenThread;
import knobscape.evaluate.TemporaryFiles;
import knobscape.evaluate.UserError;
import knobscape.project.ProjectFile;

/// Samples and recently opened files. Reading them happens away from the screen.
public final class StartViewModel {

    /// Something to open.
    ///
    /// @param path folder or file
    /// @param name shown large
    /// @param words one sentence, or the folder it stands in
    /// @param kind kind of work ([knobscape.app.ui.area.WorkKind]), where it is known
    /// @param last its newest run, where it was read
    /// @param finished whether it is a sample with a run that it came with
    public record Entry(
            Path path, String name, String words, Optional<String> kind, Optional<LastRun> last, boolean finished) {}

    private final Background background;
    private final Messages messages;
    private final Settings settings;
    private final SummaryCache found;
    private final Optional<Path> sampleFolder;
    private final Path copies;
    private final String recentKey;
    private final Consumer<Path> opener;
    private final ReadOnlyObjectWrapper<List<Entry>> samples = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<List<Entry>> recent = new ReadOnlyObjectWrapper<>(List.of());

    /// @param background where folders are read
    /// @param messages takes what goes wrong
    /// @param settings what was open before
    /// @param recentKey where the settings keep it
    /// @param sampleFolder the sample projects, where they are
    /// @param copies where finished samples are copied to when they are opened
    /// @param opener opens a file or folder
    public StartViewModel(
            Background background,
            Messages messages,
            Settings settings,
            String recentKey,
            Optional<Path> sampleFolder,
            Path copies,
            Consumer<Path> opener) {
        this.copies = copies;
        this.background = background;
        this.messages = messages;
        this.settings = settings;
        this.found = new SummaryCache(settings);
        this.recentKey = recentKey;
        this.sampleFolder = sampleFolder;
        this.opener = opener;
    }

    /// Reads samples and recent files again.
    public void refresh() {
        List<String> lines = settings.lines(recentKey);
        // They do not change while the program runs.
        if (samples.get().isEmpty()) {
            background.compute(
                    () -> read(sampleFolder),
                    read -> {
                        samples.set(read);
                        background.compute(
                                () -> withRuns(read),
                                samples::set,
                                e -> messages.fail("The sample projects cannot be read", e));
                    },
                    e -> messages.fail("The sample projects cannot be read", e));
        }
        background.compute(
                () -> {
                    List<Path> there =
                            lines.stream().map(Path::of).filter(Files::exists).toList();
                    found.keepOnly(there);
                    return there.stream().map(this::recentEntry).toList();
                },
                recent::set,
                e -> messages.fail("The list of recent files cannot be read", e));
    }

    private static List<Entry> read(Optional<Path> folder) throws IOException {
        ScreenThread.mustNotBe("reading the samples");
        var found = new ArrayList<Entry>();
        if (folder.isPresent()) {
            try (Stream<Path> folders = Files.list(folder.get())) {
                for (Path p : folders.filter(f -> Files.isRegularFile(f.resolve(ProjectFile.FILE_NAME)))
                        .sorted()
                        .toList()) {
                    try {
                        ProjectFile file = ProjectFile.read(p.resolve(ProjectFile.FILE_NAME));
                        found.add(new Entry(
                                p,
                                file.name(),
                                file.description(),
                                WorkKind.ofProject(p),
                                Optional.empty(),
                                FinishedSample.is(p)));
                    } catch (UserError e) {
                        found.add(new Entry(
                                p,
                                p.getFileName().toString(),
                                e.getMessage(),
                                Optional.empty(),
                                Optional.empty(),
                                false));
                    }
                }
            }
        }
        return List.copyOf(found);
    }

    /// The samples with the runs they come with, read from copies that nobody keeps.
    private static List<Entry> withRuns(List<Entry> samples) throws IOException {
        Path folder = TemporaryFiles.folder("samples");
        try {
            var all = new ArrayList<Entry>();
            for (Entry e : samples) {
                all.add(
                        e.finished()
                                ? new Entry(
                                        e.path(),
                                        e.name(),
                                        e.words(),
                                        e.kind(),
                                        LastRun.of(
                                                FinishedSample.copy(e.path(), folder),
                                                new SummaryCache(Settings.inMemory())),
                                        true)
                                : e);
            }
            return List.copyOf(all);
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path f : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(f);
                }
            }
        }
    }

    private Entry recentEntry(Path path) {
        Path parent = path.getParent();
        return new Entry(
                path,
                path.getFileName().toString(),
                parent == null ? "" : parent.toString(),
                WorkKind.isProject(path) ? WorkKind.ofProject(path) : Optional.empty(),
                LastRun.of(path, found),
                false);
    }

    /// The sample projects.
    public ReadOnlyObjectProperty<List<Entry>> samples() {
        return samples.getReadOnlyProperty();
    }

    /// The work that was open before and still exists, newest first.
    public ReadOnlyObjectProperty<List<Entry>> recent() {
        return recent.getReadOnlyProperty();
    }

    /// Opens something; a finished sample as a copy.
    public void open(Path path) {
        if (FinishedSample.is(path)) {
            background.compute(
                    () -> FinishedSample.copy(path, copies),
                    opener::accept,
                    e -> messages.fail("The sample cannot be opened", e));
        } else {
            opener.accept(path);
        }
    }
}
