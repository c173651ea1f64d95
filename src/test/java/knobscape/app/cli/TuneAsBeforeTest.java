package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Tuning measures the same configurations with the same results as version 0.1 did, and resumes, lists and
/// exports the runs that it stored. The network of these runs has a task with three tails, one with one, and a
/// small one whose space is exhausted.
class TuneAsBeforeTest {
    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);

    private static InputStream resource(String name) {
        return TuneAsBeforeTest.class.getResourceAsStream("/knobscape/gpu/tuning/" + name);
    }

    private static String text(String name) throws IOException {
        return new String(resource(name).readAllBytes(), StandardCharsets.UTF_8);
    }

    /// The first six digits of the configurations of every kernel, in the order they were measured, as
    /// `log.jsonl` has them; without those known before.
    private static List<String> asked(Path log) throws Exception {
        Map<String, StringBuilder> kernels = new java.util.LinkedHashMap<>();
        for (String line : Files.readAllLines(log)) {
            JsonNode node = JsonMapper.shared().readTree(line);
            String knobs = node.path("knobs").properties().stream()
                    .map(e -> e.getKey() + "=" + e.getValue().asString())
                    .collect(Collectors.joining(";"));
            String id = HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256").digest(knobs.getBytes(StandardCharsets.UTF_8)), 0, 3);
            kernels.computeIfAbsent(node.path("kernel").asString(), k -> new StringBuilder("asked"))
                    .append(' ')
                    .append(id);
        }
        return kernels.values().stream().map(StringBuilder::toString).toList();
    }

    /// The lines of a section that begin with a word.
    private static List<String> lines(String text, String section, String word) {
        var found = new ArrayList<String>();
        boolean in = false;
        for (String line : text.lines().toList()) {
            boolean head = line.matches("(method|run) .*");
            in = head ? line.equals(section) : in;
            if (in && line.startsWith(word)) {
                found.add(line);
            }
        }
        return found;
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"autotvm", "bted", "bted+bao", "ga", "random", "grid"})
    void theSameIsMeasured(String method) throws Exception {
        Files.writeString(folder.resolve("small.json"), text("small.json"));
        assertThat(terminal.run("tune", "small.json", "--method", method, "--trials", "480", "--json", "--out", "o"))
                .as(terminal::err)
                .isZero();
        JsonNode json = terminal.json();
        String before = text("tuning-before.txt");
        assertThat(asked(folder.resolve("o/log.jsonl"))).isEqualTo(lines(before, "method " + method, "asked"));
        assertThat(json.path("reason").asString())
                .isEqualTo(
                        lines(before, "method " + method, "reason ").getFirst().substring(7));
        assertThat(json.path("latencyMs").asDouble())
                .isCloseTo(
                        Double.parseDouble(lines(before, "method " + method, "latency ")
                                .getFirst()
                                .substring(8)),
                        within(1e-12));
        List<String> best = json.path("front")
                .valueStream()
                .map(k -> "best " + k.path("objectives").path("time").asDouble()
                        + k.path("knobs").properties().stream()
                                .map(e -> e.getKey() + "=" + e.getValue().asString())
                                .collect(Collectors.joining(";", " ", "")))
                .toList();
        assertThat(best).isEqualTo(lines(before, "method " + method, "best "));
        List<String> tails = json.path("front")
                .valueStream()
                .flatMap(k -> k.path("tails").valueStream().skip(1))
                .map(t -> "tail " + t.path("tail").asString() + " "
                        + t.path("objectives").path("time").asDouble())
                .toList();
        assertThat(tails).isEqualTo(lines(before, "method " + method, "tail "));
    }

    @Test
    void aStoreFromBeforeTheFirstVersionIsNamedInOneSentence() throws IOException {
        Path project = Files.createDirectories(folder.resolve("old"));
        Files.writeString(project.resolve("small.json"), text("small.json"));
        Files.writeString(
                project.resolve("knobscape.json"),
                "{\"formatVersion\": 1, \"kind\": \"gpu\", \"source\": \"small.json\"}");
        Files.writeString(project.resolve("tuning.db"), "whatever is in it");
        assertThat(terminal.run("runs", "old")).isEqualTo(1);
        assertThat(terminal.err())
                .contains("tuning.db was made by a Knobscape before 0.1")
                .hasLineCount(1);
        assertThat(project.resolve("tuning.db")).hasContent("whatever is in it");
    }
}
