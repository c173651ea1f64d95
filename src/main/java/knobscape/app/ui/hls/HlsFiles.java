package knobscape.app.ui.hls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.designs.RunMemory;
import knobscape.app.ui.hls.space.KnobEdits;
import knobscape.app.ui.inspector.InspectorViewModel.Accuracy;
import knobscape.app.ui.settings.Settings;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.evaluate.report.FileOutput;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsTools;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.evaluate.estimator.KnownAccuracy;
import knobscape.hls.evaluate.vendor.ReportReader;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.Widening;
import knobscape.project.Folders;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.Session;

/// Where HLS work lies on disk.
public final class HlsFiles {
    private HlsFiles() {}

    /// Opens a project. A file in a folder that cannot be written has its runs among the program's own, under a name
    /// that no other file gives.
    static Project project(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        String name = String.valueOf(absolute.getFileName());
        return Project.open(
                path,
                Files.isDirectory(absolute)
                        ? Optional.of(Folders.userRuns().resolve(name))
                        : Files.isRegularFile(absolute) && !Folders.isWritable(requireNonNull(absolute.getParent()))
                                ? Optional.of(Folders.userRuns()
                                        .resolve(name + "-"
                                                + Integer.toHexString(
                                                        absolute.toString().hashCode())))
                                : Optional.empty());
    }

    /// Whether a file or folder looks like HLS work.
    public static boolean accepts(Path path) {
        if (WorkKind.isProject(path)) {
            return WorkKind.ofProject(path).filter(k -> !k.equals(WorkKind.HLS)).isEmpty();
        }
        if (Files.isDirectory(path)) {
            return false;
        }
        return ReplaySet.recognises(path) || ReportReader.isReport(path) || SourceEndings.isSourceOrHeader(path);
    }

    /// Where a project that cannot be written stores its runs, in a sentence.
    static Optional<String> storesElsewhere(Project project) {
        Path beside = project.source().getParent();
        return project.runsFolder().startsWith(beside) || project.runsFolder().equals(project.folder())
                ? Optional.empty()
                : Optional.of("The folder " + beside + " cannot be written; runs are stored in " + project.runsFolder()
                        + ".");
    }

    /// Away from the screen. Every set of edits has its own file, named by its content, so that runs that used
    /// it can still continue.
    static Session<HlsWorkbench> edited(Session<HlsWorkbench> from, KnobEdits next) {
        if (next.isNone()) {
            return from;
        }
        HlsSettings kernel = from.bench().settings();
        return from.with(kernel.with(
                HlsSettings.DIRECTIVES,
                stored(from, next.yaml(from.bench().directives(), kernel.part(), kernel.clockNs()))
                        .toString()));
    }

    /// Reads the work of a project with the space it had last; away from the screen.
    static Session<HlsWorkbench> read(Project project, HlsTools tools) {
        return AddedValues.remembered(read(
                project,
                project.file()
                        .work(HlsSettings.class)
                        .effective(project.file().run().toolchain(), project),
                tools,
                false));
    }

    /// Reads the work of a project; away from the screen.
    ///
    /// @param keep whether the project stays open where that fails
    static Session<HlsWorkbench> read(Project project, HlsSettings kernel, HlsTools tools, boolean keep) {
        boolean done = false;
        try {
            var opened = Session.of(project, kernel, s -> HlsWorkbench.open(project, s.as(HlsSettings.class), tools));
            done = true;
            return opened;
        } finally {
            if (!done && !keep) {
                project.close();
            }
        }
    }

    /// What a person did with a project before; away from the screen.
    static Settings memory(Session<HlsWorkbench> opened) {
        return Settings.load(opened.project().runsFolder().resolve(RunMemory.FILE));
    }

    /// How near the estimates of a kernel came to what was measured on the nearest one.
    static Accuracy accuracy(HlsWorkbench bench) {
        Optional<KnownAccuracy.Nearest> nearest = bench.measured().isPresent()
                ? Optional.empty()
                : bench.kernelWork().nearestMeasured();
        return (stage, metric) -> nearest.flatMap(n -> n.words(stage, metric));
    }

    /// A directive file of the space with more values; away from the screen.
    static Path widened(Session<HlsWorkbench> from, Widening more) {
        HlsSettings kernel = from.bench().settings();
        return stored(
                from,
                more.of(DirectiveFile.write(
                        from.bench().directives(), kernel.part(), OptionalDouble.of(kernel.clockNs()))));
    }

    /// The open table read with another mapping of its columns, which is kept beside the runs; away from the screen.
    /// A mapping that cannot be read leaves what was there.
    static Session<HlsWorkbench> withColumns(Session<HlsWorkbench> from, String mapping) {
        Path file = from.project().runsFolder().resolve(HlsWorkbench.COLUMNS);
        Optional<byte[]> before = content(file);
        FileOutput.write(file, mapping);
        try {
            return Session.of(from.project(), from.bench().settings(), from.opener());
        } catch (UserError e) {
            before.ifPresentOrElse(text -> FileOutput.write(file, text), () -> delete(file));
            throw e;
        }
    }

    private static Optional<byte[]> content(Path file) {
        try {
            return Files.exists(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
        } catch (IOException e) {
            throw new UserError(file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UserError(file + " cannot be deleted: " + e.getMessage() + ".", e);
        }
    }

    /// Whether a stored run is of what is open: designs of a table whose columns were for something else are of
    /// another space.
    static boolean shows(Session<?> opened, RunRecord run) {
        return !(opened.bench() instanceof HlsWorkbench h)
                || h.measured()
                        .filter(set -> !run.knobs().equals(set.space().knobs())
                                || !ways(run.info()).equals(ways(set.info())))
                        .isEmpty();
    }

    /// What is measured and which way is better; words and units may be read otherwise than when a run was stored.
    private static Map<String, Metric.Direction> ways(EvaluatorInfo info) {
        return info.metrics().stream().collect(Collectors.toMap(Metric::name, Metric::direction));
    }

    private static Path stored(Session<HlsWorkbench> from, String text) {
        Path file = from.project()
                .runsFolder()
                .resolve("knobs")
                .resolve("knobs-" + Integer.toHexString(text.hashCode()) + ".yaml");
        FileOutput.write(file, text);
        return file;
    }
}
