package knobscape.app.ui.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import knobscape.app.ui.area.WorkFiles;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.Session;
import knobscape.study.StudyArea;
import knobscape.study.StudySettings;
import knobscape.study.StudyWorkbench;
import knobscape.study.source.ResultTable;

/// Where studies and tables of results lie on disk.
final class StudyFiles {
    private StudyFiles() {}

    /// Opens a study, a table, or a project of one; away from the screen.
    static Session<StudyWorkbench> read(Path path) {
        Project project = WorkFiles.project(path);
        try {
            return Session.of(project, project.file().work(StudySettings.class), s -> new StudyArea().open(s, project));
        } catch (RuntimeException e) {
            project.close();
            throw e;
        }
    }

    /// The open table read with another mapping of its columns, which is kept beside the runs; away from the screen.
    /// A mapping that cannot be read leaves what was there.
    static Session<StudyWorkbench> withColumns(Session<StudyWorkbench> from, String mapping) {
        Path file = from.project().runsFolder().resolve(ResultTable.COLUMNS);
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

    /// True if a stored run is of what is open: results of a study whose parameters changed, or of a table whose
    /// columns were for something else, are of another space.
    static boolean shows(Session<?> opened, RunRecord run) {
        return !(opened.bench() instanceof StudyWorkbench b)
                || (run.knobs().equals(b.space().knobs())
                        && b.table()
                                .filter(set -> !ways(run.info()).equals(ways(set.info())))
                                .isEmpty());
    }

    /// The objectives and which way is better; words and units may be read otherwise than when a run was stored.
    private static Map<String, Metric.Direction> ways(EvaluatorInfo info) {
        return info.metrics().stream().collect(Collectors.toMap(Metric::name, Metric::direction));
    }
}
