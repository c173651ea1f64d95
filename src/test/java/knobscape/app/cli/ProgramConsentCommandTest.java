package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/// A project of somebody else that names a program as its tool.
@DisabledOnOs(OS.WINDOWS)
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ProgramConsentCommandTest {
    @TempDir
    private Path folder;

    private String before = "";
    private final Terminal terminal = new Terminal(() -> folder);

    @BeforeEach
    void make() throws Exception {
        before = System.getProperty("knobscape.config", "");
        System.setProperty("knobscape.config", folder.resolve("user").toString());
        Path project = Files.createDirectories(folder.resolve("p"));
        Files.writeString(
                project.resolve("k.cpp"),
                "void scale(int in[8], int out[8]) {\nl:\n  for (int i = 0; i < 8; i++) { out[i] = in[i] * 3; }\n}\n");
        Files.writeString(
                project.resolve("knobscape.json"),
                "{\"formatVersion\": 1, \"source\": \"k.cpp\", \"run\": {\"toolchain\": \"command:tool.sh\", \"steps\": 1, \"initialDesigns\": 2}}");
        Path tool = Files.writeString(project.resolve("tool.sh"), """
                #!/bin/sh
                touch "$(dirname "$0")/started"
                [ "$1" = describe ] && { echo '{"stages": ["run"], "objectives": ["delay", "lut"], "reported": {"run": ["delay", "lut"]}}' > "$2/describe.json"; exit 0; }
                echo '{"values": {"delay": 5, "lut": 3}}' > "$2/result.json"
                """);
        assertThat(tool.toFile().setExecutable(true)).isTrue();
    }

    @AfterEach
    void back() {
        if (before.isEmpty()) {
            System.clearProperty("knobscape.config");
        } else {
            System.setProperty("knobscape.config", before);
        }
    }

    @Test
    void itIsStartedOnlyAfterAYesWhichIsRemembered() {
        assertThat(terminal.run("space", "p")).as(terminal::err).isZero();
        assertThat(terminal.run("runs", "p")).as(terminal::err).isZero();
        assertThat(terminal.run("explore", "p")).isEqualTo(1);
        assertThat(terminal.err())
                .contains("tool.sh' as its tool, which was not started")
                .contains("--yes");
        assertThat(folder.resolve("p/started")).doesNotExist();
        assertThat(terminal.run("explore", "p", "--yes")).as(terminal::err).isZero();
        assertThat(folder.resolve("p/started")).exists();
        assertThat(terminal.run("explore", "p"))
                .as("asked once: " + terminal.err())
                .isZero();
    }

    /// As after an update of the project.
    @Test
    void anotherProgramIsAskedForAnew() throws Exception {
        assertThat(terminal.run("explore", "p", "--yes")).as(terminal::err).isZero();
        Files.delete(folder.resolve("p/started"));
        Files.copy(folder.resolve("p/tool.sh"), folder.resolve("p/other.sh"), StandardCopyOption.COPY_ATTRIBUTES);
        Path file = folder.resolve("p/knobscape.json");
        Files.writeString(file, Files.readString(file).replace("tool.sh", "other.sh"));
        assertThat(terminal.run("explore", "p")).isEqualTo(1);
        assertThat(terminal.err()).contains("other.sh' as its tool, which was not started");
        assertThat(folder.resolve("p/started")).doesNotExist();
    }
}
