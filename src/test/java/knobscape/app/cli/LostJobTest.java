package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A cluster that takes jobs and then knows nothing of them: a real process with commands of that name in its path.
@Tag("slow")
@DisabledOnOs(OS.WINDOWS)
class LostJobTest {
    @TempDir
    private Path folder;

    private void program(String name, String text) throws Exception {
        Path file = Files.createDirectories(folder.resolve("bin")).resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void aJobThatTheClusterLosesIsAskedForAgainAndEndsAsANamedFailure() throws Exception {
        program("sbatch", "echo called >> '" + folder + "/submitted'\necho 4242\n");
        for (String silent : List.of("squeue", "sacct", "scancel")) {
            program(silent, "exit 0\n");
        }
        program("tool.sh", "exit 0\n");
        Files.writeString(
                folder.resolve("k.cpp"),
                "void scale(int in[8], int out[8]) {\nl:\n  for (int i = 0; i < 8; i++) { out[i] = in[i] * 3; }\n}\n");
        Files.writeString(
                folder.resolve("knobscape.json"),
                "{\"formatVersion\": 1, \"source\": \"k.cpp\", \"tool\": {\"engine\": \"slurm\", \"crashRetries\": 1, \"pauseSeconds\": 600, \"queueSeconds\": 0.2}}");
        var builder = new ProcessBuilder(Terminal.program(
                        "explore",
                        ".",
                        "--toolchain",
                        "command:bin/tool.sh",
                        "--method",
                        "random",
                        "--steps",
                        "0",
                        "--init",
                        "1",
                        "--yes"))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
        builder.environment().merge("PATH", folder.resolve("bin").toString(), (old, bin) -> bin + ":" + old);
        Process p = builder.start();
        try {
            assertThat(p.waitFor(5, TimeUnit.MINUTES)).as("ends").isTrue();
        } finally {
            p.destroyForcibly();
        }
        assertThat(Files.readString(folder.resolve("said"))).contains("Slurm: job 4242 is not known any more");
        assertThat(Files.readAllLines(folder.resolve("submitted")))
                .as("the baseline and a design, each once more")
                .hasSize(4);
    }
}
