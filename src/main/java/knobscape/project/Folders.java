package knobscape.project;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;

/// Folders the program writes to, with errors a person can act on.
public final class Folders {
    private Folders() {}

    /// The program's own folder of this user: the system property `knobscape.config` where it is set, else the
    /// system's place.
    public static Path user() {
        String given = System.getProperty("knobscape.config");
        if (given != null) {
            return Path.of(given);
        }
        // Java says "?" of a user whom the system does not know, as in containers.
        String home = Optional.of(System.getProperty("user.home", ""))
                .filter(h -> !h.isEmpty() && Path.of(h).isAbsolute())
                .orElse(System.getProperty("java.io.tmpdir"));
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (os.contains("win")) {
            return Path.of(Optional.ofNullable(System.getenv("APPDATA")).orElse(home), "Knobscape");
        }
        if (os.contains("mac")) {
            return Path.of(home, "Library", "Application Support", "Knobscape");
        }
        return Path.of(
                Optional.ofNullable(System.getenv("XDG_CONFIG_HOME"))
                        .filter(s -> !s.isBlank())
                        .orElse(home + "/.config"),
                "knobscape");
    }

    /// Where this user's runs lie that cannot lie beside a file.
    public static Path userRuns() {
        return user().resolve("runs");
    }

    /// Makes `folder` where needed and makes sure that files can be made in it. Throws [UserError] otherwise.
    public static Path writable(Path folder) {
        try {
            Files.createDirectories(folder);
            probe(folder);
            FileOutput.sweep(folder);
            return folder;
        } catch (FileAlreadyExistsException e) {
            throw new UserError(folder + " is a file, not a folder; name another output folder.", e);
        } catch (IOException e) {
            throw new UserError(
                    "Cannot write to the folder " + folder + ": " + FileOutput.reason(folder, e)
                            + "; choose another, make room or change its permissions.",
                    e);
        }
    }

    /// True if files can be made in an existing folder.
    public static boolean isWritable(Path folder) {
        try {
            probe(folder);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// Makes a file. Its name is always the same, so that one left by a killed process goes with the next.
    private static void probe(Path folder) throws IOException {
        Files.newByteChannel(
                        folder.resolve(".knobscape.probe"),
                        Set.of(
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE,
                                StandardOpenOption.DELETE_ON_CLOSE,
                                LinkOption.NOFOLLOW_LINKS))
                .close();
    }
}
