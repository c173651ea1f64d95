package knobscape.project;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.evaluate.UserError;

/// Folders the program writes to, with errors a person can act on.
public final class Folders {
    private Folders() {
    }

    /// Makes `folder` where needed and makes sure that files can be made in it. Throws [UserError] otherwise.
    public static Path writable(Path folder) {
        try {
            Files.createDirectories(folder);
            Path probe = Files.createTempFile(folder, ".knobscape", ".probe");
            Files.delete(probe);
            return folder;
        } catch (FileAlreadyExistsException e) {
            throw new UserError(folder + " is a file, not a folder; name another output folder.", e);
        } catch (IOException e) {
            throw new UserError("Cannot write to the folder " + folder + "; choose another or change its permissions.", e);
        }
    }

    /// Whether files can be made in an existing folder.
    public static boolean isWritable(Path folder) {
        try {
            Files.delete(Files.createTempFile(folder, ".knobscape", ".probe"));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
