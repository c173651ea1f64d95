package knobscape.evaluate.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What everything that writes a design for other tools keeps to.
public abstract class ExporterContractTest {
    @TempDir
    private Path folder;

    /// Exports one design, the same every time, into a folder and gives the files written.
    protected abstract List<Path> export(Path where);

    /// Checks that what was exported into the folder means the design again.
    protected abstract void readBack(Path where);

    /// What the design is made from and exporting must not change; a folder that need not be there.
    protected Path source() {
        return folder.resolve("no source");
    }

    private static Map<String, String> content(Path where) throws IOException {
        var found = new LinkedHashMap<String, String>();
        if (Files.isDirectory(where)) {
            try (Stream<Path> files = Files.walk(where)) {
                for (Path file : files.filter(Files::isRegularFile)
                        .filter(f -> !f.endsWith(FileGuard.MANIFEST))
                        .sorted()
                        .toList()) {
                    found.put(
                            where.relativize(file).toString(),
                            new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1));
                }
            }
        }
        return found;
    }

    @Test
    void writesTheFilesItNamesAndNoOthers() throws IOException {
        Path out = folder.resolve("new/out");
        List<Path> written = export(out);
        assertThat(written)
                .isNotEmpty()
                .doesNotHaveDuplicates()
                .allSatisfy(f -> assertThat(f).isNotEmptyFile());
        assertThat(content(out).keySet())
                .containsExactlyInAnyOrderElementsOf(
                        written.stream().map(f -> out.relativize(f).toString()).toList());
    }

    @Test
    void whatIsWrittenMeansTheDesignAgain() {
        export(folder.resolve("out"));
        readBack(folder.resolve("out"));
    }

    @Test
    void theSameDesignIsTheSameBytes() throws IOException {
        export(folder.resolve("a"));
        export(folder.resolve("b"));
        assertThat(content(folder.resolve("b"))).isEqualTo(content(folder.resolve("a")));
    }

    @Test
    void writesOverNothingButItsOwnFiles() throws IOException {
        Path out = Files.createDirectories(folder.resolve("out"));
        Map<String, String> source = content(source());
        Files.writeString(out.resolve("notes.txt"), "mine");
        Files.writeString(Files.createDirectories(out.resolve("src/old")).resolve("other.h"), "mine too");
        export(out);
        Map<String, String> once = content(out);
        assertThat(once)
                .containsEntry("notes.txt", "mine")
                .containsEntry(Path.of("src/old/other.h").toString(), "mine too");
        export(out);
        assertThat(content(out)).isEqualTo(once);
        assertThat(content(source())).isEqualTo(source);
    }

    @Test
    void aPlaceThatIsNoFolderIsOneSentence() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "mine");
        assertThatThrownBy(() -> export(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("file")
                .hasMessageEndingWith(".")
                .message()
                .doesNotContain("\n");
        assertThat(file).hasContent("mine");
    }
}
