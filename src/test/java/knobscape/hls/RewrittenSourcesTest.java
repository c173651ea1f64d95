package knobscape.hls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.hls.evaluate.estimator.EstimateReport;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.HlsExporter;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.ScalarType;
import knobscape.hls.space.DirectiveSpace;
import knobscape.project.Project;
import knobscape.space.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RewrittenSourcesTest {
    private static final String MVT = """
            #define N 16
            void mvt(float x[N], const float y[N], const float a[N][N]) {
                for (int i = 0; i < N; i++) {
                    for (int j = 0; j < N; j++) {
                        x[i] += a[j][i] * y[j];
                    }
                }
            }
            """;

    @TempDir
    private Path folder;

    private Path file;
    private HlsWorkbench bench;

    @BeforeEach
    void open() throws Exception {
        open("mvt.cpp", MVT);
    }

    private void open(String name, String text) throws Exception {
        file = Files.writeString(folder.resolve(name), text);
        bench = HlsWorkbench.open(
                Project.open(file, Optional.of(folder.resolve("out"))),
                HlsSettings.of(file.toString()).with(HlsSettings.TRANSFORM, true),
                HlsTools.standard());
    }

    private static Configuration of(DirectiveSpace space, String transform) {
        var random = new SplittableRandom(1);
        Configuration c = space.space().draw(random);
        while (!c.value(0).equals(transform)) {
            c = space.space().draw(random);
        }
        return c;
    }

    @Test
    void aDesignIsEstimatedAsWhatIsExported() throws Exception {
        DirectiveSpace space = bench.directives();
        assertThat(space.space().knobs().get(0).domain().labels())
                .containsExactly(
                        "none",
                        "L3 inside L4",
                        "L4 in 2 sums",
                        "L4 in 4 sums",
                        "L4 in 8 sums",
                        "L4 in tiles of 4",
                        "L4 in tiles of 8",
                        "L3 in tiles of 4 inside L4",
                        "L3 in tiles of 8 inside L4");
        assertEstimatedAsExported(
                "none", "L3 inside L4", "L4 in 4 sums", "L4 in tiles of 4", "L3 in tiles of 8 inside L4");
    }

    @Test
    void aLocalCopyIsEstimatedAsExportedAndQuicker() throws Exception {
        open("mm.cpp", """
                void mm(const float a[8][8], const float b[8][8], float c[8][8]) {
                #pragma HLS INTERFACE m_axi port=b
                    for (int i = 0; i < 8; i++) {
                        for (int j = 0; j < 8; j++) {
                            float s = 0;
                            for (int k = 0; k < 8; k++) {
                                s += a[i][k] * b[k][j];
                            }
                            c[i][j] = s;
                        }
                    }
                }
                """);
        DirectiveSpace space = bench.directives();
        assertThat(space.space().knobs().get(0).domain().labels()).contains("local copy of b");
        assertEstimatedAsExported("none", "local copy of b");
        // Every element is read eight times, down a column.
        Configuration source = space.baseline();
        Configuration copy =
                source.with(0, space.space().knobs().get(0).domain().levelOf("local copy of b"));
        assertThat(cycles(copy)).isLessThan(cycles(source));
    }

    private double cycles(Configuration design) {
        return bench.explain(design).orElseThrow().stages().getFirst().latencyCycles();
    }

    private void assertEstimatedAsExported(String... transforms) throws Exception {
        DirectiveSpace space = bench.directives();
        for (String transform : transforms) {
            Configuration design = of(space, transform);
            EstimateReport inside = bench.explain(design).orElseThrow();
            Path out = folder.resolve("out " + transform);
            new HlsExporter(Dialect.VITIS_HLS, bench.kernelWork().toolWork().settings(false, Optional.of(folder)))
                    .pragmas(space, design, out);
            Kernel exported = HlsTools.standard()
                    .reader()
                    .read(
                            out.resolve("src").resolve(file.getFileName()),
                            new KernelReader.Options(Optional.of(space.kernel().top()), List.of(), Map.of()));
            EstimateReport outside = new EstimatorEvaluator(
                            exported, _ -> List.of(), bench.kernelWork().estimator())
                    .explain(design);
            assertThat(outside.stages()).as(transform).isEqualTo(inside.stages());
            assertThat(Files.exists(out.resolve(HlsExporter.REWRITTEN))).isEqualTo(!transform.equals("none"));
        }
    }

    @Test
    void sumsInAnotherOrderAreTheSameAndOthersAreNot() {
        var f = new ScalarType(ScalarType.Kind.FLOAT, 32, 0, true, "float");
        assertThat(RewrittenSources.isSame(floats(1e3f, 2), floats(1e3f + 1e-2f, 2), f))
                .isTrue();
        assertThat(RewrittenSources.isSame(floats(1e3f, 2), floats(1e3f, 2.5f), f))
                .isFalse();
        assertThat(RewrittenSources.isSame(floats(1, Float.NaN), floats(1, 2), f))
                .isFalse();
        assertThat(RewrittenSources.isSame(floats(1), floats(1.00001f), ScalarType.INT))
                .isFalse();
    }

    private static byte[] floats(float... x) {
        var b = java.nio.ByteBuffer.allocate(4 * x.length).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        for (float v : x) {
            b.putFloat(v);
        }
        return b.array();
    }
}
