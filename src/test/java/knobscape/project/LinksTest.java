package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.evaluate.report.FileOutput;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A project of somebody else, with links that lead to files of the user.
@DisabledOnOs(OS.WINDOWS)
class LinksTest {
    private static final String PRECIOUS = "what nobody may lose";

    @TempDir
    private Path dir;

    private Path project;
    private Path victim;

    @BeforeEach
    void make() throws Exception {
        project = Files.createDirectories(dir.resolve("project"));
        victim = Files.writeString(Files.createDirectories(dir.resolve("home")).resolve("thesis.tex"), PRECIOUS);
        BoxTools.makeProject(project);
    }

    private void run() throws Exception {
        try (Project p = Project.open(project);
                Runner runner = Runner.withSystemClocks()) {
            runner.start(BoxTools.opened(p, BoxTools.tools()), BoxTools.settings(1), List.of())
                    .await();
        }
    }

    private List<Path> home() throws IOException {
        try (Stream<Path> all = Files.list(victim.getParent())) {
            return all.toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".knobscape.lock", "runs.db", "runs.db-wal", "runs.db-shm"})
    void aFileOfTheProgramThatIsALinkIsRefused(String name) throws Exception {
        Files.createSymbolicLink(project.resolve(name), victim);
        assertThatThrownBy(this::run).isInstanceOf(UserError.class).hasMessageContaining("is a link");
        assertThat(victim).hasContent(PRECIOUS);
        assertThat(home()).containsExactly(victim);
    }

    @ParameterizedTest
    @ValueSource(strings = {".knobscape.owner", ".knobscape.probe", ".runs.json.new", "columns.yaml"})
    void aLinkInThePlaceOfAFileThatIsMadeIsNotFollowed(String name) throws Exception {
        Files.createSymbolicLink(project.resolve(name), victim);
        try {
            run();
        } catch (UserError e) {
            assertThat(e).hasMessageContaining("annot write");
        }
        assertThat(victim).hasContent(PRECIOUS);
        assertThat(home()).containsExactly(victim);
    }

    @Test
    void aLinkToNothingMakesNothing() throws Exception {
        for (String name : List.of(".knobscape.probe", ".knobscape.owner", "runs.db")) {
            Files.createSymbolicLink(project.resolve(name), victim.resolveSibling("new file"));
        }
        assertThatThrownBy(this::run).isInstanceOf(UserError.class);
        assertThat(home()).containsExactly(victim);
    }

    @Test
    void aLockThatHasAnotherNameElsewhereIsNotEmptied() throws Exception {
        Files.createLink(project.resolve(".knobscape.lock"), victim);
        assertThatThrownBy(this::run).isInstanceOf(UserError.class).hasMessageContaining("remove it");
        assertThat(victim).hasContent(PRECIOUS);
    }

    @Test
    void anExportFollowsNoFolderOutOfItsOwn() throws Exception {
        Path out = Files.createDirectories(dir.resolve("out"));
        Files.createSymbolicLink(out.resolve("src"), victim.getParent());
        var files = Map.of("src/thesis.tex", new byte[3], "src/deep/er.txt", new byte[3], "a.txt", new byte[3]);
        for (boolean force : new boolean[] {false, true}) {
            assertThatThrownBy(() -> new FileGuard(force, java.util.Set.of()).write(out, files))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("is a link that leads out of");
        }
        assertThat(victim).hasContent(PRECIOUS);
        assertThat(home()).containsExactly(victim);
        assertThat(out.resolve("a.txt")).doesNotExist();
    }

    @Test
    void aFolderThatIsALinkItselfWasChosenByItsUserAndLinksInsideAreFine() throws Exception {
        Path real = Files.createDirectories(dir.resolve("big disk"));
        Path out = Files.createSymbolicLink(dir.resolve("out"), real);
        Files.createSymbolicLink(real.resolve("b"), Files.createDirectories(real.resolve("a")));
        FileGuard.standard().write(out, Map.of("b/x.txt", new byte[3]));
        assertThat(real.resolve("a/x.txt")).exists();
    }

    @Test
    void aLinkInThePlaceOfAResultIsReplacedAndNotFollowed() throws Exception {
        Path link = Files.createSymbolicLink(dir.resolve("front.csv"), victim);
        FileOutput.write(link, "new");
        assertThat(Files.isRegularFile(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
        assertThat(victim).hasContent(PRECIOUS);
    }
}
