package knobscape.app;

import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/// Tells whether a window can be opened, without loading JavaFX.
public final class Display {
    private Display() {}

    /// Why no window can be opened in this process, as far as environment and system properties tell.
    ///
    /// @return one sentence, or empty where a window can be opened
    public static Optional<String> whyNone() {
        return whyNone(System.getenv(), System.getProperties());
    }

    /// Only Linux and other X11 systems are without a display at times; a window system that was chosen by hand
    /// (`glass.platform`, the headless one among them) is taken as it is.
    static Optional<String> whyNone(Map<String, String> environment, Properties properties) {
        String system = properties.getProperty("os.name", "");
        boolean ownWindowSystem = system.startsWith("Windows") || system.startsWith("Mac");
        if (ownWindowSystem
                || properties.containsKey("glass.platform")
                || isSet(environment, "DISPLAY")
                || isSet(environment, "WAYLAND_DISPLAY")) {
            return Optional.empty();
        }
        return Optional.of("There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can be opened.");
    }

    private static boolean isSet(Map<String, String> environment, String name) {
        return !environment.getOrDefault(name, "").isEmpty();
    }
}
