package knobscape.hls.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/// The Tcl shell of this machine; tests that need it are skipped where there is none.
final class Tclsh {
    private Tclsh() {}

    /// What the script prints. Fails the test where it does not end with success within 20 seconds.
    static String run(String script) {
        try {
            Path file = Files.createTempFile("knobscape", ".tcl");
            Path out = Files.createTempFile("knobscape", ".out");
            try {
                Files.writeString(file, script);
                return run(file, out);
            } finally {
                Files.delete(file);
                Files.delete(out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String run(Path file, Path out) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder("tclsh", file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
        } catch (IOException e) {
            return Assumptions.abort(
                    "tclsh is not installed, so what is generated is not tried with it: " + e.getMessage());
        }
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES))
                    .as("tclsh ended in time")
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            process.destroyForcibly();
        }
        String printed = Files.readString(out, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }
}
