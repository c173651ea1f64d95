package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.hls.evaluate.vendor.StandIns;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import knobscape.project.RunResults;
import knobscape.work.tool.Slurm;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// A run with tools that crash, hang, lie and get no licence, whose program is killed twice, ends with the evaluations
/// of one that nothing disturbed: real processes, stand-ins for the vendor's tools.
@Tag("slow")
@DisabledOnOs(OS.WINDOWS)
class ToolRunTest {
    private static final String KERNEL = """
            void product(int a[8][8], int b[8][8], int c[8][8]) {
            row:
              for (int i = 0; i < 8; i++) {
              column:
                for (int j = 0; j < 8; j++) {
                  int sum = 0;
                dot:
                  for (int k = 0; k < 8; k++) {
                    sum += a[i][k] * b[k][j];
                  }
                  c[i][j] = sum;
                }
              }
            }
            """;

    /// Real milliseconds of a minute of tool time; tools take a twentieth of what real ones take.
    private static final double MINUTE_MILLIS = 500;
    private static final double TOOL_SHARE = 0.05;
    private static final Duration OUTAGE = Duration.ofMinutes(10);

    @TempDir
    private static Path folder;

    private static Map<String, String> expected;
    private static int calmAnswers;
    private static CompletableFuture<Void> here;
    private static CompletableFuture<Void> cluster;

    /// The undisturbed run, then the others side by side: what takes time in them is waiting.
    @BeforeAll
    static void start() throws Exception {
        makeProject("calm");
        try (var calm = new StandIns(StandIns.spaceOf(folder.resolve("calm/product.cpp")), 5, StandIns.Faults.NONE)) {
            Path good = calm.install(folder.resolve("good"), "vitis_hls", "2022.1");
            var terminal = new Terminal(() -> folder);
            assertThat(terminal.run(command("calm", good))).as(terminal::err).isZero();
            calmAnswers = calm.answers();
        }
        expected = evaluations("calm");
        here = begin(() -> new Wild("wild", Optional.empty()).run());
        cluster = begin(() -> {
            try (Slurm s = Slurm.start(folder.resolve("slurm"))) {
                new Wild("cluster", Optional.of(s)).run();
            }
        });
    }

    private static CompletableFuture<Void> begin(Executable work) {
        var done = new CompletableFuture<Void>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                work.execute();
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private static void end(CompletableFuture<Void> run) throws Throwable {
        try {
            run.join();
        } catch (CompletionException e) {
            throw e.getCause();
        }
    }

    private static void makeProject(String name) throws IOException {
        Path p = Files.createDirectory(folder.resolve(name));
        Files.writeString(p.resolve("product.cpp"), KERNEL);
        Files.writeString(
                p.resolve(ProjectFile.FILE_NAME),
                "{\"formatVersion\": 1, \"source\": \"product.cpp\","
                        + " \"tool\": {\"stageMinutes\": 0.1, \"crashRetries\": 12, \"pauseSeconds\": 0.1}}");
    }

    private static String[] command(String project, Path tool) {
        return new String[] {
            "explore",
            project,
            "--toolchain",
            "vitis:" + tool,
            "--method",
            "random",
            "--init",
            "6",
            "--steps",
            "34",
            "--early-stop",
            "0",
            "--parallel",
            "2",
            "--seed",
            "4"
        };
    }

    private static Map<String, String> evaluations(String project) {
        try (Project p = Project.open(folder.resolve(project))) {
            RunResults r = p.runs().orElseThrow().results(1);
            return r.designs().stream()
                    .flatMap(d -> d.evaluations().stream())
                    .collect(Collectors.toMap(
                            e -> e.configuration().id() + " " + e.fidelity(),
                            e -> e.outcome().toString()));
        }
    }

    @Test
    void faultsAndKillsChangeNoResult() throws Throwable {
        end(here);
    }

    /// The controller of the cluster is stopped and started in the midst of it.
    @Test
    void faultsKillsAndAnotherStartOfTheControllerChangeNoResultOnSlurm() throws Throwable {
        end(cluster);
    }

    /// A run that is disturbed.
    private record Wild(String name, Optional<Slurm> slurm) {
        private Path said() {
            return folder.resolve(name + ".said");
        }

        private Process start(String... arguments) throws IOException {
            var builder = new ProcessBuilder(Terminal.program(arguments))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(said().toFile()));
            slurm.ifPresent(s ->
                    builder.environment().put("SLURM_CONF", s.configuration().toString()));
            return builder.start();
        }

        void run() throws Exception {
            makeProject(name);
            try (var tools = new StandIns(
                    StandIns.spaceOf(folder.resolve("calm/product.cpp")),
                    5,
                    new StandIns.Faults(0.1, 0.05, 0.03, 0.03, TOOL_SHARE, MINUTE_MILLIS))) {
                Path bad = tools.install(folder.resolve(name + " tools"), "vitis_hls", "2022.1");
                Process process = start(Stream.concat(
                                Stream.of(command(name, bad)),
                                slurm.stream().flatMap(_ -> Stream.of("--engine", "slurm")))
                        .toArray(String[]::new));
                waitUntil(process, tools, 15);
                process = startAgain(process);
                waitUntil(process, tools, 35);
                if (slurm.isPresent()) {
                    slurm.get().stopController();
                    Thread.sleep(2000);
                    slurm.get().startController();
                }
                tools.noLicences(OUTAGE);
                waitUntil(process, tools, 70);
                process = startAgain(process);
                assertThat(process.waitFor(15, TimeUnit.MINUTES)).isTrue();
                assertThat(process.exitValue()).as(Files.readString(said())).isZero();

                assertThat(new TreeSet<>(evaluations(name).keySet())).isEqualTo(new TreeSet<>(expected.keySet()));
                assertThat(evaluations(name)).isEqualTo(expected);
                assertThat(tools.refusals()).as("licences were missing").isPositive();
                assertThat(tools.answers()).isGreaterThan(calmAnswers + tools.refusals());
                // A stage may come out just when the program is killed, before its result is kept: at most once a kill.
                assertThat(tools.succeeded().values().stream()
                                .mapToInt(n -> n - 1)
                                .sum())
                        .isLessThanOrEqualTo(4);
            }
        }

        private Process startAgain(Process process) throws Exception {
            process.destroyForcibly().waitFor();
            return start("explore", "--resume", name);
        }

        private void waitUntil(Process process, StandIns tools, int stages) throws Exception {
            Instant end = Instant.now().plus(Duration.ofMinutes(10));
            while (tools.answers() < stages
                    && process.isAlive()
                    && Instant.now().isBefore(end)) {
                Thread.sleep(5);
            }
            assertThat(process.isAlive()).as(Files.readString(said())).isTrue();
        }
    }
}
