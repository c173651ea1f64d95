package knobscape.app.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import knobscape.evaluate.report.LockHolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFolderTest {
    @TempDir
    private Path base;

    @Test
    void foldersOfKilledProcessesAreRemoved() throws Exception {
        String dead = "knobscape-" + Integer.MAX_VALUE + "-123";
        String alive = "knobscape-" + ProcessHandle.current().pid() + "-123";
        for (String name : List.of(dead + "/inner", alive, "knobscape-notes")) {
            Files.writeString(Files.createDirectories(base.resolve(name)).resolve("file"), "");
        }
        TemporaryFolder.sweep(base);
        try (Stream<Path> left = Files.list(base)) {
            assertThat(left.map(p -> p.getFileName().toString())).containsExactlyInAnyOrder(alive, "knobscape-notes");
        }
    }

    @Test
    void aFolderWhoseLockIsHeldIsLeftWhateverTheNumberOfItsProcess() throws Exception {
        Path folder = Files.createDirectories(base.resolve("knobscape-" + Integer.MAX_VALUE + "-7"));
        Process holder = LockHolder.start(folder.resolve("lock"));
        TemporaryFolder.sweep(base);
        assertThat(folder).exists();
        holder.getOutputStream().close();
        holder.waitFor();
        TemporaryFolder.sweep(base);
        assertThat(folder).doesNotExist();
    }
}
