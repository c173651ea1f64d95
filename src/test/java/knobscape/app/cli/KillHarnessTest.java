package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import knobscape.evaluate.report.FileGuard;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunStatus;
import knobscape.project.RunStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Real processes of every verb that writes, killed at any moment, again and again: resumed (or started again) they
/// end with the results of an undisturbed one, and leave nothing behind.
///
/// `-Dknobscape.kills=N` kills in all (default 100), `-Dknobscape.kills.seed=N`, `-Dknobscape.kills.minutes=N` for a
/// process at most (default 5).
@Tag("kill")
class KillHarnessTest {
    private static final int KILLS = Integer.getInteger("knobscape.kills", 100);
    private static final long PATIENCE_MINUTES = Integer.getInteger("knobscape.kills.minutes", 5);

    @TempDir
    private Path folder;

    /// A verb that writes.
    private enum Writing {
        EXPLORE(
                "explore",
                "P/product.cpp",
                "--method",
                "random",
                "--steps",
                "60",
                "--early-stop",
                "0",
                "--wait",
                "1e-5"),
        TUNE("tune", "zoo:alexnet", "--device", "model:t4", "--method", "ga", "--trials", "600", "--early-stop", "0"),
        FUSE("fuse", "zoo:vgg16", "--method", "gsampler", "--evaluations", "20000"),
        EXPORT("export", "R", "--as", "pragma", "--design", "1");

        private final List<String> words;

        Writing(String... words) {
            this.words = List.of(words);
        }

        private boolean isRun() {
            return ordinal() <= FUSE.ordinal();
        }
    }

    private static final String KERNEL = """
            void product(int a[8][8], int b[8][8], int c[8][8]) {
              for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++) {
                  int sum = 0;
                  for (int k = 0; k < 8; k++) sum += a[i][k] * b[k][j];
                  c[i][j] = sum;
                }
            }
            """;

    private Process start(List<String> words, String out) throws IOException {
        var line = new ArrayList<>(words);
        // A run that is resumed finds the place of its results again.
        if (!words.contains("--resume")) {
            line.addAll(List.of("--out", out));
        }
        List<String> program = Terminal.program(line.toArray(String[]::new));
        program.add(1, "-Dknobscape.home=" + Path.of("").toAbsolutePath());
        return new ProcessBuilder(program)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
    }

    private String said() throws IOException {
        return Files.readString(folder.resolve("said"));
    }

    /// Runs a command line to its end; gives how long that took.
    private long finish(List<String> words, String out) throws Exception {
        long begun = System.nanoTime();
        Process p = start(words, out);
        boolean ended = p.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES);
        p.destroyForcibly();
        assertThat(ended).as("ended within " + PATIENCE_MINUTES + " minutes").isTrue();
        assertThat(p.exitValue()).as(said()).isZero();
        return System.nanoTime() - begun;
    }

    /// What continues a killed process: the run where one was stored, else the same words.
    private List<String> next(Writing verb, String out) throws IOException {
        if (!verb.isRun() || newest(out).isEmpty()) {
            return verb.words;
        }
        return List.of(verb.words.getFirst(), "--resume", runs(out) + ":1");
    }

    private Path runs(String out) throws IOException {
        Path own = folder.resolve(out);
        return Files.exists(own.resolve(RunStore.FILE_NAME)) ? own : folder.resolve("P/product.knobscape");
    }

    private List<RunRecord> newest(String out) throws IOException {
        Path at = runs(out);
        if (!Files.exists(at.resolve(RunStore.FILE_NAME))) {
            return List.of();
        }
        try (Project p = Project.open(at)) {
            return p.runs().map(RunStore::list).orElse(List.of());
        } catch (knobscape.evaluate.UserError e) {
            // Killed while the store was being made.
            return List.of();
        }
    }

    /// Results without what differs between any two runs: times, places, and the words that repeat a run.
    private Map<String, String> results(String out) throws IOException {
        var all = new TreeMap<String, String>();
        try (Stream<Path> files = Files.walk(folder.resolve(out))) {
            for (Path f : files.filter(Files::isRegularFile).toList()) {
                String name = folder.resolve(out).relativize(f).toString();
                if (name.endsWith(".json") && !name.endsWith(FileGuard.MANIFEST)) {
                    JsonNode json = JsonMapper.shared().readTree(Files.readString(f));
                    if (json instanceof ObjectNode o) {
                        o.remove(List.of(
                                "run", "algorithmSeconds", "command", "toolHours", "project", "name", "reason"));
                    }
                    all.put(name, json.toString());
                } else if (name.matches(".*\\.(csv|cpp|tcl)|log\\.jsonl")) {
                    all.put(name, Files.readString(f));
                }
            }
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource
    void killedAgainAndAgainItEndsAsIfUndisturbed(Writing verb) throws Exception {
        var random = new Random(Long.getLong("knobscape.kills.seed", 1) + verb.ordinal());
        Files.writeString(Files.createDirectories(folder.resolve("P")).resolve("product.cpp"), KERNEL);
        if (verb == Writing.EXPORT) {
            finish(List.of("explore", "P/product.cpp", "--method", "random", "--steps", "2"), "R");
        }
        long whole = finish(verb.words, "whole");
        if (verb == Writing.EXPLORE) {
            deleteRuns();
        }
        Map<String, String> undisturbed = results("whole");
        assertThat(undisturbed).isNotEmpty();
        int kills = KILLS / Writing.values().length;
        int round = 0;
        while (kills > 0) {
            String out = "killed" + round++;
            // A few kills of one run, then it may end.
            for (int i = 1 + random.nextInt(5); i > 0 && kills > 0; i--) {
                Process p = start(next(verb, out), out);
                if (!p.waitFor((long) (whole * random.nextDouble()), TimeUnit.NANOSECONDS)) {
                    p.destroyForcibly().waitFor();
                    kills--;
                    assertThat(newest(out)).noneMatch(r -> r.status() == RunStatus.RUNNING);
                }
            }
            finish(next(verb, out), out);
            assertThat(results(out)).as("round " + round).isEqualTo(undisturbed);
            try (Stream<Path> left = Files.walk(folder.resolve(out))) {
                assertThat(left.map(f -> f.getFileName().toString()))
                        .noneMatch(n -> n.endsWith(".tmp") || n.endsWith(".probe"));
            }
            if (verb == Writing.EXPLORE) {
                deleteRuns();
            }
        }
    }

    /// The runs of a bare source lie beside it, whatever folder its results go to.
    private void deleteRuns() throws IOException {
        Path at = folder.resolve("P/product.knobscape");
        if (Files.isDirectory(at)) {
            try (Stream<Path> files = Files.list(at)) {
                for (Path f : files.toList()) {
                    Files.delete(f);
                }
            }
        }
    }
}
