package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import knobscape.hls.evaluate.vendor.StandIns;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import knobscape.project.RunResults;
import knobscape.project.RunStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Ctrl-C while tools run: nothing of them is left running, and the run continues to the end it would have had. A
/// method that learns (cgp) proposes from what is known at the moment, so with several jobs in flight its next design
/// depends on which tool answers first, interrupted or not; with one job at a time it repeats.
@Tag("slow")
@DisabledOnOs(OS.WINDOWS)
class InterruptedToolRunTest {
    private static final String KERNEL = """
            void dot(int a[16], int b[16], int out[1]) {
              int s = 0;
            products:
              for (int i = 0; i < 16; i++) {
                s += a[i] * b[i];
              }
              out[0] = s;
            }
            """;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /// Stages take a few tenths of a second, so that the signal comes in the midst of some.
    private static final StandIns.Faults SLOW = new StandIns.Faults(0, 0, 0, 0, 1, 30);

    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);

    private void makeProject(String name) throws IOException {
        Path p = Files.createDirectory(folder.resolve(name));
        Files.writeString(p.resolve("dot.cpp"), KERNEL);
        Files.writeString(
                p.resolve(ProjectFile.FILE_NAME),
                "{\"formatVersion\": 1, \"source\": \"dot.cpp\", \"tool\": {\"pauseSeconds\": 0.1}}");
    }

    private static String[] command(String project, Path tool, String method, int parallel) {
        return new String[] {
            "explore",
            project,
            "--toolchain",
            "vitis:" + tool,
            "--method",
            method,
            "--steps",
            "12",
            "--early-stop",
            "0",
            "--parallel",
            "" + parallel,
            "--seed",
            "4"
        };
    }

    private RunResults results(String project) {
        try (Project p = Project.open(folder.resolve(project))) {
            return p.runs().orElseThrow().results(1);
        }
    }

    private static Map<String, String> evaluations(RunResults r) {
        var all = new TreeMap<String, String>();
        r.designs().stream()
                .flatMap(d -> d.evaluations().stream())
                .forEach(e -> all.put(
                        e.configuration().id() + " " + e.fidelity().name(),
                        e.outcome().toString()));
        return all;
    }

    private Stream<ProcessHandle> running(Path tools) {
        return ProcessHandle.allProcesses()
                .filter(p -> p.info()
                        .arguments()
                        .map(a -> Stream.of(a).anyMatch(w -> w.startsWith(tools.toString())))
                        .orElse(false));
    }

    @ParameterizedTest
    @CsvSource({"random, 4", "cgp, 1"})
    void interruptedAndResumedItEndsAsIfUndisturbed(String method, int parallel) throws Exception {
        makeProject("whole");
        makeProject("stopped");
        RunResults whole;
        int inAll;
        try (var calm = new StandIns(StandIns.spaceOf(folder.resolve("whole/dot.cpp")), 5, StandIns.Faults.NONE)) {
            Path good = calm.install(folder.resolve("good"), "vitis_hls", "2022.1");
            assertThat(terminal.run(command("whole", good, method, parallel)))
                    .as(terminal::err)
                    .isZero();
            whole = results("whole");
            inAll = calm.answers();
        }
        try (var slow = new StandIns(StandIns.spaceOf(folder.resolve("whole/dot.cpp")), 5, SLOW)) {
            Path tools = folder.resolve("slow");
            Path program = slow.install(tools, "vitis_hls", "2022.1");
            Path said = folder.resolve("said");
            Process process = new ProcessBuilder(Terminal.program(command("stopped", program, method, parallel)))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            Instant end = Instant.now().plus(PATIENCE);
            while (slow.answers() < inAll / 2
                    && process.isAlive()
                    && Instant.now().isBefore(end)) {
                Thread.sleep(5);
            }
            assertThat(process.isAlive()).as(Files.readString(said)).isTrue();
            Terminal.interrupt(process);
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(said).content().contains("stopped on request").contains("To resume: knobscape explore --resume");
            assertThat(running(tools)).as("nothing is left behind").isEmpty();
            RunResults left = results("stopped");
            assertThat(left.run().status()).isEqualTo(RunStatus.STOPPED);
            assertThat(evaluations(left)).hasSizeLessThan(evaluations(whole).size());

            assertThat(terminal.run("explore", "--resume", "stopped"))
                    .as(terminal::err)
                    .isZero();
            RunResults resumed = results("stopped");
            assertThat(resumed.run().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(evaluations(resumed)).isEqualTo(evaluations(whole));
            assertThat(slow.succeeded().values().stream().mapToInt(n -> n - 1).sum())
                    .as("stages begun twice: those that the signal ended")
                    .isLessThanOrEqualTo(parallel);
        }
    }
}
