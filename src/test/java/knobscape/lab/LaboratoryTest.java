package knobscape.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import knobscape.app.Launcher;
import knobscape.lab.bench.Benches;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The laboratory's command line, and that the program is whole without it.
class LaboratoryTest {
    @TempDir
    private Path here;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... words) {
        return Laboratory.commandLine(here)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(words);
    }

    @ParameterizedTest
    @CsvSource({
        "sample, did you mean 'samples'?",
        "samples --seeds 0, '--seeds must be at least 1'",
        "start --methods cgp, has no methods to choose from",
        "hls-tables --methods cpg, did you mean 'cgp'?"
    })
    void whatIsWrongIsSaidInOneSentence(String words, String sentence) {
        assertThat(run(words.split(" "))).isPositive();
        assertThat(err.toString()).contains(sentence);
        assertThat(err.toString().strip().lines()).hasSize(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void withoutANameAllTablesAreListed() {
        assertThat(run()).isZero();
        assertThat(out.toString().lines()).hasSameSizeAs(Benches.all());
    }

    @Test
    void theDocumentHasTheTableItsRowsAndItsAims() {
        assertThat(run("space-sizes", "--quick", "--json")).isZero();
        JsonNode root = JsonMapper.builder().build().readTree(out.toString());
        assertThat(root.path("bench").stringValue()).isEqualTo("space-sizes");
        assertThat(root.path("rows")).isNotEmpty();
        root.path("aims").forEach(a -> assertThat(a.propertyNames()).contains("name", "value", "target", "met"));
        assertThat(root.path("aims")).isNotEmpty();
        assertThat(here.resolve("bench-space-sizes/space-sizes.json")).exists();
    }

    /// The program is compiled without the laboratory and ships without it.
    @Test
    void theProgramsClassesHoldNothingOfIt() throws Exception {
        Path classes = Path.of(Launcher.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        assertThat(classes.resolve("knobscape/app/Launcher.class")).exists();
        assertThat(classes.resolve("knobscape/lab")).doesNotExist();
        assertThat(classes.resolve("fxml/lab")).doesNotExist();
    }
}
