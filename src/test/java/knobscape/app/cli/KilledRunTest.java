package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import knobscape.project.Design;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import knobscape.project.RunResults;
import knobscape.project.RunStatus;
import knobscape.project.RunStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A program that is killed in the middle of a run, or told to end, leaves a run that continues to the end it
/// would have had: with real processes, the real estimator and the real explorers.
@Tag("slow")
class KilledRunTest {
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
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);

    @BeforeEach
    void makeProjects() throws Exception {
        for (String name : List.of("whole", "killed")) {
            Path p = Files.createDirectory(folder.resolve(name));
            Files.writeString(p.resolve("product.cpp"), KERNEL);
            Files.writeString(p.resolve(ProjectFile.FILE_NAME), "{\"formatVersion\": 1, \"source\": \"product.cpp\"}");
        }
    }

    /// Runs a command line in this process.
    private String knobscape(String... arguments) {
        assertThat(terminal.run(arguments)).as(terminal::err).isZero();
        return terminal.err();
    }

    /// Starts a command line as a process of its own; what it says goes into a file.
    private Process start(String... arguments) throws Exception {
        return new ProcessBuilder(Terminal.program(arguments))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
    }

    private RunResults results(String project) {
        try (Project p = Project.open(folder.resolve(project))) {
            return p.runs().orElseThrow().results(1);
        }
    }

    private void waitFor(Process process, int designs) throws Exception {
        Instant end = Instant.now().plus(PATIENCE);
        while (Instant.now().isBefore(end) && process.isAlive()) {
            if (Files.exists(folder.resolve("killed").resolve(RunStore.FILE_NAME)) && stored() >= designs) {
                return;
            }
            Thread.sleep(2);
        }
        throw new AssertionError("the run never came to design " + designs + "; it said: "
                + Files.readString(folder.resolve("said"), StandardCharsets.UTF_8));
    }

    /// Designs with an evaluation; none while the store is just being made.
    private long stored() {
        try (Project p = Project.open(folder.resolve("killed"))) {
            return p.runs().stream()
                    .flatMap(r -> r.results(1).designs().stream())
                    .filter(d -> !d.evaluations().isEmpty())
                    .count();
        } catch (knobscape.evaluate.UserError e) {
            return 0;
        }
    }

    @ParameterizedTest
    @CsvSource({"random, 1, 3, 40", "random, 3, 15, 40", "cgp, 2, 10, 3"})
    void killedAndResumedItEndsAsIfUndisturbed(String method, int parallel, int killAfter, int steps) throws Exception {
        String[] options = {
            "--method", method, "--steps", "" + steps, "--early-stop", "0", "--parallel", "" + parallel, "--seed", "5"
        };
        knobscape(with(options, "explore", "whole"));
        // Waiting a little makes sure that there is something left to kill.
        Process process = start(with(options, "explore", "killed", "--wait", "0.00001"));
        waitFor(process, killAfter);
        process.destroyForcibly().waitFor();
        RunResults left = results("killed");
        assertThat(left.run().status()).isEqualTo(RunStatus.INTERRUPTED);
        assertThat(left.designs().size()).isGreaterThanOrEqualTo(killAfter);

        assertThat(knobscape("explore", "--resume", "killed:1", "--wait", "0")).contains("resumed after");
        RunResults resumed = results("killed");
        RunResults whole = results("whole");
        assertThat(resumed.run().status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(resumed.front()).isEqualTo(whole.front());
        assertThat(resumed.designs())
                .extracting(Design::number, Design::configuration, Design::evaluations, Design::step)
                .containsExactlyElementsOf(whole.designs().stream()
                        .map(d -> org.assertj.core.groups.Tuple.tuple(
                                d.number(), d.configuration(), d.evaluations(), d.step()))
                        .toList());
        assertThat(resumed.trace())
                .extracting(RunResults.TracePoint::hypervolume)
                .isEqualTo(whole.trace().stream()
                        .map(RunResults.TracePoint::hypervolume)
                        .toList());
        // Runs in flight side by side end in any order, and so are summed.
        assertThat(resumed.run().toolSeconds())
                .isCloseTo(whole.run().toolSeconds(), within(1e-12 * whole.run().toolSeconds()));
    }

    /// One process writes: whoever comes second is told who the first is, whatever this process has examined
    /// in between.
    @Test
    void aSecondProcessCannotTakeTheProject() throws Exception {
        knobscape("explore", "killed", "--method", "random", "--steps", "1");
        try (Project held = Project.open(folder.resolve("killed"));
                Project reader = Project.open(folder.resolve("killed"))) {
            held.lock();
            assertThat(reader.lockedBy())
                    .hasValueSatisfying(who -> assertThat(who)
                            .contains("process " + ProcessHandle.current().pid()));
            org.assertj.core.api.Assertions.assertThatThrownBy(reader::lock)
                    .isInstanceOf(knobscape.evaluate.UserError.class);
            for (String[] verb : new String[][] {
                {"explore", "--resume", "killed:1", "--steps", "3"}, {"runs", "killed", "--delete", "1"}
            }) {
                Process second = start(verb);
                assertThat(second.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
                assertThat(second.exitValue()).isEqualTo(1);
                assertThat(Files.readString(folder.resolve("said")))
                        .contains("is in use by process "
                                + ProcessHandle.current().pid());
            }
        }
        assertThat(terminal.run("runs", "killed", "--delete", "1")).isZero();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void interruptedFromTheKeyboardItSaysHowToResume() throws Exception {
        // With a little waiting the whole space is not done before the signal comes.
        Process process = start(
                "explore",
                "killed",
                "--method",
                "random",
                "--steps",
                "100000",
                "--early-stop",
                "0",
                "--out",
                "results",
                "--wait",
                "0.00001");
        waitFor(process, 12);
        Terminal.interrupt(process);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(folder.resolve("said")))
                .contains("stopped on request")
                .contains("To resume: knobscape explore --resume")
                .contains("killed:1");
        assertThat(results("killed").run().status()).isEqualTo(RunStatus.STOPPED);
        assertThat(folder.resolve("results").resolve("run.json")).exists();
        int steps = results("killed").run().step() + 2;
        assertThat(knobscape("explore", "--resume", "results", "--steps", "" + steps))
                .contains("resumed after");
        assertThat(Files.readString(folder.resolve("results").resolve("run.json")))
                .as("results are written anew")
                .contains("\"steps\" : " + steps);
    }

    private static String[] with(String[] options, String... first) {
        var all = new ArrayList<>(List.of(first));
        all.addAll(List.of(options));
        return all.toArray(String[]::new);
    }
}
