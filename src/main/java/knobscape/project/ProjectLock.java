package knobscape.project;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import org.jspecify.annotations.Nullable;

/// Holds a project for one writing process. The operating system drops the lock when the process ends however
/// it ends, so a file left behind by a killed process is stale by itself: whoever comes next simply gets the
/// lock.
///
/// A system may drop a process's lock as soon as that process closes any other handle of the file. The process
/// that holds a lock therefore says so in a second file, and never opens the locked one again.
final class ProjectLock implements AutoCloseable {
    static final String FILE_NAME = ".knobscape.lock";
    /// The locked byte lies far behind the text, so that others can read who holds it also where locks are
    /// mandatory.
    private static final long LOCKED_BYTE = 1L << 40;
    private static final int LONGEST_TEXT = 512;
    private static final int LONGEST_OWNER = 16_384;

    private static final String OWNER = ".knobscape.owner";

    private final FileChannel channel;
    private final Path owner;

    private ProjectLock(FileChannel channel, Path owner) {
        this.channel = channel;
        this.owner = owner;
    }

    /// Takes the lock of a project folder. Throws [UserError] naming the holder's process and host where
    /// another process has it, or where the folder cannot be written.
    static ProjectLock take(Path folder) {
        Path file = folder.resolve(FILE_NAME);
        FileChannel channel = null;
        try {
            if (isOwn(folder)) {
                throw inUse(folder, self());
            }
            channel = open(file);
            FileLock lock;
            try {
                lock = channel.tryLock(LOCKED_BYTE, 1, false);
            } catch (OverlappingFileLockException e) {
                lock = null;
            }
            if (lock == null) {
                String holder = read(channel);
                channel.close();
                throw inUse(folder, holder.isEmpty() ? "another process" : holder);
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(self().getBytes(StandardCharsets.UTF_8)), 0);
            // The lock is held, so whatever lies there is left over, or somebody's link.
            Files.deleteIfExists(folder.resolve(OWNER));
            Files.writeString(
                    folder.resolve(OWNER), process(folder), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            return new ProjectLock(channel, folder.resolve(OWNER));
        } catch (IOException e) {
            close(channel);
            String why = FileOutput.reason(file, e);
            throw new UserError(
                    "Cannot write to the project folder " + folder + ": " + why
                            + (why.contains("disk")
                                    ? "; make room, or name another folder with --out."
                                    : "; copy the project to a folder of your own, or name another with --out."),
                    e);
        }
    }

    /// Opens the lock's file, made where it is not there. One that is a link, or has another name elsewhere, is not
    /// written.
    private static FileChannel open(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            try {
                return FileChannel.open(
                        file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
            } catch (FileAlreadyExistsException e) {
                // Another process was faster.
                return open(file);
            }
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || hasOtherNames(file)) {
            throw new UserError("'" + file + "' is a link or no plain file, so the project cannot be taken for writing;"
                    + " remove it.");
        }
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean hasOtherNames(Path file) throws IOException {
        try {
            return Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS) instanceof Integer n && n > 1;
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return false; // This system does not say.
        }
    }

    private static UserError inUse(Path folder, String holder) {
        return new UserError("The project " + folder + " is in use by " + holder + "; close it there first.");
    }

    /// True if this process holds the lock.
    private static boolean isOwn(Path folder) throws IOException {
        Path owner = folder.resolve(OWNER);
        return Files.isRegularFile(owner, LinkOption.NOFOLLOW_LINKS)
                && Files.size(owner) <= LONGEST_OWNER
                && Files.readString(owner).equals(process(folder));
    }

    /// This process among all that ever had its number, and this folder among its copies.
    private static String process(Path folder) throws IOException {
        return ProcessHandle.current().pid() + " since "
                + ProcessHandle.current()
                        .info()
                        .startInstant()
                        .map(String::valueOf)
                        .orElse("its start") + " in " + folder.toRealPath();
    }

    private static String self() {
        return "process " + ProcessHandle.current().pid() + " on " + host();
    }

    /// Who holds the lock now, if anybody does.
    static Optional<String> holder(Path folder) {
        Path file = folder.resolve(FILE_NAME);
        try {
            if (isOwn(folder)) {
                return Optional.of(self());
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            try (FileLock lock = channel.tryLock(LOCKED_BYTE, 1, false)) {
                return lock == null ? Optional.of(read(channel)) : Optional.empty();
            } catch (OverlappingFileLockException e) {
                return Optional.of(read(channel));
            }
        } catch (IOException e) {
            // No file, or no right to lock it: nobody is known to hold it.
            return Optional.empty();
        }
    }

    private static String read(FileChannel channel) throws IOException {
        var buffer = ByteBuffer.allocate(LONGEST_TEXT);
        channel.read(buffer, 0);
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8).strip();
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "this machine";
        }
    }

    private static void close(@Nullable FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // The first failure is the one to report.
            }
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(owner);
        } catch (IOException e) {
            throw new UserError("Cannot give the project back: " + owner + " cannot be removed; remove it by hand.", e);
        } finally {
            close(channel);
        }
    }
}
