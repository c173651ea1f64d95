package knobscape.project;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/// The version of this program, as in its build file. Uses nothing but the JDK, so that `--version` costs no
/// start-up time.
public final class ProgramVersion {
    private ProgramVersion() {}

    /// For example `0.1.0`.
    public static String current() {
        try (InputStream in = ProgramVersion.class.getResourceAsStream("version.properties")) {
            if (in == null) {
                throw new IllegalStateException("version.properties is missing from this build");
            }
            var properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
