package knobscape.project;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.work.Area;
import knobscape.work.RunSummary;
import knobscape.work.WorkLocation;
import knobscape.work.WorkSettings;

/// A project folder, or a bare source file opened as one.
///
/// A folder holds [ProjectFile#FILE_NAME], the sources, and the runs (`runs.db`). A bare source gets a *scratch
/// project*: a folder with a `knobscape.json` that points at the source. It is made when the first run is
/// stored, in the folder given (`--out`), or else beside the source as `<name>.knobscape`. A project whose own
/// folder cannot be written (an installed sample) stores its runs in the folder given.
///
/// Opening reads only. The runs are reached by [#runs()] for reading; the first writer takes the project's lock
/// by [#lock()].
public final class Project implements WorkLocation, AutoCloseable {
    private final Path root;
    private final Path store;
    private final ProjectFile file;
    private final boolean scratch;
    private Optional<ProjectLock> lock = Optional.empty();
    private Optional<RunStore> runs = Optional.empty();

    private Project(Path root, Path store, ProjectFile file, boolean scratch) {
        this.root = root;
        this.store = store;
        this.file = file;
        this.scratch = scratch;
    }

    /// Opens a project folder, its `knobscape.json`, or a source file, with the runs at their usual place.
    public static Project open(Path path) {
        return open(path, Optional.empty());
    }

    /// Opens a project folder, its `knobscape.json`, or a source file. Throws [UserError] where there is
    /// nothing of the kind.
    ///
    /// @param path what to open
    /// @param out folder for the runs of a bare source, or of a project that cannot be written
    public static Project open(Path path, Optional<Path> out) {
        if (!Files.exists(path)) {
            throw new UserError("There is no file or folder " + path + ".");
        }
        if (Files.isDirectory(path)) {
            Path json = path.resolve(ProjectFile.FILE_NAME);
            InputFile.requireRegular(json);
            Optional<Path> inside = Files.exists(json)
                    ? Optional.empty()
                    : Areas.standard().areas().stream()
                            .flatMap(a -> a.inside(path).stream())
                            .findFirst();
            if (inside.isPresent()) {
                return ofSource(inside.get(), out);
            }
            if (!Files.isRegularFile(json)) {
                throw new UserError(
                        path + " is a folder without " + ProjectFile.FILE_NAME + "; name a project folder or a file.");
            }
            return ofFile(json, out);
        }
        if (path.getFileName().toString().equals(ProjectFile.FILE_NAME)) {
            return ofFile(path, out);
        }
        return ofSource(path, out);
    }

    /// Guards output of this project's work: the project file and the files that the work is made from are
    /// never replaced.
    ///
    /// @param force whether other files of others are
    public FileGuard guard(boolean force, WorkSettings work) {
        Stream<Path> inputs = Stream.concat(Stream.of(work.source()), work.inputs().stream())
                .flatMap(name -> {
                    try {
                        return Stream.of(resolve(name));
                    } catch (InvalidPathException e) { // names of built-in networks are not paths everywhere
                        return Stream.empty();
                    }
                });
        return new FileGuard(force, Set.of())
                .keeping(Stream.concat(Stream.of(folder().resolve(ProjectFile.FILE_NAME)), inputs)
                        .toList());
    }

    private static Project ofFile(Path json, Optional<Path> out) {
        Path folder = requireNonNull(json.toAbsolutePath().normalize().getParent());
        ProjectFile file = ProjectFile.read(json);
        Path store = out.isPresent() && !Folders.isWritable(folder)
                ? out.get().toAbsolutePath().normalize()
                : folder;
        return new Project(folder, store, file, !store.equals(folder));
    }

    private static Project ofSource(Path source, Optional<Path> out) {
        Path absolute = source.toAbsolutePath().normalize();
        return scratch(Areas.standard().accepting(absolute).bare(absolute), out);
    }

    /// Work without a project, as a scratch project.
    ///
    /// @param work what is opened
    /// @param out folder for its runs, the one that `work` names where empty
    public static Project scratch(Area.BareProject work, Optional<Path> out) {
        Path store = out.orElse(work.folder()).toAbsolutePath().normalize();
        Path existing = store.resolve(ProjectFile.FILE_NAME);
        WorkSettings settings = work.work().settings();
        if (Files.isRegularFile(existing)) {
            Project earlier = ofFile(existing, Optional.empty());
            if (earlier.file.work().getClass() == settings.getClass()
                    && earlier.file.work().source().equals(settings.source())) {
                return earlier;
            }
            throw new UserError("The folder " + store + " holds the project of another source ("
                    + earlier.file.work().source() + "); name another with --out.");
        }
        return new Project(
                store,
                store,
                new ProjectFile(work.name(), "", settings, work.work().run()),
                true);
    }

