package knobscape.evaluate.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileGuardTest {
    @TempDir
    private Path folder;

    private final FileGuard guard = FileGuard.standard();

    private static FileGuard forced(Path... sources) {
        return new FileGuard(true, Set.of(sources));
    }

    @Test
    void replacesWhatItWroteAndNothingElse() throws Exception {
        Path file = guard.write(folder, "src/a.txt", "one");
        guard.write(folder, "src/a.txt", "two");
        assertThat(file).hasContent("two");
        guard.check(folder, List.of("src/a.txt", "new.txt"));
        Files.writeString(file, "mine");
        assertThatThrownBy(() -> guard.write(folder, "src/a.txt", "three"))
                .isInstanceOf(UserError.class)
                .hasMessageContainingAll(file.toString(), "--force");
        assertThatThrownBy(() -> guard.check(folder, List.of("src/a.txt"))).isInstanceOf(UserError.class);
        assertThat(file).hasContent("mine");
        forced().write(folder, "src/a.txt", "three");
        assertThat(file).hasContent("three");
        guard.write(folder, "src/a.txt", "four");
        assertThat(file).hasContent("four");
    }

    @Test
    void oneFileInTheWayAndNothingIsWritten() throws Exception {
        Files.writeString(folder.resolve("b"), "mine");
        var files = new LinkedHashMap<String, String>();
        files.put("a", "A");
        files.put("b", "B");
        assertThatThrownBy(() -> guard.write(folder, FileGuard.bytes(files))).isInstanceOf(UserError.class);
        assertThat(folder.resolve("a")).doesNotExist();
        assertThat(folder.resolve(FileGuard.MANIFEST)).doesNotExist();
    }

    @Test
    void theSameContentIsInNobodysWay() throws Exception {
        Files.writeString(folder.resolve("a"), "A");
        assertThat(guard.write(folder, "a", "A")).hasContent("A");
    }

    @Test
    void aSourceIsNeverReplaced() throws Exception {
        Path source = guard.write(folder, "k.cpp", "int a;");
        Path link = Files.createDirectories(folder.resolve("out")).resolve("k.cpp");
        Files.createLink(link, source);
        for (Path where : List.of(folder, folder.resolve("out"))) {
            assertThatThrownBy(() -> forced(source).write(where, "k.cpp", "int b;"))
                    .isInstanceOf(UserError.class)
                    .hasMessageContainingAll(where.resolve("k.cpp").toString(), "source");
        }
        assertThat(source).hasContent("int a;");
    }

    @Test
    void aKillBeforeTheFilesAreWrittenLeavesThemOwn() throws Exception {
        Path file = guard.write(folder, "a", "one");
        guard.write(folder, "a", "two");
        Files.writeString(file, "one");
        guard.write(folder, "a", "three");
        assertThat(file).hasContent("three");
    }

    @Test
    void resultsOfVersionsWithoutManifestAreOwn() throws Exception {
        Files.writeString(folder.resolve("front.csv"), "mine");
        assertThatThrownBy(() -> guard.write(folder, "front.csv", "new")).isInstanceOf(UserError.class);
        Files.writeString(folder.resolve("run.json"), "{\"run\": \"p:1\", \"front\": []}");
        Files.writeString(folder.resolve("strategy.json"), "{}");
        Files.writeString(folder.resolve("other.csv"), "mine");
        guard.write(folder, "front.csv", "new");
        guard.write(folder, "strategy.json", "new");
        assertThatThrownBy(() -> guard.write(folder, "other.csv", "new")).isInstanceOf(UserError.class);
    }

    @Test
    void aDamagedManifestIsOneSentence() throws Exception {
        Files.writeString(folder.resolve(FileGuard.MANIFEST), "{\"files\": ");
        assertThatThrownBy(() -> guard.write(folder, "a", "A"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(FileGuard.MANIFEST);
        assertThat(forced().write(folder, Map.of("a", new byte[] {65})).getFirst())
                .hasContent("A");
    }

    @Test
    void aFolderInTheWayIsNamed() throws Exception {
        Files.createDirectories(folder.resolve("a"));
        assertThatThrownBy(() -> forced().write(folder, "a", "A")).hasMessageContaining("it is a folder");
    }
}
