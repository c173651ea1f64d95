package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.Outcome;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsTools;
import knobscape.hls.HlsWorkbench;
import knobscape.project.Project;
import knobscape.space.Configuration;
import knobscape.work.RunSettings;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Runs whose designs are evaluated outside. Every command line opens the store anew, so each is a restart.
class AskTellTest {
    private static final String KERNEL = """
            void scale(int a[16], int b[16], int out[16]) {
            first:
              for (int i = 0; i < 16; i++) {
                a[i] = a[i] * 3;
              }
            second:
              for (int i = 0; i < 16; i++) {
                out[i] = a[i] * b[i];
              }
            }
            """;

    /// A figure that the vendors' tools, whose metrics are told, do not give.
    private static final String OF_ESTIMATES = "interval";

    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);

    private void ok(String... arguments) {
        assertThat(terminal.run(arguments)).as(terminal::err).isZero();
    }

    private void fails(String sentence, String... arguments) {
        assertThat(terminal.run(arguments)).isEqualTo(1);
        assertThat(terminal.err()).contains(sentence);
    }

    private JsonNode ask(String run, String... more) {
        var words = new ArrayList<>(List.of("ask", run, "--json"));
        words.addAll(List.of(more));
        ok(words.toArray(String[]::new));
        return terminal.json();
    }

    private void kernel() throws Exception {
        Files.writeString(folder.resolve("scale.cpp"), KERNEL);
    }

    private static Map<String, Map<String, Double>> figures(Path project, long run) {
        try (Project p = Project.open(project)) {
            var all = new TreeMap<String, Map<String, Double>>();
            p.runs()
                    .orElseThrow()
                    .results(run)
                    .found()
                    .filter(f -> f.evaluation().outcome() instanceof Outcome.Measured)
                    .forEach(f -> all.put(
                            f.evaluation().configuration().text() + " "
                                    + f.evaluation().fidelity(),
                            new TreeMap<>(((Outcome.Measured) f.evaluation().outcome()).values())));
            return all;
        }
    }

    @ParameterizedTest
    @CsvSource({"random, 1", "cgp, 1", "random, 3"})
    @Tag("slow")
    void aLoopOutsideFindsWhatTheLoopInsideFinds(String method, int inFlight) throws Exception {
        kernel();
        String[] search = {"--method", method, "--init", "4", "--steps", "6", "--early-stop", "0", "--seed", "2"};
        ok(Stream.concat(Stream.of("explore", "scale.cpp", "--out", "in"), Stream.of(search))
                .toArray(String[]::new));
        ok(Stream.concat(Stream.of("explore", "scale.cpp", "--toolchain", "told", "--out", "out"), Stream.of(search))
                .toArray(String[]::new));
        try (Project p = Project.open(folder.resolve("out"));
                Evaluator estimator = HlsWorkbench.open(p, p.file().work(HlsSettings.class), HlsTools.standard())
                        .evaluator(RunSettings.of("random", "estimator", 1, 1, 0))) {
            while (true) {
                JsonNode asked = ask("out", "--count", "" + inFlight);
                if (asked.path("done").booleanValue() && asked.path("designs").isEmpty()) {
                    break;
                }
                assertThat(asked.path("designs").size()).isBetween(1, inFlight);
                assertThat(ask("out", "--pending").path("designs").size())
                        .isEqualTo(asked.path("designs").size());
                tell(asked, estimator);
            }
        }
        Map<String, Map<String, Double>> inside = figures(folder.resolve("in"), 1);
        if (method.equals("random") && inFlight == 1) {
            inside.values().forEach(figures -> figures.remove(OF_ESTIMATES));
            assertThat(figures(folder.resolve("out"), 1)).isEqualTo(inside);
        } else {
            // Stages cost otherwise outside, and answers come otherwise: the same designs are not due.
            assertThat(figures(folder.resolve("out"), 1)).hasSizeGreaterThanOrEqualTo(10);
        }
    }

    /// Tells all stages of what was asked, in one document.
    private void tell(JsonNode asked, Evaluator estimator) throws Exception {
        var root = JsonMapper.builder().build().createObjectNode();
        var told = root.putArray("designs");
        for (JsonNode design : asked.path("designs")) {
            var knobs = new StringBuilder();
            design.path("knobs")
                    .properties()
                    .forEach(e -> knobs.append(knobs.isEmpty() ? "" : ";")
                            .append(e.getKey())
                            .append('=')
                            .append(e.getValue().asString()));
            try (Project p = Project.open(folder.resolve("out"))) {
                var set = p.runs().orElseThrow().find(1).orElseThrow().knobs();
                for (Evaluation e : estimator.evaluate(
                        Configuration.parse(set, knobs.toString()),
                        estimator.info().top(),
                        new CancellationSignal())) {
                    List<String> stages = design.path("stages")
                            .valueStream()
                            .map(JsonNode::asString)
                            .toList();
                    if (stages.contains(e.fidelity().name())) {
                        var node = told.addObject()
                                .put("design", design.path("design").asInt())
                                .put("stage", e.fidelity().name());
                        switch (e.outcome()) {
                            case Outcome.Measured m -> {
                                var values = node.putObject("values");
                                m.values().forEach(values::put);
                                values.remove(OF_ESTIMATES);
                            }
                            case Outcome.Failure f ->
                                node.put("failed", f.kind().words()).put("reason", f.reason());
                        }
                    }
                }
            }
        }
        Files.writeString(folder.resolve("told.json"), root.toString());
        ok("tell", "out", "--from", "told.json");
    }

    @Test
    void designsMeasuredElsewhereAreKnown() throws Exception {
        kernel();
        ok("explore", "scale.cpp", "--toolchain", "told", "--init", "3", "--steps", "4", "--method", "cgp");
        JsonNode first = ask("scale.knobscape", "--count", "9").path("designs");
        String other = first.get(1)
                .path("knobs")
                .toString()
                .replaceFirst("\"pipeline@scale/first\":\"[a-z]*\"", "\"pipeline@scale/first\":\"on\"");
        assertThat(other).contains("pipeline@scale/first");
        for (JsonNode d : first) {
            String n = d.path("design").asString();
            ok(
                    "tell",
                    "scale.knobscape",
                    "#" + n,
                    "latency=" + 10 * d.path("design").asInt(),
                    "clock=5",
                    "lut=9");
            ok("tell", "scale.knobscape", n, "delay=44", "power=1", "lut=9", "--seconds", "2");
            ok("tell", "scale.knobscape", n, "delay=44", "power=1", "lut=" + n);
        }
        Files.writeString(
                folder.resolve("more.json"),
                "{\"designs\": [{\"knobs\": " + other + ", \"values\": {\"power\": 0.1, \"delay\": 2, \"lut\": 3}}]}");
        ok("tell", "scale.knobscape", "--from", "more.json");
        assertThat(terminal.out()).contains("1 measured elsewhere");
        JsonNode next = ask("scale.knobscape").path("designs");
        assertThat(next).hasSize(1);
        assertThat(next.get(0).path("knobs").toString()).isNotEqualTo(other);
        ok("export", "scale.knobscape", "--as", "csv");
        assertThat(terminal.out()).contains("0.1").contains("44");
    }

    @Test
    void whatCannotBeTakenIsSaid() throws Exception {
        kernel();
        ok("explore", "scale.cpp", "--toolchain", "told", "--init", "2");
        fails("has no design 1 yet", "tell", "scale.knobscape", "1", "lut=3");
        ask("scale.knobscape");
        fails(
                "stage hls is to be told next",
                "tell",
                "scale.knobscape",
                "1",
                "--stage",
                "impl",
                "power=1",
                "delay=1",
                "lut=1");
        fails("did you mean 'delay'", "tell", "scale.knobscape", "1", "dellay=3", "lut=2");
        fails("The value of 'lut' is missing", "tell", "scale.knobscape", "1", "delay=3");
        fails("no kind of failure", "tell", "scale.knobscape", "1", "--failed", "sadness");
        fails("no stage 'place'", "tell", "scale.knobscape", "1", "--stage", "place", "lut=2");
        fails("no knob is named", "tell", "scale.knobscape", "nothing=3", "lut=2");
        assertThat(terminal.run("tell", "scale.knobscape", "1", "lut")).isEqualTo(2);
        fails("evaluated outside", "explore", "--resume", "scale.knobscape");
        ok("explore", "scale.cpp", "--init", "2", "--steps", "0");
        fails("is evaluated by estimator", "ask", "scale.knobscape");
        assertThat(ask("scale.knobscape:1", "--pending").path("designs")).hasSize(1);
    }

    @Test
    void anotherProcessIsWaitedFor() throws Exception {
        kernel();
        ok("explore", "scale.cpp", "--toolchain", "told");
        Project held = Project.open(folder.resolve("scale.knobscape"));
        held.lock();
        Thread release = Thread.ofPlatform().start(() -> {
            try {
                Thread.sleep(700);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            held.close();
        });
        assertThat(ask("scale.knobscape").path("designs")).hasSize(1);
        release.join();
    }

    @Test
    void schedulesOfANetworkAreAskedAndTold() {
        ok("tune", "alexnet", "--device", "told", "--trials", "20", "--out", "tuned");
        JsonNode asked = ask("tuned", "--count", "2", "--out", "files");
        assertThat(asked.path("designs")).hasSize(2);
        assertThat(folder.resolve("files/1/kernels.cu")).exists();
        ok("tell", "tuned", "1", "time=0.5");
        ok("tell", "tuned", "2", "--failed", "wrong-result");
        assertThat(ask("tuned").path("designs").get(0).path("design").asInt()).isEqualTo(3);
        try (Project p = Project.open(folder.resolve("tuned"))) {
            Evaluation e = p.runs()
                    .orElseThrow()
                    .results(1)
                    .design(1)
                    .orElseThrow()
                    .evaluations()
                    .getFirst();
            assertThat(e.value("gflops").orElseThrow())
                    .as("follows from the time")
                    .isPositive();
        }
    }

    @Test
    @Tag("slow")
    void strategiesOfANetworkAreAskedAndToldGenerationByGeneration() {
        ok("fuse", "resnet18", "--toolchain", "told", "--method", "ga", "--evaluations", "200", "--out", "fused");
        int told = 0;
        for (int round = 0; round < 8; round++) {
            JsonNode designs = ask("fused", "--count", "20", "--out", "files").path("designs");
            for (JsonNode d : designs) {
                ok("tell", "fused", d.path("design").asString(), "latency=" + (900 - told), "memory=2");
                told++;
                if (told > 6) {
                    break;
                }
            }
            if (told > 6) {
                break;
            }
        }
        assertThat(folder.resolve("files/1/strategy.json")).exists();
        assertThat(figures(folder.resolve("fused"), 1)).hasSize(told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"loop.sh", "loop.py"})
    @Tag("slow")
    @DisabledOnOs(OS.WINDOWS)
    void theExamplesRun(String name) throws Exception {
        Assumptions.assumeTrue(
                name.endsWith(".sh")
                        || Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                                .anyMatch(p -> Files.isExecutable(Path.of(p, "python3"))),
                "python3 is not installed, so the example in Python is not tried");
        kernel();
        Path program = folder.resolve("knobscape");
        Files.writeString(
                program,
                "#!/bin/sh\nexec "
                        + String.join(
                                " ",
                                Terminal.program().stream()
                                        .map(w -> "'" + w + "'")
                                        .toList())
                        + " \"$@\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        var builder = new ProcessBuilder(
                        Path.of("sample-projects/own_tool", name)
                                .toAbsolutePath()
                                .toString(),
                        "scale.cpp",
                        "1")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
        builder.environment().put("KNOBSCAPE", program.toString());
        Process p = builder.start();
        assertThat(p.waitFor(15, TimeUnit.MINUTES)).isTrue();
        assertThat(p.exitValue()).as(Files.readString(folder.resolve("said"))).isZero();
        assertThat(figures(folder.resolve("scale.knobscape"), 1)).hasSizeGreaterThanOrEqualTo(4);
        assertThat(Optional.of(ask("scale.knobscape"))
                        .filter(d -> d.path("done").booleanValue()))
                .isPresent();
    }
}
