package knobscape.app.ui.file;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javafx.stage.DirectoryChooser;
import javafx.stage.FileChooser;
import javafx.stage.Window;
import knobscape.app.ui.settings.Settings;
import knobscape.evaluate.report.FilePlan;

/// The system's own dialogs, which begin where the person was last.
public final class SystemFileChoices implements FileChoices {
    private static final String FOLDER_KEY = "files.folder";
    private final Supplier<Window> owner;
    private final Settings settings;

    /// @param owner window in front of which the dialogs stand
    /// @param settings where the last folder is remembered
    public SystemFileChoices(Supplier<Window> owner, Settings settings) {
        this.owner = owner;
        this.settings = settings;
    }

    @Override
    public Optional<Path> openFile(String title, List<Kind> kinds) {
        var chooser = new FileChooser();
        chooser.setTitle(title);
        folder().ifPresent(chooser::setInitialDirectory);
        kinds.forEach(k -> chooser.getExtensionFilters().add(filter(k)));
        return remember(chooser.showOpenDialog(owner.get()));
    }

    @Override
    public Optional<Path> openFolder(String title) {
        var chooser = new DirectoryChooser();
        chooser.setTitle(title);
        folder().ifPresent(chooser::setInitialDirectory);
        return remember(chooser.showDialog(owner.get()));
    }

    @Override
    public Optional<Path> saveFile(String title, String name, Kind kind) {
        var chooser = new FileChooser();
        chooser.setTitle(title);
        chooser.setInitialFileName(name);
        folder().ifPresent(chooser::setInitialDirectory);
        chooser.getExtensionFilters().add(filter(kind));
        return remember(chooser.showSaveDialog(owner.get()));
    }

    @Override
    public boolean agrees(String what, List<FilePlan> plans) {
        return WritePreview.agrees(what, plans, owner.get());
    }

    private static FileChooser.ExtensionFilter filter(Kind kind) {
        return new FileChooser.ExtensionFilter(
                kind.words(), kind.extensions().stream().map(e -> "*." + e).toList());
    }

    private Optional<File> folder() {
        return settings.get(FOLDER_KEY).map(File::new).filter(File::isDirectory);
    }

    private Optional<Path> remember(File chosen) {
        if (chosen == null) {
            return Optional.empty();
        }
        File folder = chosen.isDirectory() ? chosen : chosen.getParentFile();
        settings.put(FOLDER_KEY, folder.getPath());
        return Optional.of(chosen.toPath());
    }
}
