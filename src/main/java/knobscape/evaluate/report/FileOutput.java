package knobscape.evaluate.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.evaluate.UserError;
import org.jspecify.annotations.Nullable;

/// Writes result files so that a reader sees the old content or the new, never half of it.
public final class FileOutput {
    /// A target's name, the process and the thread that write it.
    private static final Pattern TEMPORARY = Pattern.compile("\\..+\\.(\\d{1,18})-\\d+\\.tmp");

    private FileOutput() {}

    /// Writes UTF-8 text without byte order mark; see [#write(Path, byte[])].
    public static void write(Path file, String text) {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /// Writes to a temporary file beside `file` and moves it into place, making missing folders. Throws
    /// [UserError] naming the file where the target cannot be written.
    public static void write(Path file, byte[] content) {
        Path target = file.toAbsolutePath().normalize();
        if (Files.isDirectory(target)) {
            throw new UserError("Cannot write '" + file + "': it is a folder; name a file.");
        }
        Path temporary = null;
        try {
            Files.createDirectories(target.getParent());
            // Not createTempFile: that makes files which nobody else may read.
            temporary = target.resolveSibling(
                    "." + target.getFileName() + "." + ProcessHandle.current().pid() + "-"
                            + Thread.currentThread().threadId() + ".tmp");
            Files.write(temporary, content);
            move(temporary, target);
        } catch (IOException e) {
            throw new UserError(
                    "Cannot write '" + file + "': " + reason(target, e)
                            + "; choose another place, make room or change the permissions.",
                    e);
        } finally {
            discard(temporary);
        }
    }

    /// Removes temporary files of [#write] that killed processes left in a folder.
    public static void sweep(Path folder) {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, ".*.tmp")) {
            for (Path file : left) {
                Matcher name = TEMPORARY.matcher(file.getFileName().toString());
                if (name.matches()
                        && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
                    discard(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // They do no harm; the next start tries again.
            return;
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void discard(@Nullable Path temporary) {
        if (temporary != null) {
            try {
                Files.deleteIfExists(temporary);
            } catch (IOException e) {
                // What matters has already been said or done; a left-over temporary file is harmless.
                return;
            }
        }
    }

    /// Why a file operation failed, in a few words.
    private static String reason(Path target, IOException e) {
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
        if (e instanceof FileSystemException f && f.getReason() != null) {
            return f.getReason().toLowerCase(Locale.ROOT);
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
