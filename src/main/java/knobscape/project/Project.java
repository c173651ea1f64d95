package knobscape.project;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.fusion.source.Accelerator;
import knobscape.hls.space.DirectiveFile;

/// A project folder, or a bare source file opened as one.
///
/// A folder holds [ProjectFile#FILE_NAME], the sources, and the runs (`runs.db`). A bare source gets a *scratch project*: a folder with a
/// `knobscape.json` that points at the source. It is made when the first run is stored, in the folder given (`--out`), or else beside the source as
/// `<name>.knobscape`. A project whose own folder cannot be written (an installed sample) stores its runs in the folder given.
///
/// Opening reads only. The runs are reached by [#runs()] for reading; the first writer takes the project's lock by [#lock()].
public final class Project implements AutoCloseable {
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

    /// Opens a project folder, its `knobscape.json`, or a source file. Throws [UserError] where there is nothing of the kind.
    ///
    /// @param path what to open
    /// @param out folder for the runs of a bare source, or of a project that cannot be written
    public static Project open(Path path, Optional<Path> out) {
        if (!Files.exists(path)) {
            throw new UserError("There is no file or folder " + path + ".");
        }
        if (Files.isDirectory(path)) {
            Path json = path.resolve(ProjectFile.FILE_NAME);
            if (!Files.isRegularFile(json)) {
                throw new UserError(path + " is a folder without " + ProjectFile.FILE_NAME + "; name a project folder or a file.");
            }
            return ofFile(json, out);
        }
        if (path.getFileName().toString().equals(ProjectFile.FILE_NAME)) {
            return ofFile(path, out);
        }
        return ofSource(path, out);
    }

    private static Project ofFile(Path json, Optional<Path> out) {
        Path folder = json.toAbsolutePath().normalize().getParent();
        ProjectFile file = ProjectFile.read(json);
        Path store = out.isPresent() && !Files.exists(folder.resolve(RunStore.FILE_NAME)) && !Folders.isWritable(folder)
                ? out.get().toAbsolutePath().normalize() : folder;
        return new Project(folder, store, file, !store.equals(folder));
    }

    private static Project ofSource(Path source, Optional<Path> out) {
        Path absolute = source.toAbsolutePath().normalize();
        String name = absolute.getFileName().toString();
        var kernel = HlsSettings.of(absolute.toString());
        int dot = name.indexOf('.', 1) < 0 ? name.length() : kernel.isMeasured() ? name.replaceFirst("\\.gz$", "").lastIndexOf('.') : name.lastIndexOf('.');
        String stem = name.substring(0, dot);
        // Measured designs keep their ending in the folder's name: the kernel they were measured of may lie beside them.
        Path store = out.map(o -> o.toAbsolutePath().normalize()).orElseGet(() -> absolute.resolveSibling((kernel.isMeasured() ? name : stem) + ".knobscape"));
        Path existing = store.resolve(ProjectFile.FILE_NAME);
        if (Files.isRegularFile(existing)) {
            Project earlier = ofFile(existing, Optional.empty());
            if (earlier.source().equals(absolute)) {
                return earlier;
            }
            throw new UserError("The folder " + store + " holds the project of another source (" + earlier.source() + "); name another with --out.");
        }
        RunSettings run = kernel.isMeasured() ? RunSettings.defaults().withToolchain(Toolchains.REPLAY + ":" + absolute) : RunSettings.defaults();
        return new Project(store, store, new ProjectFile(stem, "", kernel, run), true);
    }

    /// Opens a network for layer fusion as a scratch project, with the runs in `out`, else in `<name>.knobscape` beside the file (of a built-in network: in `here`).
    ///
    /// @param settings what is fused; its source a file with an absolute path, or `zoo:NAME`
    /// @param here where the program was started
    public static Project ofNetwork(FusionSettings settings, Optional<Path> out, Path here) {
        String name = settings.isBuiltIn() ? settings.source().substring(FusionSettings.ZOO.length()) : Path.of(settings.source()).getFileName().toString();
        Path beside = settings.isBuiltIn() ? here.resolve(name + ".knobscape") : Path.of(settings.source()).resolveSibling(name + ".knobscape");
        Path store = out.orElse(beside).toAbsolutePath().normalize();
        Path existing = store.resolve(ProjectFile.FILE_NAME);
        if (Files.isRegularFile(existing)) {
            Project earlier = ofFile(existing, Optional.empty());
            if (earlier.file.work() instanceof FusionSettings f && f.source().equals(settings.source())) {
                return earlier;
            }
            throw new UserError("The folder " + store + " holds the project of another source (" + earlier.file.work().source() + "); name another with --out.");
        }
        return new Project(store, store, new ProjectFile(name, "", settings, FusionWorkbench.defaultRun()), true);
    }

