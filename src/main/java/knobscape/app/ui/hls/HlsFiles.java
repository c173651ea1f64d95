package knobscape.app.ui.hls;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.hls.space.KnobEdits;
import knobscape.app.ui.inspector.InspectorViewModel.Accuracy;
import knobscape.evaluate.report.FileOutput;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsTools;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.evaluate.estimator.KnownAccuracy;
import knobscape.hls.evaluate.vendor.ReportReader;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.Widening;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.Session;
import knobscape.space.Sha256;

/// Where HLS work lies on disk.
public final class HlsFiles {
    private HlsFiles() {}

    /// True if a file or folder looks like HLS work.
    public static boolean accepts(Path path) {
        if (WorkKind.isProject(path)) {
            return WorkKind.ofProject(path).filter(k -> !k.equals(WorkKind.HLS)).isEmpty();
        }
        if (Files.isDirectory(path)) {
            return false;
        }
        return ReportReader.isReport(path) || SourceEndings.isSourceOrHeader(path);
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
        return AddedValues.remembered(
                read(project, project.file().work(HlsSettings.class).effective(project), tools, false));
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

    /// How near the estimates of a kernel came to what was measured on the nearest one.
    static Accuracy accuracy(HlsWorkbench bench) {
        Optional<KnownAccuracy.Nearest> nearest = bench.kernelWork().nearestMeasured();
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

    /// True if a stored run is of what is open: a project may hold runs on tables from earlier versions.
    static boolean shows(Session<?> opened, RunRecord run) {
        return opened.bench() instanceof HlsWorkbench && run.work() instanceof HlsSettings;
    }

    private static Path stored(Session<HlsWorkbench> from, String text) {
        Path file = from.project().runsFolder().resolve("knobs").resolve("knobs-" + Sha256.name(text) + ".yaml");
        FileOutput.write(file, text);
        return file;
    }
}
