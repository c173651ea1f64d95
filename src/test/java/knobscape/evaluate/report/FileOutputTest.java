package knobscape.evaluate.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileOutputTest {
    /// No process has this number: systems give far smaller ones.
    private static final long DEAD = Integer.MAX_VALUE;

    @TempDir
    private Path folder;

    private List<String> names() throws Exception {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(p -> p.getFileName().toString()).sorted().toList();
        }
    }

    /// The old file is replaced by the new one, not written over: whoever has it open reads the old to its end.
    @Test
    void theOldContentStaysWholeForWhoReadsIt() throws Exception {
        Path file = Files.writeString(folder.resolve("front.csv"), "old");
        Path sameFile = Files.createLink(folder.resolve("link"), file);
        FileOutput.write(file, "new and longer");
        assertThat(file).content().isEqualTo("new and longer");
        assertThat(sameFile).content().isEqualTo("old");
        assertThat(names()).containsExactly("front.csv", "link");
    }

    /// A database removes its second file when the last process closes it, at any moment.
    @Test
    void aFileThatVanishesIsNotTakenForALink() throws Exception {
        Path file = folder.resolve("runs.db-wal");
        var ended = new AtomicBoolean();
        Thread other = Thread.ofPlatform().start(() -> {
            try {
                while (!ended.get()) {
                    Files.writeString(file, "");
                    Files.deleteIfExists(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try {
            for (int i = 0; i < 20_000; i++) {
                FileOutput.requireInside(folder, file);
            }
        } finally {
            ended.set(true);
            other.join();
        }
        Files.createSymbolicLink(file, folder.resolveSibling("nowhere"));
        assertThatThrownBy(() -> FileOutput.requireInside(folder, file)).hasMessageContaining("is a link");
    }

    @Test
    void whatCannotBeWrittenLeavesEverythingAsItWas() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "old");
        assertThatThrownBy(() -> FileOutput.write(file.resolve("front.csv"), "new"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is a file where a folder is needed");
        assertThatThrownBy(() -> FileOutput.write(folder, "new")).isInstanceOf(UserError.class);
        assertThat(file).content().isEqualTo("old");
        assertThat(names()).containsExactly("file");
    }

    @Test
    void whetherAFileCanBeWrittenIsSaidBeforeAndChangesNothing() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "old");
        FileOutput.requireWritable(file);
        FileOutput.requireWritable(folder.resolve("made/new"));
        assertThatThrownBy(() -> FileOutput.requireWritable(file.resolve("model")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is a file where a folder is needed");
        assertThat(file).content().isEqualTo("old");
        assertThat(names()).containsExactly("file", "made");
        assertThat(folder.resolve("made")).isEmptyDirectory();
    }

    @Test
    void temporaryFilesOfKilledProcessesAreRemoved() throws Exception {
        long alive = ProcessHandle.current().pid();
        for (String name : List.of(
                ".front.csv." + DEAD + "-1.tmp",
                ".front.csv." + alive + "-1.tmp",
                ".notes.tmp",
                "a." + DEAD + "-1.tmp")) {
            Files.writeString(folder.resolve(name), "");
        }
        FileOutput.sweep(folder);
        assertThat(names()).containsExactly(".front.csv." + alive + "-1.tmp", ".notes.tmp", "a." + DEAD + "-1.tmp");
        FileOutput.sweep(folder.resolve("absent"));
    }

    /// Files that no folder of results or runs holds: a model, a calibration.
    @Test
    void whatAKilledProcessLeftOfAFileGoesWhenItIsWrittenAgain() throws Exception {
        Files.writeString(folder.resolve(".a[1].seq." + DEAD + "-1.tmp"), "");
        Files.writeString(folder.resolve(".b.seq." + DEAD + "-1.tmp"), "");
        FileOutput.write(folder.resolve("a[1].seq"), "new");
        assertThat(names()).containsExactlyInAnyOrder(".b.seq." + DEAD + "-1.tmp", "a[1].seq");
    }

    /// In another container every number of a process may be that of another one.
    @Test
    void aFileThatAnotherProcessHoldsIsLeftWhateverItsNumber() throws Exception {
        Path file = folder.resolve(".front.csv." + DEAD + "-1.tmp");
        Process holder = LockHolder.start(file);
        FileOutput.sweep(folder);
        assertThat(file).exists();
        holder.getOutputStream().close();
        holder.waitFor();
        FileOutput.sweep(folder);
        assertThat(file).doesNotExist();
    }

    @Test
    void theReasonIsSaidInAFewWords() {
        String tooLong = "x".repeat(300);
        assertThatThrownBy(() -> FileOutput.write(folder.resolve(tooLong), "new"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("Cannot write '" + folder.resolve(tooLong) + "': ")
                .hasMessageContaining("name too long")
                .hasMessageEndingWith("; choose another place, make room or change the permissions.");
    }

    /// Nobody may write there, root neither.
    @Test
    void aForbiddenPlaceIsNamed() {
        Path forbidden = Path.of("/proc/self/forbidden.csv");
        assumeThat(forbidden.getParent())
                .as("this system has no folder that nobody may write")
                .exists();
        assertThatThrownBy(() -> FileOutput.write(forbidden, "new"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("Cannot write '" + forbidden + "': ");
    }

    @Test
    void missingFoldersAreMade() {
        Path file = folder.resolve("a/b/front.csv");
        FileOutput.write(file, "é");
        assertThat(file).content().isEqualTo("é");
    }
}
