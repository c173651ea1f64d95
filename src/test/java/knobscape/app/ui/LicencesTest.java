package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

/// What Help shows.
class LicencesTest {
    @Test
    void noticesAndTheTextsOfTheirLicencesAreShown() {
        assumeTrue(
                Licences.class.getResource("/licences/NOTICE") != null, "compiled without the resources of the build");
        assertThat(Licences.text())
                .contains("Knobscape", "JFreeChart", "PyTorch")
                .contains("GNU LESSER GENERAL PUBLIC LICENSE", "Eclipse Public License - v 2.0", "CLASSPATH");
    }

    @Test
    void theListOfLibrariesIsMadeByTheBuild() {
        assumeTrue(
                Licences.class.getResource("/licences/THIRD-PARTY.txt") != null,
                "compiled without the resources of the build");
        assertThat(Licences.text()).contains("ch.qos.logback:logback-classic", "org.openjfx:javafx-controls");
    }
}
