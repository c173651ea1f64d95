package knobscape.project;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import knobscape.evaluate.UserError;

/// Folders and files written by the program, with errors a person can act on.
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

    /// Writes a text file so that a reader sees the old or the new one, never half of it. Throws [UserError] where that cannot be done.
    public static void replace(Path file, String text) {
        Path folder = file.toAbsolutePath().getParent();
        writable(folder);
        try {
            Path fresh = folder.resolve("." + file.getFileName() + ".new");
            try {
                Files.writeString(fresh, text, StandardCharsets.UTF_8);
                try {
                    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                } catch (AtomicMoveNotSupportedException e) {
                    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
                }
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            throw new UserError("Cannot write " + file + ": " + e.getMessage() + ".", e);
        }
    }
}
