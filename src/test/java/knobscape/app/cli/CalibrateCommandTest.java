package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.hls.evaluate.estimator.Calibration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrateCommandTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(folder.resolve("scale.cpp"), """
                void scale(const int a[64], int b[64], int factor) {
                walk:
                    for (int i = 0; i < 64; i++) {
                        b[i] = a[i] * factor;
                    }
                }
                """);
        Files.writeString(folder.resolve("replay.yaml"), """
                replay: 1
                name: own
                knobs: {columns: ["*@*"]}
                fidelities:
                  - {name: hls, metrics: {lut: lut, ff: ff}}
                objectives: [lut, ff]
                """);
        Files.writeString(
                folder.resolve("own.csv"),
                "unroll@scale/walk,lut,ff\n"
                        + IntStream.of(1, 2, 4, 8, 16, 32)
                                .mapToObj(f -> f + "," + 900 * f + "," + 700 * f + "\n")
                                .collect(Collectors.joining()));
    }

    private final Terminal terminal = new Terminal(() -> folder);

    @Test
    void aFitIsKeptShownUsedAndForgotten() {
        assertThat(terminal.run("calibrate", "scale.cpp", "--designs", "own.csv"))
                .isZero();
        String made = terminal.out();
        assertThat(terminal.err()).isEmpty();
        assertThat(made).contains("lut", "90 %", "Fitted to 6 designs of own.csv");
        Path kept = folder.resolve("scale.knobscape").resolve(Calibration.FILE_NAME);
        assertThat(kept).exists();
        terminal.run("calibrate", "scale.cpp");
        assertThat(terminal.out()).isEqualTo(made);
        terminal.run("calibrate", "scale.cpp", "--json");
        assertThat(terminal.out()).contains("\"factor\"");
        terminal.run("calibrate", "scale.cpp", "--remove");
        assertThat(terminal.err()).contains("forgotten");
        assertThat(kept).doesNotExist();
    }

    @Test
    void whatWasNotMeasuredIsRefused() {
        assertThat(terminal.run("explore", "scale.cpp", "--steps", "1", "--init", "1", "--method", "random"))
                .isZero();
        assertThat(terminal.run("calibrate", "scale.cpp", "--designs", "scale.cpp:1"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("was not measured (built-in estimate)");
    }
}
