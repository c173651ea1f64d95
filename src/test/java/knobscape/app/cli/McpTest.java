package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// An agent that speaks to the program by the client of the protocol's own makers.
@Tag("slow")
class McpTest {
    @TempDir
    private Path folder;

    private McpSyncClient client(String... options) throws Exception {
        Files.writeString(folder.resolve("net.json"), """
                {"format": "knobscape-layers", "formatVersion": 1, "layers": [
                  {"K": 8, "C": 4, "Y": 8, "X": 8, "R": 3, "S": 3, "pad": 1}, {"type": "FC", "K": 10, "C": 512}]}
                """);
        var words = new ArrayList<>(Terminal.program("mcp", folder.toString()));
        words.addAll(List.of(options));
        var client = McpClient.sync(new StdioClientTransport(
                        ServerParameters.builder(words.getFirst())
                                .args(words.subList(1, words.size()))
                                .build(),
                        McpJsonDefaults.getMapper()))
                .requestTimeout(Duration.ofMinutes(2))
                .initializationTimeout(Duration.ofMinutes(2))
                .build();
        client.initialize();
        return client;
    }

    private static CallToolResult call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        return client.callTool(
                CallToolRequest.builder(tool).arguments(arguments).build());
    }

    private static String text(CallToolResult r) {
        return ((TextContent) r.content().getFirst()).text();
    }

    private static JsonNode json(CallToolResult r) {
        assertThat(r.isError()).as(text(r)).isNotEqualTo(true);
        return JsonMapper.shared().readTree(text(r));
    }

    private static void refused(CallToolResult r, String sentence) {
        assertThat(r.isError()).isTrue();
        assertThat(text(r)).contains(sentence).doesNotContain("\tat ");
    }

    @Test
    void readingOnlyItSeesItsFolderAndNothingElse() throws Exception {
        try (McpSyncClient client = client()) {
            assertThat(client.listTools().tools())
                    .extracting(Tool::name)
                    .containsExactlyInAnyOrder("space", "advise", "runs", "why", "what_if", "report", "doctor");
            assertThat(json(call(client, "space", Map.of("source", "net.json"))).size())
                    .isPositive();
            refused(call(client, "space", Map.of("source", "/etc/passwd")), "lies outside of");
            refused(call(client, "space", Map.of("source", "../net.json")), "lies outside of");
            refused(call(client, "space", Map.of("source", "none.cpp")), "none.cpp");
            refused(call(client, "space", Map.of("source", "net.json", "out", "x")), "'out' is no argument of space");
            assertThat(folder).isDirectoryContaining(f -> f.endsWith("net.json"));
            assertThat(folder.toFile().list()).hasSize(1);
        }
    }

    @Test
    void writingItStartsWatchesAndStopsASearch() throws Exception {
        try (McpSyncClient client = client("--write")) {
            Map<String, Object> search = Map.of("search", 1);
            assertThat(client.listTools().tools())
                    .extracting(Tool::name)
                    .contains("explore", "tune", "fuse", "study", "ask", "tell", "export", "watch", "stop")
                    .doesNotContain("background", "gui");
            refused(
                    call(client, "explore", Map.of("project_source", "net.json", "toolchain", "command:sh")),
                    "names a program to start; the server was started without --programs");
            // A study by its content is one whatever it is called.
            Files.writeString(
                    folder.resolve("plain.yaml"),
                    "study: 1\nparameters: {a: [1, 2]}\nobjectives: {time: minimise}\nmeasure: {command: [touch, ran]}\n");
            refused(
                    call(client, "tune", Map.of("network", "plain.yaml")),
                    "'plain' names the program 'touch ran' to start; the server was started without --programs");
            assertThat(folder.resolve("ran")).doesNotExist();

            assertThat(json(call(client, "fuse", Map.of("network", "net.json", "out", "result")))
                            .path("search")
                            .asInt())
                    .isEqualTo(1);
            JsonNode seen = json(call(client, "watch", search));
            while (seen.path("running").asBoolean()) {
                Thread.sleep(200);
                seen = json(call(client, "watch", search));
            }
            assertThat(seen.path("exit").asInt()).as(seen.toString()).isZero();
            assertThat(seen.path("result").isObject()).isTrue();
            assertThat(folder.resolve("result")).isDirectory();
            assertThat(json(call(client, "runs", Map.of("project", "result"))).toString())
                    .contains("completed");

            // A table of results is searched, and what decides it is asked for.
            var table = new StringBuilder("tile,unroll,time_ms\n");
            for (int i = 0; i < 24; i++) {
                table.append(8 << (i % 4))
                        .append(',')
                        .append(i / 4)
                        .append(',')
                        .append(10 + i % 4 + 0.1 * i)
                        .append('\n');
            }
            Files.writeString(folder.resolve("t.csv"), table);
            int started = json(call(client, "tune", Map.of("network", "t.csv", "trials", 16, "out", "table")))
                    .path("search")
                    .asInt();
            do {
                Thread.sleep(200);
                seen = json(call(client, "watch", Map.of("search", started)));
            } while (seen.path("running").asBoolean());
            assertThat(seen.path("exit").asInt()).as(seen.toString()).isZero();
            JsonNode why = json(call(client, "why", Map.of("run", "table")));
            assertThat(why.at("/importance/0/objective").asString()).isEqualTo("time_ms");
            assertThat(why.at("/importance/0/knobs").size()).isEqualTo(2);
            JsonNode whatIf = json(call(client, "what_if", Map.of("run", "table", "set", List.of("tile=32;unroll=5"))));
            assertThat(whatIf.at("/knobs/tile").asString()).isEqualTo("32");
            assertThat(whatIf.at("/objectives/time_ms/value").asDouble()).isBetween(5.0, 20.0);
            refused(
                    call(client, "what_if", Map.of("run", "table", "set", List.of("tile=9"))),
                    "'9' is no value of tile");

            assertThat(json(call(
                                    client,
                                    "tune",
                                    Map.of(
                                            "network",
                                            "net.json",
                                            "device",
                                            "model:t4",
                                            "trials",
                                            1000000,
                                            "method",
                                            "random")))
                            .path("search")
                            .asInt())
                    .isEqualTo(3);
            assertThat(json(call(client, "stop", Map.of("search", 3)))
                            .path("running")
                            .asBoolean(true))
                    .isFalse();
            refused(call(client, "watch", Map.of("search", 7)), "No search has this number; there are [1, 2, 3].");
        }
    }

    /// Ends once the search has.
    private static JsonNode watched(McpSyncClient client, CallToolResult started) throws Exception {
        Map<String, Object> search =
                Map.of("search", json(started).path("search").asInt());
        JsonNode seen = json(call(client, "watch", search));
        while (seen.path("running").asBoolean()) {
            Thread.sleep(200);
            seen = json(call(client, "watch", search));
        }
        assertThat(seen.path("exit").asInt()).as(seen.toString()).isZero();
        return seen;
    }

    /// A study is looked at without a right to start anything, measured by the agent itself, and by its program only
    /// where the server may.
    @Test
    void aStudyIsSeenToldAndExportedAndItsProgramNeedsItsRight() throws Exception {
        Files.writeString(folder.resolve("s.study.yaml"), """
                study: 1
                parameters: {a: [1, 2, 3, 4], b: [1, 2, 3]}
                constraints: [a >= b]
                objectives: {time: minimise}
                measure: {command: [echo, "{a}{b}"]}
                run: {trials: 3, initial: 2}
                """);
        Files.writeString(folder.resolve("csynth.xml"), "<profile></profile>");
        String source = "study_kernel_table";
        try (McpSyncClient client = client("--write")) {
            assertThat(json(call(client, "space", Map.of("source", "s.study.yaml")))
                            .at("/size/pruned")
                            .asString())
                    .isEqualTo("9");
            refused(
                    call(client, "study", Map.of(source, "s.study.yaml")),
                    "'s' names the program 'echo {a}{b}' to start; the server was started without --programs");
            watched(client, call(client, "study", Map.of(source, "s.study.yaml", "toolchain", "told", "out", "told")));
            for (int i = 0; i < 5; i++) {
                JsonNode design = json(call(client, "ask", Map.of("run", "told")))
                        .path("designs")
                        .path(0);
                json(call(
                        client,
                        "tell",
                        Map.of(
                                "run",
                                "told",
                                "design",
                                design.path("design").asInt(),
                                "metric_value",
                                List.of("time=" + design.at("/knobs/a").asString()))));
            }
            assertThat(json(call(client, "ask", Map.of("run", "told")))
                            .path("done")
                            .asBoolean())
                    .isTrue();
            assertThat(json(call(client, "export", Map.of("run", "told", "as", "header")))
                            .path("text")
                            .asString())
                    .contains("#define a 1\n");
            refused(call(client, "report", Map.of("file_dir", "csynth.xml")), "csynth.xml");
            refused(call(client, "tell", Map.of("run", "told", "from", "-")), "'-' is standard input");
            assertThat(json(call(client, "runs", Map.of("project", "told"))).toString())
                    .contains("\"told\"");
            refused(call(client, "export", Map.of("run", "told")), "required property 'as' not found");
        }
        try (McpSyncClient client = client("--write", "--programs")) {
            JsonNode seen = watched(client, call(client, "study", Map.of(source, "s.study.yaml", "out", "ran")));
            assertThat(seen.at("/result/front/0/objectives/time").asDouble()).isGreaterThanOrEqualTo(11);
        }
        // Who agreed once did not agree to an agent.
        try (McpSyncClient client = client("--write")) {
            refused(call(client, "study", Map.of("resume", "ran")), "was started without --programs");
        }
    }
}
