package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeoutException;
import javafx.scene.control.Label;
import javafx.scene.input.KeyCode;
import knobscape.app.cli.Main;
import knobscape.app.ui.theme.Theme;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Hardware of the open flow and the estimate of the same design stand side by side in the window.
@Tag("slow")
@DisabledOnOs(OS.WINDOWS)
class ComparedEvaluatorsTest {
    private static final String SOURCE = """
            void counts(const unsigned char in[32], int bins[16]) {
            clear:
              for (int i = 0; i < 16; i++) bins[i] = 0;
            count:
              for (int i = 0; i < 32; i++) bins[in[i] & 15] += 1;
            }
            """;
    private static final String YOSYS = """
            #!/bin/sh
            [ "$1" = -V ] && { echo 'Yosys 0.23'; exit 0; }
            cat > statistics.txt <<'END'
               Number of cells:                 200
                 LUT4                          177
                 TRELLIS_FF                     23
            END
            : > netlist.json
            """;

    @TempDir
    private Path folder;

    @Test
    void aDesignHasAColumnPerEvaluator() throws IOException, TimeoutException {
        Path file = Files.writeString(folder.resolve("counts.cpp"), SOURCE);
        Path yosys =
                Files.writeString(Files.createDirectories(folder.resolve("bin")).resolve("yosys"), YOSYS);
        assertThat(yosys.toFile().setExecutable(true)).isTrue();
        assertThat(Main.execute(
                        "explore",
                        file.toString(),
                        "--toolchain",
                        "open:" + folder.resolve("bin"),
                        "--method",
                        "random",
                        "--init",
                        "1",
                        "--steps",
                        "1"))
                .isZero();
        try (Hand hand = new Hand(Theme.LIGHT)) {
            hand.sitting().open(folder.resolve("counts.knobscape"));
            Hand.until(
                    () -> hand.window().hls().model().results().isAnySelected().get());
            hand.robot().interact(() -> hand.window().hls().model().results().select(1));
            hand.robot().interact(() -> hand.window().root().requestFocus());
            hand.robot().type(KeyCode.C);
            Hand.until(() -> words(hand).contains("Built-in estimator"));
            assertThat(words(hand)).contains("#1, Open flow, ECP5", "LUT", "177", "Power (W)");
            if (System.getProperty("knobscape.picture") != null) {
                Files.write(
                        Path.of(System.getProperty("knobscape.picture")),
                        hand.sitting().picture());
            }
        }
    }

    private static List<String> words(Hand hand) {
        return hand.window().root().lookupAll(".compare-drawer .label").stream()
                .map(n -> ((Label) n).getText())
                .toList();
    }
}
