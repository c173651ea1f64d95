package knobscape.app.ui.start;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import knobscape.app.ui.task.ScreenThread;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.project.ProjectFile;
import knobscape.project.RunStore;

/// A sample that comes with a run, packed beside its sources. It is opened as a copy, in which the run is unpacked, so
/// that the sample stays as it came.
final class FinishedSample {
    /// The run in the sample's folder.
    static final String FILE = "finished-run.db.gz";

    private static final int LARGEST = 64 << 20;
    /// Files left in the sample's folder by somebody who worked there.
    private static final List<String> LEFT_OUT = List.of(FILE, RunStore.FILE_NAME, "window.json", ".knobscape.lock");

    private FinishedSample() {}

    /// True if a folder is one.
    static boolean is(Path sample) {
        return Files.isRegularFile(sample.resolve(FILE));
    }

    /// The copy of a sample below a folder; made where it is not there, kept as it is where it is.
    static Path copy(Path sample, Path into) {
        ScreenThread.mustNotBe("copying a sample");
        Path copy = into.resolve(sample.toAbsolutePath().normalize().getFileName());
        if (Files.isRegularFile(copy.resolve(ProjectFile.FILE_NAME))) {
            return copy;
        }
        try (Stream<Path> files = Files.list(sample)) {
            Files.createDirectories(copy);
            // The project's file last: it says that the copy is whole.
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(f -> !LEFT_OUT.contains(f.getFileName().toString()))
                    .sorted(java.util.Comparator.comparing(f -> f.endsWith(ProjectFile.FILE_NAME)))
                    .toList()) {
                if (file.endsWith(ProjectFile.FILE_NAME)) {
                    FileOutput.write(copy.resolve(RunStore.FILE_NAME), unpacked(sample.resolve(FILE)));
                }
                FileOutput.write(copy.resolve(file.getFileName()), Files.readAllBytes(file));
            }
            return copy;
        } catch (IOException e) {
            throw new UserError("The sample cannot be copied to " + copy + ": " + e.getMessage() + ".", e);
        }
    }

    private static byte[] unpacked(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readNBytes(LARGEST);
        }
    }
}
