package knobscape.app.ui.file;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.report.FilePlan;

/// The one door to the system's file dialogs and to the preview of what is written, so that view models never
/// make one and tests answer in their place. Empty where the person cancels.
public interface FileChoices {

    /// Asks for an existing file to open.
    ///
    /// @param title of the dialog
    /// @param kinds to choose from
    Optional<Path> openFile(String title, List<Kind> kinds);

    /// Asks for an existing folder.
    Optional<Path> openFolder(String title);

    /// Asks where to save a file.
    ///
    /// @param name proposed
    Optional<Path> saveFile(String title, String name, Kind kind);

    /// Shows what would be written and asks whether it shall be.
    ///
    /// @param what is exported
    boolean agrees(String what, List<FilePlan> plans);

    /// A kind of file.
    ///
    /// @param words for a person
    /// @param extensions without dots
    record Kind(String words, List<String> extensions) {}
}
