package knobscape.app.ui.hls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.run.DesignPictures;
import knobscape.app.ui.task.ScreenThread;
import knobscape.hls.HlsSettings;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunStatus;

/// The preview of a project before its source is parsed and its space pruned: the text and the stored designs.
///
/// @param file name of the source
/// @param text of it; empty where it cannot be shown
/// @param designs of the stored runs, without a baseline; empty where there are none
record Preview(String file, String text, DesignSet designs) {
    private static final long LARGEST = 2_000_000;

    /// Reads it; throws [knobscape.evaluate.UserError] and whatever else opening will throw again.
    static Preview read(Project project) {
        ScreenThread.mustNotBe("reading a project");
        Path source = project.source();
        String text = text(source);
        List<RunRecord> runs = project.runs()
                .map(s -> DesignPictures.alike(s, r -> r.work() instanceof HlsSettings))
                .orElse(List.of());
        if (runs.isEmpty()) {
            return new Preview(source.toString(), text, DesignSet.none());
        }
        List<RunRecord> shown = runs.getLast().status() == RunStatus.COMPLETED ? runs : List.of(runs.getLast());
        DesignFold fold = DesignFold.stored(project.runs().orElseThrow(), shown);
        return new Preview(source.toString(), text, fold.set());
    }

    private static String text(Path source) {
        try {
            return Files.isRegularFile(source) && Files.size(source) <= LARGEST
                    ? Files.readString(source, StandardCharsets.UTF_8)
                    : "";
        } catch (IOException e) {
            // Opening says what is wrong with it.
            return "";
        }
    }
}
