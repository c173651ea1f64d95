package knobscape.work.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import knobscape.evaluate.UserError;
import knobscape.space.Sha256;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileHashesTest {
    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));

    @TempDir
    private Path folder;

    private final FileHashes hashes = new FileHashes(100);

    private Path written(String name, String text, FileTime at) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        Files.setLastModifiedTime(file, at);
        return file;
    }

    @Test
    void aFileThatIsAnotherOneIsReadAgain() throws IOException {
        Path file = written("a", "one", LONG_AGO);
        assertThat(hashes.of("the file", file)).isEqualTo(Sha256.of("one"));
        // Its size.
        written("a", "three", LONG_AGO);
        assertThat(hashes.of("the file", file)).isEqualTo(Sha256.of("three"));
        // Its time.
        written("a", "seven", FileTime.from(LONG_AGO.toInstant().plusSeconds(1)));
        assertThat(hashes.of("the file", file)).isEqualTo(Sha256.of("seven"));
        // Another file with both put in its place.
        Path other = written("b", "eight", FileTime.from(LONG_AGO.toInstant().plusSeconds(1)));
        Files.move(other, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertThat(hashes.of("the file", file)).isEqualTo(Sha256.of("eight"));
    }

    @Test
    void aFileThatIsTheSameIsNotReadAgain() throws IOException {
        Path file = written("a", "one", LONG_AGO);
        hashes.of("the file", file);
        // Changed in its place behind its own back: the answer shows that it was not read.
        written("a", "two", LONG_AGO);
        assertThat(hashes.of("the file", file)).isEqualTo(Sha256.of("one"));
    }

    @Test
    void aFileChangedJustNowIsReadEveryTime() throws IOException {
        FileTime now = FileTime.from(Instant.now());
        Path file = written("a", "one", now);
        hashes.of("the file", file);
        written("a", "two", now);
        assertThat(hashes.of("the file", file)).isEqualTo(Sha256.of("two"));
    }

    @Test
    void aFileThatIsTooLargeOrGoneIsSaid() throws IOException {
        Path large = written("a", "x".repeat(101), LONG_AGO);
        assertThatThrownBy(() -> hashes.of("the file", large)).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> hashes.of("the file", folder.resolve("none")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("none");
    }
}
