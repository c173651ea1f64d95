package knobscape.work;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import knobscape.evaluate.UserError;

/// Where work is opened from.
public interface WorkLocation {
    /// The folder that relative paths of the settings start at, absolute.
    Path folder();

    /// The folder that holds (or will hold) the runs, absolute.
    default Path runsFolder() {
        return folder();
    }

    /// True if runs are stored apart from the sources, so that stored settings need absolute paths.
    boolean isScratch();

    /// A path of the settings made absolute. Throws [UserError] where it is none.
    default Path resolve(String path) {
        try {
            return folder().resolve(path).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new UserError("'" + path + "' is not the name of a file: " + e.getReason() + ".", e);
        }
    }

    /// A path of the settings as a stored run keeps it: absolute where runs are stored apart from the sources.
    default String stored(String path) {
        return isScratch() ? resolve(path).toString() : path;
    }
}
