package knobscape.app.ui.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.ScreenThread;
import knobscape.evaluate.UserError;
import knobscape.project.ProjectFile;

/// Samples and recently opened files. Reading them happens away from the screen.
public final class StartViewModel {

    /// Something to open.
    ///
    /// @param path folder or file
    /// @param name shown large
    /// @param words one sentence, or the folder it stands in
    /// @param last its newest run, where it was read
    public record Entry(Path path, String name, String words, Optional<LastRun> last) {}

    private final Background background;
    private final Messages messages;
    private final Settings settings;
    private final Optional<Path> sampleFolder;
    private final String recentKey;
    private final Consumer<Path> opener;
    private final ReadOnlyObjectWrapper<List<Entry>> samples = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<List<Entry>> recent = new ReadOnlyObjectWrapper<>(List.of());

    /// @param background where folders are read
    /// @param messages takes what goes wrong
    /// @param settings what was open before
    /// @param recentKey where the settings keep it
    /// @param sampleFolder the sample projects, where they are
    /// @param opener opens a file or folder
    public StartViewModel(
            Background background,
            Messages messages,
            Settings settings,
            String recentKey,
            Optional<Path> sampleFolder,
            Consumer<Path> opener) {
        this.background = background;
        this.messages = messages;
        this.settings = settings;
        this.recentKey = recentKey;
        this.sampleFolder = sampleFolder;
        this.opener = opener;
    }

    /// Reads samples and recent files again.
    public void refresh() {
        List<String> lines = settings.lines(recentKey);
        background.compute(
                () -> read(sampleFolder), samples::set, e -> messages.fail("The sample projects cannot be read", e));
        background.compute(
                () -> lines.stream()
                        .map(Path::of)
                        .filter(Files::exists)
                        .map(StartViewModel::recentEntry)
                        .toList(),
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
                        found.add(new Entry(p, file.name(), file.description(), Optional.empty()));
                    } catch (UserError e) {
                        found.add(new Entry(p, p.getFileName().toString(), e.getMessage(), Optional.empty()));
                    }
                }
            }
        }
        return List.copyOf(found);
    }

    private static Entry recentEntry(Path path) {
        Path parent = path.getParent();
        return new Entry(
                path, path.getFileName().toString(), parent == null ? "" : parent.toString(), LastRun.of(path));
    }

    /// The sample projects.
    public ReadOnlyObjectProperty<List<Entry>> samples() {
        return samples.getReadOnlyProperty();
    }

    /// What was open before and still exists, newest first.
    public ReadOnlyObjectProperty<List<Entry>> recent() {
        return recent.getReadOnlyProperty();
    }

    /// Opens something.
    public void open(Path path) {
        opener.accept(path);
    }
}
