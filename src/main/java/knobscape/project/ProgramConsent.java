package knobscape.project;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.space.Sha256;

/// The programs that this user agreed to start for a project: a project folder may come from anybody, and what it names
/// as its own tool runs with all that the user may do. A program is asked for once in each project.
public final class ProgramConsent {
    /// Property of the virtual machine by which whoever starts this program forbids it to start those that files name.
    public static final String FORBIDDEN = "knobscape.noPrograms";

    private static final String FILE = "programs.txt";
    private static final long LARGEST = 1 << 20;
    /// Agreements that are remembered; the oldest go.
    private static final int MOST = 5000;

    private ProgramConsent() {}

    /// The program that a toolchain starts where it is one's own tool; empty for those that this program knows.
    public static Optional<String> program(String toolchain) {
        return EvaluatorKind.COMMAND.argument(toolchain);
    }

    /// The program that has to be asked for before a toolchain runs in a project; empty where none is, or it was.
    public static Optional<String> missing(Project project, String toolchain) {
        return program(toolchain).filter(p -> !isGiven(project.runsFolder(), p));
    }

    /// True if the user agreed to start a program for the runs in a folder.
    public static boolean isGiven(Path runs, String program) {
        return lines().contains(line(runs, program));
    }

    /// Remembers that the user agreed. Where the user's folder cannot be written, it is asked again.
    public static void give(Path runs, String program) {
        var all = new ArrayList<>(lines());
        String line = line(runs, program);
        if (all.contains(line)) {
            return;
        }
        all.add(line);
        try {
            FileOutput.write(file(), String.join("\n", all.subList(Math.max(0, all.size() - MOST), all.size())) + "\n");
        } catch (UserError e) {
            org.slf4j.LoggerFactory.getLogger(ProgramConsent.class)
                    .info("the consent is not remembered: {}", e.getMessage());
        }
    }

    private static Path file() {
        return Folders.user().resolve(FILE);
    }

    private static String line(Path runs, String program) {
        return Sha256.of(real(runs) + "\n" + program);
    }

    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            return folder.toAbsolutePath().normalize();
        }
    }

    private static List<String> lines() {
        try {
            return Files.isRegularFile(file())
                    ? InputFile.text(file(), LARGEST).lines().toList()
                    : List.of();
        } catch (IOException | UserError e) {
            return List.of();
        }
    }
}
