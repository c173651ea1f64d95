package knobscape.app.ui;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import javafx.stage.Window;

/// The help: the first steps, and what each figure means.
final class FirstSteps {
    private FirstSteps() {}

    static void show(Window owner) {
        TextDialog.show(owner, "First steps and what the figures mean", text());
    }

    /// The words; packaged with the program.
    static String text() {
        try (InputStream in =
                Objects.requireNonNull(FirstSteps.class.getResourceAsStream("/knobscape/first-steps.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the first steps cannot be read", e);
        }
    }
}
