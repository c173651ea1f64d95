package knobscape.app.system;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;

/// Where and what this installation is. Uses nothing but the JDK, so that it costs no start-up time.
public final class Installation {
    /// Name of the sample that opens when the program is started without a project.
    public static final String FIRST_SAMPLE = "gemm";

    /// From `lib/knobscape.jar` or `target/classes` to the folder of the installation it is one or two steps.
    private static final int STEPS_UP = 3;

    private Installation() {}

    /// The folder of the sample projects: beside the program's own jars or sources, else in the working
    /// directory.
    ///
    /// @return the folder, or empty where there is none
    public static Optional<Path> samples() {
        Path folder = codeLocation().orElse(null);
        for (int step = 0; step < STEPS_UP && folder != null; step++) {
            Path samples = folder.resolve("sample-projects");
            if (Files.isDirectory(samples)) {
                return Optional.of(samples);
            }
            folder = folder.getParent();
        }
        return Optional.of(Path.of("sample-projects")).filter(Files::isDirectory);
    }

    /// The sample that opens when the program is started without a project.
    ///
    /// @return its folder, or empty where it is not there
    public static Optional<Path> firstSample() {
        return samples().map(samples -> samples.resolve(FIRST_SAMPLE)).filter(Files::isDirectory);
    }

    /// The launcher's own statement, else where the classes come from; the start-up cache remembers that place of the
    /// folder it was made in.
    private static Optional<Path> codeLocation() {
        String told = System.getProperty("knobscape.home");
        if (told != null) {
            return Optional.of(Path.of(told));
        }
        CodeSource source = Installation.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(source.getLocation().toURI()));
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
