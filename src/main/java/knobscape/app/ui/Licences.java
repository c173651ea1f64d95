package knobscape.app.ui;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javafx.stage.Window;

/// The licences of the program and of the libraries in it, in a window of their own.
final class Licences {
    private static final List<String> TEXTS = List.of(
            "NOTICE",
            "THIRD-PARTY.txt",
            "LICENSE",
            "LGPL-2.1.txt",
            "LGPL-3.0.txt",
            "GPL-3.0.txt",
            "GPL-2.0-with-classpath-exception.txt",
            "EPL-2.0.txt",
            "BSD-and-MIT.txt");

    private Licences() {}

    static void show(Window owner) {
        TextDialog.show(owner, "Licences", text());
    }

    /// All texts; the list of libraries is made by the build and missing where the classes were compiled
    /// without it.
    static String text() {
        return TEXTS.stream()
                .flatMap(name -> read(name).stream())
                .collect(Collectors.joining("\n\n" + "=".repeat(80) + "\n\n"));
    }

    private static Optional<String> read(String name) {
        try (InputStream in = Licences.class.getResourceAsStream("/licences/" + name)) {
            // A text area leaves out page breaks and other control characters.
            return in == null
                    ? Optional.empty()
                    : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .replaceAll("[\\p{Cntrl}&&[^\n\t]]", "")
                            .strip());
        } catch (IOException e) {
            throw new UncheckedIOException("the licences cannot be read", e);
        }
    }
}
