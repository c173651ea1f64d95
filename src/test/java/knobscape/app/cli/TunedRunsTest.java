package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.source.TunableNetwork;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tuning runs are runs like any other: numbered, named, deleted, locked, killed, resumed and exported one by
/// one.
class TunedRunsTest {
    private static final String TABLE =
            "layer,name,type,K,C,Y,X,R,S,stride,pad,Yo,Xo,pool,Yp,Xp,skip_from,skip_proj\n1,a,CONV,16,3,16,16,3,3,1,1,16,16,none,16,16,,0\n"
                    + "2,b,CONV,16,16,16,16,1,1,1,0,16,16,none,16,16,,0\n";

    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);

    private void tune(String... more) throws IOException {
        Files.writeString(folder.resolve("net.csv"), TABLE);
        var words = new java.util.ArrayList<>(List.of("tune", "net.csv", "--out", "r", "--json"));
        words.addAll(List.of(more));
        assertThat(terminal.run(words.toArray(String[]::new))).as(terminal::err).isZero();
    }

    private String exported(String run, String form) {
        assertThat(terminal.run("export", run, "--design", "T1-direct", "--as", form))
                .as(terminal::err)
                .isZero();
        return terminal.out();
    }

    @Test
    void theRunThatIsNamedIsExported() throws IOException {
        tune("--method", "random", "--trials", "20", "--seed", "1");
        String best1 = terminal.json().at("/front/0/schedule").toString();
        tune("--method", "random", "--trials", "40", "--seed", "2");
        String best2 = terminal.json().at("/front/0/schedule").toString();
        assertThat(best1).isNotEqualTo(best2);
        assertThat(exported("r:1", "json").replaceAll("\\s", "")).isEqualTo(best1.replaceAll("\\s", ""));
        assertThat(exported("r:2", "json").replaceAll("\\s", "")).isEqualTo(best2.replaceAll("\\s", ""));
        assertThat(exported("r", "json")).as("the newest").isEqualTo(exported("r:2", "json"));
        assertThat(exported("r:1", "cuda")).isNotEqualTo(exported("r:2", "cuda"));
        assertThat(terminal.run("export", "r:3", "--as", "cuda")).isEqualTo(1);
        assertThat(terminal.err()).contains("no run 3");
    }

    @Test
    void whatIsDamagedIsSaidAndTheRestIsExported() throws Exception {
        tune("--method", "random", "--trials", "20", "--seed", "1");
        String whole = exported("r:1", "csv");
        assertThat(terminal.err()).doesNotContain("damaged");
        try (var c = java.sql.DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("r/runs.db"));
                var sql = c.createStatement()) {
            sql.execute("UPDATE evaluations SET metrics='{x' WHERE id=(SELECT min(id) FROM evaluations)");
        }
        assertThat(exported("r:1", "csv").lines().count())
                .isLessThan(whole.lines().count());
        assertThat(terminal.err()).contains("1 stored rows of this run are damaged and left out");
    }

    @Test
    void runsAreRenamedAndDeleted() throws IOException {
        tune("--method", "random", "--trials", "4");
        tune("--method", "grid", "--trials", "4");
        assertThat(terminal.run("runs", "r", "--rename", "1=first look"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.out()).contains("first look");
        assertThat(terminal.run("runs", "r", "--delete", "1")).as(terminal::err).isZero();
        assertThat(terminal.run("runs", "r")).isZero();
        assertThat(terminal.out()).contains("grid").doesNotContain("first look", "random");
    }

    @Test
    void onlyOneProcessWritesAndItIsNamed() throws IOException {
        tune("--method", "random", "--trials", "8");
        try (Project held = Project.open(folder.resolve("r"))) {
            held.lock();
            for (String[] line : new String[][] {
                {"tune", "--resume", "r", "--trials", "20"},
                {"tune", "net.csv", "--out", "r"},
                {"runs", "r", "--rename", "1=x"}
            }) {
                assertThat(terminal.run(line)).isEqualTo(1);
                assertThat(terminal.err())
                        .contains("in use by process " + ProcessHandle.current().pid());
            }
        }
        assertThat(terminal.run("tune", "--resume", "r", "--trials", "20", "--json"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.json().get("evaluations").intValue()).isEqualTo(20);
    }

    @Test
    void theFilesAreThoseOfTheRunThatEndedLast() throws IOException {
        tune("--method", "random", "--trials", "8");
        assertThat(terminal.run("tune", "--resume", "r", "--trials", "24", "--json"))
                .as(terminal::err)
                .isZero();
        assertThat(Files.readString(folder.resolve("r/tuning.json")))
                .contains("\"evaluations\" : 24", "\"status\" : \"completed\"");
        assertThat(Files.readAllLines(folder.resolve("r/log.jsonl"))).hasSize(24);
    }

    @Test
    @Tag("slow")
    void aKilledTuningIsInterruptedExportedAndResumed() throws Exception {
        Files.writeString(folder.resolve("net.csv"), TABLE);
        String[] options = {"--method", "bted+bao", "--trials", "400", "--seed", "3", "--json"};
        var whole = new java.util.ArrayList<>(List.of("tune", "net.csv", "--out", "whole"));
        whole.addAll(List.of(options));
        assertThat(terminal.run(whole.toArray(String[]::new))).as(terminal::err).isZero();
        String expected = Files.readString(folder.resolve("whole/log.jsonl"));

        var killed = new java.util.ArrayList<>(List.of("tune", "net.csv", "--out", "killed"));
        killed.addAll(List.of(options));
        Process process = new ProcessBuilder(Terminal.program(killed.toArray(String[]::new)))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        for (int i = 0; i < 20_000 && process.isAlive() && measured() < 80; i++) {
            Thread.sleep(2);
        }
        process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        assertThat(terminal.run("runs", "killed")).as(terminal::err).isZero();
        assertThat(terminal.out()).contains("interrupted");
        assertThat(exported("killed:1", "cuda")).contains("__global__");
        assertThat(terminal.run("tune", "--resume", "killed", "--json"))
                .as(terminal::err)
                .isZero();
        assertThat(Files.readString(folder.resolve("killed/log.jsonl"))).isEqualTo(expected);
    }

    private long measured() {
        if (!Files.exists(folder.resolve("killed/runs.db"))) {
            return 0;
        }
        try (Project p = Project.open(folder.resolve("killed"))) {
            return p.runs()
                    .map(r -> r.results(1).designs().stream()
                            .filter(d -> !d.evaluations().isEmpty())
                            .count())
                    .orElse(0L);
        } catch (knobscape.evaluate.UserError e) {
            return 0;
        }
    }

    @Test
    void aProjectSaysEveryOption() throws IOException {
        tune("--method", "random", "--trials", "30");
        assertThat(terminal.run("export", "r", "--as", "autotvm", "--out", "."))
                .as(terminal::err)
                .isZero();
        Path project = Files.createDirectories(folder.resolve("p"));
        Files.move(folder.resolve("net.csv"), project.resolve("net.csv"));
        Files.move(folder.resolve("autotvm.json"), project.resolve("log.json"));
        String said =
                "{\"formatVersion\": 1, \"kind\": \"gpu\", \"source\": \"net.csv\", \"fused\": false, \"templates\": \"all\", \"import\": \"log.json\", "
                        + "\"dims\": {\"N\": 4}, \"run\": {\"method\": \"random\", \"trials\": 12, \"features\": \"curve\", \"minutes\": 5}}";
        // A table leaves no extent open.
        Files.writeString(project.resolve("knobscape.json"), said.replace("\"dims\": {\"N\": 4}, ", ""));
        assertThat(terminal.run("tune", "p", "--json")).as(terminal::err).isZero();
        assertThat(terminal.err()).contains("Known before: 30 records of log.json.");
        assertThat(terminal.json().get("known").intValue()).isEqualTo(30);
        assertThat(terminal.json().at("/front/0/tails/0/tail").asString()).isEqualTo("bare");
        assertThat(terminal.json().get("front").size())
                .as("templates of both layers")
                .isGreaterThan(2);

        ProjectFile file = ProjectFile.read(Files.writeString(folder.resolve("every.json"), said));
        GpuSettings settings = file.work(GpuSettings.class);
        assertThat(settings)
                .isEqualTo(GpuSettings.of("net.csv")
                        .with(GpuSettings.EXTENTS, java.util.Map.of("N", 4L))
                        .with(GpuSettings.TEMPLATES, TunableNetwork.Ways.ALL)
                        .with(GpuSettings.FUSED, false)
                        .with(GpuSettings.FEATURES, "curve")
                        .with(GpuSettings.MINUTES, 5.0)
                        .with(GpuSettings.LOG, "log.json"));
        file.write(folder.resolve("again.json"));
        assertThat(ProjectFile.read(folder.resolve("again.json")).work()).isEqualTo(settings);
        // The log is known to the stored run; resuming does not need it.
        Files.delete(project.resolve("log.json"));
        assertThat(terminal.run("tune", "--resume", "p", "--trials", "20", "--json"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.json().get("known").intValue()).isEqualTo(30);
        assertThat(terminal.json().get("evaluations").intValue()).isEqualTo(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"random", "autotvm", "bted+bao", "ga", "grid"})
    void aBudgetOfOneMeasurementPerKernelGivesEachASchedule(String method) {
        assertThat(terminal.run(
                        "tune",
                        "zoo:squeezenet_v1.1",
                        "--method",
                        method,
                        "--seed",
                        "5",
                        "--trials",
                        "18",
                        "--json",
                        "--out",
                        "r"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.json().get("front"))
                .hasSize(18)
                .allMatch(k -> k.get("trials").intValue() == 1 && k.has("schedule"));
        assertThat(terminal.json().get("latencyMs").doubleValue()).isPositive();
    }

    @Test
    void aKernelWithoutGainIsLeftAndTheOthersAreSearched() throws IOException {
        tune("--method", "random", "--trials", "100000", "--early-stop", "100");
        assertThat(terminal.json().get("reason").asString()).isEqualTo("every search has ended");
        assertThat(terminal.json().get("evaluations").intValue()).isLessThan(20_000);
    }

    @Test
    void whatIsTunedMustBeTheSameWhenARunIsResumed() throws IOException {
        tune("--method", "random", "--trials", "8");
        Files.writeString(folder.resolve("net.csv"), TABLE.replace("CONV,16,3,16,16", "CONV,16,4,16,16"));
        assertThat(terminal.run("tune", "--resume", "r", "--trials", "20")).isEqualTo(1);
        assertThat(terminal.err()).contains("has changed since run 1 began");
        assertThat(terminal.run("export", "r:1", "--design", "T1-direct", "--as", "cuda"))
                .as("from its results: " + terminal.err())
                .isZero();
        Files.delete(folder.resolve("r/tuning.json"));
        assertThat(terminal.run("export", "r:1", "--design", "T1-direct", "--as", "cuda"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("has changed since run 1 began");
    }
}
