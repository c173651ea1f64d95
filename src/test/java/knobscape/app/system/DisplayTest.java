package knobscape.app.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DisplayTest {
    private static Properties system(String name) {
        var properties = new Properties();
        properties.setProperty("os.name", name);
        return properties;
    }

    private static Optional<String> linux(Map<String, String> environment, boolean answers, boolean gtk) {
        return Display.whyNone(environment, system("Linux"), display -> answers, library -> gtk);
    }

    @Test
    void linuxWithADisplayThatAnswersOpensAWindow() {
        assertThat(linux(Map.of("DISPLAY", ":0"), true, true)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', true, true, DISPLAY is not set",
        "'', wayland-0, true, true, XWayland",
        ":7, '', false, true, :7",
        ":7, '', true, false, libgtk-3",
    })
    void whateverIsMissingIsSaidInOneSentence(
            String x11, String wayland, boolean answers, boolean gtk, String expected) {
        assertThat(linux(Map.of("DISPLAY", x11, "WAYLAND_DISPLAY", wayland), answers, gtk))
                .hasValueSatisfying(
                        why -> assertThat(why).contains(expected).endsWith(".").doesNotContain("\n"));
    }

    @Test
    void aChosenWindowSystemIsTakenAsItIs() {
        Properties headless = system("Linux");
        headless.setProperty("glass.platform", "Headless");
        assertThat(Display.whyNone(Map.of(), headless, display -> false, library -> false))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Windows 11", "Mac OS X"})
    void otherSystemsAlwaysHaveOne(String name) {
        assertThat(Display.whyNone(Map.of(), system(name), display -> false, library -> false))
                .isEmpty();
    }

    @Test
    void aServerOnAnotherHostIsAskedForAConnection() throws IOException {
        // Port 6000 + n stands for display n; any free port above serves as one.
        String display;
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            display = "localhost:" + (server.getLocalPort() - 6000) + ".0";
            assertThat(Display.answers(display)).isTrue();
        }
        assertThat(Display.answers(display)).isFalse();
    }

    @Test
    void aLocalDisplayWithoutSocketDoesNotAnswer() {
        assertThat(Display.answers(":54321")).isFalse();
        assertThat(Display.answers("localhost:99999")).isFalse();
    }
}
