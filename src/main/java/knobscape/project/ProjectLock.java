package knobscape.project;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import knobscape.evaluate.UserError;

/// Holds a project for one writing process. The operating system drops the lock when the process ends however it ends, so a file left behind by a
/// killed process is stale by itself: whoever comes next simply gets the lock.
final class ProjectLock implements AutoCloseable {
    static final String FILE_NAME = ".knobscape.lock";
    /// The locked byte lies far behind the text, so that others can read who holds it also where locks are mandatory.
    private static final long LOCKED_BYTE = 1L << 40;
    private static final int LONGEST_TEXT = 512;

    private final FileChannel channel;

    private ProjectLock(FileChannel channel) {
        this.channel = channel;
    }

    /// Takes the lock of a project folder. Throws [UserError] naming the holder's process and host where another process has it, or where the
    /// folder cannot be written.
    static ProjectLock take(Path folder) {
        Path file = folder.resolve(FILE_NAME);
        FileChannel channel = null;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            FileLock lock;
            try {
                lock = channel.tryLock(LOCKED_BYTE, 1, false);
            } catch (OverlappingFileLockException e) {
                lock = null;
            }
            if (lock == null) {
                String holder = read(channel);
                channel.close();
                throw new UserError("The project " + folder + " is in use by " + (holder.isEmpty() ? "another process" : holder)
                        + "; close it there first.");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(("process " + ProcessHandle.current().pid() + " on " + host()).getBytes(StandardCharsets.UTF_8)), 0);
            return new ProjectLock(channel);
        } catch (IOException e) {
            close(channel);
            throw new UserError("Cannot write to the project folder " + folder + "; copy the project to a folder of your own, or name another with --out.", e);
        }
    }

    /// Who holds the lock now, if anybody does.
    static Optional<String> holder(Path folder) {
        Path file = folder.resolve(FILE_NAME);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
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

    private static void close(FileChannel channel) {
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
        close(channel);
    }
}
