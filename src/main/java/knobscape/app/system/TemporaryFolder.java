package knobscape.app.system;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.project.Folders;

/// The folder of this process for temporary files, `java.io.tmpdir` from then on: libraries unpack their native
/// parts there. It goes when the program ends; what a killed process left goes at the next start.
public final class TemporaryFolder {
    private static final String PREFIX = "knobscape-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d{1,18})-\\d+");

    private TemporaryFolder() {}

    /// Makes the folder, in the system's folder for such or else in the user's own. Where neither can be
    /// written, everything stays as it is.
    public static void use() {
        make(Path.of(System.getProperty("java.io.tmpdir")))
                .or(() -> make(Folders.user().resolve("tmp")))
                .ifPresent(own -> {
                    System.setProperty("java.io.tmpdir", own.toString());
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(own)));
                });
    }

    private static Optional<Path> make(Path base) {
        try {
            if (!Files.isDirectory(base) && !base.startsWith(Folders.user())) {
                return Optional.empty();
            }
            Files.createDirectories(base);
            sweep(base);
            return Optional.of(Files.createTempDirectory(
                    base, PREFIX + ProcessHandle.current().pid() + "-"));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// Removes the folders of processes that are no more.
    static void sweep(Path base) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(base, PREFIX + "*")) {
            for (Path folder : all) {
                Matcher name = NAME.matcher(folder.getFileName().toString());
                if (name.matches()
                        && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
                    delete(folder);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static void delete(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, IOException problem) throws IOException {
                    Files.delete(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            // Another user's, or in use: the next start tries again.
            return;
        }
    }
}
