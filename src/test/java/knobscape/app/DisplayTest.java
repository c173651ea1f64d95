package knobscape.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DisplayTest {
    private static Properties properties(String... keysAndValues) {
        var properties = new Properties();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.setProperty(keysAndValues[i], keysAndValues[i + 1]);
        }
        return properties;
    }

    @Test
    void linuxWithoutAnyDisplayIsToldInOneSentence() {
        assertThat(Display.whyNone(Map.of("DISPLAY", ""), properties("os.name", "Linux")))
                .hasValueSatisfying(why -> assertThat(why).contains("DISPLAY").endsWith(".").doesNotContain("\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"DISPLAY", "WAYLAND_DISPLAY"})
    void aDisplayInTheEnvironmentIsEnough(String variable) {
        assertThat(Display.whyNone(Map.of(variable, ":0"), properties("os.name", "Linux"))).isEmpty();
    }

    @Test
    void aChosenWindowSystemIsTakenAsItIs() {
        assertThat(Display.whyNone(Map.of(), properties("os.name", "Linux", "glass.platform", "Headless"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Windows 11", "Mac OS X"})
    void otherSystemsAlwaysHaveOne(String system) {
        assertThat(Display.whyNone(Map.of(), properties("os.name", system))).isEmpty();
    }
}
