package knobscape.hls.source.interpret;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.source.KernelReader.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Numbers of any width against the vendor's open headers (github.com/Xilinx/HLS_arbitrary_Precision_Types), compiled
/// by g++ where they are found in `-Dknobscape.kernels=DIR`; else against the hash of what they computed.
class ArbitraryTwinTest {
    private static final Path HEADERS = Path.of(
            System.getProperty("knobscape.kernels", "../shared/kernels"), "HLS_arbitrary_Precision_Types/include");
    private static final int SEEDS = 40;

    @TempDir
    Path folder;

    @Test
    void equalsTheVendorsTypes() throws Exception {
        Path source = folder.resolve("arbitrary.cpp");
        try (InputStream in = requireNonNull(getClass().getResourceAsStream("/knobscape/hls/exact/arbitrary.cpp"))) {
            Files.write(source, in.readAllBytes());
        }
        boolean compiler = Files.isDirectory(HEADERS) && CompilerTwin.isThere("g++");
        var all = MessageDigest.getInstance("SHA-256");
        Optional<Path> twin = Optional.empty();
        Differential first = Differential.of(
                source, "arbitrary", new Options(Optional.of("arbitrary"), List.of(), Map.of()), Map.of(), Map.of(), 1);
        assertThat(first.program().unsupported()).isEmpty();
        for (long seed = 1; seed <= SEEDS; seed++) {
            Differential d = drawn(first, seed);
            var ours = new ByteArrayOutputStream();
            assertThat(d.interpreted(ours, Limits.defaults()).stopped()).isEmpty();
            all.update(ours.toByteArray());
            if (compiler) {
                byte[] theirs = twin.isEmpty()
                        ? d.compiled(folder, List.of("-I" + HEADERS.toAbsolutePath()))
                        : CompilerTwin.again(twin.get(), d.arguments());
                twin = Optional.of(folder);
                assertThat(d.difference(ours.toByteArray(), theirs))
                        .as("seed " + seed)
                        .isEmpty();
            }
        }
        assertThat(HexFormat.of().formatHex(all.digest(), 0, 8)).isEqualTo("cd41bf24275dcd2f");
    }

    private static Differential drawn(Differential first, long seed) {
        List<byte[]> arguments = Inputs.random(
                first.program(),
                Map.of("in", 8, "real", 4, "out", 160, "reals", 40),
                seed % 2 == 0 ? Map.of() : Map.of("in", new Inputs.Values(-60, 200, false)),
                seed);
        if (seed % 4 >= 2) {
            // Halves of the last bits, which rounding modes differ in.
            var reals = ByteBuffer.wrap(arguments.get(1)).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < reals.capacity(); i += 8) {
                reals.putDouble(i, Math.rint(reals.getDouble(i) * 128) / 128);
            }
        }
        return new Differential(first.source(), first.program(), arguments, first.options());
    }
}
