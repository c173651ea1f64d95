package knobscape.app.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InstallationTest {
    @Test
    void versionIsTheOneOfTheBuild() {
        // An unfiltered placeholder would not match.
        assertThat(Installation.version()).matches("\\d+\\.\\d+\\.\\d+(-\\w+)?");
    }
}
