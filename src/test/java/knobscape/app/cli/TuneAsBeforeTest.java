package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
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

    /// A project of version 0.1 with three runs: completed; stopped within a round, with records of an imported
    /// log; killed while it ran.
    private void before() throws IOException {
        Path project = Files.createDirectories(folder.resolve("old"));
        Files.writeString(project.resolve("small.json"), text("small.json"));
        Files.writeString(
                project.resolve("knobscape.json"),
                "{\"formatVersion\": 1, \"kind\": \"gpu\", \"source\": \"small.json\"}");
        Files.writeString(project.resolve("tuning.json"), text("tuning.json"));
        try (InputStream in = new GZIPInputStream(resource("tuning.db.gz"));
                OutputStream out = Files.newOutputStream(project.resolve("tuning.db"))) {
            in.transferTo(out);
        }
    }

    @Test
    void storedRunsAreListedResumedAndExported() throws Exception {
        before();
        assertThat(terminal.run("runs", "old")).as(terminal::err).isZero();
        assertThat(terminal.out())
                .containsPattern("1 .*random .*completed")
                .containsPattern("2 .*autotvm .*stopped")
                .containsPattern("3 .*ga .*interrupted");
        assertThat(terminal.run("export", "old:1", "--as", "csv"))
                .as(terminal::err)
                .isZero();
        String first = terminal.out();
        assertThat(terminal.run("export", "old:2", "--as", "csv"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.out()).isNotEqualTo(first);
        assertThat(terminal.run("export", "old:3", "--design", "T1-direct", "--as", "cuda"))
                .as("a killed run: " + terminal.err())
                .isZero();
        assertThat(terminal.out()).contains("__global__");
        String resumed = text("tuning-resumed.txt");
        for (String run : List.of("2", "3")) {
            assertThat(terminal.run("tune", "--resume", "old:" + run, "--json"))
                    .as(terminal::err)
                    .isZero();
            assertThat(terminal.json().path("status").asString()).isEqualTo("completed");
            assertThat(asked(folder.resolve("old/log.jsonl")))
                    .as("run " + run)
                    .isEqualTo(lines(resumed, "run " + run, "asked"));
            assertThat(terminal.json().path("latencyMs").asDouble())
                    .isCloseTo(
                            Double.parseDouble(lines(resumed, "run " + run, "latency ")
                                    .getFirst()
                                    .substring(8)),
                            within(1e-12));
        }
        assertThat(folder.resolve("old/runs.db")).isRegularFile();
        assertThat(folder.resolve("old/tuning.db")).doesNotExist();
        assertThat(folder.resolve("old/tuning.db.v1")).isRegularFile();
    }

    /// The first stores had no tails, did not note rounds, and their settings spoke of neither tails nor
    /// extents.
    @Test
    void theOldestStoresAreTakenOver() throws Exception {
        before();
        try (var c = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("old/tuning.db"));
                var sql = c.createStatement()) {
            sql.execute("DROP TABLE tails");
            sql.execute("ALTER TABLE kernels DROP COLUMN rounds");
            sql.execute("UPDATE tunings SET settings=replace(settings, ',\"tails\":true,\"dims\":{}', '')");
            sql.execute("PRAGMA user_version=1");
        }
        assertThat(terminal.run("runs", "old", "--rename", "1=first"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.out())
                .containsPattern("1 .*first .*random .*completed +90")
                .containsPattern("3 .*ga .*interrupted +130");
        assertThat(folder.resolve("old/tuning.db.v1")).isRegularFile();
    }
}
