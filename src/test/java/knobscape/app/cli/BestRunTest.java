package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A worse second run takes nothing away from the better one before it.
class BestRunTest {
    @TempDir
    Path folder;

    private JsonNode tune(Terminal terminal, int trials, String... more) throws IOException {
        var words = new ArrayList<>(
                List.of("tune", "small.json", "--method", "random", "--trials", "" + trials, "--out", "t", "--json"));
        words.addAll(List.of(more));
        assertThat(terminal.run(words.toArray(String[]::new))).as(terminal::err).isZero();
        return terminal.json();
    }

    @Test
    void filesAndExportHaveTheBestRunUnlessOneIsNamed() throws IOException {
        Files.writeString(
                folder.resolve("small.json"),
                new String(
                        BestRunTest.class
                                .getResourceAsStream("/knobscape/gpu/tuning/small.json")
                                .readAllBytes(),
                        java.nio.charset.StandardCharsets.UTF_8));
        var terminal = new Terminal(() -> folder);
        JsonNode first = tune(terminal, 60);
        JsonNode second = tune(terminal, 6, "--seed", "5");

        assertThat(second.path("run").asString()).endsWith(":2");
        assertThat(terminal.err()).contains("Run 1 of this device found better schedules");
        JsonNode files = JsonMapper.shared().readTree(Files.readString(folder.resolve("t/tuning.json")));
        assertThat(files.path("run").asString()).endsWith(":1");
        assertThat(files.path("latencyMs").asDouble())
                .isEqualTo(first.path("latencyMs").asDouble());
        assertThat(files.path("untuned").isArray()).isTrue();
        assertThat(terminal.run("export", "t", "--as", "csv")).as(terminal::err).isZero();
        assertThat(terminal.err()).contains("Run 1 is exported");
        assertThat(terminal.out().lines()).hasSize(61);
        assertThat(terminal.run("export", "t:2", "--as", "csv"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.out().lines()).hasSize(7);
    }
}
