package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {
    @Test
    void versionIsPrintedOnStandardOutput() {
        var out = new StringWriter();
        int status = new CommandLine(new Main()).setOut(new PrintWriter(out)).execute("--version");
        assertThat(status).isZero();
        assertThat(out.toString().strip()).matches("knobscape \\d+\\.\\d+\\.\\d+.*");
    }

    @Test
    void unknownOptionIsAUsageError() {
        var err = new StringWriter();
        int status = new CommandLine(new Main()).setErr(new PrintWriter(err)).execute("--no-such-option");
        assertThat(status).isEqualTo(2);
        assertThat(err.toString()).contains("--no-such-option");
    }
}
