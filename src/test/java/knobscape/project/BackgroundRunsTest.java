package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.space.Sha256;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The list of a user's runs in the background.
class BackgroundRunsTest {
    @TempDir
    private Path folder;

    private BackgroundRuns.Entry entry(BackgroundRuns.State state, long id) {
        return new BackgroundRuns.Entry(state, "explore", id, folder.resolve("a project"));
    }

    private BackgroundRuns runs() {
        return new BackgroundRuns(folder.resolve("background"));
    }

    private Path file(String name) throws Exception {
        return Files.createDirectories(folder.resolve("background")).resolve(name);
    }

    @Test
    void whatIsPutIsListedUntilItIsRemoved() {
        BackgroundRuns.Entry first = entry(BackgroundRuns.State.GOES_ON, 1);
        var other = new BackgroundRuns.Entry(BackgroundRuns.State.PAUSED, "tune", 1, folder.resolve("other"));
        assertThat(runs().list()).isEmpty();
        runs().put(first);
        runs().put(other);
        assertThat(runs().list()).containsExactlyInAnyOrder(first, other);
        BackgroundRuns.Entry paused = entry(BackgroundRuns.State.PAUSED, 1);
        runs().put(paused);
        assertThat(runs().list()).as("said anew").containsExactlyInAnyOrder(paused, other);
        runs().remove(first);
        runs().remove(first);
        assertThat(runs().list()).containsExactly(other);
        assertThat(first.reference()).isEqualTo(folder.resolve("a project") + ":1");
    }

    /// `Aa` and `BB` have one hash code.
    @Test
    void projectsWithOneHashCodeHaveFilesOfTheirOwn() {
        var first = new BackgroundRuns.Entry(BackgroundRuns.State.GOES_ON, "explore", 1, Path.of("/p/Aa"));
        var second = new BackgroundRuns.Entry(BackgroundRuns.State.GOES_ON, "explore", 1, Path.of("/p/BB"));
        assertThat(first.project().toString().hashCode())
                .isEqualTo(second.project().toString().hashCode());
        runs().put(first);
        runs().put(second);
        assertThat(runs().list()).containsExactlyInAnyOrder(first, second);
    }

    @Test
    void anEntryWhoseFileWasRenamedCanBeForgotten() throws Exception {
        BackgroundRuns.Entry entry = entry(BackgroundRuns.State.GOES_ON, 1);
        Files.writeString(file("my run.run"), "GOES_ON\nexplore\n1\n" + entry.project() + "\n");
        assertThat(runs().list()).containsExactly(entry);
        runs().remove(entry);
        assertThat(runs().list()).isEmpty();
    }

    @Test
    void anOpenedProjectsRunIsNamedByItsArea() throws Exception {
        BoxTools.makeProject(folder);
        try (Project project = Project.open(folder)) {
            assertThat(BackgroundRuns.Entry.of(
                            BackgroundRuns.State.PAUSED, BoxTools.opened(project, BoxTools.tools()), 4))
                    .isEqualTo(
                            new BackgroundRuns.Entry(BackgroundRuns.State.PAUSED, "explore", 4, project.runsFolder()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GOES_ON\nexplore\n1\n",
                "RUNS\nexplore\n1\n/p\n",
                "GOES_ON\ndance\n1\n/p\n",
                "GOES_ON\nexplore\nx\n/p\n",
                "GOES_ON\nexplore\n1\n/p\u0000q\n",
                "GOES_ON\nexplore\n1\n/p\n/q\n"
            })
    void filesOfOthersArePassedOver(String text) throws Exception {
        Files.writeString(file("0-1.run"), text);
        Files.writeString(file("0-2.txt"), "GOES_ON\nexplore\n2\n/p\n");
        Files.writeString(file("0-3.run"), "GOES_ON\nexplore\n3\n/p\n");
        Files.createDirectory(file("0-4.run"));
        assertThat(runs().list()).extracting(BackgroundRuns.Entry::id).containsExactly(3L);
    }

    @Test
    void noLongerFileAndNoMoreFilesAreRead() throws Exception {
        String start = "GOES_ON\nexplore\n1\n/";
        Files.writeString(file("0-1.run"), start + "p".repeat(16_384 - start.length()));
        assertThat(runs().list()).hasSize(1);
        Files.writeString(file("0-1.run"), start + "p".repeat(16_385 - start.length()));
        assertThat(runs().list()).isEmpty();
        IntStream.range(2, 200).forEach(i -> runs().put(entry(BackgroundRuns.State.GOES_ON, i)));
        assertThat(runs().list()).hasSizeBetween(99, 100);
    }

    @Test
    void oneProcessWorksOnThem() throws Exception {
        try (AutoCloseable mine = runs().take().orElseThrow()) {
            assertThat(mine).isNotNull();
            assertThat(runs().take()).isEmpty();
        }
        runs().take().orElseThrow().close();
    }

    @Test
    void whereNothingCanBeWrittenThereIsOneSentence() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        var runs = new BackgroundRuns(file);
        assertThat(runs.list()).isEmpty();
        assertThatThrownBy(() -> runs.put(entry(BackgroundRuns.State.GOES_ON, 1)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is a file");
        assertThatThrownBy(runs::take).isInstanceOf(UserError.class);
        assertThatThrownBy(runs::start).isInstanceOf(UserError.class);
        Files.createDirectories(file(Sha256.name(folder.resolve("a project").toString()) + "-1.run")
                .resolve("full"));
        assertThatThrownBy(() -> runs().remove(entry(BackgroundRuns.State.GOES_ON, 1)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("remove it by hand");
        Files.createDirectory(file("lock"));
        assertThatThrownBy(() -> runs().take()).isInstanceOf(UserError.class).hasMessageContaining("Cannot write");
    }

    /// Starts the process of a user whose folder is the test's and waits for its end: there is nothing to do.
    private void startAndWait() {
        String own = System.getProperty("java.class.path");
        int code = FoldersTest.with(
                Map.of(
                        "knobscape.config",
                        folder.toString(),
                        "java.class.path",
                        System.getProperty("surefire.test.class.path", own)),
                () -> {
                    try {
                        return BackgroundRuns.ofThisUser().start().waitFor();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
        assertThat(code).isZero();
    }

    @Test
    void theProcessHasTheFolderOfThisUserAndALogOfItsOwn() throws Exception {
        startAndWait();
        assertThat(folder.resolve("background/log.txt")).exists();
        try (Stream<Path> files = Files.list(folder.resolve("background"))) {
            assertThat(files.map(f -> f.getFileName().toString())).containsExactlyInAnyOrder("log.txt", "lock");
        }
    }

    @Test
    void aLongLogIsBegunAnew() throws Exception {
        Files.write(file("log.txt"), new byte[(1 << 20) + 1]);
        startAndWait();
        assertThat(Files.size(folder.resolve("background/log.txt"))).isLessThan(1 << 20);
    }
}