    /// Work without a project whose runs may share a folder with those of other sources of its area, as
    /// networks do. Where the folder that `work` names is another area's, one of another name beside it is
    /// taken. Stored settings have absolute paths.
    ///
    /// @param out folder for its runs, the one that `work` names where empty
    public static Project shared(Area.BareProject work, Optional<Path> out) {
        WorkSettings settings = work.work().settings();
        Path store = out.orElse(work.folder()).toAbsolutePath().normalize();
        Path existing = store.resolve(ProjectFile.FILE_NAME);
        if (!Files.isRegularFile(existing)) {
            return new Project(
                    store,
                    store,
                    new ProjectFile(work.name(), "", settings, work.work().run()),
                    true);
        }
        Project earlier = ofFile(existing, Optional.empty());
        if (earlier.file.work().getClass() == settings.getClass()) {
            return earlier;
        }
        if (out.isPresent()) {
            throw new UserError("The folder " + store + " holds a project of '"
                    + Areas.standard().of(earlier.file.work()).title() + "'; name another with --out.");
        }
        String name = store.getFileName().toString().replaceFirst("\\.knobscape$", "") + "-"
                + Areas.standard().of(settings).verb() + ".knobscape";
        return shared(new Area.BareProject(work.name(), store.resolveSibling(name), work.work()), Optional.empty());
    }

    /// The area of its work.
    public Area area() {
        return area(file.work());
    }

    /// The area of some work.
    public Area area(WorkSettings work) {
        return Areas.standard().of(work);
    }

    /// Name shown to a person.
    public String name() {
        return file.name();
    }

    /// The contents of `knobscape.json`, or those it would have for a scratch project.
    public ProjectFile file() {
        return file;
    }

    /// True if the runs live apart from the sources, in a folder made for them.
    @Override
    public boolean isScratch() {
        return scratch;
    }

    /// The folder that relative paths of [#file()] are relative to; of a scratch project it may not exist yet.
    @Override
    public Path folder() {
        return root;
    }

    @Override
    public Path runsFolder() {
        return store;
    }

    /// How a run is named on the command line, from anywhere on this machine.
    public String text(long run) {
        return store + ":" + run;
    }

    /// The summary of a run for documents of an area.
    public RunSummary summary(RunRecord r) {
        return new RunSummary(
                text(r.id()), r.settings(), r.info(), r.status().words(), r.reason(), r.algorithmSeconds());
    }

    /// The main source file, absolute.
    public Path source() {
        return resolve(file.work().source());
    }

    /// The stored runs. For reading while this process does not hold the [#lock()], for writing afterwards.
    /// Empty where nothing was ever stored.
    public synchronized Optional<RunStore> runs() {
        if (runs.isEmpty()) {
            RunSchema.refuseEarlier(store);
        }
        if (runs.isEmpty() && RunStore.isMade(store)) {
            runs = Optional.of(RunStore.openReadOnly(store));
        }
        return runs;
    }

    /// Takes the project for writing (again at no cost), makes the scratch folder where needed, and gives the
    /// store for writing. Throws [UserError] where another process holds the project or the folder cannot be
    /// written.
    public synchronized RunStore lock() {
        if (lock.isEmpty()) {
            Folders.writable(store);
            RunSchema.refuseEarlier(store);
            ProjectLock taken = ProjectLock.take(store);
            try {
                runs.ifPresent(RunStore::close);
                runs = Optional.empty();
                if (scratch && !Files.exists(store.resolve(ProjectFile.FILE_NAME))) {
                    new ProjectFile(file.name(), file.description(), file.work().stored(this), file.run())
                            .write(store.resolve(ProjectFile.FILE_NAME));
                }
                runs = Optional.of(RunStore.openForWriting(store));
                lock = Optional.of(taken);
            } finally {
                if (lock.isEmpty()) {
                    taken.close();
                }
            }
        }
        return runs.orElseThrow();
    }

    /// True if this process holds the project for writing.
    public synchronized boolean isLocked() {
        return lock.isPresent();
    }

    /// `process 4711 on host` where another process holds the project for writing.
    public synchronized Optional<String> lockedBy() {
        return lock.isPresent() ? Optional.empty() : ProjectLock.holder(store);
    }

    /// Gives lock and store back.
    @Override
    public synchronized void close() {
        runs.ifPresent(RunStore::close);
        runs = Optional.empty();
        lock.ifPresent(ProjectLock::close);
        lock = Optional.empty();
    }
}
