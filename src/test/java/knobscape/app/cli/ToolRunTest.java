package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.vendor.Slurm;
import knobscape.hls.evaluate.vendor.StandIns;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.cdt.CdtKernelReader;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import knobscape.project.RunResults;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
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

    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);

    private DirectiveSpace space() {
        var kernel = new CdtKernelReader()
                .read(
                        folder.resolve("calm/product.cpp"),
                        new KernelReader.Options(Optional.empty(), List.of(), Map.of()));
        Part part = Part.byDefault();
        return SpaceBuilder.build(kernel, SpaceLimits.forPart(part.dsp(), part.bram(), part.uram()));
    }

    private String[] command(String project, Path tool) {
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

    private Map<String, String> evaluations(String project) {
        try (Project p = Project.open(folder.resolve(project))) {
            RunResults r = p.runs().orElseThrow().results(1);
            return r.designs().stream()
                    .flatMap(d -> d.evaluations().stream())
                    .collect(Collectors.toMap(
                            e -> e.configuration().id() + " " + e.fidelity(),
                            e -> e.outcome().toString()));
        }
    }

    private Optional<Slurm> slurm = Optional.empty();

    private Process start(String... arguments) throws Exception {
        var builder = new ProcessBuilder(Terminal.program(arguments))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("said").toFile()));
        slurm.ifPresent(
                s -> builder.environment().put("SLURM_CONF", s.configuration().toString()));
        return builder.start();
    }

    @Test
    void faultsAndKillsChangeNoResult() throws Exception {
        faultsAndKills(List.of());
    }

    /// The controller of the cluster is stopped and started in the midst of it.
    @Test
    void faultsKillsAndAnotherStartOfTheControllerChangeNoResultOnSlurm() throws Exception {
        try (Slurm s = Slurm.start(folder.resolve("slurm"))) {
            slurm = Optional.of(s);
            faultsAndKills(List.of("--engine", "slurm"));
        }
    }

    private void faultsAndKills(List<String> engine) throws Exception {
        for (String name : List.of("calm", "wild")) {
            Path p = Files.createDirectory(folder.resolve(name));
            Files.writeString(p.resolve("product.cpp"), KERNEL);
            Files.writeString(
                    p.resolve(ProjectFile.FILE_NAME),
                    "{\"formatVersion\": 1, \"source\": \"product.cpp\","
                            + " \"tool\": {\"stageMinutes\": 0.1, \"crashRetries\": 12, \"pauseSeconds\": 0.1}}");
        }
        try (var calm = new StandIns(space(), 5, new StandIns.Faults(0, 0, 0, 0, 0, 0, 20));
                var wild = new StandIns(space(), 5, new StandIns.Faults(0.1, 0.05, 0.03, 0.03, 30, 42, 60))) {
            Path good = calm.install(folder.resolve("good"), "vitis_hls", "2022.1");
            assertThat(terminal.run(command("calm", good))).as(terminal::err).isZero();

            Path bad = wild.install(folder.resolve("bad"), "vitis_hls", "2022.1");
            Process process = start(Stream.concat(Stream.of(command("wild", bad)), engine.stream())
                    .toArray(String[]::new));
            for (int stage : new int[] {15, 60}) {
                waitUntil(process, wild, stage);
                process.destroyForcibly().waitFor();
                process = start("explore", "--resume", "wild");
                if (slurm.isPresent() && stage == 15) {
                    waitUntil(process, wild, 35);
                    slurm.get().stopController();
                    Thread.sleep(3000);
                    slurm.get().startController();
                }
            }
            assertThat(process.waitFor(slurm.isPresent() ? 15 : 4, TimeUnit.MINUTES))
                    .isTrue();
            assertThat(process.exitValue())
                    .as(Files.readString(folder.resolve("said")))
                    .isZero();

            Map<String, String> expected = evaluations("calm");
            assertThat(new TreeSet<>(evaluations("wild").keySet())).isEqualTo(new TreeSet<>(expected.keySet()));
            assertThat(evaluations("wild")).isEqualTo(expected);
            assertThat(wild.answers()).isGreaterThan(calm.answers());
            // A stage may come out just when the program is killed, before its result is kept: at most once a kill.
            assertThat(wild.succeeded().values().stream().mapToInt(n -> n - 1).sum())
                    .isLessThanOrEqualTo(4);
        }
    }

    private void waitUntil(Process process, StandIns tools, int stages) throws Exception {
        Instant end = Instant.now().plus(Duration.ofMinutes(slurm.isPresent() ? 10 : 4));
        while (tools.answers() < stages && process.isAlive() && Instant.now().isBefore(end)) {
            Thread.sleep(5);
        }
        assertThat(process.isAlive())
                .as(Files.readString(folder.resolve("said")))
                .isTrue();
    }
}
