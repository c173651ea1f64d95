package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ProgramConsentTest {
    @TempDir
    private Path dir;

    private String before = "";

    @BeforeEach
    void ownFolder() {
        before = System.getProperty("knobscape.config", "");
        System.setProperty("knobscape.config", dir.resolve("user").toString());
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
    void aProgramIsAgreedToOncePerProjectAndProgram() throws Exception {
        Path a = Files.createDirectories(dir.resolve("a"));
        Path b = Files.createDirectories(dir.resolve("b"));
        assertThat(ProgramConsent.isGiven(a, "/x/tool.sh")).isFalse();
        ProgramConsent.give(a, "/x/tool.sh");
        ProgramConsent.give(a, "/x/tool.sh");
        assertThat(ProgramConsent.isGiven(dir.resolve("b/../a"), "/x/tool.sh")).isTrue();
        assertThat(ProgramConsent.isGiven(b, "/x/tool.sh")).isFalse();
        assertThat(ProgramConsent.isGiven(a, "/x/other.sh")).isFalse();
        assertThat(Files.readAllLines(dir.resolve("user/programs.txt"))).hasSize(1);
    }

    @Test
    void aProjectLacksTheAgreementUntilItIsGiven() throws Exception {
        Path box = Files.createDirectories(dir.resolve("box"));
        BoxTools.makeProject(box);
        try (Project project = Project.open(box)) {
            assertThat(ProgramConsent.missing(project, "estimator")).isEmpty();
            assertThat(ProgramConsent.missing(project, "command:/x/tool.sh")).hasValue("/x/tool.sh");
            ProgramConsent.give(project.runsFolder(), "/x/tool.sh");
            assertThat(ProgramConsent.missing(project, "command:/x/tool.sh")).isEmpty();
        }
    }

    /// A folder that is not made yet is known by its path.
    @Test
    void anAgreementMayComeBeforeTheFolder() {
        ProgramConsent.give(dir.resolve("later"), "/x/tool.sh");
        assertThat(ProgramConsent.isGiven(dir.resolve("b/../later"), "/x/tool.sh"))
                .isTrue();
        assertThat(ProgramConsent.isGiven(dir.resolve("never"), "/x/tool.sh")).isFalse();
    }

    @Test
    void onlyOnesOwnToolsAreAskedFor() {
        assertThat(ProgramConsent.program("command:./evil.sh")).hasValue("./evil.sh");
        assertThat(ProgramConsent.program("estimator")).isEmpty();
        assertThat(ProgramConsent.program("vitis")).isEmpty();
    }
}
