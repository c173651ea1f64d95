package knobscape.app.system;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.evaluate.report.FileOutput;
import knobscape.project.Folders;
import org.jspecify.annotations.Nullable;

/// The folder of this process for temporary files, `java.io.tmpdir` from then on: libraries unpack their native
/// parts there. It goes when the program ends; what a killed process left goes at the next start.
public final class TemporaryFolder {
    private static final String PREFIX = "knobscape-";
    private static final String LOCK = "lock";
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
            // Under its name only when its lock is held, so that no other process sweeps it away.
            Path fresh = Files.createTempDirectory(base, PREFIX + "new-");
            hold(fresh.resolve(LOCK));
            String number = fresh.getFileName().toString().substring((PREFIX + "new-").length());
            return Optional.of(Files.move(
                    fresh,
                    base.resolve(PREFIX + ProcessHandle.current().pid() + "-" + number),
                    StandardCopyOption.ATOMIC_MOVE));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// Holds a lock until the program ends.
    @SuppressWarnings("resource") // the lock goes with the process, however that ends
    private static void hold(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(channel, lock)));
        } catch (IOException e) {
            close(channel, null);
        }
    }

    private static void close(FileChannel channel, @Nullable FileLock lock) {
        try {
            if (lock != null) {
                lock.release();
            }
            channel.close();
        } catch (IOException e) {
            // It goes with the process.
            return;
        }
    }

    /// Removes the folders of processes that are no more: nobody holds their lock. Of a folder without one the number
    /// of
    /// its process decides.
    static void sweep(Path base) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(base, PREFIX + "*")) {
            for (Path folder : all) {
                Matcher name = NAME.matcher(folder.getFileName().toString());
                if (name.matches()
                        && Long.parseLong(name.group(1))
                                != ProcessHandle.current().pid()
                        && !isUsed(folder, Long.parseLong(name.group(1)))) {
                    delete(folder);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static boolean isUsed(Path folder, long process) {
        Path lock = folder.resolve(LOCK);
        return Files.exists(lock, LinkOption.NOFOLLOW_LINKS)
                ? FileOutput.isHeld(lock)
                : ProcessHandle.of(process).isPresent();
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
