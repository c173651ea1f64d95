package knobscape.app.system;

import static org.assertj.core.api.Assertions.assertThat;

import knobscape.project.ProgramVersion;
import org.junit.jupiter.api.Test;

class InstallationTest {
    @Test
    void versionIsTheOneOfTheBuild() {
        // An unfiltered placeholder would not match.
        assertThat(ProgramVersion.current()).matches("\\d+\\.\\d+\\.\\d+(-\\w+)?");
    }
}
