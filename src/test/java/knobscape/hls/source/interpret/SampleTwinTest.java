package knobscape.hls.source.interpret;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.source.KernelReader.Options;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The samples of this program, run by the interpreter and by g++ on the same random inputs. The hashes are of
/// what g++ 12.2 computed (x86-64, `-O1 -fwrapv -ffp-contract=off`).
class SampleTwinTest {
    private static final Path SAMPLES = Path.of("sample-projects");

    @TempDir
    Path folder;

    private static Differential kernel(String name, long seed) {
        Map<String, Inputs.Values> values = switch (name) {
            case "spmv_crs" ->
                Map.of(
                        "column", new Inputs.Values(0, 255, false),
                        "row_start", new Inputs.Values(0, 2048, true));
            case "spmv_ellpack" -> Map.of("column", new Inputs.Values(0, 255, false));
            default -> Map.of();
        };
        return Differential.of(
                SAMPLES.resolve(name).resolve(name + ".cpp"),
                name,
                new Options(Optional.of(name), List.of(), Map.of()),
                Map.of(),
                values,
                seed);
    }

    @ParameterizedTest
    @CsvSource({
        "conv_chain, 1, df47cfc339d68946",
        "gemm, 1, 9b064ffa0f4b3808",
        "sort_radix, 1, 0036e247ccb5c45a",
        "spmv_crs, 1, 8b80e3f2ba2ed216",
        "spmv_ellpack, 1, fc572c3bbc2c0bf7",
        "stencil3d, 1, 180dfaf01870d752",
    })
    void equalsTheCompiledProgram(String name, long seed, String hash) {
        Differential d = kernel(name, seed);
        assertThat(d.program().unsupported()).isEmpty();
        var ours = new ByteArrayOutputStream();
        Outcome o = d.interpreted(ours, Limits.defaults());
        assertThat(o.stopped()).isEmpty();
        if (CompilerTwin.isThere("g++")) {
            byte[] theirs = d.compiled(
                    folder,
                    List.of(
                            "-I" + SAMPLES.resolve("check-support").toAbsolutePath(),
                            name.equals("conv_chain") ? "-DKNOBSCAPE_AP" : "-DKNOBSCAPE_NO_AP",
                            "-DKNOBSCAPE_GET(t,W)=((long long)(t))",
                            "-DKNOBSCAPE_SET(t,v,W)=((t)=(long long)((v)<<(64-(W)))>>(64-(W)))"));
            assertThat(d.difference(ours.toByteArray(), theirs)).isEmpty();
        }
        assertThat(Differential.hash(ours.toByteArray())).isEqualTo(hash);
    }
}
