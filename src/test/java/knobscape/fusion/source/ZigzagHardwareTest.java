package knobscape.fusion.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hardware files of ZigZag and Stream as accelerators.
final class ZigzagHardwareTest {
    private static final String CORE = """
            name: small
            memories:
              register:
                size: 16
                r_cost: 0.02
                w_cost: 0.02
                operands: [O]
                ports: [{name: a, type: read_write, bandwidth_max: 16}]
                served_dimensions: []
              weights:
                size: 262144
                r_cost: 40
                w_cost: 60
                operands: [I2]
                ports: [{name: a, type: read_write, bandwidth_max: 128}]
                served_dimensions: [D1, D2]
              rows:
                size: 1048576
                r_cost: 20
                w_cost: 20
                operands: [I1, O]
                ports: [{name: r, type: read, bandwidth_max: 256}, {name: w, type: write, bandwidth_max: 256}]
                served_dimensions: [D1, D2]
            """;
    private static final String DRAM = """
              dram:
                size: 10000000000
                r_cost: 700
                w_cost: 900
                operands: [I1, I2, O]
                ports: [{name: a, type: read_write, bandwidth_max: 64}]
                served_dimensions: [D1, D2]
            """;
    private static final String ARRAY = """
            operational_array:
              unit_energy: 0.04
              dimensions: [D1, D2]
              sizes: [32, 16]
            """;

    @TempDir
    Path folder;

    private Accelerator read(String text) throws IOException {
        Path file = folder.resolve("hardware.yaml");
        Files.writeString(file, text);
        return AcceleratorFile.named("hardware.yaml", folder);
    }

    @Test
    void buffersAreTakenTogetherAndTheOutermostMemoryIsOffChip() throws IOException {
        Accelerator a = read(CORE + DRAM + ARRAY);
        assertThat(a.pes()).isEqualTo(512);
        assertThat(a.bufferBytes()).isEqualTo((262_144 + 1_048_576) / 8);
        assertThat(a.offChipBandwidth()).isEqualTo(8e9);
        assertThat(a.onChipBandwidth()).isEqualTo(80e9);
        assertThat(a.hardware().energy().mac()).isEqualTo(0.04e-12);
        assertThat(a.hardware().energy().offByte()).isCloseTo(100e-12, org.assertj.core.data.Offset.offset(1e-20));
        assertThat(a.hardware().source()).contains("2 buffers taken together", "1 GHz is taken");
    }

    @Test
    void olderFilesCountPortsThatAreAlike() throws IOException {
        String ports = "ports: [{name: a, type: read_write, bandwidth_max: 64}]";
        Accelerator a = read(CORE
                + DRAM.replace(
                        ports, "r_bw: 64\n    w_bw: 32\n    r_port: 0\n    w_port: 0\n    rw_port: 2\n    ports: []")
                + ARRAY.replace("unit_energy", "multiplier_energy"));
        assertThat(a.offChipBandwidth()).isEqualTo(2 * 8e9);
        assertThat(a.hardware().energy().mac()).isEqualTo(0.04e-12);
        assertThat(a.hardware().energy().offByte()).isCloseTo(100e-12, org.assertj.core.data.Offset.offset(1e-20));
    }

    @Test
    void coresOfStreamAreOneArray() throws IOException {
        Files.createDirectories(folder.resolve("cores"));
        Files.writeString(folder.resolve("cores/small.yaml"), CORE + ARRAY);
        Files.writeString(
                folder.resolve("cores/out.yaml"), "name: out\nmemories:\n" + DRAM + ARRAY.replace("32, 16", "0, 0"));
        Accelerator a = read("""
                name: two
                cores: {0: ./cores/small.yaml, 1: ./cores/small.yaml, 2: ./cores/out.yaml}
                offchip_core_id: 2
                """);
        assertThat(a.pes()).isEqualTo(1024);
        assertThat(a.bufferBytes()).isEqualTo(2 * (262_144 + 1_048_576) / 8);
        assertThat(a.offChipBandwidth()).isEqualTo(8e9);
        assertThat(a.hardware().source()).contains("2 cores taken together");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a: 1",
                "cores: {0: ../../etc/passwd}\noffchip_core_id: 0",
                "cores: {0: none.yaml}\noffchip_core_id: 0",
                "memories: {}\noperational_array: {sizes: [4, 4]}",
                "memories: {}\noperational_array: {sizes: [999999999, 999999999, 999999999]}",
                "operational_array: {sizes: [x]}"
            })
    void badFilesAreOneSentence(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(UserError.class).hasMessageContaining("yaml");
    }
}
