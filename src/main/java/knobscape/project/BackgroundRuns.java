package knobscape.project;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.space.Sha256;

/// The runs of a user that go on without a window: a folder with a small file for each, and one process
/// (`knobscape background`) that works on them. A file stays until its run has ended, so that runs of a process that
/// was killed are found again.
public final class BackgroundRuns {
    private static final String SUFFIX = ".run";
    private static final String LOCK = "lock";
    private static final String LOG = "log.txt";
    private static final long LARGEST = 16_384;
    private static final long LARGEST_LOG = 1 << 20;
    private static final int MOST = 100;
    private static final Pattern LINES =
            Pattern.compile("(GOES_ON|PAUSED)\\R([a-z]{1,20})\\R(\\d{1,18})\\R([^\\r\\n]+)\\R?");

    private final Path folder;

    /// The wanted state of a run.
    public enum State {
        /// The process works on it, or will.
        GOES_ON,
        /// It waits for a person to continue it.
        PAUSED
    }

    /// A run.
    ///
    /// @param state what shall become of it
    /// @param verb the command that resumes it (`explore`)
    /// @param id its number
    /// @param project folder that holds it
    public record Entry(State state, String verb, long id, Path project) {
        /// Of a run of an open project.
        public static Entry of(State state, Session<?> opened, long id) {
            return new Entry(
                    state,
                    Areas.standard().of(opened.bench().settings()).verb(),
                    id,
                    opened.project().runsFolder());
        }

        /// `PROJECT:3`.
        public String reference() {
            return project + ":" + id;
        }

        private boolean isOfSameRun(Entry other) {
            return id == other.id && project.equals(other.project);
        }

        private String fileName() {
            return Sha256.name(project.toString()) + "-" + id + SUFFIX;
        }
    }

    /// @param folder may not exist yet
    public BackgroundRuns(Path folder) {
        this.folder = folder;
    }

    /// Those of this user.
    public static BackgroundRuns ofThisUser() {
        return new BackgroundRuns(Folders.user().resolve("background"));
    }

    /// Every run there is; files of others are passed over.
    public List<Entry> list() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.getFileName().toString().endsWith(SUFFIX))
                    .sorted()
                    .limit(MOST)
                    .flatMap(f -> read(f).stream())
                    .distinct()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /// Removes files of a run that stand under another name.
    private void removeOthers(Entry e) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<Path> others;
        try (Stream<Path> files = Files.list(folder)) {
            others = files.filter(f -> f.getFileName().toString().endsWith(SUFFIX)
                            && !f.getFileName().toString().equals(e.fileName())
                            && read(f).filter(e::isOfSameRun).isPresent())
                    .toList();
        }
        for (Path f : others) {
            Files.delete(f);
        }
    }

    private static Optional<Entry> read(Path file) {
        try {
            Matcher m = Files.isRegularFile(file) && Files.size(file) <= LARGEST
                    ? LINES.matcher(Files.readString(file))
                    : LINES.matcher("");
            return m.matches()
                            && Areas.standard().areas().stream()
                                    .anyMatch(a -> a.verb().equals(m.group(2)))
                    ? Optional.of(new Entry(
                            State.valueOf(m.group(1)), m.group(2), Long.parseLong(m.group(3)), Path.of(m.group(4))))
                    : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// Adds a run, or says something else of one. Throws [UserError] where the folder cannot be written.
    public void put(Entry e) {
        Folders.writable(folder);
        FileOutput.write(
                folder.resolve(e.fileName()), e.state() + "\n" + e.verb() + "\n" + e.id() + "\n" + e.project() + "\n");
        try {
            removeOthers(e);
        } catch (IOException problem) {
            throw new UserError("Cannot remove files in " + folder + "; remove them by hand.", problem);
        }
    }

    /// Forgets a run.
    public void remove(Entry e) {
        try {
            Files.deleteIfExists(folder.resolve(e.fileName()));
            removeOthers(e);
        } catch (IOException problem) {
            throw new UserError("Cannot remove " + folder.resolve(e.fileName()) + "; remove it by hand.", problem);
        }
    }

    /// The right to work on these runs, until it is closed; empty while another process has it.
    public Optional<AutoCloseable> take() {
        Folders.writable(folder);
        try {
            FileChannel channel =
                    FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                FileLock lock = channel.tryLock();
                if (lock != null) {
                    return Optional.of(channel::close);
                }
            } catch (OverlappingFileLockException e) {
                // This process has it.
            }
            channel.close();
            return Optional.empty();
        } catch (IOException e) {
            throw new UserError("Cannot write to " + folder + ": " + e.getMessage() + ".", e);
        }
    }

    /// Starts the process that works on these runs, apart from this one; where there is one already, the new one ends
    /// by itself. Throws [UserError] where it cannot be started.
    public Process start() {
        Folders.writable(folder);
        var options = new ArrayList<String>(List.of("-Djava.awt.headless=true"));
        Optional.ofNullable(System.getProperty("knobscape.config"))
                .ifPresent(c -> options.add("-Dknobscape.config=" + Path.of(c).toAbsolutePath()));
        var words = new ArrayList<>(ThisProgram.detached());
        words.addAll(ThisProgram.command(options, List.of("background")));
        try {
            File log = folder.resolve(LOG).toFile();
            Process p = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(
                            log.length() > LARGEST_LOG
                                    ? ProcessBuilder.Redirect.to(log)
                                    : ProcessBuilder.Redirect.appendTo(log))
                    .start();
            p.getOutputStream().close();
            return p;
        } catch (IOException e) {
            throw new UserError(
                    "The background process cannot be started: " + e.getMessage()
                            + ". The run is stored; choose Resume when the project is opened again.",
                    e);
        }
    }
}
