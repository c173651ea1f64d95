package knobscape.fusion.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceleratorFileTest {
    @TempDir
    private Path folder;

    private static final String GOOD = """
            {"format": "knobscape-accelerator", "formatVersion": 1, "name": "edge", "pes": 256, "frequencyGHz": 0.8, "offChipGBps": 25.6, "onChipGBps": 400, "buffer": "2MiB"}
            """;

    @Test
    void presetsAreReadBackExactly() {
        for (Accelerator a : Accelerator.presets()) {
            assertThat(readBack(a)).isEqualTo(a);
            assertThat(AcceleratorFile.named(a.name(), folder)).isEqualTo(a);
        }
        var odd = new Accelerator(
                "odd",
                7,
                0.3,
                1.23456789e9,
                1e9 / 3,
                2e9 / 3,
                12_345_678,
                999,
                17.5,
                2,
                new CostOptions(
                        CostOptions.MemoryTime.OVERLAP,
                        CostOptions.LastMicroBatch.PADDED,
                        CostOptions.NetworkInput.COUNTED,
                        CostOptions.Residuals.STAGED,
                        CostOptions.Execution.SPATIAL));
        Accelerator back = readBack(odd);
        assertThat(back.bufferBytes()).isEqualTo(odd.bufferBytes());
        assertThat(back.options()).isEqualTo(odd.options());
        assertThat(back.offChipBandwidth()).isEqualTo(odd.offChipBandwidth());
    }

    private static Accelerator readBack(Accelerator a) {
        return AcceleratorFile.of(new JsonFields("a.json", AcceleratorFile.json(a), ""));
    }

    @Test
    void whatIsLeftOutHasDefaults() throws IOException {
        Accelerator a = AcceleratorFile.read(Files.writeString(folder.resolve("a.json"), GOOD));
        assertThat(a.bufferBytes()).isEqualTo(2 << 20);
        assertThat(a.macsPerPe()).isEqualTo(1);
        assertThat(a.options()).isEqualTo(CostOptions.defaults());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"pes\": 256 | \"pes\": 0 | pes must be a count from 1",
                "\"pes\": 256 | \"pes\": -4 | pes must be a count from 1",
                "\"pes\": 256 | \"pes\": 2.5 | pes must be a whole number",
                "\"pes\": 256, | `` | has no pes",
                "\"offChipGBps\": 25.6 | \"offChipGBps\": -1 | off-chip bandwidth must be a positive number",
                "\"offChipGBps\": 25.6 | \"offChipGBps\": 900 | must not be below the off-chip bandwidth",
                "\"frequencyGHz\": 0.8 | \"frequencyGHz\": \"fast\" | frequencyGHz must be a number",
                "\"frequencyGHz\": 0.8 | \"frequencyGHz\": 1e999 | frequencyGHz",
                "\"buffer\": \"2MiB\" | \"buffer\": \"2\" | has no unit",
                "\"buffer\": \"2MiB\" | \"buffer\": \"0B\" | buffer must be a positive number",
                "\"buffer\": \"2MiB\" | \"buffer\": \"-2MB\" | is not a size",
                "\"buffer\": \"2MiB\" | \"buffer\": \"2 parsecs\" | is not a unit",
                "\"buffer\": \"2MiB\" | \"buffer\": \"9999999GB\" | larger than any memory",
                "\"buffer\": \"2MiB\" | \"buffer\": \"2MiB\", \"launchCycles\": -1 | launch cycles must be 0 or more",
                "\"buffer\": \"2MiB\" | \"buffer\": \"2MiB\", \"cores\": 4 | 'cores' is not a known key",
                "\"buffer\": \"2MiB\" | \"buffer\": \"2MiB\", \"model\": {\"memoryTime\": \"never\"} | model.memoryTime must be one of serial, overlap",
                "\"formatVersion\": 1 | \"formatVersion\": 9 | newer Knobscape",
                "knobscape-accelerator | tpu | must say",
                "\"2MiB\"} | \"2Mi | is not valid JSON"
            })
    void whatIsWrongIsSaid(String good, String bad, String sentence) throws IOException {
        Path file = Files.writeString(folder.resolve("a.json"), GOOD.replace(good, bad));
        assertThatThrownBy(() -> AcceleratorFile.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("a.json")
                .hasMessageContaining(sentence)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void aFileThatIsNotThereIsSaid() {
        assertThatThrownBy(() -> AcceleratorFile.named("edge.json", folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("calibrated, paper-literal");
        assertThatThrownBy(() -> AcceleratorFile.read(folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is a folder");
    }

    @ParameterizedTest
    @CsvSource({"20MB, 20000000", "1.5 GB, 1500000000", "512KiB, 524288", "7B, 7", "3mb, 3000000"})
    void sizes(String text, long bytes) {
        assertThat(ByteSize.parse(text)).isEqualTo(bytes);
        assertThat(ByteSize.parse(ByteSize.text(bytes))).isEqualTo(bytes);
    }
}
