package knobscape.network.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.evaluate.UserError;
import knobscape.network.Arithmetic;
import knobscape.network.ImportOptions;
import knobscape.network.ImportedNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Topologies of SCALE-Sim.
final class ScaleSimTopologyTest {
    @TempDir
    private Path folder;

    private ImportedNetwork read(String text) throws IOException {
        Path file = folder.resolve("net.csv");
        Files.writeString(file, text);
        return TableImport.read(file, ImportOptions.batch(1));
    }

    @Test
    void convolutionsFollowOneAnotherThroughMarginsPoolingsAndFlattening() throws IOException {
        ImportedNetwork i = read("""
                Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,
                Conv1, 34, 34, 3, 3, 3, 16, 1,
                Conv2, 18, 18, 3, 3, 16, 32, 1,
                FC, 1, 1, 1, 1, 32, 10, 1,
                """);
        assertThat(i.notes()).isEmpty();
        assertThat(i.network().inputs()).hasSize(1);
        assertThat(i.network().outputs()).containsExactly("FC");
        assertThat(Arithmetic.macs(i.network())).isEqualTo(32L * 32 * 27 * 16 + 16L * 16 * 144 * 32 + 32 * 10);
    }

    @Test
    void productsThatDoNotFollowReadInputsOfTheirOwn() throws IOException {
        ImportedNetwork i = read("Layer, M, N, K,\nSome title,\nA, 128, 64, 32,\nB, 128, 16, 64,\nC, 7, 5, 3,\n");
        assertThat(i.network().inputs()).hasSize(2);
        assertThat(i.network().outputs()).containsExactly("B", "C");
        assertThat(i.notes()).singleElement().asString().contains("'C' does not read the layer before it");
    }

    @Test
    void whatIsWrongIsSaidWithItsLine() {
        assertThatThrownBy(() -> read("Layer, M, N, K,\nA, 128, 0, 32,\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("line 2: '0' is no count from 1");
        assertThatThrownBy(() -> read("Layer, M, N, K,\nA, 128\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("line 2: a layer has 4 cells");
    }
}
