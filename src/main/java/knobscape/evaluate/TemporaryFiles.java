package knobscape.evaluate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/// Temporary files in the folder that this process has for them, so that they go with it, those of a killed one at the
/// next start. Java's own methods take the folder that was the system's when the virtual machine began.
public final class TemporaryFiles {
    private TemporaryFiles() {}

    private static Path place() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /// A new folder whose name begins so.
    public static Path folder(String name) throws IOException {
        return Files.createTempDirectory(place(), name);
    }

    /// A new file whose name begins and ends so.
    public static Path file(String name, String suffix) throws IOException {
        return Files.createTempFile(place(), name, suffix);
    }

    /// Removes a folder and all in it, as far as that is possible; what stays goes with the process.
    public static void remove(Path folder) {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            LoggerFactory.getLogger(TemporaryFiles.class).debug("{} stays", folder, e);
        }
    }
}