    /// Name shown to a person.
    public String name() {
        return file.name();
    }

    /// What `knobscape.json` says, or would say for a scratch project.
    public ProjectFile file() {
        return file;
    }

    /// What is optimised: what the project file says, and where a directive file names a top function, part or clock, that. Throws [UserError] for a directive
    /// file that is not there or malformed.
    public HlsSettings kernel() {
        return kernel(file.run().toolchain());
    }

    /// What is optimised where `toolchain` judges: `replay:FILE` answers only for the designs in its file, which is then what is explored.
    public HlsSettings kernel(String toolchain) {
        HlsSettings k = file.kernel();
        Optional<String> data = Toolchains.measured(toolchain);
        if (k.isMeasured()) {
            data.map(this::resolve).filter(d -> !d.equals(source())).ifPresent(other -> {
                throw new UserError("Two files of measured designs are named, " + source() + " and " + other + "; name one.");
            });
            return k;
        }
        if (data.isPresent()) {
            return HlsSettings.of(data.get());
        }
        return k.directives().map(d -> k.refinedBy(DirectiveFile.read(resolve(d)))).orElse(k);
    }

    /// Whether the runs live apart from the sources, in a folder made for them.
    public boolean isScratch() {
        return scratch;
    }

    /// The folder that relative paths of [#file()] are relative to; of a scratch project it may not exist yet.
    public Path folder() {
        return root;
    }

    /// The folder that holds (or will hold) the runs.
    public Path runsFolder() {
        return store;
    }

    /// The main source file, absolute.
    public Path source() {
        return resolve(file.kernel().source());
    }

    /// A path of the project file made absolute.
    public Path resolve(String path) {
        return root.resolve(path).toAbsolutePath().normalize();
    }

    /// The stored runs. For reading while this process does not hold the [#lock()], for writing afterwards. Empty where nothing was ever stored.
    public synchronized Optional<RunStore> runs() {
        if (runs.isEmpty() && Files.isRegularFile(store.resolve(RunStore.FILE_NAME))) {
            runs = Optional.of(RunStore.openReadOnly(store));
        }
        return runs;
    }

    /// Takes the project for writing (again at no cost), makes the scratch folder where needed, and gives the store for writing. Throws [UserError] where
    /// another process holds the project or the folder cannot be written.
    public synchronized RunStore lock() {
        if (lock.isEmpty()) {
            Folders.writable(store);
            ProjectLock taken = ProjectLock.take(store);
            try {
                runs.ifPresent(RunStore::close);
                runs = Optional.empty();
                if (scratch && !Files.exists(store.resolve(ProjectFile.FILE_NAME))) {
                    new ProjectFile(file.name(), file.description(), stored(file.work()), file.run()).write(store.resolve(ProjectFile.FILE_NAME));
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

    /// Whether this process holds the project for writing.
    public synchronized boolean isLocked() {
        return lock.isPresent();
    }

    /// `process 4711 on host` where another process holds the project for writing.
    public synchronized Optional<String> lockedBy() {
        return lock.isPresent() ? Optional.empty() : ProjectLock.holder(store);
    }

    /// Settings as a run of this project stores them: with absolute paths where the runs live apart from the sources.
    WorkSettings stored(WorkSettings work) {
        return switch (work) {
            case HlsSettings k -> stored(k);
            case GpuSettings g -> g;
            case FusionSettings f -> scratch ? new FusionSettings(f.isBuiltIn() ? f.source() : resolve(f.source()).toString(),
                    Accelerator.preset(f.accelerator()).isPresent() ? f.accelerator() : resolve(f.accelerator()).toString(), f.buffer(), f.batch(), f.constraint(), f.dims()) : f;
        };
    }

    private HlsSettings stored(HlsSettings k) {
        return scratch ? new HlsSettings(resolve(k.source()).toString(), k.top(), k.includeDirs().stream().map(d -> resolve(d).toString()).toList(), k.defines(),
                k.directives().map(d -> resolve(d).toString()), k.part(), k.clockNs()) : k;
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
