package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import knobscape.project.BoxTools;
import knobscape.surrogate.neural.TorchRuntime;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `gtuner-train` and tuning with what it made, as a person does.
class GtunerTrainCommandTest {
    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder, BoxTools::tools);

    private int train(String... more) {
        String[] line = {
            "gtuner-train", "alexnet", "--weights", "a.gat", "--trials", "8", "--population", "16", "--epochs", "2"
        };
        String[] all = Arrays.copyOf(line, line.length + more.length);
        System.arraycopy(more, 0, all, line.length, more.length);
        return terminal.run(all);
    }

    @Test
    void trainsOnItsMeasurementsAndTunesWithTheModel() {
        Assumptions.assumeTrue(TorchRuntime.problem().isEmpty(), "LibTorch does not load here");
        assertThat(train("--json")).as(terminal.err()).isZero();
        assertThat(terminal.json().get("losses")).hasSize(2);
        assertThat(terminal.json().get("rows").intValue()).isGreaterThanOrEqualTo(40);
        assertThat(terminal.err()).contains("kernels measured").contains("rows per second");

        assertThat(train()).isEqualTo(1);
        assertThat(terminal.err()).contains("already holds a finished model");

        assertThat(terminal.run(
                        "tune",
                        "zoo:alexnet",
                        "--method",
                        "ansor",
                        "--weights",
                        "a.gat",
                        "--trials",
                        "8",
                        "--out",
                        "o"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("--weights does not apply: only gtuner");
    }
}
