package knobscape.evaluate.report;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.evaluate.UserError;
import org.jspecify.annotations.Nullable;

/// Writes result files so that a reader sees the old content or the new, never half of it.
public final class FileOutput {
    /// The name of a target, and the process and thread that write it.
    private static final Pattern TEMPORARY = Pattern.compile("\\..+\\.(\\d{1,18})-\\d+\\.tmp");

    private static final int MOST_ATTEMPTS = 3;

    private FileOutput() {}

    /// Writes UTF-8 text without byte order mark; see [#write(Path, byte[])].
    public static void write(Path file, String text) {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /// Writes to a temporary file beside `file` and moves it into place, making missing folders. Throws
    /// [UserError] naming the file where the target cannot be written.
    public static void write(Path file, byte[] content) {
        place(file, content, true);
    }

    /// Throws [UserError] naming the file where it cannot be written, as [#write(Path, byte[])] would; missing folders
    /// are made. Long work asks before it begins.
    public static void requireWritable(Path file) {
        place(file, new byte[0], false);
    }

    private static void place(Path file, byte[] content, boolean moves) {
        Path target = file.toAbsolutePath().normalize();
        if (Files.isDirectory(target)) {
            throw new UserError("Cannot write '" + file + "': it is a folder; name a file.");
        }
        // Not createTempFile: that makes files which nobody else may read.
        Path temporary = target.resolveSibling("." + target.getFileName() + "."
                + ProcessHandle.current().pid() + "-" + Thread.currentThread().threadId() + ".tmp");
        try {
            sweep(
                    Files.createDirectories(Objects.requireNonNull(target.getParent())),
                    "." + target.getFileName() + ".");
            int attempt = 0;
            do {
                writeTemporary(temporary, content);
            } while (moves && !isMoved(temporary, target, ++attempt == MOST_ATTEMPTS));
        } catch (IOException e) {
            throw new UserError(
                    "Cannot write '" + file + "': " + reason(target, e)
                            + "; choose another place, make room or change the permissions.",
                    e);
        } finally {
            discard(temporary);
        }
    }

    private static void writeTemporary(Path temporary, byte[] content) throws IOException {
        Files.deleteIfExists(temporary);
        // Never through a link that somebody put there.
        try (FileChannel channel =
                FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            FileLock lock = locked(channel);
            ByteBuffer left = ByteBuffer.wrap(content);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            if (lock != null) {
                lock.release();
            }
        }
    }

    /// Moves the file into place. Since it was written nobody holds it, so that another process may sweep it away:
    /// then it is to be written again.
    private static boolean isMoved(Path temporary, Path target, boolean last) throws IOException {
        try {
            move(temporary, target);
            return true;
        } catch (NoSuchFileException e) {
            if (last) {
                throw e;
            }
            return false;
        }
    }

    /// The lock of a file; null where another process has it, or the file system knows no locks.
    private static @Nullable FileLock locked(FileChannel channel) {
        try {
            return channel.tryLock();
        } catch (IOException | OverlappingFileLockException e) {
            return null;
        }
    }

    /// Throws [UserError] where a link leads from a folder to a place outside of it: `file`, or a folder on the way to
    /// it, is one. A folder that is a link itself was chosen by whoever named it.
    public static void requireInside(Path folder, Path file) {
        Path inside = file.toAbsolutePath().normalize();
        Path root = folder.toAbsolutePath().normalize();
        if (!inside.startsWith(root) || !Files.exists(root)) {
            return;
        }
        for (Path at = inside; at != null; at = at.getParent()) {
            if (Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
                try {
                    if (!at.toRealPath().startsWith(root.toRealPath())) {
                        throw leadsOut(at, root, null);
                    }
                    return;
                } catch (NoSuchFileException e) {
                    // A database removes its second file when the last process closes it; a link may lead nowhere.
                    if (Files.isSymbolicLink(at)) {
                        throw leadsOut(at, root, e);
                    }
                } catch (IOException e) {
                    throw leadsOut(at, root, e);
                }
            }
        }
    }

    private static UserError leadsOut(Path link, Path root, @Nullable IOException e) {
        return new UserError(
                "'" + link + "' is a link that leads out of " + root
                        + ", where nothing is written; remove the link or choose another place.",
                e);
    }

    /// Removes temporary files of [#write] that killed processes left in a folder. A process that still writes one
    /// holds
    /// its lock: numbers of processes say nothing across containers and machines.
    public static void sweep(Path folder) {
        sweep(folder, ".");
    }

    private static void sweep(Path folder, String begins) {
        try (DirectoryStream<Path> left =
                Files.newDirectoryStream(folder, f -> f.getFileName().toString().startsWith(begins))) {
            for (Path file : left) {
                Matcher name = TEMPORARY.matcher(file.getFileName().toString());
                // To close a file of its own would give its lock away.
                boolean own = !name.matches()
                        || Long.parseLong(name.group(1))
                                == ProcessHandle.current().pid();
                if (!own && !isHeld(file)) {
                    discard(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // They do no harm; the next start tries again.
            return;
        }
    }

    /// True if a process holds the lock of a file, or it cannot be asked.
    public static boolean isHeld(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            return locked(channel) == null;
        } catch (IOException e) {
            return true;
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void discard(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            // What matters has already been said or done; a left-over temporary file is harmless.
            return;
        }
    }

    /// Why a file operation failed, in a few words: `the disk is full`.
    public static String reason(Path target, IOException e) {
        for (Path p = target.getParent(); p != null; p = p.getParent()) {
            if (Files.exists(p)) {
                if (!Files.isDirectory(p)) {
                    return "'" + p + "' is a file where a folder is needed";
                }
                break;
            }
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        String why = e instanceof FileSystemException f && f.getReason() != null
                ? f.getReason().toLowerCase(Locale.ROOT)
                : UserError.reason(e);
        if (why.toLowerCase(Locale.ROOT).contains("no space left")) {
            return "the disk is full";
        }
        return why.toLowerCase(Locale.ROOT).contains("quota exceeded") ? "the quota of the disk is used up" : why;
    }
}
