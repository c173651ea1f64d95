package knobscape.app.system;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Tells whether a window can be opened, without loading JavaFX (which does not return once it has failed to).
public final class Display {
    private static final String GTK = "libgtk-3.so.0";

    /// `host:number` or `host:number.screen`, see X(7), section "Display names"; the host may be missing.
    private static final Pattern DISPLAY_NAME = Pattern.compile("(.*):(\\d{1,5})(\\.\\d+)?");

    private static final int FIRST_X11_PORT = 6000;
    private static final int CONNECT_MILLISECONDS = 2000;

    private Display() {}

    /// Why no window can be opened in this process, as far as can be told from outside.
    ///
    /// @return one sentence, or empty where a window can be opened
    public static Optional<String> whyNone() {
        return whyNone(System.getenv(), System.getProperties(), Display::answers, Display::isLibrary);
    }

    /// Only X11 systems are without a display at times; a window system that was chosen by hand
    /// (`glass.platform`, the headless one among them) is taken as it is.
    static Optional<String> whyNone(
            Map<String, String> environment,
            Properties properties,
            Predicate<String> answers,
            Predicate<String> isLibrary) {
        String system = properties.getProperty("os.name", "");
        if (system.startsWith("Windows") || system.startsWith("Mac") || properties.containsKey("glass.platform")) {
            return Optional.empty();
        }
        String display = environment.getOrDefault("DISPLAY", "");
        if (display.isEmpty()) {
            boolean wayland = !environment.getOrDefault("WAYLAND_DISPLAY", "").isEmpty();
            return Optional.of(
                    wayland
                            ? "No window can be opened: DISPLAY is not set, and under Wayland the window needs XWayland."
                            : "No window can be opened: there is no display (DISPLAY is not set).");
        }
        if (!answers.test(display)) {
            return Optional.of("No window can be opened: the display " + display + " (DISPLAY) does not answer.");
        }
        if (!isLibrary.test(GTK)) {
            return Optional.of(
                    "No window can be opened: " + GTK + " is not installed (on Debian and Ubuntu: libgtk-3-0).");
        }
        return Optional.empty();
    }

    /// Is there an X server behind this display name? A name of another form is left to the window system to
    /// evaluate.
    static boolean answers(String display) {
        Matcher name = DISPLAY_NAME.matcher(display);
        if (!name.matches()) {
            return true;
        }
        String host = name.group(1);
        String number = name.group(2);
        if (host.isEmpty() || host.equals("unix")) {
            String socket = "/tmp/.X11-unix/X" + number;
            return Files.exists(Path.of(socket)) || isAbstractSocket(socket);
        }
        try (var connection = new Socket()) {
            connection.connect(
                    new InetSocketAddress(host, FIRST_X11_PORT + Integer.parseInt(number)), CONNECT_MILLISECONDS);
            return true;
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    /// Linux also knows sockets that are in no file system; containers often share only those.
    private static boolean isAbstractSocket(String name) {
        try (var sockets = Files.lines(Path.of("/proc/net/unix"))) {
            return sockets.anyMatch(line -> line.endsWith(" @" + name));
        } catch (IOException e) {
            return false;
        }
    }

    @SuppressWarnings("restricted") // a library is opened and closed again; nothing in it is called
    private static boolean isLibrary(String name) {
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup.libraryLookup(name, arena);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
